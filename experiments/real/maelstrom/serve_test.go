package maelstrom_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"bullring/experiments/real/maelstrom"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/lcr"
)

// alarm is LCR that starts when a timer expires. Another timer would end the test.
type alarm struct{ *lcr.Process }

func (alarm) Start(n protocols.Node[lcr.Message]) {
	n.SetTimer(0, time.Hour)
	n.SetTimer(1, time.Hour)
	n.StopTimer(1)
	n.SetTimer(0, time.Millisecond)
}

func (p alarm) Timeout(n protocols.Node[lcr.Message], t protocols.Timer) {
	if t != 0 {
		panic("a timer expired that was stopped")
	}
	p.Process.Start(n)
}

// config runs LCR; with late, one that starts when a timer expires.
func config(s trial.Setting, late bool) maelstrom.Config {
	r := &trial.Registry{}
	r.Register(families.Election(trial.Algorithm{
		Name: "lcr", Title: "LCR", Source: "Lynch",
		Assumes: trial.Assumptions{Topologies: []string{"ring", "biring"}, AllInitiate: true},
	}, func(*trial.Instance) election.Promise { return election.Promise{LeaderOnly: true} },
		func(in *trial.Instance) func(protocols.ID) election.Process[lcr.Message] {
			return func(p protocols.ID) election.Process[lcr.Message] {
				if late {
					return alarm{lcr.New(in.Ranks.At(p), lcr.Config{})}
				}
				return lcr.New(in.Ranks.At(p), lcr.Config{})
			}
		}))
	return maelstrom.Config{Instance: func(n int) (*trial.Instance, error) {
		s.Algorithm, s.N = "lcr", n
		return r.Instance(s)
	}}
}

// TestDialogue: the answers to the lines of a dialogue are those of the file.
func TestDialogue(t *testing.T) {
	text, err := os.ReadFile("testdata/lcr.txt")
	if err != nil {
		t.Fatal(err)
	}
	var in, want, out, log strings.Builder
	for line := range strings.Lines(string(text)) {
		if said, ours := strings.CutPrefix(line, "< "); ours {
			want.WriteString(said)
		} else {
			in.WriteString(strings.TrimPrefix(line, "> "))
		}
	}
	if err := maelstrom.Serve(t.Context(), strings.NewReader(in.String()), &out, &log, config(trial.Setting{}, false)); err != nil {
		t.Fatal(err)
	}
	if out.String() != want.String() || log.Len() > 0 {
		t.Errorf("the node says\n%s%s\nand the file says\n%s", out.String(), log.String(), want.String())
	}
}

// packet is a line.
type packet struct {
	Src  string         `json:"src"`
	Dest string         `json:"dest"`
	Body map[string]any `json:"body"`
}

// wired is a node with its ends of a wire.
type wired struct {
	in  io.WriteCloser
	out *bufio.Scanner
	end chan error
}

func wire(t *testing.T, c maelstrom.Config) *wired {
	in, theirIn := io.Pipe()
	theirOut, out := io.Pipe()
	w := &wired{theirIn, bufio.NewScanner(theirOut), make(chan error, 1)}
	go func() {
		w.end <- maelstrom.Serve(t.Context(), in, out, io.Discard, c)
		out.Close()
	}()
	return w
}

