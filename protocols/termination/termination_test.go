package termination_test

import (
	"testing"
	"time"

	"bullring/protocols"
	"bullring/protocols/termination"
)

// host draws what it is told to.
type host struct {
	draws []int
	timer time.Duration
}

func (*host) Degree() int                                   { return 2 }
func (*host) Neighbor(port int) protocols.ID                { return protocols.ID(10 + port) }
func (h *host) SetTimer(_ protocols.Timer, d time.Duration) { h.timer = d }

func (h *host) Intn(n int) int {
	k := h.draws[0]
	if h.draws = h.draws[1:]; k >= n {
		panic("a draw out of range")
	}
	return k
}

// An initiator is active until it has begun. A process works once for each message that reaches it while
// it is passive, and sends no more than it may.
func TestWorker(t *testing.T) {
	w, h := termination.NewWorker(termination.Config{Initiator: true, Messages: 3}), &host{draws: []int{2, 0, 1}}
	if w.Passive() || w.Status().String() != "is active" {
		t.Error("an initiator that has not begun is passive")
	}
	if to := w.Begin(h); len(to) != 2 || to[0] != 10 || to[1] != 11 || !w.Passive() || w.Status().String() != "is passive" {
		t.Errorf("it sends to %v: %v", to, w.Status())
	}
	if to := w.Begin(h); to != nil {
		t.Errorf("it begins again, and sends to %v", to)
	}
	h.draws = []int{1, 1}
	if to := w.Activate(h); len(to) != 1 || to[0] != 11 {
		t.Errorf("it sends to %v", to)
	}
	if to := w.Activate(h); to != nil || w.Status().Pieces != 3 { // nothing is left, and it draws nothing
		t.Errorf("it sends to %v: %v", to, w.Status())
	}
	w.Announce()
	if w.Status().String() != "announces termination" || !w.Announced() {
		t.Error(w.Status())
	}
}

// A piece of work that takes time ends with its timer. A message that comes before is no other piece.
func TestBusyWorker(t *testing.T) {
	w, h := termination.NewWorker(termination.Config{Messages: 1, Busy: time.Second}), &host{draws: []int{1, 0}}
	if to := w.Begin(h); to != nil || !w.Passive() {
		t.Errorf("a process that does not initiate begins, and sends to %v", to)
	}
	if to := w.Activate(h); to != nil || w.Passive() || h.timer != time.Second {
		t.Errorf("it sends to %v; passive %v, timer %v", to, w.Passive(), h.timer)
	}
	if to := w.Activate(h); to != nil || w.Status().Pieces != 0 {
		t.Errorf("it sends to %v: %v", to, w.Status())
	}
	if to := w.Finish(h); len(to) != 1 || !w.Passive() || w.Status().Pieces != 1 || w.TimerName(0) != "end of work" {
		t.Errorf("it sends to %v: %v", to, w.Status())
	}
}
