package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"bullring/experiments/real/foreign"
	"bullring/experiments/trial"
)

// hosts are the commands that run trials, and so may run programs as processes.
var hosts = []string{"run", "check", "sweep", "replay", "verify", "why", "diagram", "export", "view", "criticality", "shrink", "slurm", "explore", "worst", "conjecture", "hunt", "judge", "live"}

// nodeGroup is the heading of the flags of programs as processes.
const nodeGroup = "Flags of nodes in other languages"

// withNodes returns a registry whose processes may be programs.
func withNodes(registry *trial.Registry) (*trial.Registry, *foreign.Nodes) {
	nodes, own := &foreign.Nodes{Wait: foreign.DefaultWait, Limit: foreign.DefaultLimit}, *registry
	own.Nodes = nodes
	return &own, nodes
}

// hostNodes adds the flags of programs as processes to a command that runs trials. Programs
// start only if the command line says so, and end with the command. Other commands refuse them.
func hostNodes(cmd *cobra.Command, nodes *foreign.Nodes) {
	run, box := cmd.RunE, sandboxes[0]
	switch f := cmd.Flags().Lookup("node"); {
	case slices.Contains(hosts, cmd.Name()):
		flagsUnder(cmd, nodeGroup, func() {
			cmd.Flags().BoolVar(&nodes.Allowed, "allow-nodes", false, "start the programs that a file or a folder names")
			cmd.Flags().Var(span(&nodes.Wait), "node-timeout", "how long to wait for an answer of a program, in real time")
			cmd.Flags().Var(span(&nodes.Limit), "node-limit", "how long a run or an exploration of programs may take, in real time; then it is inconclusive")
			cmd.Flags().Var(choice{&box, sandboxes}, "sandbox", "run programs without network, write access and much memory (Linux): required refuses where the system cannot")
		})
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			nodes.Allowed = nodes.Allowed || nodeGiven(cmd)
			defer nodes.Close()
			if box != sandboxes[0] {
				nodes.Sandbox = &foreign.Sandbox{}
				if err := checkSandbox(cmd, nodes.Sandbox, box); err != nil {
					return err
				}
			}
			return run(cmd, args)
		}
	case f != nil:
		f.Hidden = true
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			if nodeGiven(cmd) {
				return fmt.Errorf("%s takes no --node; it goes with %s", cmd.Name(), strings.Join(hosts, ", "))
			}
			return run(cmd, args)
		}
	}
}

// sandboxes are whether programs run in a sandbox: the last one refuses to run them without.
var sandboxes = []string{"off", "on", "required"}

// checkSandbox says what a sandbox does not bound on this system, or refuses.
func checkSandbox(cmd *cobra.Command, box *foreign.Sandbox, wanted string) error {
	missing := box.Missing()
	switch {
	case missing == "":
		return nil
	case wanted == "required":
		return fmt.Errorf("--sandbox required: %s", missing)
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "sandbox: %s\n", missing)
	return nil
}

// nodesOf are the programs of a registry that withNodes has made.
func nodesOf(registry *trial.Registry) *foreign.Nodes { return registry.Nodes.(*foreign.Nodes) }

// nodeGiven reports whether the command line names a program for the processes.
func nodeGiven(cmd *cobra.Command) bool {
	f := cmd.Flags().Lookup("node")
	return f != nil && f.Changed
}

// algorithmOf is the algorithm that a command is about: the argument, or that of a program
// that is to be none.
func algorithmOf(args []string) string {
	if len(args) == 0 {
		return trial.PlainNode
	}
	return args[0]
}

// checkNode refuses flags about a program without one, and --like beside an algorithm.
func (f *runFlags) checkNode(cmd *cobra.Command, args []string) error {
	for _, name := range []string{"like", "twice", "timers", "kinds"} {
		if cmd.Flags().Changed(name) && !nodeGiven(cmd) {
			return fmt.Errorf("--%s is about a program; --node names it", name)
		}
	}
	switch {
	case f.like != "" && len(args) > 0:
		return fmt.Errorf("--like %s names the algorithm; given is also %q", f.like, args)
	case f.timers && f.like == "":
		return errors.New("--timers compares the timers of a program with those of an algorithm; --like names it")
	case f.like != "" && f.twice:
		return errors.New("--like and --twice are two comparisons; a run has one")
	}
	return nil
}

// comparison begins the comparison that is asked for; nil is none.
func (f *runFlags) comparison(ctx context.Context, registry *trial.Registry, in *trial.Instance) (*foreign.Comparison, error) {
	switch {
	case f.like != "":
		return foreign.CompareLike(ctx, registry, in, f.timers)
	case f.twice:
		return foreign.CompareTwice(ctx, in), nil
	}
	return nil, nil
}
