// Package families has the problems that the algorithms of this project solve: leader
// election, mutual exclusion, totally ordered multicast, global snapshots, superpeers and
// the synchronization of clocks.
//
// Each family completes the declaration of an algorithm, such as [Election]: it adds the
// checks, outcomes and metrics of the family, and a judge. In a trial, package trial
// makes the processes and the judge, and tells the judge of every step. The judge looks at
// the process and tells a checker of package protocols what it sees. At the end the judge
// says how the run came out, and what it has measured. The explorer uses the same judge,
// which then measures nothing.
//
// The families use exported names of package trial alone, so a family in a module of
// your own can do all that they do. No family knows another, but for [MutexFailover] and
// [MulticastFailover], which replace a coordinator by an election.
package families
