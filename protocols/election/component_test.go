package election_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"bullring/protocols"
	"bullring/protocols/election"
)

// network is a graph whose links come and go, with a checker of its components.
type network struct {
	*election.Checker
	links map[[2]protocols.ID]bool
}

// near are the neighbours of a process.
func (w *network) near(p protocols.ID) (all []protocols.ID) {
	for link, up := range w.links {
		switch {
		case up && link[0] == p:
			all = append(all, link[1])
		case up && link[1] == p:
			all = append(all, link[0])
		}
	}
	slices.Sort(all)
	return all
}

// link makes the link between a and b come up or go down.
func (w *network) link(a, b protocols.ID, up bool, now time.Duration) {
	w.links[[2]protocols.ID{a, b}] = up
	w.Relinked(w.near, now, a, b)
}

// line returns a line of n processes, 10, 20 and so on, with this resting time.
func line(n int, rest time.Duration) *network {
	w := &network{of(n, election.Promise{Winner: election.Local, Rest: rest}), map[[2]protocols.ID]bool{}}
	for p := range protocols.ID(n - 1) {
		w.links[[2]protocols.ID{p, p + 1}] = true
	}
	w.Relinked(w.near, 0)
	return w
}

// follow has the processes decide at an instant: each for the process at the address that is given.
func (w *network) follow(now time.Duration, leaders ...protocols.ID) {
	for p, leader := range leaders {
		elects(w.Checker, protocols.ID(p), leader, now)
	}
}

// Each component needs exactly one live leader, in it, which all of it follow: on a line of four.
func TestComponents(t *testing.T) {
	for name, c := range map[string]struct {
		happens func(w *network)
		want    string // the failure of E2 at rest; "" if it holds
	}{
		"one leader of all":                   {func(w *network) { w.follow(0, 2, 2, 2, 2) }, ""},
		"undecided":                           {func(w *network) { w.follow(0, 2, 2, 2) }, "process 3 has no leader"},
		"two leaders in a component":          {func(w *network) { w.follow(0, 1, 1, 2, 2) }, "different leaders"},
		"a leader in each half":               {func(w *network) { w.link(1, 2, false, 1); w.follow(1, 0, 0, 3, 3) }, ""},
		"a half follows the other's":          {func(w *network) { w.link(1, 2, false, 1); w.follow(1, 0, 0, 0, 0) }, "process 2 follows 10, which is not alive in its component"},
		"alone":                               {func(w *network) { w.link(0, 1, false, 1); w.follow(1, 0, 3, 3, 3) }, ""},
		"apart, and together again":           {func(w *network) { w.link(1, 2, false, 1); w.link(1, 2, true, 2); w.follow(2, 3, 3, 3, 3) }, ""},
		"the halves met, and nobody heard":    {func(w *network) { w.link(1, 2, false, 1); w.follow(1, 0, 0, 3, 3); w.link(1, 2, true, 2) }, "different leaders"},
		"the leader crashed":                  {func(w *network) { w.follow(0, 3, 3, 3, 3); w.Crashed(3, 1) }, "which is not alive"},
		"a crash cuts the line in two":        {func(w *network) { w.follow(0, 3, 3, 3, 3); w.Crashed(1, 1) }, "process 0 follows 40"},
		"a leader in each part that it left":  {func(w *network) { w.Crashed(1, 1); w.follow(1, 0); w.follow(1, 0, 1, 3, 3) }, ""},
		"it comes back, and joins the others": {func(w *network) { w.follow(0, 0, 0, 0, 0); w.Crashed(1, 1); w.Restarted(1, 2); w.follow(2, 0, 0, 0, 0) }, ""},
		"the leader does not know that it is": {func(w *network) { w.follow(0, 3, 3, 3, 3); w.Decided(3, election.Decision{}, 1) }, "does not lead"},
		"nobody has that identity":            {func(w *network) { w.follow(0, 6, 6, 6, 6) }, "which is not alive"},
	} {
		w := line(4, math.MaxInt64)
		c.happens(w)
		checks := w.Checks(true)
		want := protocols.Holds
		if c.want != "" {
			want = protocols.Violated
		}
		if checks[1].Verdict != want || !strings.Contains(checks[1].Detail, c.want) {
			t.Errorf("%s: E2 %v: %s", name, checks[1].Verdict, checks[1].Detail)
		}
		if holds := c.want == ""; w.Correct() != holds || w.Followed() != holds {
			t.Errorf("%s: correct %v, followed %v", name, w.Correct(), w.Followed())
		}
		if e2 := w.Checks(false)[1].Verdict; e2 != protocols.Undecided {
			t.Errorf("%s: cut off, E2 is %v", name, e2)
		}
		if e1 := checks[0].Verdict; (e1 == protocols.Violated) != (name == "nobody has that identity") {
			t.Errorf("%s: E1 %v: %s", name, e1, checks[0].Detail)
		}
	}
}

