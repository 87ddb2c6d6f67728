package remote

import (
	"time"

	"bullring/protocols"
)

// walker lets a token walk round the ring, with a pause at each process, until it has been
// everywhere `rounds` times. A process keeps how often it saw the token, also after a crash; and
// after a restart it sends what it kept.
type walker struct{ Seen, Drawn int }

const rounds = 20

type step struct{ Hop, Drawn int }

func (step) Kind() int       { return 0 }
func (step) Kinds() []string { return []string{"TOKEN"} }
func (step) Bits() int       { return 64 }

func (w *walker) Start(n protocols.Node[step]) { w.pass(n, 1) }

func (w *walker) pass(n protocols.Node[step], hop int) {
	w.Drawn = n.Intn(1 << 20)
	n.Send((n.ID()+1)%protocols.ID(2), step{hop, w.Drawn})
}

func (w *walker) Receive(n protocols.Node[step], _ protocols.ID, m step) {
	w.Seen = m.Hop
	n.SetTimer(1, time.Millisecond)
}

func (w *walker) Timeout(n protocols.Node[step], _ protocols.Timer) {
	if w.Seen < rounds {
		w.pass(n, w.Seen+1)
	}
}

func (w *walker) Restore(crashed protocols.Process[step]) { *w = *crashed.(*walker) }

func (w *walker) Recover(n protocols.Node[step]) { w.pass(n, w.Seen+1) }
