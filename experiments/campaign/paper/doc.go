// Package paper writes the documents that go with results into a paper: a README of the
// folder, a page about the columns, the summary as a LaTeX table, the bibliography in BibTeX, CITATION.cff, and a
// script that makes the results again.
//
// Each document is computed from the rows and the manifest of a folder. The package runs
// nothing and draws nothing.
package paper
