package elections_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/experiments/trial/search"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/election"
)

// What each algorithm must do under each fault: the table of outcomes under
// faults, for the algorithms that are there. A ring does not close over a dead
// process here, so that what Chang and Roberts send round it is lost and does not
// circulate.

// If one message of the maximum is lost there is silence, no leader, and no second
// one.
func TestMessageOfTheMaximumLost(t *testing.T) {
	for _, a := range []struct{ name, variant, kind string }{
		{"lcr", "leader-only", "PROBE"}, {"lcr", "all-terminate", "PROBE"}, {"changroberts", "", "ELECTION"},
	} {
		for n := 2; n <= 7; n++ {
			for _, placement := range []string{"increasing", "decreasing", "random"} {
				s := trial.Setting{Algorithm: a.name, Variant: a.variant, N: n, Placement: placement, Seed: 5}
				c, err := search.FindCritical(context.Background(), registry, s, search.Drop, "", nil)
				if err != nil {
					t.Fatal(err)
				}
				struck := 0
				for _, k := range c.Cases {
					if k.Message != fmt.Sprintf("%s(%d)", a.kind, n) {
						continue
					}
					struck++
					r := k.Result
					if r.Outcome != families.NoLeader || r.End != netem.Quiescent || families.ElectionOf(r).Leaders > 0 || r.Verdict("E1") != protocols.Holds || r.Verdict("E2") != protocols.Violated {
						t.Errorf("%s %s n=%d %s, %s: %v, %v, at most %d leaders", a.name, a.variant, n, placement, k.Fault, r.Outcome, r.End, families.ElectionOf(r).Leaders)
					}
				}
				if struck != n {
					t.Errorf("%s %s n=%d %s: %d messages of the maximum were struck, want %d", a.name, a.variant, n, placement, struck, n)
				}
			}
		}
	}
}

