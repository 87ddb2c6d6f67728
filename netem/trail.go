package netem

import "encoding/hex"

// trail is the fingerprint of a run on its way: its first byte after so many events.
// It places what two runs do differently, where fingerprints only tell that they do.
//
// The first byte, and not the last: every bit of an event is in it at once.
type trail struct {
	next  uint64 // the checkpoint that comes
	marks []byte
}

// reset goes back to the start, in the same memory.
func (t *trail) reset() { *t = trail{next: 1, marks: t.marks[:0]} }

// mark passes a checkpoint with that fingerprint.
func (t *trail) mark(print fingerprint) {
	t.marks = append(t.marks, byte(print>>56))
	t.next = Checkpoint(len(t.marks))
}

// pass marks the checkpoint that the run has come to, if it has. It has to be
// called between any two events.
func (e *engine) pass() {
	if e.counters.Events >= e.trail.next {
		e.trail.mark(e.print)
	}
}

// Checkpoint is the number of events after which the i-th byte of a trail, from 0,
// is taken: 1, 2, 3, 4, 6, 8, 12, 16, 24, 32 and so on.
func Checkpoint(i int) uint64 {
	if i == 0 {
		return 1
	}
	return uint64(2+(i-1)%2) << ((i - 1) / 2)
}

// Trail is the first byte of the fingerprint after 1, 2, 3, 4, 6, 8, 12 and so on
// events (see [Checkpoint]), as far as the run has come, in hexadecimal digits.
// Where the trails of two runs first differ, the runs do, since the checkpoint
// before; that a difference is seen one checkpoint late happens once in 256 times.
func (w *Network[M]) Trail() string {
	w.engine.pass()
	return hex.EncodeToString(w.engine.trail.marks)
}
