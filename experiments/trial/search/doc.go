// Package search looks for runs: all runs of a small system, the worst run, the smallest
// run that fails.
//
// [Explore] looks at every run of a setting, or at a sample, and returns an [Exploration]
// with a counterexample for each property that is violated. [FindWorst] looks for the run that
// costs most. [Shrink] makes a run smaller while it fails in the same way. [FindCritical]
// drops, delays or duplicates each message of a run in turn. What
// is found is a setting, and a [Case] keeps it in a file with its verdict and its
// fingerprint.
//
// Each search runs single trials of package trial. None of them writes results.
package search
