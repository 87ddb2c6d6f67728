package cli

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"bullring/experiments/campaign/cluster"
	"bullring/experiments/campaign/sweep"
	"bullring/experiments/cli/internal/view"
	"bullring/experiments/trial"
)

// slurmFlags are the flags of slurm.
type slurmFlags struct {
	dir     string
	tasks   uint64
	options []string // of sbatch that have a flag here, as it takes them
	more    []string
	outside bool
	drop    bool
	submit  bool
}

// slurmFlag is a flag that sbatch has too.
type slurmFlag struct {
	name, form, usage string
	option            string // what sbatch calls it
}

var sbatchFlags = []slurmFlag{
	{"partition", "NAME", "partition", "partition"},
	{"time", "2:00:00", "time limit of a job; a minute before, it ends by itself", "time"},
	{"mem", "2G", "memory of a job", "mem"},
	{"cpus", "number", "processors of a task, and trials that it runs at a time (default 1)", "cpus-per-task"},
	{"account", "NAME", "account", "account"},
}

func slurmCommand(registry *trial.Registry) *cobra.Command {
	f := &slurmFlags{}
	given := make([]string, len(sbatchFlags))
	cmd := &cobra.Command{
		Use:   "slurm SPEC.yaml",
		Short: "Run a sweep on a cluster with Slurm",
		Long: `Write the scripts of two Slurm jobs into the folder slurm of the results. The first is
an array: each task runs a shard. The second joins the shards when all tasks have
succeeded. --submit gives both to sbatch; without it, the commands are printed.

The same command again submits only the shards that are missing or not complete; when
all are complete, only the merge. Tasks may be killed, requeued and run twice: a shard
resumes where it was stopped. The program, the sweep and the folder must have the same
path on every node, as on a shared file system. sbatch reads the values of --time, --mem
and the like.

` + statuses,
		Example: "  bullring slurm demo.yaml --tasks 64 --time 2:00:00 --mem 2G --cpus 2 -o out/cluster",
		Args:    exactly("SPEC.yaml"),
		RunE: func(cmd *cobra.Command, args []string) error {
			for i, value := range given {
				if value != "" {
					f.options = append(f.options, "--"+sbatchFlags[i].option+"="+value)
				}
			}
			return slurm(cmd, registry, args[0], f)
		},
		ValidArgsFunction: first(completeSpec),
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.VarP(text(&f.dir, "DIR"), "out", "o", "folder for the results (default out/ and the name of the sweep)")
	countFlag(cmd, &f.tasks, 2, sweep.MaxShards, "tasks", "shards, and tasks of the array: minutes of work each (required)")
	for i, s := range sbatchFlags {
		textFlag(cmd, &given[i], s.name, s.form, s.usage)
	}
	flags.StringArrayVar(&f.more, "option", nil, "another option for sbatch, such as --option=--qos=long; may be repeated")
	flags.BoolVar(&f.outside, "outside-model", false, "run even cells in which an algorithm's assumptions do not hold")
	flags.BoolVar(&f.drop, "drop", false, "lose the trials in the folder that the changed sweep does not have")
	flags.BoolVar(&f.submit, "submit", false, "submit the jobs")
	return cmd
}

// taskFlags are the flags for programs as processes, which the tasks take too.
func taskFlags(cmd *cobra.Command) (words []string) {
	for _, name := range []string{"allow-nodes", "node-timeout"} {
		if f := cmd.Flags().Lookup(name); f.Changed {
			words = append(words, "--"+name+"="+f.Value.String())
		}
	}
	return words
}

func slurm(cmd *cobra.Command, registry *trial.Registry, file string, f *slurmFlags) error {
	if f.tasks == 0 {
		return errors.New("slurm needs --tasks: how many shards to make of the sweep, such as --tasks 64")
	}
	if most := cluster.MaxArray(cmd.Context()); most > 0 && int(f.tasks) > most {
		return fmt.Errorf("--tasks %d: arrays of this Slurm have %d tasks at most (MaxArraySize); it takes a whole number from 2 to %d", f.tasks, most, most)
	}
	sw, err := readSweep(registry, file, f.dir)
	if err != nil {
		return err
	}
	if err := allowed(registry, sw); err != nil {
		return err
	}
	sw.OutsideModel, sw.Drop = f.outside, f.drop
	program, err := os.Executable()
	if err != nil {
		return err
	}
	jobs := &cluster.Slurm{Sweep: sw, Program: program, Tasks: int(f.tasks), Options: append(f.options, f.more...), Flags: taskFlags(cmd)}
	plan, err := jobs.Write()
	if err != nil {
		return err
	}
	var submitted *cluster.Jobs
	if f.submit && !plan.Merged {
		submitted, err = plan.Submit(orderly(cmd))
	}
	if outputErr := printText(cmd, func(w io.Writer) error { return view.Slurm(w, cmd.Root().Name(), sw.Dir, plan, f.submit, submitted) }); outputErr != nil {
		return outputErr
	}
	if err != nil {
		return exit{statusFailed, err}
	}
	return nil
}
