package cli

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jonboulle/clockwork"
	"github.com/spf13/cobra"

	"bullring/experiments/campaign/grade"
	"bullring/experiments/cli/internal/view"
	"bullring/experiments/real/foreign"
	"bullring/experiments/show/reason"
	"bullring/experiments/trial"
)

// gradeFlags are the flags of grade.
type gradeFlags struct {
	out         string
	again, json bool
	sandbox     string
}

func gradeCommand(registry *trial.Registry, clock clockwork.Clock) *cobra.Command {
	f := &gradeFlags{sandbox: "on"}
	cmd := &cobra.Command{
		Use:   "grade ASSIGNMENT SUBMISSION...",
		Short: "Give points to the programs of a class",
		Long: `Run the programs of a class in any language, and give points for the parts of an
assignment: runs whose checks hold, exact costs, every run of small systems. ASSIGNMENT
is a YAML file; all of it is checked before the first program starts.

A SUBMISSION is a file, or a folder of submissions. In a folder each file is a
submission, and so is each folder in it. The program of a submission that is a folder is
its only file that the assignment can start, or the one of them that is called main.
Hidden files and the libraries, called bullring, are passed over.

The same submission has the same points on every machine. A limit of real time takes no
points: the part is inconclusive, and the same command grades the submission again.

--out DIR writes grades.csv, grades.json, junit.xml, and a page for each submission with
the smallest failing run of each part. A submission that is there, with the same files,
the same assignment and the same program, is not run again. Programs run in a sandbox:
on Linux without network and without writing files, with limits on memory and processes.

Exit status:
  0    all submissions have their points
  1    something failed
  2    the command, the assignment or a submission's name is wrong; nothing was run
  3    inconclusive: some submission is to be graded again
  130  interrupted; the points known by then have been printed, and kept
`,
		Example: "  bullring grade docs/class/election.yaml docs/class/election\n  bullring grade docs/class/mutex.yaml docs/class/mutex --out grades",
		Args:    gradedFiles,
		RunE:    func(cmd *cobra.Command, args []string) error { return gradeFor(cmd, registry, clock, args, f) },
	}
	textFlag(cmd, &f.out, "out", "DIR", "a folder for the points and a page for each submission")
	cmd.Flags().BoolVar(&f.again, "again", false, "grade also the submissions whose points are in the folder")
	cmd.Flags().Var(choice{&f.sandbox, sandboxes}, "sandbox", "bound what the programs may do; required refuses where the system cannot")
	jsonFlag(cmd, &f.json)
	completeFlag(cmd, "sandbox", completeWords(sandboxes...))
	return cmd
}

// gradedFiles takes an assignment and a submission or more.
func gradedFiles(cmd *cobra.Command, args []string) error {
	if len(args) < 2 {
		return fmt.Errorf("%s takes an ASSIGNMENT and one SUBMISSION or more; given is %q", cmd.Name(), args)
	}
	return nil
}

func gradeFor(cmd *cobra.Command, registry *trial.Registry, clock clockwork.Clock, args []string, f *gradeFlags) error {
	a, err := grade.Open(registry, args[0])
	if err != nil {
		return err
	}
	submissions, passed, err := a.Find(args[1:])
	if err != nil {
		return err
	}
	for _, path := range passed {
		fmt.Fprintf(cmd.ErrOrStderr(), "passed over: %s\n", path)
	}
	nodes := nodesOf(registry)
	defer nodes.Close()
	if f.sandbox != sandboxes[0] {
		nodes.Sandbox = &foreign.Sandbox{Memory: a.Limits.Memory << 20, Processes: a.Limits.Processes, File: a.Limits.File << 10, CPU: a.Limits.Submission}
		if err := checkSandbox(cmd, nodes.Sandbox, f.sandbox); err != nil {
			return err
		}
	}
	g := &grade.Grader{Assignment: a, Registry: registry, Words: gradeWords(cmd.Root().Name())}
	if f.out != "" {
		if g.Folder, err = grade.OpenFolder(f.out, f.again); err != nil {
			return fmt.Errorf("--out: %w", err)
		}
	}
	report, err := f.grade(cmd, clock, g, submissions)
	if report == nil {
		return err
	}
	if err := errors.Join(err, show(cmd, view.Grade{Grades: report, Out: f.out}, f.json)); err != nil {
		return exit{statusFailed, err}
	}
	switch {
	case cmd.Context().Err() != nil:
		return interrupted(cmd.Context())
	case report.Undecided():
		return exit{statusUndecided, errors.New("inconclusive: grade the submissions without all of their points again; the same command does")}
	}
	return nil
}

// grade grades, and shows how far it is.
func (f *gradeFlags) grade(cmd *cobra.Command, clock clockwork.Clock, g *grade.Grader, submissions []grade.Submission) (*grade.Grades, error) {
	mode := progressAuto
	if terminal(cmd.ErrOrStderr()) == nil {
		mode = progressOff
	}
	m := newMeter(cmd.ErrOrStderr(), clock, mode)
	var latest atomic.Pointer[string]
	g.Progress = func(submission, part string, done, all int) {
		text := fmt.Sprintf("%d of %d graded; %s: %s", done, all, submission, part)
		latest.Store(&text)
	}
	m.begin(func(time.Duration) (string, float64) {
		if text := latest.Load(); text != nil {
			return *text, -1
		}
		return "", -1
	})
	defer m.close()
	return g.Grade(orderly(cmd), submissions)
}

// gradeWords are the words of pages.
func gradeWords(program string) grade.Words {
	run := func(in *trial.Instance) string { return view.CommandLine(program, in) }
	return grade.Words{
		Command: run,
		Line: func(words []string) string {
			line := program
			for _, w := range words {
				line += " " + view.Quoted(w)
			}
			return line
		},
		Like: func(in *trial.Instance) string {
			name := in.Setting.Algorithm
			return strings.Replace(run(in), " run "+name, " run --like "+name, 1)
		},
		Case:    func(file string) string { return program + " why " + view.Quoted(file) + " --allow-nodes" },
		Reasons: func(e *reason.Explanation) []string { return view.Sentences(e) },
		Parting: view.Parting,
	}
}
