package cli

import (
	"fmt"
	"math"

	"github.com/jonboulle/clockwork"
	"github.com/spf13/cobra"

	"bullring/experiments/campaign/verify"
	"bullring/experiments/cli/internal/view"
	"bullring/experiments/trial"
)

// verifyFlags are the flags of verify.
type verifyFlags struct {
	watch
	sample  float64
	all     bool
	seed    uint64
	workers uint64
	json    bool
}

func verifyCommand(registry *trial.Registry, clock clockwork.Clock) *cobra.Command {
	f := &verifyFlags{sample: verify.DefaultSample, seed: 1}
	cmd := &cobra.Command{
		Use:   "verify DIR | FILE",
		Short: "Run the trials of a sweep or a figure again and compare",
		Long: `Run a sample of the trials of a sweep again and compare them with the record. DIR is a
folder that sweep has written. Every file that its manifest.json lists has to have the
hash listed there, and the rows of results.csv are compared column by column. --all also
makes tables, documents and figures again from the rows. If a row differs, verify tells
between which events the two runs part.

A FILE is a figure of a sweep, as PNG, SVG, PDF or TikZ. Its metadata hold the sweep and
digests of the trials that it shows. If the folder that it came from is beside it, the
rows there tell more about a difference. The data behind the figure are verified, not
the ink. A FILE may also be a diagram of one run, or a page or data of bullring view: the
run is made again and compared, of a page with all that the page says of it.

What its author may change, the names in CITATION.cff and README.md, is not compared, nor is
what only the version that wrote it makes again byte by byte. A trial does not run if its
programs may not start (--allow-nodes), have changed, or are too slow (--node-timeout).

Trials of another epoch are refused: there the same seed means another run.

Exit status:
  0    identical: all that was to be compared is the same
  1    something differs; the differences, or the first of them, were printed
  2    the command or its input is wrong, or of another epoch; nothing was run
  3    nothing differs, and something was not compared or not run
  130  interrupted; the result so far has been printed`,
		Example:           "  bullring verify out/demo\n  bullring verify out/demo --all\n  bullring verify out/demo/figures/demo.svg --sample 20% --seed 7",
		Args:              exactly("DIR"),
		RunE:              func(cmd *cobra.Command, args []string) error { return verifyPath(cmd, registry, clock, args[0], f) },
		ValidArgsFunction: first(completePath),
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.Var(share(&f.sample), "sample", "share of the trials to run again, but at least 20 trials")
	flags.BoolVar(&f.all, "all", false, "run all trials again")
	countFlag(cmd, &f.seed, 0, math.MaxUint64, "seed", "seed that chooses the sample")
	workersFlag(cmd, &f.workers)
	f.watch.register(cmd)
	jsonFlag(cmd, &f.json)
	cmd.MarkFlagsMutuallyExclusive("sample", "all")
	return cmd
}

func verifyPath(cmd *cobra.Command, registry *trial.Registry, clock clockwork.Clock, path string, f *verifyFlags) error {
	if again := runsIn(path); again != nil {
		found, err := again(cmd, registry)
		if err != nil {
			return err
		}
		if err := show(cmd, found, f.json); err != nil {
			return err
		}
		return verdict(found.Answer(), path, found.Summary(), found.Summary())
	}
	p := newProgress(cmd.ErrOrStderr(), clock, &f.watch)
	v := &verify.Verifier{
		Registry: registry, Path: path, Sample: f.sample, All: f.all, Seed: f.seed, Workers: int(f.workers),
		Progress: func(done, all int) {
			orderly(cmd) // some trials are known
			p.count(done, all)
		},
	}
	found, err := v.Run(cmd.Context())
	p.close()
	if err != nil {
		return err
	}
	result := view.Verification{Program: cmd.Root().Name(), Path: path, Report: found}
	if err := show(cmd, result, f.json); err != nil {
		return err
	}
	if found.Stopped {
		return interrupted(cmd.Context())
	}
	return verdict(found.Answer(), path, result.Difference(), result.Unknown())
}

// verdict is the error of an answer about a path.
func verdict(answer verify.Answer, path, difference, unknown string) error {
	switch answer {
	case verify.Same:
		return nil
	case verify.NotCompared:
		return exit{statusUndecided, fmt.Errorf("%s was compared in part: %s", path, unknown)}
	}
	return exit{statusFailed, fmt.Errorf("%s is not what runs here: %s", path, difference)}
}
