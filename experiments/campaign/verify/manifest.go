package verify

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"bullring/experiments/campaign/results"
	"bullring/internal/build"
	"bullring/internal/regular"
	"bullring/internal/wholefile"
	"bullring/netem"
)

// checkManifest compares the manifest with the sweep: what it says of the sweep, and the
// files that it lists. So a forged manifest cannot leave out what is verified.
func (report *Report) checkManifest(folder *results.Folder, m *results.Manifest) {
	for _, f := range factsOf(folder, m) {
		if f.says != f.is {
			report.damagef("%s says %s %v, but %s makes it %v", results.ManifestFile, f.name, f.says, results.SpecFile, f.is)
		}
	}
	report.checkTimes(m)
	report.checkKeys(results.ManifestFile, m.Keys, m.Program == build.ThisProgram() && m.WrittenBy().Program == m.Program)
	if m.Complete != (m.Stopped == "") {
		report.damagef("%s says complete %v, and stopped %q", results.ManifestFile, m.Complete, m.Stopped)
	}
	report.checkList(folder, "files", m.Files, results.TableFiles(folder.Spec), nil)
	var maybe []string // that earlier versions did not write, and whose README does not name them
	if readme, err := regular.ReadInput(filepath.Join(folder.Dir, results.ReadmeFile)); err == nil {
		for _, name := range []string{results.ReportFile, results.ColumnsFile} {
			if !bytes.Contains(readme, []byte(name)) {
				maybe = append(maybe, name)
			}
		}
	}
	report.checkList(folder, "documents", m.Documents, results.DocumentFiles, maybe)
	drawn := results.FigureFiles(folder.Spec)
	undrawn := drawn
	if m.Figures != nil {
		undrawn = nil
	}
	report.checkList(folder, "figures", m.Figures, drawn, undrawn)
	forPaper := results.PaperFiles(folder.Spec)
	report.checkList(folder, "tables", m.Tables, forPaper, forPaper)
}

func (report *Report) damagef(format string, args ...any) {
	report.Damage = append(report.Damage, fmt.Sprintf(format, args...))
}

// checkKeys checks that a text of JSON has the keys that bullring writes, each once. Another
// version may write others.
func (report *Report) checkKeys(of string, read func() (results.Keys, error), sameProgram bool) {
	k, err := read()
	if err != nil {
		report.damagef("%s: %v", of, err)
		return
	}
	for _, key := range k.Doubled {
		report.damagef("%s has the key %q twice", of, key)
	}
	for _, key := range k.Missing {
		if sameProgram {
			report.damagef("%s has no key %q, or not everywhere", of, key)
		}
	}
	for _, key := range k.Unknown {
		if sameProgram {
			report.damagef("%s has a key %q that bullring does not write", of, key)
		} else {
			report.Unmade = append(report.Unmade, fmt.Sprintf("key %q of %s", key, of))
		}
	}
}

// fact is a value in a manifest that the sweep determines.
type fact struct {
	name     string
	says, is any
}

func factsOf(folder *results.Folder, m *results.Manifest) []fact {
	s := folder.Spec
	facts := []fact{
		{"name", m.Name, s.Name}, {"title", m.Title, s.Title}, {"seed", m.Seed, s.Seed}, {"epoch", m.Epoch, netem.Epoch},
		{"trials", m.Trials, len(folder.Cells) * s.Replicates},
		{"spec.bytes", m.Spec.Bytes, int64(len(folder.Text))}, {"spec.sha256", m.Spec.SHA256, wholefile.Hash(folder.Text)},
		{"trials_sha256", cmp.Or(m.Hash, folder.TrialsHash()), folder.TrialsHash()}, {"rewriting", m.Rewriting, ""},
		{"outside_model", m.Outside, m.Outside || s.OutsideModel},
	}
	says, is := results.FileInfo{}, results.FileInfo{}
	if m.Included != nil {
		says = *m.Included
	}
	if in := s.Included; in != nil {
		is = results.FileInfo{Info: wholefile.InfoOf(in.Name, in.Text)}
	}
	return append(facts, fact{"included.name", says.Name, is.Name}, fact{"included.bytes", says.Bytes, is.Bytes}, fact{"included.sha256", says.SHA256, is.SHA256})
}

// checkTimes checks that the sweep began with its first attempt. It does not check the end:
// attempts may come from machines whose clocks differ.
func (report *Report) checkTimes(m *results.Manifest) {
	sorted := slices.IsSortedFunc(m.Attempts, func(a, b results.Attempt) int { return a.Start.Compare(b.Start) })
	if len(m.Attempts) == 0 || !sorted || !m.Start.Equal(m.Attempts[0].Start) {
		report.damagef("%s says that the sweep began at %v, and the first of its %d attempts did not", results.ManifestFile, m.Start.Format(time.RFC3339), len(m.Attempts))
	}
}

// checkList compares a list of files with the files that the sweep makes. The list may lack
// those of optional that do not exist.
func (report *Report) checkList(folder *results.Folder, list string, says []results.FileInfo, is, optional []string) {
	var listed []string
	for _, f := range says {
		if slices.Contains(listed, f.Name) || !slices.Contains(is, f.Name) {
			report.damagef("%s lists %q among its %s, which the sweep does not make, or makes once", results.ManifestFile, f.Name, list)
		}
		listed = append(listed, f.Name)
	}
	for _, name := range is {
		if slices.Contains(listed, name) {
			continue
		}
		if _, err := os.Stat(filepath.Join(folder.Dir, name)); err == nil || !slices.Contains(optional, name) {
			report.damagef("%s does not list %s", results.ManifestFile, name)
		}
	}
}

// checkTrials compares the number of trials of each cell with the sweep. A sweep that was
// stopped ends within a cell; the cells before are complete.
func (report *Report) checkTrials(folder *results.Folder, m *results.Manifest, trials []int) {
	last := len(trials) - 1
	for !m.Complete && last >= 0 && trials[last] == 0 {
		last--
	}
	if !m.Complete {
		report.Partial = fmt.Sprintf("%d of at most %d trials; %s", report.Trials, len(folder.Cells)*folder.Spec.Replicates, m.Stopped)
	}
	least := results.LeastTrials(folder.Spec)
	for i, n := range trials[:last+1] {
		if n < least && (m.Complete || i < last) {
			report.damagef("%s has %d rows of cell %d (%s), and the sweep asks for %d", results.ResultsFile, n, i+1, results.CellName(&folder.Cells[i]), least)
		}
	}
}

// checkStopping compares the number of trials of each cell with the stopping rule, which
// the rows determine.
func (report *Report) checkStopping(folder *results.Folder, m *results.Manifest) error {
	if folder.Spec.Until == nil {
		return nil
	}
	l, err := results.LayoutOf(folder.Registry, folder.Spec)
	if err != nil {
		return err
	}
	var kept []results.Sample
	cell := 0
	finish := func() {
		if !l.Enough(folder.Spec, kept) {
			report.damagef("%s has %d rows of cell %d (%s), and the stopping rule of the sweep asks for another number", results.ResultsFile, len(kept), cell+1, results.CellName(&folder.Cells[cell]))
		}
		kept = kept[:0]
	}
	err = folder.Samples(l, func(r *results.Record, s *results.Sample) error {
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
