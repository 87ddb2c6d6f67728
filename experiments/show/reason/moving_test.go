package reason_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"bullring/experiments/catalog"
	"bullring/experiments/show/reason"
	"bullring/experiments/trial"
)

// A link that goes down is a fault that could have been left out. The messages that it takes are lost
// with it: each could have arrived, unless the algorithm is for links that come and go.
func TestDownIsAFault(t *testing.T) {
	s := trial.Setting{Algorithm: "echo", N: 4, Topology: "biring", Fault: "at 500us down 0<->1; at 9ms up 0<->1"}
	e := explained(t, s)
	if want := []string{`the fault "at 500µs down 0<->1" never begins`}; e.Violation == nil || len(e.Reasons) == 0 || !slices.Equal(e.Reasons[0].Texts(), want) {
		t.Fatalf("%v: %d reasons, want %q first", e.Violation, len(e.Reasons), want)
	}
	checkReasons(t, e)
	if again := e.Reasons[0].Again; again == nil || !strings.HasPrefix(again.Plan.String(), "never at 500µs down 0<->1; ") {
		t.Errorf("the best reason has no plan: %v", again)
	}
	var lost []string
	for _, one := range e.Abnormal {
		if one.Class == reason.Cut {
			lost = append(lost, one.Happened())
		}
	}
	const first = "TOKEN(1) from 0 to 1, sent at 0s, was lost with the link 0-1, which went down at 500µs"
	if !slices.Contains(lost, first) || len(lost) != 5 {
		t.Errorf("%d messages were lost, want 5, one of them %s:\n%s", len(lost), first, strings.Join(lost, "\n"))
	}

	moving := catalog.New()
	a, err := moving.Find("echo")
	if err != nil {
		t.Fatal(err)
	}
	a.Assumes.Moving = true
	s.OutsideModel = true
	in, err := moving.Instance(s)
	if err != nil {
		t.Fatal(err)
	}
	allowed := reason.Explain(t.Context(), moving, in)
	var classes []string
	for _, one := range allowed.Abnormal {
		classes = append(classes, fmt.Sprintf("%v %s", one.Class, one.Name))
	}
	if want := []string{"fault at 500µs down 0<->1", "fault at 9ms up 0<->1"}; !slices.Equal(classes, want) {
		t.Errorf("of an algorithm for links that come and go, abnormal are %q, want %q", classes, want)
	}
}

// A message that was lost with its link arrives if it is carried.
func TestRepairsOverALinkThatIsDown(t *testing.T) {
	found := repairs(t, trial.Setting{Algorithm: "changroberts", N: 4, Topology: "ring", Fault: "at 500us down 3->0 for 1ms"})
	if len(found.Cases) != 1 || found.Cases[0].Changes[0].Class != reason.Cut || found.Cases[0].Effect != reason.Holds || found.Cases[0].Again == nil {
		t.Fatalf("%v: the repairs are %+v, want one that saves the run", found.Violation, found.Cases)
	}
}
