// Package page writes a run as one page for a browser. The page has no other files, needs no
// network, and holds the run as data: [Data], which bullring view --data writes alone and
// docs/view.md describes.
//
// A page is for others. So it names no file, folder, user or machine.
package page
