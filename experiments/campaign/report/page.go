package report

import (
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"strings"

	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/tables"
	"bullring/internal/build"
	"bullring/internal/counts"
	"bullring/internal/regular"
	"bullring/internal/wholefile"
	"bullring/plots"
)

//go:embed report.css
var style string

//go:embed report.js
var script string

// Part is a part of a page: a folder whose tables are written or, if Manifest is nil, the
// progress of a sweep.
type Part struct {
	Folder   *results.Folder
	Manifest *results.Manifest
	Cells    *results.Overview
	Tables   *tables.Source
	// Base is the path of the folder from the page, with slashes; "." for the folder of
	// the page.
	Base     string
	Progress *Progress
}

// Page is a page about some sweeps.
type Page struct {
	Parts   []Part
	Embed   bool   // pictures are in the page, and nothing is a link to a file
	Version string // that writes it; "" is this one
	Refresh int    // seconds after which a browser reads the page again; 0 for never
}

// HTML returns the page, and says how much it shows. The page is well-formed XML, too,
// apart from its first line, its style and its script.
func (p *Page) HTML() (text, size string, err error) {
	w := &writer{embed: p.Embed, version: cmp.Or(p.Version, build.ThisProgram().String())}
	sections := make([]*section, len(p.Parts))
	for i := range p.Parts {
		if sections[i], err = newSection(&p.Parts[i], fmt.Sprintf("s%d", i+1), p.Embed); err != nil {
			return "", "", err
		}
	}
	size = sizeOf(sections)
	title := "Results of " + counts.Several(len(sections), "sweep")
	if len(sections) == 1 {
		title = plots.Plain(sections[0].title)
	}
	w.head(title, p.Refresh)
	w.put("<header>\n<h1>%s</h1>\n<p>%s</p>\n", title, size)
	w.put(`<label>Filter <input id="filter" type="search" placeholder="words of a title, a caption or a table" aria-keyshortcuts="/" /></label><output id="found"></output>` + "\n</header>\n")
	w.contents(sections)
	w.put("<main id=\"main\">\n")
	for _, s := range sections {
		s.write(w)
	}
	w.put("</main>\n<footer>Made by bullring %s.</footer>\n", w.version)
	w.put("<script>%s</script>\n</body>\n</html>\n", markup(script))
	return w.String(), size, nil
}

// generator begins the mark by which a page of bullring's is known.
const generator = `<meta name="generator" content="bullring `

// head writes all up to the body. Style and script are allowed by their hashes.
func (w *writer) head(title string, refresh int) {
	pictures := "'self' file:"
	if w.embed {
		pictures = "data:"
	}
	w.put("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\" />\n")
	w.put("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src %s; script-src %s; img-src %s; base-uri 'none'; form-action 'none'\" />\n",
		hashed(style), hashed(script), pictures)
	w.put("%s%s\" />\n", markup(generator), w.version)
	if refresh > 0 {
		w.put("<meta http-equiv=\"refresh\" content=\"%d\" />\n", refresh)
	}
	w.put("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n<title>%s</title>\n<style>%s</style>\n</head>\n<body>\n", title, markup(style))
	w.put("<a class=\"skip\" href=\"#main\">Skip the contents</a>\n")
}

// hashed names a text in a content security policy.
func hashed(text string) markup {
	sum := sha256.Sum256([]byte(text))
	return markup("'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'")
}

// sizeOf says how much a page shows.
func sizeOf(sections []*section) string {
	figures, trials, partial := 0, 0, 0
	for _, s := range sections {
		figures += len(s.figures)
		trials += s.done
		if !s.complete {
			partial++
		}
	}
	text := counts.Several(figures, "figure") + ", " + counts.Several(trials, "trial")
	if partial > 0 {
		text += fmt.Sprintf("; %d of %s not complete", partial, counts.Several(len(sections), "sweep"))
	}
	return text
}

// contents writes the table of contents. The script adds the small pictures.
func (w *writer) contents(sections []*section) {
	w.put("<nav aria-label=\"Contents\">\n<ol>\n")
	for _, s := range sections {
		w.put("<li><a href=\"#%s\">%s</a>", s.id, markup(plots.HTML(s.title)))
		if len(s.figures) > 0 {
			w.put("\n<ul>")
			for _, f := range s.figures {
				w.put("<li><a href=\"#%s\">%s</a></li>", f.id, f.name)
			}
			w.put("</ul>\n")
		}
		w.put("</li>\n")
	}
	w.put("</ol>\n</nav>\n")
}

// CheckFile returns an error if a page must not be written to a path.
func CheckFile(path string) error {
	return wholefile.CheckOutput(path, "a report that bullring wrote", func() error {
		file, err := regular.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		begin := make([]byte, 4096)
		n, _ := file.Read(begin)
		if !strings.Contains(string(begin[:n]), generator) {
			return fmt.Errorf("%s has no %s", path, generator)
		}
		return nil
	})
}
