package foreign_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"bullring/experiments/real/foreign"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/experiments/trial/search"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/lcr"
)

// The test binary is the node of its tests, if its one argument is no flag: how it behaves.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && !strings.HasPrefix(os.Args[1], "-") {
		node(os.Args[1])
		return
	}
	os.Exit(m.Run())
}

// nodes are the processes of a test.
func nodes(t testing.TB, how string) (*trial.Registry, string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return registry(t, time.Minute), fmt.Sprintf("'%s' %s", self, how)
}

// registry has LCR, and runs programs.
func registry(t testing.TB, wait time.Duration) *trial.Registry {
	all := &foreign.Nodes{Allowed: true, Wait: wait}
	t.Cleanup(all.Close)
	r := &trial.Registry{Nodes: all}
	r.Register(families.Election(trial.Algorithm{
		Name: "lcr", Title: "LCR", Source: "Lynch",
		Assumes: trial.Assumptions{Topologies: []string{"ring", "biring"}, AllInitiate: true},
	}, func(*trial.Instance) election.Promise { return election.Promise{LeaderOnly: true} },
		func(in *trial.Instance) func(protocols.ID) election.Process[lcr.Message] {
			return func(p protocols.ID) election.Process[lcr.Message] { return lcr.New(in.Ranks.At(p), lcr.Config{}) }
		}))
	return r
}

// run runs a setting.
func run(t *testing.T, r *trial.Registry, s trial.Setting) *trial.Result {
	t.Helper()
	in, err := r.Instance(s)
	if err != nil {
		t.Fatal(err)
	}
	return new(trial.Worker).Run(t.Context(), in, nil)
}

// packet is a line of the protocol.
type packet struct {
	Src  string         `json:"src"`
	Dest string         `json:"dest"`
	Body map[string]any `json:"body"`
}

// node is LCR as a node, or one that misbehaves.
func node(how string) {
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	var me, next string
	var rank float64
	if how == "services" {
		serve(in, out)
		return
	}
	if how, tells := strings.CutPrefix(how, "tells-"); tells {
		tell(how, in, out)
		return
	}
	seen := 0
	send := func(dest string, body map[string]any) {
		text, _ := json.Marshal(packet{me, dest, body})
		out.Write(append(text, '\n'))
	}
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var m packet
		if json.Unmarshal(line, &m) != nil {
			os.Exit(3)
		}
		switch kind := m.Body["type"]; kind {
		case "init":
			me, rank = m.Dest, m.Body["rank"].(float64)
			next = m.Body["neighbors"].([]any)[0].(string)
			begin(how, me)
			send(m.Src, map[string]any{"type": "init_ok", "in_reply_to": m.Body["msg_id"], "reusable": how == "reusable"})
			if how == "ticks" {
				send("timer", map[string]any{"type": "set", "label": 9, "after": "500us"})
			}
		case "timeout":
		case "start":
			probe := map[string]any{"type": "probe", "rank": rank}
			if how == "moody" {
				probe["mood"] = os.Getpid()
			}
			send(next, probe)
		case "probe":
			seen++
			if how == "naps" {
				time.Sleep(100 * time.Millisecond)
			}
			if how == "talks" {
				send("c0", map[string]any{"type": "log", "text": fmt.Sprint("message ", seen)})
				fmt.Fprintf(os.Stderr, "heard %v\nas %d\n", m.Body["rank"], os.Getpid())
			}
			misbehave(how, me, seen, send, out)
			switch his := m.Body["rank"].(float64); {
			case how == "silent" && me == "n3" && seen == 2:
			case his > rank || how == "livelock":
				send(next, m.Body)
			case his == rank && how != "undecided":
				send("c0", map[string]any{"type": "decide", "leader": rank, "elected": true})
			}
		default:
			send(m.Src, map[string]any{"type": "error", "in_reply_to": m.Body["msg_id"], "code": 10})
			if how == "late" && me == "n3" && seen == 2 {
				out.Flush()
				send("n4", map[string]any{"type": "probe", "rank": 1})
			}
		}
		out.Flush()
	}
}

