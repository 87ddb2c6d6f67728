package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/jonboulle/clockwork"
	"github.com/spf13/cobra"

	"bullring/experiments/cli/internal/view"
	"bullring/experiments/real/lab"
	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
)

// mostKept is the largest number of cases that --keep writes.
const mostKept = 20

// checkCompared refuses flags of one run beside --runs, and --keep without it.
func (f *liveFlags) checkCompared(cmd *cobra.Command) error {
	switch {
	case f.runs == 0 && f.keep != "":
		return errors.New("--keep goes with --runs; -o FILE writes one run")
	case f.runs == 0:
		return nil
	case f.out != "" || f.view != "" || f.trace.form != "":
		return errors.New("--out, --view and --trace are for one run; with --runs, --keep DIR writes those that violate a check")
	case f.apart.hosts != "":
		return errors.New("--hosts is for one run, since hosts leave after it; --runs takes --processes")
	case cmd.Flags().Changed("seed"):
		return fmt.Errorf("--seed is for one run; --runs %d has the seeds 1 to %[1]d", f.runs)
	case f.keep == "":
		return nil
	}
	return os.MkdirAll(f.keep, 0o777)
}

// compare makes many live runs and compares them with the emulator.
func (f *liveFlags) compare(cmd *cobra.Command, registry *trial.Registry, s trial.Setting) error {
	if _, err := lab.Instance(registry, s, f.options); err != nil {
		return err
	}
	ctx := orderly(cmd)
	p := newProgress(cmd.ErrOrStderr(), clockwork.NewRealClock(), &watch{mode: progressAuto})
	var failed, unwritten error
	var files []string
	done, unkept := 0, 0
	c, err := lab.Compare(ctx, registry, s, f.options, int(f.runs), func(t *lab.Trial) {
		done++
		p.count(done, int(f.runs))
		if why, is := errors.AsType[exit](f.judgement(cmd, t)); is && why.status == statusFailed && failed == nil {
			failed = exit{statusFailed, fmt.Errorf("live run with seed %d: %w", t.Instance.Setting.Seed, why.error)}
		}
		switch file := f.kept(t); {
		case file == "" || unwritten != nil:
		case len(files) == mostKept:
			unkept++
		default:
			if unwritten = caseOf(t, "").Write(file); unwritten == nil {
				files = append(files, file)
			}
		}
	})
	p.close()
	if err != nil {
		return exit{statusFailed, err}
	}
	if c.Live.Runs > 0 {
		if err := show(cmd, view.Comparison{Comparison: c, Files: files, Unkept: unkept}, f.json); err != nil {
			return err
		}
	}
	switch {
	case failed != nil:
		return failed
	case unwritten != nil:
		return exit{statusFailed, unwritten}
	case ctx.Err() != nil:
		return interrupted(ctx)
	}
	return nil
}

// kept is the file for the case of a live run, "" if it is not to be written.
func (f *liveFlags) kept(t *lab.Trial) string {
	failure := search.FailureOf(t.Result)
	if wanted := t.Wrong != nil || failure != "" && failure != search.Incorrect; f.keep == "" || !wanted {
		return ""
	}
	name := fmt.Sprintf("%s-seed%d.json", failure, t.Instance.Setting.Seed)
	if t.Wrong != nil {
		name = "differs-" + name
	}
	return filepath.Join(f.keep, name)
}
