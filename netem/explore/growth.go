package explore

import (
	"cmp"
	"fmt"
	"slices"

	"bullring/internal/value"
)

// Growth is a number that rises along the run to the state that a search found last before it was
// stopped: in each quarter of the run it is larger than in those before. If it rises without end, there
// is no end of states.
type Growth struct {
	What     string // a field of a process, the elements of a list in it, or the messages of a link
	From, To int64  // the first, and the largest
	Steps    int    // of the run
}

// String says what rises.
func (g Growth) String() string {
	return fmt.Sprintf("%s from %d to %d in %d steps", g.What, g.From, g.To, g.Steps)
}

const (
	quarters    = 4
	leastGrowth = 4         // of what is named
	mostFollow  = 1_000_000 // steps of a run that is looked at
)

// growthsOf looks at the run to the last state of a search. What rises most comes first.
func growthsOf(se *search) (rising []Growth) {
	if se.findable == 0 {
		return nil
	}
	way := se.wayTo(se.findable - 1)
	steps := len(way) - 1
	if steps < leastGrowth || steps > mostFollow {
		return nil
	}
	g := grower{index: map[string]int{}, states: len(way)}
	se.goAlong(way, func(at *state) {
		for p := range se.n {
			for _, size := range value.Sizes(se.handlers.process(at.words[se.layout.process+p])) {
				g.note(fmt.Sprintf("%s of process %d", size.Name, p), size.Most)
			}
		}
		for i, c := range se.channels.list {
			g.note(fmt.Sprintf("messages from %d to %d", c.from, c.to), int64(len(se.contents.at(at.words[se.layout.channel+i]).items)))
		}
		g.seen++
	})
	for _, c := range g.courses {
		if c.rises() {
			rising = append(rising, Growth{c.what, c.first, c.tops[quarters-1], steps})
		}
	}
	slices.SortStableFunc(rising, func(a, b Growth) int { return cmp.Compare(b.To-b.From, a.To-a.From) })
	return rising
}

// grower follows numbers along a run of so many states.
type grower struct {
	courses      []course
	index        map[string]int // of courses, by what they are of
	seen, states int
}

// course is how a number went: the first value, and the largest in each quarter of the run.
type course struct {
	what  string
	first int64
	tops  [quarters]int64
}

func (g *grower) note(what string, size int64) {
	i, known := g.index[what]
	if !known {
		i = len(g.courses)
		g.index[what], g.courses = i, append(g.courses, course{what: what, first: size})
	}
	top := &g.courses[i].tops[g.seen*quarters/g.states]
	*top = max(*top, size)
}

func (c *course) rises() bool {
	for q := 1; q < quarters; q++ {
		if c.tops[q] <= c.tops[q-1] {
			return false
		}
	}
	return c.tops[quarters-1]-c.first >= leastGrowth
}