// begin is slow to start.
func begin(how, me string) {
	switch {
	case how == "slow" && me == "n3":
		time.Sleep(1500 * time.Millisecond)
	case how == "never" && me == "n3":
		time.Sleep(time.Hour)
	case filepath.IsAbs(how): // a file that tells when programs start
		log, _ := os.OpenFile(how, os.O_APPEND|os.O_WRONLY, 0o666)
		fmt.Fprintln(log, "+")
		time.Sleep(50 * time.Millisecond)
		fmt.Fprintln(log, "-")
	}
}

// misbehave breaks the protocol in a way, in the middle of a run.
func misbehave(how, me string, seen int, send func(string, map[string]any), out *bufio.Writer) {
	if seen != 2 || me != "n3" {
		return
	}
	switch how {
	case "doubles":
		send("n4", map[string]any{"type": "probe", "rank": 1})
	case "garbage":
		out.WriteString("no ballot: " + strings.Repeat("-", 300) + "\n")
	case "print":
		out.WriteString("debug\n")
	case "log":
		send("c0", map[string]any{"type": "log", "line": "debug"})
	case "number":
		out.WriteString("7\n")
	case "untyped":
		send("n4", map[string]any{"rank": 1})
	case "stranger":
		send("n99", map[string]any{"type": "probe", "rank": 1})
	case "far":
		send("n1", map[string]any{"type": "probe", "rank": 1})
	case "kind":
		send("n4", map[string]any{"type": "gossip"})
	case "impostor":
		out.WriteString(`{"src":"n1","dest":"n4","body":{"type":"probe","rank":1}}` + "\n")
	case "answers":
		send("c0", map[string]any{"type": "error", "in_reply_to": 1000})
	case "dies":
		fmt.Fprintln(os.Stderr, "no such file: ballots.txt")
		os.Exit(3)
	case "hangs":
		time.Sleep(time.Hour)
	case "floods", "logs", "asks", "trickles":
		for i := range 1_000_000_000 {
			switch how {
			case "floods":
				send("n4", map[string]any{"type": "probe", "rank": 1})
			case "asks":
				send("random", map[string]any{"type": "intn", "n": 2, "msg_id": i})
			default:
				send("c0", map[string]any{"type": "log", "text": "still here"})
			}
			if how == "trickles" {
				out.Flush()
				time.Sleep(100 * time.Millisecond)
			}
		}
	case "spins":
		for turns := 0; ; turns++ {
		}
	case "endless":
		for {
			out.WriteString("y")
		}
	case "murmurs":
		for {
			fmt.Fprintln(os.Stderr, strings.Repeat("still here ", 10))
		}
	case "gabs":
		for i := range 100 {
			send("c0", map[string]any{"type": "log", "text": fmt.Sprint(i, strings.Repeat("-", 2000))})
			fmt.Fprintln(os.Stderr, i, strings.Repeat("-", 2000))
		}
	case "long":
		out.WriteString(strings.Repeat("y", 2<<20) + "\n")
	case "timer":
		send("timer", map[string]any{"type": "set", "label": 1, "after": "soon"})
	case "random":
		send("random", map[string]any{"type": "intn", "n": 0, "msg_id": 1})
	case "links":
		send("links", map[string]any{"type": "neighbours", "msg_id": 1})
	case "hollow":
		send("links", map[string]any{"type": "broadcast", "body": map[string]any{"type": "probe"}})
	case "nameless":
		send("links", map[string]any{"type": "broadcast", "message": map[string]any{"rank": 1}})
	}
}

