package report

import (
	"cmp"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/spec"
	"bullring/internal/counts"
	"bullring/plots"
)

// section is the part of a page about one sweep.
type section struct {
	id       string
	name     string // of the sweep
	title    string // in the markup of labels
	lead     string // below the title
	state    string // "" for a sweep that is complete
	base     string // of the folder, from the page
	done     int    // trials
	trials   int    // at most; 0 if the sweep is complete
	complete bool

	progress []Fact

	facts      []Fact
	damage     []string
	figures    []figure
	undrawn    []string // names of figures
	conditions []Fact
	tables     []Table
	commands   []Fact // what a command does, and the command
	files      []string
	spec       string // the text of the sweep
}

// Fact is a word and what it stands for, as text.
type Fact struct{ Name, Value string }

func newSection(p *Part, id string, embed bool) (*section, error) {
	if p.Manifest == nil {
		return p.Progress.section(id), nil
	}
	f, m := p.Folder, p.Manifest
	s := &section{
		id: id, name: m.Name, title: f.Spec.Title, lead: fmt.Sprintf("%s of %s, seed %d", counts.Several(m.Done(), "trial"), counts.Several(len(f.Cells), "cell"), m.Seed), base: p.Base, done: m.Done(), complete: m.Complete, files: results.TableFiles(f.Spec), spec: string(f.Text),
	}
	if p.Progress != nil {
		s.addProgress(p.Progress)
	} else if !m.Complete {
		s.trials = m.Trials
		s.state = fmt.Sprintf("not complete: %s of %s", counts.Grouped(m.Done()), counts.Several(m.Trials, "trial"))
	}
	s.files = append(append(s.files, results.ManifestFile), documentsOf(m)...)
	s.facts = []Fact{
		{"trials", fmt.Sprintf("%s, of %s at most", counts.Grouped(m.Done()), counts.Grouped(m.Trials))},
		{"seed", fmt.Sprint(m.Seed)},
		{"program", fmt.Sprintf("bullring %v, epoch %d", m.Program, m.Epoch)},
		{"SHA-256 of the sweep", m.Spec.SHA256},
		{"SHA-256 of " + results.ResultsFile, m.HashOf(results.ResultsFile)},
	}
	if m.Outside {
		s.facts = append(s.facts, Fact{"outside the model", "such trials were allowed, and are marked in the column outside"})
	}
	s.conditions = conditionsOf(f.Cells)
	if err := s.addFigures(f, m, embed); err != nil {
		return nil, err
	}
	s.commands = commandsOf(f, m, p.Base, embed)
	return s, s.addTables(p)
}

// conditionsOf lists the fields of the cells with their values, without those that nothing
// was asked of.
func conditionsOf(cells []spec.Cell) []Fact {
	const most = 12 // values
	var all []Fact
	for _, field := range spec.Fields() {
		var values []string
		seen := map[string]bool{}
		for i := range cells {
			value, _ := cells[i].Field(field)
			if value != "" && !seen[value] {
				seen[value] = true
				values = append(values, strings.Join(strings.Fields(value), " "))
			}
		}
		usual := field == "dead" && slices.Equal(values, []string{"none"}) || field == "fifo" && slices.Equal(values, []string{"true"})
		if values == nil || usual {
			continue
		}
		if field == "n" {
			slices.SortFunc(values, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
		}
		text := strings.Join(values[:min(len(values), most)], "; ")
		if len(values) > most {
			text = fmt.Sprintf("%s; … %s (%d values)", strings.Join(values[:most-1], "; "), values[len(values)-1], len(values))
		}
		all = append(all, Fact{field, text})
	}
	return all
}

// commandsOf are the commands about a folder, to be given in the folder of the page. Beside a
// page with embedded pictures there is no folder: the sweep is taken from the page.
func commandsOf(f *results.Folder, m *results.Manifest, base string, embed bool) []Fact {
	flags := ""
	if m.Outside && !f.Spec.OutsideModel {
		flags = " --outside-model"
	}
	if embed {
		return []Fact{{"makes the same results, from the sweep below", "bullring sweep " + results.SpecFile + " -o " + f.Spec.Name + "-again" + flags}}
	}
	again := path.Join(path.Dir(base), f.Spec.Name+"-again")
	if base == "." {
		again = "../" + again
	}
	return []Fact{
		{"makes the same results, in another folder", "bullring sweep " + word(path.Join(base, results.SpecFile)) + " -o " + word(again) + flags},
		{"runs the trials again and compares", "bullring verify " + word(base) + " --all"},
		{"shows the first trial", "bullring replay " + word(base) + " 1"},
		{"draws the figures again", "bullring plot " + word(base)},
	}
}

// word is a word of a shell.
func word(text string) string {
	if strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.,/") == "" {
		return text
	}
	return results.QuoteShell(text)
}

// write writes the section.
func (s *section) write(w *writer) {
	w.put("<section id=\"%s\" class=\"sweep\">\n<div class=\"about\">\n<h2>%s</h2>\n<p class=\"dim\"><code>%s</code> %s</p>\n", s.id, markup(plots.HTML(s.title)), s.name, s.lead)
	if s.state != "" {
		w.put("<p class=\"warn\">%s <progress max=\"%d\" value=\"%d\"></progress></p>\n", strings.ToUpper(s.state[:1])+s.state[1:]+".", max(s.trials, 1), s.done)
	}
	for _, d := range s.damage {
		w.put("<p class=\"bad\">%s</p>\n", d)
	}
	w.put("</div>\n")
	w.list("Progress", s.progress, false)
	s.writeFigures(w)
	for i := range s.tables {
		s.tables[i].write(w, s, fmt.Sprintf("%s-t%d", s.id, i+1))
	}
	w.list("Conditions", s.conditions, false)
	w.list("Commands", s.commands, true)
	w.list("Receipt", s.facts, false)
	if s.spec != "" {
		w.put("<details><summary>The sweep, <code>%s</code></summary>\n<pre tabindex=\"0\">%s</pre>\n</details>\n", results.SpecFile, s.spec)
	}
	s.writeFiles(w)
	w.put("</section>\n")
}

// list writes facts under a title that opens and closes them.
func (w *writer) list(title string, facts []Fact, commands bool) {
	if facts == nil {
		return
	}
	w.put("<details open=\"open\"><summary>%s</summary>\n<dl>\n", title)
	for _, f := range facts {
		if commands {
			w.put("<dt>%s</dt><dd><code>%s</code></dd>\n", f.Name, f.Value)
		} else {
			w.put("<dt>%s</dt><dd>%s</dd>\n", f.Name, f.Value)
		}
	}
	w.put("</dl>\n</details>\n")
}

// writeFiles lists the files of the folder.
func (s *section) writeFiles(w *writer) {
	if s.files == nil || w.embed {
		return
	}
	w.put("<p class=\"files\">Files:")
	for _, name := range s.files {
		w.put(" <a href=\"%s\">%s</a>", link(s.base, name), name)
	}
	w.put("</p>\n")
}

// link is the reference to a file of a folder that lies at base from the page.
func link(base, name string) string {
	return (&url.URL{Path: "./" + path.Join(base, name)}).EscapedPath()
}

// documentsOf are the documents of a folder: those that its manifest lists, since earlier
// versions wrote fewer, and all while they are being written.
func documentsOf(m *results.Manifest) []string {
	if len(m.Documents) == 0 {
		return results.DocumentFiles
	}
	return slices.DeleteFunc(slices.Clone(results.DocumentFiles), func(name string) bool {
		return !slices.ContainsFunc(m.Documents, func(f results.FileInfo) bool { return f.Name == name })
	})
}
