package reason_test

import (
	"strings"
	"testing"

	"bullring/experiments/show/history"
	"bullring/experiments/trial"
	"bullring/protocols"
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

// The steps of a run with clocks say what these showed. In the saved run clocks stand still from
// the first changed step on. With that alone, the violation is still there.
func TestClocksStandStill(t *testing.T) {
	s := scheduled(t, trial.Setting{
		Algorithm: "bully", Variant: "C", N: 3, Initiators: "0", Delay: "3ms", Link: "2->1: delay 4ms", Detector: "heartbeat(1ms,2ms)", Seed: 1, MaxTime: "6ms",
	})
	e := explained(t, s)
	if e.Violation == nil || len(e.Reasons) == 0 {
		t.Fatalf("%+v: %d reasons, %q", e.Violation, len(e.Reasons), e.Unable)
	}
	checkReasons(t, e)
	if got, want := e.Reasons[0].Texts()[0], "step 22, deliver 0->1 ELECTION(1), comes after step 27, deliver 2->1 HEARTBEAT #1"; got != want {
		t.Errorf("the best reason is %q, want %q", got, want)
	}
	for _, r := range e.Reasons {
		still := r.Changes[0].Still()
		lines := strings.Split(string(r.Saved.Setting.Schedule), "\n")
		if still == 0 || strings.Contains(strings.Join(lines[still:], "\n"), "reads") {
			t.Errorf("%v: clocks stand still from step %d on, and the steps are\n%s", r.Texts(), still, r.Saved.Setting.Schedule)
		}
		if alone := withoutReadings(t, s, still); alone != protocols.Violated {
			t.Errorf("%v: with clocks that stand still from step %d on, the check is %v", r.Texts(), still, alone)
		}
	}
}

// withoutReadings is what becomes of E1 if clocks stand still from a step of a schedule on.
func withoutReadings(t *testing.T, s trial.Setting, step int) protocols.Verdict {
	t.Helper()
	lines := strings.Split(string(s.Schedule), "\n")
	for i := step; i < len(lines); i++ {
		lines[i], _, _ = strings.Cut(lines[i], ", reads ") // nothing follows a reading here
	}
	if lines[len(lines)-1] != trial.GoOn {
		lines = append(lines, trial.GoOn)
	}
	s.Schedule = trial.Schedule(strings.Join(lines, "\n"))
	in, err := registry.Instance(s)
	if err != nil {
		t.Fatal(err)
	}
	return new(trial.Worker).Run(t.Context(), in, nil).Verdict("E1")
}

// Where nothing can be changed, and where nothing is wrong, there are no reasons.
func TestNoReasons(t *testing.T) {
	for _, c := range []struct {
		setting trial.Setting
		says    string
	}{
		{trial.Setting{Algorithm: "lcr", N: 4}, ""},
		{trial.Setting{Algorithm: "lcr", N: 5, Link: "slot 1ms loss 30%", Seed: 2}, `no change was tried: link "loss 30% slot 1ms": a message that waits for a slot`},
	} {
		e := explained(t, c.setting)
		if len(e.Reasons) > 0 || (e.Violation == nil) != (c.says == "") || !strings.HasPrefix(e.Unable, c.says) {
			t.Errorf("%+v: %d reasons, %q", c.setting, len(e.Reasons), e.Unable)
		}
	}
}
