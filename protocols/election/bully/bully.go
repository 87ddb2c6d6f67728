// Package bully is Garcia-Molina's bully election in the form of the textbooks. A process
// that notices the death of the coordinator asks the higher processes whether they live.
// A higher one that lives answers and takes over. A process that hears no answer is the
// coordinator, and tells the lower ones.
//
// Paper: H. Garcia-Molina, "Elections in a distributed computing system", IEEE
// Transactions on Computers C-31(1), 1982; G. Coulouris, J. Dollimore, T.
// Kindberg and G. Blair, "Distributed Systems: Concepts and Design", 5th
// edition, section 15.3.
//
// Model: synchronous complete graph; a message takes at most t, a reaction p,
// so that T = 2t + p without an ANSWER means death. Processes crash and recover, and know
// all ranks.
//
// Cost, N processes configured, any set of them dead from the start, one
// detector d. P is d and the living above d, M the best living process:
//
//	ELECTION     the sum over q in P of the number of ranks above q; B: one
//	             less if d skips a coordinator; C: counting the living only
//	ANSWER       |P|(|P|-1)/2
//	COORDINATOR  the number of ranks below M; C: counting the living only
//	time         until the last one knows, in units of t, in which p
//	             is, too: 4+2p (A and B, d below M; 5+2p with
//	             start-after-answer); 3+p if d is M and asks dead ones in
//	             vain; 2+p if M knows that no process is above it; 1 if d is
//	             that M
//
// Several detectors cost what the lowest does (B: less what each skips) if all of
// them are below M or all the living detect at once. If M is one of several and
// announces at once, its COORDINATOR and the others' ELECTION arrive together,
// and their order decides which processes still start an election.
//
// With only the coordinator dead and k = N-d: A k^2+N-2, B k^2+N-3, C
// k(k-1)+N-2; between N-2 and O(N^2) messages. The literature counts in three ways;
// all are offered, as the variants A, B and C.
//
// Invariants, as long as the bounds on time hold: a process announces itself
// only if no higher one lives, so the winner of a run is the best living process.
// COORDINATOR goes downwards and ELECTION upwards only. A process starts its own
// election once a run. A message slower than t can make two coordinators.
//
// Deviations from the textbooks, which leave these points open: (1) A run is over for a
// process T after it learnt or announced the coordinator; until then it answers late
// ELECTION messages, but they start nothing. (2) The wait for COORDINATOR, T', is
// counted from the first ANSWER. (3) A process ignores a detection during an election. (4)
// The time p delays the reaction to ELECTION alone. A second ELECTION of the same sender
// within that time restarts the delay, and both get one ANSWER. (5) Garcia-Molina's
// reorganisation of the group, with its own messages, is left out, as in the textbooks.
// (6) A process that recovers, or tries again, skips no process under B: it has found no
// coordinator dead. (7) "Higher" means the better rank, which is the larger one unless
// the order says otherwise.
package bully

import (
	"fmt"
	"time"

	"bullring/protocols"
	"bullring/protocols/election"
)

// Message carries the rank of its sender.
type Message = election.Ranked[kinds]

// The three messages.
const (
	Election    protocols.Type = iota // to the higher processes: do you live?
	Answer                            // to a lower one: I live, and take over
	Coordinator                       // to the lower ones: I am the coordinator
)

// kinds names the messages.
type kinds struct{}

func (kinds) Names() []string { return names }

var names = []string{"ELECTION", "ANSWER", "COORDINATOR"}

// Convention says which processes are sent ELECTION. The literature counts in three ways.
type Convention uint8

// The three conventions.
const (
	// SkipCoordinator, B: the detector of a dead coordinator leaves it out; other
	// processes send to all higher ones.
	SkipCoordinator Convention = iota
	// All, A: a process sends to all higher ones, known to be dead or not.
	All
	// PerfectDetector, C: a process sends nothing to a suspected one. It announces
	// at once if it suspects all higher ones.
	PerfectDetector
)

