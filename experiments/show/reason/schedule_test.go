package reason_test

import (
	"strings"
	"testing"

	"bullring/experiments/show/history"
	"bullring/experiments/trial"
)

// scheduled is a setting that follows the schedule of a run.
func scheduled(t *testing.T, s trial.Setting) trial.Setting {
	t.Helper()
	s.OutsideModel = true
	in, err := registry.Instance(s)
	if err != nil {
		t.Fatal(err)
	}
	s.Schedule = history.Of(t.Context(), in).Schedule()
	s.Fault, s.Link, s.Delay = "", "", ""
	return s
}

// Runs that follow a schedule have reasons too: a step that came too early or too late, or a fault
// among the steps. Each saved run does what the reason says.
func TestSchedules(t *testing.T) {
	for _, c := range []struct {
		name    string
		setting trial.Setting
		change  string // of the best reason
	}{
		{"late", late, "timeout 1 timer 0, comes when no message is under way"},
		{"lost", trial.Setting{Algorithm: "changroberts", N: 5, Link: "loss 20%"}, " is left out"},
		{"crashed", trial.Setting{Algorithm: "lcr", N: 4, Fault: "crash 3 after 1 send"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := c.setting
			s.Seed = 2
			e := explained(t, scheduled(t, s))
			if e.Violation == nil || len(e.Reasons) == 0 || e.Steps == 0 {
				t.Fatalf("%v: %d reasons, %s", e.Violation, len(e.Reasons), e.Unable)
			}
			if got := e.Reasons[0].Texts(); len(got) != 1 || !strings.Contains(got[0], c.change) {
				t.Errorf("the best reason is %q", got)
			}
			checkReasons(t, e)
		})
	}
}

// The steps of a run with clocks say what these showed. Such a run is not changed, and its past
// ends at the violation.
func TestClocksAreNotMoved(t *testing.T) {
	s := trial.Setting{Algorithm: "bully", Variant: "C", N: 3, Initiators: "0", Delay: "3ms", Link: "2->1: delay 4ms", Detector: "heartbeat(1ms,2ms)", Seed: 1}
	e := explained(t, scheduled(t, s))
	if e.Violation == nil || len(e.Reasons) > 0 || !strings.Contains(e.Unable, "clocks") {
		t.Fatalf("%+v: %d reasons, %q", e.Violation, len(e.Reasons), e.Unable)
	}
	checkReasons(t, e)
}

// Where nothing can be changed, and where nothing is wrong, there are no reasons.
func TestNoReasons(t *testing.T) {
	for _, c := range []struct {
		setting trial.Setting
		says    string
	}{
		{trial.Setting{Algorithm: "lcr", N: 4}, ""},
		{trial.Setting{Algorithm: "lcr", N: 5, Link: "slot 1ms loss 30%", Seed: 2}, `link "loss 30% slot 1ms": a message that waits for a slot`},
	} {
		e := explained(t, c.setting)
		if len(e.Reasons) > 0 || (e.Violation == nil) != (c.says == "") || !strings.HasPrefix(e.Unable, c.says) {
			t.Errorf("%+v: %d reasons, %q", c.setting, len(e.Reasons), e.Unable)
		}
	}
}
