package search

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"bullring/experiments/trial"
	"bullring/internal/regular"
	"bullring/internal/wholefile"
	"bullring/netem"
	"bullring/netem/explore"
)

// Case is a run that is kept in a file with its result, for example as a regression test.
type Case struct {
	Note        string        `json:"note,omitempty"`
	Setting     trial.Setting `json:"setting"`
	Failure     Failure       `json:"failure,omitempty"` // "" if the run does not fail
	Outcome     string        `json:"outcome"`
	Fingerprint string        `json:"fingerprint"`
	Epoch       int           `json:"epoch"`
}

// NewCase returns the case of a run.
func NewCase(r *trial.Result, failure Failure, note string) Case {
	return Case{
		Note: note, Setting: r.Instance.Setting, Failure: failure, Outcome: string(r.Outcome),
		Fingerprint: fmt.Sprintf("%016x", r.Fingerprint), Epoch: netem.Epoch,
	}
}

// Case returns the case of a counterexample, given the result of [Exploration.Play]. If the
// run never ends, the note says how many steps repeat.
func (e *Exploration) Case(run *explore.Run, played *trial.Result, note string) Case {
	if run.Cycle > 0 {
		endless := fmt.Sprintf("%s is violated by a run that goes on for ever: its last %d steps repeat.", e.Properties[run.Property].Name, run.Cycle)
		note = strings.TrimSpace(note + " " + endless)
	}
	return NewCase(played, e.failure(run), note)
}

// Write writes the case to a file, whole or not at all. It replaces no file that is not a
// case.
func (c Case) Write(file string) error {
	if err := CheckCaseFile(file); err != nil {
		return err
	}
	text, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return err
	}
	_, err = wholefile.Write(file, append(text, '\n'))
	return err
}

// CheckCaseFile returns why a case cannot be written to a file: the file exists and is no
// case, or the folder does not exist.
func CheckCaseFile(path string) error {
	return wholefile.CheckOutput(path, "a case that bullring wrote", func() error {
		_, err := ReadCase(path)
		return err
	})
}

// ReadCase reads a case from a file.
func ReadCase(file string) (Case, error) {
	text, err := regular.ReadInput(file)
	if err != nil {
		return Case{}, err
	}
	return ParseCase(file, text)
}

// ParseCase reads a case from the text of a file.
func ParseCase(file string, text []byte) (c Case, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	err = d.Decode(&c)
	if err == io.EOF {
		err = errors.New("it is empty")
	}
	if _, more := d.Token(); err == nil && more != io.EOF {
		err = errors.New("something follows the case")
	}
	if err == nil && c.Setting.Algorithm == "" {
		err = errors.New("it names no algorithm")
	}
	if err != nil {
		return c, fmt.Errorf("%s is no case: %w", file, err)
	}
	return c, nil
}

// unnamed says what an older case of a program without a name means, or nothing.
func (c Case) unnamed() string {
	if c.Setting.Algorithm != trial.PlainNode {
		return ""
	}
	return "; nothing is judged of the algorithm node, which was taken for an election once: the case means election in its place"
}

// Replay runs the case and compares the result with the recorded one. It returns the result
// even if they differ.
func (c Case) Replay(ctx context.Context, r *trial.Registry, trace trial.TraceFunc) (*trial.Result, error) {
	c.Setting.OutsideModel = true
	in, err := r.Instance(c.Setting)
	if err != nil {
		return nil, err
	}
	if known := Failures(in); c.Failure != "" && !slices.Contains(known, string(c.Failure)) {
		return nil, fmt.Errorf("there is no failure %q; there are %s%s", c.Failure, strings.Join(known, ", "), c.unnamed())
	}
	result := new(trial.Worker).Run(ctx, in, trace)
	now := NewCase(result, c.Failure, c.Note)
	switch {
	case result.End == netem.Interrupted:
		return result, context.Cause(ctx)
	case result.Late() != nil:
		return result, result.Late()
	case result.Failed != nil && !(c.Failure == Panics && result.Panicked()):
		err = result.Failed
	case now.Outcome != c.Outcome:
		err = fmt.Errorf("the outcome was %q, and is %q now%s", c.Outcome, now.Outcome, c.unnamed())
	case c.Failure != "" && !c.Failure.Shows(result):
		err = fmt.Errorf("the run does not fail any more: it showed %q", c.Failure)
	case c.Epoch == now.Epoch && c.Fingerprint != now.Fingerprint:
		err = fmt.Errorf("the fingerprint was %s, and is %s now", c.Fingerprint, now.Fingerprint)
	}
	if err != nil && c.Epoch != netem.Epoch {
		err = fmt.Errorf("%w; the case is of epoch %d, this program's runs of epoch %d", err, c.Epoch, netem.Epoch)
	}
	return result, err
}
