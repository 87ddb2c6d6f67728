package foreign_test

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bullring/experiments/real/foreign"
	"bullring/experiments/trial"
)

// greedy are handlers of programs that want more than a sandbox gives, and what their ends say.
var greedy = map[string]struct{ does, says string }{
	"socket":  {"import socket; socket.create_connection(('127.0.0.1', PORT), 5)", "Network is unreachable"},
	"forks":   {"import os, time\n        while True:\n            if os.fork() == 0: time.sleep(600)", "Resource temporarily unavailable"},
	"memory":  {"b = bytearray(10 << 30)", "MemoryError"},
	"file":    {"open('HUGE', 'wb').write(b'x' * (64 << 20))", "Read-only file system"},
	"remount": {"import ctypes; lib = ctypes.CDLL(None, use_errno=True); assert lib.mount(None, b'/', None, 32 | 4096, None) == 0, 'refused'", "refused"},
	"opens":   {"all = [open('/dev/null') for i in range(1000)]", "Too many open files"},
	"kills":   {"import os; os.kill(VICTIM, 9)", "No such process"},
}

// python is a program in Python whose process starts with a statement.
func python(t *testing.T, folder, statement string) string {
	t.Helper()
	file := filepath.Join(folder, "node.py")
	text := "from bullring import Node, run\n\nclass Mine(Node):\n    def on_start(self, source, m):\n        " + statement + "\n\nrun(Mine)\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return "python3 '" + file + "'"
}

// boxed returns a registry whose programs are in a sandbox. The test is skipped where the system has none.
func boxed(t *testing.T, box *foreign.Sandbox) *trial.Registry {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not installed: sandboxes are NOT tested here")
	}
	library, err := filepath.Abs("../../../docs/nodes")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PYTHONPATH", library)
	if missing := box.Missing(); missing != "" {
		t.Skip(missing)
	}
	r := registry(t, time.Minute)
	r.Nodes.(*foreign.Nodes).Sandbox = box
	return r
}

// Each greedy program ends by itself, with the reason in its outcome, and a right program after it runs
// as it does without a sandbox.
func TestSandbox(t *testing.T) {
	box := &foreign.Sandbox{Memory: 1 << 30}
	r := boxed(t, box)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	victim := exec.Command("sleep", "600")
	if err := victim.Start(); err != nil {
		t.Fatal(err)
	}
	defer victim.Process.Kill()
	for name, c := range greedy {
		t.Run(name, func(t *testing.T) {
			huge := filepath.Join(t.TempDir(), "huge")
			does := strings.NewReplacer("PORT", fmt.Sprint(listener.Addr().(*net.TCPAddr).Port), "HUGE", huge, "VICTIM", fmt.Sprint(victim.Process.Pid)).Replace(c.does)
			got := run(t, r, trial.Setting{Algorithm: "lcr", N: 2, Node: python(t, filepath.Dir(huge), does)})
			if got.Failed == nil || got.Late() != nil || !strings.Contains(got.Failed.Error(), c.says) {
				t.Errorf("%v: %v", got.Outcome, got.Failed)
			}
			if _, err := os.Stat(huge); err == nil {
				t.Error("it wrote a file")
			}
		})
	}
	right := trial.Setting{Algorithm: "lcr", N: 4, Node: "python3 ../../../docs/nodes/lcr.py"}
	with := run(t, r, right)
	without := run(t, registry(t, time.Minute), right)
	if !with.Correct || with.Fingerprint != without.Fingerprint {
		t.Errorf("a right program: %v, %x and %x", with.Failed, with.Fingerprint, without.Fingerprint)
	}
}

// A limit of processor time is no verdict: a slow processor says nothing about a program.
func TestSandboxProcessor(t *testing.T) {
	r := boxed(t, &foreign.Sandbox{CPU: time.Second})
	got := run(t, r, trial.Setting{Algorithm: "lcr", N: 1, Node: python(t, t.TempDir(), "while True: pass")})
	if err := got.Late(); err == nil || !strings.Contains(err.Error(), "used all of its processor time, 1s") {
		t.Errorf("%v: %v", got.Outcome, got.Failed)
	}
}

// What a program leaves running ends with it, even in a session of its own.
func TestSandboxLeavesNothing(t *testing.T) {
	r := boxed(t, &foreign.Sandbox{})
	const mark = "599.25"
	got := run(t, r, trial.Setting{Algorithm: "lcr", N: 1, Node: python(t, t.TempDir(), "import subprocess; subprocess.Popen(['sleep', '"+mark+"'], start_new_session=True); 1/0")})
	if got.Failed == nil {
		t.Errorf("%v", got.Outcome)
	}
	if text, err := exec.Command("pgrep", "-f", "^sleep "+mark+"$").Output(); err == nil {
		t.Errorf("still there: %s", text)
	}
}
