// Package experiments runs one trial of an algorithm, and judges it.
//
// A trial begins as a [Setting]: the words of a command line or of a row of results.
// [Registry.Instance] reads these words, checks each of them, and returns an [Instance]:
// the topology, the identities, the links, the faults, and what of the algorithm's model
// they break. A [Worker] runs the instance and returns a [Result]: what was counted, and
// what the judge of the algorithm's family says. The same instance with the same seed
// gives the same result, on every machine.
//
// A [Registry] holds the algorithms that a program knows. An [Algorithm] is a declaration:
// its papers, what it assumes, what it costs in theory. [Judged] completes the declaration
// with the maker of its processes and the judge of its [Family], and forgets the type of
// its messages. A family is one problem, such as election; those of the project are in
// package experiments/families, and an own one needs nothing that they do not use.
//
// This package writes no file and draws no figure. It knows no sweep: package
// experiments/sweep runs many trials, experiments/search looks for the run that fails.
package experiments
