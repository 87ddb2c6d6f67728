// Package tables makes tables for a paper from summary.csv: what rows and columns are, the unit of
// times, how many digits a number has, and how wide the table will be. It writes them for LaTeX,
// in Markdown and as CSV.
//
// The package reads a folder and writes no file.
package tables
