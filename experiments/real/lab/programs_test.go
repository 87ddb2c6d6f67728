package lab_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"bullring/experiments/catalog"
	"bullring/experiments/real/foreign"
	"bullring/experiments/real/lab"
	"bullring/experiments/trial"
	"bullring/netem"
	"bullring/netem/live"
)

// python is Python itself: the python3 in the PATH may be the script of a version manager.
var python = sync.OnceValue(func() string {
	path, _ := exec.Command("python3", "-c", "import sys; print(sys.executable)").Output()
	return strings.TrimSpace(string(path))
})

// hosting is the catalogue with programs that have so long for each answer.
func hosting(t *testing.T, wait time.Duration) *trial.Registry {
	t.Helper()
	if python() == "" {
		t.Skip("python3 is not installed: live programs are NOT tested here")
	}
	library, err := filepath.Abs("../../../docs/nodes")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PYTHONPATH", library)
	r := catalog.New()
	nodes := &foreign.Nodes{Allowed: true, Wait: wait}
	t.Cleanup(func() {
		nodes.Close()
		if left := children(t); left != "" {
			t.Errorf("programs are left: %s", left)
		}
	})
	r.Nodes = nodes
	return r
}

// children are the processes that this one has started and that have not ended, where the system tells.
func children(t *testing.T) (all string) {
	t.Helper()
	files, _ := filepath.Glob("/proc/self/task/*/children")
	for _, f := range files {
		text, _ := os.ReadFile(f)
		all += string(text)
	}
	return all
}

// tryPrograms runs a setting live, whose processes are programs.
func tryPrograms(t *testing.T, r *trial.Registry, s trial.Setting, o lab.Options) *lab.Trial {
	t.Helper()
	s.Seed, s.MaxEvents = 1, trial.DefaultMaxEvents
	in, err := lab.Instance(r, s, o)
	if err != nil {
		t.Fatal(err)
	}
	tried, err := lab.Try(t.Context(), r, in, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	return tried
}

// TestProgramsAreReplayed: new programs that follow the recording of a live run do in each step what
// those of the live run did, and the run has one fingerprint.
func TestProgramsAreReplayed(t *testing.T) {
	dies := "at 2ms crash 2 for 20ms"
	for name, c := range map[string]struct {
		program string
		s       trial.Setting
		o       lab.Options
		has     string // steps of this kind
		short   bool   // this one is run in short tests, too
	}{
		"alone":    {"lcr", trial.Setting{Algorithm: trial.PlainNode, Topology: "ring"}, lab.Options{}, "deliver", true},
		"as LCR":   {"lcr", trial.Setting{Algorithm: "lcr", Placement: "decreasing"}, lab.Options{}, "deliver", false},
		"udp":      {"lcr", trial.Setting{Algorithm: "lcr"}, lab.Options{Sockets: live.UDP}, "deliver", false},
		"restart":  {"bully", trial.Setting{Algorithm: "bully", Initiators: "0", Dead: "last", Assume: "20ms", Fault: dies}, lab.Options{}, "restart", true},
		"timers":   {"bully", trial.Setting{Algorithm: "bully", Initiators: "0", Dead: "last", Assume: "20ms"}, lab.Options{}, "timeout", false},
		"lock":     {"ricartagrawala", trial.Setting{Algorithm: "ricartagrawala", Param: "requests=2,cs=1ms"}, lab.Options{}, "timeout", true},
		"draws":    {"itairodeh", trial.Setting{Algorithm: "itairodeh"}, lab.Options{}, "deliver", false},
		"storage":  {"paxos", trial.Setting{Algorithm: "paxos", N: 3, Initiators: "all", Fault: "at 2ms crash 0 for 5ms"}, lab.Options{}, "restart", false},
		"mid-step": {"lcr", trial.Setting{Algorithm: "lcr", Fault: "crash 2 after 1 sends"}, lab.Options{}, "crash", false},
		"services": {"lcr", trial.Setting{Algorithm: "lcr", Transport: "reliable(20ms)", Detector: "heartbeat(20ms,2s)", Link: "loss 20%"}, lab.Options{}, "lose", false},
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && !c.short {
				t.Skip("one of the others is like it")
			}
			r := hosting(t, time.Minute)
			c.s.N, c.s.Node, c.s.OutsideModel = max(c.s.N, 4), python()+" -S ../../../docs/nodes/"+c.program+".py", true
			tried := tryPrograms(t, r, c.s, c.o)
			if tried.Wrong != nil || tried.Recording.End != live.Rest && c.o.Sockets == live.TCP {
				t.Fatalf("%v, %v", tried.Recording.End, tried.Wrong)
			}
			if !slices.ContainsFunc(tried.Recording.Steps, func(s live.Step) bool { return s.What == c.has }) && c.has != "lose" {
				t.Errorf("no step is a %s", c.has)
			}
			r.Nodes.(*foreign.Nodes).Close()
			again := hosting(t, time.Minute)
			in, err := again.Instance(tried.Replay)
			if err != nil {
				t.Fatal(err)
			}
			did := &acts{}
			result := new(trial.Worker).Run(t.Context(), in, func(*trial.Traced) netem.Tracer { return did })
			if result.Failed != nil || result.Fingerprint != tried.Result.Fingerprint {
				t.Errorf("fingerprint %x, then %x, %v", tried.Result.Fingerprint, result.Fingerprint, result.Failed)
			}
			was := &acts{}
			for _, s := range tried.Recording.Steps {
				was.Record(s.Record)
			}
			if !slices.Equal(was.all, did.all) {
				t.Errorf("live\n%s\n\nreplayed\n%s", strings.Join(was.all, "\n"), strings.Join(did.all, "\n"))
			}
		})
	}
}

