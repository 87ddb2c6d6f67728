package search_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"bullring/experiments/catalog"
	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
	"bullring/netem/explore"
	"bullring/protocols"
)

// relay is a process of a toy: it counts what reaches it, and passes the first two on.
type relay struct {
	protocols.NoTimers[baton]
	clock int
	mood  mood
}

type mood bool

func (m mood) String() string { return map[bool]string{true: "busy", false: "idle"}[bool(m)] }

type baton struct{}

func (baton) Kind() int       { return 0 }
func (baton) Kinds() []string { return []string{"BATON"} }
func (baton) Bits() int       { return 1 }

func (r *relay) Start(n protocols.Node[baton])                            { r.count(n) }
func (r *relay) Receive(n protocols.Node[baton], _ protocols.ID, _ baton) { r.count(n) }

func (r *relay) count(n protocols.Node[baton]) {
	r.clock++
	r.mood = r.clock%2 == 1
	if r.clock < 3 {
		n.Send(n.Neighbor(0), baton{})
	}
}

// indifferent are rules of a family that asks for nothing, whatever the order of steps.
type indifferent struct{}

func (indifferent) State(any) int                            { return 0 }
func (indifferent) Broken(trial.Seen[int]) map[string]string { return nil }
func (indifferent) Outcome(trial.Seen[int]) trial.Outcome    { return "fine" }

func relays() *trial.Registry {
	r := &trial.Registry{}
	r.Register(trial.Ruled(trial.Algorithm{Name: "relay", Assumes: trial.Assumptions{Topologies: []string{"ring"}}},
		trial.Family{
			Name: "toy", Right: []trial.Outcome{"fine"}, Wrong: []trial.Outcome{"bad", "worse"}, Commutes: true,
			Checks: []explore.Property{{Name: "safe", Kind: explore.Always, Says: "nothing"}},
		},
		func(*trial.Instance) trial.Rules[int] { return indifferent{} },
		func(*trial.Instance) func(protocols.ID) protocols.Process[baton] {
			return func(protocols.ID) protocols.Process[baton] { return &relay{} }
		}))
	return r
}

// toyState is a state of three relays on a ring, by hand: it does not use a line of the explorer.
type toyState struct {
	waits, dead [3]bool
	clock, link [3]int // link is what is under way to a process
	crashes     int
}

// next are the states after one step. rest says that only crashes can happen.
func (s toyState) next() (all []toyState, rest bool) {
	rest = true
	acts := func(p int, before toyState) {
		rest = false
		t := before
		t.clock[p]++
		sent := t
		if q := (p + 1) % 3; t.clock[p] < 3 && !t.dead[q] {
			sent.link[q]++
		}
		all = append(all, sent)
		if s.crashes > 0 && t.clock[p] < 3 {
			all = append(all, t.crash(p)) // before its only send
		}
	}
	for p := range 3 {
		switch before := s; {
		case s.waits[p]:
			before.waits[p] = false
			acts(p, before)
		case s.waits == [3]bool{} && s.link[p] > 0:
			before.link[p]--
			acts(p, before)
		}
		if s.crashes > 0 && !s.dead[p] {
			all = append(all, s.crash(p))
		}
	}
	return all, rest
}

func (s toyState) crash(p int) toyState {
	s.dead[p], s.waits[p], s.link[p], s.clock[p] = true, false, 0, 0
	s.crashes--
	return s
}

// toyRuns has the depth of each state of the toy, and which are at rest.
func toyRuns(crashes int) (depth map[toyState]int, rest map[toyState]bool) {
	first := toyState{waits: [3]bool{true, true, true}, crashes: crashes}
	depth, rest = map[toyState]int{first: 0}, map[toyState]bool{}
	for queue := []toyState{first}; len(queue) > 0; queue = queue[1:] {
		next, atRest := queue[0].next()
		rest[queue[0]] = atRest
		for _, s := range next {
			if _, known := depth[s]; !known {
				depth[s] = depth[queue[0]] + 1
				queue = append(queue, s)
			}
		}
	}
	return depth, rest
}

// drawnProperty is a predicate in words, and its meaning. self is a process, -1 where there is none.
type drawnProperty struct {
	text  string
	holds func(s toyState, self int) bool
}

