package netem

import (
	"time"

	"bullring/des"
	"bullring/protocols"
)

// links decides when a message arrives. Where the delay is constant there is
// nothing to remember: a link is then FIFO by itself, messages of one instant
// keeping the order in which they were sent.
type links struct {
	topology Topology
	delay    des.Distribution
	constant bool
	always   time.Duration // the delay, if it is constant
	fifo     bool
	streams  des.Stream // the parent of every link's

	// One state a directed link, made when the link is first used: in one
	// array where all links together are few, else a page of ports at a time.
	flat   []link
	degree int
	pages  [][][]link
	self   []link // loopback, on topologies without such a link
}

type link struct {
	stream des.Stream
	used   bool
	last   des.Time // arrival of the message sent last
}

const (
	flatLinks = 1 << 20
	pageLog   = 6
)

func (l *links) reset(cfg *Config) {
	lo, hi, bounded := cfg.Delay.Bounds()
	*l = links{
		topology: cfg.Topology,
		delay:    cfg.Delay,
		constant: bounded && lo == hi,
		always:   lo,
		fifo:     cfg.FIFO,
		streams:  des.NewStream(cfg.Seed, "link"),
		flat:     l.flat,
		pages:    nil,
		self:     nil,
	}
	n := cfg.Topology.Len()
	for id := range n {
		l.degree = max(l.degree, cfg.Topology.Degree(protocols.ID(id)))
	}
	if l.constant {
		return
	}
	if int64(n)*int64(l.degree) <= flatLinks {
		size := n * l.degree
		if cap(l.flat) < size {
			l.flat = make([]link, size)
		}
		l.flat = l.flat[:size]
		clear(l.flat)
	} else {
		l.flat = nil
		l.pages = make([][][]link, n)
	}
}

// arrival is when a message sent now arrives, unless the delay is constant.
func (l *links) arrival(now des.Time, s *seat, to protocols.ID) des.Time {
	from := s.ID()
	var k *link
	if l.flat != nil && int32(to) == s.first {
		k = &l.flat[int(from)*l.degree] // port 0, without asking the topology
	} else {
		k = l.at(from, to)
	}
	if !k.used {
		k.used = true
		k.stream = l.streams.Sub(uint64(from)).Sub(uint64(to))
	}
	at := now.Add(l.delay.Sample(k.stream.Uint64()))
	if l.fifo && at < k.last {
		at = k.last
	}
	k.last = at
	return at
}

// at is the state of the link, of the loopback if there is no such link.
func (l *links) at(from, to protocols.ID) *link {
	port, ok := l.topology.Port(from, to)
	if !ok {
		if l.self == nil {
			l.self = make([]link, l.topology.Len())
		}
		return &l.self[from]
	}
	if l.flat != nil {
		return &l.flat[int(from)*l.degree+port]
	}
	degree := l.topology.Degree(from)
	row := l.pages[from]
	if row == nil {
		row = make([][]link, degree>>pageLog+1)
		l.pages[from] = row
	}
	page := row[port>>pageLog]
	if page == nil {
		page = make([]link, min(1<<pageLog, degree-port>>pageLog<<pageLog))
		row[port>>pageLog] = page
	}
	return &page[port&(1<<pageLog-1)]
}
