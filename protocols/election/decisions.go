package election

import (
	"bullring/protocols"
)

// decisions are the decisions of processes, by address. They are kept in pages, and a page is
// made when the first of its processes decides: in many elections only the leader does. If
// one page holds all it is there from the beginning, so that equal decisions are equal states
// of an exploration.
type decisions struct {
	pages [][]Decision
	n     int
}

const pageLen = 1 << 9

func newDecisions(n int) decisions {
	d := decisions{make([][]Decision, (n+pageLen-1)/pageLen), n}
	if n <= pageLen && n > 0 {
		d.pages[0] = make([]Decision, n)
	}
	return d
}

// at is the decision of a process.
func (d *decisions) at(p protocols.ID) Decision {
	if page := d.pages[p/pageLen]; page != nil {
		return page[p%pageLen]
	}
	return Decision{}
}

// set notes the decision of a process.
func (d *decisions) set(p protocols.ID, to Decision) {
	page := &d.pages[p/pageLen]
	if *page == nil {
		if to == (Decision{}) {
			return
		}
		*page = make([]Decision, pageLen)
	}
	(*page)[p%pageLen] = to
}

// turn moves the decision of address p to p+1, and that of the last to 0.
func (d *decisions) turn() {
	turned := newDecisions(d.n)
	for p := range protocols.ID(d.n) {
		turned.set((p+1)%protocols.ID(d.n), d.at(p))
	}
	*d = turned
}
