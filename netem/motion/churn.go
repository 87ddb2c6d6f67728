package motion

import (
	"bullring/des"
	"bullring/netem"
	"bullring/protocols"
)

// churn is processes that leave and join: each is there for a time and away for a time, and has its
// links while both ends are there. A process that leaves keeps its state, and is told like the others
// that its links go down; it does not crash. All begin with a session.
type churn struct{ up, down des.Distribution }

func readChurn(a *arguments) model {
	return &churn{a.distribution("up"), a.distribution("down")}
}

func (m *churn) source(t netem.Topology, seed uint64) source {
	n := t.Len()
	s := &sessions{churn: m, near: make([][]protocols.ID, n), streams: make([]des.Stream, n), there: make([]bool, n)}
	for _, p := range netem.LinksOf(t) {
		s.near[p.A], s.near[p.B] = append(s.near[p.A], p.B), append(s.near[p.B], p.A)
	}
	for i := range n {
		s.streams[i], s.there[i] = des.NewStream(seed, "motion", uint64(i)), true
		s.plan(i, 0)
	}
	return s
}

// sessions is the source.
type sessions struct {
	*churn
	near    [][]protocols.ID
	streams []des.Stream
	there   []bool
	queue   heap           // of processes that leave or join, in nanoseconds
	now     []netem.Change // the next changes, all at one instant
}

func (s *sessions) plan(i int, now int64) {
	d := s.down
	if s.there[i] {
		d = s.up
	}
	took := max(1, int64(d.Sample(s.streams[i].Uint64())))
	s.queue.push(event{at: now + took, a: int32(i)})
}

// renew implements drawing.
func (s *sessions) renew(stream func(...uint64) des.Stream) {
	for i := range s.streams {
		s.streams[i] = stream(uint64(i))
	}
}

// Begin implements source.
func (s *sessions) Begin(link func(a, b protocols.ID)) {
	for a, near := range s.near {
		for _, b := range near {
			if protocols.ID(a) < b {
				link(protocols.ID(a), b)
			}
		}
	}
}

// Next implements source.
func (s *sessions) Next() (c netem.Change, ok bool) {
	for steps := 0; len(s.now) == 0; steps++ {
		if steps == mostIdle {
			return quietUntil(des.Time(s.queue[0].at - 1)), true
		}
		s.step()
	}
	c, s.now = s.now[0], s.now[1:]
	return c, true
}

// step has the processes leave and join that do so at the next instant.
func (s *sessions) step() {
	at := s.queue[0].at
	turned := map[protocols.ID]bool{}
	for len(s.queue) > 0 && s.queue[0].at == at {
		i := int(s.queue.pop().a)
		s.there[i] = !s.there[i]
		turned[protocols.ID(i)] = true
		s.plan(i, at)
	}
	changed := map[netem.Link]bool{}
	for a := range turned {
		for _, b := range s.near[a] {
			was := s.there[a] != turned[a] && s.there[b] != turned[b]
			if is := s.there[a] && s.there[b]; is != was {
				changed[netem.LinkBetween(a, b)] = true
			}
		}
	}
	for _, p := range sorted(changed) {
		s.now = append(s.now, netem.Change{At: des.Time(at), A: p.A, B: p.B, Up: s.there[p.A] && s.there[p.B]})
	}
}
