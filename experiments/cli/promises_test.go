package cli

import (
	"context"
	"flag"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"bullring/experiments/campaign/hunt"
	"bullring/experiments/catalog"
	"bullring/experiments/cli/internal/view"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/mutex"
	"bullring/protocols/mutex/ricartagrawala"
)

// enough is the number of runs from which on every check and bound is seen.
const enough = 2000

var promises = flag.Int("promises", 40, "how many random runs TestPromises gives each algorithm")

// Inside its model an algorithm keeps what it promises. The model, the checks and the
// bounds are those of its declaration: a setting is refused or kept as Registry.Instance
// decides.
func TestPromises(t *testing.T) {
	registry := catalog.New()
	for _, a := range registry.All() {
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			h := newPromiseHunt(registry, a)
			for h.runs < *promises {
				if h.drawn > 1000*uint64(*promises) {
					t.Fatalf("%d of %d settings are inside the model: too few are", h.runs, h.drawn)
				}
				h.trial(anything)
			}
			if h.runs >= enough {
				h.seek(t)
			}
			h.report(t)
		})
	}
}

// wrong are variants that are there to fail, each with the check that it violates: Maekawa's without
// INQUIRE, which waits for ever as its paper says; Safra's without black processes; and one wave of counts
// in the place of two.
var wrong = map[[2]string]string{{"maekawa", "naive"}: "ME2", {"safra", "white"}: "safety", {"mattern", "one-wave"}: "safety"}

// meantToFail reports whether a violation is that of a variant that is there to fail.
func meantToFail(in *trial.Instance, check string) bool {
	for of, violated := range wrong {
		if in.Algorithm.Name == of[0] && in.Variant.Has(of[1]) && check == violated {
			return true
		}
	}
	return false
}

// The hunt finds what was once declared and does not hold: each is declared so again, and
// found within so many runs.
func TestPromisesAreHunted(t *testing.T) {
	const most = 5000
	for name, old := range map[string]func(*trial.Algorithm){
		"ricartagrawala": alwaysOrdered,
		"decentralized": func(a *trial.Algorithm) { // whatever links do
			a.Bounds[0].Value = func(in *trial.Instance) (float64, bool) {
				votes := in.N/2 + 1
				calm := in.Calm() && in.Initiators.Len() == 1 && in.N > 2
				return float64(3 * votes * in.Count("requests")), calm && in.Param("votes") == "majority" && in.Param("coordinators") == "all"
			}
		},
		"dissemination": func(a *trial.Algorithm) { // also for messages that take 0s
			for i := range a.Bounds {
				if b := &a.Bounds[i]; b.Name == "worst" {
					b.Value = func(in *trial.Instance) (float64, bool) {
						alone := in.Initiators.Len() == 1 && in.Initiators.Has(0) && !in.StartsAnother()
						one := in.Count("requests") == 1 && in.Count("reactions") == 0 && in.Param("loop") != "open"
						return float64(in.N - 1), alone && one && in.Motion != nil && in.Motion.Worst()
					}
				}
			}
		},
		"berkeley":  func(a *trial.Algorithm) { a.Assumes.Params = nil },
		"repelling": func(a *trial.Algorithm) { a.Assumes.RightClocks = false },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found, err := catalog.New().Find(name)
			if err != nil {
				t.Fatal(err)
			}
			declared, registry := *found, &trial.Registry{}
			declared.Bounds = slices.Clone(declared.Bounds)
			old(&declared)
			registry.Register(declared)
			h := newPromiseHunt(registry, registry.All()[0])
			for len(h.broken) == 0 {
				if h.runs == most {
					t.Fatalf("nothing is found in %d runs", h.runs)
				}
				h.trial(anything)
			}
			t.Logf("run %d: %s", h.runs, h.broken[0])
		})
	}
}

