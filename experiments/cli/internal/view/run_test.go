package view

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"bullring/experiments/real/foreign"
	"bullring/experiments/show/reason"
	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
	"bullring/netem"
	"bullring/protocols/conduct"
)

// crash is a run in which the leader and its successor are down.
var crash = trial.Setting{Algorithm: "bully", N: 5, Initiators: "0", Dead: "last", Fault: "at 2ms crash 3; at 90ms restart 3"}

// hole is a run in which two processes take themselves for the leader.
var hole = trial.Setting{Algorithm: "bully", N: 3, Initiators: "0", Fault: "partition {0 1 | 2}", OutsideModel: true}

func TestRuns(t *testing.T) {
	var g golden
	for _, c := range []struct {
		name string
		s    trial.Setting
	}{
		{"an election", trial.Setting{Algorithm: "lcr", N: 8, Placement: "decreasing", Seed: 1}},
		{"in rounds, with attributes", trial.Setting{Algorithm: "lcr", Variant: "all-terminate", IDs: "5,3,9", Attr: "2,2,1", Delay: "3s"}},
		{"many processes", trial.Setting{Algorithm: "lcr", N: 1000, Initiators: "random:300", OutsideModel: true}},
		{"random delays", trial.Setting{Algorithm: "changroberts", N: 8, Initiators: "random:2", Delay: "exp(1ms)", Placement: "random"}},
		{"links that reorder", trial.Setting{Algorithm: "changroberts", N: 8, Unordered: true, OutsideModel: true}},
		{"the dead, and faults", crash},
		{"with a remark", trial.Setting{Algorithm: "bully", N: 5, Initiators: "0", Dead: "last"}},
		{"faults that are drawn", trial.Setting{Algorithm: "raft", N: 3, Fault: "random swarm of crashes, restarts until 20ms then heal", Seed: 2}},
		{"lost, duplicated and damaged messages", trial.Setting{Algorithm: "lcr", N: 8, Link: "loss 10% duplicate 20% corrupt 10%; 0->1: delay 3ms", Seed: 5, OutsideModel: true}},
		{"a detector and a transport", trial.Setting{Algorithm: "bully", N: 3, Detector: "heartbeat(2ms,5ms)", Transport: "reliable(5ms,4)", Fault: "at 3ms crash 2", Until: "40ms", OutsideModel: true}},
		{"a mutual exclusion", trial.Setting{Algorithm: "ricartagrawala", N: 3, Param: "requests=4"}},
		{"at a limit", trial.Setting{Algorithm: "lcr", N: 8, MaxEvents: 10}},
		{"for ever", trial.Setting{Algorithm: "electiontree", N: 4, Topology: "complete", Initiators: "0", Fault: "at 0s cut 0<->1", OutsideModel: true}},
		{"a schedule", trial.Setting{Algorithm: "lcr", N: 3, Schedule: "timers free\nstart 1\ngo on"}},
	} {
		g.add(t, c.name, Run{Program: "bullring", Result: ran(t, c.s)})
	}
	g.addJSON(t, "an election", Run{Program: "bullring", Result: ran(t, trial.Setting{Algorithm: "lcr", N: 8, Placement: "decreasing", Seed: 1})})
	g.compare(t, "runs")
}

// Each case of the JSON of a run: what is null, what is a list, and the unit of time.
func TestFieldsOfRuns(t *testing.T) {
	for _, c := range []struct {
		s    trial.Setting
		want map[string]any
	}{
		{trial.Setting{Algorithm: "lcr", N: 65}, map[string]any{"ids": nil, "initiator_addresses": nil, "attributes": nil}},
		{trial.Setting{Algorithm: "lcr", N: 8, Delay: "uniform(0,2ms)"}, map[string]any{"messages": 15., "rounds": nil, "time_unit": "s"}},
		{trial.Setting{Algorithm: "lcr", N: 3, Schedule: "timers free\ngo on"}, map[string]any{"time_unit": "steps", "outcome": "elected"}},
		{trial.Setting{Algorithm: "lcr", N: 8, MaxEvents: 10}, map[string]any{"leader": nil, "elected_time": nil, "end": "out of events"}},
		{crash, map[string]any{"leader": 4., "dead": "last", "fault": crash.Fault, "correct": true, "detection": nil}},
		{trial.Setting{Algorithm: "electiontree", N: 4, Topology: "complete", Initiators: "0", Fault: "at 0s cut 0<->1", OutsideModel: true}, map[string]any{"end": "repeating"}},
		{trial.Setting{Algorithm: "lcr", IDs: "5,3,9", Attr: "2,2,1"}, map[string]any{"n": 3., "leader": 5.}},
	} {
		got := fields(t, Run{Program: "bullring", Result: ran(t, c.s)})
		for name, want := range c.want {
			if v, there := got[name]; !there || v != want {
				t.Errorf("%v: %s is %v, want %v", c.s, name, v, want)
			}
		}
	}
	served := fields(t, Run{Result: ran(t, trial.Setting{Algorithm: "ricartagrawala", N: 3, Param: "requests=4"})})
	measured := served["measured"].(map[string]any)
	if entries := served["order_of_entry"].([]any); len(entries) != 12 || entries[1].(map[string]any)["address"] != 1. || measured["messages_per_entry"] != 4. || measured["client_delay"] != 3. {
		t.Errorf("%v", served)
	}
	for _, b := range fields(t, Run{Result: ran(t, trial.Setting{Algorithm: "lcr", N: 3000, Placement: "random"})})["bounds"].([]any) {
		if b := b.(map[string]any); b["name"] == "mean" && b["value"] == nil {
			t.Errorf("bound %v", b)
		}
	}
	detected := fields(t, Run{Result: ran(t, trial.Setting{Algorithm: "bully", N: 3, Detector: "heartbeat(2ms,5ms)", Fault: "at 3ms crash 2", Until: "40ms", OutsideModel: true})})
	if d := detected["detection"].(map[string]any); d["detected"] != 2. || d["time_max"] == nil || d["mistake_time"] != nil {
		t.Errorf("detection %v", d)
	}
}

