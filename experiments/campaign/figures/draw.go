package figures

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"bullring/experiments/campaign/paper"
	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/spec"
	"bullring/experiments/trial"
	"bullring/internal/wholefile"
	"bullring/plots"
)

// Draw draws the figures of the sweep in a folder from its rows, makes its tables for a paper,
// and returns the paths of the files. Each figure is saved in the folder figures as PNG, SVG and
// PDF, or as TikZ, too, with its numbers as CSV and its caption as text and for LaTeX. A table that
// does not fit into its width is left out, which is an error when all else is written. It is an error if the results are
// not as the manifest lists them: then nobody could say what the figures show.
func Draw(r *trial.Registry, dir string) ([]string, error) {
	folder, err := results.Open(r, dir)
	if err != nil {
		return nil, err
	}
	if _, err := results.ReadManifest(dir); err != nil || len(folder.Spec.Figures)+len(folder.Spec.Tables) == 0 {
		return nil, err
	}
	c, err := results.OpenClaims(dir, nil)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	return DrawHere(folder, c)
}

// DrawHere draws as Draw does, into a folder that this process has locked.
func DrawHere(folder *results.Folder, c *results.Claims) ([]string, error) {
	m, err := results.ReadManifest(folder.Dir)
	if err != nil {
		return nil, err
	}
	if err := results.Unchanged(folder.Dir, m.Files); err != nil {
		return nil, fmt.Errorf("%w; bullring verify tells more, and bullring sweep --again makes it again", err)
	}
	kept, err := c.Take(slices.Concat(results.FigureFiles(folder.Spec), results.PaperFiles(folder.Spec), results.DocumentFiles, []string{results.ManifestFile}))
	if err != nil {
		return nil, err
	}
	paths, err := DrawInto(folder, m, folder)
	if err != nil {
		return paths, err
	}
	infos, err := ListFigures(folder, paths)
	if err != nil {
		return paths, err
	}
	var refused error
	m.Tables, refused = paper.WriteTables(folder, m)
	for _, f := range m.Tables {
		paths = append(paths, filepath.Join(folder.Dir, filepath.FromSlash(f.Name)))
	}
	if err := paper.WriteDocuments(folder, m, infos, kept); err != nil {
		return paths, err
	}
	return paths, errors.Join(c.Settle(), refused)
}

// DrawInto draws the figures of the results that a manifest describes into a folder. The
// rows may come from another folder.
func DrawInto(folder *results.Folder, m *results.Manifest, rows *results.Folder) ([]string, error) {
	if len(folder.Spec.Figures) == 0 {
		return nil, nil
	}
	folder.Manifest, folder.Results = m, m.HashOf(results.ResultsFile)
	drawings := make([]*drawing, len(folder.Spec.Figures))
	var err error
	for i := range folder.Spec.Figures {
		f := &folder.Spec.Figures[i]
		if drawings[i], err = newDrawing(folder, f); err != nil {
			return nil, fmt.Errorf("%v: figure %s: %w", f.Pos, f.Name, err)
		}
	}
	count, err := rows.Rows(func(row *results.Record) (bool, error) {
		for _, d := range drawings {
			if err := d.add(row); err != nil {
				return false, err
			}
		}
		return true, nil
	})
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, d := range drawings {
		saved, err := save(d, count, rows)
		paths = append(paths, saved...)
		if err != nil {
			return paths, err
		}
	}
	return paths, nil
}

// Drawn reports whether the figures and tables of a sweep are in a folder, as its manifest lists
// them, and returns the paths of their files.
func Drawn(s *spec.Spec, dir string) (paths []string, ok bool) {
	m, err := results.ReadManifest(dir)
	if err != nil || (m.Figures == nil) != (len(s.Figures) == 0) || len(m.Tables) != len(results.PaperFiles(s)) || results.Unchanged(dir, m.Shown()) != nil {
		return nil, false
	}
	for _, f := range m.Shown() {
		paths = append(paths, filepath.Join(dir, f.Name))
	}
	return paths, true
}

// ListFigures describes the files of figures.
func ListFigures(folder *results.Folder, paths []string) ([]results.FileInfo, error) {
	var infos []results.FileInfo
	for _, path := range paths {
		info, err := wholefile.Stat(path)
		if err != nil {
			return nil, errors.Join(errors.New("the figures are drawn, but the manifest does not list them"), err)
		}
		info.Name = results.FiguresDir + "/" + info.Name
		infos = append(infos, results.FileInfo{Info: info})
	}
	return infos, nil
}

// save draws a figure into files. count is the number of rows of the sweep.
func save(d *drawing, count int, rows *results.Folder) ([]string, error) {
	f, err := d.kind.picture(count, rows)
	if err != nil {
		return nil, fmt.Errorf("%v: figure %s: %w", d.Pos, d.Name, err)
	}
	dir := filepath.Join(d.Dir, results.FiguresDir)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	var more []string
	if d.TeX {
		more = []string{results.TikZ}
	}
	paths, err := f.Save(dir, more...)
	if err != nil {
		return paths, err
	}
	if d.Captions == nil {
		d.Folder.Captions, d.Folder.Answers = map[string]string{}, map[string]string{}
	}
	d.Folder.Captions[d.Name], d.Folder.Answers[d.Name] = caption{d}.text(), answer{d}.text()
	for _, c := range (caption{d}).files() {
		if _, err := wholefile.Write(filepath.Join(dir, c.Name), []byte(c.Text)); err != nil {
			return paths, err
		}
		paths = append(paths, filepath.Join(dir, c.Name))
	}
	return paths, nil
}

// CheckPictureFile returns an error if a picture must not be written to a path: its name
// has no known format, another file has that name, or there is no such folder.
func CheckPictureFile(path string) error {
	if err := plots.CheckPicture(path); err != nil {
		return err
	}
	return wholefile.CheckOutput(path, "a picture that bullring drew", func() error {
		_, err := plots.ReadMeta(path)
		return err
	})
}
