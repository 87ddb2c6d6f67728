package cli

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"bullring/experiments/real/maelstrom"
	"bullring/experiments/trial"
	"bullring/experiments/trial/setting"
)

// maelstromFlags are the flags of node about a node of Maelstrom.
type maelstromFlags struct {
	systemFlags
	algorithm string
	wait      bool
}

func (f *maelstromFlags) register(cmd *cobra.Command, registry *trial.Registry) {
	textFlag(cmd, &f.algorithm, "maelstrom", "ALGORITHM", "be a node of Maelstrom, on standard input and output")
	completeFlag(cmd, "maelstrom", completeWords(registry.Names()...))
	cmd.Flags().BoolVar(&f.wait, "wait", false, "of --maelstrom: start when a client says so, and not after init")
	f.systemFlags.register(cmd, registry, defaultN)
	cmd.Flags().Lookup("n").Usage = "number of processes, if it is to be checked; init has it"
	flagsUnder(cmd, string(setting.System), func() {
		for _, name := range []string{"transport", "detector"} {
			f.addCondition(cmd, setting.Find(name))
			completeFlag(cmd, name, f.completion(setting.Find(name)))
		}
		f.addOutsideModel(cmd)
	})
}

// maelstromBound is the bound on delay that algorithms assume unless --assume says otherwise.
const maelstromBound = "50ms"

// serve is a node of Maelstrom until its input ends.
func (f *maelstromFlags) serve(cmd *cobra.Command, registry *trial.Registry) error {
	if _, err := registry.Find(f.algorithm); err != nil {
		return fmt.Errorf("--maelstrom: %w", err)
	}
	instance := func(n int) (*trial.Instance, error) {
		if f.n != 0 && int(f.n) != n {
			return nil, fmt.Errorf("--n is %d, and init names %d nodes", f.n, n)
		}
		s := f.read()
		s.Algorithm, s.N, s.Assume = f.algorithm, n, cmp.Or(s.Assume, maelstromBound)
		return registry.Instance(s)
	}
	err := maelstrom.Serve(orderly(cmd), cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr(), maelstrom.Config{Instance: instance, Wait: f.wait})
	switch {
	case cmd.Context().Err() != nil:
		return exit{statusInterrupted, err}
	case err != nil:
		return exit{statusFailed, err}
	}
	return nil
}

// check refuses flags of a node of Maelstrom without one, and flags about another run with one.
func (f *maelstromFlags) check(cmd *cobra.Command, others ...string) (err error) {
	isOther := map[string]bool{asOneNode: true}
	for _, name := range others {
		isOther[name] = true
	}
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		switch {
		case f.algorithm == "" && !isOther[flag.Name]:
			err = fmt.Errorf("--%s goes with --maelstrom ALGORITHM", flag.Name)
		case f.algorithm != "" && isOther[flag.Name]:
			err = fmt.Errorf("--%s and --maelstrom are about two kinds of nodes; a node is one of them", flag.Name)
		}
	})
	return err
}
