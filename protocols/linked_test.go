package protocols_test

import (
	"slices"
	"testing"
	"time"

	"bullring/des"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/box"
	"bullring/protocols/detector"
	"bullring/protocols/reliable"
)

// caller broadcasts when it starts.
type caller struct {
	protocols.NoTimers[signal]
	near []protocols.ID
}

func (c *caller) Start(n protocols.Node[signal]) {
	c.near = protocols.Neighbors(n)
	protocols.Broadcast(n, signal(0))
}

func (c *caller) Receive(protocols.Node[signal], protocols.ID, signal) {}

// called runs a caller, of which two of three links are up, and returns what it counted.
func called[W protocols.Message](t *testing.T, wrap func(*caller) protocols.Process[W]) (near int, sent, fanned uint64) {
	t.Helper()
	first := &caller{}
	net := netem.New(netem.Config{Topology: netem.Complete(4), Delay: des.Constant(time.Millisecond), MaxTime: des.Time(time.Second)}, func(id protocols.ID) protocols.Process[W] {
		if id == 0 {
			return wrap(first)
		}
		return wrap(&caller{})
	})
	net.ChangeAt(netem.Change{At: 1, A: 0, B: 2})
	net.Boot()
	net.StartAt(0, 2)
	net.Run(t.Context())
	c := net.Counters()
	return len(first.near), c.Sent[0], c.Fanned
}

// Wrappers pass on who is near. A broadcast stays one message through those that add no conversation of
// their own, and is a message to each neighbour over reliable links, which acknowledge each.
func TestBroadcastThroughWrappers(t *testing.T) {
	type counts struct {
		near         int
		sent, fanned uint64
	}
	of := func(near int, sent, fanned uint64) counts { return counts{near, sent, fanned} }
	once := counts{2, 1, 1}
	quiet := detector.Config{Period: time.Hour, Timeout: 3 * time.Hour}
	for name, c := range map[string]struct{ got, want counts }{
		"none":     {of(called(t, func(p *caller) protocols.Process[signal] { return p })), once},
		"signer":   {of(called(t, func(p *caller) protocols.Process[signed[signal]] { return sign(p) })), once},
		"box":      {of(called(t, func(p *caller) protocols.Process[box.Message] { return box.Wrap(p) })), once},
		"detector": {of(called(t, func(p *caller) protocols.Process[detector.Message[signal]] { return detector.Wrap(p, quiet) })), once},
		"reliable": {of(called(t, func(p *caller) protocols.Process[reliable.Message[signal]] {
			return reliable.Wrap(p, reliable.Config{RTO: time.Second / 2})
		})), counts{2, 2, 0}},
	} {
		if c.got != c.want {
			t.Errorf("%s: %+v, want %+v", name, c.got, c.want)
		}
	}
}

// portsOnly is a node that has ports and sends, and nothing else.
type portsOnly struct {
	protocols.Node[signal]
	ports, sent []protocols.ID
}

func (n *portsOnly) ID() protocols.ID               { return 0 }
func (n *portsOnly) Degree() int                    { return len(n.ports) }
func (n *portsOnly) Neighbor(port int) protocols.ID { return n.ports[port] }
func (n *portsOnly) Send(to protocols.ID, _ signal) { n.sent = append(n.sent, to) }

// A node that knows nothing of links that change has its ports as neighbours, each once, without itself.
func TestNeighborsOfANodeWithPorts(t *testing.T) {
	n := &portsOnly{ports: []protocols.ID{3, 1, 3, 0, 2}}
	protocols.Broadcast(n, signal(0))
	if want := []protocols.ID{1, 2, 3}; !slices.Equal(n.sent, want) || !slices.Equal(protocols.Neighbors(n), want) {
		t.Errorf("sent to %v, neighbours %v; want %v", n.sent, protocols.Neighbors(n), want)
	}
}
