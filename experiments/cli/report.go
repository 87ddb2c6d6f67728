package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"bullring/experiments"
	"bullring/experiments/cli/internal/view"
	"bullring/experiments/report"
	"bullring/experiments/results"
	"bullring/experiments/sweep"
	"bullring/internal/wholefile"
)

func reportCommand(registry *experiments.Registry) *cobra.Command {
	file, embed := "report.html", false
	cmd := &cobra.Command{
		Use:   "report DIR...",
		Short: "Write a page about folders of results",
		Long: `Write a page for a browser about sweeps: figures with captions and receipts, conditions,
theory, tables that sort, and the commands that repeat it. A DIR is a folder that sweep
has written, or a folder with such folders in it. Of an unfinished sweep the page says
how far it is.

The page is one file, and a browser needs a network for none of it. Figures are links, so
the folders have to lie in the folder of the page or below it. --embed puts the figures
into the page instead: then it can be sent alone.

` + statuses,
		Example: "  bullring report out/demo -o out/report.html\n  bullring report out -o out/index.html\n  bullring report out/demo --embed -o demo.html",
		Args:    someDirs,
		RunE: func(cmd *cobra.Command, args []string) error {
			page, err := reportOn(registry, args, file, embed)
			if err != nil {
				return err
			}
			html, size, err := page.HTML()
			if err != nil {
				return err
			}
			if _, err := wholefile.Write(file, []byte(html)); err != nil {
				return err
			}
			return output(cmd, func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "%s: %s\n", file, size)
				return err
			})
		},
		ValidArgsFunction: completeDir,
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.VarP(text(&file, "FILE"), "out", "o", "file for the page")
	flags.BoolVar(&embed, "embed", false, "put the figures into the page, so that it can be sent alone")
	return cmd
}

// reportOn reads what a page shows of some folders.
func reportOn(registry *experiments.Registry, paths []string, file string, embed bool) (*report.Page, error) {
	if err := report.CheckFile(file); err != nil {
		return nil, err
	}
	if dir := filepath.Dir(file); filepath.Base(file) == results.ReportFile && sweep.Holds(dir) {
		return nil, fmt.Errorf("%s belongs to the sweep in %s, which writes it: give another name", file, dir)
	}
	page := &report.Page{Embed: embed}
	for _, path := range paths {
		dirs, err := sweepsIn(path)
		if err != nil {
			return nil, err
		}
		for _, dir := range dirs {
			parts, err := partsOf(registry, dir, file, embed)
			if err != nil {
				return nil, err
			}
			page.Parts = append(page.Parts, parts...)
		}
	}
	return page, nil
}

// sweepsIn returns the folders of sweeps among a folder and those below it.
func sweepsIn(path string) ([]string, error) {
	var dirs []string
	err := filepath.WalkDir(path, func(dir string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case dir == path && !e.IsDir() && e.Type().IsRegular():
			return fmt.Errorf("%s is a file; give the folder of the results: %s", path, filepath.Dir(path))
		case !e.IsDir():
			return nil
		case dir != path && strings.HasPrefix(e.Name(), "."):
			return fs.SkipDir
		case sweep.Holds(dir):
			dirs = append(dirs, dir)
			return fs.SkipDir
		}
		return nil
	})
	if err == nil && dirs == nil {
		err = fmt.Errorf("%s holds no results of a sweep, and no folder in it does: neither a %s nor a journal is there", path, results.ManifestFile)
	}
	return dirs, err
}

// partsOf reads the sweep of a folder, or how far it is.
func partsOf(registry *experiments.Registry, dir, file string, embed bool) ([]report.Part, error) {
	m, err := results.ReadManifest(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return progressOf(registry, dir)
	}
	if err != nil {
		return nil, err
	}
	part := report.Part{Manifest: m, Base: filepath.Base(dir)}
	if !embed {
		if part.Base, err = below(file, dir); err != nil {
			return nil, err
		}
	}
	if part.Folder, err = results.Open(registry, dir); err != nil {
		return nil, err
	}
	if err := results.Unchanged(dir, slices.Concat(m.Files, m.Figures)); err != nil {
		return nil, fmt.Errorf("%w; bullring verify tells more", err)
	}
	if part.Cells, err = part.Folder.Overview(); err != nil {
		return nil, err
	}
	return []report.Part{part}, nil
}

// below returns the path of a folder from the folder of a page, with slashes. It refuses a
// folder that is not below: the link to it would say where on this machine it lies.
func below(file, dir string) (string, error) {
	from, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		return "", err
	}
	to, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	base, err := filepath.Rel(from, to)
	if err != nil || !filepath.IsLocal(base) {
		return "", fmt.Errorf("%s is not below the folder of %s, and links from the page would leave it: write the page there or above, as with -o %s, or give --embed",
			dir, file, view.Quoted(filepath.Join(dir, "..", filepath.Base(file))))
	}
	return filepath.ToSlash(base), nil
}

// progressOf says how far the sweeps of a folder are whose tables are not written.
func progressOf(registry *experiments.Registry, dir string) ([]report.Part, error) {
	all, err := sweep.StatusOf(registry, []string{dir})
	if err != nil {
		return nil, err
	}
	var parts []report.Part
	for _, s := range all {
		parts = append(parts, report.Part{Progress: view.Progress(s)})
	}
	return parts, nil
}
