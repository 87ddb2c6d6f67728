package links

import (
	"errors"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"bullring/protocols"
)

// Share is a part of a set, in millionths. 0 is no share: the set itself.
type Share uint32

const (
	whole  = Share(1_000_000)
	places = 4 // decimals of a share in percent
)

// ParseShare reads a share such as 10% or 0.5%.
func ParseShare(text string) (Share, error) {
	number, percent := strings.CutSuffix(text, "%")
	digits, decimals, _ := strings.Cut(number, ".")
	n, err := strconv.ParseUint(digits+decimals+strings.Repeat("0", max(0, places-len(decimals))), 10, 31)
	if !percent || err != nil || digits == "" || len(decimals) > places || n == 0 || Share(n) > whole {
		return 0, errors.New("is not a share of links; allowed are percentages above 0% up to 100% with at most four decimals, such as 10% or 0.5%")
	}
	return Share(n), nil
}

// String prints the share as ParseShare reads it.
func (s Share) String() string {
	const percent = whole / 100
	text := strconv.Itoa(int(s / percent))
	if rest := strconv.Itoa(int(s % percent)); rest != "0" {
		text += "." + strings.TrimRight(strings.Repeat("0", places-len(rest))+rest, "0")
	}
	return text + "%"
}

// of is the share of so many, rounded to the nearest, half a link upwards, and at least one.
func (s Share) of(count uint64) uint64 {
	hi, lo := bits.Mul64(count, uint64(s))
	lo, carry := bits.Add64(lo, uint64(whole)/2, 0)
	n, _ := bits.Div64(hi+carry, lo, uint64(whole))
	return max(n, 1)
}

// part returns a share of the set, which has to be drawn.
func (s Set) part(share Share) Set {
	s.both = s.both && (share > 0 || !(s.from.all() && s.to.all())) // *<->* is *, but a share of it takes both ways
	s.share = share
	return s
}

// Share is the share of the set that has to be drawn, 0 if it is explicit.
func (s Set) Share() Share { return s.share }

// percent reports whether a number in percent stands here.
func (p *parser) percent() bool {
	w := p.word()
	return p.err == nil && p.digit() && strings.HasSuffix(w, "%")
}

// share reads a share and "of", or nothing.
func (p *parser) share() Share {
	if !p.percent() {
		return 0
	}
	text := p.word()
	share, err := ParseShare(text)
	if err != nil {
		p.fail(text, err.Error())
		return 0
	}
	p.take(text)
	if p.skip(); !p.take("of") {
		p.fail(p.word(), "stands where \"of\" should, as in 10% of *")
	}
	p.skip()
	return share
}

// Network has the links that a set is about.
type Network interface {
	Len() int
	Degree(id protocols.ID) int
	Neighbor(id protocols.ID, port int) protocols.ID
	Port(from, to protocols.ID) (port int, ok bool)
}

// Draw returns the links of a network that a share of a set stands for: so many of those that
// are in the set, rounded to the nearest number, and at least one. If the set is written with
// <-> what is drawn are pairs, with the links both ways. All such choices are equally likely if
// intn(n) is any number below n with equal probability. A set that is no share is returned as it
// is. ok is false if the network has no link of the set.
func (s Set) Draw(net Network, intn func(n int) int) (drawn Set, ok bool) {
	if s.share == 0 {
		return s, true
	}
	of := s
	of.share = 0
	d := drawing{net: net, of: of, both: s.paired()}
	var count, seen uint64
	d.each(func(protocols.ID, protocols.ID) { count++ })
	if count == 0 {
		return Set{}, false
	}
	rows, wanted := make([][]protocols.ID, net.Len()), s.share.of(count)
	d.each(func(a, b protocols.ID) {
		if uint64(intn(int(count-seen))) < wanted {
			wanted--
			d.add(rows, a, b)
		}
		seen++
	})
	var list []Set
	for from, to := range rows {
		if to != nil {
			list = append(list, Between(Of(protocols.ID(from)), Of(to...)))
		}
	}
	return union(list), true
}

// In reports whether a network has links of a set. Those of a share are the links of which it is one.
func (s Set) In(net Network) (some bool) {
	s.share = 0
	d := drawing{net: net, of: s}
	d.each(func(protocols.ID, protocols.ID) { some = true })
	return some
}

// paired reports whether links are drawn in pairs: every part of the set is written with <->.
func (s Set) paired() bool {
	for _, one := range s.list {
		if !one.both {
			return false
		}
	}
	return s.both || s.list != nil
}

// drawing draws links of a network.
type drawing struct {
	net  Network
	of   Set
	both bool // links come in pairs
}

// each calls f with the links of the set, from each sender to its neighbours in the order of
// the addresses. Of a pair f gets one link.
func (d *drawing) each(f func(from, to protocols.ID)) {
	var neighbours []protocols.ID
	for from := range protocols.ID(d.net.Len()) {
		neighbours = neighbours[:0]
		for port := range d.net.Degree(from) {
			to := d.net.Neighbor(from, port)
			if d.of.Has(from, to) && !(d.both && to < from && d.linked(to, from)) {
				neighbours = append(neighbours, to)
			}
		}
		slices.Sort(neighbours)
		for _, to := range slices.Compact(neighbours) {
			f(from, to)
		}
	}
}

func (d *drawing) linked(from, to protocols.ID) bool {
	_, ok := d.net.Port(from, to)
	return ok
}

// add adds a link that was drawn to those of its sender, and the one that leads back.
func (d *drawing) add(rows [][]protocols.ID, from, to protocols.ID) {
	rows[from] = append(rows[from], to)
	if d.both && d.linked(to, from) {
		rows[to] = append(rows[to], from)
	}
}
