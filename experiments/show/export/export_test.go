package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"bullring/experiments/catalog"
	"bullring/experiments/show/history"
	"bullring/experiments/trial"
)

// sampled are some runs with the states of processes: several algorithms, with losses, copies,
// crashes and restarts, and steps of a schedule.
func sampled(t *testing.T, seeds int) map[string]*history.History {
	t.Helper()
	runs := map[string]*history.History{}
	registry := catalog.New()
	add := func(s trial.Setting) {
		s.OutsideModel = true
		in, err := registry.Instance(s)
		if err != nil {
			t.Fatal(err)
		}
		runs[fmt.Sprintf("%s-%d", s.Algorithm, s.Seed)] = history.WithStates(t.Context(), in)
	}
	algorithms := []string{"lcr", "bully", "changroberts", "ringlist", "raymond", "ricartagrawala", "raft", "chandylamport"}
	for seed := range uint64(seeds) {
		s := trial.Setting{Algorithm: algorithms[seed%8], N: 4, Seed: seed, Placement: "random", MaxTime: "40ms"}
		if seed/8%2 == 0 {
			s.Delay, s.Fault, s.Link = "uniform(0,3ms)", "random swarm until 10ms", "loss 5% duplicate 20%"
		}
		add(s)
	}
	add(trial.Setting{Algorithm: "echo", N: 4, Topology: "biring", Fault: "at 500us down 0<->1 for 3ms; at 3ms down 2<->3", Transport: "reliable(2ms,3)", MaxTime: "9ms"})
	add(trial.Setting{Algorithm: "peterson", IDs: "4,2,3,1", Schedule: "timers free\nstart 0\nstart 1\nstart 2\nstart 3\nlose 0->1 ONE(4)\ndeliver 3->0 ONE(1)"})
	return runs
}

// past returns which events happened before each event, itself included, by their places.
func past(h *history.History) []map[int]bool {
	before := make([]map[int]bool, len(h.Events))
	for i := range h.Events {
		before[i] = map[int]bool{i: true}
		for _, cause := range h.Events[i].After {
			for k := range before[cause-1] {
				before[i][k] = true
			}
		}
	}
	return before
}

// The clocks of ShiViz: one event happened before another if and only if its clock is smaller.
func TestVectorClocksAreHappenedBefore(t *testing.T) {
	form := regexp.MustCompile(`(.*)\n(\S*) ({.*})`)
	pairs := 0
	for name, h := range sampled(t, 24) {
		text, err := shiviz.Text(h)
		if err != nil {
			t.Fatal(err)
		}
		body, found := strings.CutPrefix(string(text), shivizHead)
		if !found {
			t.Fatalf("%s begins with %.80q", name, text)
		}
		var places []int
		for i := range h.Events {
			if atProcess(&h.Events[i]) {
				places = append(places, i)
			}
		}
		parsed := form.FindAllStringSubmatch(body, -1)
		if len(parsed) != len(places) {
			t.Fatalf("%s has %d steps, and its log %d", name, len(places), len(parsed))
		}
		clocks := make([]map[string]int, len(parsed))
		for k, m := range parsed {
			if err := json.Unmarshal([]byte(m[3]), &clocks[k]); err != nil || m[2] != process(h.Events[places[k]].Who) {
				t.Fatalf("%s, event %d: %q, %v", name, k, m, err)
			}
		}
		before := past(h)
		for a := range places {
			for b := range places {
				smaller := true
				for p, v := range clocks[a] {
					smaller = smaller && v <= clocks[b][p]
				}
				if smaller != before[places[b]][places[a]] {
					t.Fatalf("%s: clock %v of %s, clock %v of %s; the first happened before: %v", name,
						clocks[a], parsed[a][1], clocks[b], parsed[b][1], !smaller)
				}
				pairs++
			}
		}
	}
	if pairs < 10_000 {
		t.Errorf("%d pairs of events only", pairs)
	}
}

type chromeFile struct {
	TraceEvents []struct {
		Ph, Name, Cat, S, Bp string
		Pid, Tid, ID         int
		Ts, Dur              float64
		Args                 struct{ Event int }
	}
}

