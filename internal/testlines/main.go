// Command testlines turns what go test -json prints into lines for people: one for each
// package as it ends, the output of tests that fail, and now and then which tests are
// running, or that the go command compiles. It fails if a test did, or if there was none.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"
)

// patience is how long a package runs until a line says where it is.
const patience = 15 * time.Second

func main() {
	events := make(chan event)
	var bad error
	go func() {
		defer close(events)
		bad = read(os.Stdin, events)
	}()
	r := report{out: os.Stdout, now: time.Now, began: time.Now(), running: map[string]*running{}}
	for tick := time.Tick(patience); ; {
		select {
		case e, more := <-events:
			if more {
				r.note(e)
				continue
			}
			if bad != nil {
				fmt.Fprintln(os.Stderr, "testlines:", bad)
			}
			if r.failed || r.ended == 0 || bad != nil {
				os.Exit(1)
			}
			return
		case <-tick:
			r.tell()
		}
	}
}

// event is a line of go test -json, see go doc test2json.
type event struct{ Action, Package, Test, Output string }

func read(in io.Reader, events chan<- event) error {
	for d := json.NewDecoder(in); ; {
		var e event
		switch err := d.Decode(&e); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		events <- e
	}
}

// report is what is known of the tests.
type report struct {
	out     io.Writer
	now     func() time.Time
	began   time.Time
	running map[string]*running // by package
	ended   int                 // packages
	failed  bool
}

// running is a package whose tests are running.
type running struct {
	began  time.Time
	test   string              // the last to begin; "" before the first
	output map[string][]string // by test that has not ended; "" for the package
}

// note takes an event into account, and prints what it tells.
func (r *report) note(e event) {
	if e.Action == "build-output" {
		fmt.Fprint(r.out, e.Output)
		return
	}
	p := r.running[e.Package]
	if p == nil {
		p = &running{began: r.now(), output: map[string][]string{}}
		r.running[e.Package] = p
	}
	switch e.Action {
	case "run":
		p.test = e.Test
	case "output":
		p.output[e.Test] = append(p.output[e.Test], e.Output)
	case "fail":
		r.failed = true
		r.print(p, e.Test)
	case "pass", "skip":
		if e.Test == "" {
			r.print(p, "")
		}
		delete(p.output, e.Test)
	default:
		return
	}
	if e.Test == "" && e.Action != "output" {
		delete(r.running, e.Package)
		r.ended++
	}
}

// print prints the output of a test that has ended; of a package that of the tests that
// it broke off, too.
func (r *report) print(p *running, test string) {
	tests := []string{test}
	if test == "" {
		tests = slices.Sorted(maps.Keys(p.output))
	}
	for _, t := range tests {
		for _, line := range p.output[t] {
			if !strings.HasPrefix(line, "=== ") && line != "PASS\n" && !strings.Contains(line, "[no test files]") {
				fmt.Fprint(r.out, line)
			}
		}
		delete(p.output, t)
	}
}

// tell says where the packages are that have been running for long. The go command tells
// nothing while it compiles and no test runs.
func (r *report) tell() {
	if len(r.running) == 0 {
		fmt.Fprintf(r.out, "... \tcompiling; %d packages tested, %v so far\n", r.ended, r.now().Sub(r.began).Round(time.Second))
	}
	for _, name := range slices.Sorted(maps.Keys(r.running)) {
		p := r.running[name]
		if took := r.now().Sub(p.began); took >= patience && p.test != "" {
			fmt.Fprintf(r.out, "... \t%s\t%v so far, in %s\n", name, took.Round(time.Second), p.test)
		}
	}
}
