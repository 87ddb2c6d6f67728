package trial_test

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"bullring/experiments/trial"
	"bullring/netem"
	"bullring/netem/explore"
	"bullring/protocols"
)

// word is a message, and what matters of a process that has heard it.
type word string

func (word) Kind() int       { return 0 }
func (word) Kinds() []string { return []string{"WORD"} }
func (word) Bits() int       { return 8 }

// listener passes on what it hears first.
type listener struct {
	heard   word
	confuse bool // for a while it believes something else
}

func (g *listener) Start(n protocols.Node[word]) {
	if n.ID() == 0 {
		g.Receive(n, 0, "hears it")
	}
}

func (g *listener) Receive(n protocols.Node[word], _ protocols.ID, r word) {
	if g.heard != "" {
		return
	}
	g.heard = r
	if g.confuse && n.ID() == 1 {
		g.heard = "mishears it"
		n.SetTimer(0, time.Millisecond)
	}
	n.Send(n.Neighbor(0), r)
}

func (g *listener) Timeout(protocols.Node[word], protocols.Timer) { g.heard = "hears it" }

// spreading are the rules of a family: nobody mishears, and all that live hear.
type spreading struct{}

func (spreading) State(process any) word { return process.(*listener).heard }

func (spreading) Broken(seen trial.Seen[word]) map[string]string {
	broken := map[string]string{}
	for p, heard := range seen.States {
		switch {
		case heard == "mishears it":
			broken["truth"] = fmt.Sprintf("process %d %s", p, heard)
		case heard == "" && !seen.Down[p]:
			broken["reach"] = fmt.Sprintf("process %d has heard nothing", p)
		}
	}
	return broken
}

func (spreading) Outcome(trial.Seen[word]) trial.Outcome { return "heard" }

// local are spreading, judged by what a step changed.
type local struct {
	spreading
	calls *int // of Broken
}

var _ trial.Local[word] = local{}

func (l local) Broken(seen trial.Seen[word]) map[string]string {
	*l.calls++
	return l.spreading.Broken(seen)
}

func (local) BrokenBy(seen trial.Seen[word], p protocols.ID, before word) map[string]string {
	if heard := seen.States[p]; heard == "mishears it" && heard != before {
		return map[string]string{"truth": fmt.Sprintf("process %d %s", p, heard)}
	}
	return nil
}

// hearsay has the algorithm of a family of three lines.
func hearsay() *trial.Registry { return hearsayBy(spreading{}) }

func hearsayBy(rules trial.Rules[word]) *trial.Registry {
	family := trial.Family{
		Name: "hearsay", Right: []trial.Outcome{"heard"}, Wrong: []trial.Outcome{"misheard", "unheard"},
		Checks: []explore.Property{
			{Name: "truth", Kind: explore.Always, Says: "no process mishears"},
			{Name: "reach", Kind: explore.Eventually, Says: "every live process hears"},
		},
	}
	registry := &trial.Registry{}
	registry.Register(trial.Ruled(trial.Algorithm{
		Name: "listener", Variants: [][]string{{"clear", "confused"}}, Assumes: trial.Assumptions{Topologies: []string{"ring"}},
		Metrics: []trial.Metric{
			{Name: "decided_time", Unit: trial.Units, Measure: trial.LastChange[word]()},
			{Name: "heard", Measure: trial.SeenBy(func(seen trial.Seen[word]) (float64, bool) {
				return float64(len(seen.States) - count(seen.States, "")), true
			})},
		},
	}, family, func(*trial.Instance) trial.Rules[word] { return rules },
		func(in *trial.Instance) func(protocols.ID) protocols.Process[word] {
			return func(protocols.ID) protocols.Process[word] { return &listener{confuse: in.Variant.Has("confused")} }
		}))
	return registry
}

// A family of one's own, by rules. After a crash on the ring the word gets no further.
func ExampleRuled() {
	for _, plan := range []string{"", "crash 1"} {
		in, err := hearsay().Instance(trial.Setting{Algorithm: "listener", N: 3, Fault: plan})
		if err != nil {
			fmt.Println(err)
			return
		}
		result := new(trial.Worker).Run(context.Background(), in, nil)
		fmt.Println(result.Outcome)
		for _, c := range result.Checks {
			fmt.Println(" ", c.Name, c.Verdict, "-", c.Detail)
		}
	}
	// Output:
	// heard
	//   truth holds - no process mishears
	//   reach holds - every live process hears
	// unheard
	//   truth holds - no process mishears
	//   reach violated - process 2 has heard nothing
}

