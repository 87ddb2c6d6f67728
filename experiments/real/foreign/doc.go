// Package foreign runs the processes of a trial in other programs, in any language. A program
// speaks the protocol of Maelstrom's nodes: a JSON object a line, on standard input and output.
// docs/nodes.md has the protocol, and docs/nodes libraries for it.
//
// The programs run in lockstep with virtual time. Each handler of a [protocols.Process] writes
// one event to its program and then a request of a type that no node knows. The answer to that
// request ends the handler: a node that reads in order has done with the event by then. What
// the node wrote before the answer are the effects of the handler: messages, timers, decisions,
// questions to services. A program that keeps to this, reads no clock and draws no numbers of
// its own is as deterministic as a process in Go, and the same setting has the same fingerprint.
//
// In a plain run with a constant delay the first message of each program at an instant is written ahead of its
// turn, and what the program says is read in its turn: the programs work at the same time.
//
// A program that breaks the protocol ends the run with a [trial.Misbehaviour] that names
// the process, the event and what it did. Waits and buffers have limits. A program that does not
// answer in time ends the run with a [trial.LateError], which makes it inconclusive.
//
// In a live run (package lab) programs are asked by the same code, several at the same time, and messages
// between them cross sockets.
//
// In an exploration one program is asked what processes do: set to a state, told an event, asked for
// the state after it. explore.go has that; audit.go asks some questions again, because a program may
// depend on more than the state that it tells.
//
// A setting names the program in its field Node: see [Nodes]. Package foreign starts no program
// unless Allowed is set, because settings come from files, too.
package foreign
