package netem

import (
	"fmt"
	"io"
	"reflect"
	"slices"
	"testing"
	"time"

	"bullring/des"
	"bullring/netem/impair"
	"bullring/netem/medium"
	"bullring/protocols"
	"bullring/protocols/links"
)

// The tests of this file run random processes under random faults, and check the counts of the
// engine after each step.

const tick = des.Time(time.Millisecond)

// chatter is a message of these runs: of the algorithm, or of a service.
type chatter struct {
	service bool
	x       int64
}

var chatterKinds = []string{"CHAT", "BEAT"}

func (m chatter) Kind() int {
	if m.service {
		return 1
	}
	return 0
}
func (chatter) Kinds() []string          { return chatterKinds }
func (chatter) Bits() int                { return 800 }
func (chatter) Background(kind int) bool { return kind == 1 }

func (m chatter) Forge(f func(int64) int64) chatter { return chatter{m.service, f(m.x)} }

// babbler is a process that takes random actions, a limited number of them. It checks what it is told of
// links.
type babbler struct {
	left *int
	net  *Network[chatter]
}

func (b babbler) LinkUp(n protocols.Node[chatter], to protocols.ID)   { b.told(n, to, true) }
func (b babbler) LinkDown(n protocols.Node[chatter], to protocols.ID) { b.told(n, to, false) }

func (b babbler) told(n protocols.Node[chatter], to protocols.ID, up bool) {
	there, back := b.isLinked(n.ID(), to), b.isLinked(to, n.ID())
	if up != (there || back) || !slices.Equal(protocols.Neighbors(n), b.net.Neighbors(n.ID())) {
		panic(fmt.Sprintf("process %d is told that its link to %d is up: %v; there is one: %v, back: %v", n.ID(), to, up, there, back))
	}
	b.act(n)
}

func (b babbler) isLinked(from, to protocols.ID) bool {
	return from == to || slices.Contains(b.net.Neighbors(from), to)
}

func (b babbler) Boot(n protocols.Node[chatter]) {
	n.SetTimer(protocols.Background, time.Duration(tick))
}
func (b babbler) Start(n protocols.Node[chatter])   { b.act(n) }
func (b babbler) Recover(n protocols.Node[chatter]) { b.act(n) }

func (b babbler) Receive(n protocols.Node[chatter], from protocols.ID, m chatter) {
	if !b.isLinked(from, n.ID()) {
		panic(fmt.Sprintf("process %d gets a message from %d over a link that is down", n.ID(), from))
	}
	if !m.service {
		b.act(n)
	}
}

func (b babbler) Timeout(n protocols.Node[chatter], t protocols.Timer) {
	if t <= protocols.Background {
		n.Send(n.Neighbor(0), chatter{service: true})
		n.SetTimer(t-protocols.Timer(n.Intn(2)), time.Duration(tick)*time.Duration(1+n.Intn(3)))
		n.StopTimer(protocols.Background - 2)
		return
	}
	b.act(n)
}

func (b babbler) act(n protocols.Node[chatter]) {
	for range n.Intn(4) {
		if *b.left--; *b.left < 0 {
			return
		}
		switch n.Intn(8) {
		case 0:
			n.SetTimer(protocols.Timer(n.Intn(3)), time.Duration(tick)*time.Duration(n.Intn(4)))
		case 1:
			n.StopTimer(protocols.Timer(n.Intn(3)))
		case 2:
			n.Send(n.ID(), chatter{x: int64(*b.left)})
		case 3:
			protocols.Broadcast(n, chatter{x: int64(*b.left)})
		default:
			n.Send(n.Neighbor(n.Intn(max(1, n.Degree()))), chatter{x: int64(*b.left)})
		}
	}
}

// chaos is an adversary that injects random faults until its time is over.
type chaos struct {
	net    *Network[chatter]
	chance des.Stream
	until  des.Time
}

func (c *chaos) hits(sides int) bool { return c.net.Now() < c.until && c.chance.Intn(sides) == 0 }