// What broke a check that is Always is remembered, with the step, though it is over at rest.
func TestRulesRemember(t *testing.T) {
	in, err := hearsay().Instance(trial.Setting{Algorithm: "listener", N: 3, Variant: "confused"})
	if err != nil {
		t.Fatal(err)
	}
	result := new(trial.Worker).Run(t.Context(), in, nil)
	truth, reach := result.Checks[0], result.Checks[1]
	if result.Outcome != "misheard" || result.Correct || truth.Verdict != protocols.Violated || truth.Detail != "process 1 mishears it" || reach.Verdict != protocols.Holds {
		t.Errorf("%s: %+v", result.Outcome, result.Checks)
	}
	// Process 0 was the first to change.
	if want := (protocols.Step{Process: 1, At: time.Millisecond, Change: 2}); truth.Broke == nil || *truth.Broke != want {
		t.Errorf("broken by %+v; want %+v", truth.Broke, want)
	}
	explored, err := in.Algorithm.Explore(t.Context(), []*trial.Instance{in}, explore.Network{FIFO: true}, explore.Options{})
	if err != nil || explored.Properties[1].Name != "truth" || explored.Properties[1].Verdict != protocols.Violated {
		t.Errorf("explored: %+v, %v", explored, err)
	}
}

func count(states []word, state word) (n int) {
	for _, s := range states {
		if s == state {
			n++
		}
	}
	return n
}

// Local rules find what the others find, at the same step, and look at all processes only at the
// end.
func TestLocalRules(t *testing.T) {
	for _, variant := range []string{"clear", "confused"} {
		var results []*trial.Result
		calls := 0
		for _, rules := range []trial.Rules[word]{spreading{}, local{calls: &calls}} {
			in, err := hearsayBy(rules).Instance(trial.Setting{Algorithm: "listener", N: 500, Variant: variant, Fault: "crash 300"})
			if err != nil {
				t.Fatal(err)
			}
			results = append(results, new(trial.Worker).Run(t.Context(), in, nil))
		}
		if whole, local := results[0], results[1]; !reflect.DeepEqual(whole.Checks, local.Checks) || whole.Outcome != local.Outcome || calls > 5 {
			t.Errorf("%s: %+v %s, locally %+v %s after %d looks at all processes", variant, whole.Checks, whole.Outcome, local.Checks, local.Outcome, calls)
		}
	}
}

// Rules measure what they have seen, and when a state changed last.
func TestRulesMeasure(t *testing.T) {
	registry := hearsay()
	for variant, want := range map[string]float64{"clear": 3, "confused": 3} {
		in, err := registry.Instance(trial.Setting{Algorithm: "listener", N: 4, Variant: variant})
		if err != nil {
			t.Fatal(err)
		}
		result := new(trial.Worker).Run(t.Context(), in, nil)
		for name, want := range map[string]float64{"decided_time": want, "heard": 4} {
			m, ok := in.Algorithm.Metric(name)
			if !ok {
				t.Fatalf("no metric %s", name)
			}
			if v, ok := m.Measure(result); !ok || v != want {
				t.Errorf("%s: %s is %v, %v; want %v", variant, name, v, ok, want)
			}
		}
	}
}

// opinion is the state of a process whose zero value is a decision.
type opinion int8

const undecided opinion = -1

// voter decides what it is told; until then its opinion is undecided.
type voter struct{ is opinion }

func (v *voter) Start(n protocols.Node[word]) { v.Receive(n, 0, "one") }

func (v *voter) Receive(n protocols.Node[word], _ protocols.ID, m word) {
	if v.is == undecided {
		v.is = 1
		n.Send(n.Neighbor(0), m)
	}
}

func (*voter) Timeout(protocols.Node[word], protocols.Timer) {}

// agreement are rules by which nobody may decide 0.
type agreement struct{}

func (agreement) State(process any) opinion { return process.(*voter).is }

func (agreement) Broken(seen trial.Seen[opinion]) map[string]string {
	if p := slices.Index(seen.States, 0); p >= 0 {
		return map[string]string{"valid": fmt.Sprintf("process %d decides 0", p)}
	}
	return nil
}

func (agreement) Outcome(trial.Seen[opinion]) trial.Outcome { return "agreed" }

