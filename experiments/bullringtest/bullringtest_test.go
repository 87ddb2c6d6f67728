package bullringtest

import (
	"strings"
	"testing"

	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/protocols"
	"bullring/protocols/election"
)

// Message is a rank on its way round the ring.
type Message = election.Ranked[kinds]

type kinds struct{}

func (kinds) Names() []string { return names }

var names = []string{"TOKEN"}

// allround is Le Lann's election, with a mistake or none.
type allround struct {
	protocols.NoTimers[Message]
	mistake    string
	rank, best election.Rank
	order      election.Order
	decision   election.Decision
}

func (p *allround) Decision() election.Decision { return p.decision }

func (p *allround) Start(n protocols.Node[Message]) { n.Send(n.Neighbor(0), Message{Rank: p.rank}) }

func (p *allround) Receive(n protocols.Node[Message], _ protocols.ID, m Message) {
	switch {
	case p.mistake == "early" && p.order.Better(p.rank, m.Rank): // in a larger ring a better one may come
		p.decision = election.Decide(p.rank.ID, p.rank.ID)
	case p.mistake == "panics":
		panic("no such case")
	case p.mistake == "moody" && moods%2 == 0:
		moods++
		return
	}
	moods++
	if m.Rank.ID == p.rank.ID {
		p.decision = election.Decide(p.rank.ID, p.best.ID)
		return
	}
	if p.order.Better(m.Rank, p.best) {
		p.best = m.Rank
	}
	n.Send(n.Neighbor(0), m)
}

var moods int

// declared is the declaration of an allround.
func declared(mistake string) trial.Algorithm {
	return families.Election(trial.Algorithm{
		Name: "allround", Title: "every identity goes all the way round", Source: "G. Le Lann, IFIP 1977", Cost: "n^2",
		Variants: [][]string{{"max", "min"}},
		Assumes: trial.Assumptions{
			Topologies: []string{"ring"}, AllInitiate: true, FIFO: true, NoCrash: mistake != "crashes", NoRestart: true,
		},
		Bounds: []trial.Bound{{
			Name: "exact", Metric: "messages", Relation: trial.Exactly, Formula: "n^2", Convention: "all initiate",
			Value: func(in *trial.Instance) (float64, bool) {
				if mistake == "bound" && in.N == 7 {
					return 48, true
				}
				return float64(in.N * in.N), true
			},
		}},
	},
		func(*trial.Instance) election.Promise { return election.Promise{} },
		func(in *trial.Instance) func(protocols.ID) election.Process[Message] {
			return func(p protocols.ID) election.Process[Message] {
				return &allround{mistake: mistake, rank: in.Ranks.At(p), best: in.Ranks.At(p), order: in.Order}
			}
		})
}

// failing is the logs of the tests that fail.
func failing(t *testing.T, a trial.Algorithm, o Options) map[string]string {
	t.Helper()
	s, err := newSubject(a, o.filled())
	if err != nil {
		t.Fatal(err)
	}
	failed := map[string]string{}
	for name, test := range s.tests(t.Context()) {
		if r := test(); r.failed {
			failed[name] = r.log
		}
	}
	return failed
}

// TestMistakes: each mistake is found by the tests that can see it, and the log has the run, its reason
// and the command.
func TestMistakes(t *testing.T) {
	for _, c := range []struct {
		mistake string
		tests   map[string][]string // that fail, and what their logs say
	}{
		{"early", map[string][]string{
			"explore/max": {"VIOLATED: E1: ", "step 1", "again: bullring explore allround --n 3 --variant max"},
			"explore/min": {"VIOLATED: E1: ", "E1 is violated"},
			"hunt":        {"E1", "bullring run allround"},
		}},
		{"panics", map[string][]string{
			"conduct": {"no such case"}, "explore/max": {"no-panic", "the handler panics"}, "explore/min": {"no-panic"}, "hunt": {"no-panic"},
		}},
		{"bound", map[string][]string{"hunt": {"exact says = 48", "again: bullring run allround --n 7"}}},
		{"crashes", map[string][]string{"hunt": {"VIOLATED: bound", "bullring run allround --n 1"}}},
	} {
		failed := failing(t, declared(c.mistake), Options{Largest: 3, Settings: 600})
		for name, log := range failed {
			for _, says := range c.tests[name] {
				if !strings.Contains(log, says) {
					t.Errorf("%s, %s: the log does not say %q:\n%s", c.mistake, name, says, log)
				}
			}
			if c.tests[name] == nil {
				t.Errorf("%s: %s fails:\n%s", c.mistake, name, log)
			}
		}
		for name := range c.tests {
			if failed[name] == "" {
				t.Errorf("%s: %s passes", c.mistake, name)
			}
		}
	}
	if failed := failing(t, declared("moody"), Options{Largest: 2, Settings: 1}); !strings.Contains(failed["explore/max"], "is not deterministic") {
		t.Errorf("a global variable: %q", failed["explore/max"])
	}
	if failed := failing(t, declared(""), Options{Settings: 200}); len(failed) > 0 {
		t.Errorf("without a mistake: %q", failed)
	}
	if _, err := newSubject(trial.Algorithm{}, Options{}); err == nil {
		t.Error("an algorithm without a name is taken")
	}
}
