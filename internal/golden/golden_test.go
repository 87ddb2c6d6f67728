package golden_test

import (
	"flag"
	"testing"

	"bullring/internal/golden"
)

// failing notes that a test would have failed.
type failing struct {
	testing.TB
	failed bool
}

func (f *failing) Errorf(string, ...any) { f.failed = true }

func TestCheck(t *testing.T) {
	golden.Check(t, "line.txt", []byte("as it was\n"))
	if flag.Lookup("update").Value.String() == "true" {
		return // what follows would be written
	}
	other := &failing{TB: t}
	if golden.Check(other, "line.txt", []byte("as it was not\n")); !other.failed {
		t.Error("another text passes")
	}
}
