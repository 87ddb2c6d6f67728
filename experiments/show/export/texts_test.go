package export

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"bullring/experiments/show/history"
	"bullring/experiments/trial"
	"bullring/internal/value"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/election"
)

// small is a run of two processes in which a bit of everything happens: process 1 decides,
// crashes, loses message 1 and its memory, and comes back; message 3 is lost on its way; the last
// step panics.
func small() *history.History {
	x := func(v string) []value.Field { return []value.Field{{Name: "x", Value: v}} }
	sent := func(to protocols.ID, message string, number uint64) netem.Sent {
		return netem.Sent{To: to, Message: message, Number: number}
	}
	h := &history.History{Result: &trial.Result{Instance: &trial.Instance{
		Algorithm: &trial.Algorithm{Name: "small"}, System: trial.System{N: 2, Ranks: election.Listed([]election.Rank{{ID: 7}, {ID: 5}})},
	}}}
	h.Events = []history.Event{
		{Record: netem.Record{At: 0, What: "fault", Note: "drop 3rd message"}},
		{Record: netem.Record{At: 0, What: "start", Who: 0, Sent: []netem.Sent{sent(1, "A", 1), sent(1, "B", 2)}}, Changed: x("10")},
		{Record: netem.Record{At: 0, What: "start", Who: 1}, Changed: append(x("20"), value.Field{Name: "y", Value: "1"}), News: "leads"},
		{Record: netem.Record{At: 10000, What: "crash", Who: 1}, After: []int{3}},
		{Record: netem.Record{At: 20000, What: "lost", Who: 1, From: 0, Message: "A", Number: 1}, Absent: true, After: []int{2, 4}},
		{Record: netem.Record{At: 30000, What: "restart", Who: 1}, After: []int{4}},
		{Record: netem.Record{At: 30500, What: "deliver", Who: 1, From: 0, Message: "B", Number: 2, Sent: []netem.Sent{sent(0, "C", 3)}}, After: []int{6, 2}, Changed: x("21"), News: "follows 7"},
		{Record: netem.Record{At: 30600, What: "lose", Who: 0, From: 1, Message: "C", Number: 3}, Absent: true, After: []int{7}},
		{Record: netem.Record{At: 50000, What: "timeout", Who: 0, Timer: 4, Name: "run", Panics: true, Sent: []netem.Sent{sent(1, "D", 4)}}, After: []int{2}, News: "leads"},
	}
	for i := range h.Events {
		h.Events[i].Order = i + 1
	}
	return h
}

// timeless is a run that follows a schedule without time.
func timeless() *history.History {
	h := small()
	h.Events = []history.Event{
		{Record: netem.Record{At: -1, Step: 2, What: "start", Who: 1, Sent: []netem.Sent{{To: 0, Message: "A<", Number: 1}}}, Order: 1},
		{Record: netem.Record{At: -1, Step: 5, What: "deliver", Who: 0, From: 1, Message: "A<", Number: 1, Choices: []int{3}}, Order: 2, After: []int{1}},
	}
	return h
}

// moving is a run of three processes: the link of 1 and 2 goes down, both are told, and takes a
// message with it.
func moving() *history.History {
	h := small()
	h.Result.Instance.N, h.Result.Instance.Topology = 3, netem.BiRing(3)
	h.Result.Instance.Ranks = election.Listed([]election.Rank{{ID: 7}, {ID: 5}, {ID: 6}})
	h.Events = []history.Event{
		{Record: netem.Record{At: 0, What: "start", Who: 1, Sent: []netem.Sent{{To: 2, Message: "A", Number: 1}}}},
		{Record: *netem.ChangeRecord(netem.Change{At: 10, A: 1, B: 2})},
		{Record: netem.Record{At: 10, What: "linkdown", Who: 1, From: 2}, After: []int{1, 2}},
		{Record: netem.Record{At: 10, What: "linkdown", Who: 2, From: 1}, After: []int{2}},
		{Record: netem.Record{At: 20, What: "cut", Who: 2, From: 1, Message: "A", Number: 1}, Absent: true, After: []int{1, 2}, Took: 2},
	}
	for i := range h.Events {
		h.Events[i].Order = i + 1
	}
	return h
}

