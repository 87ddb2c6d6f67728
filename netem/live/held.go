package live

import (
	"slices"
	"time"

	"bullring/protocols"
	"bullring/protocols/box"
)

// waitingRoom has the messages and timers that the adversary holds until a release, in the order
// in which they came.
type waitingRoom struct {
	held     []held
	alive    int // of them those that keep the run alive if a release comes
	releases int // that are planned
	asleep   int // those of alive that run.busy does not count, because no release is planned

	// Of the present release.
	asked   int                 // so many of held have to wait again
	refused map[waitingFor]bool // as their queues have
}

// held is a message or a timer that waits.
type held struct {
	node    *node
	frame   frame
	message box.Message
	timer   *armed // nil for a message
}

// waitingFor identifies what has to wait for each other: the messages of a link, or the timers
// of a process.
type waitingFor struct {
	to, from protocols.ID
	timers   bool
}

func (h *held) queue() waitingFor { return waitingFor{h.node.id, h.frame.from, h.timer != nil} }

// alive reports whether the thing can keep the run alive. A timer that was stopped cannot.
func (h *held) alive() bool {
	if t := h.timer; t != nil {
		return t.held && t.label > protocols.Background
	}
	return !h.node.run.isBackground(h.message.Kind())
}

// enter lets something wait.
func (w *waitingRoom) enter(h held) {
	w.add(&h)
	w.held = append(w.held, h)
}

// add counts something that waits from now on. The time for which a message waits is no latency.
func (w *waitingRoom) add(h *held) {
	h.frame.sent -= h.node.run.now()
	if h.timer != nil {
		h.timer.held = true
	}
	if h.alive() {
		w.alive++
	}
}

// remove counts something that waits no longer.
func (w *waitingRoom) remove(h *held) {
	h.frame.sent += h.node.run.now()
	if h.alive() {
		w.alive--
		if w.asleep > 0 {
			w.asleep--
			h.node.run.busy.Add(1)
		}
	}
	if h.timer != nil {
		h.timer.held = false
	}
}

// settle lets what waits keep the run alive only if a release is planned.
func (w *waitingRoom) settle(r *run) {
	asleep := 0
	if w.releases == 0 {
		asleep = w.alive
	}
	r.busy.Add(int64(w.asleep - asleep))
	w.asleep = asleep
}

// release begins to offer what waits.
func (t *Target) release() {
	t.room.releases--
	t.room.asked, t.room.refused = 0, map[waitingFor]bool{}
	t.offer()
}

// offer lets the first thing happen that has not to wait again, and plans the next offer: each is
// an event of its own.
func (t *Target) offer() {
	w := &t.room
	for ; w.asked < len(w.held); w.asked++ {
		h := w.held[w.asked]
		if w.refused[h.queue()] {
			continue
		}
		w.remove(&h)
		if h.happens() {
			w.held = slices.Delete(w.held, w.asked, w.asked+1)
			t.actions.add(t.now, t.offer)
			return
		}
		w.add(&h)
		w.refused[h.queue()] = true
	}
}

// happens lets the thing happen. It returns false if it has to wait.
func (h *held) happens() bool {
	if h.timer != nil {
		return h.node.notice(h.timer)
	}
	return h.node.admit(h.frame, h.message)
}

// again lets something happen later.
func (t *Target) again(wait time.Duration, h held) {
	t.actions.add(t.now.Add(wait), func() {
		if !h.happens() {
			t.room.enter(h)
		}
	})
}
