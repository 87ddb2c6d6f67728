package experiments

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"bullring/experiments/spec"
	"bullring/netem"
)

// checkManifest compares what the manifest says of the sweep with the sweep itself, and
// the files that it lists with those that results of the sweep have. So it is not the
// manifest that decides what is verified.
func (v *Verification) checkManifest(a *archive, m *Manifest) {
	for _, f := range a.facts(m) {
		if f.says != f.is {
			v.damagef("%s says %s %v, but %s makes it %v", ManifestFile, f.name, f.says, SpecFile, f.is)
		}
	}
	v.checkTimes(m)
	if m.Complete != (m.Stopped == "") {
		v.damagef("%s says complete %v, and stopped %q", ManifestFile, m.Complete, m.Stopped)
	}
	v.checkList(a, "files", m.Files, a.tableNames(), true)
	v.checkList(a, "documents", m.Documents, documentNames, true)
	// A sweep may not have been drawn, but then there are no figures.
	v.checkList(a, "figures", m.Figures, a.figureNames(), m.Figures != nil)
}

func (v *Verification) damagef(format string, args ...any) {
	v.Damage = append(v.Damage, fmt.Sprintf(format, args...))
}

// fact is something that a manifest says, and that its sweep decides.
type fact struct {
	name     string
	says, is any
}

func (a *archive) facts(m *Manifest) []fact {
	s := a.spec
	facts := []fact{
		{"name", m.Name, s.Name}, {"title", m.Title, s.Title}, {"seed", m.Seed, s.Seed}, {"epoch", m.Epoch, netem.Epoch},
		{"trials", m.Trials, len(a.cells) * s.Replicates},
		{"spec.bytes", m.Spec.Bytes, int64(len(a.text))}, {"spec.sha256", m.Spec.SHA256, hashOf(a.text)},
		{"trials_sha256", cmp.Or(m.Hash, a.trialsHash()), a.trialsHash()}, {"rewriting", m.Rewriting, ""},
		{"outside_model", m.Outside, m.Outside || s.OutsideModel},
	}
	says, is := FileInfo{}, FileInfo{}
	if m.Included != nil {
		says = *m.Included
	}
	if in := s.Included; in != nil {
		is = FileInfo{Info: InfoOf(in.Name, in.Text)}
	}
	return append(facts, fact{"included.name", says.Name, is.Name}, fact{"included.bytes", says.Bytes, is.Bytes}, fact{"included.sha256", says.SHA256, is.SHA256})
}

// checkTimes checks that the sweep began with the first of its attempts. When it ended
// says nothing: attempts may be of machines whose clocks differ.
func (v *Verification) checkTimes(m *Manifest) {
	sorted := slices.IsSortedFunc(m.Attempts, func(a, b Attempt) int { return a.Start.Compare(b.Start) })
	if len(m.Attempts) == 0 || !sorted || !m.Start.Equal(m.Attempts[0].Start) {
		v.damagef("%s says that the sweep began at %v, and the first of its %d attempts did not", ManifestFile, m.Start.Format(time.RFC3339), len(m.Attempts))
	}
}

// checkList compares a list of files with those that there have to be. Where the whole
// list may be lacking, what is there has to be in it.
func (v *Verification) checkList(a *archive, list string, says []FileInfo, is []string, must bool) {
	var listed []string
	for _, f := range says {
		if slices.Contains(listed, f.Name) || !slices.Contains(is, f.Name) {
			v.damagef("%s lists %q among its %s, which the sweep does not make, or makes once", ManifestFile, f.Name, list)
		}
		listed = append(listed, f.Name)
	}
	for _, name := range is {
		if slices.Contains(listed, name) {
			continue
		}
		if _, err := os.Stat(filepath.Join(a.dir, name)); must || err == nil {
			v.damagef("%s does not list %s", ManifestFile, name)
		}
	}
}

// tableNames are the files of the results: the sweep, and the tables.
func (a *archive) tableNames() []string {
	names := []string{SpecFile, ResultsFile, SummaryFile, GrowthFile}
	if in := a.spec.Included; in != nil {
		names = append(names, in.Name)
	}
	if len(a.spec.Compare) > 0 {
		names = append(names, DifferencesFile)
	}
	return names
}

var documentNames = []string{TableFile, PapersFile, CitationFile, ReproduceFile, ReadmeFile}

// figureNames are the files of figures, if they are drawn.
func (a *archive) figureNames() []string {
	var names []string
	for i := range a.spec.Figures {
		for _, extension := range []string{".png", ".svg", ".pdf", ".csv", ".txt", ".tex"} {
			names = append(names, FiguresDir+"/"+a.spec.Figures[i].Name+extension)
		}
	}
	return names
}

// checkTrials compares the number of trials of each cell with what the sweep asks for.
// Results of a sweep that was stopped end within a cell; those before it are whole.
func (v *Verification) checkTrials(a *archive, m *Manifest, trials []int) {
	last := len(trials) - 1
	for !m.Complete && last >= 0 && trials[last] == 0 {
		last--
	}
	if !m.Complete {
		v.Partial = fmt.Sprintf("%d of at most %d trials; %s", v.Trials, len(a.cells)*a.spec.Replicates, m.Stopped)
	}
	least := leastTrials(a.spec)
	for i, n := range trials[:last+1] {
		if n < least && (m.Complete || i < last) {
			v.damagef("%s has %d rows of cell %d (%s), and the sweep asks for %d", ResultsFile, n, i+1, cellName(&a.cells[i]), least)
		}
	}
}

// leastTrials is how many trials each cell of a complete sweep has at least: all of
// them, unless a stopping rule says when there are enough.
func leastTrials(s *spec.Spec) int {
	if s.Until != nil {
		return min(s.Until.Min, s.Replicates)
	}
	return s.Replicates
}

// checkStopping compares the number of trials of each cell with what a stopping rule
// asks for, which the rows decide.
func (v *Verification) checkStopping(a *archive, m *Manifest) error {
	if a.spec.Until == nil {
		return nil
	}
	l, err := a.registry.layout(a.spec)
	if err != nil {
		return err
	}
	var kept []sample
	cell := 0
	finish := func() {
		if !l.enough(a.spec, kept) {
			v.damagef("%s has %d rows of cell %d (%s), and the stopping rule of the sweep asks for another number", ResultsFile, len(kept), cell+1, cellName(&a.cells[cell]))
		}
		kept = kept[:0]
	}
	err = a.samples(l, func(r *record, s *sample) error {
		if r.cell > cell {
			finish()
			cell = r.cell
		}
		kept = append(kept, *s)
		return nil
	})
	if err == nil && m.Complete {
		finish()
	}
	return err
}

// enough reports whether a stopping rule ends a cell with just these trials.
func (l layout) enough(s *spec.Spec, kept []sample) bool {
	look := leastTrials(s)
	for look < len(kept) {
		next := l.next(s, kept[:look])
		if next == look {
			return false // there are more
		}
		look = next
	}
	return look == len(kept) && l.next(s, kept) == look
}
