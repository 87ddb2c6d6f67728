package reason

import (
	"slices"
	"strings"
	"testing"
	"time"

	"bullring/experiments/catalog"
	"bullring/experiments/show/history"
	"bullring/experiments/trial"
)

// resultOf is the result of a setting, outside the model or not.
func resultOf(t *testing.T, registry *trial.Registry, s trial.Setting) *trial.Result {
	t.Helper()
	s.OutsideModel = true
	in, err := registry.Instance(s)
	if err != nil {
		t.Fatal(err)
	}
	return new(trial.Worker).Run(t.Context(), in, nil)
}

// A brief search finds what a full one does, and is not begun for a long run or for programs.
func TestBrief(t *testing.T) {
	registry := catalog.New()
	short := resultOf(t, registry, trial.Setting{Algorithm: "changroberts", N: 8, Link: "loss 20%", Seed: 3})
	brief, full := Brief.ExplainResult(t.Context(), registry, short), Explain(t.Context(), registry, short.Instance)
	if len(brief.Reasons) == 0 || brief.Spent || len(brief.Reasons) != len(full.Reasons) || brief.Reasons[0].Texts()[0] != full.Reasons[0].Texts()[0] || brief.Runs != full.Runs {
		t.Errorf("a brief search finds %d reasons in %d runs, a full one %d in %d", len(brief.Reasons), brief.Runs, len(full.Reasons), full.Runs)
	}
	long := *short
	long.Counters.Events = 20_001
	e := Brief.ExplainResult(t.Context(), registry, &long)
	if want := "the run has 20,001 events, and a search repeats them many times"; e.Unable != want || e.Violation.Check != full.Violation.Check || e.Real != nil || e.Runs != 0 {
		t.Errorf("%+v, want %q", e, want)
	}
	long.Counters.Events = 20_000
	if refused := Brief.refuses(&long); refused != "" {
		t.Errorf("a run of 20,000 events is refused: %s", refused)
	}
	program := *short.Instance
	program.Setting.Node = "some program"
	long.Instance = &program
	if e := Brief.ExplainResult(t.Context(), registry, &long); !strings.HasPrefix(e.Unable, "the processes are programs") {
		t.Errorf("programs: %q", e.Unable)
	}
	if refused := Full.refuses(&long); refused != "" {
		t.Errorf("a full search of programs is refused: %s", refused)
	}
}

// A search that has used its runs says so. One among the runs of programs ends by time, too, and
// then measures few of the sets that it has found.
func TestSpent(t *testing.T) {
	registry := catalog.New()
	r := resultOf(t, registry, trial.Setting{Algorithm: "ghs", N: 8, Link: "loss 5%", Seed: 2})
	few := Full
	few.runs = 3
	if e := few.Explain(t.Context(), registry, r.Instance); !e.Spent || e.Runs > 2*few.runs {
		t.Errorf("%d runs, spent %v", e.Runs, e.Spent)
	}
	program := *r.Instance
	program.Setting.Node = "some program"
	replays := newReplays(t.Context(), r.Instance)
	replays.in = &program
	quick := Effort{programs: 200, time: time.Nanosecond}
	defer quick.bound(replays)()
	<-replays.time.Done()
	if replays.most != 200 || !replays.spent() || replays.ctx.Err() != nil {
		t.Errorf("of %d runs none is left: %v", replays.most, replays.spent())
	}
	sets := make([]set, mostMeasured)
	for i := range sets {
		sets[i].changes = []Change{{Element: &Element{Class: Coin}}}
	}
	replays.in = r.Instance
	if got := (&search{replays: replays}).ranked(sets); len(got) != mostShown {
		t.Errorf("%d sets are measured, want %d", len(got), mostShown)
	}
}

