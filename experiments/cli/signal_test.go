//go:build unix

package cli

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"bullring/experiments/catalog"
)

// asProgram makes the test binary behave as the command.
const asProgram = "BULLRING_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		os.Exit(Main(catalog.New()))
	}
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