type drawnNumber struct {
	text string
	is   func(s toyState, self int) (int, bool)
}

func living(s toyState) (alive []int) {
	for p := range 3 {
		if !s.dead[p] {
			alive = append(alive, p)
		}
	}
	return alive
}

func drawProperty(r *rand.Rand, within bool, depth int) drawnProperty {
	if depth == 0 {
		return drawnComparison(r, within, 0)
	}
	a := drawProperty(r, within, depth-1)
	switch r.IntN(7) {
	case 0:
		return drawnProperty{"not (" + a.text + ")", func(s toyState, self int) bool { return !a.holds(s, self) }}
	case 1, 2:
		b, and := drawProperty(r, within, depth-1), r.IntN(2) == 0
		word := map[bool]string{true: "and", false: "or"}[and]
		return drawnProperty{"(" + a.text + ") " + word + " (" + b.text + ")", func(s toyState, self int) bool {
			if and {
				return a.holds(s, self) && b.holds(s, self)
			}
			return a.holds(s, self) || b.holds(s, self)
		}}
	case 3, 4:
		inner, all := drawProperty(r, true, depth-1), r.IntN(2) == 0
		return drawnProperty{map[bool]string{true: "all", false: "any"}[all] + "(" + inner.text + ")", func(s toyState, _ int) bool {
			for _, p := range living(s) {
				if inner.holds(s, p) != all {
					return !all
				}
			}
			return all
		}}
	}
	return drawnComparison(r, within, depth-1)
}

func drawnComparison(r *rand.Rand, within bool, depth int) drawnProperty {
	p := r.IntN(3)
	switch r.IntN(6) {
	case 0:
		return drawnProperty{fmt.Sprintf("p%d.crashed", p), func(s toyState, _ int) bool { return s.dead[p] }}
	case 1:
		return drawnProperty{fmt.Sprintf("p%d.mood != busy", p), func(s toyState, _ int) bool { return !s.dead[p] && s.clock[p]%2 == 0 }}
	case 2:
		if within {
			return drawnProperty{"mood == idle", func(s toyState, self int) bool { return s.clock[self]%2 == 0 }}
		}
	}
	a, b, op := drawNumber(r, within, depth), drawNumber(r, within, 0), []string{"<", "<=", "==", "!=", ">", ">="}[r.IntN(6)]
	return drawnProperty{a.text + " " + op + " " + b.text, func(s toyState, self int) bool {
		x, ok := a.is(s, self)
		y, also := b.is(s, self)
		right := map[string]bool{"<": x < y, "<=": x <= y, "==": x == y, "!=": x != y, ">": x > y, ">=": x >= y}[op]
		return ok && also && right
	}}
}

func drawNumber(r *rand.Rand, within bool, depth int) drawnNumber {
	k, p := r.IntN(4), r.IntN(3)
	switch kind := r.IntN(8); {
	case kind == 0 && within:
		return drawnNumber{"clock", func(s toyState, self int) (int, bool) { return s.clock[self], true }}
	case kind == 1 || kind > 5:
		return drawnNumber{fmt.Sprintf("p%d.clock", p), func(s toyState, _ int) (int, bool) { return s.clock[p], !s.dead[p] }}
	case kind == 2 && depth > 0:
		inner := drawProperty(r, true, depth-1)
		return drawnNumber{"count(" + inner.text + ")", func(s toyState, _ int) (n int, ok bool) {
			for _, p := range living(s) {
				if inner.holds(s, p) {
					n++
				}
			}
			return n, true
		}}
	case kind == 3 || kind == 4:
		name := []string{"max", "min", "sum"}[r.IntN(3)]
		return drawnNumber{name + "(clock)", func(s toyState, _ int) (so int, ok bool) {
			ok = name == "sum"
			for i, p := range living(s) {
				switch x := s.clock[p]; {
				case name == "sum":
					so += x
				case i == 0 || name == "max" && x > so || name == "min" && x < so:
					so, ok = x, true
				}
			}
			return so, ok
		}}
	case kind == 5 && depth > 0:
		a, b := drawNumber(r, within, depth-1), drawNumber(r, within, depth-1)
		return drawnNumber{"(" + a.text + " - " + b.text + ")", func(s toyState, self int) (int, bool) {
			x, ok := a.is(s, self)
			y, also := b.is(s, self)
			return x - y, ok && also
		}}
	}
	return drawnNumber{fmt.Sprint(k), func(toyState, int) (int, bool) { return k, true }}
}

