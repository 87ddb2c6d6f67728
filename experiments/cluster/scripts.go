package cluster

import (
	"text/template"

	"bullring/experiments/sweep"
)

// job is what scripts are made of; paths are quoted for a shell, but for Output.
type job struct {
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

var readmeText = template.Must(template.New(readmeFile).Parse(`To submit what was left to run of the sweep {{.Name}} when this was written:

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
