// Package verify runs recorded trials again and compares them with what was recorded.
//
// [Verifier.Run] takes a folder or one figure. Of a folder it checks every hash, computes
// the tables, the documents and the figures again from the rows, and runs a sample of the
// rows again, or all of them. Of a figure it reads the receipt, runs the trials in it, and
// compares their digests. A [Report] lists what differs. [Replay] runs one row again,
// with a trace.
//
// The package writes nothing into the folder that it verifies.
package verify
