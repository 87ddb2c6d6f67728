//go:build unix

package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"bullring/experiments/catalog"
)

// A signal ends a run early, and what is known by then is printed.
func TestSignals(t *testing.T) {
	for _, signal := range []os.Signal{syscall.SIGINT, syscall.SIGTERM} {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "run", "lcr", "--n", "20000", "--placement", "decreasing", "--trace", "--json")
		cmd.Env = append(os.Environ(), asProgram+"=1")
		var out bytes.Buffer
		cmd.Stdout = &out
		trace, err := cmd.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := trace.Read(make([]byte, 1)); err != nil { // it runs
			t.Fatal(err)
		}
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		last, err := tail(trace)
		if err != nil {
			t.Fatal(err)
		}
		err = cmd.Wait()
		if e, ok := errors.AsType[*exec.ExitError](err); !ok || e.ExitCode() != statusInterrupted {
			t.Errorf("%v: %v", signal, err)
		}
		if want := "bullring: interrupted: " + signal.String(); !strings.Contains(last, want) {
			t.Errorf("%q lacks %q", last, want)
		}
		if !strings.Contains(out.String(), `"end": "interrupted"`) {
			t.Errorf("%v: %s", signal, &out)
		}
	}
}

// tail reads all, and returns the end of it.
func tail(r io.Reader) (string, error) {
	const length = 1000
	var last []byte
	part := make([]byte, 1<<16)
	for {
		n, err := r.Read(part)
		last = append(last, part[:n]...)
		last = last[max(0, len(last)-length):]
		if errors.Is(err, io.EOF) {
			return string(last), nil
		}
		if err != nil {
			return "", err
		}
	}
}

// What only reads and checks is ended by the first signal, within a second.
func TestSignalsBeforeAnythingRuns(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe.yaml")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Fatal(err)
	}
	many := filepath.Join(dir, "many.yaml")
	text := "name: many\nalgorithms: [lcr]\nreplicates: 100\naxes: {n: {from: 190001, to: 200000, step: 1}, delay: [1ms, 2ms, 3ms, 4ms, 5ms, 6ms, 7ms, 8ms, 9ms, 10ms]}\n"
	if err := os.WriteFile(many, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"sweep", pipe},              // that nobody writes
		{"sweep", many, "--dry-run"}, // a hundred thousand cells of as many processes and more
		{"sweep", many, "-o", filepath.Join(dir, "out")},
		{"link", "delay 10ms 5ms distribution pareto loss 10% duplicate 10% corrupt 10%", "--samples", "10000000"},
	} {
		t.Run(args[0], func(t *testing.T) {
			t.Parallel()
			cmd := asProcess(t.Context(), args...)
			var said bytes.Buffer
			cmd.Stderr = &said
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(300 * time.Millisecond) // it has begun
			begun := time.Now()
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			err := cmd.Wait()
			if e, ok := errors.AsType[*exec.ExitError](err); !ok || e.ExitCode() != statusInterrupted || !strings.Contains(said.String(), "bullring: interrupted: interrupt signal received") {
				t.Errorf("%v: %v, %s", args, err, &said)
			}
			if took := time.Since(begun); took > 5*time.Second { // on a machine with other work
				t.Errorf("%v went on for %v", args, took)
			}
		})
	}
}

// A signal ends a command whose handler never returns: the first one after some time, the second
// one at once. The trials that a sweep has finished are kept.
func TestSignalsInAnEndlessHandler(t *testing.T) {
	dir := t.TempDir()
	spec, folder := filepath.Join(dir, "a.yaml"), filepath.Join(dir, "out")
	text := "name: a\nreplicates: 2\nalgorithms: [{algorithm: bad, variant: loops}]\naxes: {n: [3, 4]}\n"
	if err := os.WriteFile(spec, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	bad := []string{"bad", "--n", "4", "--variant", "loops"}
	for name, c := range map[string]struct {
		args    []string
		grace   time.Duration
		signals int
	}{
		"run":         {append([]string{"run"}, bad...), time.Millisecond, 1},
		"run, twice":  {append([]string{"run"}, bad...), time.Hour, 2},
		"explore":     {append([]string{"explore"}, bad...), time.Millisecond, 1},
		"check":       {append([]string{"check"}, bad...), time.Millisecond, 1},
		"shrink":      {append([]string{"shrink"}, bad...), time.Millisecond, 1},
		"criticality": {append([]string{"criticality"}, bad...), time.Millisecond, 1},
		"why":         {append([]string{"why"}, bad...), time.Millisecond, 1},
		"live":        {append([]string{"live"}, bad...), time.Millisecond, 1},
		"sweep":       {[]string{"sweep", spec, "-o", folder, "--workers", "1"}, time.Millisecond, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.CommandContext(t.Context(), os.Args[0], c.args...)
			cmd.Env = append(os.Environ(), asEndless+"="+c.grace.String())
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if _, err := out.Read(make([]byte, 1)); err != nil { // it loops
				t.Fatal(err)
			}
			for i := range c.signals {
				time.Sleep(time.Duration(i) * 100 * time.Millisecond)
				if err := cmd.Process.Signal(os.Interrupt); err != nil {
					t.Fatal(err)
				}
			}
			if e, ok := errors.AsType[*exec.ExitError](cmd.Wait()); !ok || e.ExitCode() != statusInterrupted {
				t.Errorf("after %d signals: %v", c.signals, e)
			}
			if name == "sweep" {
				if got := perform(t.Context(), badRegistry(), "status", folder); !strings.Contains(got.out, "2 of 4") {
					t.Errorf("the trials that were finished:\n%s%s", got.out, got.errors)
				}
			}
		})
	}
}

// A handler that does not return ends a live run at its limit, or at a signal, and is named.
func TestLiveInAnEndlessHandler(t *testing.T) {
	got := perform(t.Context(), badRegistry(), "live", "bad", "--n", "4", "--variant", "sleeps", "--limit", "500ms")
	if want := "process 2 does not return from Receive(RANK(4, [3 0 1]) from 1)"; got.status != statusUndecided || !strings.Contains(got.out, "ended by --limit 500ms; "+want) || !strings.Contains(got.errors, want) {
		t.Errorf("status %d, want %d and %q\n%s%s", got.status, statusUndecided, want, got.out, got.errors)
	}
}

// A live run that is interrupted before its nodes have started ends with the status of that.
func TestLiveInterruptedAtOnce(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, more := range []string{"", " --processes", " --runs 2"} {
		if got := perform(ctx, catalog.New(), words("live lcr --n 3"+more)...); got.status != statusInterrupted {
			t.Errorf("%q: status %d, want %d\n%s%s", more, got.status, statusInterrupted, got.out, got.errors)
		}
	}
}
