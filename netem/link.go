package netem

import (
	"math"
	"slices"
	"time"

	"bullring/des"
	"bullring/netem/impair"
	"bullring/protocols"
	"bullring/protocols/links"
)

// linkTable decides when a message arrives. With a constant delay links need no state: they
// are FIFO by themselves, since messages of one instant keep the order in which they were sent.
type linkTable struct {
	topology Topology
	delay    des.Distribution
	impaired bool // links do more than delay messages
	altered  bool // the run has an alteration
	constant bool
	always   time.Duration // the delay, if it is constant
	fifo     bool
	streams  des.Stream // the parent of every link's

	overtaking uint64 // messages that arrive before an earlier one of their link

	// The lines of the configuration, followed by those that faults have set.
	lines   []Line
	given   int    // the number of lines in the configuration
	version uint32 // goes up with each line that is set
	mode    impair.Mode
	delta   time.Duration
	gst     des.Time
	// completed has the lines that got the delay of the network: a line set twice is one.
	completed map[*impair.Line]*impair.Line
	rules     map[*impair.Line]*impair.Rules
	fate      impair.Fate // of the last message over a line

	// The states of the directed links: in one page if there are few links, else in a page
	// for some ports of a process, made when it is first needed.
	flat   linkPage
	degree int // the largest
	pages  [][]linkPage
	self   linkPage // loopback, on topologies without such a link
}

// linkPage is the states of some links.
type linkPage struct {
	links []link
	lines []lineState // nil until there are lines
}

// link is the state of a link. It is small, for runs in which links only delay.
type link struct {
	stream des.Stream // zero until the link is used
	last   des.Time   // the latest arrival of the messages sent so far
}

// lineLink is the state of a link and of its line.
type lineLink struct {
	*link
	*lineState // nil if there are no lines
}

// lineState is the state of the line of a link.
type lineState struct {
	line    *impair.Line
	channel *impair.Channel // nil if the link only delays, by Config.Delay
	version uint32          // of the lines that the state is of, or outdated
	ended   uint32          // lives of the link that had a channel
	service des.Time        // of the next service, 0 without one
}

// outdated is the version of a state whose channel ended with a life of the link.
const outdated = math.MaxUint32

// Line is the line of a set of links.
type Line struct {
	Links links.Set
	// Line gets the delay of the configuration if it has no delay clause.
	Line *impair.Line
}

const (
	flatLinks = 1 << 20 // the most links for which one array is made before any is used
	fewLinks  = 2       // so many of a process take less in one array, even if some are not used
	pageLog   = 6
)

