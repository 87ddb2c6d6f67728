package browser

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// sweeps are those of the folder that the report is about.
var sweeps = map[string]string{
	"elections": `
name: elections
replicates: 5
algorithms: [lcr, peterson]
axes: {n: [4, 8, 16], placement: [random]}
figures:
  - {name: elections-messages, x: {axis: n, log: true}, y: {metric: messages, log: true}, series: [algorithm]}
  - {name: elections-time, x: {axis: n}, y: {metric: time}, series: [algorithm]}
`,
	"locks": `
name: locks
replicates: 2
algorithms: [ricartagrawala, lamport]
axes: {n: [3, 6]}
figures:
  - {name: locks-messages, x: {axis: n}, y: {metric: messages}, series: [algorithm]}
`,
}

// report runs the sweeps, unless it has, and writes a page about them beside them.
func report(t *testing.T, file string, flags ...string) string {
	t.Helper()
	out := filepath.Join(folder, "out")
	for name, spec := range sweeps {
		dir := filepath.Join(out, name)
		if _, err := os.Stat(dir); err == nil {
			continue
		}
		written := filepath.Join(folder, name+".yaml")
		if err := os.WriteFile(written, []byte(spec), 0o644); err != nil {
			t.Fatal(err)
		}
		run(t, "sweep", written, "-o", dir, "--progress", "off")
	}
	run(t, append([]string{"report", out, "-o", filepath.Join(out, file)}, flags...)...)
	return filepath.Join(out, file)
}

// TestReport uses the page of a folder: it sorts, filters, and follows every link.
func TestReport(t *testing.T) {
	p := open(t, report(t, "index.html"), light)
	p.own = filepath.Join(folder, "out")
	p.links()
	p.sorts()
	p.filters()
	p.readable(40)
}

// readable checks that whatever can be used has a name, and how many such elements there are; that texts have
// contrast in the dark and in the light; and that a telephone shows it all without scrolling sideways.
func (p *page) readable(elements int) {
	p.Helper()
	if seen := p.allNamed(); seen < elements {
		p.Errorf("the accessibility tree has %d elements that can be used; it should have %d", seen, elements)
	}
	for _, theme := range []chromedp.Action[chromedp.Void]{dark, light} {
		p.do(theme)
		if poor := js[[]string](p, contrasts); len(poor) > 0 {
			p.Errorf("texts have too little contrast: %q", poor)
		}
	}
	p.do(chromedp.EmulateViewport(400, 800))
	if wide := js[int](p, "document.documentElement.scrollWidth"); wide > 400 {
		p.Errorf("the page is %d pixels wide on a screen of 400", wide)
	}
}

// TestStatus looks at the page of a sweep that is half done.
func TestStatus(t *testing.T) {
	spec, half, file := filepath.Join(folder, "half.yaml"), filepath.Join(folder, "half"), filepath.Join(folder, "status.html")
	if err := os.WriteFile(spec, []byte(sweeps["elections"]), 0o644); err != nil {
		t.Fatal(err)
	}
	run(t, "sweep", spec, "-o", half, "--shard", "1/2", "--progress", "off")
	run(t, "status", half, "--html", file)
	p := open(t, file, light)
	if text := p.text("body"); !strings.Contains(text, "15 of 30 (50%) trials") {
		t.Errorf("the page says %q", text)
	}
	p.readable(8)
}

// TestTour looks at the tour as a page, with its pictures inside.
func TestTour(t *testing.T) {
	file := filepath.Join(folder, "tour.html")
	run(t, "tour", "-o", file)
	p := open(t, file, light)
	p.until(`[...document.images].every(i => i.naturalWidth > 0) && document.images.length >= 2`)
	p.readable(8)
}

// A page with its figures inside asks for no file but itself.
func TestEmbeddedReport(t *testing.T) {
	p := open(t, report(t, "embedded.html", "--embed"))
	p.until(`[...document.images].every(i => i.naturalWidth > 0) && document.images.length >= 3`)
}

// links checks that each link leads to a place of the page or to a file, and that each picture is there.
func (p *page) links() {
	p.Helper()
	links := js[[]string](p, `[...document.querySelectorAll("a[href]")].map(a => a.getAttribute("href"))`)
	for _, link := range links {
		if anchor, inside := strings.CutPrefix(link, "#"); inside {
			if !js[bool](p, fmt.Sprintf(`document.getElementById(decodeURIComponent(%q)) !== null`, anchor)) {
				p.Errorf("no element has the id %s", anchor)
			}
			continue
		}
		path, err := url.PathUnescape(link)
		if err == nil {
			_, err = os.Stat(filepath.Join(p.own, path))
		}
		if err != nil {
			p.Errorf("a link leads nowhere: %v", err)
		}
	}
	p.until(`[...document.images].every(i => { i.loading = "eager"; return i.complete; })`)
	pictures := js[[]int](p, `[...document.images].map(i => i.naturalWidth)`)
	p.Logf("%d links lead somewhere, %d pictures are there", len(links), len(pictures))
	if len(links) < 20 || len(pictures) < 3 || slices.Contains(pictures, 0) {
		p.Errorf("%d links, pictures of the widths %v", len(links), pictures)
	}
}

// means is the column of messages in the table of the locks.
const means = `[...document.querySelector(".sweep:last-of-type table").tBodies[0].rows].map(r => parseFloat(r.querySelectorAll("td")[2].textContent)).join()`

// sorts sorts a column of numbers by the mouse, and back by the keyboard.
func (p *page) sorts() {
	p.Helper()
	head := ".sweep:last-of-type table th:nth-child(3)"
	for _, s := range []struct{ how, order, says string }{
		{"as it was", "12,60,18,90", ""},
		{"click", "12,18,60,90", "ascending"},
		{"key", "90,60,18,12", "descending"},
	} {
		switch s.how {
		case "click":
			p.click(head + " button")
		case "key":
			p.press(kb.Enter)
		}
		order, says := js[string](p, means), js[string](p, fmt.Sprintf(`document.querySelector(%q).ariaSort ?? ""`, head))
		if order != s.order || says != s.says {
			p.Errorf("%s: messages are %s and the column is sorted %q; they should be %s, and it %q", s.how, order, says, s.order, s.says)
		}
	}
}

// filters types words into the filter, and takes them back.
func (p *page) filters() {
	p.Helper()
	const visible = `[...document.querySelectorAll("figure")].filter(f => f.checkVisibility()).length`
	for _, s := range []struct {
		keys    string
		figures int
	}{{"/", 3}, {"time", 1}, {" locks", 0}, {kb.Escape, 3}} {
		p.press(s.keys)
		if figures := js[int](p, visible); figures != s.figures {
			p.Errorf("after %q there are %d figures; there should be %d", s.keys, figures, s.figures)
		}
	}
}
