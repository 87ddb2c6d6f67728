package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"bullring/experiments"
	"bullring/experiments/search"
	"bullring/experiments/verify"
)

// subjectUse is how a command that is about one run is told which.
const subjectUse = "ALGORITHM | DIR ROW | FILE"

// subjectHelp says so in its help.
const subjectHelp = `The run is one of an ALGORITHM, with the flags of bullring run; ROW of the
results in DIR, counted from 1; or the case in FILE, as bullring shrink writes
one.
`

// subject is the setting of the run that a command is about. Flags of a setting
// go with an algorithm only.
func (f *settingFlags) subject(cmd *cobra.Command, registry *experiments.Registry, args []string, own ...string) (experiments.Setting, error) {
	if len(args) == 1 && isAlgorithm(registry, args[0]) {
		f.setting.Algorithm = args[0]
		return f.read()
	}
	if err := noFlagsBut(cmd, own); err != nil {
		return experiments.Setting{}, err
	}
	switch len(args) {
	case 2:
		row, err := strconv.Atoi(args[1])
		if err != nil || row < 1 {
			return experiments.Setting{}, fmt.Errorf("row %q: rows are counted from 1", args[1])
		}
		return verify.RowSetting(registry, args[0], row)
	case 1:
		info, err := os.Stat(args[0])
		switch {
		case errors.Is(err, fs.ErrNotExist):
			_, err := registry.Find(args[0])
			return experiments.Setting{}, fmt.Errorf("%w; and there is no file of that name", err)
		case err == nil && info.IsDir():
			return experiments.Setting{}, fmt.Errorf("%s is a directory; which of its rows? %s %s ROW", args[0], cmd.CommandPath(), args[0])
		}
		c, err := search.ReadCase(args[0])
		c.Setting.OutsideModel = true
		return c.Setting, err
	}
	return experiments.Setting{}, fmt.Errorf("%s takes %s; given is %q; allowed algorithms are %s",
		cmd.Name(), subjectUse, args, strings.Join(registry.Names(), ", "))
}

func isAlgorithm(registry *experiments.Registry, name string) bool {
	_, err := registry.Find(name)
	return err == nil
}

// noFlagsBut refuses flags other than the command's own.
func noFlagsBut(cmd *cobra.Command, own []string) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		for _, name := range own {
			if f.Name == name {
				return
			}
		}
		err = fmt.Errorf("--%s goes with an ALGORITHM; the run of a row or of a file has all its settings already", f.Name)
	})
	return err
}

// withoutSchedule refuses a run that follows a schedule: it has its steps, and no
// others.
func withoutSchedule(cmd *cobra.Command, s experiments.Setting) error {
	if s.Schedule == "" {
		return nil
	}
	return fmt.Errorf("%s takes no run that follows a schedule: with any other event its steps would not be possible; bullring explore finds a short one by itself", cmd.Name())
}
