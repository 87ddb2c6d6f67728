package election

import (
	"fmt"
	"slices"
	"time"

	"bullring/protocols"
)

// components are the components of the live processes on a graph whose links come and go.
type components struct {
	near [][]protocols.ID // by address, the neighbours of each process, live or not
	of   []protocols.ID   // by address, the lowest address of its component; itself if it has crashed

	centres []*centre `explore:"-"` // follow from the rest; nil until they are asked for

	// For runs alone: what is explored is judged at rest.
	changed []time.Duration `explore:"-"` // by address, the last change of its links or neighbours
	quiet   bool            `explore:"-"` // a component did not change for longer than the promise asks for
}

func newComponents(n int) *components {
	return &components{near: make([][]protocols.ID, n), of: make([]protocols.ID, n), changed: make([]time.Duration, n)}
}

// find finds the components.
func (g *components) find(alive func(protocols.ID) bool) {
	g.centres = nil
	for p := range g.of {
		g.of[p] = -1
	}
	var reached []protocols.ID
	for p := range g.of {
		if g.of[p] >= 0 {
			continue
		}
		root := protocols.ID(p)
		g.of[p], reached = root, append(reached[:0], root)
		for len(reached) > 0 && alive(root) {
			last := reached[len(reached)-1]
			reached = reached[:len(reached)-1]
			for _, q := range g.near[last] {
				if g.of[q] < 0 && alive(q) {
					g.of[q] = root
					reached = append(reached, q)
				}
			}
		}
	}
}

// Relinked tells that the links of some processes have changed, or all of them if none is named. near
// are the neighbours of a process now. It makes no difference if the winners are not Local.
func (c *Checker) Relinked(near func(protocols.ID) []protocols.ID, now time.Duration, ends ...protocols.ID) {
	g := c.components
	if g == nil {
		return
	}
	c.Passed(now)
	if len(ends) == 0 {
		for p := range g.near {
			ends = append(ends, protocols.ID(p))
		}
	}
	for _, p := range ends {
		g.near[p] = slices.Clone(near(p))
	}
	g.find(c.alive)
	c.touch(now, ends)
}

// touch notes a change at some processes.
func (c *Checker) touch(now time.Duration, at []protocols.ID) {
	for _, p := range at {
		c.components.changed[p] = now
	}
}

// regroup finds the components anew after a crash or a restart.
func (c *Checker) regroup(p protocols.ID, now time.Duration) {
	if g := c.components; g != nil {
		g.find(c.alive)
		c.touch(now, g.near[p])
		g.changed[p] = now
	}
}

func (c *Checker) alive(p protocols.ID) bool { return !c.states[p].is(crashed) }

// Passed tells that nothing has changed until now. What has been wrong in a component that did not
// change for longer than the Rest of the promise, is wrong for good.
func (c *Checker) Passed(now time.Duration) {
	g := c.components
	if g == nil || c.unsettled != "" {
		return
	}
	last := make([]time.Duration, len(g.of)) // change, by the root of a component
	for p, root := range g.of {
		last[root] = max(last[root], g.changed[p])
	}
	for p, root := range g.of {
		if c.states[p].is(crashed) || now-last[root] <= c.promise.Rest {
			continue
		}
		g.quiet = true
		if failure := c.broken(protocols.ID(p)); failure != "" {
			c.unsettled = fmt.Sprintf("%s, at %v; the last change there was at %v", failure, now, last[root])
			return
		}
	}
}

// apart says why a live process does not agree with its component on a leader there; "" if it does.
func (c *Checker) apart(p protocols.ID) string {
	g := c.components
	root := g.of[p]
	d, first := c.decisions.at(p), c.decisions.at(root)
	leader := c.ranks.Address(d.Leader)
	switch {
	case d.Status == Undecided:
		return fmt.Sprintf("process %d has no leader", p)
	case leader < 0 || !c.alive(leader) || g.of[leader] != root:
		return fmt.Sprintf("process %d follows %d, which is not alive in its component", p, d.Leader)
	case c.decisions.at(leader).Status != Leader:
		return fmt.Sprintf("process %d follows %d, which does not lead", p, d.Leader)
	case first.Status == Undecided || first.Leader != d.Leader:
		return fmt.Sprintf("processes %d and %d are in one component and have different leaders", root, p)
	}
	return ""
}

// anyBroken says how a live process differs from what is promised in its component; "" if none does.
func (c *Checker) anyBroken() string {
	for p := range c.states {
		if !c.alive(protocols.ID(p)) {
			continue
		}
		if failure := c.broken(protocols.ID(p)); failure != "" {
			return failure
		}
	}
	return ""
}

// Component is what there is in a component of the present graph.
type Component struct {
	Live    int // processes
	Leaders int // that take themselves for the leader
	Decided int // that have a leader, wherever
	Here    int // that have one that is alive in the component, and leads
	Agreed  bool
}

// Components are the components of the live processes. The winners are Local.
func (c *Checker) Components() (all []Component) {
	at := make([]int, len(c.states)) // by root, from 1
	for i := range c.states {
		p := protocols.ID(i)
		if !c.alive(p) {
			continue
		}
		root := c.components.of[p]
		if at[root] == 0 {
			all = append(all, Component{Agreed: true})
			at[root] = len(all)
		}
		k, d := &all[at[root]-1], c.decisions.at(p)
		leader := c.ranks.Address(d.Leader)
		k.Live++
		k.Agreed = k.Agreed && c.apart(p) == ""
		if d.Status == Undecided {
			continue
		}
		k.Decided++
		if d.Status == Leader {
			k.Leaders++
		}
		if leader >= 0 && c.alive(leader) && c.components.of[leader] == root {
			k.Here++
		}
	}
	return all
}