func (c *chaos) Due(token uint32) {
	p := protocols.ID(c.chance.Intn(len(c.net.seats)))
	switch c.chance.Intn(7) {
	case 6:
		if q := c.net.engine.cfg.Topology.Neighbor(p, 0); q != p {
			c.net.ChangeAt(Change{c.net.Now() + des.Time(c.chance.Intn(2))*tick, p, q, c.chance.Intn(2) == 0})
		}
	case 0:
		c.net.CrashAt(p, c.net.Now())
		c.net.RestartAt(p, c.net.Now()+5*tick)
	case 1:
		c.net.StartAt(p, c.net.Now())
	case 2:
		c.net.AdjustClock(p, time.Duration(c.chance.Intn(9)-4)*time.Duration(tick), int64(c.chance.Intn(9)-4)*100_000_000)
	case 3:
		if c.net.engine.air == nil {
			c.net.SetLine(links.Between(links.Of(p), links.Addresses{}), auditLines[c.chance.Intn(len(auditLines))])
		}
	case 4:
		c.net.SetLine(links.Set{}, nil)
	}
	c.net.ReleaseAt(c.net.Now())
}

func (c *chaos) Steps(protocols.ID, int) {}

func (c *chaos) Leaves(_, _ protocols.ID, _ int) (leaves, crash bool) {
	return c.chance.Intn(2) == 0, c.hits(60)
}

func (c *chaos) Sent(_, _ protocols.ID, _ int) (copies int, delay time.Duration, forge func(int64) int64) {
	copies = 1
	if c.hits(10) {
		copies = c.chance.Intn(4)
	}
	if c.hits(10) {
		delay = time.Duration(c.chance.Intn(3)) * time.Duration(tick)
	}
	if c.hits(10) {
		forge = func(x int64) int64 { return -x }
	}
	return copies, delay, forge
}

func (c *chaos) Arrives(_, _ protocols.ID, _ int) (wait time.Duration, lost bool) {
	if c.hits(5) {
		return time.Duration(c.chance.Intn(3)-1) * time.Duration(tick), c.hits(5)
	}
	return 0, false
}

func (c *chaos) Expires(protocols.ID) time.Duration {
	if c.hits(4) {
		return time.Duration(c.chance.Intn(3)-1) * time.Duration(tick)
	}
	return 0
}

var auditLines = mustParse(
	"loss 30%", "delay 3ms", "delay 2ms 1ms duplicate 40% loss 40%", "delay 4ms reorder 30%", "corrupt 30%", "corrupt 30% altered",
	"rate 1mbit limit 3", "slot 2ms 3ms packets 1", "delay 3ms slot 5ms packets 2 duplicate 50% loss 20%", "slot 1ms packets 1 limit 2",
)

// auditRadios are media: a message of these runs lasts 0.8 ms or 4 ms.
var auditRadios = []*medium.Radio{mustRadio("radio(1mbit)"), mustRadio("radio(200kbit)")}

func mustRadio(text string) *medium.Radio {
	r, err := medium.Parse(text)
	if err != nil {
		panic(err)
	}
	return r
}

func mustParse(texts ...string) []*impair.Line {
	all := make([]*impair.Line, len(texts))
	for i, text := range texts {
		var err error
		if all[i], err = impair.Parse(text, nil); err != nil {
			panic(err)
		}
	}
	return all
}

// auditor checks the counts of the engine after each step.
type auditor struct {
	t   *testing.T
	net *Network[chatter]
}

func (a auditor) Started(protocols.ID)   { a.look() }
func (a auditor) Stepped(protocols.ID)   { a.look() }
func (a auditor) Crashed(protocols.ID)   { a.look() }
func (a auditor) Restarted(protocols.ID) { a.look() }