// The texts of small runs are known in full.
func TestTexts(t *testing.T) {
	for _, c := range []struct {
		format Format
		run    *history.History
		want   string
	}{
		{mermaid, small(), `sequenceDiagram
  %% small, n 2
  participant p0 as p0 (id 7)
  participant p1 as p1 (id 5)
  note over p0,p1: drop 3rd message
  note over p0: start
  note over p1: start, leads
  note over p1: crash
  p0-xp1: A (lost)
  note over p1: restart
  p0->>p1: B
  note over p1: follows 7
  p1-xp0: C (lose)
  note over p0: timer run, PANICS, leads
`},
		{dot, small(), `digraph run {
  label="small, n 2";
  rankdir=LR;
  node [shape=box, fontsize=10];
  e1 [label="#1 0s  fault   drop 3rd message", shape=plaintext];
  e2 [label="#2 0s  start   0", group=p0];
  e3 [label="#3 0s  start   1  | leads", group=p1];
  e4 [label="#4 10µs  crash   1", group=p1];
  e3 -> e4 [weight=8];
  e5 [label="#5 20µs  lost    0 -> 1  A", style=dashed];
  e2 -> e5;
  e4 -> e5;
  e6 [label="#6 30µs  restart 1", group=p1];
  e4 -> e6 [weight=8];
  e7 [label="#7 30.5µs  deliver 0 -> 1  B  | follows 7", group=p1];
  e2 -> e7;
  e6 -> e7 [weight=8];
  e8 [label="#8 30.6µs  lose    1 -> 0  C", style=dashed];
  e7 -> e8;
  e9 [label="#9 50µs  timeout 0  timer 4 (run)  | PANICS  | leads", group=p0];
  e2 -> e9 [weight=8];
}
`},
		{shiviz, small(), shivizHead + `0s  start   0  | sends A to 1, B to 1
p0 {"p0":1}
0s  start   1  | leads
p1 {"p1":1}
10µs  crash   1
p1 {"p1":2}
30µs  restart 1
p1 {"p1":3}
30.5µs  deliver 0 -> 1  B  | sends C to 0  | follows 7
p1 {"p0":1, "p1":4}
50µs  timeout 0  timer 4 (run)  | sends D to 1  | PANICS  | leads
p0 {"p0":2}
`},
		{jsonl, small(), `{"time_ns":0,"what":"fault","fault":"drop 3rd message"}
{"time_ns":0,"what":"start","process":0,"sends":[{"to":1,"message":"A","number":1},{"to":1,"message":"B","number":2}]}
{"time_ns":0,"what":"start","process":1,"decides":"leads"}
{"time_ns":10000,"what":"crash","process":1}
{"time_ns":20000,"what":"lost","process":1,"from":0,"message":"A","number":1}
{"time_ns":30000,"what":"restart","process":1}
{"time_ns":30500,"what":"deliver","process":1,"from":0,"message":"B","number":2,"sends":[{"to":0,"message":"C","number":3}],"decides":"follows 7"}
{"time_ns":30600,"what":"lose","process":0,"from":1,"message":"C","number":3}
{"time_ns":50000,"what":"timeout","process":0,"timer":4,"name":"run","sends":[{"to":1,"message":"D","number":4}],"decides":"leads","panics":true}
`},
		{mermaid, moving(), `sequenceDiagram
  %% small, n 3
  participant p0 as p0 (id 7)
  participant p1 as p1 (id 5)
  participant p2 as p2 (id 6)
  note over p1: start
  note over p1,p2: down 1-2
  note over p1: linkdown 2
  note over p2: linkdown 1
  p1-xp2: A (cut)
`},
		{dot, moving(), `digraph run {
  label="small, n 3";
  rankdir=LR;
  node [shape=box, fontsize=10];
  e1 [label="#1 0s  start   1", group=p1];
  e2 [label="#2 10ns  fault   down 1-2", shape=plaintext];
  e3 [label="#3 10ns  linkdown 1  link to 2", group=p1];
  e1 -> e3 [weight=8];
  e2 -> e3;
  e4 [label="#4 10ns  linkdown 2  link to 1", group=p2];
  e2 -> e4;
  e5 [label="#5 20ns  cut     1 -> 2  A", style=dashed];
  e1 -> e5;
  e2 -> e5;
  subgraph cluster_graph {
    label="the graph at the verdict";
    node [shape=circle];
    edge [dir=none];
    p0;
    p1;
    p2;
    p0 -> p1;
    p0 -> p2;
  }
}
`},
		{shiviz, moving(), shivizHead + `0s  start   1  | sends A to 2
p1 {"p1":1}
10ns  linkdown 1  link to 2
p1 {"p1":2}
10ns  linkdown 2  link to 1
p2 {"p2":1}
`},
		{jsonl, moving(), `{"time_ns":0,"what":"start","process":1,"sends":[{"to":2,"message":"A","number":1}]}
{"time_ns":10,"what":"fault","fault":"down 1-2"}
{"time_ns":10,"what":"linkdown","process":1,"from":2}
{"time_ns":10,"what":"linkdown","process":2,"from":1}
{"time_ns":20,"what":"cut","process":2,"from":1,"message":"A","number":1}
`},
		{jsonl, timeless(), `{"time_ns":null,"step":2,"what":"start","process":1,"sends":[{"to":0,"message":"A<","number":1}]}
{"time_ns":null,"step":5,"what":"deliver","process":0,"from":1,"message":"A<","number":1,"choices":[3]}
`},
	} {
		text, err := c.format.Text(c.run)
		if err != nil || string(text) != c.want {
			t.Errorf("%s, %v:\n%s\nwant\n%s", c.format.Name, err, text, c.want)
		}
	}
}