// The check that a command is about is explained, although another one breaks before it.
func TestOfACheck(t *testing.T) {
	registry := catalog.New()
	r := resultOf(t, registry, trial.Setting{Algorithm: "lelann", N: 5, Link: "reorder 20% delay 2ms 1ms", Delay: "exp(1ms)", Seed: 2})
	for _, c := range []struct{ asked, explained string }{
		{"", "E1 is violated: process 3 elected 4 while the better 5 was alive, at 6.78709ms"},
		{"E1", "E1 is violated: process 3 elected 4 while the better 5 was alive, at 6.78709ms"},
		{"E2", "E2 is violated: 2 leaders"},
		{"several leaders", "E1 is violated: process 3 elected 4 while the better 5 was alive, at 6.78709ms"},
	} {
		e := Brief.Of(c.asked).ExplainResult(t.Context(), registry, r)
		if got := e.Violation.String(); got != c.explained || len(e.Reasons) == 0 {
			t.Errorf("asked for %q, %q is explained with %d reasons, want %q", c.asked, got, len(e.Reasons), c.explained)
		}
	}
	snapshot := resultOf(t, registry, trial.Setting{Algorithm: "chandylamport", N: 5, Link: "reorder 20% delay 2ms 1ms", Fault: "pause 1 for 5ms", Delay: "exp(1ms)", Seed: 2})
	e := Brief.Of("conserved").ExplainResult(t.Context(), registry, snapshot)
	if v := e.Violation; v.Check != "conserved" || v.Event == 0 || e.Real.Events[v.Event-1].At != v.At || !slices.Contains(e.Real.Events[v.Event-1].Broken, "conserved") {
		t.Errorf("%+v is not the step that broke the check", v)
	}
}

// A timeout with which a schedule breaks a check came while messages were under way, alone or with
// those that follow. One that came when none was is no reason.
func TestAwaited(t *testing.T) {
	registry := catalog.New()
	alone, all := "step 2, timeout 0 timer 0, came while messages were under way", "from step 2, timeout 0 timer 0, on, timers expired while messages were under way"
	seen := strings.ReplaceAll("start 0|timeout 0 timer 0|deliver 0->1 ELECTION(1)|deliver 0->2 ELECTION(1)|timeout 0 timer 0|timeout 1 timer 0|timeout 2 timer 0|"+
		"deliver 1->0 ANSWER(2)|timeout 1 timer 0|deliver 1->2 ELECTION(2)|deliver 2->0 ANSWER(3)|deliver 2->1 COORDINATOR(3)|timeout 2 timer 0|"+
		"deliver 2->0 COORDINATOR(3)|timeout 1 timer 0|deliver 1->0 COORDINATOR(2)|deliver 2->1 ANSWER(3)|timeout 0 timer 0|deliver 2->1 COORDINATOR(3)|"+
		"deliver 2->0 COORDINATOR(3)|timeout 1 timer 0|timeout 0 timer 0", "|", "\n") // by a live run, with links that are a hundred times too slow
	for _, c := range []struct{ name, schedule, because string }{
		{"the last step", "timers free\nstart 0\ntimeout 0 timer 0", alone},
		{"others follow", "timers free\nstart 0\ntimeout 0 timer 0\ndeliver 0->1 ELECTION(1)\ntimeout 1 timer 0\ngo on", alone},
		{"as did others", "timers free\n" + seen, all},
		{"a fault follows", "timers free\nstart 0\ntimeout 0 timer 0\ndeliver 0->1 ELECTION(1)\ntimeout 1 timer 0\nduplicate 0->2 ELECTION(1)\ngo on", alone},
		{"nothing is under way", "timers free\nstart 0\nlose 0->1 ELECTION(1)\nlose 0->2 ELECTION(1)\ntimeout 0 timer 0", ""},
	} {
		s := trial.Setting{Algorithm: "bully", N: 3, Initiators: "0", Schedule: trial.Schedule(c.schedule)}
		e := Explain(t.Context(), registry, resultOf(t, registry, s).Instance)
		i := slices.IndexFunc(e.Reasons, func(r *Reason) bool { return r.Changes[0].Happened() == c.because })
		if (i < 0) != (c.because == "") || i > 0 && e.Reasons[0].Effect == Holds {
			t.Errorf("%s: %v, reason %d of %d", c.name, e.Violation, i+1, len(e.Reasons))
		}
		if i < 0 {
			continue
		}
		best := e.Reasons[i]
		again := new(trial.Worker).Run(t.Context(), best.Saved, nil)
		if found := compare(e.Real.Result, again, e.Violation); found.Effect != best.Effect {
			t.Errorf("%s: the saved run has the effect %v, and not %v", c.name, found.Effect, best.Effect)
		}
		saved := history.Of(t.Context(), best.Saved)
		for i := range saved.Events {
			if e := &saved.Events[i]; e.What == "timeout" && (e.Who == 0 || c.because == all) && underWay(saved, e.Step) {
				t.Errorf("%s: in the saved run %s comes while messages are under way", c.name, e.Text(""))
			}
		}
	}
}
