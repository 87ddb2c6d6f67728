package cluster

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/template"
	"unicode"

	"bullring/experiments/results"
	"bullring/experiments/sweep"
	"bullring/internal/wholefile"
)

// The files for Slurm, in the folder of the results.
const (
	ArrayScript = "array.sh"
	readmeFile  = "README"
	jobsFile    = "jobs"
)

// Slurm is a sweep as two jobs of Slurm: an array, of which each task runs a shard,
// and a job that joins them when all have ended well.
type Slurm struct {
	Sweep   *sweep.Sweep // of which Shard does not count
	Program string       // that runs the shards; every node sees it under this name
	Tasks   int          // how many shards there are, at least 2
	Options []string     // of sbatch for both jobs, in their long form, unquoted: --time=2:00:00

	options         []string // as they stand in a script
	dir, spec, here string   // absolute
	missing         []int
}

// SlurmPlan is what there is to submit.
type SlurmPlan struct {
	Name   string
	Merged bool   // all has been run and joined: there is nothing to submit
	Array  string // shards to run, as Slurm takes them; "" if all are complete
	Shards int    // of Tasks, to run
	Tasks  int
	Dir    string // with the scripts, absolute
}

// Write writes the scripts for what is left to run into the folder of the results,
// as slurm/array.sh and slurm/merge.sh. Whatever is wrong with the sweep is found
// before, as is a folder that holds another sweep, or another division of this one.
func (j *Slurm) Write() (*SlurmPlan, error) {
	if j.Tasks < 2 || j.Tasks > sweep.MaxShards {
		return nil, fmt.Errorf("%d tasks: an array takes from 2 to %d", j.Tasks, sweep.MaxShards)
	}
	if err := j.locate(); err != nil {
		return nil, err
	}
	for _, o := range j.Options {
		quoted, err := slurmOption(o)
		if err != nil {
			return nil, err
		}
		j.options = append(j.options, quoted)
	}
	missing, merged, err := j.Sweep.MissingShards(j.Tasks)
	j.missing = missing
	if err != nil {
		return nil, err
	}
	plan := &SlurmPlan{
		Name: j.Sweep.Spec.Name, Merged: merged, Array: sweep.Ranges(j.missing), Shards: len(j.missing), Tasks: j.Tasks,
		Dir: filepath.Join(j.dir, sweep.ScriptsDir),
	}
	if merged {
		return plan, nil
	}
	return plan, j.write(plan)
}

// locate makes paths absolute: nobody knows where a task starts.
func (j *Slurm) locate() error {
	for _, p := range []struct {
		to         *string
		path, what string
	}{{&j.dir, j.Sweep.Dir, "the folder for the results"}, {&j.spec, j.Sweep.File, "the sweep"}, {&j.Program, j.Program, "the program"}, {&j.here, "", "this directory"}} {
		path, err := filepath.Abs(p.path)
		if err != nil {
			return err
		}
		if strings.ContainsFunc(path, unicode.IsControl) {
			return fmt.Errorf("%s is %q: no line break and no other control character can stand in a script", p.what, path)
		}
		*p.to = path
	}
	if strings.ContainsAny(j.dir, `"\`) {
		return fmt.Errorf("the folder for the results is %q: sbatch takes no quote and no backslash in the name of a job's output", j.dir)
	}
	return nil
}

// sbatchOption is one option of sbatch in its long form: others could be several. sbatch
// takes the beginning of a name for the name.
var sbatchOption = regexp.MustCompile(`^--([a-z][a-z0-9-]*)(?:=(.*))?$`)

// scripted are the options of sbatch that decide which shards run and when they are
// joined, or whether a job is submitted at all.
var scripted = []string{"array", "dependency", "wrap", "wait", "test-only", "help", "usage", "version"}

// slurmOption quotes an option for a script. It refuses what would not be one option
// there, and what would undo what the scripts rely on.
func slurmOption(option string) (string, error) {
	given := sbatchOption.FindStringSubmatch(option)
	if given == nil || strings.ContainsFunc(option, unicode.IsControl) || strings.ContainsAny(option, `"\`) || strings.Contains(option, " -") {
		return "", fmt.Errorf("the option %q of sbatch: it takes one option in its long form, without quotes and backslashes, such as --qos=long", option)
	}
	name, value := given[1], given[2]
	if slices.ContainsFunc(scripted, func(s string) bool { return strings.HasPrefix(s, name) }) {
		return "", fmt.Errorf("the option %q of sbatch: which shards run, and when they are joined, is in the scripts; an option takes its whole name", option)
	}
	if strings.ContainsAny(value, " #'") { // a space ends a value, and # begins a comment
		return "--" + name + `="` + value + `"`, nil
	}
	return option, nil
}

