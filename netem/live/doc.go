// Package live runs the processes of a distributed algorithm over sockets, in real time: the
// same code that package netem runs in virtual time and package explore in all orders.
//
// A [Config] says what to run, [Run] runs it in this OS process and returns a [Recording]. Each
// process is a node: one goroutine takes what happens to it from an inbox, one step at a time.
// The messages of a step leave when its handler has returned and the step is recorded.
//
// A step records all inputs of its handler: the message or timer, the numbers that it drew, the
// instants that it read and what its failure detector answered. A process is deterministic given
// these. So the steps, ordered by their Lamport clocks (Lamport 1978), are a schedule that the
// player of package explore can follow: it leads the same processes through the same states.
//
// Before a message goes to its socket, its link can lose, duplicate and delay it as a link of
// package netem does: with the same words, and decided by the same random streams.
//
// A [Target] lets a plan of faults act on the run, as on a run of package netem. While a run has
// one, its steps are taken one at a time.
//
// Handlers may wait for something outside of the run, such as a program that plays a process: see
// [Waits].
//
// Rest is exact: the run counts the messages under way, the timers that are armed and the
// handlers that run, and it is at rest when none is left. Over UDP a message may be lost, and
// then a run ends in silence, which is less than rest.
package live