// In a trace of Chrome slices of one thread do not overlap, and no instant lies in a slice,
// where it would take the end of a flow. No effect stands before its cause, and each copy of a
// message is a flow from the slice of its sending to that of its delivery.
func TestSlicesAndFlows(t *testing.T) {
	runs, copies := sampled(t, 24), 0
	runs["hostile"] = hostile()
	for name, h := range runs {
		text, err := chrome.Text(h)
		if err != nil {
			t.Fatal(err)
		}
		var file chromeFile
		if err := json.Unmarshal(text, &file); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		begins, ends, free := map[int]float64{}, map[int]int{}, map[int]float64{}
		type end struct {
			at     float64
			thread int
		}
		flows := map[int][]end{}
		for _, e := range file.TraceEvents {
			switch {
			case e.Ph == "i" && e.S == "t":
				if e.Ts < free[e.Tid]-1e-6 {
					t.Fatalf("%s: %+v lies in a slice that ends at %v", name, e, free[e.Tid])
				}
				free[e.Tid] = e.Ts + .5
			case e.Ph == "X":
				if e.Ts < free[e.Tid]-1e-6 || e.Tid != int(h.Events[e.Args.Event-1].Who)+1 {
					t.Fatalf("%s: %+v begins before %v", name, e, free[e.Tid])
				}
				free[e.Tid], begins[e.Args.Event] = e.Ts+e.Dur, e.Ts
				for _, cause := range h.Events[e.Args.Event-1].After {
					if e.Ts < begins[cause]+1-1e-6 {
						t.Fatalf("%s: event %d stands at %v, its cause %d at %v", name, e.Args.Event, e.Ts, cause, begins[cause])
					}
				}
			case e.Ph == "s":
				if flows[e.ID] != nil {
					t.Fatalf("%s: two flows are %d", name, e.ID)
				}
				flows[e.ID] = []end{{e.Ts, e.Tid}}
			case e.Ph == "f":
				flows[e.ID] = append(flows[e.ID], end{e.Ts, e.Tid})
			}
		}
		var want, got []string
		sent := map[uint64]int{}
		for i := range h.Events {
			e := &h.Events[i]
			for _, m := range e.Sent {
				sent[m.Number] = e.Order
			}
			if e.What == "deliver" {
				want = append(want, fmt.Sprint(begins[sent[e.Number]]+.5, e.From+1, begins[e.Order]+.5, e.Who+1))
				if ends[int(e.Number)]++; ends[int(e.Number)] > 1 {
					copies++
				}
			}
		}
		for _, f := range flows {
			if len(f) != 2 {
				t.Fatalf("%s: a flow has %d ends", name, len(f))
			}
			got = append(got, fmt.Sprint(f[0].at, f[0].thread, f[1].at, f[1].thread))
		}
		if slices.Sort(want); !slices.Equal(want, slices.Sorted(slices.Values(got))) {
			t.Fatalf("%s: flows %v; want %v", name, got, want)
		}
	}
	if copies < 10 {
		t.Errorf("%d copies arrived after the first only", copies)
	}
}

type itfFile struct {
	Vars   []string
	States []map[string]json.RawMessage
}

// Each state of ITF has all variables. A message is under way from its sending until it arrives
// or is lost.
func TestStatesOfITF(t *testing.T) {
	runs, underway := sampled(t, 24), 0
	runs["hostile"] = hostile()
	for name, h := range runs {
		text, err := itf.Text(h)
		if err != nil {
			t.Fatal(err)
		}
		var file itfFile
		if err := json.Unmarshal(text, &file); err != nil || len(file.States) != len(h.Events) {
			t.Fatalf("%s: %v, %d states of %d events", name, err, len(file.States), len(h.Events))
		}
		for i, state := range file.States {
			if len(state) != len(file.Vars)+1 {
				t.Fatalf("%s: state %d has %d variables; want %v", name, i, len(state)-1, file.Vars)
			}
			var messages struct {
				Elements []struct {
					Number struct {
						Value int `json:"#bigint,string"`
					}
				} `json:"#set"`
			}
			if err := json.Unmarshal(state["underway"], &messages); err != nil {
				t.Fatal(err)
			}
			var got, want []int
			for _, m := range messages.Elements {
				got = append(got, m.Number.Value)
			}
			for _, e := range h.Events[:i+1] {
				if e.Panics {
					continue // its messages did not leave
				}
				for _, m := range e.Sent {
					later := slices.ContainsFunc(h.Events[i+1:], func(e history.Event) bool { return e.Number == m.Number })
					ever := later || slices.ContainsFunc(h.Events, func(e history.Event) bool { return e.Number == m.Number })
					if later || !ever {
						want = append(want, int(m.Number))
					}
				}
			}
			if slices.Sort(want); !slices.Equal(got, want) {
				t.Fatalf("%s: after event %d are under way %v; want %v", name, i+1, got, want)
			}
			underway += len(got)
		}
	}
	if underway < 1000 {
		t.Errorf("%d messages were under way only", underway)
	}
}

// A run that is too large for a format is refused, with the limit and a way out.
func TestLimits(t *testing.T) {
	registry := catalog.New()
	for _, c := range []struct {
		format Format
		n      int
		want   string
	}{
		{mermaid, 19, ""}, // 190 messages
		{mermaid, 20, "a diagram of Mermaid has 200 messages and 50000 bytes at most, and this one has 210 and"},
		{itf, 43, ""}, // 43 starts and 946 deliveries
		{itf, 44, "itf has 1000 states at most, and this run has 1034 events; jsonl takes each run"},
	} {
		in, err := registry.Instance(trial.Setting{Algorithm: "lcr", N: c.n, Placement: "decreasing"})
		if err != nil {
			t.Fatal(err)
		}
		text, err := c.format.Text(history.Of(t.Context(), in))
		switch {
		case c.want == "" && (err != nil || !bytes.HasPrefix(text, []byte(c.format.Begins))):
			t.Errorf("%s of n %d: %v, %.80q", c.format.Name, c.n, err, text)
		case c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), c.want)):
			t.Errorf("%s of n %d: %v; want %s", c.format.Name, c.n, err, c.want)
		}
	}
}
