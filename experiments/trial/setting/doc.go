// Package setting says what a trial can be asked for: a [Setting], and the table of its
// conditions.
//
// A condition is what a trial runs under, such as the delay of messages. It is an axis of
// sweeps, a flag of the command line and a column of results. Each has one row in the
// table, and everything else reads the row: the grammar of sweeps and the seeds of cells
// (experiments/campaign/spec), the columns of results.csv and the replay of a row
// (experiments/campaign/results), shrinking (experiments/trial/search), and the flags and the printed
// command of a run (experiments/cli).
//
// The package knows texts, numbers and names. What a text means to a trial is decided in
// package trial, which makes an Instance of a Setting. The package imports nothing
// of this module, so that package spec, which knows no trial, can read the table too.
package setting
