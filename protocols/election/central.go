package election

import (
	"fmt"

	"bullring/protocols"
)

// Criterion says which process of a component is its best.
type Criterion uint8

// The criteria. Ties of the last two are broken by the rank.
const (
	NoCriterion Criterion = iota // no process is better than another
	ByRank                       // the best rank
	ByDegree                     // the most neighbours
	ByCloseness                  // the smallest sum of distances to the others
)

// String names the best process.
func (k Criterion) String() string {
	return [...]string{"any process", "the best process", "the process with the largest degree", "the process with the largest closeness"}[k]
}

// centre is what the graph of a component says: it does not depend on decisions.
type centre struct {
	members  []protocols.ID // ascending
	best     protocols.ID
	diameter int
}

// centresOf are the centres of the components, by address of a member: one for all members of a component.
func (c *Checker) centresOf() []*centre {
	g := c.components
	if g.centres != nil {
		return g.centres
	}
	g.centres = make([]*centre, len(g.of))
	for i, root := range g.of {
		if p := protocols.ID(i); c.alive(p) {
			if g.centres[root] == nil {
				g.centres[root] = &centre{}
			}
			g.centres[p] = g.centres[root]
			g.centres[p].members = append(g.centres[p].members, p)
		}
	}
	w := newWalk(g.near)
	for i, z := range g.centres {
		if z != nil && z.members[0] == protocols.ID(i) {
			c.centre(z, w)
		}
	}
	return g.centres
}

// centre finds the best member of a component, and the diameter.
func (c *Checker) centre(z *centre, w *walk) {
	most := 0
	for i, p := range z.members {
		far, sum := w.from(p, z.members)
		z.diameter = max(z.diameter, far)
		merit := 0
		switch c.promise.Criterion {
		case ByDegree:
			merit = w.degree(p)
		case ByCloseness:
			merit = -sum
		}
		if i == 0 || merit > most || merit == most && c.order.Better(c.ranks.At(p), c.ranks.At(z.best)) {
			z.best, most = p, merit
		}
	}
}

// walk finds distances within a component.
type walk struct {
	near     [][]protocols.ID // by address, of each process, live or not
	distance []int            // by address; outside of a process that is not live
	reached  []protocols.ID
}

// What is no distance.
const (
	outside   = -2
	unreached = -1
)

func newWalk(near [][]protocols.ID) *walk {
	w := &walk{near: near, distance: make([]int, len(near))}
	for p := range w.distance {
		w.distance[p] = outside
	}
	return w
}

// from finds the distances of the members of a component, which is connected, from one of them: the largest, and
// their sum.
func (w *walk) from(p protocols.ID, members []protocols.ID) (far, sum int) {
	for _, q := range members {
		w.distance[q] = unreached
	}
	w.distance[p] = 0
	w.reached = append(w.reached[:0], p)
	for i := 0; len(w.reached) < len(members); i++ {
		q := w.reached[i]
		for _, r := range w.near[q] {
			if w.distance[r] == unreached {
				far = w.distance[q] + 1
				w.distance[r], sum = far, sum+far
				w.reached = append(w.reached, r)
			}
		}
	}
	return far, sum
}

// degree is the number of live neighbours of a member, after distances were found in its component.
func (w *walk) degree(p protocols.ID) (degree int) {
	for _, q := range w.near[p] {
		if w.distance[q] != outside {
			degree++
		}
	}
	return degree
}

// broken says how a live process differs from what is promised in its component; "" if it does not.
func (c *Checker) broken(p protocols.ID) string {
	if failure := c.apart(p); failure != "" || !c.promise.Central {
		return failure
	}
	best, leader := c.centresOf()[p].best, c.decisions.at(p).Leader
	if want := c.ranks.At(best).ID; leader != want {
		return fmt.Sprintf("process %d follows %d, and %v of its component is %d", p, leader, c.promise.Criterion, want)
	}
	return ""
}

// Standing is where the leaders of a component stand in its graph.
type Standing struct {
	Live     int // processes
	Best     int // that have the best of the component for their leader
	Here     int // that have a leader in the component
	Path     int // the longest of the shortest paths from a process to its leader, if that is here
	Diameter int // the longest of all shortest paths
}

// Standings are those of the components of the live processes. The winners are Local, and have a criterion.
func (c *Checker) Standings() (all []Standing) {
	w := newWalk(c.components.near)
	for i, z := range c.centresOf() {
		if z != nil && z.members[0] == protocols.ID(i) {
			all = append(all, c.standing(z, w))
		}
	}
	return all
}

func (c *Checker) standing(z *centre, w *walk) Standing {
	s := Standing{Live: len(z.members), Diameter: z.diameter}
	searched := protocols.ID(-1)
	for _, p := range z.members {
		d := c.decisions.at(p)
		leader := c.ranks.Address(d.Leader)
		if d.Status == Undecided || leader < 0 || !c.alive(leader) || c.components.of[leader] != z.members[0] {
			continue
		}
		s.Here++
		if leader == z.best {
			s.Best++
		}
		if leader == p {
			continue
		}
		if leader != searched {
			w.from(leader, z.members)
			searched = leader
		}
		s.Path = max(s.Path, w.distance[p])
	}
	return s
}
