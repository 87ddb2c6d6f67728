package trial

import (
	"fmt"
	"slices"
)

// counts are how many messages of some kinds are under way. In a run they are counted when a rule asks.
// The explorer tells them at each step: they are part of its states.
type counts struct {
	now     []int    // told by the explorer, by kind
	kinds   []string `explore:"-"`
	numbers []int    `explore:"-"` // of these kinds among those of the algorithm
	view    *View    `explore:"-"` // of a run; nil in an exploration
}

// countsFor are the counts for rules that are Counting, and nil for others.
func countsFor[S comparable](in *Instance, r Rules[S]) *counts {
	asking, asks := r.(Counting[S])
	if !asks {
		return nil
	}
	c := &counts{kinds: asking.Kinds()}
	c.now = make([]int, len(c.kinds))
	for _, kind := range c.kinds {
		number := slices.Index(in.Algorithm.Kinds, kind)
		if number < 0 {
			panic(fmt.Sprintf("trial: rules of %s ask about messages %s; it has %v", in.Algorithm.Name, kind, in.Algorithm.Kinds))
		}
		c.numbers = append(c.numbers, number)
	}
	return c
}

// of is the number of messages of a kind under way. known is false if nothing can tell.
func (c *counts) of(kind string) (messages int, known bool) {
	i := -1
	if c != nil {
		i = slices.Index(c.kinds, kind)
	}
	switch {
	case i < 0:
		panic(fmt.Sprintf("trial: rules ask how many messages %s are under way, and do not say so in Kinds", kind))
	case c.view != nil:
		return c.view.underWay(c.numbers[i])
	}
	return c.now[i], true
}