func (a auditor) look() {
	a.t.Helper()
	b := &books{auditor: a, owner: make([]string, len(a.net.slab))}
	for _, index := range a.net.vacant {
		b.own(index, "vacant")
	}
	b.countQueue()
	b.countHeld()
	b.countParked()
	for index, who := range b.owner {
		if who == "" {
			a.t.Fatalf("at %v place %d has no owner", a.net.Now(), index)
		}
	}
	x := &a.net.engine.extras
	if r := x.room; b.held != r.count || b.alive != r.alive || b.releases != r.releases {
		a.t.Fatalf("at %v %d items are held, %d of them keep the run alive, for %d releases; counted %d, %d and %d", a.net.Now(), b.held, b.alive, b.releases, r.count, r.alive, r.releases)
	}
	if b.ambient != x.ambient || b.waiting != x.waiting {
		a.t.Fatalf("at %v there are %d events in the background, counted %d; %d messages wait, counted %d", a.net.Now(), b.ambient, x.ambient, b.waiting, x.waiting)
	}
	c := a.net.Counters()
	if in, out := c.Messages()+c.Duplicated+c.Fanned, c.Delivered+c.ToDead+c.Lost+c.Cut+c.Corrupted+c.Unheard+c.Collided+b.flying; in != out {
		a.t.Fatalf("at %v there were %d messages and copies, and became %d: %+v", a.net.Now(), in, out, c)
	}
}

// books are the counts that the auditor makes itself.
type books struct {
	auditor
	owner                                   []string // of the places of messages
	ambient, waiting, releases, held, alive int
	flying                                  uint64
}

func (b *books) own(index uint32, who string) {
	b.t.Helper()
	if b.owner[index] != "" {
		b.t.Fatalf("at %v the place %d is %s and %s", b.net.Now(), index, b.owner[index], who)
	}
	b.owner[index] = who
}

func inBackground(it item) bool {
	if it.what() == timeout {
		return protocols.Timer(int32(it.index())) <= protocols.Background
	}
	return it.kind() == 1
}

func (b *books) countQueue() {
	for _, ev := range b.net.engine.queue.Pending() {
		it := ev.Item
		switch it.what() {
		case deliver, damaged, heard:
			b.flying++
			b.own(it.index(), "under way")
			if inBackground(it) {
				b.ambient++
			}
		case serve:
			b.ambient++
		case release:
			b.releases++
		case timeout:
			if inBackground(it) {
				b.ambient++
			}
		}
	}
}

func (b *books) countHeld() {
	for k, q := range b.net.engine.extras.room.queues {
		for _, it := range q.items {
			b.held++
			if !k.timers {
				b.flying++
				b.own(it.index(), "held")
			}
			if !inBackground(it) {
				b.alive++
			}
		}
	}
}

func (b *books) countParked() {
	for index, p := range b.net.engine.extras.parked {
		b.flying += uint64(p.copies)
		b.own(index, "parked")
		if !inBackground(p.item) {
			b.waiting++
		}
	}
}

// drawConfig draws a network.
func drawConfig(seed uint64) Config {
	chance := des.NewStream(seed, "audit")
	n := 1 + chance.Intn(5)
	const ms = time.Duration(tick)
	cfg := Config{
		Topology: []Topology{Ring(n), BiRing(n), Complete(n)}[chance.Intn(3)],
		Delay:    []des.Distribution{des.Constant(ms), des.Constant(0), des.Uniform(0, 3*ms), des.Exponential(ms)}[chance.Intn(4)],
		FIFO:     chance.Intn(2) == 0,
		Mode:     impair.Mode(chance.Intn(2)),
		Seed:     seed,
		Until:    des.Time(chance.Intn(40)) * tick,
		MaxTime:  500 * tick,
	}
	for range chance.Intn(3) {
		from := links.Of(protocols.ID(chance.Intn(n)))
		cfg.Lines = append(cfg.Lines, Line{links.Between(from, links.Addresses{}), auditLines[chance.Intn(len(auditLines))]})
	}
	if chance.Intn(2) == 0 {
		cfg.Delta, cfg.GST = 4*ms, 10*tick
	}
	if chance.Intn(4) == 0 {
		cfg.Medium, cfg.Lines, cfg.Delta, cfg.GST = auditRadios[chance.Intn(len(auditRadios))], nil, 0, 0
	}
	if n > 1 && chance.Intn(3) == 0 {
		cfg.Changes = &wanderer{topology: cfg.Topology, chance: des.NewStream(seed, "wanderer")}
	}
	return cfg
}

