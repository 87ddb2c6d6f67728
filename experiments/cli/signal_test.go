//go:build unix

package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"bullring/experiments/catalog"
)

// asProgram makes the test binary behave as the command.
const (
	asProgram = "BULLRING_TEST_AS_PROGRAM"
	asEndless = "BULLRING_TEST_ENDLESS" // as one whose handler never returns
)

func TestMain(m *testing.M) {
	if os.Getenv(asEndless) != "" {
		os.Exit(endless())
	}
	if os.Getenv(asProgram) != "" {
		os.Args[0] = "bullring"
		os.Exit(Main(catalog.New()))
	}
	os.Setenv(asProgram, "1") // for the children of tests: tour starts its own program
	os.Exit(m.Run())
}

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
	text := "name: many\nalgorithms: [lcr]\nreplicates: 100\naxes: {n: {from: 100001, to: 200000, step: 1}, delay: [1ms, 2ms, 3ms, 4ms, 5ms, 6ms, 7ms, 8ms, 9ms, 10ms]}\n"
	if err := os.WriteFile(many, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"sweep", pipe},              // that nobody writes
		{"sweep", many, "--dry-run"}, // a million cells of a hundred thousand processes
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

// The second signal ends the program, though a handler never returns.
func TestSecondSignal(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), asEndless+"=1")
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
	for range 2 {
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		time.Sleep(100 * time.Millisecond)
	}
	if e, ok := errors.AsType[*exec.ExitError](cmd.Wait()); !ok || e.ExitCode() != statusInterrupted {
		t.Errorf("after two signals: %v", e)
	}
}

// endless runs in a handler that never returns.
func endless() int {
	root := &cobra.Command{Use: "bullring", RunE: func(cmd *cobra.Command, _ []string) error {
		orderly(cmd)
		fmt.Println("it loops")
		for i := uint64(1); i > 0; i |= 1 {
		}
		return nil
	}}
	return execute(withSignals(root.Name()), root)
}
