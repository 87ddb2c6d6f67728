package faults

import (
	"slices"
	"time"

	"bullring/des"
	"bullring/protocols"
	"bullring/protocols/links"
)

// mostInSwarm is how many faults a swarm has at most: few enough to understand
// what went wrong, enough to meet each other.
const mostInSwarm = 12

// swarm draws which classes of faults there are in this run, and how often each
// (Groce et al., Swarm testing, ISSTA 2012), and then the faults.
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

// tickOf is the largest power of ten nanoseconds that is at most a hundredth of
// the time there is: instants are then easy to read, and meet.
func tickOf(until time.Duration) time.Duration {
	tick := time.Duration(1)
	for tick <= until/1000 {
		tick *= 10
	}
	return tick
}

// weights draws a weight for each class, 0 for those that this run does not have;
// it has at least one.
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

// choose is the class to which the k-th part of the total weight belongs.
func choose(weights map[string]int, k int) string {
	for _, class := range classes {
		if k -= weights[class]; k < 0 {
			return class
		}
	}
	panic("faults: more than the total weight")
}

// drawn draws a fault of a class, unless there is none in this system.
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
}

// coin is true once in so many times.
func (d *draw) coin(sides int) bool { return d.stream.Intn(sides) == 0 }

// ticks is how many there are until the end.
func (d *draw) ticks() int { return max(1, int(time.Duration(d.Until)/d.tick)) }

// lasting is a fault at a random instant that is over when the swarm ends, or,
// where nothing heals then, sometimes never.
func (d *draw) lasting(k Kind) Fault {
	f := d.passing(k)
	if !d.Heal && d.coin(4) {
		f.For = 0
	}
	return f
}

// passing is a fault that is over when the swarm ends.
func (d *draw) passing(k Kind) Fault {
	t := d.stream.Intn(d.ticks())
	f := at(des.Time(t)*des.Time(d.tick), k)
	f.For = d.tick * time.Duration(1+d.stream.Intn(d.ticks()-t))
	return f
}

// befall gives the fault a process that may fail, if there is one.
func (d *draw) befall(f *Fault) bool {
	if len(d.able) == 0 {
		return false
	}
	f.Process = d.able[d.stream.Intn(len(d.able))]
	return true
}

// interval is when a process is down, as far as the plan can tell.
type interval struct {
	who      protocols.ID // Anyone, if the plan cannot tell
	from, to des.Time
}

// fits reports whether a process may be down for a time, and notes it if so. It
// may not be down already, and not too many others at any instant.
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
	if meeting >= d.most() {
		return false
	}
	d.down = append(d.down, v)
	return true
}

// crashing is a crash that is over when the swarm ends, or, where nobody restarts,
// never.
func (d *draw) crashing() Fault {
	f := d.lasting(Crash)
	if !slices.Contains(d.classes(), restarts) {
		f.For = 0
	}
	return f
}

// crash draws a crash for good; if everything heals, until then.
func (d *draw) crash() (Fault, bool) {
	f := d.passing(Crash)
	f.For = 0
	return f, d.befall(&f) && d.fits(interval{f.Process, f.When.At, des.MaxTime})
}

// bounce draws a crash with a restart.
func (d *draw) bounce() (Fault, bool) {
	f := d.passing(Crash)
	return f, d.befall(&f) && d.fits(interval{f.Process, f.When.At, f.When.At.Add(f.For)})
}

// partial draws a crash in the middle of a step. When it will be is not known.
func (d *draw) partial() (Fault, bool) {
	f := d.crashing()
	f.Amid = true
	if most := d.n; d.coin(2) {
		f.Count = uint64(d.stream.Intn(most))
	} else {
		f.Count = uint64(d.stream.Intn(min(most, 4)))
	}
	if len(d.kinds) > 0 && d.coin(2) {
		f.Message = d.kinds[d.stream.Intn(len(d.kinds))]
	}
	ok := d.befall(&f) && d.fits(interval{f.Process, f.When.At, des.MaxTime})
	if ok {
		d.repairs = max(d.repairs, f.For)
	}
	return f, ok
}

// leaderCrash draws the crash of whoever becomes leader. Nobody can be spared
// then.
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
	return f, d.befall(&f) && d.fits(interval{f.Process, f.When.At, until})
}

func (d *draw) pause() (Fault, bool) {
	f := d.lasting(Pause)
	return f, d.befall(&f)
}

func (d *draw) slow() (Fault, bool) {
	f := d.lasting(Slow)
	f.By = d.some()
	return f, d.befall(&f)
}

// some is a duration that is short in comparison with the swarm.
func (d *draw) some() time.Duration { return d.tick * time.Duration(1+d.stream.Intn(20)) }

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
		f.Down, f.Up = d.some(), d.some()
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
	return f, d.befall(&f)
}

// chance draws a probability, or that nothing is said of it.
func (d *draw) chance() des.Probability {
	of := []des.Probability{0, des.Ratio(1, 20), des.Ratio(1, 5), des.Ratio(1, 2)}
	return of[d.stream.Intn(len(of))]
}

// rule draws which messages are affected.
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
	f.By = d.some()
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
		f.By = time.Duration(sign) * d.some()
	}
	return f, d.befall(&f)
}

// swarmLines are the lines to which a swarm changes links.
var swarmLines = []string{"loss 10%", "loss 30%", "loss 60%", "duplicate 10%", "duplicate 30%"}

func (d *draw) link() (Fault, bool) {
	f := d.lasting(Link)
	f.Links = d.links()
	f.Line = swarmLines[d.stream.Intn(len(swarmLines))]
	return f, true
}

// lie draws a process that gives itself out for one of the identities 1 to n, or
// for one above them, or for several.
func (d *draw) lie() (Fault, bool) {
	f := d.lasting(Equivocate)
	if d.coin(2) {
		f.Kind, f.As = Lie, int64(1+d.stream.Intn(d.n+1))
	}
	return f, d.befall(&f)
}

// heal ends the swarm: from then on nothing fails, and everybody is there. Who
// crashed when something happened is back after its time, and then one starts.
func (d *draw) heal() {
	d.add(at(d.Until, HealAll))
	for _, v := range d.down {
		if v.who != Anyone && v.to == des.MaxTime {
			f := at(d.Until, Restart)
			f.Process = v.who
			d.add(f)
		}
	}
	f := at(d.Until, Start)
	if d.repairs > 0 {
		f.When.At = min(d.Until.Add(d.repairs+d.tick), des.Time(des.MaxDuration))
	}
	f.Process = protocols.ID(d.stream.Intn(d.n))
	if len(d.initiators) > 0 {
		f.Process = d.initiators[d.stream.Intn(len(d.initiators))]
	}
	d.add(f)
}
