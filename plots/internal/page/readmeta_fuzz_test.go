package page

import (
	"bytes"
	"image"
	"image/png"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
)

// carriers write metadata into the smallest pictures there are, by extension.
var carriers = map[string]func(t testing.TB, entries []Meta) []byte{
	".png": func(t testing.TB, entries []Meta) []byte {
		var b bytes.Buffer
		if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 1, 1))); err != nil {
			t.Fatal(err)
		}
		return insertChunks(b.Bytes(), (&Sheet{Meta: entries}).pngChunks())
	},
	".svg": func(t testing.TB, entries []Meta) []byte { return written(t, entries, (*Sheet).SVG) },
	".pdf": func(t testing.TB, entries []Meta) []byte { return written(t, entries, (*Sheet).PDF) },
}

// written writes an empty page with metadata.
func written(t testing.TB, entries []Meta, write SheetWriter) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := write(&Sheet{Width: 10, Height: 10, Paint: func(vg.Canvas) {}, Meta: entries}, &b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// FuzzReadMeta: a picture can carry all metadata that is read from any file.
//
// A picture is large, and to make it smaller takes the fuzzer longer than to find
// another: run it with -fuzzminimizetime 10x.
func FuzzReadMeta(f *testing.F) {
	seed := Marked("", []Meta{{"Seed", "42"}, {"Spec #1", "é–\n(\\)"}, {"Long", strings.Repeat("∞", longText)}})
	for _, extension := range []string{".png", ".svg", ".pdf"} {
		f.Add(extension, carriers[extension](f, seed))
	}
	f.Fuzz(func(t *testing.T, extension string, content []byte) {
		carry := carriers[extension]
		if carry == nil {
			return
		}
		got, err := parseMeta(extension, content)
		if err != nil {
			return
		}
		again, err := parseMeta(extension, carry(t, Marked("", got)))
		if err != nil || !reflect.DeepEqual(got, again) {
			t.Errorf("read %q, and written again %q, %v", got, again, err)
		}
	})
}
