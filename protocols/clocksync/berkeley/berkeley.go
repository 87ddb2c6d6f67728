// Package berkeley is the Berkeley algorithm: a master polls all clocks, averages those
// that agree, and tells each process by how much to correct its own.
//
// Paper: R. Gusella and S. Zatti, "The Accuracy of the Clock Synchronization Achieved
// by TEMPO in Berkeley UNIX 4.3BSD", IEEE Transactions on Software Engineering 15(7),
// 1989; A. S. Tanenbaum and M. van Steen, "Distributed Systems", the section on
// physical clocks; G. Coulouris, J. Dollimore, T. Kindberg and G. Blair, "Distributed
// Systems: Concepts and Design", 5th edition, section 14.3.2.
//
// Model: complete graph; one process is the master; clocks are off, and drift. Reliable
// links and no crashes. If the master waits only for a time, or begins another round after
// an interval, delays must be bounded. The wait is at least the time of a message there and back.
// So is the interval, or three messages where links do not keep the order, for a POLL must not
// overtake the ADJUST of the round before. The program itself tolerates more: answers that
// come after the wait do not count, and processes other than the master may crash; but then not
// all clocks are adjusted in that round.
//
// Cost, n processes, a round:
//
//	messages  n-1 POLL, n-1 TIME, n-1 ADJUST: 3(n-1)
//	time      3 with unit delays
//	accuracy  with delays between a and b and clocks that do not drift, a clock is
//	          estimated to within (b-a)/2; corrected clocks differ by b-a at most,
//	          two clocks by (b-a)/2. With one constant delay they are the same, to
//	          the nanosecond or two that division leaves
//
// Invariants: in a round the corrections of the averaged clocks add up to zero, except for
// the remainder of a division. A clock that stands out has no influence on the others.
//
// The fault-tolerant average is the mean of the largest set of clocks that differ from each
// other by no more than the range; of several such sets, the one with the slowest clocks. All
// processes that answered are adjusted, those outside the set too.
//
// Deviations from the papers: (1) One POLL measures a clock, and half of the round
// trip is taken for the way back; TEMPO sends several ICMP timestamps. (2) A
// correction takes effect at once, and may set a clock back; TEMPO slows it down.
// (3) The election of a master is left to election algorithms. (4) A node without a clock
// shows zero for ever.
package berkeley

import (
	"fmt"
	"slices"
	"time"

	"bullring/protocols"
	"bullring/protocols/clocksync"
)

// Config is the same for all processes.
type Config struct {
	// Master synchronizes the others when it is started.
	Master protocols.ID
	// Rounds is the number of rounds, at least 1.
	Rounds int
	// Interval is the time from the beginning of a round to the next, by the clock of
	// the master. A round that is not over by then is given up.
	Interval time.Duration
	// Range is the largest difference of averaged clocks; 0 averages all.
	Range time.Duration
	// Wait is the time that the master waits for answers; 0 waits for all.
	Wait time.Duration
}

// Validate reports what is wrong with the configuration.
func (c Config) Validate() error {
	switch {
	case c.Rounds < 1:
		return fmt.Errorf("berkeley: %d rounds; at least 1 is needed", c.Rounds)
	case c.Rounds > 1 && c.Interval <= 0:
		return fmt.Errorf("berkeley: %d rounds with an Interval of %v, which must be positive", c.Rounds, c.Interval)
	case c.Range < 0:
		return fmt.Errorf("berkeley: Range is %v, and must not be negative", c.Range)
	case c.Wait < 0, c.Rounds > 1 && c.Wait >= c.Interval:
		return fmt.Errorf("berkeley: Wait is %v; it is from 0 to less than the Interval, %v", c.Wait, c.Interval)
	}
	return nil
}

// Process is one process with its clock.
type Process struct {
	cfg        Config
	correction time.Duration
	adjusted   int

	// As the master.
	round   int
	polled  time.Duration // the instant of POLL, by its own corrected clock
	answers []answer      // by address; nil if no round is open
}

// answer is the answer of a process to POLL.
type answer struct {
	given  bool
	offset time.Duration // of its clock from that of the master
}

// String is the offset, or none.
func (a answer) String() string {
	if !a.given {
		return "none"
	}
	return a.offset.String()
}

var (
	_ protocols.Process[Message] = (*Process)(nil)
	_ clocksync.Clock            = (*Process)(nil)
)

// New returns a process. It panics on an invalid configuration.
func New(cfg Config) *Process {
	if err := cfg.Validate(); err != nil {
		panic(err)
	}
	return &Process{cfg: cfg}
}

