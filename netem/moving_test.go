package netem_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"bullring/des"
	"bullring/netem"
	"bullring/protocols"
)

// linked is a script that is told of its links.
type linked struct {
	script
	told func(n node, to protocols.ID, up bool)
}

func (l *linked) LinkUp(n node, to protocols.ID)   { l.told(n, to, true) }
func (l *linked) LinkDown(n node, to protocols.ID) { l.told(n, to, false) }

// roving writes down what processes receive and are told of, and tells every notice to process 0.
func roving(cfg netem.Config) *diary {
	d := &diary{}
	l := linked{script: script{receive: func(n node, from protocols.ID, m note) { d.write("%d has %v from %d", n.ID(), m, from) }}}
	l.told = func(n node, to protocols.ID, up bool) {
		d.write("%d is told %d %v, near %v", n.ID(), to, up, protocols.Neighbors(n))
		if n.ID() != 0 && slices.Contains(protocols.Neighbors(n), 0) {
			n.Send(0, note{x: int(n.ID())})
		}
	}
	d.net = netem.New(cfg, func(protocols.ID) protocols.Process[note] { p := l; return &p })
	return d
}

// given is a source of given changes.
type given struct {
	begin [][2]protocols.ID
	next  []netem.Change
}

func (s *given) Begin(link func(a, b protocols.ID)) {
	for _, l := range s.begin {
		link(l[0], l[1])
	}
}

func (s *given) Next() (c netem.Change, ok bool) {
	if len(s.next) == 0 {
		return c, false
	}
	c, s.next = s.next[0], s.next[1:]
	return c, true
}

// A change comes before the messages of its instant and before later plans of that instant. The lower
// address is told first, and what the ends send leaves at once. A link that is as it should be is no
// change, and nobody is told of the links of the beginning.
func TestChangesInOrder(t *testing.T) {
	for _, fromSource := range []bool{false, true} {
		cfg := lockstep(netem.Complete(3))
		changes := []netem.Change{{at(2), 2, 1, false}, {at(2), 1, 0, false}, {at(2), 0, 1, false}, {at(3), 1, 0, true}}
		if fromSource {
			cfg.Changes = &given{[][2]protocols.ID{{0, 1}, {2, 1}, {0, 2}}, changes}
		}
		d := roving(cfg)
		if !fromSource {
			for _, c := range changes {
				d.net.ChangeAt(c)
			}
		}
		finish(t, d.net)
		conserved(t, d.net)
		d.want(t,
			"2ms: 1 is told 2 false, near [0]",
			"2ms: 2 is told 1 false, near [0]",
			"2ms: 0 is told 1 false, near [2]",
			"2ms: 1 is told 0 false, near []",
			"3ms: 0 is told 1 true, near [1 2]",
			"3ms: 1 is told 0 true, near [0]",
			"3ms: 0 has NOTE(2) from 2",
			"4ms: 0 has NOTE(1) from 1",
		)
		if c := d.net.Counters(); c.Cut != 1 || c.Delivered != 2 {
			t.Errorf("cut %d, delivered %d; want the message that 1 sent to 0 before their link went down, and 2", c.Cut, c.Delivered)
		}
	}
}

