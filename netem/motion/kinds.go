package motion

import (
	"strings"

	"bullring/internal/suggest"
)

// kind is a row of the table.
type kind struct {
	name  string
	form  string // its arguments, as people write them
	file  bool   // a colon and a file follow the name, and the changes end
	start string // how it begins
	read  func(*arguments) model
}

// kinds are all kinds of motion. A new one is a row, and its model.
var kinds = []kind{
	{"waypoint", "(AREA, RANGE, MIN..MAXm/s, PAUSE)", false, "it begins at places drawn uniformly, on the way", readWaypoint},
	{"walk", "(AREA, RANGE, SPEED, LEG)", false, "it begins in its stationary law anyway", readWalk},
	{"gauss-markov", "(AREA, RANGE, SPEED, ALPHA, STEP)", false, "it begins in its stationary law anyway", readGaussMarkov},
	{"edges", "(P, Q, STEP)", false, "it begins in its stationary law anyway", readEdges},
	{"interval", "(T, ROUND, random|worst)", false, "it begins with the first round", readInterval},
	{"churn", "(up D, down D)", false, "it begins with all processes there", readChurn},
	{"positions", ":FILE[, RANGE]", true, "it begins as the file does", readPositions},
	{"contacts", ":FILE", true, "it begins as the file does", readContacts},
}

// forms are the kinds with their arguments, as people write them.
func forms() []string {
	all := make([]string, len(kinds))
	for i, k := range kinds {
		all[i] = k.name + k.form
	}
	return all
}

// kindOf finds the kind of a text's head.
func kindOf(head word) (*kind, error) {
	end := strings.IndexAny(head.text, "(:")
	if end < 0 {
		end = len(head.text)
	}
	name, rest := head.text[:end], head.text[end:]
	names := make([]string, len(kinds))
	for i := range kinds {
		k := &kinds[i]
		names[i] = k.name
		switch {
		case k.name != name:
		case k.file && strings.HasPrefix(rest, ":"), !k.file && strings.HasPrefix(rest, "(") && strings.HasSuffix(rest, ")"):
			return k, nil
		default:
			return nil, head.fail("is not of the form %s%s", k.name, k.form)
		}
	}
	return nil, word{name, head.column}.fail("is no kind of motion; allowed are %s%s", strings.Join(forms(), ", "), suggest.DidYouMean(name, names))
}
