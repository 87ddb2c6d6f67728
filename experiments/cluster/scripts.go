package cluster

import (
	"text/template"

	"bullring/experiments/sweep"
)

// job holds the fields of the scripts. Paths are quoted for a shell, except Output.
type job struct {
	Name, Array          string
	Tasks                int
	Options              []string
	Output               string
	Program, Spec, Dir   string
	Here                 string // the working directory: a sweep may name files relative to it
	Outside              bool
	ArrayFile, MergeFile string
}

// The program replaces the shell with exec: Slurm sends the shell a signal a minute before
// the time is up, and the program must receive it. The number of shards is written out,
// because Slurm's own count is that of the last submission.
var arrayScript = template.Must(template.New(ArrayScript).Parse(`#!/bin/bash
#SBATCH --job-name={{.Name}}
#SBATCH --array={{.Array}}
#SBATCH --output="{{.Output}}/%A_%a.out"
#SBATCH --open-mode=append
#SBATCH --signal=B:TERM@60
#SBATCH --requeue
{{range .Options}}#SBATCH {{.}}
{{end}}
# A complete shard is not run again, and a stopped one resumes: this script may be
# submitted any number of times.
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

var readmeText = template.Must(template.New(readmeFile).Parse(`To submit the rest of the sweep {{.Name}}, as of the time of writing:

{{if .Array}}  job=$(sbatch --parsable {{.ArrayFile}})
  sbatch --dependency=afterok:"${job%%;*}" {{.MergeFile}}
{{else}}  sbatch {{.MergeFile}}
{{end}}
To watch it:

  squeue --me
  {{.Program}} status {{.Dir}}

If a task fails, Slurm cancels the merge job. Run the same bullring slurm again: it
writes scripts for the missing shards.
`))
