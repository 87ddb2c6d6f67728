package experiments

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"bullring/experiments/spec"
	"bullring/internal/wholefile"
	"bullring/netem"
)

// checkManifest compares what the manifest says of the sweep with the sweep itself, and
// the files that it lists with those that results of the sweep have. So it is not the
// manifest that decides what is verified.
func (v *Verification) checkManifest(a *Folder, m *Manifest) {
	for _, f := range factsOf(a, m) {
		if f.says != f.is {
			v.damagef("%s says %s %v, but %s makes it %v", ManifestFile, f.name, f.says, SpecFile, f.is)
		}
	}
	v.checkTimes(m)
	if m.Complete != (m.Stopped == "") {
		v.damagef("%s says complete %v, and stopped %q", ManifestFile, m.Complete, m.Stopped)
	}
	v.checkList(a, "files", m.Files, tableNames(a), true)
	v.checkList(a, "documents", m.Documents, documentNames, true)
	// A sweep may not have been drawn, but then there are no figures.
	v.checkList(a, "figures", m.Figures, figureNames(a), m.Figures != nil)
}

func (v *Verification) damagef(format string, args ...any) {
	v.Damage = append(v.Damage, fmt.Sprintf(format, args...))
}

// fact is something that a manifest says, and that its sweep decides.
type fact struct {
	name     string
	says, is any
}

func factsOf(a *Folder, m *Manifest) []fact {
	s := a.Spec
	facts := []fact{
		{"name", m.Name, s.Name}, {"title", m.Title, s.Title}, {"seed", m.Seed, s.Seed}, {"epoch", m.Epoch, netem.Epoch},
		{"trials", m.Trials, len(a.Cells) * s.Replicates},
		{"spec.bytes", m.Spec.Bytes, int64(len(a.Text))}, {"spec.sha256", m.Spec.SHA256, wholefile.Hash(a.Text)},
		{"trials_sha256", cmp.Or(m.Hash, a.TrialsHash()), a.TrialsHash()}, {"rewriting", m.Rewriting, ""},
		{"outside_model", m.Outside, m.Outside || s.OutsideModel},
	}
	says, is := FileInfo{}, FileInfo{}
	if m.Included != nil {
		says = *m.Included
	}
	if in := s.Included; in != nil {
		is = FileInfo{Info: wholefile.InfoOf(in.Name, in.Text)}
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
func (v *Verification) checkList(a *Folder, list string, says []FileInfo, is []string, must bool) {
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
		if _, err := os.Stat(filepath.Join(a.Dir, name)); must || err == nil {
			v.damagef("%s does not list %s", ManifestFile, name)
		}
	}
}

// tableNames are the files of the results: the sweep, and the tables.
func tableNames(a *Folder) []string {
	names := []string{SpecFile, ResultsFile, SummaryFile, GrowthFile}
	if in := a.Spec.Included; in != nil {
		names = append(names, in.Name)
	}
	if len(a.Spec.Compare) > 0 {
		names = append(names, DifferencesFile)
	}
	return names
}

var documentNames = []string{TableFile, PapersFile, CitationFile, ReproduceFile, ReadmeFile}

// figureNames are the files of figures, if they are drawn.
func figureNames(a *Folder) []string {
	var names []string
	for i := range a.Spec.Figures {
		for _, extension := range []string{".png", ".svg", ".pdf", ".csv", ".txt", ".tex"} {
			names = append(names, FiguresDir+"/"+a.Spec.Figures[i].Name+extension)
		}
	}
	return names
}

// checkTrials compares the number of trials of each cell with what the sweep asks for.
// Results of a sweep that was stopped end within a cell; those before it are whole.
func (v *Verification) checkTrials(a *Folder, m *Manifest, trials []int) {
	last := len(trials) - 1
	for !m.Complete && last >= 0 && trials[last] == 0 {
		last--
	}
	if !m.Complete {
		v.Partial = fmt.Sprintf("%d of at most %d trials; %s", v.Trials, len(a.Cells)*a.Spec.Replicates, m.Stopped)
	}
	least := LeastTrials(a.Spec)
	for i, n := range trials[:last+1] {
		if n < least && (m.Complete || i < last) {
			v.damagef("%s has %d rows of cell %d (%s), and the sweep asks for %d", ResultsFile, n, i+1, CellName(&a.Cells[i]), least)
		}
	}
}

// LeastTrials is how many trials each cell of a complete sweep has at least: all of
// them, unless a stopping rule says when there are enough.
func LeastTrials(s *spec.Spec) int {
	if s.Until != nil {
		return min(s.Until.Min, s.Replicates)
	}
	return s.Replicates
}

// checkStopping compares the number of trials of each cell with what a stopping rule
// asks for, which the rows decide.
func (v *Verification) checkStopping(a *Folder, m *Manifest) error {
	if a.Spec.Until == nil {
		return nil
	}
	l, err := LayoutOf(a.Registry, a.Spec)
	if err != nil {
		return err
	}
	var kept []Sample
	cell := 0
	finish := func() {
		if !l.Enough(a.Spec, kept) {
			v.damagef("%s has %d rows of cell %d (%s), and the stopping rule of the sweep asks for another number", ResultsFile, len(kept), cell+1, CellName(&a.Cells[cell]))
		}
		kept = kept[:0]
	}
	err = a.Samples(l, func(r *Record, s *Sample) error {
		if r.Cell > cell {
			finish()
			cell = r.Cell
		}
		kept = append(kept, *s)
		return nil
	})
	if err == nil && m.Complete {
		finish()
	}
	return err
}

// Enough reports whether a stopping rule ends a cell with just these trials.
func (l Layout) Enough(s *spec.Spec, kept []Sample) bool {
	look := LeastTrials(s)
	for look < len(kept) {
		next := l.Next(s, kept[:look])
		if next == look {
			return false // there are more
		}
		look = next
	}
	return look == len(kept) && l.Next(s, kept) == look
}
