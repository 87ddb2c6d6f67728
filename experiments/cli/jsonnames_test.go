package cli

import (
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite testdata/json.txt; read the diff")

// The JSON of values that carry its names themselves is that of testdata/json.txt, where each
// command stands before what it prints.
func TestNamesInJSON(t *testing.T) {
	const file = "testdata/json.txt"
	want := string(read(t, file))
	var got strings.Builder
	for line := range strings.Lines(want) {
		if command, ok := strings.CutPrefix(line, "$ bullring "); ok {
			ended := bullring(t, strings.Fields(command)...)
			got.WriteString(line + ended.out)
		}
	}
	if *update {
		if err := os.WriteFile(file, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got.String() == want {
		return
	}
	now, before := strings.Split(got.String(), "\n"), strings.Split(want, "\n")
	for i := range min(len(now), len(before)) {
		if now[i] != before[i] {
			t.Fatalf("%s:%d: it is %q; want %q", file, i+1, now[i], before[i])
		}
	}
	t.Errorf("%s has %d lines; now there are %d", file, len(before), len(now))
}
