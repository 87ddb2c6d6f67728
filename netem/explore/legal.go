package explore

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

var errNoChange = errors.New("no more links may change")

// Possible says why a step is not possible; nil if it is. Only Step finds out that a process acts
// otherwise than the step says: draws fewer numbers, for example.
func (p *Player[M]) Possible(s Step) error {
	if s.What != Tick && (s.Who < 0 || int(s.Who) >= len(p.seats)) {
		return fmt.Errorf("there is no process %d; addresses are 0..%d", s.Who, len(p.seats)-1)
	}
	if s.What >= Up && (s.From < 0 || int(s.From) >= len(p.seats)) {
		return fmt.Errorf("there is no process %d; addresses are 0..%d", s.From, len(p.seats)-1)
	}
	if s.Sends >= 0 && p.left.Crashes == 0 {
		return errors.New("no more processes may crash")
	}
	if len(p.notices) > 0 && p.system.Notice == ExactNotice {
		if first := p.notices[0]; first.What != s.What || first.Who != s.Who || first.From != s.From {
			return fmt.Errorf("a process is told of its link first: %v", first)
		}
	}
	waiting := slices.ContainsFunc(p.seats, func(t seat[M]) bool { return t.waits && !t.crashed || t.boots })
	switch s.What {
	case Boot, Start, Crash, Restart:
		return p.mayLive(s)
	case Up, Down:
		return p.mayChange(s)
	case LinkUp, LinkDown:
		return p.mayBeTold(s)
	case Deliver, Timeout, Tick, Lose, Duplicate:
		if waiting {
			return errors.New("not all processes that start have started")
		}
	}
	switch s.What {
	case Timeout:
		return p.mayExpire(s)
	case Tick:
		return p.mayTick()
	}
	return p.mayArrive(s)
}

// mayLive checks a start, boot, crash or restart.
func (p *Player[M]) mayLive(s Step) error {
	seat := &p.seats[s.Who]
	switch {
	case s.What == Restart && !seat.crashed:
		return fmt.Errorf("process %d has not crashed", s.Who)
	case s.What == Restart && p.left.Restarts == 0:
		return errors.New("no more processes may come back")
	case s.What != Restart && seat.crashed:
		return fmt.Errorf("process %d has crashed", s.Who)
	case s.What == Crash && p.left.Crashes == 0:
		return errors.New("no more processes may crash")
	case s.What == Boot && !seat.boots:
		return fmt.Errorf("process %d has no service that begins", s.Who)
	}
	return nil
}

func (p *Player[M]) mayExpire(s Step) error {
	timers := p.seats[s.Who].timers
	i := slices.IndexFunc(timers, func(t setTimer) bool { return t.label == s.Timer })
	switch {
	case i < 0:
		return fmt.Errorf("process %d has no timer %d armed", s.Who, s.Timer)
	case p.system.Bound > 0 && timers[i].at > p.now:
		return fmt.Errorf("timer %d of process %d is not due before %v", s.Timer, s.Who, time.Duration(timers[i].at)*p.system.Step)
	case p.overdue() != "":
		return fmt.Errorf("%s arrives first", p.overdue())
	}
	return nil
}

// mayTick: time passes unless a message or a timer is due.
func (p *Player[M]) mayTick() error {
	if p.system.Bound == 0 {
		return errors.New("there is no time: delays are not bounded")
	}
	for i := range p.seats {
		for _, t := range p.seats[i].timers {
			if t.at <= p.now {
				return fmt.Errorf("timer %d of process %d expires first", t.label, i)
			}
		}
	}
	if m := p.overdue(); m != "" {
		return fmt.Errorf("%s arrives first", m)
	}
	return nil
}

// overdue is a message that must arrive now, "" for none.
func (p *Player[M]) overdue() string {
	if p.system.Bound == 0 {
		return ""
	}
	for on, messages := range p.links {
		for _, m := range messages {
			if m.until <= p.now {
				return fmt.Sprintf("%v %d->%d", m.content, on.from, on.to)
			}
		}
	}
	return ""
}

func (p *Player[M]) mayArrive(s Step) error {
	on, i := p.find(s)
	switch {
	case i < 0 && len(p.links[on]) == 0:
		return fmt.Errorf("nothing is under way from %d to %d", s.From, s.Who)
	case i < 0:
		return fmt.Errorf("what is under way from %d to %d is %s", s.From, s.Who, p.underWay(on))
	case i > 0 && p.system.FIFO && s.What != Lose: // it was lost before its turn came
		return fmt.Errorf("%v arrives first: the link keeps the order", p.links[on][0].content)
	case s.What == Lose && p.left.Losses == 0:
		return errors.New("no more messages may be lost")
	case s.What == Duplicate && p.left.Duplicates == 0:
		return errors.New("no more messages may be duplicated")
	}
	return nil
}

func (p *Player[M]) underWay(on channel) string {
	var words []string
	for _, m := range p.links[on] {
		words = append(words, fmt.Sprint(m.content))
	}
	return strings.Join(words, ", ")
}
