package des

import "time"

// Time is an instant of virtual time: nanoseconds since the run began.
type Time int64

// MaxTime is the last instant that can be scheduled.
const MaxTime = Time(1<<62 - 1)

// Add returns t+d.
func (t Time) Add(d time.Duration) Time { return t + Time(d) }

// After returns t+d, or MaxTime, which is never, if that is later than it.
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

// Class orders the events of one instant: what breaks comes before what
// arrives, and what arrives comes before what gives up waiting, so that an
// answer that arrives exactly when its timeout expires is in time.
type Class uint8

// The classes, in the order in which they happen at one instant.
const (
	Fault    Class = iota // starts, crashes, restarts and whatever else a plan does
	Delivery              // a message arrives
	Timeout               // a timer expires
	Probe                 // an observer looks
)

var classNames = [...]string{"fault", "delivery", "timeout", "probe"}

// String names the class.
func (c Class) String() string { return classNames[c] }

// Event is one entry of the queue. Events are ordered by (At, Class, insertion
// number); the latter two are packed in one word.
type Event[T any] struct {
	At   Time
	key  uint64
	Item T
}

// The key of an event, from the top: class, insertion number, and the timer
// slot that the event belongs to (0: none). The insertion number alone tells
// two events apart, so the slot never decides an order.
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
