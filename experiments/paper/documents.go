package paper

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"bullring/experiments/results"
	"bullring/internal/build"
	"bullring/internal/regular"
	"bullring/internal/wholefile"
	"bullring/plots"
)

// Document is a text file.
type Document struct{ Name, Text string }

// WriteDocuments writes the documents of the folder, and enters them and the figures into
// its manifest. The documents are the same on every machine.
func WriteDocuments(folder *results.Folder, m *results.Manifest, figures []results.FileInfo) error {
	m.Figures, m.Documents, m.Writer = figures, nil, &results.Writer{Program: build.ThisProgram(), Machine: build.ThisMachine()}
	l, err := results.LayoutOf(folder.Registry, folder.Spec)
	if err != nil {
		return err
	}
	table, err := latexSummary(folder)
	if err != nil {
		return err
	}
	papers, err := folder.Registry.Papers(l.Algorithms)
	if err != nil {
		return err
	}
	for _, d := range []Document{
		{results.TableFile, table},
		{results.PapersFile, bibTeX(papers, m.Program)},
		{results.CitationFile, citationCFF(plots.Plain(folder.Spec.Title), m.Program, papers)},
		{results.ReproduceFile, reproduce(folder, m)},
		{results.ReadmeFile, readme(folder, m)},
	} {
		info, err := wholefile.Write(filepath.Join(folder.Dir, d.Name), []byte(d.Text))
		if err != nil {
			return err
		}
		m.Documents = append(m.Documents, results.FileInfo{Info: info})
	}
	if err := os.Chmod(filepath.Join(folder.Dir, results.ReproduceFile), 0o755); err != nil {
		return err
	}
	return m.Write(folder.Dir)
}

// readTable reads a table with at most one row a cell. A missing table has no rows.
func readTable(folder *results.Folder, name string) (columns []string, rows [][]string, err error) {
	f, err := regular.Open(filepath.Join(folder.Dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	in := results.NewTableReader(f)
	for {
		row, err := in.Read()
		switch {
		case err == io.EOF:
			return columns, rows, nil
		case err != nil:
			return nil, nil, fmt.Errorf("%s: %w", f.Name(), err)
		case columns == nil:
			for _, header := range row {
				columns = append(columns, results.ColumnName(header))
			}
		case len(rows) == len(folder.Cells):
			return nil, nil, fmt.Errorf("%s has rows of more than the %d cells of the sweep", f.Name(), len(folder.Cells))
		default:
			rows = append(rows, row)
		}
	}
}