// write writes the scripts. One of an array that has nothing to run goes.
func (j *Slurm) write(plan *SlurmPlan) error {
	c, err := results.OpenClaims(j.Sweep.Dir, nil)
	if err != nil {
		return err
	}
	defer c.Close()
	if err := c.Take([]string{sweep.ScriptsDir + "/" + ArrayScript, sweep.ScriptsDir + "/" + sweep.MergeScript, sweep.ScriptsDir + "/" + readmeFile, sweep.ScriptsDir + "/" + jobsFile}); err != nil {
		return err
	}
	if err := os.MkdirAll(plan.Dir, 0o755); err != nil {
		return err
	}
	job := slurmJob{
		Name: plan.Name, Array: plan.Array, Tasks: j.Tasks, Options: j.options, Output: strings.ReplaceAll(plan.Dir, "%", "%%"),
		Program: results.QuoteShell(j.Program), Spec: results.QuoteShell(j.spec), Dir: results.QuoteShell(j.dir), Here: results.QuoteShell(j.here), Outside: j.Sweep.OutsideModel,
		ArrayFile: results.QuoteShell(filepath.Join(plan.Dir, ArrayScript)), MergeFile: results.QuoteShell(filepath.Join(plan.Dir, sweep.MergeScript)),
	}
	for name, text := range map[string]*template.Template{ArrayScript: arrayScript, sweep.MergeScript: mergeScript, readmeFile: slurmReadmeText} {
		path := filepath.Join(plan.Dir, name)
		if name == ArrayScript && plan.Array == "" {
			if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			continue
		}
		var out bytes.Buffer
		if err := text.Execute(&out, job); err != nil {
			return err
		}
		if _, err := wholefile.Write(path, out.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// slurmJob is what scripts are made of; paths are quoted for a shell, but for Output.
type slurmJob struct {
	Name, Array          string
	Tasks                int
	Options              []string
	Output               string
	Program, Spec, Dir   string
	Here                 string // a sweep may name files as they are seen from here
	Outside              bool
	ArrayFile, MergeFile string
}

// The program takes the place of the shell: the signal that Slurm sends to the shell
// a minute before the time is up is for it. How many shards there are is written
// out, for Slurm's own count is that of the tasks that were submitted last.
var arrayScript = template.Must(template.New(ArrayScript).Parse(`#!/bin/bash
#SBATCH --job-name={{.Name}}
#SBATCH --array={{.Array}}
#SBATCH --output="{{.Output}}/%A_%a.out"
#SBATCH --open-mode=append
#SBATCH --signal=B:TERM@60
#SBATCH --requeue
{{range .Options}}#SBATCH {{.}}
{{end}}
# A shard that is complete is not run again, and one that was stopped goes on: this
# may be submitted any number of times.
cd {{.Here}} || exit
exec {{.Program}} sweep {{.Spec}} --out {{.Dir}} --shard auto/{{.Tasks}} \
	--workers "${SLURM_CPUS_PER_TASK:-1}" --progress off{{if .Outside}} --outside-model{{end}}
`))

var mergeScript = template.Must(template.New(sweep.MergeScript).Parse(`#!/bin/bash
#SBATCH --job-name={{.Name}}-merge
#SBATCH --output="{{.Output}}/merge-%j.out"
#SBATCH --open-mode=append
#SBATCH --kill-on-invalid-dep=yes
#SBATCH --requeue
{{range .Options}}#SBATCH {{.}}
{{end}}
cd {{.Here}} || exit
exec {{.Program}} merge {{.Dir}} --workers "${SLURM_CPUS_PER_TASK:-1}" --progress off
`))

var slurmReadmeText = template.Must(template.New(readmeFile).Parse(`To submit what was left to run of the sweep {{.Name}} when this was written:

{{if .Array}}  job=$(sbatch --parsable {{.ArrayFile}})
  sbatch --dependency=afterok:"${job%%;*}" {{.MergeFile}}
{{else}}  sbatch {{.MergeFile}}
{{end}}
To watch it:

  squeue --me
  {{.Program}} status {{.Dir}}

When a task failed, the merge job is cancelled. The same bullring slurm again writes
scripts for the shards that are still missing.
`))
