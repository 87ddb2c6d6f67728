package explore

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"bullring/netem"
	"bullring/protocols"
)

// machine is a process that does what a table says for its state and the event. A message
// is the number of hops that are left.
type machine struct {
	table [2][4]reaction // of a message, and of a timer
	state int
	armed int  // times that it has set a timer
	asks  bool // reacts as to a timer once a neighbour has crashed, or is none any more
}

type reaction struct {
	next  int
	sends []int // to the neighbours behind these ports
	arms  time.Duration
}

func (m *machine) Start(n protocols.Node[count])                               { m.react(n, 0, 3) }
func (m *machine) Receive(n protocols.Node[count], _ protocols.ID, hops count) { m.react(n, 0, hops) }
func (m *machine) Timeout(n protocols.Node[count], _ protocols.Timer)          { m.react(n, 1, 1) }
func (m *machine) LinkUp(n protocols.Node[count], _ protocols.ID)              { m.react(n, 0, 2) }
func (m *machine) LinkDown(n protocols.Node[count], _ protocols.ID)            { m.react(n, 1, 2) }

// Round is the number of timers that it has set.
func (m *machine) Round() int { return m.armed }

func (m *machine) react(n protocols.Node[count], to int, hops count) {
	if m.asks {
		for port := range n.Degree() {
			if n.Suspects(n.Neighbor(port)) {
				to = 1
			}
		}
		if len(protocols.Neighbors(n)) < 2 {
			to = 1
		}
	}
	r := &m.table[to][m.state]
	m.state = r.next
	for _, port := range r.sends {
		if hops > 0 {
			n.Send(n.Neighbor(port), hops-1)
		}
	}
	if r.arms > 0 && m.armed < 2 {
		m.armed++
		n.SetTimer(protocols.Timer(m.armed), r.arms)
	}
}

// machineWatch notes which processes have been in state 3.
type machineWatch struct{ been [3]bool }

func (w *machineWatch) note(p protocols.ID, process any) {
	w.been[p] = w.been[p] || process.(*machine).state == 3
}
func (w *machineWatch) Started(p protocols.ID, process any, _ time.Duration)   { w.note(p, process) }
func (w *machineWatch) Received(p protocols.ID, process any, _ time.Duration)  { w.note(p, process) }
func (w *machineWatch) Expired(p protocols.ID, process any, _ time.Duration)   { w.note(p, process) }
func (w *machineWatch) Crashed(protocols.ID, time.Duration)                    {}
func (w *machineWatch) Restarted(p protocols.ID, process any, _ time.Duration) { w.note(p, process) }

// Verdicts: a process comes to state 3; and of each set of processes, whether all have been
// there in some run.
func (w *machineWatch) Verdicts(rest bool) []protocols.Verdict {
	all := []protocols.Verdict{protocols.Undecided}
	if w.been != [3]bool{} {
		all[0] = protocols.Holds
	} else if rest {
		all[0] = protocols.Violated
	}
	for set := 1; set < 8; set++ {
		have := protocols.Holds
		for p, been := range w.been {
			if set>>p&1 == 1 && !been {
				have = protocols.Undecided
			}
		}
		all = append(all, have)
	}
	return all
}

// machines is a system of three such processes. With calm timers, an expiry sends nothing and
// sets no timer.
func machines(random *rand.Rand, calm bool) *System[count] {
	var tables [3][2][4]reaction
	for p := range tables {
		for event := range 2 {
			for state := range 4 {
				r := &tables[p][event][state]
				r.next = random.IntN(4)
				for port := range 2 {
					if random.IntN(3) == 0 && !(calm && event == 1) {
						r.sends = append(r.sends, port)
					}
				}
				if random.IntN(2) == 0 && !(calm && event == 1) {
					r.arms = time.Duration(1+random.IntN(2)) * time.Millisecond
				}
				if calm && event == 1 && random.IntN(8) > 0 {
					r.next = state
				}
			}
		}
	}
	s := &System[count]{Topology: netem.BiRing(3), Network: Network{FIFO: true, Commutes: true}, Properties: []Property{{"two", Eventually, ""}}}
	if random.IntN(3) > 0 {
		s.Bound, s.Step = 1+random.IntN(2), time.Millisecond/2
	}
	for set := 1; set < 8; set++ {
		s.Properties = append(s.Properties, Property{fmt.Sprint("set ", set), Sometimes, ""})
	}
	s.Roots = []Root[count]{{
		Boot:       func(p protocols.ID) protocols.Process[count] { return &machine{table: tables[p]} },
		Initiators: []protocols.ID{0, 1, 2}[:1+random.IntN(3)], Watch: &machineWatch{},
	}}
	return s
}

