// Package netem runs the processes of a distributed algorithm over an emulated network in
// virtual time.
//
// A [Config] has the [Topology], the delays and what else links do, the seed and the limits.
// [New] makes a [Network] for it, StartAt wakes processes up, CrashAt and an [Adversary] make
// things go wrong, Run handles events until none is left, and [Counters] say what it cost.
//
// The way of a message: a process sends it in a handler. When the handler has returned, the
// network hands the message to its link, which decides when it arrives. It waits until then, in
// the event queue or, if all delays are one constant, in a list beside it. The network passes it
// to the Receive method of its receiver, counts it, hashes it into the fingerprint and tells the
// [Observer]. A run that needs more (faults beyond crashes and lines, a [Tracer]) takes a longer
// way at each step, for which other runs do not pay.
//
// The package knows no algorithm, starts no goroutine, and reads no clock but that of the
// event queue. Everything random comes from the seed.
//
// docs/model.md defines a run: time, ties, channels, crashes, timers, counting.
package netem