// String names the convention.
func (c Convention) String() string {
	return [...]string{"skip coordinator", "all", "perfect detector"}[c]
}

// Config chooses the variant and its times.
type Config struct {
	Convention Convention
	// StartAfterAnswer: a process starts its own election Transmission after its
	// ANSWER, when that has arrived, and not at once. Then a run takes the "five
	// message times" of the literature, and not four.
	StartAfterAnswer bool
	// Transmission bounds the delay of a message (T_trans); positive.
	Transmission time.Duration
	// Processing is the time from the arrival of ELECTION to the reaction (T_proc).
	Processing time.Duration
	// Restart is the wait for COORDINATOR after an ANSWER (T'), at least 2T; zero
	// means 2T. The coordinator announces itself T after its own election began, which
	// may be a Transmission after its ANSWER.
	Restart time.Duration
	// Order says which rank wins.
	Order election.Order
}

// T is the wait for an ANSWER: the way there, the reaction, and the way back.
func (c Config) T() time.Duration { return 2*c.Transmission + c.Processing }

// Validate reports what is wrong with the configuration.
func (c Config) Validate() error {
	switch {
	case c.Convention > PerfectDetector:
		return fmt.Errorf("bully: no convention %d", c.Convention)
	case c.Transmission <= 0:
		return fmt.Errorf("bully: Transmission is %v, and must be positive", c.Transmission)
	case c.Processing < 0:
		return fmt.Errorf("bully: Processing is %v, and must not be negative", c.Processing)
	case c.Restart != 0 && c.Restart < 2*c.T():
		return fmt.Errorf("bully: Restart is %v, less than 2T = %v", c.Restart, 2*c.T())
	}
	return nil
}

// phase is the phase of a process in a run.
type phase uint8

const (
	idle     phase = iota
	delaying       // has answered, and will start its election in a Transmission
	electing       // has sent ELECTION, and waits T for an ANSWER
	waiting        // was answered, and waits T' for COORDINATOR
	settled        // knows the coordinator; the run is over in T
)

func (ph phase) String() string {
	return [...]string{"idle", "delaying", "electing", "waiting", "settled"}[ph]
}

// The labels of timers: runTimer ends the current phase, and reaction + q ends the
// Processing of the ELECTION of process q.
const (
	runTimer protocols.Timer = iota
	reaction
)

// Process is one process of the group.
type Process struct {
	self     protocols.ID
	ranks    []election.Rank // by address
	cfg      Config
	phase    phase
	decision election.Decision
}

var (
	_ election.Process[Message]    = (*Process)(nil)
	_ protocols.Recoverer[Message] = (*Process)(nil)
)

// New returns the process at address self of a group with these ranks, by address.
// Processes share the slice, which must not be modified. It panics on an invalid
// configuration.
func New(self protocols.ID, ranks []election.Rank, cfg Config) *Process {
	if err := cfg.Validate(); err != nil {
		panic(err)
	}
	if cfg.Restart == 0 {
		cfg.Restart = 2 * cfg.T()
	}
	return &Process{self: self, ranks: ranks, cfg: cfg}
}

// Candidate reports whether the process has sent ELECTION, and waits for an ANSWER.
func (p *Process) Candidate() bool { return p.phase == electing }

// Decision implements [election.Elector].
func (p *Process) Decision() election.Decision { return p.decision }

// Start tells that this process has found the coordinator dead.
func (p *Process) Start(n protocols.Node[Message]) {
	if p.phase != idle && p.phase != settled {
		return
	}
	top := p.top()
	if p.cfg.Convention == SkipCoordinator && n.Suspects(top) {
		p.elect(n, top)
	} else {
		p.elect(n, nobody)
	}
}

// Recover starts an election: this process may be the coordinator again.
func (p *Process) Recover(n protocols.Node[Message]) { p.elect(n, nobody) }

