package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"bullring/des/yardstick"
)

// TestBars measures the built program, with the bars of docs/performance.md.
func TestBars(t *testing.T) {
	yardstick.SkipUnlessAsked(t)
	for _, tool := range []string{"time", "valgrind"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Fatalf("%v: Debian has it in the package %s", err, tool)
		}
	}
	p := program{t, t.TempDir()}
	p.run("env", "CGO_ENABLED=0", "go", "build", "-buildvcs=false", "-ldflags=-s -w", "-o", p.file("bullring"), ".")
	p.start()
	p.trials()
	p.workers()
	p.memory()
}

// start measures what the program costs that does next to nothing.
func (p program) start() {
	for _, c := range []struct {
		args   string
		atMost float64 // ms
	}{{"run lcr --n 4", 15}, {"list", 10}, {"--help", 10}, {"__complete run l", 10}} {
		p.measure("bullring "+c.args, "ms", 41, c.atMost, func() float64 {
			return p.bullring(c.args).wall.Seconds() * 1e3
		})
	}
	p.measure("memory of bullring run lcr --n 4", "MB", 9, 12, func() float64 { return p.peak("run lcr --n 4") / 1e6 })
}

// trials measures sweeps of LCR. Instructions do not depend on the machine, or on what else
// runs on it.
func (p program) trials() {
	for _, c := range []struct {
		n, trials int
		atMost    float64 // us
	}{{8, 100_000, 11}, {32, 40_000, 30}} {
		p.measure(fmt.Sprintf("trial of LCR, n = %d", c.n), "us", 9, c.atMost, func() float64 {
			return p.sweep(c.n, c.trials, 1).processor.Seconds() * 1e6 / float64(c.trials)
		})
	}
	p.measure("instructions of a trial of LCR, n = 8", "", 1, 65_000, func() float64 {
		return (p.instructions(p.sweepArgs(8, 3000, 1)) - p.instructions(p.sweepArgs(8, 1000, 1))) / 2000
	})
	const million = 1_000_000
	p.measure("10^6 trials of LCR, n = 8, two workers", "s", 3, 60, func() float64 {
		return p.sweep(8, million, 2).wall.Seconds()
	})
	p.measure("memory of 10^6 trials of LCR, n = 8, two workers", "MB", 1, 150, func() float64 {
		return p.peak(p.sweepArgs(8, million, 2)) / 1e6
	})
}

// workers compares two workers with one, in time as a clock on the wall shows it. Two programs
// at once show what the machine gives: they share nothing but its caches and memory.
func (p program) workers() {
	other := program{p.T, p.TempDir()}
	if err := os.Link(p.file("bullring"), other.file("bullring")); err != nil {
		p.Fatal(err)
	}
	for _, c := range []struct {
		n, trials int
		faster    float64
	}{{8, 100_000, 1.85}, {512, 2000, 1.9}} {
		with := func(name string, workers int) yardstick.Contender {
			return yardstick.Contender{Name: name, Run: func() float64 { return p.sweep(c.n, c.trials, workers).wall.Seconds() }}
		}
		programs := yardstick.Contender{Name: "half of two programs at once", Run: func() float64 {
			start := time.Now()
			var running sync.WaitGroup
			running.Go(func() { other.sweep(c.n, c.trials, 1) })
			p.sweep(c.n, c.trials, 1)
			running.Wait()
			return time.Since(start).Seconds() / 2
		}}
		yardstick.Work{
			Name: fmt.Sprintf("%d trials of LCR, n = %d, two workers", c.trials, c.n), Unit: "s", Rounds: 9,
			Contenders: []yardstick.Contender{with("two workers", 2), with("one worker", 1), programs},
			Bars:       []yardstick.Bar{{Against: "one worker", AtMost: 1 / c.faster}},
		}.Measure(p.T)
	}
}

