package plots_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"bullring/plots"
)

var pictures = []string{".png", ".svg", ".pdf"}

// receipt returns a small figure that carries the entries.
func receipt(meta ...plots.Meta) *plots.Figure {
	return &plots.Figure{
		Name: "receipt", Width: 4, Height: 3,
		Marks: []plots.Mark{&plots.Curve{Points: []plots.XY{{X: 0, Y: 0}, {X: 1, Y: 1}}}},
		Meta:  meta,
	}
}

// saved saves the figure, and returns its path.
func saved(t rapid.TB, f *plots.Figure, dir, extension string) string {
	t.Helper()
	path := filepath.Join(dir, f.Name+extension)
	if err := f.SaveAs(path); err != nil {
		t.Fatal(err)
	}
	return path
}

func checkMeta(t rapid.TB, path string, want []plots.Meta) {
	t.Helper()
	got, err := plots.ReadMeta(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(want) {
		t.Fatalf("%s: %d entries, want %d", path, len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("%s: entry %d is %.200q, want %.200q", path, i, got[i], want[i])
		}
	}
}

// Whole files of 100 kB, of ASCII and of other text, with ends of lines of every kind
// and what looks like the syntax of the formats.
func TestReadMetaLong(t *testing.T) {
	nasty := "a: \"(\\)\" # é–∞ 𝛼\r\n\t]]> <!-- --> &amp; \\n \\) >> \nendobj\nxref\n0 5\nstartxref\n1\n%%EOF\n\n\u007f\u0085\ufeff"
	ascii := strings.Repeat("{\"cell\": [1, 2, 3]}\n\nxref\n0 9\n", 3300)
	want := []plots.Meta{
		{Key: "Software", Value: "bullring"},
		{Key: "Empty"},
		{Key: "Nasty (key) #1/<&>\"", Value: nasty},
		{Key: "Manifest", Value: ascii},
		{Key: "Spec", Value: strings.Repeat(nasty, 1000)},
	}
	for _, extension := range pictures {
		f := receipt(want...)
		f.Title = "*n*^{2}"
		checkMeta(t, saved(t, f, t.TempDir(), extension), append([]plots.Meta{{Key: "Title", Value: "n^2"}}, want...))
	}
	var png bytes.Buffer
	if err := receipt(want...).PNG(&png); err != nil || png.Len() > 20_000 {
		t.Errorf("%v; the PNG has %d bytes, although its texts repeat themselves", err, png.Len())
	}
}

// Any text that XML can hold is read back unchanged.
func TestReadMetaProperty(t *testing.T) {
	dir := t.TempDir()
	character := rapid.OneOf(rapid.Rune(), rapid.SampledFrom([]rune("\t\n\r \\()<>&]#;é\u2028𝛼"))).Filter(func(r rune) bool {
		return utf8.ValidRune(r) && (r >= ' ' || strings.ContainsRune("\t\n\r", r)) && r != 0xFFFE && r != 0xFFFF
	})
	text := rapid.Custom(func(t *rapid.T) string {
		return strings.Repeat(rapid.StringOf(character).Draw(t, "text"), rapid.SampledFrom([]int{1, 1, 300}).Draw(t, "times"))
	})
	rapid.Check(t, func(t *rapid.T) {
		var want []plots.Meta
		for i, value := range rapid.SliceOfN(text, 0, 4).Draw(t, "values") {
			key := rapid.StringMatching(`[!-~]([ -~]{0,70}[!-~])?`).Draw(t, "key")
			want = append(want, plots.Meta{Key: fmt.Sprint(key, i), Value: value})
		}
		for _, extension := range pictures {
			checkMeta(t, saved(t, receipt(want...), dir, extension), want)
		}
	})
}

func TestReadMetaRefuses(t *testing.T) {
	dir := t.TempDir()
	whole := map[string][]byte{}
	for _, extension := range pictures {
		content, err := os.ReadFile(saved(t, receipt(plots.Meta{Key: "Seed", Value: "42"}), dir, extension))
		if err != nil {
			t.Fatal(err)
		}
		whole[extension] = content
	}
	refused := func(name string, content []byte, want string) error {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
		got, err := plots.ReadMeta(path)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v, error %v; want %q", name, got, err, want)
		}
		return err
	}
	replaced := func(extension, old, new string) []byte {
		if !bytes.Contains(whole[extension], []byte(old)) {
			t.Fatalf("%s has no %q", extension, old)
		}
		return bytes.Replace(whole[extension], []byte(old), []byte(new), 1)
	}

	refused("a.jpg", whole[".png"], ".svg, .pdf, .png, .tikz or .tex")
	refused("no.png", whole[".svg"], "it is no PNG image")
	refused("no.svg", []byte("<html/>"), "it is no SVG document")
	refused("no.pdf", whole[".png"], "it is no PDF document")
	for name, content := range map[string][]byte{
		"foreign.png": foreignPNG(whole[".png"]),
		"foreign.svg": []byte(`<svg xmlns="http://www.w3.org/2000/svg"><metadata><meta name="Receipt" content="bullring 1"/></metadata></svg>`),
		"foreign.pdf": replaced(".pdf", "(bullring 1)", "(another 1)"),
		"empty.svg":   nil,
		"text.svg":    []byte("a < b"),
		"stream.pdf":  []byte("%PDF-1.5\n1 0 obj\n<<>>\nendobj\nstartxref\n9\n%%EOF\n"),
	} {
		if err := refused(name, content, "carries no receipt of bullring"); !errors.Is(err, plots.ErrNoReceipt) {
			t.Errorf("%s: error %v is not ErrNoReceipt", name, err)
		}
	}

	for extension, content := range whole {
		// The end of a PDF and of an SVG may lack its line feed.
		for _, length := range []int{len(content) - 9, len(content) * 2 / 3, len(content) / 3} {
			refused("short"+extension, content[:length], "cut short")
		}
	}
	refused("checksum.png", replaced(".png", "Seed\x0042", "Seed\x0043"), `the checksum of its chunk "tEXt" is wrong`)
	refused("table.pdf", regexp.MustCompile(`startxref\n\d+`).ReplaceAll(whole[".pdf"], []byte("startxref\n999999999")), "leads nowhere")
	refused("info.pdf", replaced(".pdf", "/Seed (42)", "/Seed  42)"), "its Info is damaged: entry 2")
	refused("twice.svg", replaced(".svg", "</metadata>", `<meta xmlns="http://www.w3.org/1999/xhtml" name="Seed" content="1"/></metadata>`), `"Seed" twice`)

	path := filepath.Join(dir, "large.png")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 100<<20+1); err != nil {
		t.Fatal(err)
	}
	if _, err := plots.ReadMeta(path); err == nil || !strings.Contains(err.Error(), "more than 104857600 bytes") {
		t.Errorf("a file of more than 100 MB: %v", err)
	}
	if _, err := plots.ReadMeta(filepath.Join(dir, "missing.svg")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}

