package elections_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"bullring/des/yardstick"
	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
)

// spinRing is the search of all states of Peterson's election on the ring of the model leader0
// that comes with SPIN.
func spinRing(n int) catalogtest.Search {
	ids := "3,2,1"
	for id := n; id > 3; id-- {
		ids += fmt.Sprint(",", id)
	}
	return catalogtest.Search{Setting: trial.Setting{Algorithm: "peterson", IDs: ids}}.InFull()
}

// SPIN 6.5.2 finds as many states and transitions of the same algorithm, on the same ring:
// peers/peterson.pml, without reduction, and without what SPIN's init does. Here the starts are
// steps as well: 2^n - 1 states and n*2^(n-1) transitions.
func TestAsManyStatesAsSPIN(t *testing.T) {
	for n, spin := range map[int][2]uint64{3: {25, 38}, 4: {60, 123}, 5: {150, 393}, 6: {384, 1227}, 8: {2593, 11222}, 12: {121406, 795157}} {
		e := catalogtest.Explore(t, registry, spinRing(n))
		states, transitions := e.States-(1<<n-1), e.Transitions-uint64(n)<<(n-1)
		if states != spin[0] || transitions != spin[1] {
			t.Errorf("n=%d: %d states and %d transitions, but SPIN finds %d and %d", n, states, transitions, spin[0], spin[1])
		}
	}
}

// TestBesideSPIN compares the explorer with SPIN on that ring: states, transitions, time and
// memory.
func TestBesideSPIN(t *testing.T) {
	yardstick.SkipUnlessAsked(t)
	for _, program := range []string{"spin", "gcc"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("SKIPPED: SPIN needs Debian's spin and gcc: %v", err)
		}
	}
	defer debug.SetGCPercent(debug.SetGCPercent(50)) // as in bullring explore
	for _, c := range []struct{ n, rounds int }{{12, 5}, {14, 3}} {
		plain := verifier(t, c.n)
		collapse := verifier(t, c.n, "-DCOLLAPSE")
		twoCores := verifier(t, c.n, "-DNCORE=2", "-DMEMLIM=4000")
		one, two := explorer(t, spinRing(c.n), 1), explorer(t, spinRing(c.n), 2)
		name := fmt.Sprintf("peterson n=%d", c.n)
		yardstick.Work{
			Name: name + ", 1 worker", Unit: "µs a state", Rounds: c.rounds,
			Contenders: []yardstick.Contender{one.contender("explorer"), plain.contender("SPIN"), collapse.contender("SPIN with COLLAPSE")},
			Bars:       []yardstick.Bar{{Against: "SPIN with COLLAPSE", AtMost: 1}},
		}.Measure(t)
		yardstick.Work{
			Name: name + ", 2 workers", Unit: "µs a state", Rounds: c.rounds,
			Contenders: []yardstick.Contender{
				two.contender("explorer"), one.contender("1 worker"), atOnce(t, spinRing(c.n)),
				plain.contender("SPIN"), collapse.contender("SPIN with COLLAPSE"), twoCores.contender("SPIN with NCORE=2"),
			},
			Bars: []yardstick.Bar{{Against: "1 worker", AtMost: 1 / 1.7}, {Against: "SPIN with COLLAPSE", AtMost: 0.5}},
		}.Measure(t)
		yardstick.Work{
			Name: name + ", stored", Unit: "bytes a state", Rounds: 1,
			Contenders: []yardstick.Contender{one.memory("explorer"), plain.memory("SPIN"), collapse.memory("SPIN with COLLAPSE")},
			Bars:       []yardstick.Bar{{Against: "SPIN with COLLAPSE", AtMost: 1. / 3}},
		}.Measure(t)
		starts, stepsOfStarts := uint64(1<<c.n-1), uint64(c.n)<<(c.n-1)
		if one.states-starts != plain.states-1 || one.transitions-stepsOfStarts != plain.transitions-2 {
			t.Errorf("n=%d: %d states and %d transitions, but SPIN finds %d and %d", c.n, one.states, one.transitions, plain.states, plain.transitions)
		}
	}
	bully := of("bully", 4).Crashing(1).InFull()
	one, two := explorer(t, bully, 1), explorer(t, bully, 2)
	yardstick.Work{
		Name: "bully n=4, one crash, 2 workers", Unit: "µs a state", Rounds: 5,
		Contenders: []yardstick.Contender{two.contender("explorer"), one.contender("1 worker"), atOnce(t, bully)},
		Bars:       []yardstick.Bar{{Against: "1 worker", AtMost: 1 / 1.7}},
	}.Measure(t)
}

// searched is a way to search all states, with what the last search found.
type searched struct {
	search              func(*searched)
	states, transitions uint64
	bytes               float64
}

// contender runs the search. Its cost is the time on the clock for a state, in microseconds.
func (s *searched) contender(name string) yardstick.Contender {
	return yardstick.Contender{Name: name, Run: func() float64 {
		start := time.Now()
		s.search(s)
		return float64(time.Since(start).Microseconds()) / float64(s.states)
	}}
}

// atOnce is half of the cost of two searches at once, with a worker each. It shows what the
// machine gives: they share nothing but its caches and memory.
func atOnce(t *testing.T, in catalogtest.Search) yardstick.Contender {
	first, second := explorer(t, in, 1).contender(""), explorer(t, in, 1).contender("")
	return yardstick.Contender{Name: "half of two searches at once", Run: func() float64 {
		var running sync.WaitGroup
		slower := 0.0
		running.Go(func() { slower = second.Run() })
		cost := first.Run()
		running.Wait()
		return max(cost, slower) / 2
	}}
}

// memory is the memory of the last search in bytes a state.
func (s *searched) memory(name string) yardstick.Contender {
	return yardstick.Contender{Name: name, Run: func() float64 { return s.bytes / float64(s.states) }}
}

func explorer(t *testing.T, in catalogtest.Search, workers int) *searched {
	in.Options.Workers = workers
	return &searched{search: func(s *searched) {
		e := catalogtest.Explore(t, registry, in)
		s.states, s.transitions, s.bytes = e.States, e.Transitions, float64(e.Memory)
	}}
}

// verifier makes the program by which SPIN searches the ring. Its memory is all that it says it
// uses, but for the hash table, whose size is an option.
func verifier(t *testing.T, n int, options ...string) *searched {
	dir := t.TempDir()
	model, err := filepath.Abs("peers/peterson.pml")
	if err != nil {
		t.Fatal(err)
	}
	run := func(name string, arguments ...string) string {
		c := exec.Command(name, arguments...)
		c.Dir = dir
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %s: %v\n%s", name, strings.Join(arguments, " "), err, out)
		}
		return string(out)
	}
	run("spin", fmt.Sprintf("-DN=%d", n), "-a", model)
	run("gcc", append([]string{"-O3", "-DSAFETY", "-DNOREDUCE", "-o", "pan", "pan.c"}, options...)...)
	return &searched{search: func(s *searched) {
		out := run("./pan")
		s.states, s.transitions = uint64(figure(t, out, "states, stored")), uint64(figure(t, out, "transitions"))
		s.bytes = 1e6 * (figure(t, out, "total actual memory") - figure(t, out, "memory used for hash table"))
	}}
}

// figure is the number before a word in the output of SPIN.
func figure(t *testing.T, out, word string) float64 {
	t.Helper()
	found := regexp.MustCompile(`([0-9.e+]+)\s+` + word).FindStringSubmatch(out)
	if found == nil {
		t.Fatalf("SPIN does not say %q:\n%s", word, out)
	}
	x, err := strconv.ParseFloat(found[1], 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}
