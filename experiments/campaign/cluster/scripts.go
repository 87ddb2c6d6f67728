package cluster

import (
	"strconv"
	"strings"
)

// job holds the fields of the scripts. Paths are quoted for a shell, except Output.
type job struct {
	Name, Array          string
	Tasks                int
	Options              []string
	Output               string
	Program, Spec, Dir   string
	Here                 string // the working directory: a sweep may name files relative to it
	Flags, MergeFlags    string // of the commands sweep and merge, each with a space before it
	ArrayFile, MergeFile string
}

// text fills the fields into a script.
func (j *job) text(script string) string {
	options, submit := "", "  sbatch {MergeFile}\n"
	for _, o := range j.Options {
		options += "#SBATCH " + o + "\n"
	}
	if j.Array != "" {
		submit = "  job=$(sbatch --parsable {ArrayFile})\n  sbatch --dependency=afterok:\"${job%%;*}\" {MergeFile}\n"
	}
	return strings.NewReplacer("{Name}", j.Name, "{Array}", j.Array, "{Tasks}", strconv.Itoa(j.Tasks), "{Options}", options,
		"{Output}", j.Output, "{Program}", j.Program, "{Spec}", j.Spec, "{Dir}", j.Dir, "{Here}", j.Here, "{Flags}", j.Flags, "{MergeFlags}", j.MergeFlags,
		"{ArrayFile}", j.ArrayFile, "{MergeFile}", j.MergeFile).Replace(strings.ReplaceAll(script, "{Submit}", submit))
}

// The program replaces the shell with exec: Slurm sends the shell a signal a minute before
// the time is up, and the program must receive it. The number of shards is written out,
// because Slurm's own count is that of the last submission.
const arrayScript = `#!/bin/bash
#SBATCH --job-name={Name}
#SBATCH --array={Array}
#SBATCH --output="{Output}/%A_%a.out"
#SBATCH --open-mode=append
#SBATCH --signal=B:TERM@60
#SBATCH --requeue
{Options}
# A complete shard is not run again, and a stopped one resumes: this script may be
# submitted any number of times.
cd {Here} || exit
exec {Program} sweep {Spec} --out {Dir} --shard auto/{Tasks} \
	--workers "${SLURM_CPUS_PER_TASK:-1}" --progress off{Flags}
`

const mergeScript = `#!/bin/bash
#SBATCH --job-name={Name}-merge
#SBATCH --output="{Output}/merge-%j.out"
#SBATCH --open-mode=append
#SBATCH --kill-on-invalid-dep=yes
#SBATCH --requeue
{Options}
cd {Here} || exit
exec {Program} merge {Dir} --workers "${SLURM_CPUS_PER_TASK:-1}" --progress off{MergeFlags}
`

const readmeText = `To submit the rest of the sweep {Name}, as of the time of writing:

{Submit}
To watch it:

  squeue --me
  {Program} status {Dir}

If a task fails, Slurm cancels the merge job. Run the same bullring slurm again: it
writes scripts for the missing shards.
`
