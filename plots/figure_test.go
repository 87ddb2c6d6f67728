package plots_test

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"encoding/xml"
	"errors"
	"fmt"
	"hash/crc32"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"bullring/plots"
	"bullring/plots/internal/golden"
)

// TestGolden compares figures with the pictures in testdata. After an intended change run
// go test -regen, and look at the new pictures before committing.
func TestGolden(t *testing.T) {
	for _, f := range goldenFigures() {
		t.Run(f.Name, func(t *testing.T) { golden.Compare(t, f.Name, golden.Render(t, f.PNG)) })
	}
	for _, p := range goldenPanels() {
		t.Run(p.Name, func(t *testing.T) { golden.Compare(t, p.Name, golden.Render(t, p.PNG)) })
	}
}

// A picture is a figure, or several in panels.
type picture interface {
	PNG(io.Writer) error
	SVG(io.Writer) error
	PDF(io.Writer) error
	TikZ(io.Writer) error
	CSV(io.Writer) error
}

func formats(p picture) map[string]func(io.Writer) error {
	return map[string]func(io.Writer) error{"png": p.PNG, "svg": p.SVG, "pdf": p.PDF, "tikz": p.TikZ, "csv": p.CSV}
}

// Four goroutines draw at once, so that -race sees what they share.
func TestEqualBytesEveryTime(t *testing.T) {
	pictures := map[string]picture{}
	for _, f := range goldenFigures() {
		pictures[f.Name] = f
	}
	for _, p := range goldenPanels() {
		pictures[p.Name] = p
	}
	for name, p := range pictures {
		for format, write := range formats(p) {
			var got [4]bytes.Buffer
			var errs [4]error
			var wg sync.WaitGroup
			for i := range got {
				wg.Go(func() { errs[i] = write(&got[i]) })
			}
			wg.Wait()
			if err := errors.Join(errs[:]...); err != nil {
				t.Fatal(err)
			}
			for i := range got {
				if !bytes.Equal(got[0].Bytes(), got[i].Bytes()) {
					t.Errorf("%s.%s differs from one drawing to the next", name, format)
				}
			}
		}
	}
}

// withMeta returns a small figure with metadata that needs escaping.
func withMeta() *plots.Figure {
	return &plots.Figure{
		Name:  "meta",
		Title: "Cost of *n*^{2} <1>",
		Marks: []plots.Mark{&plots.Curve{Points: []plots.XY{{X: 0, Y: 0}, {X: 1, Y: 1}}}},
		Meta: []plots.Meta{
			{Key: "Version", Value: `1.0 (a\b)`},
			{Key: "Spec hash", Value: "<&>\""},
			{Key: "Author", Value: "É. Gallois–∞"},
		},
	}
}

func TestPNGChunks(t *testing.T) {
	raw := golden.Render(t, withMeta().PNG)
	image, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	// 8.4 cm at 300 dpi.
	if got := image.Bounds().Dx(); got != 992 {
		t.Errorf("%d pixels wide; want 992", got)
	}
	var text []string
	resolution := []byte(nil)
	for rest := raw[8:]; len(rest) > 0; {
		length := int(binary.BigEndian.Uint32(rest))
		kind, data := string(rest[4:8]), rest[8:8+length]
		if sum := binary.BigEndian.Uint32(rest[8+length:]); sum != crc32.ChecksumIEEE(rest[4:8+length]) {
			t.Errorf("chunk %s: bad checksum", kind)
		}
		switch kind {
		case "pHYs":
			resolution = data
		case "tEXt", "iTXt":
			text = append(text, kind+" "+string(data))
		}
		rest = rest[12+length:]
	}
	// 300 dpi are 11811 pixels per metre.
	if want := []byte{0, 0, 0x2e, 0x23, 0, 0, 0x2e, 0x23, 1}; !bytes.Equal(resolution, want) {
		t.Errorf("pHYs is % x; want % x", resolution, want)
	}
	want := []string{
		"tEXt Receipt\x00bullring 1",
		"tEXt Title\x00Cost of n^2 <1>",
		"tEXt Version\x00" + `1.0 (a\b)`,
		"tEXt Spec hash\x00<&>\"",
		"iTXt Author\x00\x00\x00\x00\x00É. Gallois–∞",
	}
	if fmt.Sprintf("%q", text) != fmt.Sprintf("%q", want) {
		t.Errorf("text chunks\n got %q\nwant %q", text, want)
	}
}

