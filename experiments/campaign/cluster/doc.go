// Package cluster submits a sweep to Slurm: an array of tasks, each of which runs a shard,
// and a job that joins them.
//
// [Slurm.Write] finds out which shards are left, and writes the scripts into the folder of
// the sweep. [Plan.Submit] hands them to sbatch and notes the numbers of the jobs.
// The trials run in package experiments/campaign/sweep, on the nodes.
package cluster
