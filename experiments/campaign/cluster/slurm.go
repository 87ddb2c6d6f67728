package cluster

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/sweep"
	"bullring/internal/pattern"
	"bullring/internal/wholefile"
)

// The files for Slurm, in the folder of the results.
const (
	ArrayScript = "array.sh"
	readmeFile  = "README"
	jobsFile    = "jobs"
)

// Slurm submits a sweep as two jobs: an array in which each task runs a shard, and a job
// that joins the shards when all have succeeded.
type Slurm struct {
	Sweep   *sweep.Sweep // Shard is ignored
	Program string       // runs the shards; every node must see it under this path
	Tasks   int          // number of shards, at least 2
	Options []string     // of sbatch, for both jobs, in long form and unquoted: --time=2:00:00
	Flags   []string     // more flags of the command sweep, for the tasks; unquoted

	options         []string // as the scripts have them
	dir, spec, here string   // absolute
	missing         []int
}

// Plan is what there is to submit.
type Plan struct {
	Name   string
	Merged bool   // all shards have run and are joined: there is nothing to submit
	Array  string // shards to run, as Slurm takes them; "" if all are complete
	Shards int    // number of shards to run
	Tasks  int
	Dir    string // of the scripts; absolute
}

// Write writes the scripts for the remaining shards into the folder of the results, as
// slurm/array.sh and slurm/merge.sh. It checks the sweep first, and refuses a folder with
// another sweep or another number of shards.
func (s *Slurm) Write() (*Plan, error) {
	if s.Tasks < 2 || s.Tasks > sweep.MaxShards {
		return nil, fmt.Errorf("%d tasks: an array takes from 2 to %d", s.Tasks, sweep.MaxShards)
	}
	if err := s.locate(); err != nil {
		return nil, err
	}
	for _, o := range s.Options {
		quoted, err := quoteOption(o)
		if err != nil {
			return nil, err
		}
		s.options = append(s.options, quoted)
	}
	missing, merged, err := s.Sweep.MissingShards(s.Tasks)
	s.missing = missing
	if err != nil {
		return nil, err
	}
	plan := &Plan{
		Name: s.Sweep.Spec.Name, Merged: merged, Array: sweep.Ranges(s.missing), Shards: len(s.missing), Tasks: s.Tasks,
		Dir: filepath.Join(s.dir, sweep.ScriptsDir),
	}
	if merged {
		return plan, nil
	}
	return plan, s.write(plan)
}

// locate makes paths absolute, since a task may start in any directory.
func (s *Slurm) locate() error {
	for _, p := range []struct {
		to         *string
		path, what string
	}{{&s.dir, s.Sweep.Dir, "the folder for the results"}, {&s.spec, s.Sweep.File, "the sweep"}, {&s.Program, s.Program, "the program"}, {&s.here, "", "this directory"}} {
		path, err := filepath.Abs(p.path)
		if err != nil {
			return err
		}
		if strings.ContainsFunc(path, unicode.IsControl) {
			return fmt.Errorf("%s is %q: no line break and no other control character can stand in a script", p.what, path)
		}
		*p.to = path
	}
	if strings.ContainsAny(s.dir, `"\`) {
		return fmt.Errorf("the folder for the results is %q: sbatch takes no quote and no backslash in the name of a job's output", s.dir)
	}
	return nil
}

// sbatchOption is one option of sbatch in its long form: others could be several. sbatch
// takes the beginning of a name for the name.
var sbatchOption = pattern.Of(`^--([a-z][a-z0-9-]*)(?:=(.*))?$`)

// scripted are options of sbatch that would change which shards run or when they are
// joined, or would submit no job.
var scripted = []string{"array", "dependency", "wrap", "wait", "test-only", "help", "usage", "version"}

// quoteOption quotes an option for a script. It refuses text that is not a single option,
// and options that the scripts set.
func quoteOption(option string) (string, error) {
	given := sbatchOption().FindStringSubmatch(option)
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

// write writes the scripts. It removes the script of an array that has nothing to run.
func (s *Slurm) write(plan *Plan) error {
	c, err := results.OpenClaims(s.Sweep.Dir, nil)
	if err != nil {
		return err
	}
	defer c.Close()
	if _, err := c.Take([]string{sweep.ScriptsDir + "/" + ArrayScript, sweep.ScriptsDir + "/" + sweep.MergeScript, sweep.ScriptsDir + "/" + readmeFile, sweep.ScriptsDir + "/" + jobsFile}); err != nil {
		return err
	}
	if err := os.MkdirAll(plan.Dir, 0o755); err != nil {
		return err
	}
	flags := ""
	if s.Sweep.OutsideModel {
		flags = " --outside-model"
	}
	ofMerge := ""
	if s.Sweep.Drop {
		flags, ofMerge = flags+" --drop", " --drop"
	}
	for _, f := range s.Flags {
		flags += " " + results.QuoteShell(f)
	}
	fields := job{
		Name: plan.Name, Array: plan.Array, Tasks: s.Tasks, Options: s.options, Output: strings.ReplaceAll(plan.Dir, "%", "%%"),
		Program: results.QuoteShell(s.Program), Spec: results.QuoteShell(s.spec), Dir: results.QuoteShell(s.dir), Here: results.QuoteShell(s.here), Flags: flags, MergeFlags: ofMerge,
		ArrayFile: results.QuoteShell(filepath.Join(plan.Dir, ArrayScript)), MergeFile: results.QuoteShell(filepath.Join(plan.Dir, sweep.MergeScript)),
	}
	for name, text := range map[string]string{ArrayScript: arrayScript, sweep.MergeScript: mergeScript, readmeFile: readmeText} {
		path := filepath.Join(plan.Dir, name)
		if name == ArrayScript && plan.Array == "" {
			if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			continue
		}
		if _, err := wholefile.Write(path, []byte(fields.text(text))); err != nil {
			return err
		}
	}
	return nil
}
