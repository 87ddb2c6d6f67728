// Package results is a folder of results as data: the sweep that it holds, its rows, the
// tables that are computed from them, and the manifest that lists them.
//
// A row goes through this package in both directions. While a sweep runs, a [RowWriter]
// turns a [Trial] into the fields of a row, and [Tables] writes results.csv, summary.csv,
// growth.csv and differences.csv. Later [Open] reads the folder, [Folder.Rows] checks
// where each row stands, and a [RowReader] turns its fields back into a [Sample]. Figures,
// documents and verification start from these rows.
//
// [Claims] guards the files of a folder: a file that this program did not write, or that
// was changed since, is never replaced. The package runs no trial.
package results
