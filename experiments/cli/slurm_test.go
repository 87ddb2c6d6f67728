//go:build unix

package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"bullring/experiments/catalog"
	"bullring/experiments/results"
)

// fakeSlurm puts programs of the names of Slurm's into the PATH, which write down what
// they are asked, in the file asked of the directory that is returned. sbatch complains
// of what stands in the file refuse, and squeue prints what stands in queue.
func fakeSlurm(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, script := range map[string]string{
		"sbatch": `
if [ -s refuse ] && grep -q -e "$(cat refuse)" "$last"; then echo "sbatch: error: invalid partition specified" >&2; exit 1; fi
echo x >>jobs
echo "$((100 + $(wc -l <jobs)));cluster"`,
		"squeue":   `cat queue 2>/dev/null`,
		"scontrol": `echo "LaunchParameters = (null)"; echo "MaxArraySize            = 1001"`,
	} {
		text := "#!/bin/sh\nfor last; do :; done\ncd '" + dir + "' || exit\necho " + name + ` "$@" >>asked` + "\n" + script + "\n"
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	return dir
}

// asked is what the programs were asked since the last time.
func asked(t *testing.T, dir string) string {
	t.Helper()
	path := filepath.Join(dir, "asked")
	text := read(t, path)
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	return string(text)
}

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

func TestSlurm(t *testing.T) {
	slurm := fakeSlurm(t)
	inDir(t, sampleSpec(catalog.New()))
	bullring(t, "sweep", "demo.yaml", "-o", "one", "--no-plot")
	submit := []string{"slurm", "demo.yaml", "--tasks", "4", "-o", "it's 100%", "--time", "2:00:00", "--cpus", "2", "--option=--qos=long", "--submit"}

	got := bullring(t, submit...)
	if got.status != 0 || !strings.Contains(got.out, "4 of 4 to run: --array=0-3\n") || !strings.Contains(got.out, "job 101\n") || !strings.Contains(got.out, "job 102\n") {
		t.Fatalf("status %d, %s%s", got.status, got.out, got.errors)
	}
	dir, err := filepath.Abs("it's 100%")
	if err != nil {
		t.Fatal(err)
	}
	array, merge := filepath.Join(dir, "slurm", "array.sh"), filepath.Join(dir, "slurm", "merge.sh")
	if got, want := asked(t, slurm), "scontrol show config\nsbatch --parsable "+array+"\nsbatch --parsable --dependency=afterok:101 "+merge+"\n"; got != want {
		t.Errorf("asked was\n%swant\n%s", got, want)
	}
	for _, want := range []string{
		"#SBATCH --array=0-3\n", "#SBATCH --time=2:00:00\n", "#SBATCH --cpus-per-task=2\n", "#SBATCH --qos=long\n", "#SBATCH --signal=B:TERM@60\n",
		`#SBATCH --output="` + strings.ReplaceAll(dir, "%", "%%") + `/slurm/%A_%a.out"` + "\n",
	} {
		if !strings.Contains(string(read(t, array)), want) {
			t.Errorf("%q is not in\n%s", want, read(t, array))
		}
	}
	if readme := string(read(t, filepath.Join(dir, "slurm", "README"))); !strings.Contains(readme, "  sbatch --dependency=afterok:") {
		t.Error(readme)
	}

	// While a job is in the queue, nothing is submitted beside it.
	if err := os.WriteFile(filepath.Join(slurm, "queue"), []byte("101 R\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := bullring(t, submit...); got.status != statusFailed || !strings.Contains(got.errors, "job 101, submitted before, is in the queue") {
		t.Errorf("status %d, %s", got.status, got.errors)
	}
	if err := os.Remove(filepath.Join(slurm, "queue")); err != nil {
		t.Fatal(err)
	}

	for _, id := range []string{"0", "1", "3"} {
		taskOf(t, array, id)
	}
	if got := bullring(t, "status", dir); got.status != statusMissing || !strings.Contains(got.out, "3 of 4 complete, 1 missing") || !strings.Contains(got.out, "--array=2\n") {
		t.Errorf("status %d, %s%s", got.status, got.out, got.errors)
	}
	asked(t, slurm)
	if got := bullring(t, submit...); got.status != 0 || !strings.Contains(got.out, "1 of 4 to run: --array=2\n") {
		t.Errorf("status %d, %s%s", got.status, got.out, got.errors)
	}
	if !strings.Contains(string(read(t, array)), "#SBATCH --array=2\n") || !strings.Contains(string(read(t, array)), "auto/4") {
		t.Errorf("%s", read(t, array))
	}
	taskOf(t, array, "2")
	asked(t, slurm)
	if got := bullring(t, submit...); got.status != 0 || !strings.Contains(got.out, "all 4 are complete") || strings.Contains(asked(t, slurm), "array.sh") {
		t.Errorf("status %d, %s%s", got.status, got.out, got.errors)
	}
	taskOf(t, merge, "")
	for _, name := range []string{results.ResultsFile, results.SummaryFile, results.GrowthFile, results.SpecFile} {
		if string(read(t, filepath.Join(dir, name))) != string(read(t, filepath.Join("one", name))) {
			t.Errorf("%s is another than that of one machine", name)
		}
	}
	asked(t, slurm)
	if got := bullring(t, submit...); got.status != 0 || !strings.Contains(got.out, "nothing to submit") || strings.Contains(asked(t, slurm), "sbatch") {
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
	slurm := fakeSlurm(t)
	inDir(t, sampleSpec(catalog.New()))
	bullring(t, "sweep", "demo.yaml", "-o", "parts", "--shard", "0/3")
	for _, c := range []struct {
		args   string
		refuse string // a script with that word in it
		status int
		error  string
	}{
		{"--tasks 1", "", statusUsage, "it takes a whole number from 2 to 100000"},
		{"-o a", "", statusUsage, "slurm needs --tasks"},
		{"--tasks 1002", "", statusUsage, "it takes a whole number from 2 to 1001"},
		{"--tasks 8 --option=qos", "", statusUsage, `"qos" of sbatch: it takes one option in its long form`},
		{"--tasks 8 --option=-a0-1", "", statusUsage, `"-a0-1" of sbatch: it takes one option in its long form`},
		{"--tasks 8 --option=--arra=0", "", statusUsage, `"--arra=0" of sbatch: which shards run`},
		{"--tasks 8 --option=--wrap", "", statusUsage, `"--wrap" of sbatch: which shards run`},
		{"--tasks 8 --option=--array=3", "", statusUsage, `"--array=3" of sbatch`},
		{"--tasks 8 --option=--comment=a\nrm", "", statusUsage, `--comment=a\nrm" of sbatch`},
		{"--tasks 8 --time 1\nrm", "", statusUsage, "it takes one option"},
		{"--tasks 8 -o a\nb", "", statusUsage, "no line break"},
		{"--tasks 8 -o a\"b", "", statusUsage, "no quote"},
		{"--tasks 8 -o parts", "", statusUsage, "shard-0-of-3.journal is one of 3 shards, and here are 8 tasks; give --tasks 3"},
		{"--tasks 8 --submit", "array=", statusFailed, "sbatch: exit status 1: sbatch: error: invalid partition specified"},
		{"--tasks 8 --submit", "-merge", statusFailed, "and the job that joins its shards was not taken: sbatch"},
	} {
		t.Run(c.args, func(t *testing.T) {
			if err := os.WriteFile(filepath.Join(slurm, "refuse"), []byte(c.refuse), 0o666); err != nil {
				t.Fatal(err)
			}
			got := bullring(t, append([]string{"slurm", "demo.yaml"}, strings.Split(c.args, " ")...)...)
			if got.status != c.status || !strings.Contains(got.errors, c.error) {
				t.Errorf("status %d, %q; want %d, %q", got.status, got.errors, c.status, c.error)
			}
		})
	}
	for text, want := range map[string]string{
		strings.Replace(sampleSpec(catalog.New()), "lcr", "lrc", 1):                     `unknown algorithm "lrc"`,
		strings.Replace(sampleSpec(catalog.New()), "replicates: 5", "replicates: 6", 1): "belongs to another sweep",
	} {
		if err := os.WriteFile("demo.yaml", []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if got := bullring(t, "slurm", "demo.yaml", "--tasks", "3", "-o", "parts"); got.status != statusUsage || !strings.Contains(got.errors, want) {
			t.Errorf("status %d, %q; want %q", got.status, got.errors, want)
		}
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