// A component is judged as soon as it has not changed for longer than its resting time, whatever
// happens in others; and not before. No step breaks E2: what was wrong has lasted too long.
func TestQuietComponents(t *testing.T) {
	for name, c := range map[string]struct {
		happens func(w *network)
		want    protocols.Verdict
	}{
		"nothing was quiet for long enough": {func(w *network) { w.Passed(5 * ms) }, protocols.Undecided},
		"wrong for longer":                  {func(w *network) { w.Passed(5*ms + 1) }, protocols.Violated},
		"agreed in time":                    {func(w *network) { w.follow(5*ms, 0, 0, 0, 0); w.Passed(6 * ms) }, protocols.Holds},
		"agreed too late":                   {func(w *network) { w.follow(5*ms+1, 0, 0, 0, 0); w.Passed(9 * ms) }, protocols.Violated},
		"a change starts it anew":           {func(w *network) { w.link(0, 1, false, 4*ms); w.link(2, 3, false, 5*ms); w.Passed(9 * ms) }, protocols.Undecided},
		"a half has long been quiet": {func(w *network) {
			w.link(1, 2, false, 1)
			w.follow(2, 0, 0, 0, 0)
			w.link(2, 3, false, 5*ms)
			w.Passed(6 * ms)
		}, protocols.Holds},
		"the other half is wrong for long": {func(w *network) {
			w.link(1, 2, false, 1)
			w.follow(2, 0, 0, 0, 0)
			w.link(0, 1, false, 5*ms)
			w.Passed(6 * ms)
		}, protocols.Violated},
		"a link within a component is a change":    {func(w *network) { w.link(0, 2, true, 4*ms); w.Passed(9 * ms) }, protocols.Undecided},
		"right, and then wrong without a reason":   {func(w *network) { w.follow(0, 0, 0, 0, 0); w.follow(9*ms, 1, 1, 1, 1); w.follow(10*ms, 1, 1, 1, 1) }, protocols.Violated},
		"a crash is a change, and so is a restart": {func(w *network) { w.Crashed(0, 4*ms); w.Restarted(0, 8*ms); w.Passed(13 * ms) }, protocols.Undecided},
		"a start is a change": {func(w *network) {
			w.follow(0, 0, 0, 0, 0)
			w.Started(1, 9*ms)
			w.follow(9*ms, 0, 1, 0, 0)
			w.Passed(13 * ms)
		}, protocols.Holds},
		"long after a start": {func(w *network) {
			w.follow(0, 0, 0, 0, 0)
			w.Started(1, 9*ms)
			w.follow(9*ms, 0, 1, 0, 0)
			w.Passed(15 * ms)
		}, protocols.Violated},
		"long after a crash": {func(w *network) { w.Crashed(0, 4*ms); w.Passed(10 * ms) }, protocols.Violated},
	} {
		w := line(4, 5*ms)
		c.happens(w)
		if e2 := w.Checks(false)[1]; e2.Verdict != c.want || e2.Broke != nil {
			t.Errorf("%s: E2 %v: %s", name, e2.Verdict, e2.Detail)
		}
	}
}

// What each definition of a leader counts: on a line that falls apart, and whose leader crashes.
func TestLeadersByDefinition(t *testing.T) {
	w := line(4, math.MaxInt64)
	for _, c := range []struct {
		happens func()
		want    string
	}{
		{func() {}, "[{4 0 0 0 false}]"},
		{func() { w.follow(1, 0, 0, 0) }, "[{4 1 3 3 false}]"},
		{func() { w.follow(2, 0, 0, 0, 0) }, "[{4 1 4 4 true}]"},
		{func() { w.link(1, 2, false, 3) }, "[{2 1 2 2 true} {2 0 2 0 false}]"},
		{func() { w.follow(4, 0, 0, 2, 2) }, "[{2 1 2 2 true} {2 1 2 2 true}]"},
		{func() { w.Crashed(2, 5) }, "[{2 1 2 2 true} {1 0 1 0 false}]"},
	} {
		c.happens()
		if got := fmt.Sprint(w.Components()); got != c.want {
			t.Errorf("components %s, want %s", got, c.want)
		}
	}
}

// At rest a component has a leader, unless its processes go on watching: then it has the resting time.
func TestWatchersAtRest(t *testing.T) {
	for watches, want := range map[bool]protocols.Verdict{false: protocols.Violated, true: protocols.Undecided} {
		w := &network{of(2, election.Promise{Winner: election.Local, Rest: 10, Watches: watches}), map[[2]protocols.ID]bool{{0, 1}: true}}
		w.Relinked(w.near, 0)
		w.follow(5, 1, 1)
		w.link(0, 1, false, 8)
		if v := w.Checks(true)[1].Verdict; v != want {
			t.Errorf("watches %v: E2 %v at rest, want %v", watches, v, want)
		}
		w.Passed(19)
		if v := w.Checks(true)[1].Verdict; v != protocols.Violated {
			t.Errorf("watches %v: E2 %v after the resting time", watches, v)
		}
	}
}
