// Package protocols is the contract between a distributed algorithm and what
// drives it. Four drivers exist: package netem, the discrete-event emulator;
// netem/explore, the exhaustive explorer, which plays schedules, too; netem/live, over
// sockets in real time; and experiments/real/maelstrom, for nodes of Maelstrom.
//
// # What a process is
//
// A [Process] is a struct. Its fields are the state that the paper gives a process,
// and it has three handlers: Start, Receive and Timeout. A handler runs to
// completion before the next one begins. It changes its own process and asks its
// [Node] for the rest: to send a message, to set a timer, to draw a number.
//
// A process opts in to more by a further method: [Recoverer], [Stable], [Booter].
// A synchronous algorithm is a [Round]; package rounds makes a Process of it.
//
// # The way of a message
//
// A handler calls Send with the address of a neighbour. The message leaves when the
// handler returns, behind those sent before it. The driver counts it by its kind and
// its size, which is all that it knows of a [Message]. The link delays it, and may
// lose, repeat or alter it. If it arrives and the receiver is alive, the driver calls
// Receive of the receiver with the address of the sender. A message is a value: the
// sender must not modify what the message refers to. Between operating system processes it
// travels as JSON: see [Decode].
//
// A wrapper, also called a transformer, stands between an algorithm and the driver. It
// is a process with messages of its own, which hold the messages of the algorithm: see
// packages reliable and detector. The algorithm does not notice.
//
// # What a process never does
//
// It starts no goroutine, reads no clock but its own (Now, if its
// declaration says so), draws no number but
// by Intn, keeps no global state, never ranges over a map in a way that shows, and
// never uses a Node after its handler has returned. Equal calls in an equal order
// therefore have equal effects, under every driver. Package conduct checks this.
//
// The package depends on the standard library alone.
package protocols