// A node in another program has the run of the algorithm, to the fingerprint; a program that is
// kept for another trial, too.
func TestNodeIsTheAlgorithm(t *testing.T) {
	for _, how := range []string{"plain", "reusable"} {
		r, command := nodes(t, how)
		for seed := range uint64(3) {
			s := trial.Setting{Algorithm: "lcr", N: 8, Placement: "decreasing", Delay: "exp(1ms)", Seed: seed}
			want := run(t, r, s)
			s.Node = command
			got := run(t, r, s)
			if got.Failed != nil || got.Fingerprint != want.Fingerprint || got.Outcome != families.Elected || !got.Correct {
				t.Errorf("%s, seed %d: fingerprint %x, outcome %v, error %v; want %x, elected", how, seed, got.Fingerprint, got.Outcome, got.Failed, want.Fingerprint)
			}
			s.Algorithm, s.Topology = trial.PlainNode, "ring"
			plain := run(t, r, s)
			if plain.Fingerprint != want.Fingerprint || plain.Outcome != "at rest" || !plain.Correct || len(plain.Checks) > 0 || !slices.Equal(plain.Kinds, []string{"PROBE"}) {
				t.Errorf("%s, seed %d, as no algorithm: fingerprint %x, outcome %v, kinds %q, error %v", how, seed, plain.Fingerprint, plain.Outcome, plain.Kinds, plain.Failed)
			}
		}
	}
}

// What a node does wrong is named, and ends the run; no program is left.
func TestMisbehaviour(t *testing.T) {
	for how, says := range map[string]string{
		"garbage":  `told PROBE{"rank":7} from n2: wrote line 8 of its output, which is no JSON object with src, dest and body: "no ballot: ---`,
		"number":   `no JSON object`,
		"print":    `Standard output is for the protocol; for lines that stand in the trace use the log of the library, or standard error`,
		"log":      `wrote line 8 of its output, to the log, but it has no text`,
		"untyped":  `no JSON object with a type`,
		"stranger": `"n99" is no node; the nodes are n0 to n7`,
		"far":      `a message to n1, to which n3 has no link`,
		"kind":     `a message of type "gossip"; the kinds of messages are PROBE`,
		"impostor": `src "n1"; its name is n3`,
		"answers":  `answered request 1000`,
		"dies":     `ended: exit status 3; its standard error ends with "no such file: ballots.txt"`,
		"floods":   `wrote more than 16384 lines in one step`,
		"logs":     `wrote more than 16384 lines in one step`,
		"long":     `of more than 1048576 bytes`,
		"endless":  `of more than 1048576 bytes`,
		"timer":    `after is no duration`,
		"random":   `intn with n from 1`,
		"links":    `wrote line 8 of its output, to the service links, which knows neighbors and broadcast: {`,
		"hollow":   `to the service links, but it has no message`,
		"nameless": `to the service links, whose message is no JSON object with a type that is a text`,
		"late":     `is not in lockstep`,
	} {
		t.Run(how, func(t *testing.T) {
			_, command := nodes(t, how)
			r := registry(t, 2*time.Second)
			result := run(t, r, trial.Setting{Algorithm: "lcr", N: 8, Placement: "decreasing", Node: command})
			if !result.Panicked() || !strings.Contains(result.Failed.Error(), says) {
				t.Errorf("error %v; want %q", result.Failed, says)
			}
			if text := fmt.Sprint(result.Failed); len(text) > 1200 {
				t.Errorf("the error is long: %s", text)
			}
			r.Nodes.(*foreign.Nodes).Close()
			if left := children(t); left != "" {
				t.Errorf("programs are left: %s", left)
			}
		})
	}
}

