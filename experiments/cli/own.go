package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"bullring/experiments/trial"
	"bullring/netem/explore"
)

// ownFlags are the flags of conditions of the user's own, by kind.
type ownFlags [explore.Finally][]string

// ownUsage says what a condition of each kind has to do.
var ownUsage = [explore.Finally]string{
	explore.Always:     "`condition` that has to hold in every state, such as 'count(inside) <= 1'; repeatable",
	explore.Eventually: "`condition` that has to hold at rest, and not to fail for ever, such as 'all(leader == 3)'; repeatable",
	explore.Sometimes:  "`condition` that some state has to meet, such as 'any(term > 2)'; repeatable",
}

// register adds the flags of some kinds.
func (f *ownFlags) register(cmd *cobra.Command, kinds ...explore.Kind) {
	for _, k := range kinds {
		name := k.String()
		cmd.Flags().StringArrayVar(&f[k], name, nil, ownUsage[k])
		completeFlag(cmd, name, cobra.NoFileCompletions)
	}
}

// ofRuns adds those by which one run is judged: whether some run meets a condition, it does not tell.
func (f *ownFlags) ofRuns(cmd *cobra.Command) {
	flagsUnder(cmd, "Properties", func() { f.register(cmd, explore.Always, explore.Eventually) })
}

// read turns the flags into properties.
func (f *ownFlags) read() trial.Properties {
	var lines []string
	for kind, conditions := range f {
		for _, c := range conditions {
			lines = append(lines, explore.Kind(kind).String()+" "+strings.Join(strings.Fields(c), " "))
		}
	}
	return trial.Properties(strings.Join(lines, "\n"))
}
