package adversary

import (
	"time"

	"bullring/protocols"
)

// Asynchronous makes Byzantine processes of an algorithm without rounds. Behind each is a process that
// follows the algorithm, or two. A Byzantine process sends when that one would, and says something else.
type Asynchronous[M any] struct {
	Honest func() protocols.Process[M] // a process that follows the algorithm
	Second func() protocols.Process[M] // another one, such as with the opposite input
	First  func(to protocols.ID) bool  // which processes are the first half
	// Versions are what the receiver of a message would take in its place, the message itself included.
	Versions func(m M) []M
	// Told is the message as a half hears it from a process that splits the others.
	Told func(m M, first bool) M
}

// Strategy is a strategy of Byzantine processes.
type Strategy struct {
	Name, Says string
}

// Asynchronously are the strategies of [Asynchronous.Lying].
var Asynchronously = []Strategy{
	{"silent", "sends nothing"},
	{"random", "draws each message, or none, when an honest process would send one"},
	{"two-faced", "is honest to the processes below n/2, and says something else to the others"},
	{"split", "tells one value to the processes below n/2 and the opposite to the others, whatever it hears"},
}

// Lying returns a process with the strategy of that name. It is honest if there is none.
func (a Asynchronous[M]) Lying(strategy string) protocols.Process[M] {
	switch strategy {
	case "silent":
		return &lying[M]{a.Honest(), func(n protocols.Node[M]) protocols.Node[M] { return mute[M]{n} }}
	case "random":
		return &lying[M]{a.Honest(), func(n protocols.Node[M]) protocols.Node[M] { return drawing[M]{n, a.Versions} }}
	case "two-faced":
		return &twoProcesses[M]{a.Honest(), a.Second(), a.First}
	case "split":
		return &lying[M]{a.Honest(), func(n protocols.Node[M]) protocols.Node[M] { return splitting[M]{n, a.First, a.Told} }}
	}
	return a.Honest()
}

// lying is an honest process whose messages pass a node that lies. It neither boots nor recovers.
type lying[M any] struct {
	protocols.Process[M]
	through func(protocols.Node[M]) protocols.Node[M] `explore:"-"`
}

// Start implements [protocols.Process].
func (l *lying[M]) Start(n protocols.Node[M]) { l.Process.Start(l.through(n)) }

// Receive implements [protocols.Process].
func (l *lying[M]) Receive(n protocols.Node[M], from protocols.ID, m M) {
	l.Process.Receive(l.through(n), from, m)
}

// Timeout implements [protocols.Process].
func (l *lying[M]) Timeout(n protocols.Node[M], t protocols.Timer) {
	l.Process.Timeout(l.through(n), t)
}

// Opposed returns a process that says the opposite of what an honest one says.
func Opposed[M any](honest protocols.Process[M], opposite func(M) M) protocols.Process[M] {
	return &lying[M]{honest, func(n protocols.Node[M]) protocols.Node[M] { return opposed[M]{n, opposite} }}
}

// drawing is a node that draws a version of each message, or none, each as likely.
type drawing[M any] struct {
	protocols.Node[M]
	versions func(M) []M
}

func (d drawing[M]) Send(to protocols.ID, m M) {
	versions := d.versions(m)
	if k := d.Intn(len(versions) + 1); k < len(versions) {
		d.Node.Send(to, versions[k])
	}
}

// splitting is a node that tells each half something else.
type splitting[M any] struct {
	protocols.Node[M]
	first func(protocols.ID) bool
	told  func(M, bool) M
}

func (s splitting[M]) Send(to protocols.ID, m M) { s.Node.Send(to, s.told(m, s.first(to))) }

// twoProcesses is an asynchronous process that is two. Both hear everything.
type twoProcesses[M any] struct {
	first, second protocols.Process[M]
	toFirst       func(protocols.ID) bool `explore:"-"`
}

// nodes are the nodes of the two.
func (p *twoProcesses[M]) nodes(n protocols.Node[M]) (first, second protocols.Node[M]) {
	return face[M]{n, p.toFirst, true}, otherTimers[M]{face[M]{n, p.toFirst, false}}
}

// Start implements [protocols.Process].
func (p *twoProcesses[M]) Start(n protocols.Node[M]) {
	first, second := p.nodes(n)
	p.first.Start(first)
	p.second.Start(second)
}

// Receive implements [protocols.Process].
func (p *twoProcesses[M]) Receive(n protocols.Node[M], from protocols.ID, m M) {
	first, second := p.nodes(n)
	p.first.Receive(first, from, m)
	p.second.Receive(second, from, m)
}

// Timeout implements [protocols.Process]. The timers of the second have negative labels.
func (p *twoProcesses[M]) Timeout(n protocols.Node[M], t protocols.Timer) {
	first, second := p.nodes(n)
	if t < 0 {
		p.second.Timeout(second, ^t)
	} else {
		p.first.Timeout(first, t)
	}
}

// otherTimers is a node whose timers are others than those of the first process.
type otherTimers[M any] struct{ protocols.Node[M] }

func (o otherTimers[M]) SetTimer(t protocols.Timer, after time.Duration) { o.Node.SetTimer(^t, after) }
func (o otherTimers[M]) StopTimer(t protocols.Timer)                     { o.Node.StopTimer(^t) }
