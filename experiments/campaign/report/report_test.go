package report_test

import (
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"bullring/experiments/campaign/figures"
	"bullring/experiments/campaign/report"
	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/tables"
	"bullring/experiments/internal/sweeptest"
	"bullring/internal/build"
	"bullring/internal/golden"
)

// hostile is a sweep whose words would break a page that does not escape them.
const hostile = `name: small
title: "<script>alert(1)</script> & *n*^{2} \"quoted\""
replicates: 3
algorithms: [ring, {algorithm: bird, variant: all-terminate, label: "</td><img src=x onerror='alert(2)'>"}]
axes: {n: [2, 4, 8]}
compare: [{baseline: ring, metrics: [messages]}]
figures:
  - {name: lines, title: "<b>bold</b> & *n*", asks: "Do <i>messages</i> grow as *n*^{2}?", answers: {says: "<i>So</i> & *n*^{2}", holds: ["ring < 40 && ring(8) > 8"]}, y: messages, curves: [{algorithm: ring, bound: worst}]}
  - {name: boxes, kind: box, y: messages}
`

// swept runs a sweep into a folder called "a b#1" beside a page to come, and draws its
// figures.
func swept(t *testing.T, text string) report.Part {
	t.Helper()
	s := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), text)
	s.Dir = filepath.Join(t.TempDir(), "a b#1")
	sweeptest.Run(t, s)
	if _, err := figures.Draw(s.Registry, s.Dir); err != nil {
		t.Fatal(err)
	}
	return part(t, s.Dir)
}

func part(t *testing.T, dir string) report.Part {
	t.Helper()
	folder, err := results.Open(sweeptest.Registry(sweeptest.Triangle), dir)
	if err != nil {
		t.Fatal(err)
	}
	m, err := results.ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	cells, err := folder.Overview()
	if err != nil {
		t.Fatal(err)
	}
	source, err := tables.Open(folder, m, cells)
	if err != nil {
		t.Fatal(err)
	}
	return report.Part{Folder: folder, Manifest: m, Cells: cells, Tables: source, Base: filepath.Base(dir)}
}

func written(t *testing.T, p report.Page) string {
	t.Helper()
	text, _, err := p.HTML()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// element is an element of a page, with the text in it.
type element struct {
	name       string
	attributes map[string]string
	text       string
}

var raw = regexp.MustCompile(`(?s)(<style>|<script>).*?(</style>|</script>)`)

// elements parses a page as XML, without its own style and script.
func elements(t *testing.T, page string) []*element {
	t.Helper()
	var all, open []*element
	d := xml.NewDecoder(strings.NewReader(raw.ReplaceAllString(page, "$1$2")))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			e := &element{name: token.Name.Local, attributes: map[string]string{}}
			for _, a := range token.Attr {
				e.attributes[a.Name.Local] = a.Value
			}
			all, open = append(all, e), append(open, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			for _, e := range open {
				e.text += string(token)
			}
		}
	}
}

// named are the texts of the elements of a name.
func named(all []*element, name string) (texts []string) {
	for _, e := range all {
		if e.name == name {
			texts = append(texts, strings.TrimSpace(e.text))
		}
	}
	return texts
}

// The page of a folder of hostile words is well-formed, shows all of the folder, and holds
// no other element than its own, no path and no address.
func TestPageShowsTheFolder(t *testing.T) {
	p := swept(t, hostile)
	page := written(t, report.Page{Parts: []report.Part{p}})
	all := elements(t, page)
	if scripts := named(all, "script"); len(scripts) != 1 {
		t.Errorf("%d scripts", len(scripts))
	}
	if slices.Contains(named(all, "b"), "bold") {
		t.Error("a title of a figure became an element")
	}
	if got := named(all, "h2"); !slices.Equal(got, []string{`<script>alert(1)</script> & n2 "quoted"`}) {
		t.Errorf("the heading is %q", got)
	}
	captions := named(all, "figcaption")
	for i, name := range []string{"lines", "boxes"} {
		caption, err := os.ReadFile(filepath.Join(p.Folder.Dir, "figures", name+".txt"))
		if err != nil || captions[i] != name+" "+strings.Join(strings.Split(strings.TrimSpace(string(caption)), "\n"), " ") {
			t.Errorf("the caption of %s is %q, %v; the folder has %q", name, captions[i], err, caption)
		}
	}
	cells := named(all, "td")
	for _, table := range []string{results.SummaryFile, results.DifferencesFile, results.GrowthFile} {
		if !slices.Contains(named(all, "a"), table) {
			t.Errorf("there is no link to %s", table)
		}
	}
	for _, want := range []string{`</td><img src=x onerror='alert(2)'>`, "worst", "E1", "exponent"} {
		if !slices.ContainsFunc(append(cells, named(all, "th")...), func(cell string) bool { return cell == want }) {
			t.Errorf("no table has %q", want)
		}
	}
	for _, secret := range []string{filepath.Dir(p.Folder.Dir), os.TempDir(), "http:", "https:"} {
		if strings.Contains(page, secret) {
			t.Errorf("the page holds %q", secret)
		}
	}
}

