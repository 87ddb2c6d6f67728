package cli

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"bullring/des"
	"bullring/experiments/cli/internal/view"
	"bullring/internal/regular"
	"bullring/netem/impair"
)

const maxSamples = 10_000_000

// linkFlags are the flags of link.
type linkFlags struct {
	samples  uint64
	mode     string
	seed     uint64
	interval time.Duration
	bits     uint64
	fifo     bool
	json     bool
	presets  bool
	outside  outsideFlags
}

func linkCommand() *cobra.Command {
	f := &linkFlags{samples: 100_000, mode: impair.Modes[0], seed: defaultSeed, interval: 10 * time.Millisecond, bits: 128, outside: outsideFlags{n: 5}}
	cmd := &cobra.Command{
		Use:   "link LINE",
		Short: "Send messages over one link and compare what it does with theory",
		Long: `Send messages over one link, one each --interval. The table compares what became of them
with theory; deviations are in standard errors of the sample.

A LINE has the words of tc-netem, in quotes or not: clauses delay, loss, duplicate,
reorder, corrupt, rate, limit and slot, in any order, each at most once. A preset may
come first; the clauses after it replace its own. In mode exact, probabilities, standard
deviations and correlations have the values given; in mode compat, the values that Linux
makes of them. docs/links.md has the grammar.

With --as tc, the line is printed as a command of Linux's tc, instead of sending messages.
What tc cannot say is listed as "not exported", what it rounds as "rounded", and where it
means something else as "differs". With --fault, a plan of faults becomes a shell script of
tc, iptables and kill.`,
		Example: `  bullring link delay 20ms 5ms 25% distribution normal
  bullring link 'loss gemodel 1% 25%' --json
  bullring link loss 5% 25% --link-mode compat
  bullring link wan loss 5% duplicate 1% --samples 10000 --seed 7
  bullring link --presets
  bullring link wan loss 5% --as tc --dev eth1
  bullring link wan --fault 'at 5s crash 3 for 2s; at 9s partition {0 1 | 2 3 4} for 5s' --as tc`,
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case f.presets:
				return arguments(cmd, args)
			case len(args) == 0 && f.outside.plan == "":
				return fmt.Errorf("link takes a LINE, such as 'delay 20ms 5ms loss 1%%'; --presets lists lines with a name")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.presets {
				return show(cmd, view.Presets(impair.Presets), f.json)
			}
			return link(cmd, f, strings.Join(args, " "))
		},
		ValidArgsFunction: completeWords(append(impair.PresetNames(), impair.ClauseNames()...)...),
	}
	f.register(cmd)
	return cmd
}

func (f *linkFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.SortFlags = false
	countFlag(cmd, &f.samples, 1, maxSamples, "samples", "number of messages")
	flags.Var(choice{&f.mode, impair.Modes}, "link-mode", "how the line is understood")
	flags.Var(span(&f.interval), "interval", "time from one message to the next")
	countFlag(cmd, &f.bits, 0, 1<<31-1, "bits", "size of a message; it matters if the link has a rate")
	flags.BoolVar(&f.fifo, "fifo", false, "the link keeps the order of messages")
	countFlag(cmd, &f.seed, 0, math.MaxUint64, "seed", "seed of everything random")
	jsonFlag(cmd, &f.json)
	flags.BoolVar(&f.presets, "presets", false, "list the presets, with their sources")
	f.outside.register(cmd)
}

func link(cmd *cobra.Command, f *linkFlags, text string) error {
	if err := f.outside.check(cmd); err != nil {
		return err
	}
	mode, err := impair.ParseMode(f.mode)
	if err != nil {
		return err
	}
	if text == "" && f.outside.plan != "" {
		return exportLine(cmd, f, nil, mode)
	}
	line, err := impair.Parse(text, readFile)
	if err != nil {
		return fmt.Errorf("link %q: %w", text, err)
	}
	if f.outside.as != "" {
		return exportLine(cmd, f, line, mode)
	}
	if float64(f.samples)*float64(f.interval) > float64(des.MaxTime)/2 {
		return fmt.Errorf("--samples %d, one each --interval %v, take longer than virtual time lasts; give fewer, or a shorter interval", f.samples, f.interval)
	}
	trial := &impair.Trial{
		Line: line, Mode: mode, Samples: int(f.samples), Interval: f.interval,
		Bits: int(f.bits), FIFO: f.fifo, Seed: f.seed,
	}
	m := trial.Sample()
	return show(cmd, view.Link{Trial: trial, Measured: m, Expected: trial.Expected(m)}, f.json)
}

// readFile reads a file that a line names. Its error leaves the name out, since the parser
// adds it.
func readFile(name string) ([]byte, error) {
	data, err := regular.Read(name, 16<<20)
	if e, ok := errors.AsType[*os.PathError](err); ok {
		err = e.Err
	}
	return data, err
}
