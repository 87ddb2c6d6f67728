package hunt_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"bullring/experiments/campaign/hunt"
	"bullring/experiments/catalog"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/experiments/trial/search"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/lcr"
)

// impatient is LCR with a defect: a process that has not decided after an hour thinks that it
// leads. It assumes no bound on delay, so that the hour may be over before any message arrives; but
// no delay and no pause of a hunt lasts so long.
type impatient struct {
	*lcr.Process
	rank   election.Rank
	gaveUp bool
}

func (p *impatient) Start(n protocols.Node[lcr.Message]) {
	n.SetTimer(1, time.Hour)
	p.Process.Start(n)
}

func (p *impatient) Timeout(protocols.Node[lcr.Message], protocols.Timer) {
	p.gaveUp = p.Process.Decision().Status == election.Undecided
}

func (p *impatient) Decision() election.Decision {
	if p.gaveUp {
		return election.Decision{Status: election.Leader, Leader: p.rank.ID}
	}
	return p.Process.Decision()
}

// impatientHunt is a hunt of the algorithm with the defect, inside its model.
func impatientHunt(t *testing.T, schedules hunt.Schedules) *hunt.Hunt {
	t.Helper()
	registry := &trial.Registry{}
	registry.Register(families.Election(trial.Algorithm{
		Name: "impatient", Title: "LCR with a defect",
		Assumes: trial.Assumptions{Topologies: []string{"ring"}, AllInitiate: true, NoCrash: true, NoRestart: true},
	},
		func(*trial.Instance) election.Promise { return election.Promise{} },
		func(in *trial.Instance) func(protocols.ID) election.Process[lcr.Message] {
			return func(p protocols.ID) election.Process[lcr.Message] {
				rank := in.Ranks.At(p)
				return &impatient{lcr.New(rank, lcr.Config{Announce: true, Order: in.Order}), rank, false}
			}
		}))
	a, err := registry.Find("impatient")
	if err != nil {
		t.Fatal(err)
	}
	return &hunt.Hunt{Registry: registry, Algorithm: a, Seed: 1, Settings: 1000, Schedules: schedules}
}

// Without schedules a thousand settings do not show the defect. With them a few dozen do, the run
// is shrunk to the steps that it needs, and the reason is that the timer came first.
func TestSchedulesFindWhatNoDelayShows(t *testing.T) {
	if r := impatientHunt(t, hunt.NoSchedules).Run(t.Context()); len(r.Found) > 0 || r.Walks > 0 || r.Runs < 100 {
		t.Fatalf("%d runs without schedules, %d with one, found %+v", r.Runs, r.Walks, r.Found)
	}
	h := impatientHunt(t, hunt.SomeSchedules)
	h.Failures = 1
	r := h.Run(t.Context())
	if len(r.Found) != 1 || r.Walks == 0 || r.Walks == r.Runs || r.Drawn > 200 {
		t.Fatalf("%d settings, %d runs, %d with a schedule, found %+v", r.Drawn, r.Runs, r.Walks, r.Found)
	}
	f := r.Found[0]
	lines := f.Shrunk.Setting.Schedule.Lines()
	if f.Failure != "E1" || !f.Inside || f.Setting.Schedule == "" || len(lines) > 7 || !slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, "timeout") }) {
		t.Errorf("%s, inside %v: %q", f.Failure, f.Inside, lines)
	}
	if !slices.Contains(f.Needs, "an order of steps") || f.Explanation == nil || len(f.Explanation.Reasons) == 0 || !strings.HasPrefix(f.Kind[0], "step ") {
		t.Errorf("%q; it needs %q; it is saved by %+v, of kind %q", lines, f.Needs, f.Explanation, f.Kind)
	}
	again, err := h.Registry.Instance(f.Shrunk.Setting)
	if err != nil || !f.Failure.Shows(new(trial.Worker).Run(t.Context(), again, nil)) {
		t.Errorf("the smallest run does not show it: %v", err)
	}
	// The next hunt begins with this case, and finds the same failure.
	c := search.NewCase(f.Shrunk.Result, f.Failure, "note")
	next := impatientHunt(t, hunt.NoSchedules)
	next.Settings, next.Start = 1, []trial.Setting{c.Setting}
	if r := next.Run(t.Context()); len(r.Found) != 1 || r.Found[0].First != 1 || !reflect.DeepEqual(r.Found[0].Kind, f.Kind) {
		t.Errorf("the case finds %+v; want the kind %q", r.Found, f.Kind)
	}
}

// With schedules only, each run follows one, none is outside of the model, and nothing is found.
func TestOnlySchedules(t *testing.T) {
	for _, name := range []string{"lcr", "bully", "centralized"} {
		h := of(t, name, 60)
		h.Schedules = hunt.OnlySchedules
		r := h.Run(t.Context())
		if r.Walks != r.Runs || r.Runs < 10 || len(r.Found) > 0 {
			t.Errorf("%s: %d runs, %d with a schedule, found %+v", name, r.Runs, r.Walks, r.Found)
		}
	}
	h := of(t, "bully", 60)
	h.Schedules, h.Classes = hunt.OnlySchedules, []string{"crashes"}
	if drawn := hunt.Often(h.Run(t.Context()).Coverage.Faults); !slices.Equal(drawn, []string{"crash"}) {
		t.Errorf("of crashes, the faults %q are drawn", drawn)
	}
}

// What flags set may rule schedules out.
func TestWalkable(t *testing.T) {
	for want, fix := range map[string]func(*trial.Setting){
		"":                                    func(s *trial.Setting) { s.Delay, s.N = "exp(1ms)", 5 },
		"links with impairments":              func(s *trial.Setting) { s.Link = "loss 5%" },
		"plan of faults":                      func(s *trial.Setting) { s.Fault = "crash 0" },
		"reliable link":                       func(s *trial.Setting) { s.Transport = "reliable(5ms,0)" },
		"detector that sends":                 func(s *trial.Setting) { s.Detector = "heartbeat(1ms,5ms)" },
		"9 processes are too many":            func(s *trial.Setting) { s.N = 9 },
		"ends when its steps do":              func(s *trial.Setting) { s.MaxTime = "1s" },
		"no schedules are drawn for programs": func(s *trial.Setting) { s.Node = "python3 x.py" },
	} {
		h := of(t, "bully", 200)
		h.Fix, h.OutsideModel = fix, true
		err := h.Walkable()
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
		if want == "plan of faults" {
			if r := h.Run(t.Context()); r.Walks > 0 || r.Runs == 0 {
				t.Errorf("%d of %d runs with a plan follow a schedule", r.Walks, r.Runs)
			}
		}
	}
	if len(hunt.ScheduleChoices) != int(hunt.OnlySchedules)+1 || catalog.New() == nil {
		t.Error("a choice has no name")
	}
}
