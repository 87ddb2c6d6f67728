package verify

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"

	"bullring/experiments/campaign/figures"
	"bullring/experiments/campaign/paper"
	"bullring/experiments/campaign/results"
	"bullring/internal/build"
	"bullring/internal/regular"
	"bullring/plots"
)

// remake makes everything that follows from results.csv again, in a temporary directory,
// and compares. The sweep, not the manifest, tells what there must be.
func (report *Report) remake(folder *results.Folder, m *results.Manifest) error {
	if err := report.checkStopping(folder, m); err != nil {
		report.damagef("the stopping rule was not checked: %v", err)
	}
	dir, err := os.MkdirTemp("", "bullring-verify-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	again, err := remakeInto(folder, m, dir)
	if err != nil {
		report.damagef("what follows from %s was not made again: %v", results.ResultsFile, err)
		return nil
	}
	c := &comparison{
		Report: report, dir: folder.Dir, again: dir,
		sameProgram: m.Program == build.ThisProgram(),
		sameWriter:  m.WrittenBy().Program == build.ThisProgram(),
		sameMachine: m.WrittenBy().Machine.Arch == runtime.GOARCH,
	}
	report.Writer = fmt.Sprintf("%v on %s", m.WrittenBy().Program, m.WrittenBy().Machine.Arch)
	if err := c.checkColumns(folder, m, again.Files); err != nil {
		return err
	}
	for _, f := range again.Files {
		c.compare(f.Name, c.table)
	}
	for _, f := range again.Documents {
		if !slices.Contains(report.Changed, f.Name) {
			c.compare(f.Name, c.text)
		}
	}
	for _, f := range m.Tables {
		if !slices.ContainsFunc(again.Tables, func(g results.FileInfo) bool { return g.Name == f.Name }) {
			c.damagef("%s was not made again: the table is too wide", f.Name)
			continue
		}
		c.compare(f.Name, c.text)
	}
	for _, f := range again.Figures {
		kind := c.text
		switch filepath.Ext(f.Name) {
		case ".csv":
			kind = c.numbers
		case ".png", ".svg", ".pdf", results.TikZ:
			kind = c.picture
		}
		c.compare(f.Name, kind)
	}
	return nil
}

// remakeInto writes tables, documents, figures and tables for a paper from the rows and the manifest into a
// directory. It returns a manifest that lists them.
func remakeInto(folder *results.Folder, m *results.Manifest, dir string) (*results.Manifest, error) {
	tables, err := folder.Tabulate(m.Outside, dir)
	if err != nil {
		return nil, err
	}
	again, made := *m, *folder
	made.Dir, made.RowsIn, made.Writer = dir, folder.Dir, m.WrittenBy().Program.String()
	var drawn []results.FileInfo
	if m.Figures != nil {
		paths, err := figures.DrawInto(&made, m, folder)
		if err != nil {
			return nil, err
		}
		if drawn, err = figures.ListFigures(&made, paths); err != nil {
			return nil, err
		}
	}
	if m.Tables != nil {
		again.Tables, _ = paper.WriteTables(&made, m) // one that is too wide is told by its absence
	}
	err = paper.WriteDocuments(&made, &again, drawn, nil)
	again.Files = tables
	return &again, err
}

// checkColumns compares what the manifest says of columns with the columns of the tables, and
// the first line of results.csv. Another version may have other columns, or describe them in
// other words.
func (c *comparison) checkColumns(folder *results.Folder, m *results.Manifest, tables []results.FileInfo) error {
	l, err := results.LayoutOf(folder.Registry, folder.Spec)
	if err != nil {
		return err
	}
	is := map[string][]results.Column{results.ResultsFile: l.RowColumns()}
	for _, f := range tables {
		is[f.Name] = f.Columns
	}
	for _, f := range m.Files {
		described(c, "columns of "+f.Name+" in "+results.ManifestFile, f.Columns, is[f.Name])
	}
	names, err := folder.Header()
	var heads []string
	for _, column := range l.RowColumns() {
		heads = append(heads, column.Header())
	}
	if err == nil { // else it is reported already
		described(c, "first line of "+results.ResultsFile, names, heads)
	}
	return nil
}

// described compares descriptions of columns with those of this program.
func described[T comparable](c *comparison, what string, says, is []T) {
	switch {
	case slices.Equal(says, is):
	case c.sameProgram:
		c.damagef("%s: not what the sweep gives", what)
	case slices.ContainsFunc(says, func(x T) bool { return !slices.Contains(is, x) }):
		c.Unmade = append(c.Unmade, what)
	}
}

// comparison compares the files of a folder with files that were made again.
type comparison struct {
	*Report
	dir, again string
	// sameProgram: this program made the tables. sameWriter: it wrote the other files.
	// sameMachine: it did so on the same kind of processor.
	sameProgram, sameWriter, sameMachine bool
}

// maxRemade is the largest file that is made again, in bytes.
const maxRemade = 1 << 40

// compare reads both versions of a file and hands them to kind, which compares files of a
// kind.
func (c *comparison) compare(name string, kind func(name string, recorded, now []byte)) {
	now, err := regular.Read(filepath.Join(c.again, name), maxRemade)
	if err != nil {
		c.Damage = append(c.Damage, err.Error())
		return
	}
	recorded, err := regular.Read(filepath.Join(c.dir, name), int64(2*len(now)+regular.MaxInput))
	if errors.Is(err, fs.ErrNotExist) {
		return // already reported
	}
	if err != nil {
		c.Damage = append(c.Damage, err.Error())
		return
	}
	kind(name, results.AsWritten(name, recorded), now)
}

// table compares a table of cells. A table of another version may have other columns; then
// the shared columns are compared.
func (c *comparison) table(name string, recorded, now []byte) {
	same, unknown := false, []string(nil)
	if !c.sameProgram {
		same, unknown = sameFields(recorded, now)
	}
	switch {
	case bytes.Equal(recorded, now):
		c.Tables = append(c.Tables, name)
	case same:
		c.Tables = append(c.Tables, name+" (in the columns that both versions have)")
		for _, column := range unknown {
			c.Unmade = append(c.Unmade, "column "+column+" of "+name)
		}
	default:
		c.damagef("%s is not what the rows of %s give: line %d differs", name, results.ResultsFile, differingLine(recorded, now))
	}
}

// text compares a document or a caption.
func (c *comparison) text(name string, recorded, now []byte) {
	switch {
	case bytes.Equal(recorded, now):
		c.same(name)
	case c.sameWriter:
		c.damagef("%s is not what follows from %s: line %d differs", name, results.ResultsFile, differingLine(recorded, now))
	default:
		c.Unmade = append(c.Unmade, name)
	}
}

func (c *comparison) same(name string) {
	if filepath.Dir(name) == results.FiguresDir {
		c.Drawn++
		return
	}
	c.Documents++
}

// numbers compares the CSV of a figure. Between kinds of processors, the last digit of a
// curve may differ.
func (c *comparison) numbers(name string, recorded, now []byte) {
	if c.sameMachine {
		c.text(name, recorded, now)
		return
	}
	c.ink(name, recorded, now)
}

// picture compares a picture. Its metadata follow from the rows, whatever program drew it.
// Its ink is compared if the same program drew it on the same kind of processor.
func (c *comparison) picture(name string, recorded, now []byte) {
	if err := c.sameReceipt(name); err != nil {
		c.damagef("%s: %v", name, err)
		return
	}
	c.ink(name, recorded, now)
}

// ink compares files that only the same program on the same kind of processor makes again.
func (c *comparison) ink(name string, recorded, now []byte) {
	switch {
	case bytes.Equal(recorded, now):
		c.same(name)
	case c.sameWriter && c.sameMachine:
		c.damagef("%s is not what the rows of %s draw", name, results.ResultsFile)
	default:
		c.Unmade = append(c.Unmade, name)
	}
}

// sameReceipt returns an error if the metadata of a picture differ.
func (c *comparison) sameReceipt(name string) error {
	recorded, err := plots.ReadMeta(filepath.Join(c.dir, name))
	if err != nil {
		return err
	}
	now, err := plots.ReadMeta(filepath.Join(c.again, name))
	if err != nil {
		return err
	}
	if c.sameWriter && len(recorded) != len(now) {
		return fmt.Errorf("its metadata have %d entries, and not %d", len(recorded), len(now))
	}
	for _, m := range now {
		i := slices.IndexFunc(recorded, func(r plots.Meta) bool { return r.Key == m.Key })
		switch {
		case i < 0 && c.sameWriter:
			return fmt.Errorf("its metadata have no %s", m.Key)
		case i < 0 || m.Key == "Software" && !c.sameWriter:
		case m.Key == figures.ReceiptKey && !c.sameWriter:
			if !sameTrials(recorded[i].Value, m.Value) {
				return fmt.Errorf("its receipt is not that of %s", results.ResultsFile)
			}
		case recorded[i].Value != m.Value:
			return fmt.Errorf("the %s in its metadata is not what follows from %s", m.Key, results.ResultsFile)
		}
	}
	return nil
}

// sameTrials reports whether two receipts, perhaps of different versions, are of the same
// trials.
func sameTrials(a, b string) bool {
	var x, y figures.Receipt
	if json.Unmarshal([]byte(a), &x) != nil || json.Unmarshal([]byte(b), &y) != nil {
		return false
	}
	x.Version = y.Version
	if x.Hash == "" || y.Hash == "" { // earlier versions have no hash
		x.Hash, y.Hash = "", ""
	}
	return reflect.DeepEqual(x, y)
}

// sameFields reports whether two tables agree in the columns that both have, and which columns
// of a are not in b.
func sameFields(a, b []byte) (same bool, unknown []string) {
	x, err := csv.NewReader(bytes.NewReader(a)).ReadAll()
	if err != nil {
		return false, nil
	}
	y, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
	if err != nil || len(x) != len(y) || len(x) == 0 {
		return false, nil
	}
	for i, header := range x[0] {
		j := slices.IndexFunc(y[0], func(h string) bool { return results.ColumnName(h) == results.ColumnName(header) })
		if j < 0 {
			unknown = append(unknown, header)
			continue
		}
		for row := range x[1:] {
			if x[row+1][i] != y[row+1][j] {
				return false, nil
			}
		}
	}
	return len(unknown) < len(x[0]), unknown
}

// differingLine is the first line, from 1, in which two different texts differ.
func differingLine(a, b []byte) int {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	return 1 + bytes.Count(a[:i], []byte("\n"))
}