// Not so in the election of Dolev, Klawe and Rodeh. If a ONE with the maximum is
// lost, the process that was to take it over retires, as its owner does, and seldom,
// never for n < 4, the rest then elect another. Still there are never two leaders,
// and there is always rest.
func TestPetersonMessageOfTheMaximumLost(t *testing.T) {
	for n, want := range map[int]struct{ struck, misled int }{2: {3, 0}, 3: {8, 0}, 4: {34, 2}, 5: {184, 8}, 6: {1136, 32}} {
		if n == 6 && testing.Short() {
			continue
		}
		struck, misled := 0, 0
		catalogtest.Permutations(n, func(ids string) {
			if !strings.HasPrefix(ids, fmt.Sprint(n)) {
				return // another one, turned
			}
			s := trial.Setting{Algorithm: "peterson", IDs: ids}
			c, err := search.FindCritical(context.Background(), registry, s, search.Drop, "", nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, k := range c.Cases {
				if k.Message != fmt.Sprintf("ONE(%d)", n) {
					continue
				}
				struck++
				r := k.Result
				if r.Outcome == families.Elected && r.Verdict("E1") == protocols.Violated && families.ElectionOf(r).Leader < election.Identity(n) {
					misled++
				} else if r.Outcome != families.NoLeader {
					t.Errorf("%s, %s: %v %d", ids, k.Fault, r.Outcome, families.ElectionOf(r).Leader)
				}
				if r.End != netem.Quiescent || families.ElectionOf(r).Leaders > 1 {
					t.Errorf("%s, %s: %v, at most %d leaders", ids, k.Fault, r.End, families.ElectionOf(r).Leaders)
				}
			}
		})
		if struck != want.struck || misled != want.misled {
			t.Errorf("n=%d: of %d messages of the maximum %d let another one win, want %d and %d", n, struck, misled, want.struck, want.misled)
		}
	}
}

// If the maximum crashes nobody else can win.
func TestMaximumCrashes(t *testing.T) {
	for _, name := range []string{"lcr", "changroberts", "peterson"} {
		const n = 6
		for half := 1; half < 2*n; half++ { // its message is home at n
			r := under(t, trial.Setting{Algorithm: name, N: n, Fault: fmt.Sprintf("at %dus crash %d", 500*half, n-1)})
			if r.Outcome != families.NoLeader || r.End != netem.Quiescent || families.ElectionOf(r).Leaders > 0 {
				t.Errorf("%s, the maximum crashes at %d/2: %v, %v", name, half, r.Outcome, r.End)
			}
		}
	}
}

// The modified ring whose winner dies after it appended itself and before
// COORDINATOR reaches it elects again: the next best wins, with 4n messages sent,
// 3 of them to the dead, or 4n-2 and 1 with memory. (If it dies at once, before the
// poll of its predecessor is over, there is a copy more.)
func TestModifiedRingWinnerDies(t *testing.T) {
	for n := 3; n <= 9; n++ {
		for winner := 1; winner < n; winner++ {
			for _, v := range []struct {
				variant      string
				sent, toDead int
			}{{"no-memory", 4 * n, 3}, {"memory", 4*n - 2, 1}} {
				r := under(t, trial.Setting{
					Algorithm: "modifiedring", Variant: v.variant, N: n, IDs: winnerAt(n, winner), Initiators: "0",
					Fault: fmt.Sprintf("at %dus crash %d", 1000*winner+1500, winner),
				})
				c := r.Counters
				if !r.Correct || families.ElectionOf(r).Leader != election.Identity(n-1) || c.Messages() != uint64(v.sent) || c.ToDead != uint64(v.toDead) || c.Delivered != uint64(v.sent-v.toDead) {
					t.Errorf("n=%d, the winner at %d, %s: %v %d (correct %v), %d sent, %d delivered, %d to the dead", n, winner, v.variant,
						r.Outcome, families.ElectionOf(r).Leader, r.Correct, c.Messages(), c.Delivered, c.ToDead)
				}
			}
		}
	}
}

// winnerAt is identities of which the largest is at the address.
func winnerAt(n, winner int) string {
	ids := make([]string, n)
	next := 1
	for p := range ids {
		if p == winner {
			ids[p] = fmt.Sprint(n)
			continue
		}
		ids[p] = fmt.Sprint(next)
		next++
	}
	return strings.Join(ids, ",")
}

// If the initiator of the modified ring dies, nobody decides without a watchdog;
// with one somebody starts again.
func TestModifiedRingInitiatorDies(t *testing.T) {
	for n := 3; n <= 8; n++ {
		for half := 3; half < 2*n; half++ { // its ELECTION has left its successor, and is not home
			s := trial.Setting{Algorithm: "modifiedring", N: n, Initiators: "0", Fault: fmt.Sprintf("at %dus crash 0", 500*half)}
			s.Variant = "no-watchdog"
			r := under(t, s)
			if r.Outcome != families.NoLeader || r.End != netem.Quiescent || families.ElectionOf(r).Decided >= 0 {
				t.Errorf("n=%d, without a watchdog, crash at %d/2: %v, %v", n, half, r.Outcome, r.End)
			}
			s.Variant = "watchdog"
			if r := under(t, s); !r.Correct || r.Verdict("E1") != protocols.Holds || r.Verdict("E2") != protocols.Holds {
				t.Errorf("n=%d, with a watchdog, crash at %d/2: %v, %v", n, half, r.Outcome, r.Checks)
			}
		}
	}
}

// If the bully's would-be coordinator dies after it answered, the others time out,
// start again, and the next best wins.
func TestBullyCoordinatorDies(t *testing.T) {
	for _, variant := range []string{"A", "B", "C"} {
		for n := 4; n <= 8; n++ {
			for at := 1001; at <= 2999; at += 333 {
				r := under(t, trial.Setting{
					Algorithm: "bully", Variant: variant, N: n, Initiators: "0", Dead: "last",
					Fault: fmt.Sprintf("at %dus crash %d", at, n-2),
				})
				if announced := variant == "C" && at >= 1000; announced {
					continue // it knew at once that nobody is above it
				}
				if !r.Correct || families.ElectionOf(r).Leader != election.Identity(n-2) || r.Verdict("E1") != protocols.Holds || r.Verdict("E2") != protocols.Holds {
					t.Errorf("%s n=%d, it dies at %dus: %v %d, correct %v, %v", variant, n, at, r.Outcome, families.ElectionOf(r).Leader, r.Correct, r.Checks)
				}
			}
		}
	}
}

// Wherever in its announcement the coordinator dies, nobody ever follows a process
// that is worse than a live one, and whoever waits for it elects the next best.
func TestBullyDiesInItsAnnouncement(t *testing.T) {
	for _, variant := range []string{"A", "B", "C"} {
		for n := 3; n <= 8; n++ {
			for k := 0; k < n-1; k++ {
				r := under(t, trial.Setting{
					Algorithm: "bully", Variant: variant, N: n, Placement: "random", Seed: uint64(k), Initiators: "random:1", Dead: "",
					Fault: fmt.Sprintf("when leader crash leader; crash %d after %d sends of COORDINATOR", k, k),
				})
				if r.Verdict("E1") != protocols.Holds || r.Verdict("E2") == protocols.Violated || r.End != netem.Quiescent {
					t.Errorf("%s n=%d k=%d: %v, %v", variant, n, k, r.Outcome, r.Checks)
				}
			}
		}
	}
}

// If messages take longer than the bully believes, or are lost, there can be two
// coordinators at once: in some runs, and never within the bound.
func TestBullySplitsItsBrain(t *testing.T) {
	split := func(s trial.Setting) (runs int) {
		for seed := range uint64(200) {
			s.Algorithm, s.N, s.Initiators, s.Dead, s.Assume, s.Seed = "bully", 6, "0", "last", "1ms", seed
			if families.ElectionOf(under(t, s)).Leaders > 1 {
				runs++
			}
		}
		return runs
	}
	if k := split(trial.Setting{Delay: "uniform(0,1ms)"}); k > 0 {
		t.Errorf("within the bound there were two leaders in %d of 200 runs", k)
	}
	for _, s := range []trial.Setting{{Delay: "uniform(0,3ms)"}, {Link: "loss 20%"}} {
		if k := split(s); k < 20 || k == 200 {
			t.Errorf("%q %q: two leaders in %d of 200 runs", s.Delay, s.Link, k)
		}
	}
}
