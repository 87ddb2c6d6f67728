package explore

import (
	"math/bits"
	"slices"

	"bullring/netem"
	"bullring/protocols"
)

// space has the parts that states consist of. A state is a row of numbers, see layout:
// the numbers of the states of its processes, of their sets of timers, of the contents of
// the channels, and so on. The effect of a step on each part is computed once and then
// looked up.
type space struct {
	*store
	n          int
	properties []Property
	channels   channels
	links      []netem.Link // none if links stay as they are
	linkOf     []int        // by channel, the index of its link; -1 for none
	layout     layout
	roots      []plainRoot
	mayRestart bool // crashed processes may restart, and messages may reach them
	idle       bool // timers make no difference: see withIdleTimers
	real       protocols.ID
	collectors uint32 // a bit for each process that is a protocols.Collector; 0 if that is of no use

	replies  replies
	contents contents
	timers   timerSets
	watches  watches
}

// plainRoot is a root without the types of the system.
type plainRoot struct {
	initiators, dead []protocols.ID
	watch            Watch
}

// layout has the positions of the parts in a state.
type layout struct {
	process, timers, channel int // the first of each kind
	watch, crashed, waiting  int
	booting, budget          int
	root, now, measure       int
	shadow, size             int
	expired                  int // the number of timeouts of the run; -1 if they have no limit
	links, changes           int // the first link, and the changes that are left; see links.go
}

func layoutOf(n, channels int) layout {
	l := layout{process: 0, timers: n, channel: 2 * n, expired: -1}
	l.size = l.channel + channels
	for _, place := range []*int{&l.watch, &l.crashed, &l.waiting, &l.booting, &l.budget, &l.root, &l.now, &l.measure, &l.shadow} {
		*place = l.size
		l.size++
	}
	return l
}

func newSpace[M protocols.Message](s *System[M]) *space {
	st := &store{Network: s.Network}
	sp := &space{
		store: st, n: s.Topology.Len(), properties: append([]Property{NoPanic}, s.Properties...), channels: channelsOf(s.Topology),
		replies: replies{store: st}, contents: contents{store: st, tallied: talliesOf(s.Roots[0].Watch)}, timers: timerSets{store: st},
	}
	sp.layout = layoutOf(sp.n, len(sp.channels.list))
	if s.Limits.Timeouts > 0 {
		sp.layout.expired = sp.layout.size
		sp.layout.size++
	}
	sp.findLinks(s.Topology)
	sp.mayRestart = s.Budget.Restarts > 0
	sp.watches = watches{store: st, properties: sp.properties, timed: sp.mayRestart && s.Bound > 0}
	for _, r := range s.Roots {
		sp.roots = append(sp.roots, plainRoot{r.Initiators, r.Dead, r.Watch})
	}
	sp.replies.list.add(nil)       // 0 stands for none
	sp.timers.timerSetting(nil)    // 0 changes nothing
	sp.contents.contentNumber(nil) // 0 is empty
	sp.timers.timerNumber(nil)     // 0 is none
	sp.handlers = newTyped(s, sp)
	if s.FIFO && s.Bound > 0 && s.Measure == Nothing {
		sp.collectors = collectors(s, sp.n)
	}
	return sp
}

// collectors are the processes that are a Collector in every root.
func collectors[M protocols.Message](s *System[M], n int) uint32 {
	all := uint32(1)<<n - 1
	for _, r := range s.Roots {
		for left := all; left != 0; left &= left - 1 {
			if p := bits.TrailingZeros32(left); !protocols.Collects(r.Boot(protocols.ID(p))) {
				all &^= 1 << p
			}
		}
		if all == 0 {
			break
		}
	}
	return all
}

// watched is the watch of a state.
func (s *space) watched(words []uint32) *watched { return s.watches.at(words[s.layout.watch]) }

func (s *space) hasLiveness() bool { return slices.ContainsFunc(s.properties, Property.isLiveness) }
