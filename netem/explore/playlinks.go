package explore

import (
	"fmt"
	"slices"

	"bullring/netem"
	"bullring/protocols"
)

// changeLink carries out a change of a link. Its ends are to be told then.
func (p *Player[M]) changeLink(s Step) {
	k := netem.LinkBetween(s.Who, s.From)
	p.left.LinkChanges--
	p.down[k] = s.What == Down
	p.record(*netem.ChangeRecord(netem.Change{A: k.A, B: k.B, Up: s.What != Down}), nil)
	what := LinkUp
	if s.What == Down {
		what = LinkDown
	}
	for _, on := range [2]channel{{k.A, k.B}, {k.B, k.A}} {
		for _, m := range p.links[on] {
			p.counters.Cut++
			p.record(netem.Record{What: "cut", Who: on.to, From: on.from, Message: m.content, Number: m.number}, nil)
		}
		delete(p.links, on)
		if _, linked := protocols.AsLinked(p.seats[on.from].process); linked && !p.seats[on.from].crashed {
			p.notices = append(p.notices, Step{What: what, Who: on.from, From: on.to, Sends: -1})
		}
	}
	if p.relinked != nil {
		p.relinked(k.A, k.B)
	}
}

// told runs the handler of a process that is told of a change.
func (p *Player[M]) told(s Step, n protocols.Node[M]) {
	p.notices = slices.Delete(p.notices, p.noticed(s), p.noticed(s)+1)
	linked := p.seats[s.Who].process.(protocols.Linked[M])
	if s.What == LinkUp {
		linked.LinkUp(n, s.From)
	} else {
		linked.LinkDown(n, s.From)
	}
}

// noticed is the place of the earliest notice for that end of a link; -1 if there is none.
func (p *Player[M]) noticed(s Step) int {
	return slices.IndexFunc(p.notices, func(n Step) bool { return n.Who == s.Who && n.From == s.From })
}

// Neighbors are the processes to which a process has a link now, ascending.
func (p *Player[M]) Neighbors(id protocols.ID) []protocols.ID {
	return slices.DeleteFunc(netem.NeighborsOf(p.system.Topology, id), func(q protocols.ID) bool { return p.down[netem.LinkBetween(id, q)] })
}

// mayChange checks a change of a link.
func (p *Player[M]) mayChange(s Step) error {
	k := netem.LinkBetween(s.Who, s.From)
	switch {
	case !netem.HasLink(p.system.Topology, k):
		return fmt.Errorf("topology %s has no link %v", p.system.Topology, k)
	case p.down[k] == (s.What == Down):
		return fmt.Errorf("the link %v is %v already", k, s.What)
	case p.left.LinkChanges == 0:
		return errNoChange
	}
	return nil
}

// mayBeTold checks a notice of a change of a link.
func (p *Player[M]) mayBeTold(s Step) error {
	i := p.noticed(s)
	switch {
	case i < 0:
		return fmt.Errorf("process %d is to be told nothing of its link to %d", s.Who, s.From)
	case p.notices[i].What != s.What:
		return fmt.Errorf("%v comes first", p.notices[i])
	}
	return nil
}
