// Package docs holds the pages that the program itself shows.
package docs

import _ "embed"

// Tour is the page tour.md. Its console blocks begin with the commands, and what they print
// follows.
//
//go:embed tour.md
var Tour string