// memory measures bytes a process of LCR on an increasing ring, without those that a ring of
// one process takes.
func (p program) memory() {
	for _, c := range []struct {
		delay  string
		atMost float64 // bytes
	}{{"1ms", 110}, {"uniform(0,2ms)", 200}} {
		args := func(n int) string {
			return fmt.Sprintf("run lcr --placement increasing --delay %s --n %d", c.delay, n)
		}
		for _, n := range []int{100_000, 1_000_000, 10_000_000} {
			atMost := 0.0
			if n == 10_000_000 {
				atMost = c.atMost
			}
			p.measure(fmt.Sprintf("memory of a process of LCR, n = %d, delay %s", n, c.delay), "bytes", 1, atMost, func() float64 {
				return (p.peak(args(n)) - p.peak(args(1))) / float64(n)
			})
		}
	}
}

// program is the built program, in a directory of its own.
type program struct {
	*testing.T
	dir string
}

func (p program) file(name string) string { return filepath.Join(p.dir, name) }

// measure measures something that has nothing beside it. A bar of 0 is none.
func (p program) measure(name, unit string, rounds int, atMost float64, cost func() float64) {
	w := yardstick.Work{Name: name, Unit: unit, Rounds: rounds, Contenders: []yardstick.Contender{{Name: "bullring", Run: cost}}}
	if atMost > 0 {
		w.Bars = []yardstick.Bar{{AtMost: atMost}}
	}
	w.Measure(p.T)
}

// cost is the time that a command takes.
type cost struct{ wall, processor time.Duration }

// run runs a command, which has to succeed.
func (p program) run(command ...string) cost {
	cmd := exec.Command(command[0], command[1:]...)
	began := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		panic(fmt.Sprintf("%v: %v\n%s", cmd, err, out))
	}
	return cost{time.Since(began), cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
}

// bullring runs the program with arguments that spaces separate.
func (p program) bullring(args string) cost {
	return p.run(append([]string{p.file("bullring")}, strings.Fields(args)...)...)
}

// sweepArgs returns the arguments of a sweep of LCR, and removes its results of before.
func (p program) sweepArgs(n, trials, workers int) string {
	spec := fmt.Sprintf("name: bars\nreplicates: %d\nalgorithms: [lcr]\naxes: {n: %d, placement: random}\n", trials, n)
	if err := os.WriteFile(p.file("bars.yaml"), []byte(spec), 0o644); err != nil {
		panic(err)
	}
	if err := os.RemoveAll(p.file("out")); err != nil {
		panic(err)
	}
	return fmt.Sprintf("sweep %s -o %s --no-plot --workers %d", p.file("bars.yaml"), p.file("out"), workers)
}

func (p program) sweep(n, trials, workers int) cost {
	return p.bullring(p.sweepArgs(n, trials, workers))
}

// peak returns the peak memory of the program in bytes. GNU time tells it: to the kernel, the
// peak of a process that this one starts includes its own.
func (p program) peak(args string) float64 {
	p.run(slices.Concat([]string{"time", "-f", "%M", "-o", p.file("peak"), p.file("bullring")}, strings.Fields(args))...)
	return 1024 * p.number("peak", "")
}

// instructions returns the number of instructions of the program, as valgrind counts them.
func (p program) instructions(args string) float64 {
	valgrind := []string{"env", "GODEBUG=asyncpreemptoff=1", "GOMAXPROCS=1", "valgrind", "--tool=callgrind", "--callgrind-out-file=" + p.file("calls")}
	p.run(slices.Concat(valgrind, []string{p.file("bullring")}, strings.Fields(args))...)
	return p.number("calls", "\nsummary: ")
}

// number reads a number from a file, behind some text.
func (p program) number(file, behind string) float64 {
	text, err := os.ReadFile(p.file(file))
	if err != nil {
		panic(err)
	}
	_, after, _ := strings.Cut(string(text), behind)
	x, err := strconv.ParseFloat(strings.Fields(after)[0], 64)
	if err != nil {
		panic(err)
	}
	return x
}
