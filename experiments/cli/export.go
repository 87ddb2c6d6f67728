package cli

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"bullring/experiments/show/export"
	"bullring/experiments/trial"
	"bullring/internal/regular"
	"bullring/internal/wholefile"
)

// exportFlags are the flags of export.
type exportFlags struct {
	settingFlags
	as, out string
}

func exportCommand(registry *trial.Registry) *cobra.Command {
	f := &exportFlags{}
	cmd := &cobra.Command{
		Use:   "export " + subjectUse + " --as FORMAT",
		Short: "Write a run in the format of another program",
		Long: `Run one trial again and write its events in the format of another program:

  mermaid  a sequence diagram, which GitHub shows in Markdown; up to 200 messages
  shiviz   a log with vector clocks, for ShiViz
  chrome   a trace for Perfetto (ui.perfetto.dev), of any size
  dot      the relation "happened before", for Graphviz
  jsonl    the events as JSON, an object a line, as run --trace --json does
  itf      the states of the processes after each event, for tools of TLA+ and
           Quint; up to 1,000 events

` + subjectHelp + statuses,
		Example: examples(registry,
			"bullring export lcr --n 4 --as mermaid",
			"bullring export bully --dead last --as chrome -o bully.json",
			"bullring export changroberts --n 5 --as dot > run.dot"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := f.subject(cmd, registry, args, "as", "out")
			if err != nil {
				return err
			}
			return f.export(cmd, registry, s)
		},
		ValidArgsFunction: completeAlgorithm(registry),
	}
	f.register(cmd, registry)
	f.own.ofRuns(cmd)
	cmd.Flags().Var(choice{&f.as, formatNames()}, "as", "the format")
	cmd.Flags().VarP(text(&f.out, "FILE"), "out", "o", "write into a file; one that is there is replaced if it is of the same format")
	return cmd
}

func (f *exportFlags) export(cmd *cobra.Command, registry *trial.Registry, s trial.Setting) error {
	format, err := f.format()
	if err != nil {
		return err
	}
	if f.out != "" {
		if err := checkExportFile(f.out, format); err != nil {
			return fmt.Errorf("--out: %w", err)
		}
	}
	h, err := recordHistory(cmd, registry, s, format.States)
	if err != nil {
		return err
	}
	text, err := format.Text(h)
	if err != nil {
		return err
	}
	if f.out == "" {
		return output(cmd, func(w io.Writer) error {
			_, err := w.Write(text)
			return err
		})
	}
	if _, err := wholefile.Write(f.out, text); err != nil {
		return exit{statusFailed, err}
	}
	return say(cmd, "written to "+f.out)
}

func (f *exportFlags) format() (export.Format, error) {
	at := slices.Index(formatNames(), f.as)
	if at < 0 {
		return export.Format{}, fmt.Errorf("the format is missing: --as takes %s", strings.Join(formatNames(), ", "))
	}
	return export.Formats[at], nil
}

func formatNames() []string {
	names := make([]string, 0, len(export.Formats))
	for _, format := range export.Formats {
		names = append(names, format.Name)
	}
	return names
}

// checkExportFile refuses a file that cannot be written, or that is something else.
func checkExportFile(path string, format export.Format) error {
	return wholefile.CheckOutput(path, "an export as "+format.Name, func() error {
		file, err := regular.Open(path)
		if err != nil {
			return err
		}
		defer file.Close()
		begins := make([]byte, len(format.Begins))
		if _, err := io.ReadFull(file, begins); err != nil {
			return err
		}
		if !bytes.Equal(begins, []byte(format.Begins)) {
			return fmt.Errorf("%s begins otherwise", path)
		}
		return nil
	})
}
