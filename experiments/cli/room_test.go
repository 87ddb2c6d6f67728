//go:build unix

package cli

import (
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"

	"bullring/experiments/trial"
)

// A run that does not fit into the memory is refused or, if its processes fit, ends before it
// has taken all.
func TestNoRoom(t *testing.T) {
	large := filepath.Join(t.TempDir(), "large.yaml")
	if err := os.WriteFile(large, []byte("name: large\nalgorithms: [lcr]\naxes: {n: [4, 600000]}\nfigures: [{y: messages}]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"run lcr --n 2000000": "n is 2,000,000: so many processes take at least 128 MB of memory, and 67 MB is free",
		"run bully --n 2500":  "the run took all of the memory that was free, 67 MB",
		"run lcr --n 100000":  "",
		"sweep " + large + " --workers 2 -o " + t.TempDir() + "/out": "n is 600,000: so many processes of each of 2 workers take at least 76 MB of memory, and 67 MB is free",
		"sweep " + large + " --workers 2 --dry-run":                  "of each of 2 workers",
	} {
		cmd := asProcess(t.Context(), strings.Fields(args)...)
		cmd.Env = append(cmd.Env, "GOMEMLIMIT=64MiB")
		out, err := cmd.CombinedOutput()
		if (err == nil) != (want == "") || !strings.Contains(string(out), want) {
			t.Errorf("%s: %v, %s", args, err, out)
		}
	}
}

var kept []byte

// Garbage takes no room, and what is in use does.
func TestGarbageTakesNoRoom(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	runtime.GC()
	live := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(live)
	in := &trial.Instance{System: trial.System{N: 1}}
	m := room{free: int64(live[0].Value.Uint64()) + 32<<20}
	if err := m.limit(in); err != nil {
		t.Fatal(err)
	}
	defer m.unlimit()
	debug.SetMemoryLimit(math.MaxInt64) // the collector has not come to it yet
	for range 100 {
		kept = make([]byte, 1<<20)
	}
	if in.Full() {
		t.Error("100 MB of garbage took the 32 MB that were free")
	}
	kept = make([]byte, 64<<20)
	if !in.Full() {
		t.Error("64 MB in use did not take the 32 MB that were free")
	}
	kept = nil
}