// Every link of a page leads to a file or a place in the page, wherever the page is.
func TestLinksLead(t *testing.T) {
	p := swept(t, hostile)
	dir := filepath.Dir(p.Folder.Dir)
	for _, base := range []string{"a b#1", "."} {
		if p.Base = base; base == "." {
			dir = p.Folder.Dir
		}
		all := elements(t, written(t, report.Page{Parts: []report.Part{p}}))
		places, files := map[string]bool{}, 0
		for _, e := range all {
			places[e.attributes["id"]] = true
		}
		for _, e := range all {
			for _, name := range []string{"href", "src"} {
				to, ok := e.attributes[name]
				if place, inside := strings.CutPrefix(to, "#"); !ok || inside {
					if inside && !places[place] {
						t.Errorf("%s leads to no place of the page", to)
					}
					continue
				}
				u, err := url.Parse(to)
				if err != nil || u.Scheme != "" || u.Host != "" || !strings.HasPrefix(to, "./") || u.RawQuery != "" || u.Fragment != "" {
					t.Fatalf("%q is no path from the page: %v", to, err)
				}
				if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(u.Path))); err != nil {
					t.Error(err)
				}
				files++
			}
		}
		if files < 2*6+5 {
			t.Errorf("from %s there are only %d links to files", base, files)
		}
	}
}

// A page with embedded figures has no link to a file, and its pictures are those of the
// folder to the byte: their receipts are in them.
func TestEmbeddedPage(t *testing.T) {
	p := swept(t, hostile)
	pictures := 0
	for _, e := range elements(t, written(t, report.Page{Parts: []report.Part{p}, Embed: true})) {
		if to, ok := e.attributes["href"]; ok && !strings.HasPrefix(to, "#") {
			t.Errorf("there is a link to %s", to)
		}
		src, ok := e.attributes["src"]
		if !ok {
			continue
		}
		text, inside := strings.CutPrefix(src, "data:image/png;base64,")
		picture, err := base64.StdEncoding.DecodeString(text)
		want, _ := os.ReadFile(filepath.Join(p.Folder.Dir, "figures", []string{"lines", "boxes"}[pictures]+".png"))
		if !inside || err != nil || !bytes.Equal(picture, want) {
			t.Errorf("picture %d is not that of the folder: %v", pictures, err)
		}
		pictures++
	}
	if pictures != 2 {
		t.Errorf("%d pictures", pictures)
	}
}

// What a folder lacks is said.
func TestPageOfAPartOfASweep(t *testing.T) {
	s := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), hostile)
	sweeptest.Run(t, s)
	p := part(t, s.Dir)
	p.Manifest.Complete, p.Manifest.Rows = false, 5
	text := written(t, report.Page{Parts: []report.Part{p, {Progress: &report.Progress{
		Name: "left", State: "not complete: 3 of 9", Done: 3, Damage: []string{"shard-1-of-2.journal: torn"},
		Tables: []report.Table{{Title: "Shards", Head: []string{"shard"}, Rows: [][]string{{"7"}}}},
	}}}})
	all := elements(t, text)
	want := []string{"Not complete: 5 of 18 trials.", "Not drawn: lines, boxes; bullring plot out draws them.", "Not complete: 3 of 9.", "shard-1-of-2.journal: torn", "0 figures, 8 trials; 2 of 2 sweeps not complete"}
	for _, w := range want {
		if !slices.Contains(named(all, "p"), w) {
			t.Errorf("the page does not say %q", w)
		}
	}
	if !slices.Contains(named(all, "td"), "7") {
		t.Error("the table of shards is lacking")
	}
}

