//go:build unix

package cli

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"bullring/experiments/campaign/results"
	"bullring/experiments/catalog"
)

// clusterFiles are what docs/cluster.md tells to use.
const clusterFiles = "../../docs/cluster"

// clusterFile is the absolute path of one of them.
func clusterFile(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join(clusterFiles, name))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// program puts a bullring into the PATH of commands.
func program(t *testing.T) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(self, filepath.Join(dir, "bullring")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// command runs another program. The bullring in its PATH is this one.
func command(t *testing.T, environment []string, name string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Env = append(append(os.Environ(), asProgram+"=1"), environment...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
}

// sameTables compares results with those of one machine, in the folder one.
func sameTables(t *testing.T, dir string) {
	t.Helper()
	for _, name := range []string{results.ResultsFile, results.SummaryFile, results.GrowthFile, results.SpecFile} {
		if !bytes.Equal(read(t, filepath.Join(dir, name)), read(t, filepath.Join("one", name))) {
			t.Errorf("%s is another than that of one machine", name)
		}
	}
}

func TestClusterScripts(t *testing.T) {
	loop, parallel := clusterFile(t, "loop.sh"), clusterFile(t, "parallel.sh")
	inDir(t, sampleSpec(catalog.New()))
	program(t)
	bullring(t, "sweep", "demo.yaml", "-o", "one", "--no-plot")
	command(t, nil, "bash", loop, "demo.yaml", "a loop", "3")
	sameTables(t, "a loop")
	command(t, nil, "bash", loop, "demo.yaml", "a loop", "3") // again

	// moreutils has another program of that name.
	if text, err := exec.Command("parallel", "--version").Output(); err != nil || !bytes.HasPrefix(text, []byte("GNU parallel")) {
		t.Skip("GNU parallel is not installed")
	}
	command(t, nil, "bash", parallel, "demo.yaml", "in parallel", "3", "--jobs", "2")
	sameTables(t, "in parallel")
}

// job is what counts of a Job of Kubernetes.
type job struct {
	Kind string
	Spec struct {
		CompletionMode string `yaml:"completionMode"`
		Completions    int
		Template       struct {
			Spec struct {
				Containers     []container
				InitContainers []container `yaml:"initContainers"`
			}
		}
	}
}

type container struct {
	Command      []string
	VolumeMounts []struct {
		MountPath string `yaml:"mountPath"`
	} `yaml:"volumeMounts"`
}

func TestClusterJob(t *testing.T) {
	decoder := yaml.NewDecoder(bytes.NewReader(read(t, clusterFile(t, "job.yaml"))))
	var jobs []job
	for {
		var j job
		err := decoder.Decode(&j)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		jobs = append(jobs, j)
	}
	if len(jobs) != 2 || jobs[0].Kind != "Job" || jobs[0].Spec.CompletionMode != "Indexed" || jobs[0].Spec.Completions < 2 {
		t.Fatalf("%+v", jobs)
	}
	inDir(t, sampleSpec(catalog.New()))
	program(t)
	bullring(t, "sweep", "demo.yaml", "-o", "one", "--no-plot")

	// in is the command of a container, with its volume here.
	in := func(c container) []string {
		if len(c.VolumeMounts) != 1 || c.VolumeMounts[0].MountPath != "/data" {
			t.Fatalf("the volume is mounted at %v", c.VolumeMounts)
		}
		var args []string
		for _, word := range c.Command {
			args = append(args, strings.ReplaceAll(word, "/data/", "./"))
		}
		return args
	}
	shard := in(jobs[0].Spec.Template.Spec.Containers[0])
	of := jobs[0].Spec.Completions
	if !strings.Contains(strings.Join(shard, " "), "--shard auto/"+strconv.Itoa(of)+" ") {
		t.Errorf("%d completions of %q", of, shard)
	}
	for i := range of {
		command(t, []string{"JOB_COMPLETION_INDEX=" + strconv.Itoa(i)}, shard[0], shard[1:]...)
	}
	wait := in(jobs[1].Spec.Template.Spec.InitContainers[0])
	command(t, nil, wait[0], wait[1:]...)
	merge := in(jobs[1].Spec.Template.Spec.Containers[0])
	command(t, nil, merge[0], merge[1:]...)
	sameTables(t, "demo")
}
