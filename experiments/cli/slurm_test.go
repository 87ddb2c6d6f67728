//go:build unix

package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"bullring/experiments/campaign/results"
	"bullring/experiments/catalog"
	"bullring/experiments/internal/sweeptest"
)

// taskOf runs a script as a task of Slurm.
func taskOf(t *testing.T, script, id string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "bash", script)
	cmd.Dir = "/"
	cmd.Env = append(os.Environ(), asProgram+"=1", "SLURM_ARRAY_TASK_ID="+id, "SLURM_ARRAY_TASK_COUNT=1", "SLURM_CPUS_PER_TASK=2")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s as task %s: %v\n%s", script, id, err, out)
	}
}

// The scripts run this program, and their tables are those of one machine.
func TestSlurm(t *testing.T) {
	slurm := sweeptest.FakeSlurm(t)
	inDir(t, sampleSpec(catalog.New()))
	bullring(t, "sweep", "demo.yaml", "-o", "one", "--no-plot")
	submit := []string{"slurm", "demo.yaml", "--tasks", "2", "-o", "it's 100%", "--time", "2:00:00", "--cpus", "2", "--option=--qos=long", "--submit"}

	got := bullring(t, submit...)
	if got.status != 0 || !strings.Contains(got.out, "2 of 2 to run: --array=0-1\n") || !strings.Contains(got.out, "job 101\n") || !strings.Contains(got.out, "job 102\n") {
		t.Fatalf("status %d, %s%s", got.status, got.out, got.errors)
	}
	if asked := slurm.Asked(t); !strings.HasPrefix(asked, "scontrol show config\nsbatch --parsable ") {
		t.Errorf("asked was %s", asked)
	}
	dir, err := filepath.Abs("it's 100%")
	if err != nil {
		t.Fatal(err)
	}
	array, merge := filepath.Join(dir, "slurm", "array.sh"), filepath.Join(dir, "slurm", "merge.sh")
	if text := string(read(t, array)); !strings.Contains(text, "#SBATCH --time=2:00:00\n#SBATCH --cpus-per-task=2\n#SBATCH --qos=long\n") {
		t.Error(text)
	}

	taskOf(t, array, "0")
	if got := bullring(t, "status", dir); got.status != statusMissing || !strings.Contains(got.out, "1 of 2 complete, 1 missing") || !strings.Contains(got.out, "--array=1\n") {
		t.Errorf("status %d, %s%s", got.status, got.out, got.errors)
	}
	taskOf(t, array, "1")
	if got := bullring(t, submit...); got.status != 0 || !strings.Contains(got.out, "all 2 are complete") {
		t.Errorf("status %d, %s%s", got.status, got.out, got.errors)
	}
	taskOf(t, merge, "")
	for _, name := range []string{results.ResultsFile, results.SummaryFile, results.GrowthFile, results.SpecFile} {
		if string(read(t, filepath.Join(dir, name))) != string(read(t, filepath.Join("one", name))) {
			t.Errorf("%s is another than that of one machine", name)
		}
	}
	slurm.Asked(t)
	if got := bullring(t, submit...); got.status != 0 || !strings.Contains(got.out, "nothing to submit") || strings.Contains(slurm.Asked(t), "sbatch") {
		t.Errorf("status %d, %s%s", got.status, got.out, got.errors)
	}
	if got := bullring(t, "status", "one", dir, "--json"); got.status != 0 || strings.Count(got.out, `"complete": true`) != 2 {
		t.Errorf("status %d, %s%s", got.status, got.out, got.errors)
	}
}

func TestSlurmIsNotSubmitted(t *testing.T) {
	inDir(t, sampleSpec(catalog.New()))
	t.Setenv("PATH", "")
	got := bullring(t, "slurm", "demo.yaml", "--tasks", "8", "-o", "a")
	if got.status != 0 || !strings.Contains(got.out, "  job=$(sbatch --parsable ") || !strings.Contains(got.out, "  sbatch --dependency=afterok:${job%%;*} ") {
		t.Errorf("status %d, %s%s", got.status, got.out, got.errors)
	}
	if got := bullring(t, "slurm", "demo.yaml", "--tasks", "8", "-o", "a", "--submit"); got.status != statusFailed || !strings.Contains(got.errors, "sbatch is not found") {
		t.Errorf("status %d, %s", got.status, got.errors)
	}
}

func TestSlurmFailures(t *testing.T) {
	slurm := sweeptest.FakeSlurm(t)
	inDir(t, sampleSpec(catalog.New()))
	slurm.Put(t, "refuse", "array=")
	for _, c := range []struct {
		args   string
		status int
		error  string
	}{
		{"--tasks 1", statusUsage, "it takes a whole number from 2 to 100000"},
		{"-o a", statusUsage, "slurm needs --tasks"},
		{"--tasks 1002", statusUsage, "it takes a whole number from 2 to 1001"},
		{"--tasks 8 --option=qos", statusUsage, `"qos" of sbatch: it takes one option in its long form`},
		{"--tasks 8 --time 1\nrm", statusUsage, "it takes one option"},
		{"--tasks 8 --submit", statusFailed, "sbatch: exit status 1: sbatch: error: invalid partition specified"},
	} {
		got := bullring(t, append([]string{"slurm", "demo.yaml"}, strings.Split(c.args, " ")...)...)
		if got.status != c.status || !strings.Contains(got.errors, c.error) {
			t.Errorf("%s: status %d, %q; want %d, %q", c.args, got.status, got.errors, c.status, c.error)
		}
	}
	if err := os.WriteFile("demo.yaml", []byte(strings.Replace(sampleSpec(catalog.New()), "lcr", "lrc", 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := bullring(t, "slurm", "demo.yaml", "--tasks", "3", "-o", "parts"); got.status != statusUsage || !strings.Contains(got.errors, `unknown algorithm "lrc"`) {
		t.Errorf("status %d, %q", got.status, got.errors)
	}
}

// A shard that is complete ends well whatever its checks say: an engine would run it
// again for ever. The merge judges.
func TestShardsAreJudgedTogether(t *testing.T) {
	inDir(t, "name: demo\nreplicates: 2\nalgorithms: [silent]\naxes: {n: [3, 4]}\n")
	for _, shard := range []string{"0/2", "1/2"} {
		if got := perform(t.Context(), ownRegistry(), "sweep", "demo.yaml", "-o", "parts", "--shard", shard); got.status != 0 || !strings.Contains(got.out, "violated 2") {
			t.Errorf("status %d, %s%s", got.status, got.out, got.errors)
		}
	}
	if got := perform(t.Context(), ownRegistry(), "merge", "parts"); got.status != statusFailed || !strings.Contains(got.errors, "in 4 trials a check is violated") {
		t.Errorf("status %d, %s", got.status, got.errors)
	}
}
