package mutex_test

import (
	"fmt"
	"testing"

	"bullring/des"
	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/protocols"
)

func TestMajorityBounds(t *testing.T) {
	c := newChecker(t)
	everyClient(t, c, "majority", "", 5)
	c.Needs("exact", "delay")
}

// The crash of a process that is inside, or waits with votes, can stop all others. That is
// outside what is promised: ME1 holds, and ME2 is undecided.
func TestMajorityHolderOfVotesCrashes(t *testing.T) {
	for _, fault := range []string{"at 2.5ms crash 0", "at 1.5ms crash 0"} { // inside, and with votes on their way
		in, err := registry.Instance(trial.Setting{Algorithm: "majority", N: 5, Initiators: "0,1,2", Param: "cs=2ms,requests=2", Fault: fault})
		if err != nil {
			t.Fatal(err)
		}
		r := new(trial.Worker).Run(t.Context(), in, nil)
		if r.Outcome != families.Deadlock {
			t.Errorf("%s: %v", fault, r.Outcome)
		}
		if me1, me2 := r.Verdict("ME1"), r.Verdict("ME2"); me1 != protocols.Holds || me2 != protocols.Undecided || len(r.Instance.Outside) > 0 {
			t.Errorf("%s: ME1 %v, ME2 %v, outside %q", fault, me1, me2, r.Instance.Outside)
		}
	}
	majority, err := registry.Find("majority")
	if err != nil {
		t.Fatal(err)
	}
	if want := "crash-stop that spares a majority and those that wait or are inside"; majority.Assumes.Tolerance() != want {
		t.Errorf("it tolerates %q, not %q", majority.Assumes.Tolerance(), want)
	}
}

// A minority that wants nothing may crash at any time, in the middle of a step, too:
// everybody else gets in.
func TestMajorityWhateverMinorityCrashes(t *testing.T) {
	c := newChecker(t)
	for k := range uint64(2000) {
		draw := des.NewStream(k, "minority")
		n := 3 + draw.Intn(7)
		dead := 1 + draw.Intn((n-1)/2)
		s := trial.Setting{Algorithm: "majority", N: n, Delay: "exp(1ms)", Seed: k, Param: "cs=1ms,requests=3"}
		for p := range dead {
			if p > 0 {
				s.Fault += "; "
			}
			if draw.Intn(2) == 0 {
				s.Fault += fmt.Sprintf("at %dus crash %d", draw.Intn(30_000), p)
			} else {
				s.Fault += fmt.Sprintf("crash %d after %d sends", p, draw.Intn(20))
			}
		}
		clients := 0
		for p := dead; p < n; p++ {
			clients |= 1 << p
		}
		s.Initiators = catalogtest.Addresses(clients, n)
		served(t, c, s)
	}
}
