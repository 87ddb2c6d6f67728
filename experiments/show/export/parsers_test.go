package export

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var writeTo = flag.String("write", "", "write exports for their parsers into this `directory`")

// TestWriteForParsers writes a hostile run and some runs of algorithms in each format. With
// -write, .ci/exports gives them to the parsers of the other programs.
func TestWriteForParsers(t *testing.T) {
	dir := *writeTo
	if dir == "" {
		dir = t.TempDir()
	}
	runs := sampled(t, 8)
	runs["hostile"] = hostile()
	for name, h := range runs {
		for _, f := range Formats {
			text, err := f.Text(h)
			if err != nil {
				t.Fatalf("%s as %s: %v", name, f.Name, err)
			}
			if err := os.WriteFile(filepath.Join(dir, name+"."+f.Name), text, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}
