// Package des is virtual time for discrete-event simulation: an event set that
// orders pending events by (time, class, insertion), timers that are re-armed
// for next to nothing, named streams of random numbers, distributions of
// durations that are computed in integers, and a clock for code that takes a
// clockwork.Clock.
//
// [Queue] returns the next event; the loop is the caller's. It knows no nodes
// and no messages and can be used on its own.
//
// How the event set is made, and what it costs beside others, is told in
// docs/performance.md.
package des