// A figure without a caption is shown, and one whose picture is gone or is none is an error.
func TestDamagedFigures(t *testing.T) {
	p := swept(t, "name: one\nalgorithms: ring\naxes: {n: [2, 4]}\nreplicates: 2\nfigures: [{name: growth, y: messages}]\n")
	page := report.Page{Parts: []report.Part{p}}
	file := filepath.Join(p.Folder.Dir, "figures", "growth")
	if err := os.Remove(file + ".txt"); err != nil {
		t.Fatal(err)
	}
	if text := written(t, page); !strings.Contains(text, "growth.png") {
		t.Error("without its caption the figure is not shown")
	}
	if err := os.WriteFile(file+".png", []byte("no picture"), 0o644); err != nil {
		t.Fatal(err)
	}
	if text, _, err := page.HTML(); err == nil || text != "" || !strings.Contains(err.Error(), "growth.png") {
		t.Errorf("what is no picture: %v", err)
	}
	if err := os.Remove(file + ".png"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := page.HTML(); err == nil || !strings.Contains(err.Error(), "growth.png") {
		t.Errorf("without a picture: %v", err)
	}
}

// A page replaces a page, and no other file.
func TestCheckFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "page.html")
	for _, c := range []struct {
		text string
		ok   bool
	}{{written(t, report.Page{}), true}, {"<!doctype html>\n<title>mine</title>\n", false}} {
		if err := os.WriteFile(path, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := report.CheckFile(path); (err == nil) != c.ok {
			t.Errorf("%.40q: %v", c.text, err)
		}
	}
}

// A page allows its style and its script by their hashes, and nothing else.
func TestPolicy(t *testing.T) {
	empty := report.Progress{Name: "x", State: "not complete"}
	for _, p := range []report.Page{{Parts: []report.Part{{Progress: &empty}}}, {Parts: []report.Part{{Progress: &empty}}, Embed: true, Refresh: 10}} {
		text := written(t, p)
		policy, refresh := "", ""
		for _, e := range elements(t, text) {
			switch e.attributes["http-equiv"] {
			case "Content-Security-Policy":
				policy = e.attributes["content"]
			case "refresh":
				refresh = e.attributes["content"]
			}
			for name := range e.attributes {
				if name == "style" || strings.HasPrefix(name, "on") {
					t.Errorf("the policy forbids the attribute %s of %s", name, e.name)
				}
			}
		}
		if !strings.HasPrefix(policy, "default-src 'none'; ") || strings.Contains(policy, "unsafe") || strings.Contains(policy, "data:") != p.Embed {
			t.Errorf("the policy is %q", policy)
		}
		if (refresh != "") != (p.Refresh > 0) {
			t.Errorf("refresh is %q", refresh)
		}
	}
}

func TestAssetsAreSmall(t *testing.T) {
	size := 0
	for _, name := range []string{"report.css", "report.js"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		size += len(text)
	}
	if size > 8192 {
		t.Errorf("style and script have %d bytes", size)
	}
}

// Text can be read on both backgrounds, in light and in dark: WCAG asks for a contrast of
// 4.5 to 1.
func TestContrast(t *testing.T) {
	style, err := os.ReadFile("report.css")
	if err != nil {
		t.Fatal(err)
	}
	colours := map[string][]string{}
	for _, c := range regexp.MustCompile(`--(\w+): light-dark\((#\w{6}), (#\w{6})\)`).FindAllStringSubmatch(string(style), -1) {
		colours[c[1]] = c[2:]
	}
	for _, text := range []string{"ink", "dim", "accent", "bad", "warn"} {
		for _, ground := range []string{"paper", "panel"} {
			if colours[text] == nil || colours[ground] == nil {
				t.Fatalf("%s or %s is no colour: %v", text, ground, colours)
			}
			for mode := range 2 {
				a, b := luminance(t, colours[text][mode]), luminance(t, colours[ground][mode])
				if contrast := (max(a, b) + 0.05) / (min(a, b) + 0.05); contrast < 4.5 {
					t.Errorf("%s on %s: %.2f", text, ground, contrast)
				}
			}
		}
	}
}

// luminance is the relative luminance of a colour of sRGB, as WCAG defines it.
func luminance(t *testing.T, colour string) float64 {
	var r, g, b uint8
	if _, err := fmt.Sscanf(colour, "#%02x%02x%02x", &r, &g, &b); err != nil {
		t.Fatal(err)
	}
	linear := func(v uint8) float64 {
		if c := float64(v) / 255; c > 0.04045 {
			return math.Pow((c+0.055)/1.055, 2.4)
		} else {
			return c / 12.92
		}
	}
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}

// The page of a small folder, without style and script.
func TestGoldenPage(t *testing.T) {
	page := written(t, report.Page{Parts: []report.Part{swept(t, hostile)}})
	page = raw.ReplaceAllString(strings.ReplaceAll(page, build.ThisProgram().String(), "VERSION"), "$1$2")
	page = regexp.MustCompile(`sha256-[^']*`).ReplaceAllString(page, "sha256-HASH")
	golden.Check(t, "page.html", []byte(page))
}