// A program that is compared with an algorithm, and one that is compared with itself.
func TestLike(t *testing.T) {
	var g golden
	for _, c := range []struct {
		name   string
		agrees bool
		foreign.Comparison
	}{
		{"agrees", true, foreign.Comparison{With: "lcr", Events: 1900, Fingerprint: 0xe2c0a40bc20ecf3d}},
		{"with itself", true, foreign.Comparison{With: "a second run of it", Itself: true, Events: 19}},
		{"cut off", false, foreign.Comparison{With: "lcr", Events: 6, Cut: true}},
		{"other timers", true, foreign.Comparison{With: "lcr", Events: 19}},
		{"with timers", true, foreign.Comparison{With: "lcr", Timers: true, Events: 19, Fingerprint: 0xe2c0a40bc20ecf3d}},
		{"parts", false, foreign.Comparison{With: "lcr", Events: 6, Parted: true,
			Common:  []foreign.Pair{{Program: "   0s  start   0  | sends PROBE{1} to 1", Other: "   0s  start   0  | sends PROBE(1) to 1"}},
			Program: []string{"sends PROBE{1} to 2"}}},
		{"parts at once", false, foreign.Comparison{With: "lcr", Parted: true, Program: []string{"start 0", "start 2"}, Other: []string{"start 1"}}},
	} {
		g.heading(c.name)
		eighty.Print(&g, func(w io.Writer) error { writeLike(w, &c.Comparison); return nil })
		if like := newLikeReport(&c.Comparison); like.Agrees != c.agrees || like.Events != c.Events || (like.Common == nil) != (len(c.Common) == 0) {
			t.Errorf("%s: %+v", c.name, like)
		}
	}
	g.add(t, "of a run", Run{Program: "bullring", Result: ran(t, hole), Like: &foreign.Comparison{With: "bully", Events: 3, Cut: true}})
	g.compare(t, "like")
	if fields(t, Run{Result: ran(t, hole), Like: &foreign.Comparison{With: "bully"}})["like"] == nil {
		t.Error("the JSON of the run lacks the comparison")
	}
}