// Correction implements [clocksync.Clock].
func (p *Process) Correction() time.Duration { return p.correction }

// Adjusted implements [clocksync.Clock].
func (p *Process) Adjusted() int { return p.adjusted }

// The timers of a master.
const (
	nextRound protocols.Timer = iota
	wait                      // answers are late
)

// Start begins the first round at the master, once.
func (p *Process) Start(n protocols.Node[Message]) {
	if n.ID() == p.cfg.Master && p.round == 0 {
		p.poll(n)
	}
}

// Receive handles the three messages.
func (p *Process) Receive(n protocols.Node[Message], from protocols.ID, m Message) {
	switch m.Type {
	case Poll:
		n.Send(from, Message{Time, m.Round, p.clock(n)})
	case Time:
		if m.Round == p.round && p.answers != nil {
			p.answered(n, from, m.Time)
		}
	case Adjust:
		p.adjust(m.Time)
	default:
		panic(protocols.Unknown(m))
	}
}

// Timeout begins the next round, or ends this one without the late answers.
func (p *Process) Timeout(n protocols.Node[Message], t protocols.Timer) {
	switch {
	case t == nextRound:
		p.poll(n)
	case t == wait && p.answers != nil:
		p.average(n)
	case t == wait:
		// The round is over: all have answered.
	default:
		panic(fmt.Sprintf("berkeley: process %d never sets timer %d, yet it expired", n.ID(), t))
	}
}

// TimerName implements [protocols.TimerNamer].
func (*Process) TimerName(t protocols.Timer) string {
	if t == nextRound {
		return "next round"
	}
	return "wait"
}

// poll begins a round.
func (p *Process) poll(n protocols.Node[Message]) {
	p.round++
	p.polled = p.clock(n)
	p.answers = make([]answer, n.Degree()+1)
	p.answers[n.ID()].given = true
	for port := range n.Degree() {
		n.Send(n.Neighbor(port), Message{Type: Poll, Round: p.round})
	}
	if p.round < p.cfg.Rounds {
		n.SetTimer(nextRound, p.cfg.Interval)
	}
	if p.cfg.Wait > 0 {
		n.SetTimer(wait, p.cfg.Wait)
	}
	p.look(n)
}

// answered estimates the offset of a clock: it showed that time half a round trip ago.
func (p *Process) answered(n protocols.Node[Message], from protocols.ID, shown time.Duration) {
	there := p.polled + (p.clock(n)-p.polled)/2
	p.answers[from] = answer{true, shown - there}
	p.look(n)
}

// look ends the round if all have answered.
func (p *Process) look(n protocols.Node[Message]) {
	if !slices.ContainsFunc(p.answers, func(a answer) bool { return !a.given }) {
		p.average(n)
	}
}

// average ends the round. It tells the processes that have answered their distance from
// the average.
func (p *Process) average(n protocols.Node[Message]) {
	var offsets []time.Duration
	for _, a := range p.answers {
		if a.given {
			offsets = append(offsets, a.offset)
		}
	}
	average := mean(agreeing(offsets, p.cfg.Range))
	for port := range n.Degree() {
		if q := n.Neighbor(port); p.answers[q].given {
			n.Send(q, Message{Adjust, p.round, average - p.answers[q].offset})
		}
	}
	p.adjust(average)
	p.answers = nil
}

func (p *Process) adjust(by time.Duration) {
	p.correction += by
	p.adjusted++
}

// clock is the time on the corrected clock.
func (p *Process) clock(n protocols.Node[Message]) time.Duration {
	return n.Now() + p.correction
}

// agreeing is the largest set of offsets that differ from each other by no more than
// within, of several sets the one with the smallest offsets. It is all offsets if within
// is 0.
func agreeing(offsets []time.Duration, within time.Duration) []time.Duration {
	slices.Sort(offsets)
	if within == 0 {
		return offsets
	}
	first, last := 0, 0
	for i, j := 0, 0; i < len(offsets); i++ {
		for j < len(offsets) && offsets[j]-offsets[i] <= within {
			j++
		}
		if j-i > last-first {
			first, last = i, j
		}
	}
	return offsets[first:last]
}

// mean is the mean, rounded towards zero. It does not overflow.
func mean(values []time.Duration) time.Duration {
	k := time.Duration(len(values))
	var whole, rest time.Duration
	for _, v := range values {
		whole += v / k
		rest += v % k
	}
	return whole + rest/k
}
