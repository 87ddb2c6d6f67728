package protocols_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"bullring/des"
	"bullring/netem"
	"bullring/netem/explore"
	"bullring/protocols"
)

// signed is a message with the address of the process that sent it.
type signed[M protocols.Message] struct {
	Inner M
	By    protocols.ID
}

func (m signed[M]) Kind() int                { return m.Inner.Kind() }
func (m signed[M]) Kinds() []string          { return m.Inner.Kinds() }
func (m signed[M]) Bits() int                { return m.Inner.Bits() + 64 }
func (m signed[M]) String() string           { return fmt.Sprintf("%v by %d", m.Inner, m.By) }
func (m signed[M]) Background(k int) bool    { return protocols.IsBackground(m.Inner, k) }
func (m signed[M]) Overhead(k int) bool      { return protocols.IsOverhead(m.Inner, k) }
func (m signed[M]) Forge(f forger) signed[M] { return signed[M]{protocols.Forge(m.Inner, f), m.By} }

type forger = func(identity int64) int64

// signer is a small wrapper: it signs the messages of the process inside, and drops those that
// another process than their sender has signed.
type signer[M protocols.Message] struct {
	protocols.Wrapper[M, signed[M], *signer[M]]
	dropped int
}

func sign[M protocols.Message](inner protocols.Process[M]) *signer[M] {
	p := &signer[M]{}
	p.Wrapper = protocols.Around(inner, p)
	return p
}

func (p *signer[M]) Sample() signed[M] { return signed[M]{Inner: protocols.Sample(p.Inner)} }

func (p *signer[M]) Enter(n protocols.Node[signed[M]]) protocols.Node[M] { return signing[M]{n} }

func (p *signer[M]) Receive(n protocols.Node[signed[M]], from protocols.ID, m signed[M]) {
	if m.By != from {
		p.dropped++
		return
	}
	p.Inner.Receive(p.Enter(n), from, m.Inner)
}

// signing is the node of the process inside.
type signing[M protocols.Message] struct{ protocols.Node[signed[M]] }

func (n signing[M]) Send(to protocols.ID, m M) { n.Node.Send(to, signed[M]{m, n.ID()}) }
func (n signing[M]) Broadcast(m M)             { protocols.Broadcast(n.Node, signed[M]{m, n.ID()}) }
func (n signing[M]) Neighbors() []protocols.ID { return protocols.Neighbors(n.Node) }

// busy is a process that uses all of the contract: it does something in every handler, and asks
// its node everything.
type busy struct {
	Lives  int // in stable storage
	Heard  []protocols.ID
	Did    []string
	Chosen int
}

func (p *busy) did(n protocols.Node[signal], what string) {
	p.Did = append(p.Did, fmt.Sprintf("%s %v %v", what, n.Now(), n.Suspects(n.Neighbor(0))))
	p.Chosen += n.Intn(2)
}

func (p *busy) Boot(n protocols.Node[signal])    { p.did(n, "boot"); n.SetTimer(1, time.Millisecond) }
func (p *busy) Recover(n protocols.Node[signal]) { p.did(n, "recover") }
func (p *busy) Start(n protocols.Node[signal]) {
	p.did(n, "start")
	n.SetTimer(0, time.Millisecond)
	n.SetTimer(2, time.Millisecond)
	n.StopTimer(2)
}
func (p *busy) Receive(n protocols.Node[signal], from protocols.ID, _ signal) {
	p.did(n, "receive")
	p.Heard = append(p.Heard, from)
}
func (p *busy) LinkUp(n protocols.Node[signal], to protocols.ID) {
	p.did(n, fmt.Sprint("up ", to, protocols.Neighbors(n)))
	protocols.Broadcast(n, 0)
}
func (p *busy) LinkDown(n protocols.Node[signal], to protocols.ID) {
	p.did(n, fmt.Sprint("down ", to, protocols.Neighbors(n)))
}
func (p *busy) Timeout(n protocols.Node[signal], t protocols.Timer) {
	p.did(n, fmt.Sprintf("timeout %d", t))
	if t == 0 {
		n.Send(n.Neighbor(n.Degree()-1), 0)
	}
}
func (p *busy) Restore(crashed protocols.Process[signal]) { p.Lives = crashed.(*busy).Lives + 1 }
func (*busy) TimerName(t protocols.Timer) string          { return fmt.Sprintf("timer %d", t) }

