package explore

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"bullring/netem"
	"bullring/protocols"
)

// A link changes in one step: it comes up or goes down in both directions, and what is under way on it
// is lost. Then its ends are told, in a step each. With [ExactNotice] nothing else happens before that,
// and the lower address is told first. With [AnyNotice] each end is told at any later time, of the
// changes of a link in their order. A process that is not protocols.Linked, or has crashed, is told
// nothing.

// parseLink reads a link: 0-2.
func parseLink(text string) (netem.Link, error) {
	a, b, err := readEnds(text)
	if err != nil {
		return netem.Link{}, fmt.Errorf("link %q; a link is two addresses, such as 0-2", text)
	}
	return netem.LinkBetween(protocols.ID(a), protocols.ID(b)), nil
}

// ParseLinks reads links with spaces between them: 0-2 1-3. Each is there once.
func ParseLinks(text string) (all []netem.Link, err error) {
	for _, word := range strings.Fields(text) {
		k, err := parseLink(word)
		if err == nil && slices.Contains(all, k) {
			err = fmt.Errorf("the link %v is there twice", k)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, k)
	}
	if all == nil {
		return nil, errors.New("there is no link; links are pairs of addresses, such as 0-2 1-3")
	}
	return all, nil
}

// LinksText prints links as ParseLinks reads them.
func LinksText(all []netem.Link) string { return strings.Trim(fmt.Sprint(all), "[]") }

// readEnds reads two addresses: 0-2.
func readEnds(text string) (a, b int, err error) {
	p, q, _ := strings.Cut(text, "-")
	a, errA := readNumber(p)
	b, errB := readNumber(q)
	if err = errors.Join(errA, errB); err == nil && a == b {
		err = errors.New("twice the same address")
	}
	return a, b, err
}

// Notice says when the ends of a link are told that it has changed.
type Notice uint8

// The notices.
const (
	ExactNotice Notice = iota // at the instant of the change
	AnyNotice                 // at any time after it
)

// Notices are the names of the notices.
var Notices = []string{"exact", "any"}

// String is the name of a notice.
func (n Notice) String() string { return Notices[n] }

// Moves reports whether links may come and go, or some are down.
func (n *Network) Moves() bool { return n.Budget.LinkChanges > 0 || len(n.Down) > 0 }

// mostLinks is the largest number of links of a system in which links change.
const mostLinks = 31

// noLinks reports a link that is down at first and is none of the topology, or is there twice; or too
// many links.
func (s *System[M]) noLinks() error {
	if s.Moves() {
		if all := len(netem.LinksOf(s.Topology)); all > mostLinks {
			return fmt.Errorf("explore: links change, and there are %d; at most %d can be explored", all, mostLinks)
		}
	}
	for i, k := range s.Down {
		switch {
		case !netem.HasLink(s.Topology, k):
			return fmt.Errorf("explore: the link %v is down at first, and topology %s has no such link", k, s.Topology)
		case slices.Contains(s.Down[:i], k):
			return fmt.Errorf("explore: the link %v is down at first twice", k)
		}
	}
	return nil
}

// findLinks makes room for the links in states, ascending, if links move.
func (s *space) findLinks(t netem.Topology) {
	s.linkOf = make([]int, len(s.channels.list))
	for c := range s.linkOf {
		s.linkOf[c] = -1
	}
	if !s.Moves() {
		return
	}
	s.links = netem.LinksOf(t)
	for c, ch := range s.channels.list {
		s.linkOf[c] = slices.Index(s.links, netem.LinkBetween(ch.from, ch.to))
	}
	s.layout.links, s.layout.changes = s.layout.size, s.layout.size+len(s.links)
	s.layout.size += len(s.links) + 1
}

// A state has a number for each link: whether it is down, and how many notices each end is still to be
// given. Changes of a link alternate, so these say which notices they are.
const isDown = 1

// linkEnd is an end of a link. In the number of the link, its notices are a byte at that place.
type linkEnd struct {
	who, other protocols.ID
	at         int
}

func endsOf(k netem.Link) [2]linkEnd { return [2]linkEnd{{k.A, k.B, 8}, {k.B, k.A, 16}} }

// passes reports whether the link of a channel is up.
func (s *space) passes(words []uint32, c int) bool {
	i := s.linkOf[c]
	return i < 0 || words[s.layout.links+i]&isDown == 0
}

// near reports whether there is a link from a process to another now.
func (s *space) near(words []uint32, p, q protocols.ID) bool {
	return s.passes(words, s.channels.channelOf(p, q))
}

