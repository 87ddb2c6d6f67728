package tour

import (
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"strings"

	"bullring/internal/pattern"
)

// Generator begins the text by which a page of the tour is known.
const Generator = `<meta name="generator" content="bullring tour`

const head = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
%s, %s"/>
<title>bullring: a tour</title>
<style>
:root { color-scheme: light dark; --ink: light-dark(#1a1d21, #e6e8eb); --dim: light-dark(#555b63, #a3abb5); --paper: light-dark(#fff, #15181c); --panel: light-dark(#f4f6f8, #1e2228); --line: light-dark(#d9dde2, #363c44); --accent: light-dark(#0072b2, #6ab7e6); }
body { margin: 0 auto; max-width: 60rem; padding: 1.5rem; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
h1, h2 { line-height: 1.2; } h2 { margin-top: 2.5rem; border-top: 1px solid var(--line); padding-top: 1.2rem; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: .7rem .9rem; overflow-x: auto; font: 12.5px/1.45 ui-monospace, monospace; }
pre b { color: var(--accent); } code { font: .9em ui-monospace, monospace; } nav a { color: var(--accent); margin-right: 1rem; }
img { display: block; max-width: 100%%; background: #fff; border-radius: 6px; margin: 1rem 0; } .dim { color: var(--dim); }
@media print { pre { white-space: pre-wrap; } }
</style>
</head>
<body>
<h1>A tour in ten minutes</h1>
`

// Taken is a tour with what its commands have made.
type Taken struct {
	Version string
	Outputs map[string]string // by command
	Files   map[string][]byte // pictures, by name
}

// Write writes the tour as one page for a browser. The page needs no other file.
func (t *Taken) Write(w io.Writer, stations []Station) error {
	var b strings.Builder
	fmt.Fprintf(&b, head, Generator, html.EscapeString(t.Version))
	b.WriteString("<nav aria-label=\"stations\">")
	for i, s := range stations {
		fmt.Fprintf(&b, "<a href=\"#s%d\">%s</a> ", i+1, html.EscapeString(s.Title))
	}
	b.WriteString("</nav>\n")
	for i, s := range stations {
		fmt.Fprintf(&b, "<h2 id=\"s%d\">%d. %s</h2>\n", i+1, i+1, html.EscapeString(s.Title))
		for _, p := range s.Parts {
			t.part(&b, p)
		}
	}
	b.WriteString("</body>\n</html>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func (t *Taken) part(b *strings.Builder, p Part) {
	text := html.EscapeString(p.Text)
	switch p.Kind {
	case Prose:
		fmt.Fprintf(b, "<p>%s</p>\n", marked(text))
	case Command:
		fmt.Fprintf(b, "<pre tabindex=\"0\"><b>$ %s</b>\n%s</pre>\n", text, html.EscapeString(t.Outputs[p.Text]))
	case Code:
		fmt.Fprintf(b, "<pre tabindex=\"0\">%s</pre>\n", text)
	case Picture:
		fmt.Fprintf(b, "<img alt=\"%s\" src=\"data:image/png;base64,%s\"/>\n", text, base64.StdEncoding.EncodeToString(t.Files[p.File]))
	}
}

var code = pattern.Of("`([^`]*)`")

// marked sets the code of an escaped paragraph, and names the pages that its links lead to:
// they are not beside this page.
func marked(text string) string {
	text = link().ReplaceAllString(text, `$1 <span class="dim">(docs/$2)</span>`)
	return code().ReplaceAllString(text, "<code>$1</code>")
}
