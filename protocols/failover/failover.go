// Package failover keeps a service going when its coordinator has crashed. A process that
// waits for the service looks whether the coordinator lives. If not, the live processes
// elect another one, by any algorithm for leader election, and show it their state.
//
// Paper: textbook; H. Garcia-Molina, "Elections in a Distributed Computing System",
// IEEE Transactions on Computers C-31(1), 1982 (an election is for a service that is
// reorganised afterwards); G. Coulouris, J. Dollimore, T. Kindberg and G. Blair,
// "Distributed Systems: Concepts and Design", 5th edition, section 15.2, "The central
// server algorithm" (what has to be done when the server fails).
//
// Model: asynchronous complete graph, reliable FIFO links, crash-stop, a failure detector
// without mistakes and without delay: it suspects a process from the moment of its crash.
// The election may assume more, such as a bound on delay, and then this algorithm assumes it
// too, except that processes start together.
//
// A message carries its epoch: the number of processes that had crashed when the election
// of the coordinator began. As the detector makes no mistakes, the epoch names its members,
// the processes that lived. All that elect in one epoch agree on them, and so on the
// network of the election. It is laid over theirs with the addresses 0..k-1; a ring closes
// over the dead.
//
//	detection    a waiting process looks every period whether the coordinator lives. If
//	             not, it enters the epoch of that moment and starts in its election. So
//	             does a process that gets a message of a later epoch than its own
//	election     counts only if no member has crashed when it is decided. Otherwise, and
//	             if a waiting process finds that a member has crashed, there is another
//	             epoch. So the algorithm may be one that tolerates no crash
//	the winner   tells the others (COORDINATOR), and the service changes its
//	             coordinator, which learns the state of all live processes; the service
//	             sends nothing before that
//
// Cost: that of the election among the s members, all of which start, s-1
// COORDINATOR, and the messages of the service for the change. In time, from the crash to
// the COORDINATOR: up to a period, the election, 1.
//
// Invariants: in an epoch at most one process is the coordinator, because its election
// had no crash. If an election numbers its terms, they count as part of the epoch.
// Messages of the service arrive only where sender and receiver are of the same epoch.
//
// A process that dies while it sends may have told some processes and not others. It has
// crashed by the time its message arrives. So a process that gets a message from a crashed
// coordinator begins the next epoch at once.
//
// Deviations: none; the textbooks leave open how a coordinator is replaced.
package failover

import (
	"fmt"
	"slices"
	"time"

	"bullring/protocols"
	"bullring/protocols/box"
	"bullring/protocols/election"
)

// Service is a process of a service with a coordinator that can be replaced.
type Service[S any] interface {
	protocols.Process[S]
	protocols.Coordinated[S]
}

// Contest is the election of an epoch at one of its members.
type Contest struct {
	// Process is the member, an [election.Process] in a box.
	Process protocols.Process[box.Message]
	// Neighbors are the addresses behind its ports, as indexes of members.
	Neighbors []protocols.ID
}

// String prints the decision of the member, or none.
func (c Contest) String() string {
	if c.Process == nil {
		return "none"
	}
	return box.Open(c.Process).(election.Elector).Decision().String()
}

// Config is the same for all processes.
type Config struct {
	// Coordinator is the first coordinator.
	Coordinator protocols.ID
	// Period is the interval at which a waiting process looks whether others live;
	// positive.
	Period time.Duration
	// Elect makes the contest of one member, by its index. Members are two or more,
	// ascending.
	Elect func(self int, members []protocols.ID) Contest `explore:"-"`
}

// nobody is the address of no process.
const nobody protocols.ID = -1

// The timers. Those of the service have labels from 0 to below these.
const (
	look         protocols.Timer = 3<<29 + iota // time to look whether others live
	contestTimer                                // of the contest, from here upwards
)

// terms is the number of terms for which an epoch has room.
const terms = 1 << 10