// The slices, instants and flows of Perfetto: a line of place in ns, phase, thread and name each.
func TestPlacesOfSmallRuns(t *testing.T) {
	for _, c := range []struct {
		run  *history.History
		want []string
	}{
		{small(), []string{
			"0 i 1 fault drop 3rd message",
			"0 X 1 start",
			"0 X 2 start",
			"10000 X 2 crash",
			"20000 i 2 lost A",
			"30000 X 2 restart",
			"31000 X 2 B", // at 30500 the restart is still there
			"500 s 1 B",
			"31500 f 2 B",
			"32000 i 1 lose C", // its cause is at 31000
			"50000 X 1 timeout",
		}},
		{moving(), []string{"0 X 2 start", "10 i 1 fault down 1-2", "1010 X 2 linkdown", "1010 X 3 linkdown", "2010 i 3 cut A"}},
		{timeless(), []string{"2000 X 2 start", "5000 X 1 A<", "2500 s 2 A<", "5500 f 1 A<"}},
	} {
		text, err := chrome.Text(c.run)
		if err != nil {
			t.Fatal(err)
		}
		var file chromeFile
		if err := json.Unmarshal(text, &file); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range file.TraceEvents {
			if e.Ph != "M" {
				got = append(got, fmt.Sprintf("%.0f %s %d %s", e.Ts*1000, e.Ph, e.Tid, e.Name))
			}
			if e.Ph == "X" && e.Dur != 1 {
				t.Errorf("%+v is not as wide as the others", e)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

// The states of ITF: the fields and decisions of the processes, which of them are down, and the
// messages under way, after each event.
func TestStatesOfTheSmallRun(t *testing.T) {
	text, err := itf.Text(small())
	if err != nil {
		t.Fatal(err)
	}
	var file itfFile
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	const (
		none   = `{"#map":[]}`
		one    = `{"#map":[[{"#bigint":"0"},{"#map":[["x","10"]]}]]}`
		two    = `{"#map":[[{"#bigint":"0"},{"#map":[["x","10"]]}],[{"#bigint":"1"},{"#map":[["x","20"],["y","1"]]}]]}`
		last   = `{"#map":[[{"#bigint":"0"},{"#map":[["x","10"]]}],[{"#bigint":"1"},{"#map":[["x","21"],["y","1"]]}]]}`
		leads  = `{"#map":[[{"#bigint":"1"},"leads"]]}`
		follow = `{"#map":[[{"#bigint":"1"},"follows 7"]]}`
		both   = `{"#map":[[{"#bigint":"0"},"leads"],[{"#bigint":"1"},"follows 7"]]}`
		up     = `{"#set":[]}`
		down   = `{"#set":[{"#bigint":"1"}]}`
		a      = `{"from":{"#bigint":"0"},"to":{"#bigint":"1"},"number":{"#bigint":"1"},"message":"A"}`
		b      = `{"from":{"#bigint":"0"},"to":{"#bigint":"1"},"number":{"#bigint":"2"},"message":"B"}`
		c      = `{"from":{"#bigint":"1"},"to":{"#bigint":"0"},"number":{"#bigint":"3"},"message":"C"}`
	)
	want := []struct{ time, processes, decided, down, underway string }{
		{"0", none, none, up, ""},
		{"0", one, none, up, a + "," + b},
		{"0", two, leads, up, a + "," + b},
		{"10000", two, leads, down, a + "," + b},
		{"20000", two, leads, down, b},
		{"30000", two, none, up, b}, // it comes back without its memory
		{"30500", last, follow, up, c},
		{"30600", last, follow, up, ""},
		{"50000", last, both, up, ""}, // what it sent while it panicked does not leave
	}
	if len(file.States) != len(want) {
		t.Fatalf("%d states; want %d", len(file.States), len(want))
	}
	for i, w := range want {
		for variable, value := range map[string]string{
			"#meta": fmt.Sprintf(`{"index":%d}`, i), "time": `{"#bigint":"` + w.time + `"}`,
			"processes": w.processes, "decided": w.decided, "down": w.down, "underway": `{"#set":[` + w.underway + `]}`,
		} {
			if got := string(file.States[i][variable]); got != value {
				t.Errorf("after event %d, %s is %s; want %s", i+1, variable, got, value)
			}
		}
	}
	if text, err = itf.Text(timeless()); err != nil || !strings.Contains(string(text), `"time":{"#bigint":"-1"}`) {
		t.Errorf("a run without time: %v\n%s", err, text)
	}
}