// nearIn are the neighbours of a process in a state.
func (s *space) nearIn(words []uint32) func(protocols.ID) []protocols.ID {
	return func(p protocols.ID) (all []protocols.ID) {
		for _, c := range s.channels.linksOf[p] {
			if s.passes(words, c) {
				all = append(all, s.channels.list[c].to)
			}
		}
		return all
	}
}

// settled reports whether no link changes any more, and no process is still to be told of a change.
func (s *space) settled(words []uint32) bool {
	return len(s.links) == 0 || words[s.layout.changes] == 0 && !s.notifies(words)
}

// notifies reports whether a process is still to be told of a change.
func (s *space) notifies(words []uint32) bool {
	return slices.ContainsFunc(words[s.layout.links:][:len(s.links)], func(w uint32) bool { return w > isDown })
}

// beginLinks takes down the links that are down at first.
func (s *space) beginLinks(words []uint32, w Watch) {
	if len(s.links) == 0 {
		return
	}
	words[s.layout.changes] = uint32(s.Budget.LinkChanges)
	for _, k := range s.Down {
		words[s.layout.links+slices.Index(s.links, k)] = isDown
	}
	if looks, ok := w.(LinkWatch); ok {
		looks.Relinked(s.nearIn(words), s.watchTime(0))
	}
}

// linkChanges lets each link change.
func (x *expander) linkChanges() {
	if len(x.links) == 0 || x.from.words[x.layout.changes] == 0 {
		return
	}
	for i, k := range x.links {
		m := move{what: Down, who: uint8(k.A), from: uint8(k.B), amid: -1}
		if x.from.words[x.layout.links+i]&isDown != 0 {
			m.what = Up
		} else if x.Graceful && !x.spares(x.from.words, k) {
			continue
		}
		x.open()
		x.changeLink(i, k)
		x.emit(m)
	}
}

// spares reports whether nothing is under way on a link that is up, and its ends stay connected without it.
func (s *space) spares(words []uint32, k netem.Link) bool {
	for _, end := range endsOf(k) {
		if c := s.channels.channelOf(end.who, end.other); c >= 0 && words[s.layout.channel+c] != 0 {
			return false
		}
	}
	near := s.nearIn(words)
	without := func(p protocols.ID) []protocols.ID {
		return slices.DeleteFunc(near(p), func(q protocols.ID) bool { return netem.LinkBetween(p, q) == k })
	}
	return slices.Contains(protocols.Reached(k.A, without), k.B)
}

// changeLink changes a link in the next state.
func (x *expander) changeLink(i int, k netem.Link) {
	l, w := x.layout, x.next.words
	is := w[l.links+i] ^ isDown
	for _, end := range endsOf(k) {
		if !x.crashed(end.who) && x.handlers.linked(w[l.process+int(end.who)]) {
			is += 1 << end.at
		}
		if c := x.channels.channelOf(end.who, end.other); c >= 0 {
			x.setChannel(c, 0)
		}
	}
	x.setNumber(l.links+i, is)
	x.setNumber(l.changes, w[l.changes]-1)
	x.tally()
	x.setWatch(x.watches.relinked(w[l.watch], x.downLinks(w), w[l.now], i, k, x.nearIn(w)))
}

// downLinks has a bit for each link that is down.
func (s *space) downLinks(words []uint32) (down uint32) {
	for i := range s.links {
		down |= words[s.layout.links+i] & isDown << i
	}
	return down
}

// notices tells the ends of links that changed: the first with ExactNotice, else each of them.
func (x *expander) notices() {
	for i, k := range x.links {
		for _, end := range endsOf(k) {
			if x.from.words[x.layout.links+i]>>end.at&0xff == 0 {
				continue
			}
			x.notice(i, end)
			if x.Notice == ExactNotice {
				return
			}
		}
	}
}

// notice tells an end of a link of its earliest change that it does not know.
func (x *expander) notice(i int, end linkEnd) {
	at := x.layout.links + i
	is := x.from.words[at]
	e := event{what: LinkUp, who: end.who, from: end.other}
	if later := is>>end.at&0xff - 1; (is^later)&isDown != 0 {
		e.what = LinkDown
	}
	x.open()
	x.setNumber(at, is-1<<end.at)
	x.step(e, move{from: uint8(end.other)})
}

// forgetNotices drops the notices of a process that crashes.
func (x *expander) forgetNotices(p protocols.ID) {
	for i, k := range x.links {
		for _, end := range endsOf(k) {
			if at := x.layout.links + i; end.who == p {
				x.setNumber(at, x.next.words[at]&^(0xff<<end.at))
			}
		}
	}
}
