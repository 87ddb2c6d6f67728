package faults

import (
	"slices"
	"time"

	"bullring/des"
	"bullring/protocols"
	"bullring/protocols/links"
)

// mostInSwarm is the largest number of faults in a swarm: enough to interact, few enough
// to understand a failure.
const mostInSwarm = 12

// swarm draws the classes of faults of this run with their frequencies, and then the
// faults (Groce et al., Swarm testing, ISSTA 2012).
func (d *draw) swarm() {
	d.able, d.tick = d.Random.able(d.n), tickOf(time.Duration(d.Until))
	weights, total := d.weights()
	if d.Until > 0 && total > 0 {
		for range 1 + d.stream.Intn(mostInSwarm) {
			class := choose(weights, d.stream.Intn(total))
			if f, ok := drawn[class](d); ok {
				d.add(f)
			}
		}
	}
	d.inOrder()
	if d.Heal {
		d.heal()
	}
}

// tickOf is the largest power of ten nanoseconds that is at most a hundredth of the time
// there is. Instants that are multiples of it are easy to read and often coincide.
func tickOf(until time.Duration) time.Duration {
	tick := time.Duration(1)
	for tick <= until/1000 {
		tick *= 10
	}
	return tick
}

// weights draws a weight for each class; a class that this run does not have weighs 0. At
// least one class has a weight.
func (d *draw) weights() (weights map[string]int, total int) {
	weights = map[string]int{}
	of := d.classes()
	sure := of[d.stream.Intn(len(of))]
	for _, class := range of {
		on, weight := d.coin(2), 1+d.stream.Intn(10)
		if on || class == sure {
			weights[class] = weight
			total += weight
		}
	}
	return weights, total
}

// choose returns the class that owns unit k of the total weight.
func choose(weights map[string]int, k int) string {
	for _, class := range classes {
		if k -= weights[class]; k < 0 {
			return class
		}
	}
	panic("faults: more than the total weight")
}

// drawn has a function for each class that draws a fault; false if the system can have
// none.
var drawn = map[string]func(*draw) (Fault, bool){
	crashes:          (*draw).crash,
	restarts:         (*draw).bounce,
	partialBroadcast: (*draw).partial,
	leaderCrashes:    (*draw).leaderCrash,
	churn:            (*draw).leave,
	pauses:           (*draw).pause,
	slowness:         (*draw).slow,
	partitions:       (*draw).partition,
	cuts:             (*draw).cut,
	clogs:            (*draw).clog,
	omissions:        (*draw).omission,
	loss:             (*draw).dropping,
	delays:           (*draw).delaying,
	duplicates:       (*draw).duplicating,
	clocks:           (*draw).clock,
	changedLinks:     (*draw).link,
	lies:             (*draw).lie,
	linkChanges:      (*draw).linkChange,
}

// coin is true with probability 1/sides.
func (d *draw) coin(sides int) bool { return d.stream.Intn(sides) == 0 }

// ticks is the number of ticks until the end.
func (d *draw) ticks() int { return max(1, int(time.Duration(d.Until)/d.tick)) }

// lasting draws a fault that is over when the swarm ends. In a swarm that does not heal,
// one of four lasts for good.
func (d *draw) lasting(k Kind) Fault {
	f := d.passing(k)
	if !d.Heal && d.coin(4) {
		f.For = 0
	}
	return f
}

// passing draws a fault at a random instant that is over when the swarm ends.
func (d *draw) passing(k Kind) Fault {
	t := d.stream.Intn(d.ticks())
	f := faultAt(des.Time(t)*des.Time(d.tick), k)
	f.For = d.tick * time.Duration(1+d.stream.Intn(d.ticks()-t))
	return f
}

// ofProcess gives the fault a process that may fail, if there is one.
func (d *draw) ofProcess(f Fault) (Fault, bool) {
	if len(d.able) == 0 {
		return f, false
	}
	f.Process = d.able[d.stream.Intn(len(d.able))]
	return f, true
}

// downUntil does the same for a process that is down until then, if it may be.
func (d *draw) downUntil(f Fault, until des.Time) (Fault, bool) {
	f, ok := d.ofProcess(f)
	return f, ok && d.fits(interval{f.Process, f.When.At, until})
}

