// Package des provides virtual time for discrete-event simulation:
//
//   - [Queue], the event set: pending events in the order (time, class, insertion), and
//     timers that cost next to nothing to re-arm;
//   - [Stream], named streams of random numbers;
//   - [Distribution] and [Probability], computed in integers;
//   - [Clock], virtual time for code that takes a clockwork.Clock.
//
// The way of an event: the caller schedules it with [Queue.At], or arms a timer with
// [Queue.Reset]; [Queue.Next] returns the earliest event and sets [Queue.Now] to its
// instant; the caller acts on it and schedules what follows. The loop is the caller's.
//
// The package starts no goroutine, reads no other clock and has no other source of
// randomness. It knows no processes and no messages. Between a seed and the order of events
// it computes in integers, or with operations that IEEE 754 defines to the last bit, so one
// seed is one run on every machine.
//
// docs/performance.md describes the event set and compares its cost with others.
package des
