package remote

import (
	"math/rand/v2"
	"slices"
	"testing"

	"bullring/netem"
	"bullring/netem/live"
	"bullring/protocols"
	"bullring/protocols/box"
)

// chat is a message, or one in the background.
type chat struct{ background bool }

func (m chat) Kind() int {
	if m.background {
		return 1
	}
	return 0
}

func (chat) Kinds() []string          { return []string{"CHAT", "BEAT"} }
func (chat) Bits() int                { return 0 }
func (chat) Background(kind int) bool { return kind == 1 }

// toySystem is a system of processes that send at random, whose reports arrive late and in any order
// of the processes. A message in the background causes only such messages.
type toySystem struct {
	r       *rand.Rand
	started []bool
	armed   []bool
	way     []netem.Sent // messages on their way
	count   uint64
	reports [][]toyReport // by process: those that have not arrived
}

type toyReport struct {
	received uint64 // 0 is none
	sent     []netem.Sent
	armed    bool
}

// isBackground reports whether a message is in the background.
func isBackground(m netem.Sent) bool { return m.Message.(box.Message).Kind() == 1 }

// isAlive reports whether something can happen that is not in the background.
func (s *toySystem) isAlive() bool {
	return slices.Contains(s.started, false) || slices.Contains(s.armed, true) ||
		slices.ContainsFunc(s.way, func(m netem.Sent) bool { return !isBackground(m) })
}

// step lets one thing happen, if something can.
func (s *toySystem) step() {
	var can []func()
	for p := range s.started {
		if !s.started[p] {
			can = append(can, func() { s.started[p] = true; s.act(p, 0, false) })
		} else if s.armed[p] {
			can = append(can, func() { s.armed[p] = false; s.act(p, 0, false) })
		}
	}
	for i, m := range s.way {
		if s.started[m.To] {
			can = append(can, func() {
				s.way = append(s.way[:i:i], s.way[i+1:]...)
				s.act(int(m.To), m.Number, isBackground(m))
			})
		}
	}
	if len(can) > 0 {
		can[s.r.IntN(len(can))]()
	}
}

func (s *toySystem) act(p int, received uint64, background bool) {
	one := toyReport{received: received}
	for s.r.IntN(5) < 2 {
		s.count++
		m := chat{background || s.r.IntN(3) == 0}
		one.sent = append(one.sent, netem.Sent{To: protocols.ID(s.r.IntN(len(s.started))), Number: s.count, Message: box.Message{Inside: m}})
	}
	s.way = append(s.way, one.sent...)
	s.armed[p] = s.armed[p] || !background && s.r.IntN(8) == 0
	one.armed = s.armed[p]
	s.reports[p] = append(s.reports[p], one)
}

// TestRestOfACut: when the cut says that nothing can happen but in the background, nothing can, and
// what was received in the cut was sent in it; and when all has been reported and nothing can happen,
// the cut says so.
func TestRestOfACut(t *testing.T) {
	endless := 0
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 1))
		n := 2 + r.IntN(4)
		s := &toySystem{r: r, started: make([]bool, n), armed: make([]bool, n), reports: make([][]toyReport, n)}
		c, heard, armed := newCut(chat{}), make([]int, n), make([]bool, n)
		sent, received := map[uint64]bool{}, map[uint64]bool{} // in the cut
		over := false
		rests := func() bool {
			for p := range n {
				if heard[p] == 0 || armed[p] {
					return false
				}
			}
			return c.isQuiet()
		}
		for !over {
			if r.IntN(2) == 0 {
				s.step()
			}
			if p := r.IntN(n); len(s.reports[p]) > 0 {
				one := s.reports[p][0]
				s.reports[p] = s.reports[p][1:]
				if heard[p]++; one.received > 0 {
					c.receives(one.received)
					received[one.received] = true
				}
				for i := range one.sent {
					c.sends(protocols.ID(p), &one.sent[i])
					sent[one.sent[i].Number] = true
				}
				armed[p] = one.armed
			}
			if over = rests(); over && s.isAlive() {
				t.Fatalf("seed %d: the cut is at rest, and something can happen", seed)
			}
			if !over && len(s.way) == 0 && !s.isAlive() && !slices.ContainsFunc(s.reports, func(left []toyReport) bool { return len(left) > 0 }) {
				t.Fatalf("seed %d: nothing can happen and all has been reported, and the cut is not at rest", seed)
			}
			if s.count > 200 { // it grows for ever
				endless++
				break
			}
		}
		for number := range received {
			if over && !sent[number] {
				t.Fatalf("seed %d: the cut is at rest, and has the receipt of message %d without its sending", seed, number)
			}
		}
	}
	if endless > 1000 {
		t.Errorf("%d of 2,000 systems did not come to rest", endless)
	}
}

// TestConsistent: what follows from an unreported step is cut off, at all processes.
func TestConsistent(t *testing.T) {
	deliver := func(number uint64, sent ...uint64) live.Step {
		s := live.Step{Record: netem.Record{What: "deliver", Message: box.Message{}, Number: number}}
		for _, m := range sent {
			s.Sent = append(s.Sent, netem.Sent{Number: m})
		}
		return s
	}
	start := live.Step{Record: netem.Record{What: "start", Sent: []netem.Sent{{Number: 1}}}}
	steps := [][]live.Step{{start, deliver(4)}, {deliver(1, 2), deliver(9, 3)}, {deliver(2), deliver(3, 4)}, {{Record: netem.Record{What: "start"}}}}
	consistent(steps)
	for p, want := range []int{1, 1, 1, 1} {
		if len(steps[p]) != want {
			t.Errorf("process %d has %d steps, not %d", p, len(steps[p]), want)
		}
	}
}
