package trial_test

import (
	"testing"

	"bullring/experiments/trial"
	"bullring/netem/explore"
	"bullring/protocols"
)

// asked is a message of two kinds: questions and answers.
type asked int

func (a asked) Kind() int     { return int(a) }
func (asked) Kinds() []string { return []string{"ASK", "ANSWER"} }
func (asked) Bits() int       { return 8 }
func (asked) String() string  { return "asked" }

// oracle asks all others, and answers all who ask it, unless it is mute.
type oracle struct{ mute bool }

func (*oracle) Start(n protocols.Node[asked]) {
	for port := range n.Degree() {
		n.Send(n.Neighbor(port), 0)
	}
}

func (o *oracle) Receive(n protocols.Node[asked], from protocols.ID, m asked) {
	if m == 0 && !(o.mute && n.ID() == 1) {
		n.Send(from, 1)
	}
}

func (*oracle) Timeout(protocols.Node[asked], protocols.Timer) {}

// noRules judge nothing.
type noRules struct{}

func (noRules) State(any) bool                            { return true }
func (noRules) Broken(trial.Seen[bool]) map[string]string { return nil }
func (noRules) Outcome(trial.Seen[bool]) trial.Outcome    { return "asked" }

// A bound can be another measure of the same run: there are as many answers as questions.
func TestBoundOfAnotherMeasure(t *testing.T) {
	registry := &trial.Registry{}
	registry.Register(trial.Ruled(trial.Algorithm{
		Name: "oracle", Variants: [][]string{{"plain", "mute"}}, Assumes: trial.Assumptions{Topologies: []string{"complete"}},
		Bounds: []trial.Bound{
			{Name: "answers", Metric: "sent_ANSWER", Relation: trial.Exactly, Formula: "as many as questions", Convention: "no faults", Of: trial.Measured("sent_ASK")},
			{Name: "all", Metric: "messages", Relation: trial.Exactly, Formula: "2n(n-1)", Convention: "no faults",
				Value: func(in *trial.Instance) (float64, bool) {
					return float64(2 * in.N * (in.N - 1)), in.Variant.Has("plain")
				}},
			{Name: "none", Metric: "messages", Relation: trial.AtMost, Formula: "no such kind", Convention: "none", Of: trial.Measured("sent_NOTHING")},
		},
	}, trial.Family{Name: "oracle", Right: []trial.Outcome{"asked"}, Wrong: []trial.Outcome{"wrong", "silent"},
		Checks: []explore.Property{{Name: "truth", Kind: explore.Always, Says: "nothing"}}},
		func(*trial.Instance) trial.Rules[bool] { return noRules{} },
		func(in *trial.Instance) func(protocols.ID) protocols.Process[asked] {
			return func(protocols.ID) protocols.Process[asked] { return &oracle{in.Variant.Has("mute")} }
		}))
	run := func(s trial.Setting) *trial.Result {
		in, err := registry.Instance(s)
		if err != nil {
			t.Fatal(err)
		}
		return new(trial.Worker).Run(t.Context(), in, nil)
	}
	for _, s := range []trial.Setting{
		{Algorithm: "oracle", N: 5}, {Algorithm: "oracle", N: 5, Initiators: "1,3", Delay: "uniform(0,1ms)"}, {Algorithm: "oracle", N: 5, Transport: "reliable(10ms,16)"},
	} {
		r := run(s)
		if r.BrokenBound() != nil && s.Initiators == "" {
			t.Errorf("%+v: %v", s, r.BrokenBound())
		}
		if b := r.Bounds[0]; b.Name != "answers" || b.Value != b.Measured || b.Value == 0 || b.Ratio != 1 || b.Broken || len(r.Bounds) != 2 {
			t.Errorf("%+v: %+v", s, r.Bounds)
		}
	}
	err := run(trial.Setting{Algorithm: "oracle", N: 5, Variant: "mute"}).BrokenBound()
	if want := "oracle breaks a proven bound: sent_ANSWER are 16, but answers says = 20 (as many as questions; no faults)"; err == nil || err.Error() != want {
		t.Errorf("%v; want %s", err, want)
	}
	a, _ := registry.Find("oracle")
	in, _ := registry.Instance(trial.Setting{Algorithm: "oracle", N: 5})
	if v, ok := a.Bounds[0].At(in); ok {
		t.Errorf("before a run the bound is %v", v)
	}
	if v, ok := a.Bounds[1].At(in); !ok || v != 40 {
		t.Errorf("before a run the bound is %v, %v; want 40", v, ok)
	}
}