// TestPromisesThatWereBroken: runs inside the model that once broke what was declared.
func TestPromisesThatWereBroken(t *testing.T) {
	registry := catalog.New()
	for _, s := range []trial.Setting{
		// a time was the difference of two that had been rounded
		{Algorithm: "huang", IDs: "-20,-18,-16", Param: "busy=100us", Initiators: "random:1", Seed: 17849017483515655221},
		// a process that is alone decides at once; a time of e+D was declared
		{Algorithm: "phase", N: 1, Param: "phases=3"},
		// an ACCEPT overtook its PREPARE
		{Algorithm: "paxos", IDs: "-5,-9,-8,-7,-10,-16,-12,-11,-14", Initiators: "random:1", Delay: "uniform(0s,10ms)", Unordered: true, Seed: 2132162615221331357},
		// nothing binds the lieutenants of a commander that has crashed
		{Algorithm: "om", N: 4, Dead: "0", Inputs: "all 1"},
		{Algorithm: "om", N: 4, Fault: "crash 0 after 1 send", Inputs: "all 1"},
		// who was started twice began twice
		{Algorithm: "benor", N: 7, Dead: "1", Fault: "at 1ms start 6", Delay: "uniform(0,2ms)", Seed: 14012434715483501368},
		{Algorithm: "chandratoueg", N: 3, Param: "wait=20ms", Fault: "at 1ns start 2; crash 1 after 0 sends", Delay: "exp(1ms)", Seed: 5576871592522750060},
	} {
		in, err := registry.Instance(s)
		if err != nil {
			t.Errorf("%+v: %v", s, err)
			continue
		}
		h := newPromiseHunt(registry, in.Algorithm)
		h.run(in)
		if len(h.broken) > 0 {
			t.Error(h.broken)
		}
	}
	// An item that a crashed process told some is waited for, for ever, in causal order over best effort.
	waits := trial.Setting{Algorithm: "causal", N: 3, Param: "reactions=6", Initiators: "0", Fault: "crash 2 after 1 send"}
	if _, err := registry.Instance(waits); err == nil {
		t.Error("causal order over best effort allows crashes")
	}
}

// alwaysOrdered declares ME3 of Ricart and Agrawala's program as it was published.
func alwaysOrdered(a *trial.Algorithm) {
	promise := families.MutexPromise{Orders: func(*trial.Instance) bool { return true }}
	*a = families.Mutex(trial.Algorithm{Name: a.Name, Assumes: a.Assumes}, promise, func(in *trial.Instance) func(protocols.ID) mutex.Lock[ricartagrawala.Message] {
		return func(p protocols.ID) mutex.Lock[ricartagrawala.Message] {
			return ricartagrawala.New(p, in.N, ricartagrawala.Config{})
		}
	})
}

// promiseHunt looks for a run of an algorithm that breaks a promise.
type promiseHunt struct {
	registry  *trial.Registry
	algorithm *trial.Algorithm
	worker    trial.Worker

	drawn            uint64 // settings, most of them inside the model
	runs, unfinished int
	broken           []string
	compared, held   map[string]int // by bound, and by check
	judged           map[string]bool
	means            map[string]*meanSample
}

func newPromiseHunt(registry *trial.Registry, a *trial.Algorithm) *promiseHunt {
	return &promiseHunt{registry: registry, algorithm: a, compared: map[string]int{}, held: map[string]int{}, judged: map[string]bool{}, means: map[string]*meanSample{}}
}

// trial draws a setting and, if it is inside the model and wanted, runs it.
func (h *promiseHunt) trial(wanted func(*trial.Instance) bool) {
	in, err := h.registry.Instance(hunt.Draw(h.drawn, h.algorithm))
	h.drawn++
	if err == nil && wanted(in) {
		h.run(in)
	}
}

func anything(*trial.Instance) bool { return true }

// seek draws settings in which what was not seen yet may be seen.
func (h *promiseHunt) seek(t *testing.T) {
	for range 400_000 {
		unseen := h.unseen()
		if len(unseen) == 0 {
			return
		}
		h.trial(func(in *trial.Instance) bool {
			return slices.ContainsFunc(in.Algorithm.Bounds, func(b trial.Bound) bool {
				_, applies := b.At(in)
				return (applies || b.Of != nil) && slices.Contains(unseen, boundName(b))
			})
		})
	}
	t.Errorf("no run of %d shows anything of %s", h.runs, strings.Join(h.unseen(), ", "))
}