// interval is the time for which a process may be down.
type interval struct {
	who      protocols.ID // Anyone if it is not known in advance
	from, to des.Time
}

// fits reports whether a process may be down for a time, and notes it if so. The process
// must not be down already, nor too many others with it.
func (d *draw) fits(v interval) bool {
	meeting := 0
	for _, w := range d.down {
		if w.from < v.to && v.from < w.to {
			if w.who == v.who && v.who != Anyone {
				return false
			}
			meeting++
		}
	}
	if meeting >= d.mostDown() {
		return false
	}
	d.down = append(d.down, v)
	return true
}

// crashing draws a crash that is over when the swarm ends, or never in a swarm without
// restarts.
func (d *draw) crashing() Fault {
	f := d.lasting(Crash)
	if !slices.Contains(d.classes(), restarts) {
		f.For = 0
	}
	return f
}

// crash draws a crash that lasts until everything heals, or for good.
func (d *draw) crash() (Fault, bool) {
	f := d.passing(Crash)
	f.For = 0
	return d.downUntil(f, des.MaxTime)
}

// bounce draws a crash with a restart.
func (d *draw) bounce() (Fault, bool) {
	f := d.passing(Crash)
	return d.downUntil(f, f.When.At.Add(f.For))
}

// partial draws a crash in the middle of a step. Its instant is not known in advance.
func (d *draw) partial() (Fault, bool) {
	f := d.crashing()
	f.Amid = true
	most := min(d.n, 4)
	if d.coin(2) {
		most = d.n
	}
	f.Count = uint64(d.stream.Intn(most))
	if len(d.kinds) > 0 && d.coin(2) {
		f.Message = d.kinds[d.stream.Intn(len(d.kinds))]
	}
	f, ok := d.downUntil(f, des.MaxTime)
	if ok {
		d.repairs = max(d.repairs, f.For)
	}
	return f, ok
}

// leaderCrash draws a crash of the next leader. It cannot spare a process.
func (d *draw) leaderCrash() (Fault, bool) {
	f := d.crashing()
	f.When = Trigger{On: Leaders, Count: 1 + uint64(d.stream.Intn(3))}
	f.Process = Leader
	ok := d.Sparing == nil && d.fits(interval{Anyone, 0, des.MaxTime})
	if ok {
		d.repairs = max(d.repairs, f.For)
	}
	return f, ok
}

func (d *draw) leave() (Fault, bool) {
	f := d.lasting(Leave)
	until := des.MaxTime
	if f.For > 0 {
		until = f.When.At.Add(f.For)
	}
	return d.downUntil(f, until)
}

func (d *draw) pause() (Fault, bool) { return d.ofProcess(d.lasting(Pause)) }

func (d *draw) slow() (Fault, bool) {
	f := d.lasting(Slow)
	f.By = d.shortTime()
	return d.ofProcess(f)
}

// shortTime is a duration that is short in comparison with the swarm.
func (d *draw) shortTime() time.Duration { return d.tick * time.Duration(1+d.stream.Intn(20)) }

func (d *draw) partition() (Fault, bool) {
	f := d.lasting(Partition)
	possible := possibleShapes(nil, d.n)
	if len(possible) == 0 {
		return f, false
	}
	d.divide(&f, possible[d.stream.Intn(len(possible))])
	d.flap(&f)
	return f, true
}

func (d *draw) flap(f *Fault) {
	if d.coin(4) {
		f.Down, f.Up = d.shortTime(), d.shortTime()
	}
}

func (d *draw) cut() (Fault, bool) {
	f := d.lasting(Cut)
	f.Links = d.links()
	d.flap(&f)
	return f, true
}

func (d *draw) clog() (Fault, bool) {
	f := d.lasting(Clog)
	f.Links = d.links()
	return f, true
}

