// Package figures draws the figures of a folder of results.
//
// [Draw] opens a folder and reads its rows once a figure. A row becomes a point of its
// curve, a bar of its histogram or a field of its heat map; bounds are computed for the
// instances that the rows name. The finished figure is saved as PNG, SVG and PDF, with the
// numbers in it as CSV and a caption in words. Each file carries a [Receipt]: the sweep and
// digests of the trials that the figure shows. A kind of figure is a row of kinds, in
// kinds.go, and a file.
//
// [Rehearse] lays out a figure from made-up values, so that a mistake in it is found
// before the first trial runs. The package runs no trial but those that diagrams show,
// and never imports experiments/campaign/sweep: both meet in the folder.
package figures