// foreignPNG returns an image whose only text is that of another program.
func foreignPNG(ours []byte) []byte {
	out := bytes.Clone(ours[:8])
	for rest := ours[8:]; len(rest) > 0; {
		size := 12 + int(binary.BigEndian.Uint32(rest))
		if kind := string(rest[4:8]); kind != "tEXt" {
			out = append(out, rest[:size]...)
		}
		if string(rest[4:8]) == "IHDR" {
			out = append(out, chunk("tEXt", "Software\x00another")...)
		}
		rest = rest[size:]
	}
	return out
}

func chunk(kind, data string) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	b = append(b, kind+data...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:]))
}

// Programs that save a picture again keep the metadata, but neither the bytes around
// it nor, in XML, its spelling.
func TestReadMetaSavedAgain(t *testing.T) {
	dir := t.TempDir()
	want := []plots.Meta{{Key: "Spec", Value: "name: a\nseed: <1>\n"}, {Key: "Seed", Value: "42"}}
	svg := filepath.Join(dir, "again.svg")
	const again = `<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<svg:svg xmlns:svg="http://www.w3.org/2000/svg" xmlns:h="http://www.w3.org/1999/xhtml">
    <svg:metadata id="m1">
        <h:meta content='bullring 1' name='Receipt'></h:meta>
        <h:meta
            id="m2" name="Spec" content="name: a&#10;seed: &lt;1>&#10;" /><h:meta name="Seed" content="42" />
    </svg:metadata>
    <svg:g/>
</svg:svg>
`
	if err := os.WriteFile(svg, []byte(again), 0o644); err != nil {
		t.Fatal(err)
	}
	checkMeta(t, svg, want)

	// Texts of another program, in Latin-1 and with a language, behind the image.
	var content bytes.Buffer
	if err := receipt().PNG(&content); err != nil {
		t.Fatal(err)
	}
	end := content.Len() - 12 // of IEND
	png := filepath.Join(dir, "again.png")
	var zipped bytes.Buffer
	w := zlib.NewWriter(&zipped)
	if _, err := w.Write([]byte("\xe0 Paris")); errors.Join(err, w.Close()) != nil {
		t.Fatal(err)
	}
	chunks := slices.Concat(chunk("tEXt", "Author\x00\xc9. Gallois"), chunk("zTXt", "Place\x00\x00"+zipped.String()), chunk("iTXt", "Note\x00\x00\x00fr\x00Noter\x00–"))
	if err := os.WriteFile(png, bytes.Join([][]byte{content.Bytes()[:end], chunks, content.Bytes()[end:]}, nil), 0o644); err != nil {
		t.Fatal(err)
	}
	checkMeta(t, png, []plots.Meta{{Key: "Author", Value: "É. Gallois"}, {Key: "Place", Value: "à Paris"}, {Key: "Note", Value: "–"}})
}

// A few kilobytes that unpack to more than the largest receipt are refused before they fill
// the memory.
func TestReadMetaBomb(t *testing.T) {
	var packed, content bytes.Buffer
	w := zlib.NewWriter(&packed)
	if _, err := w.Write(make([]byte, 17<<20)); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Close(), receipt().PNG(&content)); err != nil {
		t.Fatal(err)
	}
	content.Truncate(content.Len() - 12) // IEND
	content.Write(chunk("iTXt", "Zeros\x00\x01\x00\x00\x00"+packed.String()))
	path := filepath.Join(t.TempDir(), "bomb.png")
	if err := os.WriteFile(path, content.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := plots.ReadMeta(path); err == nil || !strings.Contains(err.Error(), "more than 16 MB") {
		t.Errorf("error %v for %d bytes", err, content.Len())
	}
}

// Pictures of earlier versions, whose letters are outlines, are read as ever.
func TestReadMetaOfOutlines(t *testing.T) {
	for _, extension := range []string{".svg", ".pdf"} {
		checkMeta(t, filepath.Join("testdata", "outlined"+extension), []plots.Meta{{Key: "Title", Value: "n^2"}, {Key: "Seed", Value: "42"}, {Key: "Author", Value: "É. Gallois–∞"}})
	}
}
