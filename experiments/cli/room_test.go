package cli

import (
	"math"
	"runtime/debug"
	"strings"
	"testing"
)

var leftover []byte // so that the compiler does not leave the allocations out

// A run that does not fit into the memory is refused or, if its processes fit, ends before it
// has taken all.
func TestNoRoom(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for _, c := range []struct{ args, want string }{
		{"run lcr --n 2000000", "n is 2,000,000: so many processes take at least 128 MB of memory, and 67 MB is free"},
		{"run bully --n 2500", "the run took all of the memory that was free, 67 MB"},
		{"run lcr --n 100000", ""}, // garbage does not count
	} {
		debug.SetMemoryLimit(math.MaxInt64)
		for range 100 { // garbage, as other tests leave it
			leftover = make([]byte, 1<<20)
		}
		debug.SetMemoryLimit(64 << 20)
		got := bullring(t, strings.Fields(c.args)...)
		if (got.status == 0) != (c.want == "") || !strings.Contains(got.errors, c.want) {
			t.Errorf("%s: status %d, %s", c.args, got.status, got.errors)
		}
	}
}