// acts are the steps of processes. A schedule has no losses at processes that stay dead.
type acts struct{ all []string }

// Record implements netem.Tracer.
func (a *acts) Record(r netem.Record) {
	if r.What == "lost" {
		return
	}
	text := fmt.Sprint(r.What, r.Who, r.From, r.Message, r.Timer, r.Choices, r.Suspected)
	for _, s := range r.Sent {
		text += fmt.Sprint(", ", s.To, s.Message)
	}
	a.all = append(a.all, text)
}

// mine writes a program that does something when it gets its first message.
func mine(t *testing.T, when, does string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "mine.py")
	text := "import os, sys, time\nfrom bullring import Node, run\n\n\nclass Mine(Node):\n    def on_start(self, source, m):\n" +
		"        self.send(self.neighbors[0], 'probe', rank=self.rank)\n\n    def " + when + "(self, source, m):\n        " + does + "\n\n\nrun(Mine)\n"
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return python() + " -S " + file
}

// TestProgramsThatMisbehaveLive: a program that dies or writes rubbish ends the live run, which names it, and
// no program is left.
func TestProgramsThatMisbehaveLive(t *testing.T) {
	for does, want := range map[string]string{
		"sys.exit(3)":    "ended: exit status 3",
		"print('hello')": `which is no JSON object with src, dest and body: "hello"`,
		"while True: self.send(self.neighbors[0], 'probe')": "wrote more than 16384 lines in one step",
		"self.send('n9', 'probe')":                          `whose dest "n9" is no node`,
	} {
		t.Run(does, func(t *testing.T) {
			r := hosting(t, time.Minute)
			tried := tryPrograms(t, r, trial.Setting{Algorithm: "lcr", N: 3, Node: mine(t, "on_probe", does)}, lab.Options{})
			if tried.Recording.End != live.Panicked || tried.Wrong != nil || !tried.Result.Panicked() {
				t.Fatalf("%v, %v", tried.Recording.End, tried.Wrong)
			}
			for _, text := range []string{tried.Recording.Failed.Error(), tried.Result.Failed.Error()} {
				if !strings.Contains(text, want) || !strings.Contains(text, "node n") || !strings.Contains(text, `told PROBE{"rank":`) {
					t.Errorf("%s; want %q, and who did it", text, want)
				}
			}
		})
	}
}

// TestProgramsThatHangLive: a program that does not answer ends the live run at --node-timeout or at --limit,
// whichever comes first. The run is judged up to there, names the program, and leaves none.
func TestProgramsThatHangLive(t *testing.T) {
	for _, c := range []struct {
		wait, limit time.Duration
		end         live.End
		want        string
	}{
		{300 * time.Millisecond, time.Minute, live.Late, `%s), told PROBE{"rank":1} from n0: did not answer for 300ms (--node-timeout)`},
		{time.Minute, 300 * time.Millisecond, live.OutOfTime, `process 1 does not return from Receive(PROBE{"rank":1} from 0)`},
	} {
		t.Run(c.end.String(), func(t *testing.T) {
			r := hosting(t, c.wait)
			program := mine(t, "on_probe", "time.sleep(1000)")
			began := time.Now()
			tried := tryPrograms(t, r, trial.Setting{Algorithm: "lcr", N: 3, Node: program}, lab.Options{Limit: c.limit})
			want := strings.ReplaceAll(c.want, "%s", program)
			if got := strings.Join(tried.Recording.Stuck, "\n"); tried.Recording.End != c.end || tried.Wrong != nil || !strings.Contains(got, want) {
				t.Errorf("%v, %v, %s; want %v, %s", tried.Recording.End, tried.Wrong, got, c.end, want)
			}
			if took := time.Since(began); took > 30*time.Second || tried.Result.Failed != nil || tried.Result.End == netem.Quiescent {
				t.Errorf("after %v: %v, %v", took, tried.Result.End, tried.Result.Failed)
			}
		})
	}
}