// Receive handles the three messages.
func (p *Process) Receive(n protocols.Node[Message], from protocols.ID, m Message) {
	if fromHigher := p.higher(from, p.self); fromHigher == (m.Type == Election) {
		panic(fmt.Sprintf("bully: process %v received %v from the wrong side", p.ranks[p.self], m))
	}
	switch m.Type {
	case Election:
		if p.cfg.Processing > 0 {
			n.SetTimer(reaction+protocols.Timer(from), p.cfg.Processing)
		} else {
			p.react(n, from)
		}
	case Answer:
		if p.phase == electing {
			p.enter(n, waiting, p.cfg.Restart)
		}
	case Coordinator:
		p.settle(n, m.Rank)
	default:
		panic(protocols.Unknown(m))
	}
}

// Timeout handles the end of the current phase, and the reactions due.
func (p *Process) Timeout(n protocols.Node[Message], t protocols.Timer) {
	if t >= reaction {
		p.react(n, protocols.ID(t-reaction))
		return
	}
	switch p.phase {
	case delaying, waiting: // it is time, or the process that answered has died too
		p.elect(n, nobody)
	case electing: // all higher ones are dead
		p.announce(n)
	case settled:
		p.phase = idle
	default:
		panic(fmt.Sprintf("bully: process %v is %v, yet a timer expired", p.ranks[p.self], p.phase))
	}
}

// TimerName implements [protocols.TimerNamer].
func (*Process) TimerName(t protocols.Timer) string {
	if t == runTimer {
		return "run"
	}
	return "reaction"
}

// react answers a lower process and takes the election over, once a run.
func (p *Process) react(n protocols.Node[Message], lower protocols.ID) {
	p.send(n, lower, Answer)
	switch {
	case p.phase != idle:
	case p.cfg.StartAfterAnswer:
		p.enter(n, delaying, p.cfg.Transmission)
	default:
		p.elect(n, nobody)
	}
}

// nobody is the address of no process.
const nobody protocols.ID = -1

// elect asks the higher processes, except skip. If there are none, this process has won.
func (p *Process) elect(n protocols.Node[Message], skip protocols.ID) {
	asked := false
	for port := range n.Degree() {
		q := n.Neighbor(port)
		if q != skip && p.higher(q, p.self) && p.send(n, q, Election) {
			asked = true
		}
	}
	if asked {
		p.enter(n, electing, p.cfg.T())
	} else {
		p.announce(n)
	}
}

// announce makes this process the coordinator.
func (p *Process) announce(n protocols.Node[Message]) {
	for port := range n.Degree() {
		if q := n.Neighbor(port); p.higher(p.self, q) {
			p.send(n, q, Coordinator)
		}
	}
	p.settle(n, p.ranks[p.self])
}

// settle ends the run. Its last messages travel or are processed for less than T, and
// must not start another run.
func (p *Process) settle(n protocols.Node[Message], coordinator election.Rank) {
	p.decision = election.Decide(p.ranks[p.self].ID, coordinator.ID)
	p.enter(n, settled, p.cfg.T())
}

// enter begins a phase. Its timer replaces that of the last phase.
func (p *Process) enter(n protocols.Node[Message], ph phase, lasting time.Duration) {
	p.phase = ph
	n.SetTimer(runTimer, lasting)
}

// send sends to q, unless the convention forbids it. It reports whether it has sent.
func (p *Process) send(n protocols.Node[Message], q protocols.ID, t protocols.Type) bool {
	if p.cfg.Convention == PerfectDetector && n.Suspects(q) {
		return false
	}
	n.Send(q, Message{Type: t, Rank: p.ranks[p.self]})
	return true
}

// higher reports whether q wins against r.
func (p *Process) higher(q, r protocols.ID) bool {
	return p.cfg.Order.Better(p.ranks[q], p.ranks[r])
}

// top is the process with the best rank, the coordinator before the run.
func (p *Process) top() protocols.ID {
	top := protocols.ID(0)
	for q := range protocols.ID(len(p.ranks)) {
		if p.higher(q, top) {
			top = q
		}
	}
	return top
}