func (l *linkTable) reset(cfg *Config) {
	lo, hi, bounded := cfg.Delay.Bounds()
	impaired := len(cfg.Lines) > 0 || cfg.Delta > 0
	*l = linkTable{
		topology: cfg.Topology,
		delay:    cfg.Delay,
		impaired: impaired,
		constant: bounded && lo == hi && !impaired,
		always:   lo,
		fifo:     cfg.FIFO,
		streams:  des.NewStream(cfg.Seed, "link"),
		flat:     linkPage{links: l.flat.links},
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

// makeRoom makes room for the states of the links.
func (l *linkTable) makeRoom() {
	n := l.topology.Len()
	if l.degree <= fewLinks || int64(n)*int64(l.degree) <= flatLinks {
		size := n * l.degree
		if cap(l.flat.links) < size {
			l.flat.links = make([]link, size)
		}
		l.flat.links = l.flat.links[:size]
		clear(l.flat.links)
	} else {
		l.flat.links = nil
		l.pages = make([][]linkPage, n)
	}
}

// linkOf is the state of a link, ready for use.
func (l *linkTable) linkOf(from, to protocols.ID) *link {
	page, i := l.find(from, to)
	return l.prepare(&page.links[i], from, to)
}

// prepare gives a link its stream.
func (l *linkTable) prepare(k *link, from, to protocols.ID) *link {
	if k.stream == (des.Stream{}) {
		k.stream = l.streams.Sub(uint64(from)).Sub(uint64(to))
	}
	return k
}

// fork gives all links other streams, derived from this one. Channels keep their state.
func (l *linkTable) fork(streams des.Stream) {
	l.streams = streams
	renew := func(page linkPage) {
		for i := range page.links {
			page.links[i].stream = des.Stream{}
		}
	}
	renew(l.flat)
	renew(l.self)
	for _, row := range l.pages {
		for _, page := range row {
			renew(page)
		}
	}
}

// find is the place of the state of a link, that of the loopback if the topology has no such link.
func (l *linkTable) find(from, to protocols.ID) (page *linkPage, i int) {
	port, ok := l.topology.Port(from, to)
	if !ok {
		if l.self.links == nil {
			l.self.links = make([]link, l.topology.Len())
		}
		return &l.self, int(from)
	}
	if l.pages == nil {
		return &l.flat, int(from)*l.degree + port
	}
	degree := l.topology.Degree(from)
	row := l.pages[from]
	if row == nil {
		row = make([]linkPage, degree>>pageLog+1)
		l.pages[from] = row
	}
	page = &row[port>>pageLog]
	if page.links == nil {
		page.links = make([]link, min(1<<pageLog, degree-port>>pageLog<<pageLog))
	}
	return page, port & (1<<pageLog - 1)
}

// The methods that follow are for careful runs, and for impaired links.

// slotted reports whether messages wait for the slots of a link.
func (l *linkTable) slotted() bool {
	return slices.ContainsFunc(l.lines, func(x Line) bool { return x.Line != nil && x.Line.Slotted() })
}

// lineLinkOf is the state of a link and of its line, ready for use.
func (l *linkTable) lineLinkOf(s *host, to protocols.ID) lineLink {
	page, i := &l.flat, int(s.id)*l.degree
	if int32(to) != s.first || i >= len(l.flat.links) { // not port 0, for which the topology is not asked
		page, i = l.find(s.ID(), to)
	}
	k := lineLink{link: &page.links[i]}
	if len(l.lines) > 0 {
		if page.lines == nil {
			page.lines = make([]lineState, len(page.links))
		}
		k.lineState = &page.lines[i]
	}
	if k.stream == (des.Stream{}) {
		l.prepare(k.link, s.ID(), to)
		if !k.alone() { // after a fork
			k.channel.Renew(k.stream)
		}
	}
	return k
}

// drawArrival draws the arrival of a message sent now, with an extra delay. The message may
// have to wait for those before it.
func (l *linkTable) drawArrival(now des.Time, k *link, extra time.Duration) des.Time {
	return now.Add(l.delay.Sample(k.stream.Uint64())).After(extra)
}

// arrival is the arrival of a message that would arrive at t. On a link that keeps the order it
// waits for those before it unless it is early.
func (l *linkTable) arrival(t des.Time, early bool, k *link) (at des.Time, overtakes bool) {
	if t >= k.last {
		k.last = t
		return t, false
	}
	if l.fifo && !early {
		return k.last, false
	}
	return t, true
}

// alone reports whether the link only delays messages, as the network does.
func (k lineLink) alone() bool { return k.lineState == nil || k.channel == nil }

// nextService is the instant of the next service of the link, which is now scheduled. ok is
// false if none is needed, or an earlier one is scheduled.
func (k lineLink) nextService(now des.Time) (t des.Time, ok bool) {
	t, ok = k.channel.Next()
	t = max(t, now)
	if !ok || k.service > 0 && t >= k.service {
		return 0, false
	}
	k.service = t
	return t, true
}

// complete gives a line without a delay that of the network.
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

// set changes the line of a set of links; nil is that of the configuration.
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

// refresh gives a link the channel of its present line, and reports whether it is a new one.
// A new channel has streams of its own, so it does not repeat the draws of the old one.
func (l *linkTable) refresh(now des.Time, k lineLink, from, to protocols.ID) bool {
	k.version = l.version
	line := l.lineOf(from, to)
	if line == k.line {
		return false
	}
	stream := k.stream
	if k.line != nil || l.version > uint32(l.given) {
		stream = stream.Sub(uint64(l.version))
	}
	if k.ended > 0 {
		stream = stream.Sub(uint64(k.ended) << 32) // no version is as large
	}
	k.line, k.channel = line, nil
	if line != nil {
		k.channel = l.rulesOf(line).NewChannel(stream, now)
	}
	return true
}

func (l *linkTable) rulesOf(line *impair.Line) *impair.Rules {
	rules, known := l.rules[line]
	if !known {
		if l.rules == nil {
			l.rules = map[*impair.Line]*impair.Rules{}
		}
		rules = impair.RulesOf(line, l.mode, l.ordered(line))
		l.rules[line] = rules
	}
	return rules
}

// ordered reports whether the channel keeps the order of the messages. If Delta shortens
// delays, or an alteration changes them, the engine keeps the order afterwards, so that no message
// waits for an arrival that was moved forward. But only the channel knows which messages are early,
// in which order messages leave in slots, and, in an altered run, when a queue is full.
func (l *linkTable) ordered(line *impair.Line) bool {
	after := l.delta > 0 || l.altered && !line.Limited()
	return l.fifo && (!after || line.Reorders() || line.Slotted())
}

// stable reports whether the network is synchronous from now on.
func (l *linkTable) stable(now des.Time) bool { return l.delta > 0 && now >= l.gst }

// latest is the instant by which a message sent now arrives, if it is not lost.
func (l *linkTable) latest(now des.Time) des.Time {
	if l.delta == 0 {
		return des.MaxTime
	}
	return max(now, l.gst).After(l.delta)
}
