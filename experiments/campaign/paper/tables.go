package paper

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/tables"
	"bullring/internal/wholefile"
)

// WriteTables writes the tables that the sweep of a folder asks for, each for LaTeX, in Markdown
// and as CSV, and describes the files. One that does not fit into its width is left out: the error
// says by how much.
func WriteTables(folder *results.Folder, m *results.Manifest) (written []results.FileInfo, err error) {
	if len(folder.Spec.Tables) == 0 {
		return nil, nil
	}
	cells, err := folder.Overview()
	if err != nil {
		return nil, err
	}
	source, err := tables.Open(folder, m, cells)
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(folder.Dir, results.TablesDir)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	var refused error
	for i := range folder.Spec.Tables {
		t, err := source.Table(&folder.Spec.Tables[i])
		if err != nil {
			refused = errors.Join(refused, err)
			continue
		}
		for _, d := range []Document{{t.Name + ".tex", tables.LaTeX(t)}, {t.Name + ".md", t.Markdown()}, {t.Name + ".csv", t.CSV()}} {
			info, err := wholefile.Write(filepath.Join(dir, d.Name), []byte(d.Text))
			if err != nil {
				return nil, err
			}
			info.Name = results.TablesDir + "/" + info.Name
			written = append(written, results.FileInfo{Info: info})
		}
	}
	if refused != nil {
		refused = fmt.Errorf("%w\neverything else in %s is written; bullring plot --spec makes the tables of an edited sweep, and runs nothing", refused, folder.Dir)
	}
	return written, refused
}
