package netem

import (
	"slices"
	"time"

	"bullring/des"
	"bullring/netem/impair"
	"bullring/protocols"
	"bullring/protocols/links"
)

// linkTable decides when a message arrives. Where the delay is constant there is
// nothing to remember: a link is then FIFO by itself, messages of one instant
// keeping the order in which they were sent.
type linkTable struct {
	topology Topology
	delay    des.Distribution
	constant bool
	always   time.Duration // the delay, if it is constant
	fifo     bool
	streams  des.Stream // the parent of every link's

	overtaking uint64 // messages that arrive before an earlier one of their link

	// What links do beyond delaying: the lines of the configuration, with those
	// that faults have set behind them, and how often one was set.
	lines   []Line
	given   int // of the lines, those of the configuration
	version uint32
	mode    impair.Mode
	delta   time.Duration
	gst     des.Time
	// Lines that were completed once are not new ones the next time.
	completed map[*impair.Line]*impair.Line

	// One state a directed link, made when the link is first used: in one
	// array where all links together are few, else a page of ports at a time.
	flat   []link
	degree int
	pages  [][][]link
	self   []link // loopback, on topologies without such a link
}

// link is small, for the runs in which links only delay.
type link struct {
	stream des.Stream
	last   des.Time // the latest arrival of the messages sent so far
	used   bool
	*lined // nil until there are lines
}

// lined is what a link is besides where there are lines.
type lined struct {
	line    *impair.Line
	channel *impair.Channel // nil where the link only delays, as Config.Delay says
	version uint32          // of the lines, when the link last looked
	service des.Time        // when the link is served next, 0 if it was not asked for
}

// Line is what the links of a set do to messages.
type Line struct {
	Links links.Set
	// Line is of package impair. One that says nothing of the delay has that of
	// the configuration.
	Line *impair.Line
}

const (
	flatLinks = 1 << 20
	pageLog   = 6
)

func (l *linkTable) reset(cfg *Config) {
	lo, hi, bounded := cfg.Delay.Bounds()
	*l = linkTable{
		topology: cfg.Topology,
		delay:    cfg.Delay,
		constant: bounded && lo == hi && len(cfg.Lines) == 0,
		always:   lo,
		fifo:     cfg.FIFO,
		streams:  des.NewStream(cfg.Seed, "link"),
		flat:     l.flat,
		lines:    slices.Clone(cfg.Lines),
		given:    len(cfg.Lines),
		version:  uint32(len(cfg.Lines)),
		mode:     cfg.Mode,
		delta:    cfg.Delta,
		gst:      cfg.GST,
	}
	for i := range l.lines {
		l.lines[i].Line = l.complete(l.lines[i].Line)
	}
	n := cfg.Topology.Len()
	for id := range n {
		l.degree = max(l.degree, cfg.Topology.Degree(protocols.ID(id)))
	}
	if !l.constant {
		l.makeRoom()
	}
}

// makeRoom makes the states of the links, which are needed unless all delays are
// constant.
func (l *linkTable) makeRoom() {
	n := l.topology.Len()
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
func (l *linkTable) arrival(now des.Time, s *seat, to protocols.ID) des.Time {
	from := s.ID()
	var k *link
	if len(l.flat) > 0 && int32(to) == s.first {
		k = &l.flat[int(from)*l.degree] // port 0, without asking the topology
	} else {
		k = l.at(from, to)
	}
	if !k.used {
		l.use(k, from, to)
	}
	at := now.Add(l.delay.Sample(k.stream.Uint64()))
	if at < k.last {
		if l.fifo {
			at = k.last
		} else {
			l.overtaking++
		}
	}
	k.last = max(k.last, at)
	return at
}

// of is the state of the link from a process.
func (l *linkTable) of(s *seat, to protocols.ID) *link {
	k := l.at(s.ID(), to)
	if !k.used {
		l.use(k, s.ID(), to)
	}
	return k
}

// use gives a link its stream.
func (l *linkTable) use(k *link, from, to protocols.ID) {
	k.used = true
	k.stream = l.streams.Sub(uint64(from)).Sub(uint64(to))
}

// drawn is when a message sent now arrives that is delayed by extra beyond the
// delay of its link, if it need not wait for those before it.
func (l *linkTable) drawn(now des.Time, k *link, extra time.Duration) des.Time {
	return now.Add(l.delay.Sample(k.stream.Uint64())).After(extra)
}

// at is the state of the link, of the loopback if there is no such link.
func (l *linkTable) at(from, to protocols.ID) *link {
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

// The part below is for careful runs.

// impaired reports whether links do more than delay messages.
func (l *linkTable) impaired() bool { return len(l.lines) > 0 || l.delta > 0 }

// complete gives a line that says nothing of the delay that of the network.
func (l *linkTable) complete(line *impair.Line) *impair.Line {
	if line == nil || line.HasDelay() {
		return line
	}
	whole, known := l.completed[line]
	if !known {
		if l.completed == nil {
			l.completed = map[*impair.Line]*impair.Line{}
		}
		whole = line.WithDelay(l.delay)
		l.completed[line] = whole
	}
	return whole
}

// set changes the line of links; nil is that of the configuration.
func (l *linkTable) set(which links.Set, line *impair.Line) {
	l.lines = append(l.lines, Line{which, l.complete(line)})
	l.version++
}

// lineOf is the line of a link, nil if it only delays.
func (l *linkTable) lineOf(from, to protocols.ID) *impair.Line {
	lines := l.lines
	for i := len(lines) - 1; i >= 0; i-- {
		switch {
		case !lines[i].Links.Has(from, to):
		case lines[i].Line == nil:
			i = min(i, l.given)
		default:
			return lines[i].Line
		}
	}
	return nil
}

// refresh gives a link the channel of its present line, and reports whether it
// changed. The new one has streams of its own: the draws of the old one are not
// drawn again.
func (l *linkTable) refresh(now des.Time, k *link, from, to protocols.ID) bool {
	if k.version == l.version {
		return false
	}
	k.version = l.version
	line := l.lineOf(from, to)
	if line == k.line {
		return false
	}
	stream := k.stream
	if k.line != nil || l.version > uint32(l.given) {
		stream = stream.Sub(uint64(l.version))
	}
	k.line, k.channel = line, nil
	if line != nil {
		k.channel = impair.NewChannel(line, l.mode, stream, l.ordered(line), now)
	}
	return true
}

// ordered reports whether a channel keeps the order by itself. Where the network
// shortens what the channel says of delays, the order is kept afterwards, so that
// nothing waits for an arrival that was never to be. But only the channel knows which
// messages are early, and the order in which those leave that wait for slots.
func (l *linkTable) ordered(line *impair.Line) bool {
	return l.fifo && (l.delta == 0 || line.Reorders() || line.Slotted())
}

// stable reports whether the network is synchronous from now on.
func (l *linkTable) stable(now des.Time) bool { return l.delta > 0 && now >= l.gst }

// latest is the instant by which a message sent now arrives if it does.
func (l *linkTable) latest(now des.Time) des.Time {
	if l.delta == 0 {
		return des.MaxTime
	}
	return max(now, l.gst).After(l.delta)
}
