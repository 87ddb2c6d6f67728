package cli

import (
	"runtime/debug"
	"strings"
	"testing"
)

// A run that does not fit into the memory is refused or, if its processes fit, ends before it
// has taken all.
func TestNoRoom(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(64 << 20))
	for args, want := range map[string]string{
		"run lcr --n 2000000": "n is 2,000,000: so many processes take at least 128 MB of memory, and 67 MB is free",
		"run bully --n 2500":  "the run took all of the memory that was free, 67 MB",
		"run lcr --n 100000":  "",
	} {
		got := bullring(t, strings.Fields(args)...)
		if (got.status == 0) != (want == "") || !strings.Contains(got.errors, want) {
			t.Errorf("%s: status %d, %s", args, got.status, got.errors)
		}
	}
}