// What is under way on a link that goes down is lost, even if the link is up again when it would arrive.
// The next life of the link does not wait for it.
func TestLifeOfALink(t *testing.T) {
	slow := &foe{sent: func(_, _ protocols.ID, _ int) (int, time.Duration, func(int64) int64) { return 1, 5 * ms, nil }}
	for _, c := range []struct {
		name, line string
		foe        netem.Adversary
		up         int // ms
		want       string
	}{
		{"up again", "", nil, 2, "4ms: NOTE(4)"},
		{"up later", "", nil, 9, ""},
		{"a slow link", "", slow, 2, "9ms: NOTE(4)"},
		{"a line", "delay 6ms", nil, 2, "9ms: NOTE(4)"},
		{"a queue", "delay 1ms slot 20ms 20ms packets 1", nil, 2, "23ms: NOTE(4)"},
		{"damage", "delay 1ms corrupt 100%", nil, 2, ""},
	} {
		d := series(t, 4, c.line, c.foe, nil)
		d.net.ChangeAt(netem.Change{At: at(1) / 2, A: 0, B: 1})
		d.net.ChangeAt(netem.Change{At: at(1) / 2, A: 0, B: 1, Up: true}) // a life of no time
		d.net.ChangeAt(netem.Change{At: at(3) / 2, A: 0, B: 1})
		d.net.ChangeAt(netem.Change{At: at(c.up) + at(1)/2, A: 0, B: 1, Up: true})
		finish(t, d.net)
		conserved(t, d.net)
		if got := joined(d.lines); got != c.want {
			t.Errorf("%s: there arrived %q, want %q", c.name, got, c.want)
		}
		if n := d.net.Counters(); n.Cut+n.Delivered+n.Corrupted != 4 || n.Cut < 3 {
			t.Errorf("%s: cut %d, delivered %d, corrupted %d of 4", c.name, n.Cut, n.Delivered, n.Corrupted)
		}
	}
}

// On a link that keeps the order, a message of a new life does not wait for those of the former one.
func TestLivesKeepTheirOwnOrder(t *testing.T) {
	for _, text := range []string{"", "delay 1ms"} {
		asked := 0
		first := &foe{sent: func(_, _ protocols.ID, _ int) (int, time.Duration, func(int64) int64) {
			if asked++; asked == 1 {
				return 1, 50 * ms, nil
			}
			return 1, 0, nil
		}}
		d := series(t, 4, text, first, nil)
		d.net.ChangeAt(netem.Change{At: at(3) / 2, A: 0, B: 1})
		d.net.ChangeAt(netem.Change{At: at(3) / 2, A: 0, B: 1, Up: true})
		finish(t, d.net)
		conserved(t, d.net)
		d.want(t, "3ms: NOTE(3)", "4ms: NOTE(4)")
	}
}

// A crashed end is told nothing; one that comes back sees the present links. The run goes on until the
// last change.
func TestChangesAndCrashes(t *testing.T) {
	d := roving(lockstep(netem.BiRing(2)))
	d.net.CrashAt(1, at(1))
	d.net.ChangeAt(netem.Change{At: at(2), A: 1, B: 0})
	d.net.RestartAt(1, at(3))
	d.net.ChangeAt(netem.Change{At: at(20), A: 1, B: 0, Up: true})
	finish(t, d.net)
	d.want(t, "2ms: 0 is told 1 false, near []", "20ms: 0 is told 1 true, near [1]", "20ms: 1 is told 0 true, near [0]", "21ms: 0 has NOTE(1) from 1")
	if now := d.net.Now(); now != at(21) {
		t.Errorf("the run ended at %v", now)
	}
}

// A process that is not told of links keeps its ports. What it sends to where there is no link is lost.
func TestPortsStay(t *testing.T) {
	for _, topology := range []netem.Topology{netem.Ring(4), netem.BiRing(4), netem.Complete(4)} {
		d := &diary{}
		d.net = netem.New(lockstep(topology), all(script{
			start:   func(n node) { n.Send(n.Neighbor(0), note{x: n.Degree()}) },
			receive: func(n node, from protocols.ID, m note) { d.write("%d has %v from %d", n.ID(), m, from) },
		}))
		d.net.ChangeAt(netem.Change{At: at(1), A: 0, B: 1})
		d.net.StartAt(0, at(2))
		d.net.StartAt(1, at(2))
		finish(t, d.net)
		conserved(t, d.net)
		d.want(t, fmt.Sprintf("3ms: 2 has NOTE(%d) from 1", topology.Degree(1)))
	}
}

// wide lets process 0 broadcast on a complete graph, and then send a reply to the last process.
func wide(n int, change func(*netem.Config)) *diary {
	d := &diary{}
	cfg := lockstep(netem.Complete(n))
	if change != nil {
		change(&cfg)
	}
	d.net = netem.New(cfg, all(script{
		start: func(nd node) {
			protocols.Broadcast(nd, note{x: 7})
			if n > 1 {
				nd.Send(protocols.ID(n-1), note{reply: true})
			}
		},
		receive: func(nd node, _ protocols.ID, m note) { d.write("%d has %v", nd.ID(), m) },
	}))
	d.net.StartAt(0, 0)
	return d
}