// TestProgramsThatDoNotBegin: a program that breaks the protocol in init ends the run before it began.
func TestProgramsThatDoNotBegin(t *testing.T) {
	r := hosting(t, time.Minute)
	in, err := lab.Instance(r, trial.Setting{Algorithm: "lcr", N: 3, Node: mine(t, "on_init", "print('hello')"), MaxEvents: 100}, lab.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lab.Try(t.Context(), r, in, lab.Options{}, nil); err == nil || !strings.Contains(err.Error(), "the run could not begin: node n") || !strings.Contains(err.Error(), "told init: wrote line 1") {
		t.Errorf("%v; want that it could not begin, and why", err)
	}
}

// TestProgramThatTalksAfterwards: what a program writes after its last answer is noticed at the end.
func TestProgramThatTalksAfterwards(t *testing.T) {
	r := hosting(t, time.Minute)
	const does = "import threading; threading.Timer(0.05, lambda: print('late', flush=True)).start(); self.set_timer(1, '1s')"
	tried := tryPrograms(t, r, trial.Setting{Algorithm: "lcr", N: 2, IDs: "2,1", Initiators: "0", OutsideModel: true, Node: mine(t, "on_probe", does)}, lab.Options{Limit: 500 * time.Millisecond})
	if tried.Wrong == nil || !strings.Contains(tried.Wrong.Error(), "wrote line") || !strings.Contains(tried.Wrong.Error(), `"late"`) {
		t.Errorf("%v; want what it wrote", tried.Wrong)
	}
}

// TestProgramsAreComparedWithTheEmulator: the shares of many live runs stand beside those of the emulator.
func TestProgramsAreComparedWithTheEmulator(t *testing.T) {
	r := hosting(t, time.Minute)
	s := trial.Setting{Algorithm: "lcr", N: 3, Node: python() + " -S ../../../docs/nodes/lcr.py", MaxEvents: trial.DefaultMaxEvents}
	c, err := lab.Compare(t.Context(), r, s, lab.Options{}, 2, func(tried *lab.Trial) {
		if tried.Wrong != nil {
			t.Error(tried.Wrong)
		}
	})
	if err != nil || c.Live.Runs != 2 || c.Emulated.Runs != 2 || c.Live.Outcomes["elected"] != 2 || c.Emulated.Outcomes["elected"] != 2 || len(c.Latencies) != 2*5 {
		t.Errorf("%+v, %v", c, err)
	}
}

// TestRestartsDoNotStopTheWorld: while the program of a process that restarts begins, the others go on. It is
// told what the one before has stored.
func TestRestartsDoNotStopTheWorld(t *testing.T) {
	r := hosting(t, time.Minute)
	slow := mine(t, "on_init", "time.sleep(1.5 * m.get('restarted', False)); super().on_init(source, m); self.stored and self.send(self.neighbors[0], 'probe', rank=self.stored['k']); self.store(k=7)\n\n    def on_probe(self, source, m):\n        self.set_timer(1, '100ms')\n\n    def on_timeout(self, source, m):\n        pass")
	tried := tryPrograms(t, r, trial.Setting{Algorithm: "lcr", N: 2, Node: slow, Fault: "at 20ms crash 1 for 1ms", OutsideModel: true, Initiators: "1"}, lab.Options{})
	if tried.Wrong != nil || tried.Recording.End != live.Rest {
		t.Fatalf("%v, %v, %v", tried.Recording.End, tried.Recording.Failed, tried.Wrong)
	}
	at := map[string]time.Duration{}
	for _, s := range tried.Recording.Steps {
		if what := s.What + string(rune('0'+s.Who)); at[what] == 0 {
			at[what] = s.Wall
		}
		if s.What == "restart" && (len(s.Sent) != 1 || fmt.Sprint(s.Sent[0].Message) != `PROBE{"rank":7}`) {
			t.Errorf("the new program sends %v; it was told that 7 was stored", s.Sent)
		}
	}
	if back := at["restart1"]; back < 1500*time.Millisecond {
		t.Errorf("it restarted after %v; its program takes 1.5s to begin", back)
	}
	if rung := at["timeout0"]; rung == 0 || rung > at["restart1"] {
		t.Errorf("the timer of the other one expired after %v, the restart came after %v", rung, at["restart1"])
	}
}