func TestSVG(t *testing.T) {
	raw := golden.Render(t, withMeta().SVG)
	decoder := xml.NewDecoder(bytes.NewReader(raw))
	meta := make(map[string]string)
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		element, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		switch element.Name.Local {
		case "meta":
			attributes := make(map[string]string)
			for _, a := range element.Attr {
				attributes[a.Name.Local] = a.Value
			}
			meta[attributes["name"]] = attributes["content"]
		}
	}
	if meta["Spec hash"] != "<&>\"" || meta["Author"] != "É. Gallois–∞" || meta["Title"] != "Cost of n^2 <1>" {
		t.Errorf("metadata %q", meta)
	}
}

func TestPDF(t *testing.T) {
	raw := golden.Render(t, withMeta().PDF)
	for _, want := range []string{
		"/Title (Cost of n^2 <1>)\n",
		`/Version (1.0 \(a\\b\))` + "\n",
		`/Spec#20hash (<&>")` + "\n",
		"/Author <FEFF00C9002E002000470061006C006C006F006900732013221E>\n",
	} {
		if !bytes.Contains(raw, []byte(want)) {
			t.Errorf("Info lacks %q", want)
		}
	}
	if bytes.Contains(raw, []byte("CreationDate")) || bytes.Contains(raw, []byte("ModDate")) {
		t.Error("there is a date")
	}
	checkXref(t, raw)
}

// checkXref follows the table of objects: each entry must point at its object.
func checkXref(t *testing.T, raw []byte) {
	t.Helper()
	m := regexp.MustCompile(`startxref\n(\d+)\n`).FindSubmatch(raw)
	if m == nil {
		t.Fatal("no startxref")
	}
	start, err := strconv.Atoi(string(m[1]))
	if err != nil || start >= len(raw) || !bytes.HasPrefix(raw[start:], []byte("xref\n0 ")) {
		t.Fatalf("startxref %s does not point at the table", m[1])
	}
	entries := regexp.MustCompile(`(?m)^(\d{10}) \d{5} n `).FindAllSubmatch(raw[start:], -1)
	if len(entries) == 0 {
		t.Fatal("empty table of objects")
	}
	for i, entry := range entries {
		offset, _ := strconv.Atoi(string(entry[1]))
		if want := fmt.Sprintf("%d 0 obj", i+1); !bytes.HasPrefix(raw[offset:], []byte(want)) {
			t.Errorf("object %d is not at %d", i+1, offset)
		}
	}
}

func TestCSV(t *testing.T) {
	f := &plots.Figure{
		Name: "numbers",
		Marks: []plots.Mark{
			&plots.Series{Label: "LCR, *n* = 8", Key: "lcr", Points: []plots.Point{
				{X: 1, Y: 0.1, YLow: 0, YHigh: 0.30000000000000004}, {X: 2, Y: 1e21},
			}},
			&plots.Curve{Label: "*n*^{2}", Points: []plots.XY{{X: 1, Y: 1}, {X: 2, Y: 4}}},
			&plots.Histogram{Label: "h", Edges: []float64{0, 1, 2}, Values: []float64{3, 0}},
			&plots.ECDF{Label: "F", Key: "f", Steps: []plots.Step{{X: 1, P: 0.5}, {X: 2, P: 1, Low: 0.75, High: 1}}},
			&plots.Reference{Label: "mean", X: 1.5},
			&plots.Scatter{Label: "place", Key: "p", Symbol: plots.Open, Points: []plots.XY{{X: 2, Y: 3}, {X: 1, Y: 2}}},
		},
	}
	got, err := csv.NewReader(bytes.NewReader(golden.Render(t, f.CSV))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{
		{"kind", "label", "key", "x", "x_high", "y", "y_low", "y_high"},
		{"series", "LCR, n = 8", "lcr", "1", "", "0.1", "0", "0.30000000000000004"},
		{"series", "LCR, n = 8", "lcr", "2", "", "1e+21", "", ""},
		{"curve", "n^2", "", "1", "", "1", "", ""},
		{"curve", "n^2", "", "2", "", "4", "", ""},
		{"histogram", "h", "", "0", "1", "3", "", ""},
		{"histogram", "h", "", "1", "2", "0", "", ""},
		{"ecdf", "F", "f", "1", "", "0.5", "", ""},
		{"ecdf", "F", "f", "2", "", "1", "0.75", "1"},
		{"reference", "mean", "", "1.5", "", "", "", ""},
		{"scatter", "place", "p", "2", "", "3", "", ""},
		{"scatter", "place", "p", "1", "", "2", "", ""},
	}
	if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
		t.Errorf("rows\n got %q\nwant %q", got, want)
	}
}