// A broadcast counts as one message, however many hear it, on every way of a message through the engine.
func TestBroadcastCountsOnce(t *testing.T) {
	for n := 1; n <= 5; n++ {
		var runs []netem.Counters
		var prints []uint64
		for _, way := range []string{"lane", "queue", "adversary", "traced"} {
			d := wide(n, func(cfg *netem.Config) {
				if way == "queue" {
					cfg.Delay = des.Uniform(ms, 2*ms)
				}
			})
			switch way {
			case "adversary":
				d.net.Oppose(&foe{})
			case "traced":
				d.net.Trace(netem.TextTrace(&strings.Builder{}, nil))
			}
			finish(t, d.net)
			conserved(t, d.net)
			c := d.net.Counters()
			c.LastMessage = 0
			if runs = append(runs, c); way != "queue" {
				prints = append(prints, d.net.Fingerprint())
			}
		}
		replies := uint64(min(n-1, 1))
		want := netem.Counters{
			Sent: []uint64{1, replies}, MaxSent: 1 + replies, Delivered: uint64(n-1) + replies, Fanned: uint64(max(n-2, 0)),
			Unheard: 1 - replies, Bits: 72 + 8*replies, CausalDepth: uint32(replies), Events: uint64(n) + replies,
		}
		for _, c := range runs {
			if !reflect.DeepEqual(c, want) {
				t.Errorf("n = %d: %+v, want %+v", n, c, want)
			}
		}
		if len(slices.Compact(prints)) != 1 {
			t.Errorf("n = %d: ways of equal delays have the fingerprints %x", n, prints)
		}
	}
}

// A crash in the middle of a step never splits a broadcast, which is one of the sends that it counts.
func TestCrashNeverSplitsABroadcast(t *testing.T) {
	for k, want := range []string{"", "1ms: 1 has NOTE(7) 1ms: 2 has NOTE(7) 1ms: 3 has NOTE(7)"} {
		d := wide(4, nil)
		asked := 0
		d.net.Oppose(&foe{leaves: func(protocols.ID, protocols.ID, int) (bool, bool) {
			asked++
			return asked <= k, asked == max(k, 1)
		}})
		finish(t, d.net)
		conserved(t, d.net)
		if got := joined(d.lines); got != want || d.net.Alive(0) || d.net.Counters().Sent[0] != uint64(k) {
			t.Errorf("a crash after %d sends: %q, %+v", k, got, d.net.Counters())
		}
	}
}

// Each receiver of a broadcast has a link of its own: faults and losses strike one and not the other.
func TestBroadcastOverLinks(t *testing.T) {
	d := wide(4, nil)
	d.net.Oppose(&foe{sent: func(_, to protocols.ID, kind int) (int, time.Duration, func(int64) int64) {
		switch {
		case kind == 1:
			return 0, 0, nil
		case to == 2:
			return 2, 5 * ms, func(x int64) int64 { return -x }
		}
		return 1, 0, nil
	}})
	d.net.ChangeAt(netem.Change{At: at(1), A: 0, B: 3})
	finish(t, d.net)
	conserved(t, d.net)
	d.want(t, "1ms: 1 has NOTE(7)", "6ms: 2 has NOTE(-7)", "6ms: 2 has NOTE(-7)")
}

// A message that is carried arrives, whatever becomes of its link.
func TestCarriedOverALinkThatIsDown(t *testing.T) {
	for _, down := range []int{0, 2} {
		d := series(t, 2, "", nil, func(cfg *netem.Config) {
			cfg.Alter = &netem.Alteration{Carry: map[netem.MessageKey]time.Duration{nth(2): 8 * ms}}
		})
		d.net.ChangeAt(netem.Change{At: at(down), A: 0, B: 1})
		finish(t, d.net)
		conserved(t, d.net)
		if got, want := joined(d.lines), map[int]string{0: "9ms: NOTE(2)", 2: "1ms: NOTE(1) 9ms: NOTE(2)"}[down]; got != want {
			t.Errorf("down at %d ms: there arrived %q, want %q", down, got, want)
		}
	}
}