// links draws all links to or from a process, one to a neighbour on the ring,
// or one between any two processes.
func (d *draw) links() links.Set {
	p := protocols.ID(d.stream.Intn(d.n))
	q := protocols.ID(d.stream.Intn(d.n))
	switch d.stream.Intn(4) {
	case 0:
		return links.Between(links.Of(p), links.Addresses{})
	case 1:
		return links.Between(links.Addresses{}, links.Of(p))
	case 2:
		return links.Between(links.Of(p), links.Of((p+1)%protocols.ID(d.n)))
	}
	return links.Between(links.Of(p), links.Of(q))
}

func (d *draw) omission() (Fault, bool) {
	k := OmitSends
	if d.coin(2) {
		k = OmitReceives
	}
	f := d.lasting(k)
	f.With = d.chance()
	return d.ofProcess(f)
}

// chance draws a probability; 0 is none, which means always.
func (d *draw) chance() des.Probability {
	of := []des.Probability{0, des.Ratio(1, 20), des.Ratio(1, 5), des.Ratio(1, 2)}
	return of[d.stream.Intn(len(of))]
}

// rule draws a fault that affects certain messages.
func (d *draw) rule(k Kind) Fault {
	f := d.lasting(k)
	if len(d.kinds) > 0 && d.coin(2) {
		f.Message = d.kinds[d.stream.Intn(len(d.kinds))]
	}
	if d.coin(3) {
		f.From = protocols.ID(d.stream.Intn(d.n))
	}
	if d.coin(3) {
		f.To = protocols.ID(d.stream.Intn(d.n))
	}
	if d.coin(2) {
		f.Count = 1 + uint64(d.stream.Intn(2*d.n))
	} else {
		f.With = d.chance()
	}
	return f
}

func (d *draw) dropping() (Fault, bool) { return d.rule(Drop), true }

func (d *draw) delaying() (Fault, bool) {
	f := d.rule(Delay)
	f.By = d.shortTime()
	return f, true
}

func (d *draw) duplicating() (Fault, bool) { return d.rule(Duplicate), true }

func (d *draw) clock() (Fault, bool) {
	f := d.lasting(ClockOffset + Kind(d.stream.Intn(3)))
	sign := 1
	if d.coin(2) {
		sign = -1
	}
	if f.Kind == ClockDrift {
		f.Drift = int64(sign) * int64(1+d.stream.Intn(100)) * 1_000_000 // up to a tenth
	} else {
		f.By = time.Duration(sign) * d.shortTime()
	}
	return d.ofProcess(f)
}

// swarmLines are the lines to which a swarm changes links.
var swarmLines = []string{"loss 10%", "loss 30%", "loss 60%", "duplicate 10%", "duplicate 30%"}

func (d *draw) link() (Fault, bool) {
	f := d.lasting(Link)
	f.Links = d.links()
	f.Line = swarmLines[d.stream.Intn(len(swarmLines))]
	return f, true
}

// linkChange draws links that come up or go down.
func (d *draw) linkChange() (Fault, bool) {
	f := faultAt(des.Time(d.stream.Intn(d.ticks()))*des.Time(d.tick), Down)
	if d.coin(2) {
		f.Kind = Up
	}
	f.Links = d.links()
	return f, true
}

// lie draws a process that claims an identity from 1 to n+1, or several identities.
func (d *draw) lie() (Fault, bool) {
	f := d.lasting(Equivocate)
	if d.coin(2) {
		f.Kind, f.As = Lie, int64(1+d.stream.Intn(d.n+1))
	}
	return d.ofProcess(f)
}

// heal ends the swarm: from then on nothing fails, and every process is alive. A process
// whose crash has no known instant is back after its downtime; a process starts after
// that.
func (d *draw) heal() {
	d.add(faultAt(d.Until, HealAll))
	for _, v := range d.down {
		if v.who != Anyone && v.to == des.MaxTime {
			f := faultAt(d.Until, Restart)
			f.Process = v.who
			d.add(f)
		}
	}
	f := faultAt(d.Until, Start)
	if d.repairs > 0 {
		f.When.At = min(d.Until.Add(d.repairs+d.tick), des.Time(des.MaxDuration))
	}
	f.Process = protocols.ID(d.stream.Intn(d.n))
	if len(d.initiators) > 0 {
		f.Process = d.initiators[d.stream.Intn(len(d.initiators))]
	}
	d.add(f)
}
