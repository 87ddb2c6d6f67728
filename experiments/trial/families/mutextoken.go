package families

import (
	"slices"

	"bullring/experiments/trial"
	"bullring/protocols"
)

// tokenWatch follows the token of mutual exclusion where links come and go.
type tokenWatch struct {
	holder protocols.ID     // -1 while the token is under way
	near   [][]protocols.ID // by address, the neighbours of each process
	gone   bool             // a link went down since the token was last seen, which it may have been on
}

func newTokenWatch(in *trial.Instance, holder protocols.ID) *tokenWatch {
	w := &tokenWatch{holder: holder, near: make([][]protocols.ID, in.N)}
	w.relinked(neighborsOf(in), nil)
	return w
}

// stepped tells whether a process has the token after a step.
func (w *tokenWatch) stepped(p protocols.ID, has bool) {
	switch {
	case has:
		w.holder, w.gone = p, false
	case w.holder == p:
		w.holder = -1
	}
}

// relinked tells that the links of some processes have changed, or all of them if none is named.
func (w *tokenWatch) relinked(near func(protocols.ID) []protocols.ID, ends []protocols.ID) {
	if len(ends) == 0 {
		for p := range w.near {
			w.near[p] = slices.Clone(near(protocols.ID(p)))
		}
		return
	}
	for _, p := range ends {
		now := near(p)
		w.gone = w.gone || w.holder < 0 && len(now) < len(w.near[p])
		w.near[p] = slices.Clone(now)
	}
}

// excuse says why none of some processes gets the token, or returns "" if one has to get it.
func (w *tokenWatch) excuse(waiting []protocols.ID) string {
	if w.gone {
		return "the token may have been lost with a link"
	}
	if w.holder < 0 || slices.ContainsFunc(protocols.Reached(w.holder, w.neighbors), func(p protocols.ID) bool { return slices.Contains(waiting, p) }) {
		return ""
	}
	return "the token is in another part of the graph"
}

func (w *tokenWatch) neighbors(p protocols.ID) []protocols.ID { return w.near[p] }
