package reason_test

import (
	"slices"
	"testing"

	"bullring/experiments/show/reason"
	"bullring/experiments/trial"
)

// A process crashes and comes back twice, and loses its decision each time. Neither crash alone is the
// reason, since the other one breaks the check as well, later.
func TestBreaksTwice(t *testing.T) {
	first, second := "at 3.7ms crash 1 for 2ms", "at 10.6ms crash 1 for 6.8ms"
	why := explained(t, trial.Setting{
		Algorithm: "chandratoueg", N: 5, Delay: "exp(1ms)", Link: "loss 10%", Assume: "2ms", Seed: 34, MaxTime: "500ms",
		Fault: "at 1.2ms crash 4 after 0 sends of ACK for 2.6ms; " + first + "; " + second, OutsideModel: true,
	})
	want := []string{`the fault "` + first + `" never begins`, `the fault "` + second + `" never begins`}
	if len(why.Reasons) == 0 || !slices.Equal(why.Reasons[0].Texts(), want) || why.Reasons[0].Effect.String() != "holds" {
		t.Fatalf("%v: %v, want %q first; %s", why.Violation, textsOf(why), want, why.Unable)
	}
	checkReasons(t, why)
}

// textsOf are the changes of each reason.
func textsOf(e *reason.Explanation) (all [][]string) {
	for _, r := range e.Reasons {
		all = append(all, r.Texts())
	}
	return all
}
