package faults

import (
	"fmt"
	"math/bits"
	"time"

	"bullring/des"
)

// Renewal is how a process fails and comes back, again and again, until an instant: Up is the time until
// it fails, Down the time until it is back. All of these times are independent.
type Renewal struct {
	Up, Down des.Distribution
	Until    des.Time // no failure begins then or later
}

// renewal is "mttf" DISTRIBUTION "mttr" DISTRIBUTION "until" INSTANT.
var renewal = part{
	func(p *parser, f *Fault) {
		const example = "fail 3 mttf exp(50ms) mttr exp(10ms) until 200ms"
		r := &Renewal{}
		p.expect("mttf", example)
		r.Up = read(p, parseDistribution)
		p.expect("mttr", example)
		r.Down = read(p, parseDistribution)
		p.expect("until", example)
		r.Until = p.instant()
		f.Renewal = r
	},
	func(f *Fault) string {
		r := f.Renewal
		return fmt.Sprintf(" mttf %v mttr %v until %v", r.Up, r.Down, r.Until)
	},
}

// check refuses more failures than a line may stand for.
func (r *Renewal) check() error {
	if cycle := r.Up.Mean() + r.Down.Mean(); cycle < time.Duration(r.Until)/mostDrawn {
		return fmt.Errorf("a failure every %v makes more than %d until %v", cycle, mostDrawn, r.Until)
	}
	return nil
}

// renewing is a process during the run that a fault makes fail again and again.
type renewing struct {
	law   des.Distribution // of the time that it is in its present state
	since des.Time         // when that began
	next  des.Time         // when it ends, if nothing puts that off
	down  bool
}

// renew has a process fail from now on.
func (i *Injector) renew(f *fault) {
	f.active = true
	f.life = renewing{law: f.Renewal.Up}
	i.stay(f)
}

// stay draws how long a process is in a state that it enters now.
func (i *Injector) stay(f *fault) {
	l := &f.life
	l.since = i.target.Now()
	l.next = l.since.After(max(1, l.law.Quantile(f.chance.Uint64())))
	i.await(f)
}

// await has the runtime tell when the process fails or is back, unless it is not to fail any more.
func (i *Injector) await(f *fault) {
	if l := &f.life; l.down || l.next < f.Renewal.Until {
		i.target.InterveneAt(l.next, f.ends())
	}
}

// turn has a process fail, or come back, if that is due. An instant that a fork has put off is passed over.
func (i *Injector) turn(f *fault) {
	l, now := &f.life, i.target.Now()
	switch {
	case now < l.next || !l.down && f.spent:
		return
	case l.down:
		i.target.RestartAt(f.who, now)
		l.law = f.Renewal.Up
	default:
		i.target.CrashAt(f.who, now)
		l.law = f.Renewal.Down
	}
	l.down = !l.down
	i.stay(f)
}

// forget draws anew when a process fails, or is back, given how long it has not. So what happens from now
// on is as likely as for somebody who does not know what was drawn.
func (i *Injector) forget(f *fault) {
	l, now := &f.life, i.target.Now()
	if !l.down && (f.spent || now >= f.Renewal.Until) { // it does not fail any more
		return
	}
	word := f.chance.Uint64()
	if age := now.Sub(l.since); age > 1 {
		if u, some := des.Below(l.law, age-1); some { // the words up to u stand for times that have passed
			left, _ := bits.Mul64(word, -(u + 1))
			word = u + 1 + left
		}
	}
	l.next = l.since.After(max(1, l.law.Quantile(word)))
	i.await(f)
}
