package explore

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"bullring/netem"
	"bullring/protocols"
)

func mustExplore[M protocols.Message](t *testing.T, s *System[M], o Options) *Result {
	t.Helper()
	r, err := Explore(context.Background(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A search gives the same result with any number of workers.
func TestWorkersDoNotShow(t *testing.T) {
	network := Network{Bound: 1, Step: time.Millisecond, FIFO: true, Budget: Budget{Crashes: 1, Losses: 1, Duplicates: 1}}
	one := mustExplore(t, toySystem(3, network, 0, 1), Options{Workers: 1})
	if one.States < 100_000 {
		t.Fatalf("%d states are too few to be shared", one.States)
	}
	for _, workers := range []int{2, 5} {
		if r := mustExplore(t, toySystem(3, network, 0, 1), Options{Workers: workers}); !reflect.DeepEqual(r, one) {
			t.Errorf("%d workers: %+v\none: %+v", workers, r, one)
		}
	}
	cut := mustExplore(t, toySystem(3, network, 0, 1), Options{Workers: 1, MaxStates: 50_000})
	if r := mustExplore(t, toySystem(3, network, 0, 1), Options{Workers: 3, MaxStates: 50_000}); !reflect.DeepEqual(r, cut) {
		t.Errorf("cut off, three workers: %+v\none: %+v", r, cut)
	}
}

// number is a process that passes a number round a ring and counts, up to most.
type counter struct{ count, most int }

type count int

func (count) Kind() int       { return 0 }
func (count) Kinds() []string { return []string{"COUNT"} }
func (count) Bits() int       { return 8 }

func (c *counter) Start(n protocols.Node[count]) { n.Send(n.Neighbor(0), 1) }

func (c *counter) Receive(n protocols.Node[count], _ protocols.ID, m count) {
	c.count = (c.count + 1) % c.most
	n.Send(n.Neighbor(0), m)
}

func (c *counter) Timeout(protocols.Node[count], protocols.Timer) {}

// countWatch wants one process to have counted to want in the end, and none to never.
type countWatch struct{ want, never, has int }

func (w *countWatch) see(process any)                                 { w.has = process.(*counter).count }
func (w *countWatch) Started(protocols.ID, any, time.Duration)        {}
func (w *countWatch) Received(_ protocols.ID, p any, _ time.Duration) { w.see(p) }
func (w *countWatch) Expired(protocols.ID, any, time.Duration)        {}
func (w *countWatch) Crashed(protocols.ID, time.Duration)             {}
func (w *countWatch) Restarted(protocols.ID, any, time.Duration)      {}

func (w *countWatch) Verdicts(bool) []protocols.Verdict {
	verdict := func(violated, holds bool) protocols.Verdict {
		switch {
		case violated:
			return protocols.Violated
		case holds:
			return protocols.Holds
		}
		return protocols.Undecided
	}
	return []protocols.Verdict{verdict(w.has == w.never, false), verdict(w.has != w.want, w.has == w.want), verdict(false, w.has == w.want)}
}

func counting(n, most int, watch countWatch, network Network) *System[count] {
	network.FIFO = true
	return &System[count]{
		Topology: netem.Ring(n),
		Roots: []Root[count]{{
			Boot:       func(protocols.ID) protocols.Process[count] { return &counter{most: most} },
			Initiators: []protocols.ID{0}, Watch: &watch,
		}},
		Properties: []Property{{"never", Always, ""}, {"in the end", Eventually, ""}, {"at some time", Sometimes, ""}},
		Network:    network,
	}
}

func verdicts(r *Result) string {
	var words []string
	for _, p := range r.Properties {
		words = append(words, p.Name+" "+p.Verdict.String())
	}
	return strings.Join(words, ", ")
}

// A message that goes round for ever is a cycle. The property holds nowhere on it, or now
// and then, which suffices.
func TestLasso(t *testing.T) {
	r := mustExplore(t, counting(2, 3, countWatch{want: 9, never: -1}, Network{}), Options{})
	if got := verdicts(r); got != "no-panic undecided, never undecided, in the end violated, at some time undecided" {
		t.Fatal(got)
	}
	if c := r.Counterexample; c.Cycle != 6 || len(c.Steps) != 7 {
		t.Fatalf("the cycle is of %d of %v", c.Cycle, c.Steps)
	}
	r = mustExplore(t, counting(2, 3, countWatch{want: 2, never: -1}, Network{}), Options{})
	if got := verdicts(r); got != "no-panic holds, never holds, in the end holds, at some time holds" || !r.Complete || r.Rests != 0 {
		t.Fatalf("%s, %+v", got, r)
	}
}

// A run that satisfies the property again and again does not come to rest.
func TestFinally(t *testing.T) {
	system := func(most int) *System[count] {
		s := counting(2, most, countWatch{never: -1}, Network{})
		s.Properties = []Property{{"rest", Finally, ""}}
		s.Roots[0].Watch = &waitWatch{}
		return s
	}
	r := mustExplore(t, system(3), Options{})
	if got := verdicts(r); got != "no-panic undecided, rest violated" || r.Counterexample.Cycle != 6 {
		t.Fatalf("%s: %+v", got, r.Counterexample)
	}
	s := system(3)
	s.Budget.Losses, s.Roots[0].Initiators = 1, nil
	if got := verdicts(mustExplore(t, s, Options{})); got != "no-panic holds, rest holds" {
		t.Fatal(got)
	}
}

// A search is complete if and only if there was room for all states.
func TestCompleteMeansAllStates(t *testing.T) {
	system := func() *System[toyMessage] { return toySystem(2, Network{FIFO: true}, 0) }
	for _, strategy := range []Strategy{BreadthFirst, DepthFirst} {
		all := mustExplore(t, system(), Options{Strategy: strategy}).States
		for most := uint64(1); most <= all+2; most++ {
			r := mustExplore(t, system(), Options{Strategy: strategy, MaxStates: most})
			if r.Complete != (most >= all) || r.States != min(most, all) || (r.Stopped == nil) != r.Complete {
				t.Fatalf("%v, room for %d of %d: complete %v with %d states, stopped by %v", strategy, most, all, r.Complete, r.States, r.Stopped)
			}
		}
	}
}

func TestShortestCounterexample(t *testing.T) {
	for _, strategy := range []Strategy{BreadthFirst, DepthFirst, RandomWalk, PCT} {
		r := mustExplore(t, counting(3, 9, countWatch{want: 9, never: 2}, Network{}), Options{Strategy: strategy})
		if r.Counterexample == nil || r.Counterexample.Property != 1 || len(r.Counterexample.Steps) != 5 {
			t.Fatalf("%v: %+v", strategy, r.Counterexample)
		}
		if got := fmt.Sprint(r.Counterexample.Steps[3:]); got != "[deliver 2->0 1 deliver 0->1 1]" {
			t.Fatalf("%v: %s", strategy, got)
		}
	}
}

// waiter waits for a message, or for a timer that may come first.
type waiter struct{ done bool }

func (w *waiter) Start(n protocols.Node[count]) { n.SetTimer(0, time.Millisecond) }

func (w *waiter) Receive(protocols.Node[count], protocols.ID, count) { w.done = true }

func (w *waiter) Timeout(n protocols.Node[count], _ protocols.Timer) { n.SetTimer(0, time.Millisecond) }

// quitter is a waiter that waits once, and then forgets the name of its timer.
type quitter struct{ waiter }

func (q *quitter) Timeout(protocols.Node[count], protocols.Timer) { q.done = true }

func (q *quitter) TimerName(protocols.Timer) string {
	if q.done {
		return ""
	}
	return "wait"
}

// records keeps the records of a player.
type records []netem.Record

func (r *records) Record(x netem.Record) { *r = append(*r, x) }

// A record has the name of a timer as it was when the timer expired.
func TestPlayedTimersHaveNames(t *testing.T) {
	var got records
	p := NewPlayer(&System[count]{
		Topology: netem.Ring(2), Network: Network{FIFO: true},
		Roots: []Root[count]{{Boot: func(protocols.ID) protocols.Process[count] { return &quitter{} }, Initiators: []protocols.ID{0}}},
	}, 0)
	p.Trace(&got)
	for _, s := range []Step{{What: Start, Sends: -1}, {What: Timeout, Sends: -1}} {
		if err := p.Step(s); err != nil {
			t.Fatal(err)
		}
	}
	if len(got) != 2 || got[0].Name != "" || got[1].Name != "wait" {
		t.Errorf("told %+v", got)
	}
}

// A timer that expires again and again does not delay a message for ever; without a message
// the cycle is a violation.
func TestFairness(t *testing.T) {
	watch := &waitWatch{}
	system := func(sends bool) *System[count] {
		return &System[count]{
			Topology: netem.Ring(2), Network: Network{FIFO: true},
			Properties: []Property{{"done", Eventually, ""}},
			Roots: []Root[count]{{
				Boot: func(p protocols.ID) protocols.Process[count] {
					if p == 1 && sends {
						return &counter{most: 2}
					}
					return &waiter{}
				},
				Initiators: []protocols.ID{0, 1}, Watch: watch,
			}},
		}
	}
	if r := mustExplore(t, system(true), Options{}); verdicts(r) != "no-panic holds, done holds" || !r.Fair || r.Chance {
		t.Fatalf("%s, fair %v, chance %v: %+v", verdicts(r), r.Fair, r.Chance, r.Counterexample)
	}
	if r := mustExplore(t, system(false), Options{}); verdicts(r) != "no-panic undecided, done violated" || r.Counterexample.Cycle == 0 {
		t.Fatalf("%s: %+v", verdicts(r), r.Counterexample)
	}
}

type waitWatch struct{ done bool }

func (w *waitWatch) Started(protocols.ID, any, time.Duration) {}
func (w *waitWatch) Received(_ protocols.ID, p any, _ time.Duration) {
	if x, ok := p.(*waiter); ok {
		w.done = x.done
	}
}
func (w *waitWatch) Expired(protocols.ID, any, time.Duration)   {}
func (w *waitWatch) Crashed(protocols.ID, time.Duration)        {}
func (w *waitWatch) Restarted(protocols.ID, any, time.Duration) {}

func (w *waitWatch) Verdicts(bool) []protocols.Verdict {
	if w.done {
		return []protocols.Verdict{protocols.Holds}
	}
	return []protocols.Verdict{protocols.Violated}
}

func TestLimitsEndASearch(t *testing.T) {
	endless := func() *System[toyMessage] {
		return toySystem(3, Network{FIFO: true, Budget: Budget{Losses: 3, Duplicates: 3, Crashes: 2, Restarts: 2}}, 0, 1, 2)
	}
	room := uint64(20 << 20)
	if testing.Short() {
		room = 5 << 20
	}
	for _, strategy := range []Strategy{BreadthFirst, DepthFirst} {
		r := mustExplore(t, endless(), Options{Strategy: strategy, MaxStates: 12_345})
		var limit *StatesError
		if r.States != 12_345 || r.Complete || !errors.As(r.Stopped, &limit) || limit.States != 12_345 {
			t.Errorf("%v: %+v", strategy, r)
		}
		r = mustExplore(t, endless(), Options{Strategy: strategy, MaxMemory: room})
		var memory *memoryError
		if r.Complete || !errors.As(r.Stopped, &memory) {
			t.Errorf("%v: %+v", strategy, r)
		}
		ctx, cancel := context.WithCancelCause(context.Background())
		cause := errors.New("enough")
		r, err := Explore(ctx, endless(), Options{Strategy: strategy, Progress: func(Progress) { cancel(cause) }})
		if err != nil || r.Complete || r.Stopped != cause || verdicts(r) != "no-panic undecided" {
			t.Errorf("%v: %v, %+v", strategy, err, r)
		}
	}
}

// flooder sends a message whenever its timer expires.
type flooder struct{}

func (flooder) Start(n protocols.Node[count])                      { n.SetTimer(0, time.Millisecond) }
func (flooder) Receive(protocols.Node[count], protocols.ID, count) {}
func (f flooder) Timeout(n protocols.Node[count], _ protocols.Timer) {
	n.Send(n.Neighbor(0), 0)
	f.Start(n)
}

// The parts of states count as memory, too: a few states with long channels take as much
// as many with short ones.
func TestLongChannelsTakeMemory(t *testing.T) {
	s := &System[count]{
		Topology: netem.Ring(2), Network: Network{FIFO: true},
		Roots: []Root[count]{{
			Boot:       func(protocols.ID) protocols.Process[count] { return flooder{} },
			Initiators: []protocols.ID{0}, Watch: quiet{},
		}},
		Properties: []Property{{Name: "rest", Kind: Finally, Says: "it comes to rest"}},
	}
	r := mustExplore(t, s, Options{MaxMemory: 20 << 20, MaxStates: 5_000})
	var memory *memoryError
	if !errors.As(r.Stopped, &memory) || r.Memory > 40<<20 {
		t.Errorf("%v after %d states of %d bytes", r.Stopped, r.States, r.Memory)
	}
}

// panicker panics in a handler; holder has a state that cannot be compared.
type panicker struct{ counter }

func (p *panicker) Receive(protocols.Node[count], protocols.ID, count) { panic("not this one") }

type holder struct {
	counter
	f func()
}

func TestWhatIsWrong(t *testing.T) {
	with := func(boot func(protocols.ID) protocols.Process[count], change func(*System[count])) *System[count] {
		s := counting(2, 2, countWatch{never: -1}, Network{})
		if boot != nil {
			s.Roots[0].Boot = boot
		}
		if change != nil {
			change(s)
		}
		return s
	}
	for want, s := range map[string]*System[count]{
		"33 processes; at most 32":              with(nil, func(s *System[count]) { s.Topology = netem.Ring(33) }),
		"without roots":                         with(nil, func(s *System[count]) { s.Roots = nil }),
		"a bound of 1 steps of 0s":              with(nil, func(s *System[count]) { s.Bound = 1 }),
		"no time to measure":                    with(nil, func(s *System[count]) { s.Measure = Time }),
		"each number is 0 to 255":               with(nil, func(s *System[count]) { s.Budget.Losses = 256 }),
		"rotations make a difference":           with(nil, func(s *System[count]) { s.Rotations, s.Budget.Restarts = true, 1 }),
		"holds a func() cannot be compared":     with(func(protocols.ID) protocols.Process[count] { return &holder{f: func() {}} }, nil),
		"1ms is no multiple of 700µs, the step": with(func(protocols.ID) protocols.Process[count] { return &late{} }, func(s *System[count]) { s.Bound, s.Step = 1, 700*time.Microsecond }),
	} {
		if _, err := Explore(context.Background(), s, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want %q", err, want)
		}
	}
	r := mustExplore(t, with(func(protocols.ID) protocols.Process[count] { return &panicker{} }, nil), Options{})
	if c := r.Counterexample; c == nil || c.Property != 0 || c.Panicked != "not this one" || len(c.Steps) != 2 {
		t.Errorf("a handler panics: %+v", c)
	}
}

type late struct{ counter }

func (*late) Start(n protocols.Node[count]) { n.SetTimer(1, time.Millisecond) }

// The bound of PCT holds for a bug that depends on the order of two steps: of two
// channels the second has to come before the first.
func TestPCTKeepsItsBound(t *testing.T) {
	const searches = 400
	runs, bound := 0, 1.0
	for seed := range uint64(searches) {
		r := mustExplore(t, racing(), Options{Strategy: PCT, Sampling: Sampling{Seed: seed, Changes: 2, Runs: 100_000}})
		if r.Counterexample == nil {
			t.Fatalf("seed %d: not found in %d runs", seed, r.Sampled.Runs)
		}
		runs += r.Sampled.Runs
		bound = min(bound, r.Sampled.Bound)
	}
	// The number of runs is geometric: its mean is at most 1/p, with a standard
	// deviation of no more.
	if mean, most := float64(runs)/searches, (1+4/math.Sqrt(searches))/bound; bound <= 0 || mean > most {
		t.Errorf("%.1f runs on average, more than %.1f; the bound is %v", mean, most, bound)
	}
}

// race: process 0 sends through 1 and through 2 to 3, which depends on the order.
type race struct{ got []count }

func (r *race) Start(n protocols.Node[count]) {
	n.Send(1, 1)
	n.Send(2, 2)
}

func (r *race) Receive(n protocols.Node[count], _ protocols.ID, m count) {
	r.got = append(r.got, m)
	switch {
	case n.ID() < 3:
		n.Send(3, m)
	case len(r.got) == 2 && r.got[0] == 2:
		panic("the second came first")
	}
}

func (r *race) Timeout(protocols.Node[count], protocols.Timer) {}

func racing() *System[count] {
	return &System[count]{
		Topology: netem.Complete(4), Network: Network{FIFO: true},
		Roots: []Root[count]{{
			Boot:       func(protocols.ID) protocols.Process[count] { return &race{} },
			Initiators: []protocols.ID{0}, Watch: &waitWatch{},
		}},
	}
}

// A printed step can be parsed back.
func TestStepsAreReadAsTheyPrint(t *testing.T) {
	for _, s := range []Step{
		{What: Start, Who: 3, Sends: -1},
		{What: Start, Who: 3, Choices: []int{1, 0, 12}, Sends: 0},
		{What: Deliver, From: 1, Who: 2, Message: "TOY(1, 2)", Sends: -1},
		{What: Deliver, From: 1, Who: 2, Message: "LIST(1, 2, 3), and more", Choices: []int{4}, Sends: 2},
		{What: Timeout, Who: 1, Timer: -4, Sends: -1},
		{What: Timeout, Who: 1, Choices: []int{2, 0}, Reads: []time.Duration{1500 * time.Microsecond, -1, 0}, Suspected: []netem.Suspicion{{Who: 4, Yes: true}, {Who: 3}}, Sends: 1},
		{What: Tick, Sends: -1}, {What: Crash, Who: 1, Sends: -1}, {What: Restart, Who: 0, Sends: 1},
		{What: Lose, From: 0, Who: 1, Message: "X", Sends: -1}, {What: Duplicate, From: 0, Who: 1, Message: "X", Sends: -1}, {What: Boot, Who: 2, Sends: -1},
	} {
		read, err := ParseStep(s.String())
		if err != nil || !reflect.DeepEqual(read, s) {
			t.Errorf("%q is read as %+v, %v", s, read, err)
		}
	}
	for _, line := range []string{"", "begin 1", "start", "start x", "start 1 2", "tick 1", "deliver 1 2 X", "timeout 1", "start 1, crash after -1 sends", "start 1, choose -1", "start 1, choose x", "crash 1, and so on", "start 1, reads 5", "start 1, suspects 3", "start 1, suspects 3:maybe", "start 1, suspects -1:yes", "crash 1, reads 1ms", "tick, suspects 1:no"} {
		if s, err := ParseStep(line); err == nil {
			t.Errorf("%q is read as %+v", line, s)
		}
	}
}

// unsure is a process that cannot say what it does when it gets a message.
type unsure struct{ counter }

func (u *unsure) Receive(protocols.Node[count], protocols.ID, count) {
	panic(&FailedError{Err: errUnsure})
}

var errUnsure = errors.New("late")

// A handler that cannot say what the process does ends the search, and violates nothing.
func TestFailedIsNoViolation(t *testing.T) {
	s := &System[count]{Topology: netem.Ring(2), Roots: []Root[count]{{
		Boot: func(protocols.ID) protocols.Process[count] { return &unsure{} }, Initiators: []protocols.ID{0}, Watch: &countWatch{},
	}}}
	if r, err := Explore(context.Background(), s, Options{}); r != nil || !errors.Is(err, errUnsure) {
		t.Errorf("%+v, %v", r, err)
	}
	s.Roots[0].Boot = func(protocols.ID) protocols.Process[count] { panic(&FailedError{Err: errUnsure}) }
	if r, err := Explore(context.Background(), s, Options{}); r != nil || !errors.Is(err, errUnsure) {
		t.Errorf("made: %+v, %v", r, err)
	}
}

// A process that restarts is made by Reboot, in a search and when it is played.
func TestReboot(t *testing.T) {
	s := toySystem(2, Network{Budget: Budget{Crashes: 1, Restarts: 1}}, 0)
	again := mustExplore(t, s, Options{})
	s.Roots[0].Reboot = func(p protocols.ID) protocols.Process[toyMessage] {
		return &toy{seen: []int{1}, backed: map[int]bool{}}
	}
	if r := mustExplore(t, s, Options{}); r.States == again.States {
		t.Errorf("%d states, and as many without Reboot", r.States)
	}
	p := NewPlayer(s, 0)
	for _, step := range []Step{{What: Boot, Who: 0, Sends: -1}, {What: Crash, Who: 0, Sends: -1}, {What: Restart, Who: 0, Sends: -1}} {
		if err := p.Step(step); err != nil {
			t.Fatal(err)
		}
	}
	if made := p.seats[0].process.(*toy); len(made.seen) != 1 || made.lives != 2 {
		t.Errorf("%+v", made)
	}
}