// A program that does not answer in time makes the run inconclusive: it has no values, no
// verdicts and no failure. That it goes on writing is no answer. Its start has a limit of its own.
func TestLate(t *testing.T) {
	for _, how := range []string{"hangs", "spins", "trickles", "asks", "slow"} {
		_, command := nodes(t, how)
		r := registry(t, time.Second)
		result := run(t, r, trial.Setting{Algorithm: "lcr", N: 8, Placement: "decreasing", Node: command})
		late := result.Late()
		if how == "slow" {
			if late != nil && strings.Contains(late.Error(), "init") {
				t.Errorf("a slow start: %v", late)
			}
			continue
		}
		_, measured := result.Metric("messages")
		says := "did not answer for 1s (--node-timeout)"
		if how == "asks" {
			says = "did not read its input for 1s (--node-timeout)"
		}
		if late == nil || !strings.Contains(late.Error(), says) ||
			result.Outcome != trial.Inconclusive || result.End != netem.Unanswered || result.Panicked() ||
			result.Impossible() != nil || result.Checks != nil || result.Bounds != nil || measured || search.FailureOf(result) != "" {
			t.Errorf("%s: %v, %v, %v, failure %q", how, result.Outcome, result.End, result.Failed, search.FailureOf(result))
		}
		r.Nodes.(*foreign.Nodes).Close()
		if left := children(t); left != "" {
			t.Errorf("programs are left: %s", left)
		}
	}
}