// The state of a process that has not begun is that of a new process, and not the zero value: also
// of one that is dead from the start, in a run, in its schedule and in an exploration.
func TestRulesBeforeTheFirstStep(t *testing.T) {
	registry := &trial.Registry{}
	registry.Register(trial.Ruled(trial.Algorithm{Name: "vote", Assumes: trial.Assumptions{Topologies: []string{"ring"}}},
		trial.Family{
			Name: "vote", Right: []trial.Outcome{"agreed"}, Wrong: []trial.Outcome{"invalid", "silent"},
			Checks: []explore.Property{{Name: "valid", Kind: explore.Always, Says: "nobody decides 0"}},
		},
		func(*trial.Instance) trial.Rules[opinion] { return agreement{} },
		func(*trial.Instance) func(protocols.ID) protocols.Process[word] {
			return func(protocols.ID) protocols.Process[word] { return &voter{undecided} }
		}))
	for _, s := range []trial.Setting{
		{Algorithm: "vote", N: 3, Initiators: "0"},
		{Algorithm: "vote", N: 3, Initiators: "0", Dead: "2"},
		{Algorithm: "vote", N: 3, Initiators: "0", Fault: "at 1ms crash 1 for 1ms"},
		{Algorithm: "vote", N: 3, Initiators: "0", Schedule: "timers free\nstart 0"},
	} {
		in, err := registry.Instance(s)
		if err != nil {
			t.Fatal(err)
		}
		if result := new(trial.Worker).Run(t.Context(), in, nil); result.Checks[0].Verdict == protocols.Violated {
			t.Errorf("%+v: %+v", s, result.Checks[0])
		}
		if s.Schedule != "" || s.Fault != "" {
			continue
		}
		explored, err := in.Algorithm.Explore(t.Context(), []*trial.Instance{in}, explore.Network{FIFO: true}, explore.Options{})
		if err != nil || explored.Properties[1].Name != "valid" || explored.Properties[1].Verdict != protocols.Holds {
			t.Errorf("%+v explored: %+v, %v", s, explored, err)
		}
	}
}

// A name that could mean a check or an outcome is refused.
func TestAmbiguousNames(t *testing.T) {
	for _, names := range [][3]string{{"heard", "heard", "lost"}, {"a", "b", "a"}, {"rest", "b", "c"}, {"no-panic", "b", "c"}, {"a", "b", "b"}, {"a", "unfinished", "b"}, {"", "", ""}} {
		family := trial.Family{
			Name: "names", Right: []trial.Outcome{trial.Outcome(names[1])}, Wrong: []trial.Outcome{trial.Outcome(names[2]), "last"},
			Checks: []explore.Property{{Name: names[0], Kind: explore.Always}},
		}
		func() {
			defer func() {
				if said := fmt.Sprint(recover()); !strings.Contains(said, ", or two") {
					t.Errorf("%q: %s", names, said)
				}
			}()
			new(trial.Registry).Register(trial.Ruled(trial.Algorithm{Name: "x", Assumes: trial.Assumptions{Topologies: []string{"ring"}}}, family,
				func(*trial.Instance) trial.Rules[word] { return spreading{} }, func(*trial.Instance) func(protocols.ID) protocols.Process[word] { return nil }))
		}()
	}
}

// quiet are rules that ask how many questions and answers are under way when a process is asked.
type quiet struct{ found *[]string }

func (quiet) State(process any) int { return process.(*shy).asked }
func (quiet) Kinds() []string       { return []string{"ANSWER", "ASK"} }

func (q quiet) Broken(seen trial.Seen[int]) map[string]string {
	questions, known := seen.UnderWay("ASK")
	answers, _ := seen.UnderWay("ANSWER")
	if q.found != nil {
		*q.found = append(*q.found, fmt.Sprint(questions, answers, known))
	}
	if questions == 0 && slices.Max(seen.States) > 0 {
		return map[string]string{"busy": "no question is under way"}
	}
	return nil
}

func (quiet) Outcome(trial.Seen[int]) trial.Outcome { return "asked" }

// shy counts the questions that it has been asked, and answers the first.
type shy struct{ asked int }

func (*shy) Start(n protocols.Node[asked]) {
	for port := range n.Degree() {
		n.Send(n.Neighbor(port), 0)
	}
}

func (s *shy) Receive(n protocols.Node[asked], from protocols.ID, m asked) {
	if m != 0 {
		return
	}
	if s.asked++; s.asked == 1 {
		n.Send(from, 1)
	}
}

