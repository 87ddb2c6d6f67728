package vkt

import (
	"fmt"
	"slices"
	"time"

	"bullring/protocols"
	"bullring/protocols/election"
)

// Config is the same for all processes.
type Config struct {
	// Order says which rank wins.
	Order election.Order
	// Beacon is the interval between two beacons of a process, and between two probes of one that it
	// waits for. It must be positive, and should be above a round trip.
	Beacon time.Duration
	// Misses is the number of intervals without a message after which a neighbour is still one. It
	// must be positive.
	Misses int
	// Heartbeat is the interval between two heartbeats of the leader. It must be positive.
	Heartbeat time.Duration
	// LeaderMisses is the number of heartbeats that may be missing before a process begins an election.
	// It must be positive.
	LeaderMisses int
}

// Validate reports what is wrong with the configuration.
func (c Config) Validate() error {
	switch {
	case c.Beacon <= 0:
		return fmt.Errorf("vkt: a beacon every %v; the interval is above 0s", c.Beacon)
	case c.Heartbeat <= 0:
		return fmt.Errorf("vkt: a heartbeat every %v; the interval is above 0s", c.Heartbeat)
	case c.Misses < 1 || c.LeaderMisses < 1:
		return fmt.Errorf("vkt: %d misses of a neighbour and %d of the leader; both are 1 or more", c.Misses, c.LeaderMisses)
	}
	return nil
}

// Settling is the time after the last change of a component of n processes within which it has come to
// one leader, if no message takes longer than delay: first neighbours are noticed, then a lost leader is
// missed, and the news of one that was lost before may be on its way meanwhile, so that both may happen
// twice. It is a rule with room, and not a bound that is proven.
func (c Config) Settling(n int, delay time.Duration) time.Duration {
	once := time.Duration(c.Misses+2)*c.Beacon + time.Duration(c.LeaderMisses+2)*c.Heartbeat + time.Duration(4*n)*delay
	return 2 * once
}

// The timers. Only an election that is not over keeps a run alive.
const (
	probeTimer  protocols.Timer = 0
	beaconTimer                 = protocols.Background
	pulseTimer                  = protocols.Background - 1
)

// phases is the number of instants at which the first beacon of a process may be sent.
const phases = 1000

// Beacons is a process that finds its neighbours by beacons, and watches the leader by heartbeats.
type Beacons struct {
	diffusion[ofBeacons]
	cfg Config

	ages    []int // by neighbour, in the order of near: intervals without a message
	silent  int   // intervals without a heartbeat of the leader
	beat    int   // the number of its last one
	probing bool  // the probe timer runs
}

var (
	_ election.Process[Beaconed]    = (*Beacons)(nil)
	_ protocols.Booter[Beaconed]    = (*Beacons)(nil)
	_ protocols.Recoverer[Beaconed] = (*Beacons)(nil)
	_ protocols.Stable[Beaconed]    = (*Beacons)(nil)
)

// NewBeacons returns the process with this rank. It panics on an invalid configuration.
func NewBeacons(rank election.Rank, cfg Config) *Beacons {
	if err := cfg.Validate(); err != nil {
		panic(err)
	}
	return &Beacons{diffusion: newDiffusion[ofBeacons](rank, cfg.Order, true), cfg: cfg}
}

// Boot implements [protocols.Booter]. The process knows its first neighbours, as if it had just heard
// a beacon of each. Its own beacons and heartbeats begin at random instants.
func (p *Beacons) Boot(n protocols.Node[Beaconed]) {
	p.near = append(p.near, protocols.Neighbors(n)...)
	p.ages = make([]int, len(p.near))
	n.SetTimer(beaconTimer, phase(n, p.cfg.Beacon))
	n.SetTimer(pulseTimer, phase(n, p.cfg.Heartbeat))
}

// phase draws an instant of the first interval.
func phase(n protocols.Node[Beaconed], interval time.Duration) time.Duration {
	return max(1, interval/phases) * time.Duration(1+n.Intn(phases))
}

// Start begins an election, unless the process takes part in one.
func (p *Beacons) Start(n protocols.Node[Beaconed]) {
	if !p.open {
		p.do(n, func() { p.begin(n, 0) })
	}
}

// Restore implements [protocols.Stable]. The index of the latest election survives a crash: a process
// that forgot it might join that election again, below one of its own descendants.
func (p *Beacons) Restore(crashed protocols.Process[Beaconed]) { p.index = crashed.(*Beacons).index }

// Recover implements [protocols.Recoverer]: a process that is back looks for its leader by an election.
func (p *Beacons) Recover(n protocols.Node[Beaconed]) { p.Start(n) }

