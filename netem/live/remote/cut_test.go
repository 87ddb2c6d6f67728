package remote

import (
	"math/rand/v2"
	"testing"

	"bullring/netem"
	"bullring/netem/live"
	"bullring/protocols"
	"bullring/protocols/box"
)

// toySystem is a system of processes that send at random, whose reports arrive late and in any order
// of the processes.
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

// step lets one thing happen. It returns false if nothing can.
func (s *toySystem) step() bool {
	var can []func()
	for p := range s.started {
		if !s.started[p] {
			can = append(can, func() { s.started[p] = true; s.act(p, 0) })
		} else if s.armed[p] {
			can = append(can, func() { s.armed[p] = false; s.act(p, 0) })
		}
	}
	for i, m := range s.way {
		if s.started[m.To] {
			can = append(can, func() {
				s.way = append(s.way[:i:i], s.way[i+1:]...)
				s.act(int(m.To), m.Number)
			})
		}
	}
	if len(can) == 0 {
		return false
	}
	can[s.r.IntN(len(can))]()
	return true
}

func (s *toySystem) act(p int, received uint64) {
	one := toyReport{received: received}
	for s.r.IntN(5) < 2 {
		s.count++
		one.sent = append(one.sent, netem.Sent{To: protocols.ID(s.r.IntN(len(s.started))), Number: s.count, Message: box.Message{Inside: hop{}}})
	}
	s.way = append(s.way, one.sent...)
	s.armed[p] = s.armed[p] || s.r.IntN(8) == 0
	one.armed = s.armed[p]
	s.reports[p] = append(s.reports[p], one)
}

// TestRestOfACut: when the cut says that nothing can happen, nothing can; and when all has been
// reported and nothing can happen, the cut says so.
func TestRestOfACut(t *testing.T) {
	endless := 0
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 1))
		n := 2 + r.IntN(4)
		s := &toySystem{r: r, started: make([]bool, n), armed: make([]bool, n), reports: make([][]toyReport, n)}
		c, heard, armed := newCut(hop{}), make([]int, n), make([]bool, n)
		rests := func() bool {
			for p := range n {
				if heard[p] == 0 || armed[p] {
					return false
				}
			}
			return c.isQuiet()
		}
		for over := false; !over; {
			if r.IntN(2) == 0 {
				s.step()
			}
			if p := r.IntN(n); len(s.reports[p]) > 0 {
				one := s.reports[p][0]
				s.reports[p] = s.reports[p][1:]
				if heard[p]++; one.received > 0 {
					c.receives(one.received)
				}
				for i := range one.sent {
					c.sends(protocols.ID(p), &one.sent[i])
				}
				armed[p] = one.armed
			}
			if over = rests(); over && s.step() {
				t.Fatalf("seed %d: the cut is at rest, and something happened", seed)
			}
			if s.count > 200 { // it grows for ever
				endless++
				break
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
