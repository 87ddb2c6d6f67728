package des_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// stopper is the part of a clockwork.Timer that the model has.
type stopper interface {
	Stop() bool
	Reset(time.Duration) bool
}

// world is a clock as the model test drives it.
type world interface {
	afterFunc(time.Duration, func()) stopper
	advance() bool // to the next instant at which something is due
	elapsed() time.Duration
}

func (l *loop) advance() bool { return l.step() }
func (l *loop) afterFunc(d time.Duration, f func()) stopper {
	return l.AfterFunc(d, f)
}

// naive is a clock that searches a list of timers whenever it is asked.
type naive struct {
	now     time.Duration
	setting int
	armed   []*naiveTimer
}

type naiveTimer struct {
	n       *naive
	at      time.Duration
	setting int
	f       func()
}

func (n *naive) elapsed() time.Duration { return n.now }

func (n *naive) afterFunc(d time.Duration, f func()) stopper {
	t := &naiveTimer{n: n, f: f}
	t.Reset(d)
	return t
}

func (n *naive) advance() bool {
	first := n.first()
	if first == nil {
		return false
	}
	n.now = first.at
	for first != nil && first.at == n.now {
		first.Stop()
		first.f()
		first = n.first()
	}
	return true
}

func (n *naive) first() *naiveTimer {
	if len(n.armed) == 0 {
		return nil
	}
	return slices.MinFunc(n.armed, func(a, b *naiveTimer) int {
		if a.at != b.at {
			return cmp.Compare(a.at, b.at)
		}
		return a.setting - b.setting
	})
}

func (t *naiveTimer) Stop() bool {
	i := slices.Index(t.n.armed, t)
	if i < 0 {
		return false
	}
	t.n.armed = slices.Delete(t.n.armed, i, i+1)
	return true
}

func (t *naiveTimer) Reset(d time.Duration) bool {
	armed := t.Stop()
	t.n.setting++
	t.at, t.setting = t.n.now+max(d, 0), t.n.setting
	t.n.armed = append(t.n.armed, t)
	return armed
}

// action is one call of a random program.
type action struct {
	verb   string
	d      time.Duration
	target int
}

// play runs a program and returns everything observable. Each callback performs one inner
// action while there are any left.
func play(w world, outer, inner []action) (seen []string) {
	var timers []stopper
	var do func(a action)
	set := func(d time.Duration) {
		id := len(timers)
		timers = append(timers, nil)
		timers[id] = w.afterFunc(d, func() {
			seen = append(seen, fmt.Sprintf("%d expires at %d", id, w.elapsed()))
			if len(inner) > 0 {
				a := inner[0]
				inner = inner[1:]
				do(a)
			}
		})
	}
	do = func(a action) {
		switch {
		case a.verb == "set":
			set(a.d)
		case a.verb == "advance":
			seen = append(seen, fmt.Sprintf("advance %v to %d", w.advance(), w.elapsed()))
		case len(timers) == 0:
		case a.verb == "stop":
			i := a.target % len(timers)
			seen = append(seen, fmt.Sprintf("stop %d %v", i, timers[i].Stop()))
		case a.verb == "reset":
			i := a.target % len(timers)
			seen = append(seen, fmt.Sprintf("reset %d %v", i, timers[i].Reset(a.d)))
		}
	}
	for _, a := range outer {
		do(a)
	}
	for w.advance() {
	}
	return seen
}

// TestClockAgainstModel plays random programs on the clock and on the model. The durations
// have few distinct values, so that most instants have several timers.
func TestClockAgainstModel(t *testing.T) {
	actions := func(verbs ...string) *rapid.Generator[[]action] {
		return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) action {
			return action{
				verb:   rapid.SampledFrom(verbs).Draw(t, "verb"),
				d:      rapid.SampledFrom([]time.Duration{-1, 0, 0, 1, 2, 3, 7, 1 << 20, 1 << 40}).Draw(t, "d"),
				target: rapid.IntRange(0, 30).Draw(t, "target"),
			}
		}), 0, 60)
	}
	rapid.Check(t, func(t *rapid.T) {
		outer := actions("set", "set", "stop", "reset", "advance").Draw(t, "outer")
		inner := actions("set", "stop", "reset").Draw(t, "inner")
		got, want := play(newLoop(), outer, inner), play(&naive{}, outer, inner)
		if !slices.Equal(got, want) {
			t.Fatalf("the clock did\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})
}