func TestShrunk(t *testing.T) {
	var g golden
	late := trial.Setting{Algorithm: "bully", N: 3, Initiators: "0", Dead: "last", Delay: "uniform(0,3ms)", Assume: "1ms", OutsideModel: true}
	found, err := search.Shrink(t.Context(), registry, late, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	plain, kept := Shrunk{Program: "bullring", Found: found}, Shrunk{Program: "bullring", File: "it's.json", Found: found}
	plain.Because, kept.Because = becauseOf(t, found.Result, plain.Why()), becauseOf(t, found.Result, kept.Why())
	g.add(t, "without a file", plain)
	g.add(t, "with a file", kept)
	g.heading("and when it is written")
	if err := eighty.Print(&g, kept.Written); err != nil {
		t.Error(err)
	}
	scheduled, err := search.Shrink(t.Context(), registry, trial.Setting{Algorithm: "lcr", N: 3, Schedule: "timers free\nstart 0\nstart 1\nstart 2\nlose 2->0 PROBE(3)\ngo on", OutsideModel: true}, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	unkept := Shrunk{Program: "bullring", Found: scheduled}
	unkept.Because = becauseOf(t, scheduled.Result, unkept.Why())
	g.add(t, "a schedule", unkept)
	g.compare(t, "shrunk")
	if got := fields(t, kept); got["shows"] != "E1" || got["file"] != "it's.json" || got["view"] != `bullring view 'it'\''s.json'` || got["run"].(map[string]any)["outcome"] == nil {
		t.Error(got)
	}
	if got := fields(t, Shrunk{Program: "bullring", Found: scheduled}); got["view"] != nil || got["file"] != nil {
		t.Errorf("%v, %v", got["view"], got["file"])
	}
}

func TestReplayed(t *testing.T) {
	again := Replayed{Run: Run{Program: "bullring", Result: ran(t, crash), Page: "bullring view out 3"}, Record: "row 3 of out"}
	differs := again
	differs.Difference = errors.New("leader is 4, and was 3")
	for _, c := range []struct {
		v    Replayed
		ends string
		same bool
	}{{again, "\nview: bullring view out 3\nThe run agrees with row 3 of out.\n", true}, {differs, "\nview: bullring view out 3\n", false}} {
		var g golden
		g.add(t, "", c.v)
		if got := fields(t, c.v); !strings.HasSuffix(g.String(), c.ends) || got["same"] != c.same || (got["difference"] == nil) != c.same || got["view"] != again.Page {
			t.Errorf("%s\n%v", &g, got)
		}
	}
}

// becauseOf is the explanation of a run that has been made, nil if every check holds.
func becauseOf(t *testing.T, r *trial.Result, again string) *Because {
	t.Helper()
	e := reason.Brief.ExplainResult(t.Context(), registry, r)
	if e.Violation == nil {
		return nil
	}
	return &Because{e, "bullring", again}
}

// explained is the explanation of a run.
func explained(t *testing.T, s trial.Setting) Why {
	t.Helper()
	s.OutsideModel = true
	in := instance(t, s)
	return Why{Because{reason.Explain(t.Context(), registry, in), "bullring", WhyLine("bullring", in)}, PageLine("bullring", in)}
}

// reasons are runs of which each is violated for a reason of another kind.
var reasons = []struct {
	name    string
	setting trial.Setting
}{
	{"a message came late", trial.Setting{Algorithm: "bully", N: 5, Initiators: "0", Dead: "last", Delay: "uniform(0,3ms)", Assume: "1ms", Seed: 2}},
	{"a partition", trial.Setting{Algorithm: "bully", N: 4, Fault: "at 1ms partition {0 1 | 2 3} for 20ms", Seed: 1}},
	{"any one of the lost messages", trial.Setting{Algorithm: "ringlist", N: 8, Link: "loss 20%", Seed: 1}},
	{"each of the lost messages", trial.Setting{Algorithm: "ghs", N: 8, Link: "loss 5%", Seed: 2}},
	{"inside the model", trial.Setting{Algorithm: "ricartagrawala", N: 3, Param: "requests=3,think=exp(500us),cs=0s", Delay: "uniform(0,10ms)", Seed: 433}},
	{"a crash amid sends", trial.Setting{Algorithm: "lcr", N: 4, Fault: "crash 3 after 1 send", Seed: 1}},
	{"an order of steps", trial.Setting{}},
}

func TestReasons(t *testing.T) {
	var g golden
	for _, c := range reasons {
		s := c.setting
		if s.Algorithm == "" {
			live, err := search.ReadCase("../../../catalog/testdata/cases/bully-live.json")
			if err != nil {
				t.Fatal(err)
			}
			s = live.Setting
		}
		v := explained(t, s)
		g.add(t, c.name, v)
		for i, one := range fields(t, v)["reasons"].([]any) {
			if r := one.(map[string]any); len(r["changes"].([]any)) != len(v.Reasons[i].Changes) || r["effect"] != v.Reasons[i].Effect.String() || r["command"] != v.command(i) {
				t.Errorf("%s: reason %d is %v", c.name, i+1, r)
			}
		}
	}
	g.compare(t, "reasons")
}

func TestWhy(t *testing.T) {
	var g golden
	for _, s := range []trial.Setting{hole, crash, {Algorithm: "lcr", N: 4, Fault: "drop 4th message", OutsideModel: true}} {
		v := explained(t, s)
		g.add(t, s.Algorithm+", "+s.Fault, v)
		got := fields(t, v)
		steps := got["steps"].([]any)
		targets := slices.DeleteFunc(slices.Clone(steps), func(s any) bool { return s.(map[string]any)["target"] != true })
		if !strings.Contains(g.String(), got["what"].(string)) || len(steps) == 0 || len(targets) == 0 || int(got["records"].(float64)) < len(steps) || got["failed"] != nil {
			t.Errorf("%v: %d of %d steps are explained: %v", s, len(targets), len(steps), got)
		}
	}
	g.compare(t, "why")
}

func TestCriticality(t *testing.T) {
	var g golden
	for _, strike := range []search.Strike{search.Drop, search.Delay} {
		c, err := search.FindCritical(t.Context(), registry, trial.Setting{Algorithm: "lcr", N: 3, OutsideModel: true}, strike, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		v := Criticality{Criticality: c, Effects: registry.Effects()}
		g.add(t, strike.String(), v)
		v.All = true
		g.add(t, strike.String()+", all", v)
		g.addJSON(t, strike.String(), v)
	}
	g.compare(t, "criticality")
}

func TestRepairs(t *testing.T) {
	var g golden
	for _, s := range []trial.Setting{
		{Algorithm: "bully", N: 5, Initiators: "0", Dead: "last", Delay: "uniform(0,3ms)", Assume: "1ms", Seed: 2},
		{Algorithm: "lcr", N: 4, Fault: "drop 4th message"},
		{Algorithm: "lcr", N: 4, Fault: "crash 3 after 1 send"},
	} {
		s.OutsideModel = true
		in, err := registry.Instance(s)
		if err != nil {
			t.Fatal(err)
		}
		found, err := reason.FindRepairs(t.Context(), registry, in, nil)
		if err != nil {
			t.Fatal(err)
		}
		v := Repairs{Repairs: found}
		g.add(t, s.Algorithm+", "+s.Fault, v)
		g.addJSON(t, s.Algorithm+", "+s.Fault, v)
		v.All = true
		g.add(t, s.Algorithm+", "+s.Fault+", all", v)
	}
	g.compare(t, "repairs")
}

func TestConduct(t *testing.T) {
	var g golden
	c, err := trial.CheckConduct(t.Context(), registry, trial.Setting{Algorithm: "lcr", N: 3, MaxEvents: 1000}, 3)
	if err != nil {
		t.Fatal(err)
	}
	g.add(t, "nothing", Conduct{c})
	c.Findings = []trial.ConductError{{Algorithm: "lcr", Seed: 7, Finding: conduct.Finding{Rule: "not deterministic", Text: "Receive(PROBE(3) from 1) of process 2"}}}
	c.Cut = true
	g.add(t, "a finding", Conduct{c})
	g.addJSON(t, "a finding", Conduct{c})
	g.compare(t, "conduct")
}

// A trace is a record a line; where steps begin to repeat there is a mark.
func TestTraces(t *testing.T) {
	var g golden
	var w trial.Worker
	in := instance(t, trial.Setting{Algorithm: "lcr", N: 2, Fault: "at 5ms crash 1", OutsideModel: true})
	w.Run(t.Context(), in, func(run *trial.Traced) netem.Tracer { return JSONTrace(&g, run.News) })
	g.heading("with a mark")
	marked := MarkCycle(&g, netem.TextTrace(&g, nil), 2)
	for step := range 4 {
		marked.Record(netem.Record{Step: step + 1, What: "fault", Note: "again"})
	}
	g.compare(t, "trace")
}

func TestQuotedWords(t *testing.T) {
	for _, words := range [][]string{{"a"}, {"run", "it's", "a b"}, {`\`, "x'y'z", "--fault=at 2ms crash 3"}, {"1ms", "uniform(0,2ms)", "", "$HOME"}} {
		var quoted []string
		for _, w := range words {
			quoted = append(quoted, Quoted(w))
		}
		if got := Words(strings.Join(quoted, " ")); !slices.Equal(got, slices.DeleteFunc(words, func(w string) bool { return w == "" && Quoted(w) == "" })) {
			t.Errorf("%q became %q", words, got)
		}
	}
}

// The default bully says why its times have two peaks, in runs in which they have.
func TestRemark(t *testing.T) {
	for s, told := range map[trial.Setting]bool{
		{Algorithm: "bully", N: 5, Dead: "last", Initiators: "0"}:               true,
		{Algorithm: "bully", N: 5, Dead: "last", Initiators: "3"}:               true,
		{Algorithm: "bully", N: 5, Dead: "last", Initiators: "0", Variant: "A"}: false,
		{Algorithm: "bully", N: 5, Dead: "3,4", Initiators: "0"}:                false,
		{Algorithm: "bully", N: 5}:                                              false,
		{Algorithm: "bully", N: 2, Dead: "last"}:                                false,
		{Algorithm: "lcr", N: 5}:                                                false,
	} {
		var g golden
		g.add(t, "", Run{Program: "bullring", Result: ran(t, s)})
		if strings.Contains(g.String(), "\nnote: the best of the living, if it is a detector, announces itself at once") != told {
			t.Errorf("%+v: want the remark: %v\n%s", s, told, &g)
		}
	}
}

// A time without digits that mean nothing.
func TestShort(t *testing.T) {
	for d, want := range map[time.Duration]string{1234567: "1.23ms", 12345 * time.Millisecond: "12.35s", 999: "999ns", 0: "0s"} {
		if got := short(d).String(); got != want {
			t.Errorf("%v is %s, want %s", int64(d), got, want)
		}
	}
}
