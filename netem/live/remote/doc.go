// Package remote runs the nodes of a live run in OS processes of their own, on this machine or on
// several.
//
// The coordinator is [Run]. Hosts join it ([Join]), and each host starts an OS process for every
// node that the coordinator deals to it ([Node]). Nodes send messages to each other directly. A
// node writes each step to its standard output, which its host reads, before the messages of the
// step leave; what was written to a pipe is not lost when the writer is killed. The host hands it
// on to the coordinator, which so has the log of every process up to its last step.
//
// A crash kills the OS process. A process is deterministic given its inputs, so its log is its
// stable storage: the OS process of the next life takes all steps of the log again, and then has
// the process that crashed, from which the algorithm restores what it keeps.
//
// The coordinator sees the run as a cut: so many steps of each process. It ends the run when the
// cut shows that nothing can happen any more (see cut).
package remote