// curve returns the first mark of a figure, a curve.
func curve(f *plots.Figure) *plots.Curve { return f.Marks[0].(*plots.Curve) }

func TestValidate(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	series := func(points ...plots.Point) func(*plots.Figure) {
		return func(f *plots.Figure) { f.Marks = []plots.Mark{&plots.Series{Label: "LCR", Points: points}} }
	}
	ecdf := func(steps ...plots.Step) func(*plots.Figure) {
		return func(f *plots.Figure) { f.Marks = []plots.Mark{&plots.ECDF{Label: "LCR", Steps: steps}} }
	}
	for _, test := range []struct {
		name   string
		change func(*plots.Figure)
		want   string
	}{
		{"name", func(f *plots.Figure) { f.Name = "../x" }, `figure "../x": the name is not`},
		{"empty", func(f *plots.Figure) { f.Marks = nil }, "nothing to draw"},
		{"narrow", func(f *plots.Figure) { f.Width = 1 }, "width 1 cm outside [4, 100]"},
		{"no points", series(), "series 1 (LCR): no points"},
		{"NaN", series(plots.Point{X: 1, Y: nan}), "series 1 (LCR): point 0: y is NaN"},
		{"infinity", series(plots.Point{X: inf, Y: 1}), "series 1 (LCR): point 0: x is +Inf"},
		{"overflow", series(plots.Point{X: 1, Y: 1e200}), "y is 1e+200, beyond 1e+100"},
		{"interval", series(plots.Point{X: 1, Y: 2, YLow: 3, YHigh: 1}), "point 0: interval from 3 down to 1"},
		{"interval NaN", series(plots.Point{X: 1, Y: 2, YLow: nan, YHigh: 1}), "low end of the interval is NaN"},
		{"order", series(plots.Point{X: 2, Y: 1}, plots.Point{X: 1, Y: 1}), "point 1: x is 1 after 2"},
		{"log", func(f *plots.Figure) { f.Y.Log = true }, "curve 1 (theory): point 0: y is 0 on a logarithmic axis"},
		{"bound", func(f *plots.Figure) { f.X.Log, f.X.Min = true, new(-1.0) }, "x axis: bound is -1 on a logarithmic axis"},
		{"bounds", func(f *plots.Figure) { f.X.Min, f.X.Max = new(3.0), new(2.0) }, "x axis runs from 3 to 2"},
		{"short curve", func(f *plots.Figure) { curve(f).Points = curve(f).Points[:1] }, "curve 1 (theory): 1 points"},
		{"histogram", func(f *plots.Figure) {
			f.Marks = append(f.Marks, &plots.Histogram{Edges: []float64{1, 2}, Values: []float64{1, 2}})
		}, "histogram 1: 2 values between 2 edges"},
		{"edges", func(f *plots.Figure) {
			f.Marks = append(f.Marks, &plots.Histogram{Edges: []float64{1, 1}, Values: []float64{1}})
		}, "edge 1: 1 after 1"},
		{"negative bar", func(f *plots.Figure) {
			f.Marks = append(f.Marks, &plots.Histogram{Edges: []float64{1, 2}, Values: []float64{-1}})
		}, "value 0 is -1"},
		{"reference", func(f *plots.Figure) { f.Marks = append(f.Marks, &plots.Reference{Label: "mean", X: nan}) }, "reference 1 (mean): x is NaN"},
		{"scatter", func(f *plots.Figure) {
			f.Marks = append(f.Marks, &plots.Scatter{Label: "place", Points: []plots.XY{{X: 1, Y: nan}}})
		}, "scatter 1 (place): point 0: y is NaN"},
		{"empty scatter", func(f *plots.Figure) { f.Marks = append(f.Marks, &plots.Scatter{Symbol: plots.Filled}) }, "scatter 1: no points"},
		{"mark", func(f *plots.Figure) { f.Marks = append(f.Marks, &plots.Scatter{Symbol: 3}) }, "scatter 1: symbol 3; allowed are 0 to 2"},
		{"empty ecdf", ecdf(), "ecdf 1 (LCR): no steps"},
		{"ecdf on log", func(f *plots.Figure) { f.Y.Log = true; ecdf(plots.Step{X: 1, P: 1})(f) }, "ecdf 1 (LCR): a distribution function begins at 0"},
		{"ecdf order", ecdf(plots.Step{X: 2, P: 0.5}, plots.Step{X: 1, P: 1}), "ecdf 1 (LCR): step 1: x is 1 after 2"},
		{"ecdf falls", ecdf(plots.Step{X: 1, P: 0.5}, plots.Step{X: 2, P: 0.4}), "step 1: share P is 0.4 after 0.5"},
		{"ecdf below 0", ecdf(plots.Step{X: 1, P: -0.5}), "step 0: share P is -0.5 after 0"},
		{"ecdf beyond 1", ecdf(plots.Step{X: 1, P: 1.5}), "step 0: share P is 1.5; it is"},
		{"ecdf NaN", ecdf(plots.Step{X: 1, P: nan}), "step 0: y is NaN"},
		{"ecdf band", ecdf(plots.Step{X: 1, P: 0.5, Low: 0.6, High: 0.7}), "step 0: band from 0.6 to 0.7 around 0.5"},
		{"ecdf band beyond 1", ecdf(plots.Step{X: 1, P: 0.5, Low: 0.4, High: 1.1}), "step 0: band from 0.4 to 1.1"},
		{"ecdf band NaN", ecdf(plots.Step{X: 1, P: 0.5, Low: nan, High: 1}), "step 0: band from NaN to 1"},
		{"markup", func(f *plots.Figure) { curve(f).Label = "H_{n" }, `curve 1 (H_{n): "H_{n": _{ without }`},
		{"glyph", func(f *plots.Figure) { f.X.Label = "⌈x⌉" }, "x axis: \"⌈x⌉\": the font has no glyph for '⌈' (U+2308)"},
		{"long text", func(f *plots.Figure) { f.Title = strings.Repeat("long ", 20) }, "there is room for 234"},
		{"meta key", func(f *plots.Figure) { f.Meta = []plots.Meta{{Key: " x", Value: "1"}} }, `metadata key " x"`},
		{"meta twice", func(f *plots.Figure) { f.Meta = []plots.Meta{{Key: "a"}, {Key: "a"}} }, `metadata key "a" twice`},
		{"meta mark", func(f *plots.Figure) { f.Meta = []plots.Meta{{Key: "Receipt"}} }, `metadata key "Receipt" twice`},
		{"meta not XML", func(f *plots.Figure) { f.Meta = []plots.Meta{{Key: "a", Value: "b\uffff"}} }, "metadata a: character U+FFFF at byte 1"},
		{"meta not UTF-8", func(f *plots.Figure) { f.Meta = []plots.Meta{{Key: "a", Value: "\xff"}} }, "metadata a: the value is not UTF-8"},
		{"meta size", func(f *plots.Figure) {
			f.Meta = []plots.Meta{{Key: "a", Value: strings.Repeat("0", 9<<20)}, {Key: "b", Value: strings.Repeat("0", 9<<20)}}
		}, "metadata of 18874378 bytes; a picture carries 16777216 at most"},
		{"meta value", func(f *plots.Figure) { f.Meta = []plots.Meta{{Key: "a", Value: "\x00"}} }, "metadata a: character U+0000 at byte 0"},
	} {
		f := &plots.Figure{Name: "f", Marks: []plots.Mark{&plots.Curve{Label: "theory", Points: []plots.XY{{X: 1, Y: 0}, {X: 2, Y: 1}}}}}
		if err := f.Validate(); err != nil {
			t.Fatal(err)
		}
		test.change(f)
		err := f.Validate()
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v; want %q", test.name, err, test.want)
		}
		for format, write := range formats(f) {
			var b bytes.Buffer
			if write(&b) == nil || b.Len() > 0 {
				t.Errorf("%s: %s was written", test.name, format)
			}
		}
	}
}