// tell tells a node a line, and then asks it to read. It returns what the node wrote before its
// answer, and the answer.
func (w *wired) tell(t *testing.T, p packet) (said []packet, answer map[string]any) {
	t.Helper()
	e := json.NewEncoder(w.in)
	if err := e.Encode(p); err != nil {
		t.Fatal(err)
	}
	if err := e.Encode(packet{"c1", p.Dest, map[string]any{"type": "read", "msg_id": 77}}); err != nil {
		t.Fatal(err)
	}
	for w.out.Scan() {
		var p packet
		if err := json.Unmarshal(w.out.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		if p.Body["type"] == "read_ok" {
			return said, p.Body
		}
		said = append(said, p)
	}
	t.Fatal("the node has ended")
	return nil, nil
}

// sends is a tracer that notes the messages of a run.
type sends []string

func (s *sends) Record(r netem.Record) {
	for _, m := range r.Sent {
		*s = append(*s, fmt.Sprintf("n%d n%d %v", r.Who, m.To, m.Message))
	}
}

// TestThreeNodes: three nodes with a router between them send what they send in the emulator.
func TestThreeNodes(t *testing.T) {
	for _, ids := range []string{"", "3,2,1", "2,3,1"} {
		c := config(trial.Setting{IDs: ids}, false)
		in, err := c.Instance(3)
		if err != nil {
			t.Fatal(err)
		}
		var want sends
		emulated := new(trial.Worker).Run(t.Context(), in, func(*trial.Traced) netem.Tracer { return &want })
		names := []string{"n0", "n1", "n2"}
		nodes := map[string]*wired{}
		var queue []packet
		for _, name := range names {
			nodes[name] = wire(t, c)
			queue = append(queue, packet{"c0", name, map[string]any{"type": "init", "msg_id": 1, "node_id": name, "node_ids": names}})
		}
		var got sends
		answers := map[string]map[string]any{}
		for len(queue) > 0 {
			p := queue[0]
			queue = queue[1:]
			said, answer := nodes[p.Dest].tell(t, p)
			answers[p.Dest] = answer
			for _, s := range said {
				if s.Dest == "c0" {
					continue
				}
				queue = append(queue, s)
				id := s.Body["m"].(map[string]any)["Rank"].(map[string]any)["ID"]
				got = append(got, fmt.Sprintf("%s %s %s(%v)", s.Src, s.Dest, strings.ToUpper(s.Body["type"].(string)), id))
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) || len(got) < 5 {
			t.Errorf("ids %q: the nodes send %q; the emulator sends %q", ids, got, want)
		}
		leader, elected := emulated.Leader()
		for p, name := range names {
			leads := elected && in.Ranks.At(protocols.ID(p)).ID == leader
			if got := answers[name]; (got["status"] == "leader") != leads || leads && got["leader"] != float64(leader) {
				t.Errorf("ids %q: %s answers %v", ids, name, got)
			}
			nodes[name].in.Close()
			if err := <-nodes[name].end; err != nil {
				t.Error(err)
			}
		}
	}
}

// TestTimers: timers expire in real time, those that were stopped or set again do not.
func TestTimers(t *testing.T) {
	c := config(trial.Setting{}, true)
	c.Wait = true
	w := wire(t, c)
	if said, _ := w.tell(t, packet{"c0", "n0", map[string]any{"type": "init", "msg_id": 1, "node_id": "n0", "node_ids": []string{"n0", "n1"}}}); len(said) != 1 {
		t.Errorf("after init the node says %v", said)
	}
	start := packet{"c1", "n0", map[string]any{"type": "start", "msg_id": 2}}
	if err := json.NewEncoder(w.in).Encode(start); err != nil {
		t.Fatal(err)
	}
	var said []string
	for len(said) < 2 && w.out.Scan() {
		said = append(said, w.out.Text())
	}
	if len(said) < 2 || !strings.Contains(said[0], "start_ok") || !strings.Contains(said[1], `"probe"`) {
		t.Errorf("after start the node says %q", said)
	}
	w.in.Close()
	if err := <-w.end; err != nil {
		t.Error(err)
	}
}

const initLine = `{"src":"c0","dest":"n0","body":{"type":"init","msg_id":1,"node_id":"n0","node_ids":["n0","n1","n2"]}}` + "\n"

// TestGarbage: garbage is reported and ends nothing.
func TestGarbage(t *testing.T) {
	for line, says := range map[string]string{
		"":                                     "no JSON object",
		"hello":                                "no JSON object",
		"[1]":                                  "no JSON object",
		`{"src":"n2","dest":"n0"}`:             "no JSON object",
		`{"src":"n2","body":{"m":1}}`:          "with a type",
		`{"src":"n2","body":{"type":"probe"}}`: "there is no message",
		`{"src":"n2","body":{"type":"probe","m":{"Colour":1}}}`:                           "unknown field",
		`{"src":"n2","body":{"type":"probe","m":{"Type":9}}}`:                             "kind 9",
		`{"src":"n2","body":{"type":"announce","m":{"Type":0,"Rank":{"Attr":0,"ID":1}}}}`: `m is a message of type "probe"`,
		`{"src":"n1","body":{"type":"probe","m":{"Type":0,"Rank":{"Attr":0,"ID":1}}}}`:    "no link from n1 to n0",
	} {
		var out, log bytes.Buffer
		read := `{"src":"c1","dest":"n0","body":{"type":"read","msg_id":9}}` + "\n"
		err := maelstrom.Serve(t.Context(), strings.NewReader(initLine+line+"\n"+read), &out, &log, config(trial.Setting{}, false))
		if err != nil || !strings.Contains(log.String(), says) || !strings.Contains(out.String(), `"read_ok"`) {
			t.Errorf("%s: %v; %s%s; want %q", line, err, log.String(), out.String(), says)
		}
	}
}

// TestDead: a process that is dead from the start sends nothing, takes no message, and does not start
// when a client asks for it. It can be read.
func TestDead(t *testing.T) {
	const start, read = `{"src":"c1","dest":"n0","body":{"type":"start","msg_id":8}}`, `{"src":"c1","dest":"n0","body":{"type":"read","msg_id":9}}`
	// Its own identity would elect it, and a larger one would go on to n1.
	const own, larger = `{"src":"n2","dest":"n0","body":{"type":"probe","m":{"Rank":{"ID":1}}}}`, `{"src":"n2","dest":"n0","body":{"type":"probe","m":{"Rank":{"ID":3}}}}`
	for _, c := range []struct {
		detector string // one that lives sends its first heartbeats after init
		lines    []string
		want     []string
	}{
		{"", []string{own, larger, read, start, read}, []string{"init_ok", "read_ok undecided", "error the process is dead", "read_ok undecided"}},
		{"heartbeat(1h,3h)", []string{start, read}, []string{"init_ok", "error the process is dead", "read_ok undecided"}},
	} {
		var out, log bytes.Buffer
		dead := config(trial.Setting{IDs: "1,2,3", Topology: "biring", Detector: c.detector, Dead: "0", OutsideModel: true}, false)
		if err := maelstrom.Serve(t.Context(), strings.NewReader(initLine+strings.Join(c.lines, "\n")), &out, &log, dead); err != nil || log.Len() > 0 {
			t.Errorf("%v; %s", err, log.String())
		}
		var got []string
		for line := range strings.Lines(out.String()) {
			var p packet
			if err := json.Unmarshal([]byte(line), &p); err != nil {
				t.Fatal(err)
			}
			said := p.Body["type"].(string)
			for _, more := range []string{"text", "status"} {
				if text, is := p.Body[more].(string); is {
					said += " " + text
				}
			}
			got = append(got, said)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("detector %q: the node says\n%s", c.detector, out.String())
		}
	}
}

// TestInitiators: after init an initiator starts, unless it is to wait for a client; another does not.
func TestInitiators(t *testing.T) {
	for _, c := range []struct {
		initiators   string
		wait, starts bool
	}{{"0", false, true}, {"0", true, false}, {"1", false, false}, {"1", true, false}} {
		one := config(trial.Setting{Initiators: c.initiators, OutsideModel: true}, false)
		one.Wait = c.wait
		var out bytes.Buffer
		err := maelstrom.Serve(t.Context(), strings.NewReader(initLine), &out, io.Discard, one)
		if starts := strings.Contains(out.String(), `"probe"`); err != nil || starts != c.starts {
			t.Errorf("initiators %s, wait %v: %v\n%s", c.initiators, c.wait, err, out.String())
		}
	}
}

// TestNamesTwice: an init that names a node twice is refused.
func TestNamesTwice(t *testing.T) {
	var out, log bytes.Buffer
	init := strings.Replace(initLine, `"n1","n2"`, `"n1","n0"`, 1)
	err := maelstrom.Serve(t.Context(), strings.NewReader(init), &out, &log, config(trial.Setting{}, false))
	if err != nil || !strings.Contains(out.String(), "node_ids has a name twice") || strings.Contains(out.String(), "init_ok") {
		t.Errorf("%v; %s%s", err, log.String(), out.String())
	}
}

// TestEnds: what ends a node is told.
func TestEnds(t *testing.T) {
	for in, says := range map[string]string{
		strings.Repeat("x", 2<<20):                        "a line of the input has more than",
		strings.Replace(initLine, `"n1","n2"`, `"n1"`, 1): "3 identities",
		initLine + strings.Repeat(`{"src":"n2","body":{"type":"probe","m":{"Rank":{"ID":1}}}}`+"\n", 2): "",
	} {
		var out, log bytes.Buffer
		err := maelstrom.Serve(t.Context(), strings.NewReader(in), &out, &log, config(trial.Setting{IDs: "1,3,2"}, false))
		if says == "" && err != nil || says != "" && (err == nil || !strings.Contains(err.Error(), says)) {
			t.Errorf("%.40s: %v; want %q", in, err, says)
		}
	}
}

// A node answers anything with lines of JSON, and does not panic.
func FuzzServe(f *testing.F) {
	text, err := os.ReadFile("testdata/lcr.txt")
	if err != nil {
		f.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		f.Add(line[2:])
	}
	c := config(trial.Setting{}, false)
	f.Fuzz(func(t *testing.T, text string) {
		var out bytes.Buffer
		if err := maelstrom.Serve(t.Context(), strings.NewReader(initLine+text), &out, io.Discard, c); err != nil && !strings.Contains(err.Error(), "more than") {
			t.Error(err)
		}
		for line := range strings.Lines(out.String()) {
			if !json.Valid([]byte(line)) {
				t.Errorf("%q", line)
			}
		}
	})
}

// TestEarly: of messages that come before init, a node keeps as many as it has room for, and
// reports the others.
func TestEarly(t *testing.T) {
	line := `{"src":"n1","dest":"n0","body":{"type":"probe","m":"` + strings.Repeat("x", 1<<20-100) + "\"}}\n"
	var log bytes.Buffer
	err := maelstrom.Serve(t.Context(), strings.NewReader(strings.Repeat(line, 20)), io.Discard, &log, config(trial.Setting{}, false))
	if got := strings.Count(log.String(), "have come before init"); err != nil || got != 4 {
		t.Errorf("%v, and %d lines were reported, not 4", err, got)
	}
}
