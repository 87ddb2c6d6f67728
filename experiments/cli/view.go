package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"bullring/experiments/cli/internal/view"
	"bullring/experiments/show/page"
	"bullring/experiments/trial"
	"bullring/internal/wholefile"
)

// viewFlags are the flags of view.
type viewFlags struct {
	settingFlags
	window
	out, beside string
	data, open  bool
}

func viewCommand(registry *trial.Registry) *cobra.Command {
	f := &viewFlags{}
	cmd := &cobra.Command{
		Use:   "view " + subjectUse,
		Short: "Write a run as one page for a browser",
		Long: `Run one trial again and write it as a page: a space-time diagram with the state of every
process at every event, the causes of an event and of the verdict, and the messages on
their way. The page is one file. It needs no server and no network, and it names no
folder, user or machine.

` + subjectHelp + `FILE may also be a page, or data that --data wrote, by this program or an older one. It is
shown as it is; bullring verify makes its run again and compares.

--data writes the run as JSON instead; bullring schema view prints its schema. --beside
shows a second run below the first. A page has at most 100,000 events; --from and --to
cut a longer run.

` + statuses,
		Example: examples(registry,
			"bullring view lcr --n 5 --placement decreasing",
			"bullring view bully --n 5 --initiators 0 --dead last --fault 'at 2ms crash 3' -o bully.html",
			"bullring view lcr --n 5 --data -o lcr.json"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.out == "" && flagsSet(cmd, registry, args) {
				f.out = f.usual(algorithmOf(args))
			}
			if err := f.contradiction(); err != nil {
				return err
			}
			runs, err := f.runs(cmd, registry, args)
			if err != nil {
				return err
			}
			return f.write(cmd, runs)
		},
		ValidArgsFunction: completeAlgorithm(registry),
	}
	f.settingFlags.register(cmd, registry)
	f.own.ofRuns(cmd)
	flags := cmd.Flags()
	flags.VarP(text(&f.out, "FILE"), "out", "o", "the file, or - for standard output (default ALGORITHM.html or, with --data, ALGORITHM.json); one that is there is replaced if bullring view wrote it")
	flags.BoolVar(&f.data, "data", false, "write the run as JSON, without the page")
	textFlag(cmd, &f.beside, "beside", "FILE", "show a second run below the first: data, a page or a case")
	f.window.register(cmd)
	flags.BoolVar(&f.open, "open", false, "show the page in the browser")
	return cmd
}

// subjectCommand is the command, such as view, about the run that a file or a row holds.
func subjectCommand(cmd *cobra.Command, command string, subject ...string) string {
	words := []string{cmd.Root().Name(), command}
	for _, word := range subject {
		words = append(words, view.Quoted(word))
	}
	if f := cmd.Flags().Lookup("allow-nodes"); f != nil && (f.Changed || nodeGiven(cmd)) {
		words = append(words, "--allow-nodes")
	}
	return strings.Join(words, " ")
}

func (f *viewFlags) contradiction() error {
	switch {
	case f.data && f.beside != "":
		return errors.New("--data writes one run, and --beside is for the page of two")
	case f.open && f.data:
		return errors.New("--open is for a page, and --data writes none")
	case f.open && f.out == "-":
		return errors.New("--open is for a file, and -o - writes to standard output")
	case f.out == "" || f.out == "-":
		return nil
	}
	return f.check(f.out)
}

// usual is the name of the file for the run of an algorithm, unless another is given.
func (f *viewFlags) usual(algorithm string) string {
	if f.data {
		return algorithm + ".json"
	}
	return algorithm + ".html"
}

// check refuses a file that must not be replaced.
func (f *viewFlags) check(path string) error {
	if f.data {
		return wholefile.CheckOutput(path, "data that bullring view wrote", func() error {
			_, err := page.ReadFile(path)
			return err
		})
	}
	return checkPageFile(path)
}

// checkPageFile refuses a file that a page must not replace.
func checkPageFile(path string) error {
	return wholefile.CheckOutput(path, "a page that bullring view wrote", func() error { return page.IsPage(path) })
}

// runs are the runs that the command shows, as far as they are in the window.
func (f *viewFlags) runs(cmd *cobra.Command, registry *trial.Registry, args []string) ([]page.Data, error) {
	runs, err := f.subjectData(cmd, registry, args)
	if err == nil && f.beside != "" {
		var beside []page.Data
		if beside, err = besideData(cmd, registry, f.beside); err != nil {
			return nil, fmt.Errorf("--beside: %w", err)
		}
		runs = []page.Data{runs[0], beside[0]}
	}
	for i := range runs {
		if runs[i], err = f.window.of(runs[i]); err != nil {
			return nil, exit{statusFailed, err}
		}
	}
	return runs, err
}

// subjectData is the run that the arguments name, or the runs of a page.
func (f *viewFlags) subjectData(cmd *cobra.Command, registry *trial.Registry, args []string) ([]page.Data, error) {
	own := []string{"out", "data", "beside", "from", "to", "open"}
	if len(args) == 1 && !isAlgorithm(registry, args[0]) && page.IsRead(args[0]) {
		if err := onlyFlags(cmd, own); err != nil {
			return nil, err
		}
		return page.ReadFile(args[0])
	}
	s, err := f.subject(cmd, registry, args, own...)
	if err != nil {
		return nil, err
	}
	return record(cmd, registry, s)
}

// write writes the page or the data.
func (f *viewFlags) write(cmd *cobra.Command, runs []page.Data) error {
	write := func(w io.Writer) error { return page.Write(w, runs...) }
	if f.data {
		write = runs[0].WriteData
	}
	if f.out == "-" {
		return output(cmd, write)
	}
	path := cmp.Or(f.out, f.usual(runs[0].Algorithm))
	if err := f.check(path); err != nil {
		return exit{statusFailed, err}
	}
	if err := save(path, write); err != nil {
		return err
	}
	if err := say(cmd, "written to "+path); err != nil || !f.open {
		return err
	}
	full, err := filepath.Abs(path)
	if err != nil {
		return exit{statusFailed, err}
	}
	return browse(full)
}

// save writes a file that appears whole or not at all.
func save(path string, write func(io.Writer) error) error {
	file, err := wholefile.Create(path)
	if err != nil {
		return exit{statusFailed, err}
	}
	defer file.Discard()
	if err := write(file); err != nil {
		return exit{statusFailed, err}
	}
	if _, err = file.Commit(); err != nil {
		return exit{statusFailed, err}
	}
	return nil
}

// say prints a line.
func say(cmd *cobra.Command, line string) error {
	return printText(cmd, func(w io.Writer) error {
		_, err := fmt.Fprintln(w, line)
		return err
	})
}
