// Package report writes a page for a browser about folders of results: figures with their
// captions and receipts, conditions, theory, tables that sort, and the commands that make
// all of it again.
//
// A page is one file. Its content security policy lets nothing in but its own style, its
// own script, and pictures. Figures are links into the folders, which lie below the page,
// or are embedded. A page holds no path of the machine and no time, so the same results
// give the same page, except for the progress of a sweep that is not complete.
package report