// The order of the kinds among the marks does not matter.
func TestOrderOfKinds(t *testing.T) {
	for _, f := range []*plots.Figure{histogramFigure(), boxFigure()} {
		byKind := *f
		byKind.Marks = slices.Clone(f.Marks)
		slices.SortStableFunc(byKind.Marks, func(a, b plots.Mark) int { return strings.Compare(fmt.Sprintf("%T", b), fmt.Sprintf("%T", a)) })
		if slices.Equal(byKind.Marks, f.Marks) {
			t.Fatalf("%s: the order did not change", f.Name)
		}
		for format, write := range formats(f) {
			if !bytes.Equal(golden.Render(t, write), golden.Render(t, formats(&byKind)[format])) {
				t.Errorf("%s.%s depends on the order of the kinds", f.Name, format)
			}
		}
	}
}

// All mistakes are reported at once.
func TestValidateReportsAll(t *testing.T) {
	f := &plots.Figure{Name: "f", Marks: []plots.Mark{
		&plots.Series{Label: "a"},
		&plots.Series{Label: "b"},
	}}
	err := f.Validate()
	if err == nil || !strings.Contains(err.Error(), "series 1 (a)") || !strings.Contains(err.Error(), "series 2 (b)") {
		t.Errorf("error %v does not name both series", err)
	}
}