// diary runs three processes, of which one crashes and comes back, and returns what they did.
func diary[W protocols.Message](t *testing.T, wrap func(*busy) protocols.Process[W]) (told []string, c netem.Counters) {
	t.Helper()
	var all []*busy
	cfg := netem.Config{Topology: netem.BiRing(3), Delay: des.Constant(time.Millisecond), FIFO: true, Seed: 3}
	net := netem.New(cfg, func(protocols.ID) protocols.Process[W] {
		all = append(all, &busy{})
		return wrap(all[len(all)-1])
	})
	var trace strings.Builder
	net.Trace(netem.TextTrace(&trace, nil))
	net.Boot()
	net.StartAt(0, 0)
	net.CrashAt(1, des.Time(time.Millisecond))
	net.RestartAt(1, des.Time(3*time.Millisecond))
	net.StartAt(1, des.Time(4*time.Millisecond))
	net.ChangeAt(netem.Change{At: des.Time(5 * time.Millisecond), A: 0, B: 2})
	net.ChangeAt(netem.Change{At: des.Time(6 * time.Millisecond), A: 0, B: 2, Up: true})
	if end := net.Run(t.Context()); end != netem.Quiescent {
		t.Fatal(end)
	}
	for _, p := range all {
		told = append(told, fmt.Sprintf("%+v", *p))
	}
	for line := range strings.Lines(trace.String()) {
		if step, _, _ := strings.Cut(line, "|"); strings.Contains(step, "timeout") {
			told = append(told, step)
		}
	}
	c = net.Counters()
	c.Bits = 0
	return told, c
}

// A process does not notice the wrapper: every handler, question and answer passes.
func TestWrapperPassesTheContract(t *testing.T) {
	bare, counted := diary(t, func(p *busy) protocols.Process[signal] { return p })
	wrapped, again := diary(t, func(p *busy) protocols.Process[signed[signal]] { return sign(p) })
	if !slices.Equal(wrapped, bare) || fmt.Sprint(again) != fmt.Sprint(counted) {
		t.Errorf("wrapped %q, %+v; bare %q, %+v", wrapped, again, bare, counted)
	}
	text := strings.Join(bare, "\n")
	for _, what := range []string{"boot", "start", "receive", "timeout 0", "recover", "Lives:1", "timer 0", "true", "false", "down 2 [1]", "up 0 [0 1]"} {
		if !strings.Contains(text, what) {
			t.Errorf("the run has no %q:\n%s", what, text)
		}
	}
}

// A wrapper boots, lasts through a crash and is told of links as the process inside does.
func TestWrapperIsPartial(t *testing.T) {
	for _, c := range []struct {
		p    protocols.Process[signal]
		want bool
	}{{&busy{}, true}, {receiver[signal]{}, false}} {
		w := sign(sign(c.p))
		_, boots := protocols.AsBooter(w)
		_, lasts := protocols.AsStable(w)
		_, linked := protocols.AsLinked(w)
		if boots != c.want || lasts != c.want || linked != c.want {
			t.Errorf("%T: boots %v, lasts %v, is told of links %v; want %v", c.p, boots, lasts, linked, c.want)
		}
	}
}

// What a wrapper does itself, it does: a message with the name of another process is dropped.
func TestSignerDrops(t *testing.T) {
	inner := &busy{}
	p := sign(inner)
	p.Receive(nil, 1, signed[signal]{By: 2})
	if p.dropped != 1 || len(inner.Did) != 0 {
		t.Errorf("dropped %d; the process inside did %v", p.dropped, inner.Did)
	}
}

// The explorer copies processes. The copy of a wrapper is one: it leads to its own parts, and
// exploring with and without a wrapper is the same.
func TestWrappersAreCopied(t *testing.T) {
	bare := explored(t, func() protocols.Process[signal] { return &busy{} })
	wrapped := explored(t, func() protocols.Process[signed[signal]] { return sign(&busy{}) })
	if bare != wrapped || bare[0] < 20 {
		t.Errorf("states and transitions: %v with a wrapper, %v without", wrapped, bare)
	}
}

// idle is a watch that looks for nothing.
type idle struct{}

func (idle) Started(protocols.ID, any, time.Duration)   {}
func (idle) Received(protocols.ID, any, time.Duration)  {}
func (idle) Expired(protocols.ID, any, time.Duration)   {}
func (idle) Restarted(protocols.ID, any, time.Duration) {}
func (idle) Crashed(protocols.ID, time.Duration)        {}
func (idle) Verdicts(bool) []protocols.Verdict          { return nil }

func explored[W protocols.Message](t *testing.T, boot func() protocols.Process[W]) [2]uint64 {
	t.Helper()
	r, err := explore.Explore(t.Context(), &explore.System[W]{
		Topology: netem.Ring(2),
		Roots:    []explore.Root[W]{{Boot: func(protocols.ID) protocols.Process[W] { return boot() }, Initiators: []protocols.ID{0, 1}, Watch: idle{}}},
	}, explore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return [2]uint64{r.States, r.Transitions}
}