// A reduced search says what a full one says, of random systems: what is violated, and which
// processes come to a state together. It comes to rest in as many states, unless timers are
// idle: then states differ by timers that have expired.
func TestReducedSearchSaysWhatAFullOneSays(t *testing.T) {
	reduced, idle, violated := 0, 0, 0
	seeds := []uint64{409, 709, 803, 825, 1409, 1671} // each condition of a persistent set decides one of them
	for seed := range uint64(200) {
		seeds = append(seeds, seed)
	}
	for _, seed := range seeds {
		calm := seed%2 == 0
		explored := func(reduce bool) *Result {
			return mustExplore(t, machines(rand.New(rand.NewPCG(seed, 1)), calm), Options{Reduce: reduce, Workers: 1, MaxStates: 3_000, alwaysIdle: true})
		}
		full, less := explored(false), explored(true)
		if full.Stopped != nil {
			continue
		}
		if said(full) != said(less) {
			t.Errorf("seed %d: %s reduced: %s", seed, said(full), said(less))
		}
		if full.Counterexample != nil {
			violated++
			continue
		}
		sp := newSpace(machines(rand.New(rand.NewPCG(seed, 1)), calm))
		se := withIdleTimers(context.Background(), sp, Options{Reduce: true, Workers: 1, MaxMemory: DefaultMemory, alwaysIdle: true})
		switch {
		case se != nil && se.workers[0].setTimer:
			idle++
		case less.Rests != full.Rests:
			t.Errorf("seed %d: at rest in %d states, in full in %d", seed, less.Rests, full.Rests)
		case less.States < full.States:
			reduced++
		}
	}
	t.Logf("%d reduced, %d with idle timers, %d violated", reduced, idle, violated)
	if reduced < 30 || idle < 15 || violated < 30 {
		t.Errorf("%d reduced, %d with idle timers and %d violated are too few", reduced, idle, violated)
	}
}

// said is the answer of a search.
func said(r *Result) string {
	if r.Counterexample != nil {
		return "violated"
	}
	return fmt.Sprintln(verdicts(r), r.Complete)
}

// The same with faults, of processes that ask which of their neighbours have crashed: a search is
// reduced when no fault can strike any more, and not before.
func TestReducedSearchWithFaultsSaysWhatAFullOneSays(t *testing.T) {
	for _, c := range []struct {
		budget Budget
		least  int // searches that are smaller
	}{{Budget{Crashes: 1}, 10}, {Budget{Crashes: 1, Restarts: 1}, 3}, {Budget{Losses: 1}, 3}, {Budget{Duplicates: 1}, 3}, {Budget{LinkChanges: 1}, 10}} {
		reduced := 0
		for seed := range uint64(20) {
			explored := func(reduce bool) *Result {
				return mustExplore(t, asking(machines(rand.New(rand.NewPCG(seed, 2)), false), c.budget), Options{Reduce: reduce, Workers: 1, MaxStates: 3_000, alwaysIdle: true})
			}
			full := explored(false)
			if full.Stopped != nil {
				continue
			}
			less := explored(true)
			if said(full) != said(less) || full.Rests != less.Rests {
				t.Errorf("%+v, seed %d: %s and %d states at rest; reduced: %s and %d", c.budget, seed, said(full), full.Rests, said(less), less.Rests)
			}
			if less.States < full.States {
				reduced++
			}
		}
		if reduced < c.least {
			t.Errorf("%+v: %d of 20 searches are smaller, which is too few", c.budget, reduced)
		}
	}
}

// asking is the system with machines that ask for crashes, and with faults. No property is violated
// by them.
func asking(s *System[count], b Budget) *System[count] {
	s.Budget, s.Properties[0].Kind = b, Sometimes
	boot := s.Roots[0].Boot
	s.Roots[0].Boot = func(p protocols.ID) protocols.Process[count] {
		m := boot(p).(*machine)
		m.asks = true
		return m
	}
	return s
}

// keeper passes a token on, and keeps it in mind until a timer expires.
type keeper struct {
	does  string
	open  int // timers that have not expired
	late  bool
	shown bool // what a watch sees
}

