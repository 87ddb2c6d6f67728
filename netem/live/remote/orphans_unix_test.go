//go:build unix

package remote

import (
	"bufio"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestNoNodeOutlivesTheCoordinator: nodes end with the host, and the host with the coordinator,
// also if that is killed.
func TestNoNodeOutlivesTheCoordinator(t *testing.T) {
	cmd := asProgram()
	cmd.Env = append(cmd.Env, asCoordinator+"=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var nodes []int
	for in := bufio.NewScanner(out); len(nodes) < 3 && in.Scan(); {
		pid, err := strconv.Atoi(in.Text())
		if err != nil {
			t.Fatal(in.Text())
		}
		nodes = append(nodes, pid)
	}
	cmd.Process.Kill()
	cmd.Wait()
	for _, pid := range nodes {
		for syscall.Kill(pid, 0) == nil {
			state, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
			if err != nil || strings.Contains(string(state), ") Z ") {
				break
			}
			if t.Context().Err() != nil {
				t.Fatalf("node %d goes on", pid)
			}
			time.Sleep(time.Millisecond)
		}
	}
	if len(nodes) != 3 {
		t.Errorf("%d nodes were started", len(nodes))
	}
}
