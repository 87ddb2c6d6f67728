package netem

import "encoding/hex"

// trail has the first byte of the fingerprint at checkpoints of a run. Two trails tell where two
// runs differ; two fingerprints only tell that they do. Each bit of an event changes the first
// byte at once, but not the last one.
type trail struct {
	next  uint64 // the next checkpoint
	marks []byte
}

// reset goes back to the start. It keeps the memory.
func (t *trail) reset() { *t = trail{next: 1, marks: t.marks[:0]} }

// mark passes a checkpoint.
func (t *trail) mark(print fingerprint) {
	t.marks = append(t.marks, byte(print>>56))
	t.next = Checkpoint(len(t.marks))
}

// pass marks the checkpoint if the run has come to it. It has to be called between any two
// events.
func (t *trail) pass(events uint64, print fingerprint) {
	if events >= t.next {
		t.mark(print)
	}
}

// Checkpoint is the number of events before the i-th byte of a trail, from 0: 1, 2, 3, 4, 6, 8,
// 12, 16, 24, 32 and so on.
func Checkpoint(i int) uint64 {
	if i == 0 {
		return 1
	}
	return uint64(2+(i-1)%2) << ((i - 1) / 2)
}

// Trail has the first byte of the fingerprint at each [Checkpoint] so far, in hexadecimal
// digits. If the trails of two runs first differ at a checkpoint, the runs differ since the
// checkpoint before. Once in 256 times a difference shows one checkpoint late.
func (w *Network[M]) Trail() string {
	w.engine.trail.pass(w.engine.counters.Events, w.engine.fingerprint)
	return hex.EncodeToString(w.engine.trail.marks)
}
