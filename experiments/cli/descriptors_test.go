//go:build unix

package cli

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// A run that needs more open files than the system allows is refused before it begins, and the
// sentence says how many it needs. One that needs fewer is not.
func TestDescriptors(t *testing.T) {
	programs(t)
	if err := os.WriteFile("s.yaml", []byte("name: s\nalgorithms: [{algorithm: lcr, node: python3 lcr.py}]\naxes: {n: [3, 6]}\nreplicates: 2\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		line, says string
		status     int
	}{
		{"live lcr --n 5", "elected", 0},
		{"live lcr --n 64", "this needs 148 descriptors of files, pipes and sockets, and the system allows 32; ulimit -n 148 raises the limit", 2},
		{"live lcr --n 64 --runs 2", "needs 148 descriptors", 2},
		{"live lcr --n 64 --sockets udp", "needs 84 descriptors", 2},
		{"live lcr --n 8 --processes", "needs 52 descriptors", 2},
		{"run --node 'python3 lcr.py' --n 3", "at rest", 0},
		{"run --node 'python3 lcr.py' --n 8", "8 programs run at the same time: this needs 52 descriptors", 2},
		{"check --node 'python3 lcr.py' --n 8 --topology ring", "needs 52 descriptors", 2},
		{"sweep s.yaml --allow-nodes --workers 3 -o out", "18 programs run at the same time: this needs 92 descriptors", 2},
	} {
		cmd := exec.CommandContext(t.Context(), "sh", "-c", "ulimit -n 32; exec \""+os.Args[0]+"\" "+c.line)
		cmd.Env = append(os.Environ(), asProgram+"=1")
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		err := cmd.Run()
		status := 0
		if ended, is := errors.AsType[*exec.ExitError](err); is {
			status = ended.ExitCode()
		} else if err != nil {
			t.Fatal(err)
		}
		if status != c.status || !strings.Contains(out.String(), c.says) {
			t.Errorf("%s: status %d, want %d and %q:\n%s", c.line, status, c.status, c.says, &out)
		}
	}
	if _, err := os.Stat("out"); err == nil {
		t.Error("the sweep that was refused has left a folder")
	}
}
