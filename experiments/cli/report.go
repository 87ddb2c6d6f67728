package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"bullring/experiments/campaign/report"
	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/sweep"
	"bullring/experiments/campaign/tables"
	"bullring/experiments/cli/internal/view"
	"bullring/experiments/trial"
	"bullring/internal/wholefile"
)

func reportCommand(registry *trial.Registry) *cobra.Command {
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
			p := pageOf{registry, file, embed}
			if err := p.check(); err != nil {
				return err
			}
			size, err := p.write(args, 0)
			if err != nil {
				return err
			}
			return say(cmd, file+": "+size)
		},
		ValidArgsFunction: completeDir,
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.VarP(text(&file, "FILE"), "out", "o", "file for the page")
	flags.BoolVar(&embed, "embed", false, "put the figures into the page, so that it can be sent alone")
	return cmd
}

// pageOf is a page to be written.
type pageOf struct {
	registry *trial.Registry
	file     string
	embed    bool
}

// check returns an error if the page must not be written.
func (p pageOf) check() error {
	if dir := filepath.Dir(p.file); filepath.Base(p.file) == results.ReportFile && sweep.Holds(dir) {
		return fmt.Errorf("%s belongs to the sweep in %s, which writes it: give another name", p.file, dir)
	}
	return report.CheckFile(p.file)
}

// write writes the page about some folders, those of sweeps without tables first. The
// browser is to read it again after so many seconds, unless that is 0.
func (p pageOf) write(paths []string, refresh int) (size string, err error) {
	page := report.Page{Embed: p.embed, Refresh: refresh}
	var without []string
	for _, path := range paths {
		dirs, err := sweepsIn(path)
		if err != nil {
			return "", err
		}
		for _, dir := range dirs {
			m, err := results.ReadManifest(dir)
			if errors.Is(err, fs.ErrNotExist) {
				without = append(without, dir)
				continue
			}
			if err != nil {
				return "", err
			}
			part, err := p.part(dir, m)
			if err != nil {
				return "", err
			}
			page.Parts = append(page.Parts, part)
		}
	}
	running, err := p.progress(without)
	if err != nil {
		return "", err
	}
	for _, progress := range slices.Backward(running) {
		page.Parts = slices.Insert(page.Parts, 0, report.Part{Progress: progress})
	}
	html, size, err := page.HTML()
	if err != nil {
		return "", err
	}
	_, err = wholefile.Write(p.file, []byte(html))
	return size, err
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

// part reads the sweep of a folder.
func (p pageOf) part(dir string, m *results.Manifest) (part report.Part, err error) {
	part.Manifest, part.Base = m, filepath.Base(dir)
	if !p.embed {
		if part.Base, err = below(p.file, dir); err != nil {
			return part, err
		}
	}
	if part.Folder, err = results.Open(p.registry, dir); err != nil {
		return part, err
	}
	if err := results.Unchanged(dir, slices.Concat(m.Files, m.Shown())); err != nil {
		return part, fmt.Errorf("%w; bullring verify tells more", err)
	}
	if part.Cells, err = part.Folder.Overview(); err != nil {
		return part, err
	}
	if part.Tables, err = tables.Open(part.Folder, m, part.Cells); err != nil || m.Complete {
		return part, err
	}
	running, err := p.progress([]string{dir})
	if len(running) == 1 {
		part.Progress = running[0]
	}
	return part, err
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

// progress says how far the sweeps of some folders are. Shards of a sweep count together.
func (p pageOf) progress(dirs []string) ([]*report.Progress, error) {
	all, err := sweep.StatusOf(p.registry, dirs)
	if err != nil {
		return nil, err
	}
	var running []*report.Progress
	for _, s := range all {
		running = append(running, view.Progress(s))
	}
	return running, nil
}