// wanderer is a source of random changes: every millisecond of the first fifty a link comes or goes.
type wanderer struct {
	topology Topology
	chance   des.Stream
	now      des.Time
}

func (w *wanderer) link() (a, b protocols.ID) {
	a = protocols.ID(w.chance.Intn(w.topology.Len()))
	return a, w.topology.Neighbor(a, w.chance.Intn(w.topology.Degree(a)))
}

func (w *wanderer) Begin(link func(a, b protocols.ID)) {
	for range w.topology.Len() {
		link(w.link())
	}
}

func (w *wanderer) Next() (c Change, ok bool) {
	w.now += tick
	a, b := w.link()
	return Change{w.now, a, b, w.chance.Intn(2) == 0}, w.now <= 50*tick
}

// outcome is everything that a caller can observe of a run.
type outcome struct {
	end      End
	print    uint64
	now      des.Time
	counters Counters
}

// runAudited makes the run of a seed, in the memory of the run before.
func runAudited(t *testing.T, net *Network[chatter], seed uint64, watched bool) outcome {
	cfg, left := drawConfig(seed), 300
	net.Reset(cfg, func(protocols.ID) protocols.Process[chatter] { return babbler{&left, net} })
	net.Oppose(&chaos{net, des.NewStream(seed, "foe"), 60 * tick})
	if watched {
		net.Observe(auditor{t, net})
		net.Trace(TextTrace(io.Discard, nil))
	}
	for k := range des.Time(20) {
		net.InterveneAt(3*k*tick+tick/2, 0)
	}
	net.InterveneAt(70*tick, 0) // lets go what is held
	net.InterveneAfter(17, 0)
	net.Boot()
	for p := range protocols.ID(cfg.Topology.Len()) {
		net.StartAt(p, 0)
	}
	end := net.Run(t.Context())
	auditor{t, net}.look()
	return outcome{end, net.Fingerprint(), net.Now(), net.Counters()}
}

func TestTheBooksBalance(t *testing.T) {
	runs := uint64(400)
	if testing.Short() {
		runs = 100
	}
	boot := func(protocols.ID) protocols.Process[chatter] { return nil }
	used := New(Config{Topology: Ring(1), Delay: des.Constant(0)}, boot)
	var overloaded, delivered, dead, lost, cut, corrupted, altered, duplicated, reordered, fanned, unheard, collided uint64
	for seed := range runs {
		fresh := New(Config{Topology: Ring(1), Delay: des.Constant(0)}, boot)
		want, got := runAudited(t, fresh, seed, false), runAudited(t, used, seed, true)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: used, traced and watched, a network came to %+v; a new one to %+v", seed, got, want)
		}
		if want.end != Quiescent {
			overloaded++
		}
		c := want.counters
		delivered, dead, lost, cut = delivered+c.Delivered, dead+c.ToDead, lost+c.Lost, cut+c.Cut
		corrupted, altered, duplicated, reordered = corrupted+c.Corrupted, altered+c.Altered, duplicated+c.Duplicated, reordered+c.Reordered
		fanned, unheard, collided = fanned+c.Fanned, unheard+c.Unheard, collided+c.Collided
	}
	if overloaded > runs/20 { // slots that take less than the services send
		t.Errorf("%d of %d runs did not come to rest", overloaded, runs)
	}
	// Runs in which nothing happens would show nothing.
	if least := min(delivered, dead, lost, cut, corrupted, altered, duplicated, reordered, fanned, unheard, collided); least < runs/2 {
		t.Errorf("in %d runs %d messages were delivered, %d to the dead, %d lost, %d cut, %d corrupted, %d altered, %d duplicated, %d reordered, %d fanned out, %d unheard, %d collided",
			runs, delivered, dead, lost, cut, corrupted, altered, duplicated, reordered, fanned, unheard, collided)
	}
}
