// Package golden compares pictures with those in testdata.
package golden

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"gonum.org/v1/plot/cmpimg"

	"bullring/internal/regular"
)

// largest bounds the size of a picture in bytes.
const largest = 1 << 20

// tolerance is the difference of two pictures that is not an error. Where the compiler fuses
// multiplication and addition (arm64, GOAMD64=v3), an edge may move by the 1/64 of a pixel that
// the rasteriser resolves: a few pixels then differ by 3 or 4 of 255. This bound, in the measure
// of cmpimg, allows 7.
const tolerance = 0.03

// Compare compares a PNG with testdata/NAME_golden.png. With go test -regen it writes that
// file: look at the new pictures before committing.
func Compare(t *testing.T, name string, got []byte) {
	golden := filepath.Join("testdata", name+"_golden.png")
	if *cmpimg.GenerateTestData {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := regular.Read(golden, largest)
	if err != nil {
		t.Fatal(err)
	}
	equal, err := cmpimg.EqualApprox("png", got, want, tolerance)
	if err != nil {
		t.Fatal(err)
	}
	if !equal {
		actual := filepath.Join(t.ArtifactDir(), name+".png")
		t.Errorf("differs from %s; the new picture is %s (kept with -artifacts)", golden, actual)
		if err := os.WriteFile(actual, got, 0o644); err != nil {
			t.Error(err)
		}
	}
}

// Render returns what write writes.
func Render(t *testing.T, write func(io.Writer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