// Receive handles the messages. Each is as good as a beacon.
func (p *Beacons) Receive(n protocols.Node[Beaconed], from protocols.ID, m Beaconed) {
	p.hear(n, from)
	switch m.Type {
	case Beacon, Reply:
	case Heartbeat:
		p.pulse(n, m)
	case Probe:
		p.do(n, func() { p.probed(n, from, m.Index) })
	default:
		p.do(n, func() { p.receive(n, from, m) })
	}
}

// Timeout handles the three timers.
func (p *Beacons) Timeout(n protocols.Node[Beaconed], t protocols.Timer) {
	switch t {
	case beaconTimer:
		n.SetTimer(beaconTimer, p.cfg.Beacon)
		protocols.Broadcast(n, Beaconed{Type: Beacon})
		p.do(n, func() { p.age(n) })
	case pulseTimer:
		n.SetTimer(pulseTimer, p.cfg.Heartbeat)
		p.do(n, func() { p.watch(n) })
	case probeTimer:
		n.SetTimer(probeTimer, p.cfg.Beacon)
		p.probe(n)
	default:
		panic(fmt.Sprintf("vkt: process %v never sets timer %d, yet it expired", p.rank, t))
	}
}

// TimerName implements [protocols.TimerNamer].
func (*Beacons) TimerName(t protocols.Timer) string {
	return map[protocols.Timer]string{probeTimer: "probe", beaconTimer: "beacon", pulseTimer: "heartbeat"}[t]
}

// do carries out a step, and then probes as long as there is an election, and counts the heartbeats of
// a new leader from the beginning.
func (p *Beacons) do(n protocols.Node[Beaconed], step func()) {
	led, leader := p.led, p.leader
	step()
	if p.led != led || p.leader != leader {
		p.silent, p.beat = 0, 0
	}
	if p.open == p.probing {
		return
	}
	if p.probing = p.open; p.open {
		n.SetTimer(probeTimer, p.cfg.Beacon)
	} else {
		n.StopTimer(probeTimer)
	}
}

// hear notes that a neighbour is there, or has come.
func (p *Beacons) hear(n protocols.Node[Beaconed], from protocols.ID) {
	i, known := slices.BinarySearch(p.near, from)
	if !known {
		p.ages = slices.Insert(p.ages, i, 0)
		p.met(n, from)
	}
	p.ages[i] = 0
}

// age makes the neighbours one interval older, and gives up those that were silent for too long.
func (p *Beacons) age(n protocols.Node[Beaconed]) {
	for i := range p.ages {
		p.ages[i]++
	}
	for {
		i := slices.IndexFunc(p.ages, func(age int) bool { return age > p.cfg.Misses })
		if i < 0 {
			return
		}
		p.ages = slices.Delete(p.ages, i, i+1)
		p.lost(n, p.near[i])
	}
}

// watch sends a heartbeat if the process leads, or waits for one. The process begins an election if it
// has waited for too long, or has had no leader for as long.
func (p *Beacons) watch(n protocols.Node[Beaconed]) {
	switch {
	case p.open:
	case p.led && p.leader == p.rank:
		p.beat++
		p.beats(n)
	case p.silent < p.cfg.LeaderMisses:
		p.silent++
	default:
		p.begin(n, 0)
	}
}

// beats tells the neighbours the last heartbeat of the leader.
func (p *Beacons) beats(n protocols.Node[Beaconed]) {
	protocols.Broadcast(n, Beaconed{Type: Heartbeat, Best: p.leader, Beat: p.beat})
}

// pulse takes a heartbeat of the leader, or of a better one, and passes it on once.
func (p *Beacons) pulse(n protocols.Node[Beaconed], m Beaconed) {
	known := p.led && p.leader == m.Best
	if p.open || known && m.Beat <= p.beat || p.led && p.order.Better(p.leader, m.Best) {
		return
	}
	p.led, p.leader, p.silent, p.beat = true, m.Best, 0, m.Beat
	p.beats(n)
}

// probe asks those for which the process waits: for an answer, or for the leader.
func (p *Beacons) probe(n protocols.Node[Beaconed]) {
	for _, q := range p.waiting {
		n.Send(q, Beaconed{Type: Probe, Index: p.index})
	}
	if p.reported {
		n.Send(p.parent, Beaconed{Type: Probe, Index: p.index})
	}
}

// probed answers a probe by what its sender has missed, if it has missed anything.
func (p *Beacons) probed(n protocols.Node[Beaconed], from protocols.ID, index Index) {
	switch c := index.compare(p.index); {
	case c > 0:
		p.join(n, index, from)
	case c == 0 && p.open && from == p.parent && p.reported:
		n.Send(from, Beaconed{Type: Ack, Index: p.index, Best: p.best})
	case c == 0 && p.open && from == p.parent:
		n.Send(from, Beaconed{Type: Reply, Index: p.index})
	default:
		n.Send(from, p.standing())
	}
}
