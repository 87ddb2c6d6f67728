package families_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"bullring/des"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/election"
)

// nothing is a message that nobody sends.
type nothing struct{}

func (nothing) Kind() int       { return 0 }
func (nothing) Kinds() []string { return []string{"NOTHING"} }
func (nothing) Bits() int       { return 0 }

// oracle knows the leader from the beginning. If it fails, it panics when it is started.
type oracle struct {
	protocols.NoTimers[nothing]
	self, leader election.Identity
	fails        bool
	decision     election.Decision
}

func (o *oracle) Boot(protocols.Node[nothing]) { o.decision = election.Decide(o.self, o.leader) }

func (o *oracle) Start(protocols.Node[nothing]) {
	if o.fails {
		panic("it fails")
	}
}

func (o *oracle) Receive(protocols.Node[nothing], protocols.ID, nothing) {}

func (o *oracle) Decision() election.Decision { return o.decision }

func registry(fails bool) *trial.Registry {
	r := &trial.Registry{}
	r.Register(families.Election(trial.Algorithm{
		Name: "oracle", Assumes: trial.Assumptions{Topologies: []string{"complete"}}, Metrics: families.Terms,
	}, func(*trial.Instance) election.Promise { return election.Promise{} },
		func(in *trial.Instance) func(protocols.ID) election.Process[nothing] {
			return func(p protocols.ID) election.Process[nothing] {
				return &oracle{self: in.Ranks.At(p).ID, leader: in.Ranks.At(protocols.ID(in.N - 1)).ID, fails: fails}
			}
		}))
	return r
}

func run(t *testing.T, r *trial.Registry, s trial.Setting) *trial.Result {
	t.Helper()
	in, err := r.Instance(s)
	if err != nil {
		t.Fatal(err)
	}
	return new(trial.Worker).Run(context.Background(), in, nil)
}

// A leader that comes back, and leads at once as before, is noticed: it is another process.
func TestTheLeaderComesBack(t *testing.T) {
	r := run(t, registry(false), trial.Setting{Algorithm: "oracle", N: 3, Fault: "at 1ms crash 2; at 3ms restart 2"})
	e := families.ElectionOf(r)
	back := des.Time(3 * time.Millisecond)
	if id, ok := r.Leader(); r.Outcome != families.Elected || !r.Correct || !ok || id != 3 || e.Leader != 3 || !e.Followed || e.Leaders != 1 {
		t.Errorf("%v, leader %v %v: %+v", r.Outcome, id, ok, e)
	}
	if e.Elected != back || e.Decided != back || r.Time != back || len(e.Decisions) != 3 {
		t.Errorf("elected at %v, decided at %v, rest at %v, want %v: %+v", e.Elected, e.Decided, r.Time, back, e)
	}
	for name, want := range map[string]float64{"elected_time": 3, "leaderless": 2, "leaders": 1, "split_brain": 0} {
		if v, ok := r.Metric(name); !ok || v != want {
			t.Errorf("%s is %v %v, want %v", name, v, ok, want)
		}
	}
	if v, ok := r.Metric("term"); ok {
		t.Errorf("leaders have no number, and term is %v", v)
	}
}

// In a run that nobody judged there was no leader, and metrics that are Zero are 0.
func TestNobodyJudgedIt(t *testing.T) {
	r := run(t, registry(true), trial.Setting{Algorithm: "oracle", N: 2})
	if _, led := r.Leader(); r.End != netem.Panicked || r.Judge != nil || led || r.Correct {
		t.Fatalf("%v: %+v", r.End, r)
	}
	if e := families.ElectionOf(r); e.Elected != -1 || e.Decided != -1 || e.Leaders != 0 || e.Followed {
		t.Errorf("%+v", e)
	}
	for name, want := range map[string]bool{"leaders": true, "split_brain": true, "elected_time": false, "term": false} {
		if v, ok := r.Metric(name); v != 0 || ok != want {
			t.Errorf("%s is %v %v", name, v, ok)
		}
	}
}

// The effects of a family stand between those of every family, in its order.
func TestEffects(t *testing.T) {
	want := []trial.Effect{
		trial.Same, trial.Slower, families.OtherLeader, families.Split, families.Leaderless, families.TwoLeaders,
		trial.OtherOutcome, trial.Endless, trial.Breaks,
	}
	if got := registry(false).Effects(); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
