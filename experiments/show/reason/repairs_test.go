package reason_test

import (
	"fmt"
	"slices"
	"testing"

	"bullring/experiments/show/reason"
	"bullring/experiments/trial"
)

func repairs(t *testing.T, s trial.Setting) *reason.Repairs {
	t.Helper()
	s.OutsideModel, s.MaxEvents = true, 200_000
	in, err := registry.Instance(s)
	if err != nil {
		t.Fatal(err)
	}
	done := 0
	found, err := reason.FindRepairs(t.Context(), registry, in, func(k, all int) { done = all - k })
	if err != nil || done != 0 {
		t.Fatal(err, done)
	}
	return found
}

// Each abnormal message is repaired, and the effects are those that the reasons have.
func TestRepairs(t *testing.T) {
	s := late
	s.Seed = 2
	var got []string
	for _, r := range repairs(t, s).Cases {
		got = append(got, fmt.Sprintf("%d %s %s: %v", r.Number, r.Changes[0].Content, r.Changes[0].Class, r.Effect))
	}
	want := []string{
		"3 ELECTION(1) late: holds", "5 ELECTION(2) late: same", "6 ELECTION(2) late: same", "7 ELECTION(2) late: same", "9 ELECTION(3) late: same", "11 ANSWER(3) late: other",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the repairs are %q, want %q", got, want)
	}
	if whole := repairs(t, trial.Setting{Algorithm: "lcr", N: 4}); whole.Violation != nil || len(whole.Cases) > 0 {
		t.Errorf("of a run in which nothing is wrong, %d messages are repaired", len(whole.Cases))
	}
	compared := map[reason.Class]int{}
	for _, s := range []trial.Setting{
		late,
		{Algorithm: "ringlist", N: 8, Link: "loss 20%"},
		{Algorithm: "ricartagrawala", N: 4, Link: "duplicate 20%", Param: "requests=3,think=1ms"},
		{Algorithm: "chandylamport", N: 5, Delay: "uniform(0,5ms)", Unordered: true},
		{Algorithm: "lcr", N: 5, Fault: "drop 5th message"},
	} {
		for s.Seed = range uint64(12) {
			compareRepairs(t, s, compared)
		}
	}
	for _, class := range []reason.Class{reason.Late, reason.Lost, reason.Cut, reason.Twice, reason.Overtaken} {
		if compared[class] == 0 {
			t.Errorf("no message was %v and is a reason: %v", class, compared)
		}
	}
}

// compareRepairs compares the repairs of a run with its reasons of one message, and runs their plans.
func compareRepairs(t *testing.T, s trial.Setting, compared map[reason.Class]int) {
	t.Helper()
	found, e := repairs(t, s), explained(t, s)
	var worker trial.Worker
	for _, r := range found.Cases {
		want := reason.Same
		for _, one := range e.Reasons {
			if c := one.Changes[0]; len(one.Changes) == 1 && c.Class != reason.Fault && c.Key == r.Changes[0].Key {
				want = one.Effect
				compared[c.Class]++
			}
		}
		if r.Effect.Gone() != want.Gone() || want.Gone() && r.Effect != want {
			t.Errorf("%s, seed %d: %v has the effect %v, and as a reason %v", s.Algorithm, s.Seed, r.Texts(), r.Effect, want)
		}
		if r.Again == nil {
			continue
		}
		verdict := worker.Run(t.Context(), r.Again, nil).Verdict(found.Violation.Check)
		if saved := worker.Run(t.Context(), r.Saved, nil).Verdict(found.Violation.Check); verdict != saved {
			t.Errorf("%s, seed %d: %v: with the plan %q the check is %v, and %v in the saved run", s.Algorithm, s.Seed, r.Texts(), r.Again.Plan, verdict, saved)
		}
	}
}