// A run starts few programs at once.
func TestFewStartAtOnce(t *testing.T) {
	most := max(2, runtime.NumCPU())
	if most > 16 {
		t.Skip("so many programs may start at once that the test would start hundreds: NOT tested here")
	}
	log := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(log, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	r, command := nodes(t, log)
	if result := run(t, r, trial.Setting{Algorithm: "lcr", N: 3 * most, Node: command}); result.Failed != nil {
		t.Fatal(result.Failed)
	}
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	now, largest := 0, 0
	for _, line := range strings.Fields(string(text)) {
		if now--; line == "+" {
			now += 2
		}
		largest = max(largest, now)
	}
	if strings.Count(string(text), "+") != 3*most || largest > most {
		t.Errorf("%d programs started at once; want %d at most:\n%s", largest, most, text)
	}
}

// children are the processes that this one has started and that have not ended, where the
// system tells.
func children(t *testing.T) string {
	t.Helper()
	files, _ := filepath.Glob("/proc/self/task/*/children")
	all := ""
	for _, f := range files {
		text, _ := os.ReadFile(f)
		all += string(text)
	}
	return all
}

// A setting starts no program unless that is allowed, and no program whose file has changed.
func TestNodesAreAllowed(t *testing.T) {
	r, command := nodes(t, "plain")
	s := trial.Setting{Algorithm: "lcr", N: 3, Node: command}
	r.Nodes = &foreign.Nodes{}
	if failed := run(t, r, s).Failed; failed == nil || !strings.Contains(failed.Error(), "--allow-nodes") {
		t.Errorf("a program that was not allowed: %v", failed)
	}
	in, err := r.Instance(s)
	if err != nil {
		t.Fatal(err)
	}
	if foreign.Command(in.Setting.Node) != command {
		t.Errorf("the setting has %q", in.Setting.Node)
	}
	_, sum, _ := strings.Cut(in.Setting.Node, " # sha256 ")
	s.Node = strings.ReplaceAll(in.Setting.Node, sum[len(sum)-64:], strings.Repeat("0", 64))
	r.Nodes = &foreign.Nodes{Allowed: true}
	if failed := run(t, r, s).Failed; failed == nil || !strings.Contains(failed.Error(), "is not the file that ran before") {
		t.Errorf("a program with another hash: %v", failed)
	}
}

// Python, if it is there, is as good as Go.
func TestPython(t *testing.T) {
	// Python itself: the python3 in the PATH may be the script of a version manager.
	python, err := exec.Command("python3", "-c", "import sys; print(sys.executable)").Output()
	if err != nil {
		t.Skip("python3 is not installed: nodes in Python are NOT tested here")
	}
	r := registry(t, time.Minute)
	for _, seed := range []uint64{1, 2} {
		s := trial.Setting{Algorithm: "lcr", N: 16, Placement: "decreasing", Delay: "exp(1ms)", Seed: seed}
		want := run(t, r, s)
		s.Node = strings.TrimSpace(string(python)) + " -S testdata/lcr.py"
		got := run(t, r, s)
		if got.Failed != nil || got.Fingerprint != want.Fingerprint {
			t.Errorf("seed %d: fingerprint %x, want %x; %v", seed, got.Fingerprint, want.Fingerprint, got.Failed)
		}
	}
}

// serve is a node that uses each service. It asks the detector for n1, draws a number from 0 to
// 9 at its start and after a restart, sets a timer of as many milliseconds, and tells the
// driver. It waits for answers inside its handler, as a node with threads does.
func serve(in *bufio.Reader, out *bufio.Writer) {
	var me string
	var later []packet // what came while it waited
	id := 0.0
	send := func(dest string, body map[string]any) {
		text, _ := json.Marshal(packet{me, dest, body})
		out.Write(append(text, '\n'))
		out.Flush()
	}
	read := func() (m packet) {
		line, err := in.ReadBytes('\n')
		if err != nil || json.Unmarshal(line, &m) != nil {
			os.Exit(0)
		}
		return m
	}
	ask := func(dest string, body map[string]any) map[string]any {
		id++
		body["msg_id"] = id
		for send(dest, body); ; {
			m := read()
			if m.Body["in_reply_to"] == id {
				return m.Body
			}
			later = append(later, m)
		}
	}
	act := func() {
		suspects := ask("detector", map[string]any{"type": "suspects", "node": "n1"})["suspects"]
		ms := ask("random", map[string]any{"type": "intn", "n": 10})["value"]
		send("c0", map[string]any{"type": "drew", "value": ms, "suspects": suspects})
		send("timer", map[string]any{"type": "set", "label": 4, "after": fmt.Sprintf("%vms", ms)})
		send("timer", map[string]any{"type": "set", "label": 5, "after": "1h"})
		send("timer", map[string]any{"type": "stop", "label": 5})
	}
	for {
		var m packet
		if len(later) > 0 {
			m, later = later[0], later[1:]
		} else {
			m = read()
		}
		switch m.Body["type"] {
		case "init":
			me = m.Dest
			send(m.Src, map[string]any{"type": "init_ok", "in_reply_to": m.Body["msg_id"]})
			if m.Body["restarted"] == true {
				act()
			}
		case "start":
			act()
		case "timeout":
			send("c0", map[string]any{"type": "expired", "label": m.Body["label"]})
		default:
			send(m.Src, map[string]any{"type": "error", "in_reply_to": m.Body["msg_id"], "code": 10})
		}
	}
}

// Timers, chance and the failure detector are those of the run, also after a crash and a
// restart.
func TestServices(t *testing.T) {
	r, command := nodes(t, "services")
	s := trial.Setting{
		Algorithm: trial.PlainNode, N: 2, Node: command, Initiators: "0", Seed: 3,
		Fault: "at 20ms crash 1; at 30ms crash 0; at 40ms restart 0",
	}
	in, err := r.Instance(s)
	if err != nil {
		t.Fatal(err)
	}
	var texts [2]string
	for i := range texts {
		var trace strings.Builder
		result := new(trial.Worker).Run(t.Context(), in, func(run *trial.Traced) netem.Tracer {
			return looked{netem.TextTrace(&trace, run.News), func(r netem.Record) {
				if alive := len(strings.Fields(children(t))); r.What == "restart" && runtime.GOOS == "linux" && alive != 1 {
					t.Errorf("%d programs run when one of two that crashed has restarted", alive)
				}
			}}
		})
		if result.Failed != nil || result.Outcome != "at rest" {
			t.Fatalf("outcome %v, error %v\n%s", result.Outcome, result.Failed, &trace)
		}
		texts[i] = trace.String()
	}
	if texts[0] != texts[1] {
		t.Errorf("two runs are\n%s\nand\n%s", texts[0], texts[1])
	}
	for _, pattern := range []string{
		`(?m)^ +0s  start   0  \| chooses (\d)  \| says \{"suspects":false,"type":"drew","value":(\d)\}$`,
		`(?m)^ +\dms  timeout 0  timer 4  \| says \{"label":4,"type":"expired"\}$`,
		`(?m)^ +40ms  restart 0  \| chooses (\d)  \| says \{"suspects":true,"type":"drew","value":(\d)\}$`,
		`(?m)^ +4\dms  timeout 0  timer 4  \|`,
	} {
		if !regexp.MustCompile(pattern).MatchString(texts[0]) {
			t.Errorf("the trace does not match %s:\n%s", pattern, texts[0])
		}
	}
}

// looked is a tracer that looks at records, too.
type looked struct {
	netem.Tracer
	look func(netem.Record)
}

func (l looked) Record(r netem.Record) {
	l.look(r)
	l.Tracer.Record(r)
}

// Links and faults do to messages of programs what they do to those of the algorithm.
func TestLinksAndFaults(t *testing.T) {
	r, command := nodes(t, "reusable")
	for _, s := range []trial.Setting{
		{Link: "loss 10%"},
		{Link: "duplicate 20% delay 2ms 1ms"},
		{Fault: "at 2ms crash 3"},
		{Fault: "drop 2nd PROBE from 3 to 4"},
		{Fault: "at 1ms pause 2 for 5ms"},
		{Topology: "biring", Transport: "reliable(5ms,0)", Link: "loss 10%"},
		{Topology: "biring", Detector: "heartbeat(10ms,30ms)"},
	} {
		s.Algorithm, s.N, s.Placement, s.Delay, s.Seed, s.OutsideModel = "lcr", 6, "decreasing", "exp(1ms)", 5, true
		want := run(t, r, s)
		s.Node = command
		if got := run(t, r, s); got.Failed != nil || got.Fingerprint != want.Fingerprint || got.Outcome != want.Outcome {
			t.Errorf("%+v: fingerprint %x, %v, %v; want %x, %v", s, got.Fingerprint, got.Outcome, got.Failed, want.Fingerprint, want.Outcome)
		}
	}
}

// A comparison names the first act or event that differs, with those before it and after it: also if the
// process sends less or more, says less, or if one of the runs goes on. What wakes a process counts only
// if that is asked for.
func TestComparison(t *testing.T) {
	long, short, slow := trial.Setting{Delay: "1ms"}, trial.Setting{Delay: "1ms", MaxTime: "3ms"}, trial.Setting{Delay: "2ms"}
	for _, c := range []struct {
		how            string        // the program behaves
		setting, other trial.Setting // of the run of the program, and of the one that it is compared with
		acts, events   uint64        // that are the same, without and with timers; 0 is not looked at
		parts          [2]bool       // without and with timers
		texts          [3]string     // of acts: ends of the last that is common, and of those that differ; the last is of the other run
	}{
		{"plain", long, long, 16, 20, [2]bool{}, [3]string{}},
		{"ticks", long, long, 16, 0, [2]bool{false, true}, [3]string{}},
		{"silent", long, long, 10, 11, [2]bool{true, true}, [3]string{"", `2ms  deliver 3 -> 4  PROBE{"rank":3}  | sends PROBE{"rank":3} to 0`, "2ms  deliver 2 -> 3  PROBE(4)  | sends PROBE(4) to 4"}},
		{"doubles", long, long, 10, 11, [2]bool{true, true}, [3]string{"", `2ms  deliver 2 -> 3  PROBE{"rank":4}  | sends PROBE{"rank":1} to 4, PROBE{"rank":4} to 4`, "2ms  deliver 2 -> 3  PROBE(4)  | sends PROBE(4) to 4"}},
		{"undecided", long, long, 15, 19, [2]bool{true, true}, [3]string{"", "", "5ms  deliver 4 -> 0  PROBE(5)  | is the leader"}},
		{"plain", slow, long, 5, 5, [2]bool{true, true}, [3]string{`0s  start   4  | sends PROBE{"rank":1} to 0`, `2ms  deliver 0 -> 1  PROBE{"rank":5}  | sends PROBE{"rank":5} to 2`, "1ms  deliver 0 -> 1  PROBE(5)  | sends PROBE(5) to 2"}},
		{"plain", short, long, 0, 17, [2]bool{true, true}, [3]string{`3ms  deliver 3 -> 4  PROBE{"rank":4}  | sends PROBE{"rank":4} to 0`, "", "4ms  deliver 3 -> 4  PROBE(5)  | sends PROBE(5) to 0"}},
		{"plain", long, short, 0, 17, [2]bool{true, true}, [3]string{`3ms  deliver 3 -> 4  PROBE{"rank":4}  | sends PROBE{"rank":4} to 0`, `4ms  deliver 3 -> 4  PROBE{"rank":5}  | sends PROBE{"rank":5} to 0`, ""}},
	} {
		for i, timers := range []bool{false, true} {
			r, command := nodes(t, c.how)
			instance := func(s trial.Setting) *trial.Instance {
				s.Algorithm, s.N, s.Placement, s.Node = "lcr", 5, "decreasing", command
				in, err := r.Instance(s)
				if err != nil {
					t.Fatal(err)
				}
				return in
			}
			like, err := foreign.CompareLike(t.Context(), r, instance(c.other), timers)
			if err != nil {
				t.Fatal(err)
			}
			result := new(trial.Worker).Run(t.Context(), instance(c.setting), like.Tracer)
			like.Finish(result)
			what := fmt.Sprintf("%s, %q to %q with %q to %q, %ss", c.how, c.setting.Delay, c.setting.MaxTime, c.other.Delay, c.other.MaxTime, like.Unit())
			if want := [2]uint64{c.acts, c.events}[i]; want > 0 && like.Events != want || like.Parted != c.parts[i] || (like.Error() != nil) != c.parts[i] || like.Cut {
				t.Errorf("%s: %d, %+v, %v", what, like.Events, like, like.Error())
			}
			if same := like.Fingerprint == result.Fingerprint; same != (c.how == "plain" && !c.parts[i]) {
				t.Errorf("%s: fingerprint %x of %x", what, like.Fingerprint, result.Fingerprint)
			}
			if timers || !c.parts[i] {
				continue
			}
			var last foreign.Pair
			if n := len(like.Common); n > 0 {
				last = like.Common[n-1]
			}
			for i, text := range []string{last.Program, first(like.Program), first(like.Other)} {
				if !strings.HasSuffix(text, c.texts[i]) || i > 0 && (text == "") != (c.texts[i] == "") {
					t.Errorf("%s: text %d is %q, not %q", what, i, text, c.texts[i])
				}
			}
			if most := max(len(like.Common), len(like.Program), len(like.Other)); most > 3 || len(like.Common) != 3 {
				t.Errorf("%s: %d lines before; %d and %d", what, len(like.Common), len(like.Program), len(like.Other))
			}
		}
	}
}

// first is the first line, or none.
func first(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return lines[0]
}

// TestTwice: two runs of a program are the same if the contents of messages are, too.
func TestTwice(t *testing.T) {
	for how, common := range map[string]uint64{"plain": 20, "moody": 0} {
		r, command := nodes(t, how)
		in, err := r.Instance(trial.Setting{Algorithm: "lcr", N: 5, Placement: "decreasing", Node: command})
		if err != nil {
			t.Fatal(err)
		}
		twice := foreign.CompareTwice(t.Context(), in)
		twice.Finish(new(trial.Worker).Run(t.Context(), in, twice.Tracer))
		if twice.Events != common || (twice.Error() == nil) != (how == "plain") {
			t.Errorf("%s: %+v, %v", how, twice, twice.Error())
		}
	}
}

// A run of programs that never answer takes no longer than its limit, however many there are.
func TestSilentProgramsEnd(t *testing.T) {
	r := registry(t, time.Minute)
	r.Nodes.(*foreign.Nodes).Limit = 300 * time.Millisecond
	began := time.Now()
	late := run(t, r, trial.Setting{Algorithm: "lcr", N: 6, Node: "sleep 100"}).Late()
	if late == nil || !strings.Contains(late.Error(), "told init: the run takes more than 300ms (--node-limit)") || time.Since(began) > 10*time.Second {
		t.Errorf("after %v: %v", time.Since(began), late)
	}
}
