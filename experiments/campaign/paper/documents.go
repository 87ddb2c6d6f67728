package paper

import (
	"os"
	"path/filepath"
	"slices"

	"bullring/experiments/campaign/report"
	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/tables"
	"bullring/internal/build"
	"bullring/internal/regular"
	"bullring/internal/wholefile"
	"bullring/plots"
)

// Document is a text file.
type Document struct{ Name, Text string }

// write writes the document into a folder. What the author has put in stays.
func (d *Document) write(dir string) error {
	path := filepath.Join(dir, d.Name)
	text := []byte(d.Text)
	if replaced, err := regular.ReadInput(path); err == nil {
		text = results.Adopted(d.Name, text, replaced)
	}
	_, err := wholefile.Write(path, text)
	return err
}

// WriteDocuments writes the documents of the folder, and enters them and the figures into
// its manifest. The documents are the same on every machine. What the author has put into a
// document stays there, and documents in kept stay as they are: see [results.Editables]. The
// manifest lists them without that.
func WriteDocuments(folder *results.Folder, m *results.Manifest, figures []results.FileInfo, kept []string) error {
	m.Figures, m.Documents, m.Writer = figures, nil, &results.Writer{Program: build.ThisProgram(), Machine: build.ThisMachine()}
	l, err := results.LayoutOf(folder.Registry, folder.Spec)
	if err != nil {
		return err
	}
	cells, err := folder.Overview()
	if err != nil {
		return err
	}
	papers, err := folder.Registry.Papers(l.Algorithms)
	if err != nil {
		return err
	}
	source, err := tables.Open(folder, m, cells)
	if err != nil {
		return err
	}
	summary, err := source.Summary()
	if err != nil {
		return err
	}
	page := report.Page{Parts: []report.Part{{Folder: folder, Manifest: m, Cells: cells, Tables: source, Base: "."}}, Version: folder.Writer}
	look, _, err := page.HTML()
	if err != nil {
		return err
	}
	for _, d := range []Document{
		{results.TableFile, tables.LaTeX(summary...)},
		{results.PapersFile, bibTeX(papers, m.Program)},
		{results.CitationFile, citationCFF(plots.Plain(folder.Spec.Title), m.Program, papers)},
		{results.ReproduceFile, reproduce(folder, m, cells)},
		{results.ReadmeFile, readme(folder, m, cells)},
		{results.ColumnsFile, columns(m)},
		{results.ReportFile, look},
	} {
		if !slices.Contains(kept, d.Name) {
			if err := d.write(folder.Dir); err != nil {
				return err
			}
		}
		m.Documents = append(m.Documents, results.FileInfo{Info: wholefile.InfoOf(d.Name, []byte(d.Text))})
	}
	if err := os.Chmod(filepath.Join(folder.Dir, results.ReproduceFile), 0o755); err != nil {
		return err
	}
	return m.Write(folder.Dir)
}