func TestSave(t *testing.T) {
	dir := t.TempDir()
	f := withMeta()
	for range 2 { // the second time it replaces the files
		paths, err := f.Save(dir)
		if err != nil {
			t.Fatal(err)
		}
		for i, extension := range []string{"png", "svg", "pdf", "csv"} {
			if want := filepath.Join(dir, "meta."+extension); paths[i] != want {
				t.Errorf("path %s; want %s", paths[i], want)
			}
			got, err := os.ReadFile(paths[i])
			if err != nil || !bytes.Equal(got, golden.Render(t, formats(f)[extension])) {
				t.Errorf("%s: %v, or other bytes than written directly", paths[i], err)
			}
		}
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 4 {
		t.Errorf("%d files, %v; want 4", len(files), err)
	}
	if _, err := f.Save(filepath.Join(dir, "missing")); err == nil {
		t.Error("no error for a directory that does not exist")
	}
}

func TestSaveAs(t *testing.T) {
	dir := t.TempDir()
	f := withMeta()
	for _, extension := range []string{"png", "svg", "pdf"} {
		path := filepath.Join(dir, "picture."+extension)
		if err := f.SaveAs(path); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(path)
		if err != nil || !bytes.Equal(got, golden.Render(t, formats(f)[extension])) {
			t.Errorf("%s: %v, or other bytes than written directly", path, err)
		}
	}
	for _, name := range []string{"picture.jpg", "picture", "png", "picture.csv"} {
		if err := f.SaveAs(filepath.Join(dir, name)); err == nil || !strings.Contains(err.Error(), ".svg, .pdf, .png, .tikz or .tex") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := (&plots.Figure{Name: "empty"}).SaveAs(filepath.Join(dir, "empty.png")); err == nil {
		t.Error("no error for a figure of nothing")
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 3 {
		t.Errorf("%d files, %v; want 3", len(files), err)
	}
}

// Data of every size and kind can be drawn: nothing here may panic.
func TestExtremeData(t *testing.T) {
	point := func(x, y float64) plots.Point { return plots.Point{X: x, Y: y} }
	for name, points := range map[string][]plots.Point{
		"single":    {point(3, 5)},
		"zero":      {point(0, 0)},
		"constant":  {point(1, 7), point(2, 7)},
		"tiny":      {point(1e-99, 1e-99), point(2e-99, 3e-99)},
		"huge":      {point(1e99, 1e99), point(2e99, 3e99)},
		"both":      {point(1e-99, 1e-99), point(1e99, 1e99)},
		"close":     {point(1e17, 1e17), point(1e17+16, 1e17+32)},
		"same x":    {point(1, 1), point(1, 2), point(1, 3)},
		"negative":  {point(-5, -7), point(-2, -1)},
		"intervals": {{X: 1, Y: 2, YLow: 1, YHigh: 3}, point(2, 3)},
	} {
		for _, log := range []bool{false, true} {
			if log && points[0].X <= 0 {
				continue
			}
			f := &plots.Figure{
				Name:  "extreme",
				X:     plots.Axis{Label: "*x*", Log: log},
				Y:     plots.Axis{Label: "*y*", Log: log},
				Marks: []plots.Mark{&plots.Series{Label: name, Points: points}},
			}
			svg := golden.Render(t, f.SVG)
			if bytes.Contains(svg, []byte("NaN")) || bytes.Contains(svg, []byte("Inf")) {
				t.Errorf("%s, log %v: the SVG has NaN or Inf", name, log)
			}
		}
	}
}

func BenchmarkFigure(b *testing.B) {
	f := electionsFigure()
	for b.Loop() {
		for _, write := range formats(f) {
			if err := write(io.Discard); err != nil {
				b.Fatal(err)
			}
		}
	}
}
