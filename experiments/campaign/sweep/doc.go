// Package sweep runs many trials and keeps each of them.
//
// [Sweep.Run] checks the whole sweep before the first trial: every cell, every bound,
// every figure, and the folder that it writes to. Then workers run the trials in batches.
// Each batch goes into a journal as soon as it has finished, so that a sweep which is
// killed resumes where it was. A sweep that has grown puts the rows of its earlier version
// into the journal, and resumes. Rows reach the tables in the order of the sweep, whatever
// the number of workers. When the last row is written the tables get their names, the
// manifest lists them, and the journal goes.
//
// A [Shard] is a part of a sweep that writes a journal alone; [Join] makes one folder of
// all parts. [StatusOf] reads journals and folders and tells how far they are;
// [Sweep.Estimate] measures a few trials and tells how long the rest will take.
//
// The package draws no figure. A sweep is handed the function that rehearses its figures;
// package experiments/campaign/figures draws them later, from the rows on disk.
package sweep
