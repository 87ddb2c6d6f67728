package sweep

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/jonboulle/clockwork"

	"bullring/experiments/trial"
)

// Join joins complete shards into the folder that a single machine would have written.
type Join struct {
	Registry *trial.Registry
	Paths    []string // journals of shards, and folders with journals
	Dir      string   // for the results; "" is the folder of the first shard
	Drop     bool     // trials of an earlier version in Dir that this version does not have are lost

	Workers  int
	Progress func(Progress)
	Log      *slog.Logger
	Clock    clockwork.Clock
}

// MissingError says that shards are missing, or not complete.
type MissingError struct {
	Of      int
	Missing []int    // indices
	Reasons []string // for shards that exist and are not complete
}

func (e *MissingError) Error() string {
	list := Ranges(e.Missing)
	text := fmt.Sprintf("%d of %d shards are missing: --array=%s", len(e.Missing), e.Of, list)
	if len(e.Reasons) > 0 {
		text += "\n" + strings.Join(e.Reasons, "\n")
	}
	return text
}

// Sweep returns a sweep whose Run takes all trials from the shards. Missing shards are a
// [*MissingError]. A shard that is there twice, or belongs to another sweep, is an error
// that names the files.
func (j *Join) Sweep() (*Sweep, error) {
	shards, err := readShards(j.Paths)
	if err != nil {
		return nil, err
	}
	last := lastAttempt(j.Registry, shards)
	s, err := attemptSweep(j.Registry, last)
	if err != nil {
		return nil, err
	}
	s.Dir, s.Drop, s.Workers, s.Progress, s.Log, s.Clock = j.Dir, j.Drop, j.Workers, j.Progress, j.Log, j.Clock
	if s.Dir == "" {
		s.Dir = filepath.Dir(shards[0].path)
	}
	s.join, err = allOf(s, shards, s.attempt(last.Header, last.Start))
	return s, err
}

// lastAttempt returns the latest attempt that has the trials of the first one. Labels and
// figures may have changed between them.
func lastAttempt(r *trial.Registry, shards []*contents) *attempt {
	first := &shards[0].attempts[0]
	last := first
	for _, s := range shards {
		for i := range s.attempts {
			if a := &s.attempts[i]; a.Start.After(last.Start) && trialsOf(r, a) == trialsOf(r, first) {
				last = a
			}
		}
	}
	return last
}

// readShards reads the journals of shards, those in a folder by number.
func readShards(paths []string) ([]*contents, error) {
	var files []string
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			files = append(files, path)
			continue
		}
		found, err := shardFiles(path)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("%s holds no shards: no files named %s", path, Shard{3, 64}.journalFile())
		}
		files = append(files, found...)
	}
	var shards []*contents
	seen := map[string]bool{}
	for _, file := range files {
		if seen[filepath.Clean(file)] {
			continue
		}
		seen[filepath.Clean(file)] = true
		s, err := readJournal(file)
		if err != nil {
			return nil, err
		}
		if len(s.attempts) == 0 {
			if _, named := shardOfFile(filepath.Base(file)); !named {
				return nil, fmt.Errorf("%s is no journal of a shard, nor a folder with such", file)
			}
			return nil, fmt.Errorf("%s is no journal of a sweep, or nothing of its beginning is left: remove it, and run its shard again", file)
		}
		shards = append(shards, s)
	}
	return shards, nil
}

// allOf puts shards in order. It returns an error unless each shard of the attempt's sweep
// is there exactly once, and is complete.
func allOf(sweep *Sweep, shards []*contents, whole attempt) ([]*contents, error) {
	of := shards[0].attempts[0].Shard.count()
	all := make([]*contents, of)
	cells, deal := len(sweep.Spec.Cells()), dealOf(sweep.Spec)
	var wrong []error
	for _, s := range shards {
		self := whole
		self.Shard = s.attempts[0].Shard
		foreign := s.fits(sweep.Registry, self, cells, deal)
		switch index := self.Shard.Index; {
		case self.Shard.count() != of:
			wrong = append(wrong, fmt.Errorf("%s is one of %d shards, and %s one of %d: they are not of one division", s.path, self.Shard.count(), shards[0].path, of))
		case foreign != nil:
			wrong = append(wrong, fmt.Errorf("foreign: %w", foreign))
		case all[index] != nil:
			wrong = append(wrong, fmt.Errorf("doubled: shard %v is in %s and in %s: leave one out", self.Shard, all[index].path, s.path))
		default:
			all[index] = s
		}
	}
	if wrong != nil {
		return nil, errors.Join(wrong...)
	}
	missing := &MissingError{Of: of}
	for i, s := range all {
		if s != nil && s.complete() {
			continue
		}
		missing.Missing = append(missing.Missing, i)
		if s != nil {
			missing.Reasons = append(missing.Reasons, fmt.Sprintf("%s holds %d trials and is not complete", s.path, s.trials))
		}
	}
	if missing.Missing != nil {
		return nil, missing
	}
	return all, nil
}
