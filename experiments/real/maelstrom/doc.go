// Package maelstrom runs one process of an algorithm as a node of Maelstrom: JSON lines on
// standard input and output, in real time. Its protocol is in docs/nodes.md and in Maelstrom's
// doc/protocol.md.
//
// A message between nodes has the kind of the algorithm's message as its type, in lower case,
// and the message as JSON in m. The order of node_ids is that of addresses. Clients may ask a
// node to start and to read: what it has decided, and its state.
//
// Messages from outside are not trusted. A line that is no message of the algorithm is
// reported on the log and left alone; a request gets an error.
package maelstrom