// run runs an instance, and checks what the algorithm promises.
func (h *promiseHunt) run(in *trial.Instance) {
	h.runs++
	defer func() {
		if p := recover(); p != nil {
			h.breaks(in, "it panics: %v", p)
			h.worker = trial.Worker{}
		}
	}()
	r := h.worker.Run(context.Background(), in, nil)
	if r.End != netem.Quiescent && r.End != netem.Stopped {
		h.unfinished++
	}
	for _, c := range r.Checks {
		h.judged[c.Name] = true
		switch {
		case c.Verdict == protocols.Violated && !meantToFail(in, c.Name):
			h.breaks(in, "%s is violated: %s", c.Name, c.Detail)
		case c.Verdict == protocols.Holds:
			h.held[c.Name]++
		}
	}
	if err := r.BrokenBound(); err != nil {
		h.breaks(in, "%v", err)
	}
	for _, b := range r.Bounds {
		h.compared[boundName(*b.Bound)]++
		if b.Relation == trial.Mean && b.Value > 0 {
			h.mean(b).add(b.Measured, b.Value)
		}
	}
	h.definitions(r)
}

func (h *promiseHunt) breaks(in *trial.Instance, format string, args ...any) {
	h.broken = append(h.broken, fmt.Sprintf(format, args...)+"\n"+view.CommandLine("bullring", in))
}

// definitions checks what follows from what metrics are (docs/model.md, "What is
// counted").
func (h *promiseHunt) definitions(r *trial.Result) {
	c := r.Counters
	if handled, depth := c.Delivered, uint64(c.CausalDepth); depth > handled || handled > 0 && depth == 0 {
		h.breaks(r.Instance, "the longest chain of %d messages that were handled has %d", handled, depth)
	}
	if ended := c.Delivered + c.ToDead + c.Lost + c.Cut + c.Corrupted + c.Unheard + c.Collided; ended > c.Messages()+c.Duplicated+c.Fanned {
		h.breaks(r.Instance, "%d messages and copies had %d ends", c.Messages()+c.Duplicated, ended)
	}
}

// boundName names a bound and what it is of.
func boundName(b trial.Bound) string { return b.Name + " of " + b.Metric }

// meanSample is by how much runs are off a declared mean, in parts of it.
type meanSample struct {
	above, below int
	sum, square  float64
}

func (m *meanSample) add(measured, declared float64) {
	off := measured/declared - 1
	switch {
	case off > 0:
		m.above++
	case off < 0:
		m.below++
	}
	m.sum, m.square = m.sum+off, m.square+off*off
}

// off is the deviation of the mean, and the same in standard errors. ok is false if too few
// runs lie on one side of it: the mean of a rare value says little.
func (m *meanSample) off() (by, errors float64, ok bool) {
	n := float64(m.above + m.below)
	by = m.sum / n
	return by, by / math.Sqrt((m.square/n-by*by)/n), min(m.above, m.below) >= 50
}

func (h *promiseHunt) mean(b trial.BoundResult) *meanSample {
	key := boundName(*b.Bound) + ", " + b.Formula
	if h.means[key] == nil {
		h.means[key] = &meanSample{}
	}
	return h.means[key]
}

// report prints the figures of the hunt, and fails if a promise was broken or a mean is far
// off.
func (h *promiseHunt) report(t *testing.T) {
	t.Logf("%-20s %6d runs of %6d settings, %5d unfinished, %3d violations", h.algorithm.Name, h.runs, h.drawn, h.unfinished, len(h.broken))
	const most = 5
	for _, text := range h.broken[:min(most, len(h.broken))] {
		t.Error(text)
	}
	for name, m := range h.means {
		if by, errors, ok := m.off(); ok && math.Abs(errors) > 5 {
			t.Errorf("the mean %s is off by %.2f %%, %.1f standard errors of %d runs", name, 100*by, errors, m.above+m.below)
		}
	}
}

// unseen are the checks that never held where they were judged, and the bounds that were never compared.
func (h *promiseHunt) unseen() (names []string) {
	for _, name := range h.algorithm.Checks {
		if h.held[name] == 0 && h.judged[name] {
			names = append(names, name)
		}
	}
	for _, b := range h.algorithm.Bounds {
		if name := boundName(b); h.compared[name] == 0 {
			names = append(names, name)
		}
	}
	return names
}
