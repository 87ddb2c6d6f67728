// Package trial runs one trial of an algorithm, and judges it.
//
// A trial begins as a [Setting]: the words of a command line, of a cell of a sweep, or of a
// row of results. [Registry.Instance] checks each word and returns an [Instance]: the
// topology, the identities, the links, the faults, and the assumptions of the algorithm that
// do not hold. A [Worker] runs the instance and returns a [Result]: what was counted, how the
// run compares with each [Bound] of theory, and the verdict of a [Judge]. The same instance
// with the same seed gives the same result, on every machine.
//
// A [Registry] holds the algorithms that a program knows. An [Algorithm] is a declaration:
// its papers, its [Assumptions], its bounds. A [Family] is the problem that it solves, such
// as election: checks, outcomes, and metrics. [Judged] puts the declaration, the family, a
// judge and the maker of the processes together, and hides the type of the messages. [Ruled]
// does the same with a judge that only looks at the states of the processes. The families of
// the project are in package experiments/trial/families. A family of your own can do all that they
// do, because they use nothing else.
//
// The explorer judges with the same judges. [Algorithm.Explore] hands it instances, and an
// instance with a [Schedule] plays a run that it has found.
//
// This package writes no file and draws no figure. It knows no sweep: package
// experiments/campaign/sweep runs many trials, experiments/trial/search looks for the run that fails.
package trial
