package mutextest

import (
	"iter"
	"slices"
	"testing"
	"time"

	"bullring/des"
	"bullring/protocols"
)

// All is every address 0..n-1.
func All(n int) []protocols.ID {
	all := make([]protocols.ID, n)
	for i := range all {
		all[i] = protocols.ID(i)
	}
	return all
}

// Others is every address 0..n-1 except one.
func Others(n int, but protocols.ID) []protocols.ID {
	return slices.Delete(All(n), int(but), int(but)+1)
}

// Instants are the instants of entries.
func (r Result) Instants() []time.Duration {
	var at []time.Duration
	for _, e := range r.Entries {
		at = append(at, e.At)
	}
	return at
}

// WantPanics fails the test unless each of these panics.
func WantPanics(t *testing.T, all map[string]func()) {
	t.Helper()
	for name, f := range all {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

// RandomDelays yields networks whose links have random delays and are FIFO, with a number
// of seeds for each of two distributions.
func RandomDelays(seeds uint64) iter.Seq[Network] {
	return func(yield func(Network) bool) {
		for _, delay := range []des.Distribution{des.Uniform(0, Hops(10)), des.Exponential(Unit)} {
			for seed := range seeds {
				if !yield(Network{Delay: delay, Seed: seed + 1}) {
					return
				}
			}
		}
	}
}
