package explore

import (
	"fmt"
	"time"

	"bullring/netem"
	"bullring/protocols"
)

// toy is a process that uses everything that a node offers: it draws a number, sends it
// round, asks the failure detector, arms, re-arms and stops timers, has a service, and
// keeps a number in stable storage.
type toy struct {
	lives  int // in stable storage
	drawn  int
	seen   []int
	late   int
	backed map[int]bool
	ends   bool
}

type toyMessage struct{ value, hops int }

func (toyMessage) Kind() int        { return 0 }
func (toyMessage) Kinds() []string  { return []string{"TOY"} }
func (m toyMessage) Bits() int      { return 8 + m.value }
func (m toyMessage) String() string { return fmt.Sprintf("TOY(%d, %d)", m.value, m.hops) }

func newToy(protocols.ID) protocols.Process[toyMessage] { return &toy{backed: map[int]bool{}} }

func (t *toy) Boot(n protocols.Node[toyMessage]) {
	t.lives++
	n.SetTimer(7, time.Millisecond)
}

func (t *toy) Start(n protocols.Node[toyMessage]) {
	t.drawn = n.Intn(2)
	for port := range n.Degree() {
		n.Send(n.Neighbor(port), toyMessage{t.drawn, 1})
	}
	n.SetTimer(1, 2*time.Millisecond)
}

func (t *toy) Receive(n protocols.Node[toyMessage], from protocols.ID, m toyMessage) {
	if !t.backed[m.value] {
		t.backed[m.value] = n.Suspects(from)
	}
	t.seen = append(t.seen, m.value)
	if len(t.seen) > 2 {
		t.seen = t.seen[1:]
	}
	if m.hops < 2 {
		n.Send(n.Neighbor(0), toyMessage{m.value, m.hops + 1})
		n.StopTimer(1)
	}
}

func (t *toy) Timeout(n protocols.Node[toyMessage], label protocols.Timer) {
	if label == 7 {
		t.ends = true
		return
	}
	if t.late < 1 {
		t.late++
		n.SetTimer(1, time.Millisecond)
	}
}

// Round is 1, and 2 once it was late.
func (t *toy) Round() int { return 1 + t.late }

func (t *toy) Restore(crashed protocols.Process[toyMessage]) { t.lives = crashed.(*toy).lives }

func (t *toy) Recover(n protocols.Node[toyMessage]) { n.Send(n.Neighbor(0), toyMessage{9, 2}) }

// toyWatch notes the numbers that processes have seen, and accepts every run.
type toyWatch struct {
	Seen  [3][2]bool
	Dead  [3]bool
	Backs int
	Now   time.Duration
	Steps int `explore:"-"`
}

func (w *toyWatch) note(p protocols.ID, process any) {
	w.Steps++
	for _, v := range process.(*toy).seen {
		if v < 2 {
			w.Seen[p][v] = true
		}
	}
}

func (w *toyWatch) Started(p protocols.ID, process any, _ time.Duration)  { w.note(p, process) }
func (w *toyWatch) Received(p protocols.ID, process any, _ time.Duration) { w.note(p, process) }
func (w *toyWatch) Expired(p protocols.ID, process any, _ time.Duration)  { w.note(p, process) }
func (w *toyWatch) Crashed(p protocols.ID, _ time.Duration)               { w.Dead[p] = true }

func (w *toyWatch) Restarted(p protocols.ID, process any, now time.Duration) {
	w.Dead[p], w.Now = false, now
	w.Backs++
	w.note(p, process)
}

func (w *toyWatch) Verdicts(bool) []protocols.Verdict { return nil }

func toySystem(n int, network Network, initiators ...protocols.ID) *System[toyMessage] {
	return &System[toyMessage]{
		Topology: netem.BiRing(n),
		Roots:    []Root[toyMessage]{{Boot: newToy, Initiators: initiators, Watch: &toyWatch{}}},
		Network:  network,
	}
}
