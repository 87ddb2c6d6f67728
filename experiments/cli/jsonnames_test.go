package cli

import (
	"strings"
	"testing"

	"bullring/internal/golden"
)

// The JSON of values that carry its names themselves is that of testdata/json.txt, where each
// command stands before what it prints.
func TestNamesInJSON(t *testing.T) {
	var got strings.Builder
	for line := range strings.Lines(string(read(t, "testdata/json.txt"))) {
		if command, ok := strings.CutPrefix(line, "$ bullring "); ok {
			got.WriteString(line + bullring(t, strings.Fields(command)...).out)
		}
	}
	golden.Check(t, "json.txt", []byte(got.String()))
}
