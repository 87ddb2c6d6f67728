package page

import (
	_ "embed"
	"encoding/json"
	"html"
	"io"
	"path/filepath"
	"strings"

	"bullring/experiments/trial"
	"bullring/internal/pattern"
)

var (
	//go:embed view.html
	frame string
	//go:embed view.css
	style string
	//go:embed model.js
	model string
	//go:embed paint.js
	paint string
	//go:embed view.js
	script string
)

// Schema describes the data format as JSON Schema, draft 2020-12.
//
//go:embed view.schema.json
var Schema string

// generator marks a file as a page of this package.
const generator = `<meta name="generator" content="bullring view">`

// opens is the text before the runs in a page.
const opens = `<script id="runs" type="application/json">`

// Write writes one page of one or two runs.
func Write(w io.Writer, runs ...Data) error {
	texts := make([]string, len(runs))
	for i, d := range runs {
		text, err := d.encode()
		if err != nil {
			return err
		}
		texts[i] = string(text)
	}
	_, err := strings.NewReplacer(
		"/*STYLE*/", style,
		"/*SCRIPT*/", model+paint+script,
		"TITLE", html.EscapeString(runs[0].Algorithm+": "+runs[0].Title),
		"RUNS", "["+strings.Join(texts, ",\n")+"]",
	).WriteString(w, frame)
	return err
}

// WriteData writes the data alone, as JSON.
func (d *Data) WriteData(w io.Writer) error {
	text, err := d.encode()
	if err == nil {
		_, err = w.Write(append(text, '\n'))
	}
	return err
}

// encode returns the data as JSON that may stand in a script element of HTML: no < is in it.
// Files that the setting names stand without their folders.
func (d *Data) encode() ([]byte, error) {
	text, err := json.Marshal(d)
	return []byte(d.inPublic(string(text))), err
}

// inPublic removes the folders from the names of files, in plain text or in JSON.
func (d *Data) inPublic(text string) string {
	for _, path := range d.files {
		quoted := strings.ReplaceAll(path, "'", `'\''`) // as in a command
		for _, name := range []string{path, quoted} {
			text = strings.ReplaceAll(text, name, filepath.Base(name))
			text = strings.ReplaceAll(text, inJSON(name), inJSON(filepath.Base(name)))
		}
	}
	return text
}

// inJSON is a text as it stands within a string of JSON.
func inJSON(text string) string {
	quoted, _ := json.Marshal(text)
	return string(quoted[1 : len(quoted)-1])
}

// named is the name of a file with its folder in the text of a link or of a fault. What else
// has a slash there is a ratio, such as 1/3.
var named = pattern.Of(`\S*(/\S*[^0-9\s]|[^0-9\s]\S*/|\\)\S*`)

// files returns the names of the files in a setting.
func files(in *trial.Instance) []string {
	s := &in.Setting
	var found []string
	if trial.IsGraphFile(s.Topology) {
		found = append(found, strings.TrimPrefix(s.Topology, trial.GraphFile))
	}
	return append(found, named().FindAllString(s.Link+"\n"+s.Fault, -1)...)
}