func (*shy) Timeout(protocols.Node[asked], protocols.Timer) {}

// Rules can ask how many messages of a kind are under way: in a run with equal delays or others, with
// tracers, faults and without, in a schedule and in an exploration.
func TestRulesCountMessagesUnderWay(t *testing.T) {
	var found []string
	registry := &trial.Registry{}
	registry.Register(trial.Ruled(trial.Algorithm{Name: "shy", Assumes: trial.Assumptions{Topologies: []string{"complete"}}},
		trial.Family{
			Name: "shy", Right: []trial.Outcome{"asked"}, Wrong: []trial.Outcome{"calm", "silent"},
			Checks: []explore.Property{{Name: "busy", Kind: explore.Always, Says: "questions are under way whenever a process is asked"}},
		},
		func(in *trial.Instance) trial.Rules[int] {
			if in.Setting.Seed == 1 {
				return quiet{&found}
			}
			return quiet{}
		},
		func(*trial.Instance) func(protocols.ID) protocols.Process[asked] {
			return func(protocols.ID) protocols.Process[asked] { return &shy{} }
		}))
	// Process 0 asks 1, 2 and 3, which answer. Each has been asked when there are two, one and no more
	// questions under way, and the answers of those before it.
	usual := []string{"2 1 true", "1 2 true", "0 3 true"}
	const steps = "timers free\nstart 0\ndeliver 0->1 asked\ndeliver 0->2 asked\ndeliver 0->3 asked\ndeliver 1->0 asked"
	for _, c := range []struct {
		trial.Setting
		traced bool
		want   []string
	}{
		{want: usual},
		{traced: true, want: usual},
		{Setting: trial.Setting{Delay: "uniform(1ms,1.1ms)"}, want: usual},
		{Setting: trial.Setting{Fault: "at 1.5ms crash 0"}, want: usual},
		{Setting: trial.Setting{Fault: "at 0.5ms crash 3"}, want: []string{"2 0 true", "1 1 true", "0 2 true"}},             // at the crash, too
		{Setting: trial.Setting{Fault: "at 0.5ms crash 0"}, want: []string{"3 0 true", "2 0 true", "1 0 true", "0 0 true"}}, // who would be answered
		{Setting: trial.Setting{Fault: "at 0.5ms pause 3 for 5ms"}, want: []string{"2 1 true", "1 2 true", "0 1 true"}},
		{Setting: trial.Setting{Fault: "at 0.5ms partition {0 1 2 | 3}"}, want: []string{"2 1 true", "1 2 true"}},
		{Setting: trial.Setting{Link: "slot 1ms 1ms"}, want: usual},
		{Setting: trial.Setting{Link: "duplicate 100%"}, want: []string{"5 2 true", "4 2 true"}},
		{Setting: trial.Setting{Transport: "reliable(10ms,16)"}, want: []string{"0 0 false"}},
		{Setting: trial.Setting{Schedule: steps}, want: []string{"3 0 true", "2 1 true"}},
	} {
		s := c.Setting
		s.Algorithm, s.N, s.Initiators, s.Seed, s.OutsideModel = "shy", 4, "0", 1, true
		in, err := registry.Instance(s)
		if err != nil {
			t.Error(err)
			continue
		}
		found = nil
		var trace trial.TraceFunc
		if c.traced {
			trace = func(*trial.Traced) netem.Tracer { return nothing{} }
		}
		r := new(trial.Worker).Run(t.Context(), in, trace)
		if len(found) < len(c.want) || !slices.Equal(found[:len(c.want)], c.want) {
			t.Errorf("%+v: %q (%v); want %q", c.Setting, found, r.Failed, c.want)
		}
	}
	in, err := registry.Instance(trial.Setting{Algorithm: "shy", N: 4, Initiators: "0"})
	if err != nil {
		t.Fatal(err)
	}
	e, err := in.Algorithm.Explore(t.Context(), []*trial.Instance{in}, explore.Network{FIFO: true}, explore.Options{Reduce: true})
	if err != nil || e.Properties[1].Verdict != protocols.Violated || len(e.Counterexample.Steps) != 4 {
		t.Errorf("explored: %+v, %v; want a violation with the fourth step", e, err)
	}
}

// nothing is a tracer.
type nothing struct{}

func (nothing) Record(netem.Record) {}
