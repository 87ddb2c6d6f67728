package search_test

import (
	"fmt"
	"strings"
	"testing"

	"bullring/experiments/catalog"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/experiments/trial/search"
	"bullring/netem"
	"bullring/protocols"
)

func criticality(t *testing.T, s trial.Setting, strike search.Strike) *search.Criticality {
	t.Helper()
	c, err := search.FindCritical(t.Context(), catalog.New(), s, strike, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// LCR on increasing identities: the largest goes all the way round, and the others
// one link each.
func TestCriticalMessages(t *testing.T) {
	s := trial.Setting{Algorithm: "lcr", N: 4}
	for strike, want := range map[search.Strike]map[trial.Effect]int{
		// Of the seven messages, four carry the largest identity.
		search.Drop:      {families.Leaderless: 4, trial.Same: 3},
		search.Duplicate: {trial.Same: 7},
		// The others go ahead of it on the same links, which keep the order.
		search.Delay: {trial.Slower: 7},
	} {
		got := map[trial.Effect]int{}
		for _, k := range criticality(t, s, strike).Cases {
			got[k.Effect]++
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%v: effects %v, want %v", strike, got, want)
		}
	}
}

// A strike can leave the ends of a run alike and break a check on the way: then the case says which
// check. One that mends a run says so, too.
func TestChecksOfStrikes(t *testing.T) {
	for _, c := range []struct {
		setting trial.Setting
		strike  search.Strike
		want    string
	}{
		{trial.Setting{Algorithm: "lcr", N: 4}, search.Drop, "4: no leader, E2 violated; 5: no leader, E2 violated; 6: no leader, E2 violated; 7: no leader, E2 violated"},
		{trial.Setting{Algorithm: "bully", N: 6, Initiators: "0", Dead: "last"}, search.Delay, "15: same, E1 violated; 24: slower, E1 violated; 28: slower, E1 violated"},
		{trial.Setting{Algorithm: "bully", N: 4, Fault: "at 1ms partition {0 1 | 2 3} for 20ms", OutsideModel: true}, search.Drop, "1: same, E1 violated; 10: same, E1 violated"},
		{trial.Setting{Algorithm: "bully", N: 2, Fault: "at 1ms partition {0 | 1} for 20ms", OutsideModel: true}, search.Crash, "1: other leader, E1 holds; 1: other leader, E1 holds; 2: other leader, E1 holds; 2: other leader, E1 holds"},
		{trial.Setting{Algorithm: "bully", N: 4, Initiators: "0"}, search.Duplicate, ""},
	} {
		var got []string
		for _, k := range criticality(t, c.setting, c.strike).Cases {
			for _, check := range k.Checks {
				got = append(got, fmt.Sprintf("%d: %s, %s %v", k.Number, k.Effect, check.Name, check.Verdict))
			}
		}
		if text := strings.Join(got, "; "); text != c.want {
			t.Errorf("%s, %v: %s, want %s", c.setting.Algorithm, c.strike, text, c.want)
		}
	}
}

type countSent struct{ by []uint64 }

func (c countSent) Record(r netem.Record) { c.by[r.Who] += uint64(len(r.Sent)) }

// sentBy has the messages that each process sends in a run.
func sentBy(t *testing.T, s trial.Setting) []uint64 {
	in, err := catalog.New().Instance(s)
	if err != nil {
		t.Fatal(err)
	}
	c := countSent{make([]uint64, in.N)}
	new(trial.Worker).Run(t.Context(), in, func(*trial.Traced) netem.Tracer { return c })
	return c.by
}

// A crash behind each message is a crash after each number of sends of each
// process, and the faults that are named do what is told of them.
func TestCrashStrikesAreAllCrashes(t *testing.T) {
	s := trial.Setting{Algorithm: "bully", N: 5, Initiators: "0", Dead: "last"}
	c := criticality(t, s, search.Crash)
	faults := map[string]bool{}
	for _, k := range c.Cases {
		faults[k.Fault] = true
	}
	want := 0
	for p, sent := range sentBy(t, s) {
		for k := uint64(0); k <= sent && sent > 0; k++ {
			want++
			if text := fmt.Sprintf("crash %d after %d sends", p, k); !faults[text] && !faults[fmt.Sprintf("crash %d after 1 send", p)] {
				t.Errorf("there is no strike %q", text)
			}
		}
	}
	if len(faults) != want || len(c.Cases) != want {
		t.Errorf("%d strikes, %d of them different; want %d", len(c.Cases), len(faults), want)
	}
	registry := catalog.New()
	for _, k := range c.Cases {
		again := s
		again.Fault, again.OutsideModel = k.Fault, true
		in, err := registry.Instance(again)
		if err != nil {
			t.Fatal(err)
		}
		r := new(trial.Worker).Run(t.Context(), in, nil)
		if r.Fingerprint != k.Result.Fingerprint || r.Outcome != k.Result.Outcome {
			t.Errorf("%s alone is another run", k.Fault)
		}
		if _, crashed := k.Result.Metric("to_dead"); !crashed || k.From == protocols.ID(4) {
			t.Errorf("%s: the dead do not send", k.Fault)
		}
	}
}

// A strike at a message that the plan carries would do nothing, and count as harmless.
func TestCarriedMessagesAreNotStruck(t *testing.T) {
	s := trial.Setting{Algorithm: "lcr", N: 4, Fault: "never crash 1; carry 1st PROBE in 1ms", OutsideModel: true}
	_, err := search.FindCritical(t.Context(), catalog.New(), s, search.Drop, "", nil)
	if err == nil || !strings.HasPrefix(err.Error(), `fault "carry 1st PROBE in 1ms": `) {
		t.Errorf("%v", err)
	}
	s.Fault = "never crash 1"
	if c := criticality(t, s, search.Drop); c.Messages != 7 {
		t.Errorf("%d messages were struck, want 7", c.Messages)
	}
}