// A trace shows the change and both notices, and a run with a trace is the same.
func TestTraceOfChanges(t *testing.T) {
	var text strings.Builder
	d := roving(lockstep(netem.Complete(2)))
	d.net.Trace(netem.TextTrace(&text, func(protocols.ID) string { return "well" }))
	d.net.ChangeAt(netem.Change{At: at(1), A: 1, B: 0})
	d.net.ChangeAt(netem.Change{At: at(2), A: 0, B: 1, Up: true})
	finish(t, d.net)
	const want = `
         1ms  fault   down 0-1
         1ms  linkdown 0  link to 1  | well
         1ms  linkdown 1  link to 0  | well
         2ms  fault   up 0-1
         2ms  linkup  0  link to 1  | well
         2ms  linkup  1  link to 0  | sends NOTE(1) to 0  | well
         3ms  deliver 1 -> 0  NOTE(1)  | well
`
	if got := "\n" + text.String(); got != want {
		t.Errorf("the trace is%s\nwant%s", got, want)
	}
	again := roving(lockstep(netem.Complete(2)))
	again.net.ChangeAt(netem.Change{At: at(1), A: 1, B: 0})
	again.net.ChangeAt(netem.Change{At: at(2), A: 0, B: 1, Up: true})
	finish(t, again.net)
	if again.net.Fingerprint() != d.net.Fingerprint() {
		t.Error("a run with a trace has another fingerprint")
	}
}

// The links that are down are those of the topology that are not there, and a trace has what waited for
// a link after the change that took it.
func TestGone(t *testing.T) {
	cfg := lockstep(netem.Complete(4))
	cfg.Changes = &given{[][2]protocols.ID{{0, 1}, {3, 2}}, []netem.Change{{at(1), 1, 0, false}, {at(2), 0, 3, true}}}
	d := roving(cfg)
	before := fmt.Sprint(d.net.Gone())
	finish(t, d.net)
	if got, want := before+", "+fmt.Sprint(d.net.Gone()), "[0-2 0-3 1-2 1-3], [0-1 0-2 1-2 1-3]"; got != want {
		t.Errorf("down are %s, want %s", got, want)
	}
	still := roving(lockstep(netem.Complete(4)))
	if gone := still.net.Gone(); gone != nil {
		t.Errorf("down are %v although no link comes or goes", gone)
	}
	var text strings.Builder
	slow := series(t, 2, "rate 1kbit", nil, nil)
	slow.net.Trace(netem.TextTrace(&text, nil))
	slow.net.ChangeAt(netem.Change{At: at(1), A: 0, B: 1})
	finish(t, slow.net)
	change, cuts := strings.Index(text.String(), "down 0-1"), strings.Index(text.String(), "cut ")
	if change < 0 || cuts < change {
		t.Errorf("the trace is\n%s", &text)
	}
}

// booter is a linked script whose life begins with Boot.
type booter struct{ linked }

func (b *booter) Boot(n node) { b.start(n) }

// A process whose life begins with Boot finds the links that changed before, at time 0, and is not told of
// them, in each run on a network.
func TestChangesBeforeBirth(t *testing.T) {
	d := &diary{}
	b := booter{linked{script: script{start: func(n node) { d.write("%d has %v", n.ID(), protocols.Neighbors(n)) }}}}
	b.told = func(n node, to protocols.ID, up bool) { d.write("%d is told %d %v", n.ID(), to, up) }
	cfg, boots := lockstep(netem.Complete(2)), func(protocols.ID) protocols.Process[note] { p := b; return &p }
	d.net = netem.New(cfg, boots)
	for range 2 {
		d.net.ChangeAt(netem.Change{At: at(0), A: 0, B: 1})
		d.net.CrashAt(0, at(0))
		d.net.Boot()
		d.net.ChangeAt(netem.Change{At: at(2), A: 0, B: 1, Up: true})
		d.net.RestartAt(0, at(3))
		d.net.ChangeAt(netem.Change{At: at(4), A: 0, B: 1})
		finish(t, d.net)
		d.net.Reset(cfg, boots)
	}
	once := []string{"0s: 1 has []", "2ms: 1 is told 0 true", "3ms: 0 has [1]", "4ms: 0 is told 1 false", "4ms: 1 is told 0 false"}
	d.want(t, slices.Concat(once, once)...)
}

