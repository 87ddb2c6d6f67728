package des

import "time"

// Time is an instant of virtual time: nanoseconds since the run began.
type Time int64

// MaxTime is the last instant that can be scheduled.
const MaxTime = Time(1<<62 - 1)

// Add returns t+d.
func (t Time) Add(d time.Duration) Time { return t + Time(d) }

// After returns t+d, or MaxTime if that is earlier.
func (t Time) After(d time.Duration) Time {
	if Time(d) > MaxTime-t {
		return MaxTime
	}
	return t + Time(d)
}

// Sub returns the duration t-u.
func (t Time) Sub(u Time) time.Duration { return time.Duration(t - u) }

// String prints the instant as a duration since the run began.
func (t Time) String() string { return time.Duration(t).String() }

// Class orders the events of one instant. A fault comes before an arrival, and an arrival
// before a timeout: an answer that arrives exactly when its timeout expires is in time.
type Class uint8

// The classes, in their order at one instant.
const (
	Fault    Class = iota // a start, crash, restart or other action of a fault plan
	Delivery              // a message arrives
	Timeout               // a timer expires
	Probe                 // an observer looks
)

var classNames = [...]string{"fault", "delivery", "timeout", "probe"}

// String names the class.
func (c Class) String() string { return classNames[c] }

// Event is an entry of the queue. Events are ordered by (At, Class, insertion number); key
// packs the latter two into one word.
type Event[T any] struct {
	At   Time
	key  uint64
	Item T
}

// The key of an event, from the top: class, insertion number, and the slot of its timer, 0
// for none. No two events have the same insertion number, so the slot does not decide the
// order.
const (
	slotBits = 22
	seqBits  = 40
	maxSeq   = 1<<seqBits - 1
	maxSlot  = 1<<slotBits - 1
)

func makeKey(c Class, seq uint64, slot Timer) uint64 {
	return uint64(c)<<(seqBits+slotBits) | seq<<slotBits | uint64(slot)
}

// Class is the event's class.
func (e *Event[T]) Class() Class { return Class(e.key >> (seqBits + slotBits)) }

func (e *Event[T]) slot() Timer { return Timer(e.key & maxSlot) }

func (e *Event[T]) before(f *Event[T]) bool {
	return e.At < f.At || e.At == f.At && e.key < f.key
}

func compareEvents[T any](e, f Event[T]) int {
	if e.before(&f) {
		return -1
	}
	return 1
}
