package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"bullring/experiments/cli/internal/view"
	"bullring/experiments/real/outside"
	"bullring/netem/impair"
)

// outsideFlags are the flags of a link, or a plan, for another program.
type outsideFlags struct {
	as     string
	device string
	plan   string
	n      uint64
}

// outsideNames are the programs that link --as knows.
var outsideNames = []string{"tc"}

func (f *outsideFlags) register(cmd *cobra.Command) {
	flagsUnder(cmd, "Flags of exports", func() {
		cmd.Flags().Var(choice{&f.as, outsideNames}, "as", "print the line in the words of another program, instead of sending messages")
		cmd.Flags().StringVar(&f.device, "dev", "eth0", "the interface of tc")
		cmd.Flags().StringVar(&f.plan, "fault", "", "with --as tc, a plan of faults: print a shell script")
		countFlag(cmd, &f.n, 2, maxOutside, "n", "the processes of the plan")
	})
}

// maxOutside is the largest number of processes of a script, which may have a line a link.
const maxOutside = 100

// check refuses flags that have no effect.
func (f *outsideFlags) check(cmd *cobra.Command) error {
	unused, why := []string{"dev", "fault", "n"}, "needs --as"
	switch {
	case f.as != "" && f.plan != "":
		unused, why = []string{"samples", "interval", "bits", "fifo", "dev"}, "does not go with --as tc and --fault"
	case f.as != "":
		unused, why = []string{"samples", "interval", "bits", "fifo", "n"}, "does not go with --as tc and a line alone"
	}
	for _, name := range unused {
		if flag := cmd.Flags().Lookup(name); flag.Changed {
			return fmt.Errorf("--%s %s", name, why)
		}
	}
	if strings.ContainsFunc(f.device, func(r rune) bool { return !strings.ContainsRune(deviceRunes, r) }) || f.device == "" {
		return fmt.Errorf("--dev %q: it takes the name of an interface, such as eth0", f.device)
	}
	return nil
}

// deviceRunes are the characters of an interface name that a shell leaves alone.
const deviceRunes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_@:"

// exportLine prints the line, nil if there is none, in the words of another program.
func exportLine(cmd *cobra.Command, f *linkFlags, line *impair.Line, mode impair.Mode) error {
	v := view.Outside{As: f.outside.as}
	if f.outside.plan == "" {
		v.Script, v.Notes = outside.Command(line, mode, f.outside.device)
	} else {
		n := int(f.outside.n)
		plan, err := outside.ParsePlan(f.outside.plan, n, f.seed, readFile)
		if err != nil {
			return err
		}
		script := &outside.Script{N: n, Plan: plan, Line: line, Mode: mode, Read: readFile}
		if v.Script, v.Notes, err = script.Text(); err != nil {
			return err
		}
	}
	if v.Script == "" {
		return exit{statusFailed, fmt.Errorf("nothing can be exported to %s:\n  %s", v.As, strings.Join(v.Notes.Missing, "\n  "))}
	}
	return show(cmd, v, f.json)
}
