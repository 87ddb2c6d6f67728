package des_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"testing"
)

// TestTablesAreUnchanged: with other tables the same seed is another run.
func TestTablesAreUnchanged(t *testing.T) {
	want := map[string]string{
		"exponential.bin":  "561c1693d386246590f4e84453c5812f62cf25ecb518fb8254972d7d93cc0388",
		"normal.bin":       "4694ce98c978cafc3325d97e60412bab0ef6d0cb1d45efe84892f99221d6de79",
		"normaltail.bin":   "9cd1246947e14784c297672c433bcc5436244044f04dabf41f08a3b64f6a618a",
		"pareto.bin":       "de1c43b6500ca8bac0bdda9e6eadac62b85ba687b10386b4dc7bde93a32f47cf",
		"paretonormal.bin": "099d32494f1d7f01bbd387a7068dd8fe532cdaddd975e176c9dfa2002791df24",
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
