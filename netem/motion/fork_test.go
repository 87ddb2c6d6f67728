package motion

import (
	"math"
	"os"
	"slices"
	"testing"

	"bullring/des"
	"bullring/netem"
	"bullring/protocols"
)

// drawnKinds have a text of each motion that is drawn.
var drawnKinds = []string{
	"waypoint(300mx300m, 100m, 5..20m/s, 1s)", "waypoint(300mx300m, 100m, 5..20m/s, 0s), steady", "walk(300mx300m, 100m, 10m/s, 2s)",
	"gauss-markov(300mx300m, 100m, 10m/s, 0.75, 1s)", "edges(10%, 30%, 1s)", "churn(up exp(20s), down exp(5s))", "interval(2, 1s, random)", "walk(300mx300m, 100m, 10m/s, 2s), from 100s",
}

// changesOf are the first changes of a motion among six processes, with a fork after some of them.
func changesOf(t *testing.T, text string, count, fork int, salts ...uint64) (all []netem.Change) {
	s := mustParse(t, text).Source(netem.Complete(6), 1)
	s.Begin(func(protocols.ID, protocols.ID) {})
	for k := range count {
		if k == fork && len(salts) > 0 {
			s.(netem.Forker).Fork(salts)
		}
		c, ok := s.Next()
		if !ok {
			t.Fatalf("%s: only %d changes", text, k)
		}
		all = append(all, c)
	}
	return all
}

// From a fork on a motion goes another way. It follows from the seed and the salts.
func TestForks(t *testing.T) {
	for _, text := range drawnKinds {
		const count, fork = 400, 100
		plain := changesOf(t, text, count, fork)
		forked := changesOf(t, text, count, fork, 7)
		if !slices.Equal(plain[:fork], forked[:fork]) || slices.Equal(plain, forked) {
			t.Errorf("%s: a fork changes what was, or nothing", text)
		}
		if !slices.Equal(forked, changesOf(t, text, count, fork, 7)) || slices.Equal(forked, changesOf(t, text, count, fork, 8)) || slices.Equal(forked, changesOf(t, text, count, fork, 7, 8)) {
			t.Errorf("%s: salts do not decide the changes", text)
		}
		if !mustParse(t, text).Drawn() {
			t.Errorf("%s is not drawn", text)
		}
	}
}

// Forks leave the law of a motion as it is: how often links change, and how long they are up.
func TestForksKeepTheLaw(t *testing.T) {
	for _, text := range drawnKinds[:len(drawnKinds)-1] {
		measure := func(every int) (rate, up float64) {
			const sources = 200
			for seed := range uint64(sources) {
				s := mustParse(t, text).Source(netem.Complete(6), seed)
				links, changes := 0, 0
				s.Begin(func(protocols.ID, protocols.ID) { links++ })
				there := map[netem.Link]bool{}
				last, end := des.Time(0), des.Time(500e9)
				for c, ok := s.Next(); ok && c.At < end; c, ok = s.Next() {
					p := netem.LinkBetween(c.A, c.B)
					was, known := there[p]
					up += float64(links) * float64(c.At-last)
					last, there[p] = c.At, c.Up
					if known && was == c.Up {
						continue // a source says now and then that nothing changes
					}
					if changes++; c.Up {
						links++
					} else {
						links--
					}
					if every > 0 && changes%every == 0 {
						s.(netem.Forker).Fork([]uint64{uint64(changes)})
					}
				}
				rate += float64(changes) / end.Sub(0).Seconds() / sources
				up += float64(links) * float64(end-last)
			}
			return rate, up / sources / float64(500e9) / 15
		}
		rate, up := measure(0)
		for _, every := range []int{1, 5} {
			forkedRate, forkedUp := measure(every)
			t.Logf("%s: %.3f changes a second and %.3f of the links up; forked every %d changes %.3f and %.3f", text, rate, up, every, forkedRate, forkedUp)
			if math.Abs(forkedRate/rate-1) > 0.05 || math.Abs(forkedUp/up-1) > 0.05 {
				t.Errorf("%s: %.3f changes a second and %.3f of the links up; forked every %d changes %.3f and %.3f", text, rate, up, every, forkedRate, forkedUp)
			}
		}
	}
}

// A motion of a file is as the file says, forked or not.
func TestForksOfFiles(t *testing.T) {
	m, err := Parse("positions:walk.bm, 250m", func(name string) ([]byte, string, error) {
		text, err := os.ReadFile("testdata/" + name)
		return text, name, err
	})
	if err != nil {
		t.Fatal(err)
	}
	var all [2][]netem.Change
	for k := range all {
		s := m.Source(netem.Complete(3), 1)
		s.Begin(func(protocols.ID, protocols.ID) {})
		if k > 0 {
			s.(netem.Forker).Fork([]uint64{7})
		}
		for c, ok := s.Next(); ok; c, ok = s.Next() {
			all[k] = append(all[k], c)
		}
	}
	if m.Drawn() || len(all[0]) == 0 || !slices.Equal(all[0], all[1]) {
		t.Errorf("drawn %v; %v, and forked %v", m.Drawn(), all[0], all[1])
	}
}
