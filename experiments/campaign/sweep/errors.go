package sweep

import (
	"fmt"
	"strconv"
	"strings"

	"bullring/experiments/campaign/spec"
	"bullring/experiments/trial"
)

// StoppedError says that a sweep was cancelled.
type StoppedError struct {
	Done, Trials int
	Dir          string
	Cause        error // of the context
}

func (e *StoppedError) Error() string {
	return fmt.Sprintf("stopped after %d of %d trials, which are kept in %s: run the same command again to resume (%v)", e.Done, e.Trials, e.Dir, e.Cause)
}

// Unwrap returns the cause of the cancellation.
func (e *StoppedError) Unwrap() error { return e.Cause }

// RowError says that a trial failed, and how to replay it.
type RowError struct {
	Dir       string
	Row       int // 0 in a shard, which does not know it, and without rows
	Cell      string
	Replicate int
	Seed      uint64
	Instance  *trial.Instance // nil if Cause says why there is none
	Rare      spec.Rare       // what the trial estimates
	Cause     error
}

func (e *RowError) Error() string {
	where := fmt.Sprintf("%s, replicate %d, seed %d", e.Cell, e.Replicate, e.Seed)
	if e.Row == 0 {
		return fmt.Sprintf("%s: %v; the sweep was stopped there", where, e.Cause)
	}
	dir := e.Dir
	if strings.ContainsAny(dir, " \t\"'\\$") {
		dir = strconv.Quote(dir)
	}
	return fmt.Sprintf("row %d (%s): %v; the sweep was stopped there; to see this run: bullring replay %s %d",
		e.Row, where, e.Cause, dir, e.Row)
}

// Unwrap returns what failed.
func (e *RowError) Unwrap() error { return e.Cause }

// WriteError says that a file of the folder could not be written, for example because the
// disk is full. The files that were there stay as they were.
type WriteError struct {
	Journal string // keeps the finished trials
	Gone    bool   // the journal was moved or removed meanwhile
	Cause   error
}

func (e *WriteError) Error() string {
	if e.Gone {
		return fmt.Sprintf("%v; %s keeps the finished trials, and was moved or removed meanwhile: move it back, and run the same command again to resume", e.Cause, e.Journal)
	}
	return fmt.Sprintf("%v; the finished trials are kept in %s: run the same command again to resume", e.Cause, e.Journal)
}

// Unwrap returns the error of the file system.
func (e *WriteError) Unwrap() error { return e.Cause }