func (k *keeper) Start(n protocols.Node[count]) { k.Receive(n, 0, 4) }

func (k *keeper) Receive(n protocols.Node[count], _ protocols.ID, hops count) {
	switch {
	case k.does == "panics while it waits" && k.open > 0:
		panic("too early")
	case k.does == "takes a hop more once it was late" && k.late, k.does == "takes a hop more while it waits for two" && k.open == 2:
		hops--
	case k.does == "shows that it waits for two" && k.open == 2:
		k.shown = true
	}
	if hops > 0 {
		n.Send(n.Neighbor(0), hops-1)
		k.open++
		n.SetTimer(protocols.Timer(k.open), 2*time.Millisecond)
	}
}

func (k *keeper) Timeout(n protocols.Node[count], label protocols.Timer) {
	two := k.open == 2
	k.open = max(0, k.open-1)
	k.late = k.does == "takes a hop more once it was late"
	switch {
	case k.does == "sends", k.does == "sends when it waits for two" && two:
		n.Send(n.Neighbor(0), 0)
	case label < 8 && (k.does == "waits again" || k.does == "waits again when it waits for two" && two):
		n.SetTimer(8, time.Millisecond)
	case k.does == "shows its expiry", k.does == "shows its expiry when it waits for two" && two:
		k.shown = true
	}
}

// keeperWatch notes what is shown.
type keeperWatch struct {
	quiet
	shown [3]bool
}

func (w *keeperWatch) Received(p protocols.ID, process any, _ time.Duration) {
	w.shown[p] = process.(*keeper).shown
}

func (w *keeperWatch) Expired(p protocols.ID, process any, _ time.Duration) {
	w.shown[p] = process.(*keeper).shown
}

// A timer matters if its expiry changes what is sent or watched, then or later. The searches
// in which timers are idle fail for such a timer. They succeed for a timer without effect.
func TestTimersThatMatterAreNotIdle(t *testing.T) {
	for does, idle := range map[string]bool{
		"nothing": true, "panics while it waits": false,
		"sends": false, "waits again": false, "shows its expiry": false,
		"sends when it waits for two": false, "waits again when it waits for two": false, "shows its expiry when it waits for two": false,
		"takes a hop more once it was late": false, "takes a hop more while it waits for two": false, "shows that it waits for two": false,
	} {
		for _, bound := range []int{0, 1} {
			s := &System[count]{
				Topology: netem.Ring(3), Network: Network{FIFO: true, Bound: bound, Step: time.Millisecond / 2},
				Properties: []Property{{"rest", Finally, ""}},
				Roots: []Root[count]{{
					Boot:       func(protocols.ID) protocols.Process[count] { return &keeper{does: does} },
					Initiators: []protocols.ID{0, 1}, Watch: &keeperWatch{},
				}},
			}
			se := withIdleTimers(context.Background(), newSpace(s), Options{Reduce: true, Workers: 1, MaxMemory: DefaultMemory})
			if (se != nil) != idle {
				t.Errorf("%s, bound %d: idle %v, want %v", does, bound, se != nil, idle)
			}
			full, less := mustExplore(t, s, Options{}), mustExplore(t, s, Options{Reduce: true})
			if verdicts(full) != verdicts(less) || strings.Contains(verdicts(full), "no-panic violated") != strings.HasPrefix(does, "panics") {
				t.Errorf("%s, bound %d: %s; in full %s", does, bound, verdicts(less), verdicts(full))
			}
			if idle && 4*less.States > 3*full.States {
				t.Errorf("%s, bound %d: %d states of %d", does, bound, less.States, full.States)
			}
		}
	}
}

// A process whose timer expires again and again does not keep a reduced search from what
// the others do.
func TestNothingIsPutOffForEver(t *testing.T) {
	s := &System[count]{
		Topology: netem.Ring(3), Network: Network{FIFO: true, Commutes: true}, Properties: []Property{{"done", Sometimes, ""}},
		Roots: []Root[count]{{
			Boot: func(p protocols.ID) protocols.Process[count] {
				if p == 1 {
					return &counter{most: 2}
				}
				return &waiter{}
			},
			Initiators: []protocols.ID{0, 1}, Watch: &waitWatch{},
		}},
	}
	if r := mustExplore(t, s, Options{Reduce: true}); verdicts(r) != "no-panic holds, done holds" {
		t.Errorf("%s, %d states", verdicts(r), r.States)
	}
}
