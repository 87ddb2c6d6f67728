package explore

import (
	"bullring/netem"
	"bullring/protocols"
)

// channels are the channels of a system, process by process: its links in the order of the
// ports, then the channel to itself.
type channels struct {
	n      int
	list   []channel
	used   []bool // by channel: messages may be sent on it, as far as is known
	byEnds []int  // the channel from p to q at p*n+q, -1 for none
	// linksOf are the channels of a process to its neighbours, by ascending address.
	linksOf [][]int
}

// channel is a link, or the channel of a process to itself.
type channel struct{ from, to protocols.ID }

func channelsOf(t netem.Topology) channels {
	n := t.Len()
	cs := channels{n: n, byEnds: make([]int, n*n)}
	for i := range cs.byEnds {
		cs.byEnds[i] = -1
	}
	for p := range protocols.ID(n) {
		for port := range t.Degree(p) {
			cs.addChannel(p, t.Neighbor(p, port))
		}
		cs.addChannel(p, p)
		cs.linksOf = append(cs.linksOf, cs.toNeighbors(p))
	}
	return cs
}

func (cs *channels) addChannel(from, to protocols.ID) {
	if cs.channelOf(from, to) < 0 {
		cs.byEnds[int(from)*cs.n+int(to)] = len(cs.list)
		cs.list, cs.used = append(cs.list, channel{from, to}), append(cs.used, false)
	}
}

func (cs *channels) toNeighbors(p protocols.ID) (list []int) {
	for q := range protocols.ID(cs.n) {
		if c := cs.channelOf(p, q); c >= 0 && q != p {
			list = append(list, c)
		}
	}
	return list
}

// channelOf is the channel from one process to another, -1 for none.
func (cs *channels) channelOf(from, to protocols.ID) int {
	if int(to) < 0 || int(to) >= cs.n {
		return -1
	}
	return cs.byEnds[int(from)*cs.n+int(to)]
}

// use notes that messages are sent on a channel and, if rotations is set, on its rotations.
func (cs *channels) use(c int, rotations bool) {
	cs.used[c] = true
	if !rotations {
		return
	}
	for turned := range cs.n {
		from, to := (int(cs.list[c].from)+turned)%cs.n, (int(cs.list[c].to)+turned)%cs.n
		cs.used[cs.byEnds[from*cs.n+to]] = true
	}
}
