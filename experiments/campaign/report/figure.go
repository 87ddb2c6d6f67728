package report

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"image/png"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"bullring/experiments/campaign/results"
	"bullring/internal/counts"
	"bullring/internal/regular"
	"bullring/plots"
)

// figure is a figure of a folder.
type figure struct {
	id, name, caption string
	asks, answer      string   // the question that it answers, in markup, and the answer
	claims            []string // that the answer claims of the rows
	source            string   // of the picture: a link or the picture
	width, height     int      // of the picture, in pixels
	formats           []string
	receipt           string
	command           string
}

// largestFigure is the size of the largest picture that is read, in bytes.
const largestFigure = 64 << 20

// addFigures adds the figures that the manifest lists, in the order of the sweep.
func (s *section) addFigures(f *results.Folder, m *results.Manifest, embed bool) error {
	for i := range f.Spec.Figures {
		name := f.Spec.Figures[i].Name
		picture := results.FiguresDir + "/" + name + ".png"
		formats := formatsOf(m, name)
		if !slices.Contains(formats, "PNG") {
			s.undrawn = append(s.undrawn, name)
			continue
		}
		d := figure{id: s.id + "-" + name, name: name, asks: f.Spec.Figures[i].Asks, source: link(s.base, picture), formats: formats, command: "bullring verify " + word(path.Join(s.base, picture))}
		for _, c := range f.Spec.Figures[i].Answer.Holds {
			d.claims = append(d.claims, c.String())
		}
		if err := d.read(filepath.Join(f.Dir, results.FiguresDir, name), embed); err != nil {
			return err
		}
		s.figures = append(s.figures, d)
	}
	return nil
}

// formatsOf are the formats in which a manifest lists a figure, in capitals.
func formatsOf(m *results.Manifest, name string) []string {
	var formats []string
	for _, f := range m.Figures {
		extension := path.Ext(f.Name)
		if f.Name == results.FiguresDir+"/"+name+extension && extension != ".txt" {
			formats = append(formats, strings.ToUpper(strings.TrimPrefix(extension, ".")))
		}
	}
	return formats
}

// read reads caption, size and receipt of a figure. file is its path without extension.
func (d *figure) read(file string, embed bool) error {
	caption, err := regular.ReadInput(file + ".txt")
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // the first versions wrote no captions
		return err
	}
	d.caption, d.answer, _ = strings.Cut(strings.TrimSpace(string(caption)), "\n")
	picture, err := regular.Read(file+".png", largestFigure)
	if err != nil {
		return err
	}
	size, err := png.DecodeConfig(bytes.NewReader(picture))
	if err != nil {
		return fmt.Errorf("%s.png: %w", file, err)
	}
	d.width, d.height = size.Width, size.Height
	if embed {
		d.source = "data:image/png;base64," + base64.StdEncoding.EncodeToString(picture)
		d.command = "bullring verify " + word(d.name+".png")
	}
	d.receipt, err = receiptOf(file + ".png")
	return err
}

// receiptOf says what the metadata of a picture say of the trials behind it.
func receiptOf(picture string) (string, error) {
	entries, err := plots.ReadMeta(picture)
	if err != nil {
		return "", err
	}
	meta := map[string]string{}
	for _, m := range entries {
		meta[m.Key] = m.Value
	}
	var receipt struct {
		Trials int
		Hash   string `json:"results_sha256"`
	}
	if err := json.Unmarshal([]byte(meta["Manifest"]), &receipt); err != nil {
		return "", fmt.Errorf("%s: the receipt in its metadata: %w", picture, err)
	}
	text := fmt.Sprintf("%s of the sweep %s, seed %s, drawn by %s, epoch %s. SHA-256 of the sweep %s, of %s %s.",
		counts.Several(receipt.Trials, "trial"), meta["Sweep"], meta["Seed"], meta["Software"], meta["Epoch"], meta["Spec-SHA256"], results.ResultsFile, receipt.Hash)
	if partial := meta["Incomplete"]; partial != "" {
		text = "Incomplete: " + partial + ". " + text
	}
	return text, nil
}

// writeFigures writes the figures of the section.
func (s *section) writeFigures(w *writer) {
	if s.undrawn != nil {
		w.put("<p class=\"warn\">Not drawn: %s; <code>bullring plot %s</code> draws them.</p>\n", strings.Join(s.undrawn, ", "), word(s.base))
	}
	if s.figures == nil {
		return
	}
	w.put("<div class=\"figures\">\n")
	for _, f := range s.figures {
		shape := markup("")
		if f.width > 2*f.height {
			shape = ` class="wide"`
		}
		w.put("<figure id=\"%s\"%s>\n", f.id, shape)
		if f.asks != "" {
			w.put("<p><b>%s</b></p>\n", markup(plots.HTML(f.asks)))
		}
		around := "a"
		if w.embed {
			around = "button"
			w.put("<button class=\"zoom\">")
		} else {
			w.put("<a class=\"zoom\" href=\"%s\">", s.figureFile(f, "SVG"))
		}
		w.put("<img src=\"%s\" width=\"%d\" height=\"%d\" loading=\"lazy\" alt=\"%s, enlarge\" /></%s>\n", f.source, f.width, f.height, f.name, around)
		w.put("<figcaption><b>%s</b> %s", f.name, f.caption)
		if f.answer != "" {
			w.put(" <b>%s</b>", f.answer)
		}
		w.put("</figcaption>\n")
		if !w.embed {
			w.put("<p class=\"files\">")
			for _, format := range f.formats {
				w.put("<a href=\"%s\">%s</a> ", s.figureFile(f, format), format)
			}
			w.put("</p>\n")
		}
		w.put("<details><summary>Receipt and command</summary>\n<p>%s</p>\n<p><code>%s</code> runs these trials again and compares.</p>\n", f.receipt, f.command)
		if f.claims != nil {
			w.put("<p>The answer was held against the trials by its claims: <code>%s</code>.</p>\n", strings.Join(f.claims, "; "))
		}
		w.put("</details>\n</figure>\n")
	}
	w.put("</div>\n")
}

func (s *section) figureFile(f figure, format string) string {
	return link(s.base, results.FiguresDir+"/"+f.name+"."+strings.ToLower(format))
}
