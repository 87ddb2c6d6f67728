package view

import (
	"fmt"
	"io"
	"path/filepath"

	"bullring/experiments/campaign/cluster"
	"bullring/experiments/campaign/sweep"
	"bullring/internal/counts"
)

// Slurm prints the jobs that run a sweep on a cluster, and how program watches them.
func Slurm(w io.Writer, program, dir string, plan *cluster.Plan, submit bool, jobs *cluster.Jobs) error {
	if plan.Merged {
		_, err := fmt.Fprintf(w, "%s is complete and joined: there is nothing to submit\n", dir)
		return err
	}
	t := newTable(w)
	t.row("sweep", plan.Name)
	t.row("shards", shardsToRun(plan))
	t.row("scripts", "in "+plan.Dir)
	if jobs != nil && jobs.Array != "" {
		t.row("array", "job "+jobs.Array)
	}
	if jobs != nil && jobs.Merge != "" {
		t.row("merge", "job "+jobs.Merge)
		t.row("watch", Command(program+" status "+Quoted(dir)+"; squeue --me"))
	}
	if submit {
		return nil
	}
	return writeSbatch(w, plan)
}

// writeSbatch prints the commands that submit the jobs of a plan.
func writeSbatch(w io.Writer, plan *cluster.Plan) error {
	array, merge := Quoted(filepath.Join(plan.Dir, cluster.ArrayScript)), Quoted(filepath.Join(plan.Dir, sweep.MergeScript))
	fmt.Fprintln(w, "\nNothing is submitted; --submit does it, or:")
	if plan.Array == "" {
		_, err := fmt.Fprintf(w, "  %s\n", Command("sbatch "+merge))
		return err
	}
	_, err := fmt.Fprintf(w, "  %s\n  %s\n", Command("job=$(sbatch --parsable "+array+")"), Command("sbatch --dependency=afterok:${job%%;*} "+merge))
	return err
}

// shardsToRun tells which shards a plan runs.
func shardsToRun(plan *cluster.Plan) string {
	if plan.Array == "" {
		return fmt.Sprintf("all %s are complete, and are to be joined", counts.Grouped(plan.Tasks))
	}
	return fmt.Sprintf("%s of %s to run: --array=%s", counts.Grouped(plan.Shards), counts.Grouped(plan.Tasks), plan.Array)
}