// Own properties are judged as an enumeration of all states by hand judges them, with and without
// reductions; and a counterexample of the full search is a shortest one.
func TestOwnPropertiesAgreeWithAnEnumeration(t *testing.T) {
	draws, registry := []int{400, 100}, relays() // with no crash, where a search is reduced, and with one
	if testing.Short() {
		draws = []int{100, 20}
	}
	verdicts := map[string]int{}
	for crashes := range 2 {
		depth, rest := toyRuns(crashes)
		r := rand.New(rand.NewPCG(uint64(crashes), 1))
		for range draws[crashes] {
			p := drawProperty(r, false, 3)
			always, eventually, sometimes := -1, -1, false
			for s, d := range depth {
				holds := p.holds(s, -1)
				sometimes = sometimes || holds
				if !holds && (always < 0 || d < always) {
					always = d
				}
				if !holds && rest[s] && (eventually < 0 || d < eventually) {
					eventually = d
				}
			}
			for kind, shortest := range map[explore.Kind]int{explore.Always: always, explore.Eventually: eventually, explore.Sometimes: -1} {
				for _, full := range []bool{true, false} {
					e, err := search.Explore(t.Context(), registry, search.Search{
						Setting: trial.Setting{Algorithm: "relay", N: 3, OutsideModel: true, Properties: trial.Properties(kind.String() + " " + p.text)},
						Budget:  explore.Budget{Crashes: crashes}, Full: full, Options: explore.Options{Reduce: !full, Workers: 1},
					})
					if err != nil {
						t.Fatalf("%s: %v", p.text, err)
					}
					own := e.Properties[len(e.Properties)-1]
					want := protocols.Holds
					if shortest >= 0 || kind == explore.Sometimes && !sometimes {
						want = protocols.Violated
					}
					verdicts[fmt.Sprint(kind, " ", want)]++
					if own.Verdict != want || full && shortest >= 0 && len(e.Counterexample.Steps) != shortest {
						t.Errorf("%d crashes, %v %s, full %v: %v, want %v in %d steps; %+v", crashes, kind, p.text, full, own.Verdict, want, shortest, e.Counterexample)
					}
					if full && want == protocols.Holds && int(e.States) != len(depth) {
						t.Errorf("%d states, by hand %d", e.States, len(depth))
					}
				}
			}
		}
	}
	for _, kind := range []string{"always", "eventually", "sometimes"} {
		for _, v := range []string{"holds", "violated"} {
			if verdicts[kind+" "+v] < 10 {
				t.Errorf("%s %s: only %d times", kind, v, verdicts[kind+" "+v])
			}
		}
	}
}

// Rotations are left out only where a property cannot tell them apart.
func TestOwnPropertiesUnderRotations(t *testing.T) {
	for _, c := range []struct {
		property, want string
		rotated        bool
	}{
		{"always count(status == \"leader\") <= 1", "holds", true},
		{"eventually count(status == \"leader\") == 1", "holds", true},
		{"sometimes any(status == \"leader\" and rank == 2)", "violated", true},
		{"sometimes any(status == \"leader\" and rank == 3)", "holds", true},
		{"always p1.rank != 3 or p1.status != \"leader\"", "violated", false},
		{"sometimes p2.status == \"leader\"", "holds", false},
		{"sometimes p1.status == \"leader\"", "holds", false},
		{"sometimes p0.status == \"leader\"", "holds", false}, // not where a placement stands for its rotations
	} {
		for _, full := range []bool{true, false} {
			e, err := search.Explore(t.Context(), catalog.New(), search.Search{
				Setting: trial.Setting{Algorithm: "lcr", N: 3, Placement: search.Every, Properties: trial.Properties(c.property)}, Full: full, Options: explore.Options{Reduce: !full},
			})
			if err != nil {
				t.Fatal(err)
			}
			if own := e.Properties[len(e.Properties)-1]; own.Verdict.String() != c.want {
				t.Errorf("%s, full %v: %v", c.property, full, own.Verdict)
			}
			if !full && c.want == "holds" && e.Reduced != c.rotated && c.rotated {
				t.Errorf("%s: reduced %v", c.property, e.Reduced)
			}
		}
	}
}

