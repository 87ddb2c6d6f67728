package reason_test

import (
	"slices"
	"testing"

	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
	"bullring/netem/explore"
)

// The smallest run of an explorer in which a Byzantine general does harm is saved if that one follows
// the algorithm.
func TestHonest(t *testing.T) {
	e, err := search.Explore(t.Context(), registry, search.Search{
		Setting: trial.Setting{Algorithm: "om", N: 3, F: "1", Inputs: "1,0,0"}, Liars: 1,
		Options: explore.Options{Reduce: true},
	})
	if err != nil || e.Counterexample == nil {
		t.Fatalf("%v, %+v", err, e)
	}
	s := e.Scheduled(e.Counterexample)
	s.OutsideModel = true
	why := explained(t, s)
	if want := []string{`the fault "` + s.Fault + `" never happens`}; len(why.Reasons) == 0 || !slices.Equal(why.Reasons[0].Texts(), want) {
		t.Fatalf("%v: %d reasons, want %q first", why.Violation, len(why.Reasons), want)
	}
	checkReasons(t, why)
}