// Process is one process: a process of the service, and a contest during an election.
type Process[S protocols.Message] struct {
	service     Service[S]
	cfg         Config
	epoch       int          // terms times the number of the dead, plus the term of the election
	coordinator protocols.ID // of the epoch; nobody during its election
	looks       bool         // the timer look runs

	// During the election of the epoch.
	members []protocols.ID
	contest Contest
	timers  []protocols.Timer // the running timers of the contest, by its own labels
}

var _ protocols.Process[Message[protocols.Message]] = (*Process[protocols.Message])(nil)

// New wraps a process of the service. It panics without a period or an election.
func New[S protocols.Message](service Service[S], cfg Config) *Process[S] {
	if cfg.Period <= 0 || cfg.Elect == nil {
		panic(fmt.Sprintf("failover: a period of %v, an election %v; both are needed", cfg.Period, cfg.Elect != nil))
	}
	return &Process[S]{service: service, cfg: cfg, coordinator: cfg.Coordinator}
}

// Coordinator is the coordinator that the process knows, and its epoch. ok is false
// during an election.
func (p *Process[S]) Coordinator() (who protocols.ID, epoch int, ok bool) {
	return p.coordinator, p.epoch, p.coordinator != nobody
}

// Start starts the process of the service.
func (p *Process[S]) Start(n protocols.Node[Message[S]]) {
	p.service.Start(&serving[S]{p, n})
	p.watch(n)
}

// Receive handles a message of the service, of an election, or of its winner.
func (p *Process[S]) Receive(n protocols.Node[Message[S]], from protocols.ID, m Message[S]) {
	switch m.Type {
	case Serve:
		p.serve(n, from, m)
	case Elect:
		p.vote(n, from, m)
	case Coordinator:
		p.hear(n, from, m.Epoch)
	default:
		panic(protocols.Unknown(m))
	}
	p.watch(n)
}

// Timeout looks whether others live. Other timers go to the service or the contest.
func (p *Process[S]) Timeout(n protocols.Node[Message[S]], t protocols.Timer) {
	switch {
	case t == look:
		p.looks = false
		p.look(n)
	case t >= contestTimer:
		p.timers = slices.DeleteFunc(p.timers, func(u protocols.Timer) bool { return u == t-contestTimer })
		p.contest.Process.Timeout(&electing[S]{p, n}, t-contestTimer)
		p.count(n)
	default:
		p.service.Timeout(&serving[S]{p, n}, t)
	}
	p.watch(n)
}

// TimerName implements [protocols.TimerNamer].
func (p *Process[S]) TimerName(t protocols.Timer) string {
	switch {
	case t == look:
		return "look"
	case t >= contestTimer:
		return "contest " + protocols.TimerName(p.contest.Process, t-contestTimer)
	}
	return protocols.TimerName(p.service, t)
}

// watch runs the timer look while the process waits.
func (p *Process[S]) watch(n protocols.Node[Message[S]]) {
	switch waits := p.coordinator == nobody || p.service.Waits(); {
	case waits && !p.looks:
		p.looks = true
		n.SetTimer(look, p.cfg.Period)
	case !waits && p.looks:
		p.looks = false
		n.StopTimer(look)
	}
}

// look begins the next epoch if the coordinator or, during an election, a member has
// crashed. The coordinator makes its service look.
func (p *Process[S]) look(n protocols.Node[Message[S]]) {
	switch {
	case p.coordinator == nobody:
		if !p.unharmed(n) {
			p.begin(n)
		}
	case p.coordinator == n.ID():
		p.service.Coordinator(&serving[S]{p, n}, n.ID(), p.epoch)
	case n.Suspects(p.coordinator):
		p.begin(n)
	}
}

// serve handles a message of the service. If it is from a crashed coordinator the next
// epoch begins: others may have got no message.
func (p *Process[S]) serve(n protocols.Node[Message[S]], from protocols.ID, m Message[S]) {
	if m.Epoch != p.epoch || p.coordinator == nobody {
		return
	}
	p.service.Receive(&serving[S]{p, n}, from, m.Service)
	if from == p.coordinator && n.Suspects(from) {
		p.begin(n)
	}
}