// ticker sets its timer again and again, so that no run comes to rest.
type ticker struct {
	odd bool
	id  protocols.ID
}

func (k *ticker) Start(n protocols.Node[baton])                    { n.SetTimer(0, 1) }
func (*ticker) Receive(protocols.Node[baton], protocols.ID, baton) {}
func (k *ticker) Timeout(n protocols.Node[baton], _ protocols.Timer) {
	k.odd = !k.odd
	n.SetTimer(0, 1)
}

// What has to hold in the end is violated by a run that goes on for ever without it, if nothing is put off in
// that run. What comes true again and again is not.
func TestOwnPropertiesOfEndlessRuns(t *testing.T) {
	registry := &trial.Registry{}
	registry.Register(trial.Ruled(trial.Algorithm{Name: "ticker", Assumes: trial.Assumptions{Topologies: []string{"ring"}}},
		trial.Family{Name: "toy", Right: []trial.Outcome{"fine"}, Wrong: []trial.Outcome{"bad", "worse"}, Endless: true, Checks: []explore.Property{{Name: "safe", Kind: explore.Always, Says: "nothing"}}},
		func(*trial.Instance) trial.Rules[int] { return indifferent{} },
		func(*trial.Instance) func(protocols.ID) protocols.Process[baton] {
			return func(p protocols.ID) protocols.Process[baton] { return &ticker{id: p} }
		}))
	for property, want := range map[string]protocols.Verdict{
		"eventually any(odd)": protocols.Holds, "eventually p0.odd": protocols.Holds, "eventually not p0.odd": protocols.Holds,
		"eventually p0.id == 1": protocols.Violated, "eventually p0.odd and p1.odd and p0.id == 1": protocols.Violated,
		"always p0.odd or p1.odd or not p0.odd": protocols.Holds, "always not (p0.odd and p1.odd)": protocols.Violated,
	} {
		e, err := search.Explore(t.Context(), registry, search.Search{Setting: trial.Setting{Algorithm: "ticker", N: 2, Properties: trial.Properties(property)}, Options: explore.Options{Reduce: true}})
		if err != nil {
			t.Fatal(err)
		}
		own := e.Properties[len(e.Properties)-1]
		if own.Verdict != want || want == protocols.Violated && own.Kind == explore.Eventually && e.Counterexample.Cycle == 0 {
			t.Errorf("%s: %v", property, own.Verdict)
		}
	}
}

