// Package hunt looks for runs that fail: it draws settings of an algorithm, runs them, and shrinks
// what fails.
//
// Each run has a number, and its setting follows from the seed of the hunt, its number, and the
// runs before it: a run in which something new happened is varied later. So the same hunt finds
// the same, for any number of workers.
//
// Some runs follow a schedule: a random walk of the explorer, for which delays, links and plans have
// no part. See [Schedules].
//
// New is a pair of events that follow each other at one process, such as the arrival of an
// ELECTION and then a timeout. The [Coverage] counts these pairs, the events alone, and the kinds
// of faults.
//
// Two runs fail alike if the smallest runs that show their failures break the same check, for a
// reason of the same kind: see package reason. Without a reason they have to need the same kinds
// of faults and the same of their links.
package hunt
