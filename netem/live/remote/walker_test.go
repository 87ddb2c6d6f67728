package remote

import (
	"fmt"
	"os"
	"time"

	"bullring/protocols"
)

// walker lets a token walk round the ring, with a pause at each process, until it has been
// everywhere `rounds` times. A process keeps how often it saw the token, also after a crash; and
// after a restart it sends what it kept.
type walker struct {
	Seen, Drawn int
	toy         string
}

const rounds = 20

type hop struct{ Hop, Drawn int }

func (hop) Kind() int       { return 0 }
func (hop) Kinds() []string { return []string{"TOKEN"} }
func (hop) Bits() int       { return 64 }

func (w *walker) Start(n protocols.Node[hop]) {
	if w.toy == "stuck" {
		fmt.Fprintln(os.Stderr, "stuck")
		time.Sleep(time.Hour)
	}
	w.pass(n, 1)
}

func (w *walker) pass(n protocols.Node[hop], count int) {
	w.Drawn = n.Intn(1 << 20)
	if w.toy == "differs" {
		w.Drawn = os.Getpid()
	}
	n.Send((n.ID()+1)%protocols.ID(2), hop{count, w.Drawn})
}

func (w *walker) Receive(n protocols.Node[hop], _ protocols.ID, m hop) {
	w.Seen = m.Hop
	if w.toy == "panics" && n.ID() == 1 {
		panic("on purpose")
	}
	n.SetTimer(1, time.Millisecond)
}

func (w *walker) Timeout(n protocols.Node[hop], _ protocols.Timer) {
	if w.Seen < rounds || w.toy != "walker" {
		w.pass(n, w.Seen+1)
	}
}

func (w *walker) Restore(crashed protocols.Process[hop]) { *w = *crashed.(*walker) }

func (w *walker) Recover(n protocols.Node[hop]) { w.pass(n, w.Seen+1) }