// A case carries its properties: it shows the violation again, and a mended one does not.
func TestOwnPropertiesInACase(t *testing.T) {
	registry, file := catalog.New(), filepath.Join(t.TempDir(), "case.json")
	for property, setting := range map[string]trial.Setting{
		"always all(clock <= 4)":                      {Algorithm: "lamport", N: 2},
		"always max(clock) < 0":                       {Algorithm: "lamport", N: 2}, // by the first state
		"always max(term) - min(term) <= 1":           {Algorithm: "raft", N: 2},
		"eventually all(leader == 3)":                 {Algorithm: "lcr", N: 3},
		"always all(phase == idle)":                   {Algorithm: "bully", N: 2, Dead: "last"},
		"eventually any(phase != idle) or p0.crashed": {Algorithm: "bully", N: 2},
	} {
		setting.Properties = trial.Properties(property)
		e, err := search.Explore(t.Context(), registry, search.Search{Setting: setting, Limits: explore.Limits{Timeouts: 4}})
		if err != nil {
			t.Fatalf("%s: %v", property, err)
		}
		if e.Counterexample == nil || e.Properties[e.Counterexample.Property].Name != "own1" {
			t.Errorf("%s: not violated", property)
			continue
		}
		played, err := e.Play(t.Context(), registry, e.Counterexample, nil)
		if err != nil {
			t.Errorf("%s: %v", property, err)
			continue
		}
		if err := e.Case(e.Counterexample, played, "").Write(file); err != nil {
			t.Fatal(err)
		}
		c, err := search.ReadCase(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Replay(t.Context(), registry, nil); err != nil {
			t.Errorf("%s: %v", property, err)
		}
		c.Setting.Properties = "always 1 == 1"
		if _, err := c.Replay(t.Context(), registry, nil); err == nil {
			t.Errorf("%s: a property that holds is shown to be violated", property)
		}
	}
}

// Several counterexamples differ, each is as short as any of its kind, and shows what it violates.
func TestSeveralCounterexamples(t *testing.T) {
	registry := relays()
	for k := 1; k <= 12; k++ {
		e, err := search.Explore(t.Context(), registry, search.Search{
			Setting: trial.Setting{Algorithm: "relay", N: 3, Properties: "always max(clock) < 2\nalways sum(clock) < 5\neventually any(mood == idle)\nalways all(clock < 9)"},
			Options: explore.Options{Reduce: true, Counterexamples: k},
		})
		if err != nil {
			t.Fatal(err)
		}
		var kinds []string
		for _, run := range e.Counterexamples {
			last, kind := run.Steps[len(run.Steps)-1], e.Properties[run.Property].Name
			if e.Properties[run.Property].Kind == explore.Always {
				kind += fmt.Sprint(" ", last.What, " ", last.Who)
			}
			kinds = append(kinds, fmt.Sprint(len(run.Steps), " ", kind))
			if _, err := e.Play(t.Context(), registry, run, nil); err != nil {
				t.Error(err)
			}
		}
		// Three starts, then one delivery makes a clock 2; by two of them the sum is 5; all nine end the run.
		all := []string{"4 own1 deliver 1", "4 own1 deliver 2", "4 own1 deliver 0", "5 own2 deliver 2", "5 own2 deliver 0", "5 own2 deliver 1", "9 own3"}
		if got, want := strings.Join(kinds, ", "), strings.Join(all[:min(k, len(all))], ", "); got != want {
			t.Errorf("%d counterexamples: %s; want %s", k, got, want)
		}
		if holds := e.Properties[len(e.Properties)-1].Verdict; (holds == protocols.Holds) != (k >= len(all)) {
			t.Errorf("%d counterexamples: own4 %v", k, holds)
		}
	}
}

// A run is a counterexample of its own only by the step that violates: not by what others do later. And no
// reduction makes it longer.
func TestCounterexamplesAreOfTheStepThatViolates(t *testing.T) {
	for p := range 3 {
		e, err := search.Explore(t.Context(), relays(), search.Search{
			Setting: trial.Setting{Algorithm: "relay", N: 3, Properties: trial.Properties(fmt.Sprintf("always p%d.clock < 3", p))},
			Options: explore.Options{Reduce: true, Counterexamples: 5},
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(e.Counterexamples) != 1 || len(e.Counterexample.Steps) != 6 || e.Counterexample.Steps[5].Who != protocols.ID(p) || e.Reduced {
			t.Errorf("process %d: %d counterexamples, %v, reduced %v", p, len(e.Counterexamples), e.Counterexample.Steps, e.Reduced)
		}
	}
}

// Of drawn runs those are counted that meet a witness.
func TestRunsThatMeetAWitness(t *testing.T) {
	const runs = 500
	e, err := search.Explore(t.Context(), relays(), search.Search{
		Setting: trial.Setting{Algorithm: "relay", N: 3, Properties: "sometimes any(clock == 3)\nsometimes any(clock == 4)\nsometimes p0.clock == 2 and p1.clock == 1 and p2.clock == 1"},
		Options: explore.Options{Strategy: explore.RandomWalk, Sampling: explore.Sampling{Runs: runs, Seed: 1}},
	})
	if err != nil {
		t.Fatal(err)
	}
	// Every run makes each clock 3 and none 4; the first delivery is to process 0 in a third of them.
	held := e.Sampled.Held[len(e.Properties)-3:]
	if held[0] != runs || held[1] != 0 || held[2] < runs/3-50 || held[2] > runs/3+50 {
		t.Errorf("%v of %d runs", held, runs)
	}
}
