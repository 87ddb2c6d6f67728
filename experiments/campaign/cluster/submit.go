package cluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/sweep"
	"bullring/internal/regular"
	"bullring/internal/wholefile"
)

// Jobs are the numbers of submitted jobs.
type Jobs struct {
	Array string // "" if no shard was left to run
	Merge string
}

// MissingError says that a program of Slurm is not installed.
type MissingError struct{ Program string }

func (e *MissingError) Error() string {
	return e.Program + " is not found: this machine cannot submit jobs to Slurm"
}

// Submit gives the jobs of a plan to sbatch. It refuses while earlier jobs of the folder
// are in the queue: two tasks would work on one shard.
func (p *Plan) Submit(ctx context.Context) (*Jobs, error) {
	c, err := results.OpenClaims(filepath.Dir(p.Dir), nil)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	if err := p.idle(ctx); err != nil {
		return nil, err
	}
	jobs := &Jobs{}
	var after []string
	if p.Array != "" {
		if jobs.Array, err = sbatch(ctx, filepath.Join(p.Dir, ArrayScript)); err != nil {
			return nil, err
		}
		after = []string{"--dependency=afterok:" + jobs.Array}
	}
	// From here on the array is in the queue, whatever happens.
	if err := p.note(jobs); err != nil {
		return jobs, err
	}
	if jobs.Merge, err = sbatch(ctx, append(after, filepath.Join(p.Dir, sweep.MergeScript))...); err != nil {
		if jobs.Array != "" {
			err = fmt.Errorf("the array is job %s, and the job that joins its shards was not taken: %w", jobs.Array, err)
		}
		return jobs, err
	}
	return jobs, p.note(jobs)
}

// note keeps the numbers of jobs for the next submission.
func (p *Plan) note(jobs *Jobs) error {
	var text string
	for _, id := range []string{jobs.Array, jobs.Merge} {
		if id != "" {
			text += id + "\n"
		}
	}
	_, err := wholefile.Write(filepath.Join(p.Dir, jobsFile), []byte(text))
	return err
}

// idle returns an error if a job that was submitted before has not ended.
func (p *Plan) idle(ctx context.Context) error {
	noted, err := regular.Read(filepath.Join(p.Dir, jobsFile), 1<<10)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, id := range strings.Fields(string(noted)) {
		if _, err := strconv.ParseUint(id, 10, 64); err != nil {
			return fmt.Errorf("%s says %q, which is no number of a job: remove that file", filepath.Join(p.Dir, jobsFile), id)
		}
		// squeue refuses the number of a job that Slurm has forgotten: such a job has ended.
		out, err := command(ctx, "squeue", "--noheader", "--jobs="+id)
		if err == nil && strings.TrimSpace(out) != "" {
			return fmt.Errorf("job %s, submitted before, is in the queue: wait for it, or end it (scancel %s)", id, id)
		}
		if _, none := errors.AsType[*MissingError](err); none {
			return err
		}
	}
	return nil
}

// sbatch submits a job and returns its number.
func sbatch(ctx context.Context, args ...string) (string, error) {
	out, err := command(ctx, "sbatch", append([]string{"--parsable"}, args...)...)
	if err != nil {
		return "", err
	}
	id, _, _ := strings.Cut(strings.TrimSpace(out), ";") // the name of the cluster may follow
	if _, err := strconv.ParseUint(id, 10, 64); err != nil {
		return "", fmt.Errorf("sbatch answers %q, which is no number of a job", out)
	}
	return id, nil
}

// MaxArray asks Slurm for the largest array; 0 if Slurm does not answer.
func MaxArray(ctx context.Context) int {
	out, err := command(ctx, "scontrol", "show", "config")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(out) {
		name, value, _ := strings.Cut(line, "=")
		if strings.TrimSpace(name) == "MaxArraySize" {
			size, _ := strconv.Atoi(strings.TrimSpace(value))
			return size
		}
	}
	return 0
}

// command runs a program of Slurm, and returns its output. The error contains what it
// printed to standard error.
func command(ctx context.Context, name string, args ...string) (string, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return "", &MissingError{name}
	}
	cmd := exec.CommandContext(ctx, path, args...)
	var out, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaint
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s: %w: %s", name, err, strings.TrimSpace(complaint.String()))
	}
	return out.String(), nil
}
