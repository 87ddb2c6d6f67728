package plots_test

import (
	"bytes"
	"compress/zlib"
	"encoding/hex"
	"encoding/xml"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"bullring/plots"
	"bullring/plots/internal/golden"
)

// wordyFigure has text in all places, with Greek, italics, scripts and characters outside of
// code page 1252.
func wordyFigure() *plots.Figure {
	return &plots.Figure{
		Name: "words", Title: "Cost of *φ*-accrual, *T*_{min} ≤ *n*^{2}",
		X: plots.Axis{Label: "processes *n*"}, Y: plots.Axis{Label: "messages (10^{3} a run)"},
		Marks: []plots.Mark{
			&plots.Series{Label: "Chang–Roberts & Défago", Points: []plots.Point{{X: -5, Y: 1}, {X: 5, Y: 2}}},
			&plots.Curve{Label: "theory: √ *n* → ∞", Points: []plots.XY{{X: -5, Y: 1}, {X: 5, Y: 2}}},
		},
	}
}

var wantWords = []string{
	"Cost of φ-accrual, Tmin ≤ n2", "processes n", "messages (103 a run)", "Chang–Roberts & Défago", "theory: √ n → ∞", "−4", "1.6",
}

// The text of a figure is text: a reader of the format finds title, axes, ticks and legend.
func TestTextIsText(t *testing.T) {
	single := wordyFigure()
	panels := &plots.Panels{Name: "p", Title: single.Title, Figures: []*plots.Figure{wordyFigure(), wordyFigure()}}
	for _, f := range panels.Figures {
		f.Title = "*β*"
	}
	for name, p := range map[string]picture{"figure": single, "panels": panels} {
		want := wantWords
		if name == "panels" {
			want = append(slices.Clone(want), "(a) β", "(b) β")
		}
		for format, texts := range map[string][]string{"svg": svgTexts(t, golden.Render(t, p.SVG)), "pdf": pdfTexts(t, golden.Render(t, p.PDF))} {
			for _, words := range want {
				if !slices.Contains(texts, words) {
					t.Errorf("the %s of the %s has no text %q; it has %q", format, name, words, texts)
				}
			}
		}
	}
}

// svgTexts returns the contents of the text elements.
func svgTexts(t *testing.T, raw []byte) (texts []string) {
	t.Helper()
	decoder := xml.NewDecoder(bytes.NewReader(raw))
	inside := false
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return texts
		}
		if err != nil {
			t.Fatal(err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			if e.Name.Local == "text" {
				texts, inside = append(texts, ""), true
			}
		case xml.EndElement:
			inside = inside && e.Name.Local != "text"
		case xml.CharData:
			if inside {
				texts[len(texts)-1] += string(e)
			}
		}
	}
}

// pdfTexts returns the texts of the page, each from BT to ET, as the fonts' maps from glyphs to
// characters read them.
func pdfTexts(t *testing.T, raw []byte) (texts []string) {
	t.Helper()
	objects := map[string]string{}
	for _, m := range regexp.MustCompile(`(?s)(\d+) 0 obj\n(.*?)\nendobj`).FindAllSubmatch(raw, -1) {
		objects[string(m[1])] = string(m[2])
	}
	follow := func(object, key string) string {
		m := regexp.MustCompile(key + ` \[?(\d+) 0 R`).FindStringSubmatch(object)
		if m == nil {
			t.Fatalf("no %s in %.200q", key, object)
		}
		return objects[m[1]]
	}
	page := follow(follow(follow(string(raw), "/Root"), "/Pages"), "/Kids")
	fonts := map[string]map[string]rune{}
	for _, name := range []string{"Regular", "Italic"} {
		font := follow(page, "/"+name)
		if !strings.HasPrefix(stream(t, follow(follow(follow(font, "/DescendantFonts"), "/FontDescriptor"), "/FontFile2")), "\x00\x01\x00\x00") {
			t.Errorf("the font %s is not in the document", name)
		}
		fonts[name] = map[string]rune{}
		for _, m := range regexp.MustCompile(`(?m)^<(....)> <(....)>$`).FindAllStringSubmatch(stream(t, follow(font, "/ToUnicode")), -1) {
			unit, err := strconv.ParseUint(m[2], 16, 16)
			if err != nil {
				t.Fatal(err)
			}
			fonts[name][m[1]] = utf16.Decode([]uint16{uint16(unit)})[0]
		}
	}
	var font map[string]rune
	for line := range strings.Lines(stream(t, follow(page, "/Contents"))) {
		line = strings.TrimSpace(line)
		switch {
		case line == "BT":
			texts = append(texts, "")
		case strings.HasSuffix(line, " Tf"):
			font = fonts[strings.TrimPrefix(strings.Fields(line)[0], "/")]
		case strings.HasSuffix(line, " TJ"):
			for _, m := range regexp.MustCompile(`<([0-9A-F]*)>`).FindAllStringSubmatch(line, -1) {
				for glyph := range slices.Chunk([]byte(m[1]), 4) {
					texts[len(texts)-1] += string(font[string(glyph)])
				}
			}
		}
	}
	return texts
}

// stream returns the content of a stream.
func stream(t *testing.T, object string) string {
	t.Helper()
	_, packed, ok := strings.Cut(object, "\nstream\n")
	if !ok {
		t.Fatalf("no stream in %.200q", object)
	}
	r, err := zlib.NewReader(strings.NewReader(packed))
	if err != nil {
		t.Fatalf("%v: %s", err, hex.EncodeToString([]byte(packed[:8])))
	}
	content, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
