package mutex_test

import (
	"fmt"
	"slices"
	"testing"

	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/protocols"
)

// everyClient runs an algorithm with up to most processes, every set of clients, and
// times inside, numbers of requests and delays of all kinds.
func everyClient(t *testing.T, c *catalogtest.Checker, algorithm, variant string, most int, params ...string) {
	t.Helper()
	if len(params) == 0 {
		params = []string{""}
	}
	for n := 1; n <= most; n++ {
		for set := 1; set < 1<<n; set++ {
			for _, work := range []string{"", "cs=1ms", "cs=2500us,requests=3", "requests=3", "cs=1ms,requests=2,think=4ms", "requests=3,think=exp(5ms),loop=open"} {
				for _, delay := range []string{"", "uniform(0,3ms)", "exp(1ms)"} {
					for _, param := range params {
						s := trial.Setting{
							Algorithm: algorithm, Variant: variant, N: n, Initiators: catalogtest.Addresses(set, n), Delay: delay,
							Param: joined(work, param), Seed: uint64(set),
						}
						served(t, c, s)
					}
				}
			}
		}
	}
}

// joined joins lists of parameters.
func joined(lists ...string) string {
	all := ""
	for _, l := range lists {
		if all != "" && l != "" {
			all += ","
		}
		all += l
	}
	return all
}

// served runs a setting in which every client is to get in, and holds it to bounds and
// checks.
func served(t *testing.T, c *catalogtest.Checker, s trial.Setting) *trial.Result {
	t.Helper()
	r := c.Run(s, families.Served)
	if want := r.Instance.Initiators.Len() * r.Instance.Count("requests"); len(catalogtest.Entries(r)) != want {
		t.Fatalf("%+v: %d entries, want %d", s, len(catalogtest.Entries(r)), want)
	}
	return r
}

// The table of all at once: with a message taking 1 and cs = 1 or 3 the k-th entry is
// at 2 + k(cs+2), 1 + k(cs+1) or 2 + k(cs+1), ties by address.
func TestAllAtOnce(t *testing.T) {
	c := newChecker(t)
	const n = 8
	for _, row := range []struct {
		algorithm, variant, initiators string
		messages, first, handover      int
	}{
		{"centralized", "", "1,2,3,4,5,6,7", 3 * 7, 2, 2},
		{"lamport", "plain", "", 3 * 8 * 7, 1, 1},
		{"lamport", "optimised", "", 3*8*7 - 8*7/2, 1, 1},
		{"ricartagrawala", "", "", 2 * 8 * 7, 2, 1},
		{"carvalhoroucairol", "", "", 2 * 8 * 7, 2, 1},
	} {
		for _, cs := range []int{0, 1, 3} {
			r := served(t, c, trial.Setting{Algorithm: row.algorithm, Variant: row.variant, N: n, Initiators: row.initiators, Param: fmt.Sprintf("cs=%dms", cs)})
			if got := int(r.Counters.Messages()); got != row.messages {
				t.Errorf("%s %s: %d messages, want %d", row.algorithm, row.variant, got, row.messages)
			}
			for k, e := range catalogtest.Entries(r) {
				want := row.first + k*(cs+row.handover)
				if got := int(e.At.Milliseconds()); got != want || int(e.Process) != n-len(catalogtest.Entries(r))+k {
					t.Errorf("%s %s, cs=%d: entry %d is %+v, want at %d", row.algorithm, row.variant, cs, k, e, want)
				}
			}
		}
	}
}

// If the coordinator dies, everybody who waits does so for ever; if the one inside does,
// too. Whoever dies, nobody enters any more by the permission of all.
func TestACrashBlocks(t *testing.T) {
	c := newChecker(t)
	for _, row := range []struct {
		setting trial.Setting
		entries int
	}{
		{trial.Setting{Algorithm: "centralized", Initiators: "1,2,3", Fault: "at 3ms crash 0"}, 1},
		{trial.Setting{Algorithm: "centralized", Initiators: "1,2,3", Fault: "at 3ms crash 1"}, 1},
		{trial.Setting{Algorithm: "lamport", Initiators: "1,2,3", Fault: "at 0s crash 0"}, 0},
		{trial.Setting{Algorithm: "lamport", Fault: "at 2ms crash 0"}, 1},
		{trial.Setting{Algorithm: "ricartagrawala", Initiators: "1,2,3", Fault: "at 0s crash 0"}, 0},
		{trial.Setting{Algorithm: "ricartagrawala", Fault: "at 3ms crash 0"}, 1},
		{trial.Setting{Algorithm: "carvalhoroucairol", Fault: "at 3ms crash 0"}, 1},
		{trial.Setting{Algorithm: "maekawa", Initiators: "1,2,3", Fault: "at 0s crash 0"}, 0},
		{trial.Setting{Algorithm: "majority", Fault: "at 4ms crash 0"}, 1},
	} {
		row.setting.N, row.setting.Param = 4, "cs=5ms"
		r := c.Outside(row.setting)
		if r.Outcome != families.Deadlock || len(catalogtest.Entries(r)) != row.entries || r.Verdict("ME1") != protocols.Holds || r.Verdict("ME2") != protocols.Undecided {
			t.Errorf("%+v: %v after %d entries, want %d; %v", row.setting, r.Outcome, len(catalogtest.Entries(r)), row.entries, r.Checks)
		}
	}
}

// A client that has no rival waits for a round trip, and costs what the papers say; so
// many random sets of clients on larger systems stay within the bounds.
func TestLargerSystems(t *testing.T) {
	c := newChecker(t)
	for _, a := range []string{"centralized", "decentralized", "lamport", "ricartagrawala", "carvalhoroucairol", "maekawa", "majority"} {
		for seed := range uint64(20) {
			for _, n := range []int{16, 31} {
				for _, clients := range []string{"random:1", "random:5"} {
					served(t, c, trial.Setting{Algorithm: a, N: n, Initiators: clients, Seed: seed, Param: "cs=1ms,requests=2"})
				}
			}
		}
	}
	c.Needs("exact", "handover")
}

// Exploring finds the deadlock of naive quorums, and it is called that.
func TestNaiveQuorumsDeadlock(t *testing.T) {
	c := newChecker(t)
	r := c.Outside(trial.Setting{Algorithm: "maekawa", Variant: "naive", N: 3, Param: "quorums=plane"})
	if i := slices.IndexFunc(r.Checks, func(c protocols.Check) bool { return c.Name == "ME2" }); r.Outcome != families.Deadlock ||
		r.Checks[i].Verdict != protocols.Violated || r.Checks[i].Detail != "deadlock: process 0 and 2 more wait for ever" {
		t.Errorf("%v, %v", r.Outcome, r.Checks)
	}
}
