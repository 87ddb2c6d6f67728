package grade

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html"
	"strings"
)

//go:embed page.css
var style string

// sealed is a page with its hash in a last line. If the hash does not match, somebody has changed the page.
func sealed(page string) []byte {
	return fmt.Appendf(nil, "%s<!-- bullring grade %x -->\n", page, sha256.Sum256([]byte(page)))
}

// isSealed reports whether a file is a page of this package as it was written.
func isSealed(file []byte) bool {
	const line = len("<!-- bullring grade  -->\n") + 2*sha256.Size
	return len(file) > line && bytes.Equal(file, sealed(string(file[:len(file)-line])))
}

// writer collects a page. It escapes all of its arguments.
type writer struct{ strings.Builder }

func (w *writer) put(format string, args ...string) {
	escaped := make([]any, len(args))
	for i, a := range args {
		escaped[i] = html.EscapeString(strings.ToValidUTF8(a, "?"))
	}
	fmt.Fprintf(w, format, escaped...)
}

// page is the page of a submission. It lets nothing in but its own style and its own pictures.
func page(r *Grades, g *Graded) string {
	w := &writer{}
	sum := sha256.Sum256([]byte(style))
	w.put("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\" />\n")
	w.put("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-%s'; img-src data:; base-uri 'none'; form-action 'none'\" />\n", base64.StdEncoding.EncodeToString(sum[:]))
	w.put("<meta name=\"generator\" content=\"bullring grade %s\" />\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n<title>%s: %s</title>\n<style>", r.Program, g.Name, r.Title)
	w.WriteString(style)
	w.put("</style>\n</head>\n<body>\n<h1>%s</h1>\n<p class=\"total\">%s: %s of %s points</p>\n", r.Title, g.Name, Text(g.Points), Text(g.Of))
	if g.Inconclusive {
		w.put("<p class=\"warn\">Not all parts were decided. Grade this submission again.</p>\n")
	}
	w.put("<table>\n<thead><tr><th>Part</th><th>Points</th><th>Of</th><th>Verdict</th></tr></thead>\n<tbody>\n")
	for i := range g.Marks {
		m := &g.Marks[i]
		w.put("<tr class=\"%s\"><td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr>\n", string(m.Verdict), m.Part, m.Cell(), Text(m.Of), string(m.Verdict))
	}
	w.put("</tbody>\n</table>\n")
	for i := range g.Marks {
		if m := &g.Marks[i]; m.Why != "" {
			w.mark(m)
		}
	}
	w.put("<h2>Receipt</h2>\n<dl><dt>program</dt><dd><code>%s</code></dd><dt>SHA-256 of its files</dt><dd><code>%s</code></dd><dt>SHA-256 of the assignment</dt><dd><code>%s</code></dd></dl>\n", g.Command, g.SHA256, r.Assignment)
	if r.Sandbox != "" {
		w.put("<p class=\"warn\">Sandbox: %s.</p>\n", r.Sandbox)
	}
	w.put("<footer>Made by bullring %s.</footer>\n</body>\n</html>\n", r.Program)
	return w.String()
}

// mark writes why points are missing.
func (w *writer) mark(m *Mark) {
	w.put("<h2>%s</h2>\n<p>%s</p>\n", m.Part, m.Why)
	e := m.example
	if e == nil {
		return
	}
	w.put("<h3>The smallest run that was found</h3>\n<p>%s</p>\n", e.sentence)
	for _, sentence := range e.reasons {
		w.put("<p class=\"reason\">%s</p>\n", sentence)
	}
	if e.parting != "" {
		w.put("<pre>%s</pre>\n", e.parting)
	}
	if e.picture != nil {
		w.put("<img alt=\"space-time diagram of the run: %s\" src=\"data:image/svg+xml;base64,%s\" />\n", e.sentence, base64.StdEncoding.EncodeToString(e.picture))
	} else if e.unseen != "" {
		w.put("<p>%s</p>\n", e.unseen)
	}
	w.put("<p>Again:</p>\n<pre>%s</pre>\n", e.again)
}
