//go:build unix

package cluster_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bullring/experiments/campaign/cluster"
	"bullring/experiments/campaign/sweep"
	"bullring/experiments/internal/sweeptest"
)

// tasksOf returns the jobs of a small sweep as an array of four tasks.
func tasksOf(t *testing.T, dir string) *cluster.Slurm {
	t.Helper()
	s := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), sweeptest.Tiny)
	s.Dir = dir
	return &cluster.Slurm{Sweep: s, Program: "/opt/bull ring", Tasks: 4}
}

// planned writes the scripts.
func planned(t *testing.T, jobs *cluster.Slurm) *cluster.Plan {
	t.Helper()
	plan, err := jobs.Write()
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

func read(t *testing.T, elements ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(elements...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestScripts(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "it's 100%")
	jobs := tasksOf(t, dir)
	jobs.Options, jobs.Flags = []string{"--time=2:00:00", "--comment=two words"}, []string{"--node-timeout=2 s"}
	jobs.Sweep.OutsideModel, jobs.Sweep.Drop = true, true
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	plan := planned(t, jobs)
	if plan.Name != "tiny" || plan.Merged || plan.Array != "0-3" || plan.Shards != 4 || plan.Tasks != 4 || plan.Dir != filepath.Join(dir, "slurm") {
		t.Errorf("%+v", plan)
	}
	quoted := strings.Replace(dir, "it's", `it'\''s`, 1)
	want := `#!/bin/bash
#SBATCH --job-name=tiny
#SBATCH --array=0-3
#SBATCH --output="` + strings.ReplaceAll(plan.Dir, "%", "%%") + `/%A_%a.out"
#SBATCH --open-mode=append
#SBATCH --signal=B:TERM@60
#SBATCH --requeue
#SBATCH --time=2:00:00
#SBATCH --comment="two words"

# A complete shard is not run again, and a stopped one resumes: this script may be
# submitted any number of times.
cd '` + here + `' || exit
exec '/opt/bull ring' sweep '` + filepath.Join(here, "test.yaml") + `' --out '` + quoted + `' --shard auto/4 \
	--workers "${SLURM_CPUS_PER_TASK:-1}" --progress off --outside-model --drop '--node-timeout=2 s'
`
	if got := read(t, plan.Dir, "array.sh"); got != want {
		t.Errorf("array.sh is\n%s\nwant\n%s", got, want)
	}
	for _, want := range []string{"#SBATCH --job-name=tiny-merge\n", "#SBATCH --kill-on-invalid-dep=yes\n", "\nexec '/opt/bull ring' merge '" + quoted + "' --workers ", "--progress off --drop\n"} {
		if got := read(t, plan.Dir, "merge.sh"); !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if got := read(t, plan.Dir, "README"); !strings.Contains(got, "  sbatch --dependency=afterok:") || !strings.Contains(got, "status '"+quoted+"'\n") {
		t.Error(got)
	}
}

func TestJobsAreRefused(t *testing.T) {
	for _, c := range []struct {
		change func(jobs *cluster.Slurm)
		want   string
	}{
		{func(jobs *cluster.Slurm) { jobs.Tasks = 1 }, "1 tasks: an array takes from 2 to 100000"},
		{func(jobs *cluster.Slurm) { jobs.Tasks = sweep.MaxShards + 1 }, "an array takes from 2"},
		{func(jobs *cluster.Slurm) { jobs.Sweep.Dir += "\nb" }, "no line break"},
		{func(jobs *cluster.Slurm) { jobs.Sweep.Dir += `"b` }, "no quote"},
		{func(jobs *cluster.Slurm) { jobs.Program = "a\tb" }, "the program is"},
		{func(jobs *cluster.Slurm) { jobs.Options = []string{"qos"} }, `"qos" of sbatch: it takes one option in its long form`},
		{func(jobs *cluster.Slurm) { jobs.Options = []string{"--arra=0"} }, `"--arra=0" of sbatch: which shards run`},
		{func(jobs *cluster.Slurm) { sweeptest.RunShard(t, jobs.Sweep.Dir, sweeptest.Tiny, 0, 3) }, "shard-0-of-3.journal is one of 3 shards, and here are 4 tasks; give --tasks 3"},
		{func(jobs *cluster.Slurm) {
			sweeptest.RunShard(t, jobs.Sweep.Dir, strings.Replace(sweeptest.Tiny, "replicates: 4", "replicates: 5", 1), 0, 4)
		}, "belongs to another sweep"},
	} {
		jobs := tasksOf(t, filepath.Join(t.TempDir(), "out"))
		c.change(jobs)
		if plan, err := jobs.Write(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v, error %v, want %q", plan, err, c.want)
		}
	}
}

// Only the shards that are left are submitted, and nothing beside a job in the queue.
func TestSubmit(t *testing.T) {
	slurm, dir := sweeptest.FakeSlurm(t), filepath.Join(t.TempDir(), "out")
	jobs := tasksOf(t, dir)
	array, merge := filepath.Join(dir, "slurm", "array.sh"), filepath.Join(dir, "slurm", "merge.sh")
	submitted := func(left string, want cluster.Jobs, asked string) {
		t.Helper()
		plan := planned(t, jobs)
		got, err := plan.Submit(t.Context())
		if err != nil || plan.Array != left || *got != want {
			t.Fatalf("array %q, %+v, %v", plan.Array, got, err)
		}
		if got := slurm.Asked(t); got != asked {
			t.Errorf("asked was\n%swant\n%s", got, asked)
		}
	}
	submitted("0-3", cluster.Jobs{Array: "101", Merge: "102"}, "sbatch --parsable "+array+"\nsbatch --parsable --dependency=afterok:101 "+merge+"\n")

	slurm.Put(t, "queue", "101 R\n")
	if _, err := planned(t, jobs).Submit(t.Context()); err == nil || err.Error() != "job 101, submitted before, is in the queue: wait for it, or end it (scancel 101)" {
		t.Error(err)
	}
	slurm.Put(t, "queue", "")
	slurm.Asked(t)

	const queue = "squeue --noheader --jobs="
	for _, i := range []int{0, 1, 3} {
		sweeptest.RunShard(t, dir, sweeptest.Tiny, i, 4)
	}
	submitted("2", cluster.Jobs{Array: "103", Merge: "104"}, queue+"101\n"+queue+"102\nsbatch --parsable "+array+"\nsbatch --parsable --dependency=afterok:103 "+merge+"\n")

	sweeptest.RunShard(t, dir, sweeptest.Tiny, 2, 4)
	submitted("", cluster.Jobs{Merge: "105"}, queue+"103\n"+queue+"104\nsbatch --parsable "+merge+"\n")
	if _, err := os.Stat(array); !os.IsNotExist(err) {
		t.Errorf("the script of an array without tasks stays: %v", err)
	}

	joined, err := (&sweep.Join{Registry: jobs.Sweep.Registry, Paths: []string{dir}}).Sweep()
	if err != nil {
		t.Fatal(err)
	}
	sweeptest.Run(t, joined)
	if plan := planned(t, jobs); !plan.Merged {
		t.Errorf("%+v", plan)
	}
}

func TestSubmitFails(t *testing.T) {
	slurm := sweeptest.FakeSlurm(t)
	if most := cluster.MaxArray(t.Context()); most != 1001 {
		t.Errorf("the largest array is %d", most)
	}
	plan := planned(t, tasksOf(t, filepath.Join(t.TempDir(), "out")))
	fails := func(array, want string) {
		t.Helper()
		jobs, err := plan.Submit(t.Context())
		if err == nil || !strings.Contains(err.Error(), want) || (jobs == nil) != (array == "") || jobs != nil && (jobs.Array != array || jobs.Merge != "") {
			t.Errorf("%+v, error %v, want %q", jobs, err, want)
		}
	}
	slurm.Put(t, "refuse", "array=")
	fails("", "sbatch: exit status 1: sbatch: error: invalid partition specified")
	slurm.Put(t, "refuse", "-merge")
	fails("101", "the array is job 101, and the job that joins its shards was not taken: sbatch: exit status 1")
	slurm.Put(t, "answer", "Submitted")
	fails("", `sbatch answers "Submitted", which is no number of a job`)

	noted := filepath.Join(plan.Dir, "jobs")
	if err := os.WriteFile(noted, []byte("-x\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	fails("", noted+` says "-x", which is no number of a job: remove that file`)

	if err := os.WriteFile(noted, []byte("101\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", "")
	fails("", "squeue is not found: this machine cannot submit jobs to Slurm")
	if err := os.Remove(noted); err != nil {
		t.Fatal(err)
	}
	_, err := plan.Submit(t.Context())
	if missing, ok := errors.AsType[*cluster.MissingError](err); !ok || missing.Program != "sbatch" {
		t.Error(err)
	}
	if most := cluster.MaxArray(t.Context()); most != 0 {
		t.Errorf("without Slurm, the largest array is %d", most)
	}
}