// vote handles a message of an election. The process enters a later epoch.
func (p *Process[S]) vote(n protocols.Node[Message[S]], from protocols.ID, m Message[S]) {
	if m.Epoch > p.epoch {
		p.begin(n)
	}
	if m.Epoch != p.epoch || p.coordinator != nobody || m.Members != fingerprint(p.members) {
		return
	}
	if i := slices.Index(p.members, from); i >= 0 {
		p.contest.Process.Receive(&electing[S]{p, n}, protocols.ID(i), m.Ballot)
		p.count(n)
	}
}

// hear handles the news of a winner, unless it is old. A winner that has crashed may have
// told no other process.
func (p *Process[S]) hear(n protocols.Node[Message[S]], winner protocols.ID, epoch int) {
	switch {
	case epoch < p.epoch || epoch == p.epoch && p.coordinator != nobody:
	case n.Suspects(winner):
		p.begin(n)
	default:
		p.follow(n, winner, epoch)
	}
}

// begin enters the epoch of this moment and starts in its election, unless the process
// is in that epoch already.
func (p *Process[S]) begin(n protocols.Node[Message[S]]) {
	members := living(n)
	epoch := (n.Degree() + 1 - len(members)) * terms
	if epoch <= p.epoch {
		return
	}
	p.leave(n)
	p.epoch, p.coordinator, p.members = epoch, nobody, members
	if len(members) == 1 {
		p.lead(n, 0)
		return
	}
	self, _ := slices.BinarySearch(members, n.ID())
	p.contest = p.cfg.Elect(self, members)
	p.contest.Process.Start(&electing[S]{p, n})
	p.count(n)
}

// count makes the process the coordinator if it has won and no member has crashed
// meanwhile.
func (p *Process[S]) count(n protocols.Node[Message[S]]) {
	switch d := box.Open(p.contest.Process).(election.Elector).Decision(); {
	case d.Status != election.Leader:
	case p.unharmed(n):
		p.lead(n, d.Term)
	default:
		p.begin(n)
	}
}

// lead makes the process the coordinator.
func (p *Process[S]) lead(n protocols.Node[Message[S]], term int) {
	epoch := p.epoch + term
	for _, q := range p.members {
		if q != n.ID() {
			n.Send(q, Message[S]{Type: Coordinator, Epoch: epoch})
		}
	}
	p.follow(n, n.ID(), epoch)
}

// follow ends the election of an epoch: its coordinator is known.
func (p *Process[S]) follow(n protocols.Node[Message[S]], coordinator protocols.ID, epoch int) {
	p.leave(n)
	p.epoch, p.coordinator = epoch, coordinator
	p.service.Coordinator(&serving[S]{p, n}, coordinator, epoch)
}

// leave ends the part of this process in an election, if one is under way.
func (p *Process[S]) leave(n protocols.Node[Message[S]]) {
	for _, t := range p.timers {
		n.StopTimer(contestTimer + t)
	}
	p.members, p.contest, p.timers = nil, Contest{}, nil
}

// unharmed reports whether all members of the epoch live.
func (p *Process[S]) unharmed(n protocols.Node[Message[S]]) bool {
	return !slices.ContainsFunc(p.members, func(q protocols.ID) bool { return q != n.ID() && n.Suspects(q) })
}

// living are the live processes, ascending.
func living[M any](n protocols.Node[M]) []protocols.ID {
	all := []protocols.ID{n.ID()}
	for port := range n.Degree() {
		if q := n.Neighbor(port); q != n.ID() && !n.Suspects(q) {
			all = append(all, q)
		}
	}
	slices.Sort(all)
	return all
}

// fingerprint is a hash of members: FNV-1a over their addresses.
func fingerprint(members []protocols.ID) uint64 {
	h := uint64(14695981039346656037)
	for _, q := range members {
		h = (h ^ uint64(q)) * 1099511628211
	}
	return h
}
