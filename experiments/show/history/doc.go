// Package history keeps a run as data: its records in order, each with its causes, what the
// process decided and which of its fields changed. Everything that shows a run is made from a
// [History]: the explanation of a verdict, diagrams, pages and exports.
//
// Causes are those of the relation "happened before" (L. Lamport, "Time, clocks, and the
// ordering of events in a distributed system", CACM 21(7), 1978): an event follows from the
// previous event of its process, and the delivery of a message from its sending.
package history
