package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"bullring/experiments/campaign/verify"
	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
)

// subjectUse shows how to name the run that a command is about.
const subjectUse = "ALGORITHM | DIR ROW | FILE"

// subjectHelp explains that.
const subjectHelp = `The run is that of an ALGORITHM with the flags of bullring run; or ROW of the results in
DIR, counted from 1; or the case in FILE, such as bullring shrink writes.
`

// subject returns the setting of the run that a command is about. Flags of the setting go
// with an algorithm only; own are the other flags of the command.
func (f *settingFlags) subject(cmd *cobra.Command, registry *trial.Registry, args []string, own ...string) (trial.Setting, error) {
	if flagsSet(cmd, registry, args) {
		f.setting.Algorithm = algorithmOf(args)
		return f.read()
	}
	if err := onlyFlags(cmd, own); err != nil {
		return trial.Setting{}, cmp.Or(noSubject(registry, args), err)
	}
	if err := noSubject(registry, args); err != nil {
		return trial.Setting{}, err
	}
	at, err := placeOf(cmd, args)
	switch {
	case len(args) == 0:
		return trial.Setting{}, fmt.Errorf("%w; allowed algorithms are %s", err, strings.Join(registry.Names(), ", "))
	case err != nil:
		return trial.Setting{}, err
	case at.row > 0:
		return verify.RowSetting(registry, at.path, at.row)
	}
	c, err := search.ReadCase(at.path)
	c.Setting.OutsideModel = true
	return c.Setting, err
}

// place is where a run is recorded: in a row of the results in a folder or, if row is 0, in a
// file.
type place struct {
	path string
	row  int
}

// placeOf reads the arguments DIR ROW or FILE.
func placeOf(cmd *cobra.Command, args []string) (place, error) {
	switch len(args) {
	case 2:
		row, err := strconv.Atoi(args[1])
		if err != nil || row < 1 {
			return place{}, fmt.Errorf("row %q: ROW takes a whole number from 1", args[1])
		}
		return place{args[0], row}, nil
	case 1:
		if info, err := os.Stat(args[0]); err == nil && info.IsDir() {
			return place{}, fmt.Errorf("%s is a directory; which of its rows? %s %s ROW", args[0], cmd.CommandPath(), args[0])
		}
		return place{path: args[0]}, nil
	}
	return place{}, fmt.Errorf("%s; given is %s", strings.Replace(cmd.Use, " ", " takes ", 1), givenText(args))
}

// flagsSet reports whether the flags of a command set its run: that of an algorithm, or of
// a program without one.
func flagsSet(cmd *cobra.Command, registry *trial.Registry, args []string) bool {
	return len(args) == 1 && isAlgorithm(registry, args[0]) || len(args) == 0 && nodeGiven(cmd)
}

// noSubject returns an error if a single argument is neither an algorithm nor a file.
func noSubject(registry *trial.Registry, args []string) error {
	if len(args) != 1 {
		return nil
	}
	_, err := registry.Find(args[0])
	if _, absent := os.Stat(args[0]); err != nil && errors.Is(absent, fs.ErrNotExist) {
		return fmt.Errorf("%w; and there is no file of that name", err)
	}
	return nil
}

func isAlgorithm(registry *trial.Registry, name string) bool {
	_, err := registry.Find(name)
	return err == nil
}

// onlyFlags refuses all flags but those of the command's own.
func onlyFlags(cmd *cobra.Command, own []string) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if !slices.Contains(own, f.Name) && !slices.Equal(f.Annotations[flagGroup], []string{nodeGroup}) {
			err = fmt.Errorf("--%s goes with an ALGORITHM; the run of a row or of a file has all its settings already", f.Name)
		}
	})
	return err
}

// withoutSchedule refuses a run that follows a schedule: other steps than those of its
// schedule are not possible.
func withoutSchedule(cmd *cobra.Command, s trial.Setting) error {
	if s.Schedule == "" {
		return nil
	}
	return fmt.Errorf("%s takes no run that follows a schedule: with any other event its steps would not be possible; %s explore finds a short one by itself", cmd.Name(), cmd.Root().Name())
}