// Mistakes in a source are panics that name them.
func TestSourcesThatAreWrong(t *testing.T) {
	for _, c := range []struct {
		source given
		want   string
	}{
		{given{next: []netem.Change{{At: at(0), A: 0, B: 1}}}, "a source of changes has one at 0s, and now it is 0s"},
		{given{next: []netem.Change{{At: at(2), A: 0, B: 1}, {At: at(1), A: 0, B: 1}}}, "a source of changes has one at 1ms, and now it is 2ms"},
		{given{begin: [][2]protocols.ID{{0, 2}}}, "the biring of 4 processes has no link between 0 and 2"},
		{given{next: []netem.Change{{At: at(1), A: 1, B: 1}}}, "no link between 1 and 1"},
		{given{next: []netem.Change{{At: at(1), A: 1, B: 4}}}, "no link between 1 and 4"},
	} {
		cfg := lockstep(netem.BiRing(4))
		cfg.Changes = &c.source
		if got := panicOf(func() { finish(t, roving(cfg).net) }); !strings.Contains(got, c.want) {
			t.Errorf("panic %q, want %q", got, c.want)
		}
	}
}

// What a link loses does not depend on the lives of other links, and a new life does not lose what the former one did.
func TestLivesDrawTheirOwn(t *testing.T) {
	arrived := func(flaps bool, a, b protocols.ID) string {
		d := &diary{}
		cfg := lockstep(netem.Complete(4))
		cfg.Lines = []netem.Line{{Line: line(t, "loss 50%")}}
		sent := 0
		d.net = netem.New(cfg, all(script{
			start: func(n node) {
				sent++
				n.Send(n.ID()+1, note{x: sent})
			},
			receive: func(n node, _ protocols.ID, m note) {
				if n.ID() == 3 {
					d.lines = append(d.lines, fmt.Sprint(m.x))
				}
			},
		}))
		d.net.StartAt(0, at(0))
		for k := range 40 {
			d.net.StartAt(2, at(k+1))
		}
		if flaps {
			d.net.ChangeAt(netem.Change{At: at(20) + at(1)/2, A: a, B: b})
			d.net.ChangeAt(netem.Change{At: at(20) + at(1)*3/4, A: a, B: b, Up: true})
		}
		finish(t, d.net)
		return strings.Join(d.lines, " ")
	}
	still := arrived(false, 0, 1)
	if got := arrived(true, 0, 1); got != still {
		t.Errorf("after the flap of another link there arrived %s, and without it %s", got, still)
	}
	if got := arrived(true, 2, 3); got == still {
		t.Errorf("in two lives there arrived %s, as in one", got)
	}
}

// ambient is a source in the background.
type ambient struct{ given }

func (*ambient) Background() bool { return true }

// A source in the background does not keep a run alive, but for the time for which it is watched. Up to
// the end all its changes happen.
func TestSourceInTheBackground(t *testing.T) {
	// A message leaves at 7ms, when the link comes up, and is lost at 8ms.
	for until, want := range map[des.Time]des.Time{0: 0, at(6): at(6), at(7): at(8)} {
		cfg := lockstep(netem.Complete(2))
		cfg.Until = until
		source := &ambient{}
		for ms := range 20 {
			source.next = append(source.next, netem.Change{At: at(ms + 1), A: 0, B: 1, Up: ms%2 == 0})
		}
		cfg.Changes = source
		d := roving(cfg)
		finish(t, d.net)
		conserved(t, d.net)
		if now := d.net.Now(); now != want {
			t.Errorf("watched until %v, the run ends at %v; want %v", until, now, want)
		}
	}
}
