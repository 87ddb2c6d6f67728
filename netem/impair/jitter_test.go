package impair_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"testing"
)

// TestTablesAreUnchanged: with other tables the same seed is another run.
func TestTablesAreUnchanged(t *testing.T) {
	want := map[string]string{
		"normal.bin":       "1a53580d1f252a17a1bff7df7e05648b15985f905f136e323fda734d801c90ec",
		"pareto.bin":       "508b5eb288640143c75e4d0a06ca44607f3509299745566d55a02ae2d2e454ac",
		"paretonormal.bin": "2ea88f19a8d0298552ee2852e36314b1b620a22bda879d5a03b60f22d98df7eb",
	}
	entries, err := os.ReadDir("tables")
	if err != nil || len(entries) != len(want) {
		t.Fatalf("%d tables, error %v; want %d", len(entries), err, len(want))
	}
	for name, hash := range want {
		file, err := os.ReadFile("tables/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if sum := sha256.Sum256(file); hex.EncodeToString(sum[:]) != hash {
			t.Errorf("%s has the hash %x; want %s", name, sum, hash)
		}
	}
}
