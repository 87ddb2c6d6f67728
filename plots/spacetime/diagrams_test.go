package spacetime_test

import (
	"fmt"
	"math/rand/v2"

	"bullring/plots"
	"bullring/plots/looks"
	"bullring/plots/spacetime"
)

// The diagrams of the golden files.
func goldenDiagrams() map[string]*spacetime.Diagram {
	return map[string]*spacetime.Diagram{
		"diagram-crash": crashDiagram(), "diagram-faults": faultsDiagram(), "diagram-kinds": denseDiagram(8, 60, 10),
		"diagram-bands": bandsDiagram(), "diagram-links": linksDiagram(),
	}
}

// lanes are labels of processes with their identities.
func lanes(n int) []spacetime.Lane {
	all := make([]spacetime.Lane, n)
	for i := range all {
		all[i].Label = fmt.Sprintf("*p*_{%d} (%d)", i, i+1)
	}
	return all
}

// message is an arrow that takes a sixth of the axis.
func message(from, to int, at float64, kind int, fate spacetime.Fate, label string) spacetime.Arrow {
	return spacetime.Arrow{From: spacetime.Spot{At: at, Lane: from}, To: spacetime.Spot{At: at + 1.0/6, Lane: to}, Kind: kind, Fate: fate, Label: label}
}

// crashDiagram is an election by the bully in which the best two processes crash: messages
// that no process receives, timeouts and decisions, in the looks of a paper.
func crashDiagram() *spacetime.Diagram {
	d := &spacetime.Diagram{
		Axis: "time (ms)", End: 6, Whole: true, Lanes: lanes(4), Kinds: []string{"ELECTION", "ANSWER", "COORDINATOR"},
		Meta: []plots.Meta{{Key: "Command", Value: "bully --n 4"}, {Key: "Seed", Value: "1"}},
	}
	d.Lanes[3].Down = []spacetime.Stretch{{From: 1.0 / 6, To: 1}}
	for to := 1; to < 4; to++ {
		fate := spacetime.Arrived
		if to == 3 {
			fate = spacetime.Unheard
		}
		d.Arrows = append(d.Arrows, message(0, to, 0, 0, fate, "ELECTION(1)"))
	}
	d.Arrows = append(d.Arrows,
		message(1, 0, 1.0/6, 1, spacetime.Arrived, "ANSWER(2)"), message(2, 0, 1.0/6, 1, spacetime.Arrived, "ANSWER(3)"),
		message(1, 2, 1.0/6, 0, spacetime.Arrived, "ELECTION(2)"), message(1, 3, 1.0/6, 0, spacetime.Unheard, "ELECTION(2)"),
		message(2, 3, 1.0/6, 0, spacetime.Unheard, "ELECTION(3)"), message(2, 1, 2.0/6, 1, spacetime.Arrived, "ANSWER(3)"),
		message(2, 0, 3.0/6, 2, spacetime.Arrived, "COORDINATOR(3)"), message(2, 1, 3.0/6, 2, spacetime.Arrived, "COORDINATOR(3)"))
	sign := func(lane, at int, shape spacetime.Shape, news, note string) {
		d.Signs = append(d.Signs, spacetime.Sign{Spot: spacetime.Spot{At: float64(at) / 6, Lane: lane}, Shape: shape, News: news, Note: note})
	}
	sign(0, 0, spacetime.Start, "", "")
	sign(1, 1, spacetime.Delivery, "", "")
	sign(2, 1, spacetime.Delivery, "", "")
	sign(3, 1, spacetime.Crash, "", "")
	sign(0, 2, spacetime.Delivery, "", "")
	sign(2, 2, spacetime.Delivery, "", "")
	sign(1, 3, spacetime.Delivery, "", "")
	sign(2, 3, spacetime.Timeout, "is the leader", "answer")
	sign(0, 4, spacetime.Delivery, "follows 3", "")
	sign(1, 4, spacetime.Delivery, "follows 3", "")
	sign(0, 6, spacetime.Timeout, "", "coordinator")
	return d
}

// faultsDiagram has each sign, each fate of a message, periods that overlap, faded signs, and a
// title.
func faultsDiagram() *spacetime.Diagram {
	d := &spacetime.Diagram{
		Title: "A partition, *n* = 3", Width: 12, Lanes: lanes(3), Kinds: []string{"ALPHA", "BETA", "GAMMA", "DELTA", "EPSILON"},
		Axis: "steps",
		Periods: []spacetime.Period{
			{Stretch: spacetime.Stretch{From: 0.1, To: 0.5}, Label: plots.Escape("partition {0 1 | 2}")},
			{Stretch: spacetime.Stretch{From: 0.3, To: 1}, Label: "omit sends of 2 with 20%"},
			{Stretch: spacetime.Stretch{From: 0.7, To: 0.7}, Label: "heal"},
			{Stretch: spacetime.Stretch{From: 0.15, To: 0.15}, Label: "a fault whose text is so long that it does not fit into the width of the page, and is therefore cut somewhere"},
		},
	}
	for i := range 11 {
		d.Ticks = append(d.Ticks, spacetime.Tick{At: float64(i) / 10, Label: fmt.Sprint(i * i)})
	}
	d.Lanes[1].Down = []spacetime.Stretch{{From: 0.4, To: 0.6}, {From: 0.9, To: 1}}
	for i, fate := range []spacetime.Fate{spacetime.Arrived, spacetime.Unheard, spacetime.Vanished, spacetime.Underway} {
		d.Arrows = append(d.Arrows, message(0, 2, float64(i)/5, i, fate, "CROSS"), message(0, 1, 0.1+float64(i)/5, 4, fate, "NEXT"))
	}
	d.Arrows = append(d.Arrows,
		spacetime.Arrow{From: spacetime.Spot{At: 0.2, Lane: 2}, To: spacetime.Spot{At: 0.35, Lane: 2}, Kind: 1, Label: "SELF"},
		spacetime.Arrow{From: spacetime.Spot{At: 0.8, Lane: 2}, To: spacetime.Spot{At: 0.8, Lane: 2}, Kind: 2},
		spacetime.Arrow{From: spacetime.Spot{At: 0.85, Lane: 0}, To: spacetime.Spot{At: 0.95, Lane: 2}, Kind: 0, Fate: spacetime.Entering, Label: "IN"},
		spacetime.Arrow{From: spacetime.Spot{At: 0.05, Lane: 2}, To: spacetime.Spot{At: 0.25, Lane: 0}, Kind: 3, Label: "FADED", Faded: true})
	for i, shape := range []spacetime.Shape{spacetime.Start, spacetime.Timeout, spacetime.Crash, spacetime.Restart, spacetime.Delivery} {
		for lane := range 3 {
			s := spacetime.Sign{Spot: spacetime.Spot{At: 0.2 * float64(i), Lane: lane}, Shape: shape, Faded: lane == 2, Marked: i == 1 && lane == 0}
			if lane == 0 {
				s.News = "is the leader"
			}
			if shape == spacetime.Timeout {
				s.Note = "election"
			}
			d.Signs = append(d.Signs, s)
		}
	}
	return d
}

// linksDiagram has links that go down and come up: of neighbouring lanes, over others, and side by side
// at one instant.
func linksDiagram() *spacetime.Diagram {
	d := &spacetime.Diagram{Width: 12, Axis: "time (ms)", End: 6, Whole: true, Lanes: lanes(4), Kinds: []string{"ELECTION"}}
	for i, c := range []spacetime.Change{{A: 0, B: 1}, {A: 3, B: 0}, {A: 1, B: 2}, {A: 1, B: 0, Up: true}, {A: 1, B: 3, Up: true}, {A: 1, B: 2, Up: true}} {
		c.At, c.Faded = float64(i/2*2+1)/6, i > 3
		d.Changes = append(d.Changes, c)
		for _, lane := range []int{c.A, c.B} {
			d.Signs = append(d.Signs, spacetime.Sign{Spot: spacetime.Spot{At: c.At, Lane: lane}, Shape: spacetime.Delivery, Faded: i > 3})
		}
	}
	d.Signs[2].News = "is the leader"
	d.Arrows = append(d.Arrows, message(0, 1, 0.1, 0, spacetime.Vanished, "ELECTION(1)"), message(3, 2, 0.3, 0, spacetime.Arrived, "ELECTION(4)"), message(0, 1, 0.6, 0, spacetime.Arrived, "ELECTION(1)"))
	return d
}

// denseDiagram has made-up messages of ten kinds: the legend takes several rows.
func denseDiagram(processes, messages int, width float64) *spacetime.Diagram {
	r := rand.New(rand.NewPCG(7, 7))
	d := &spacetime.Diagram{Width: width, Axis: "time (s)", End: 30, Lanes: lanes(processes)}
	d.Kinds = []string{"CONNECT", "INITIATE", "TEST", "ACCEPT", "REJECT", "REPORT", "CHANGEROOT", "LEADER", "HEARTBEAT", "ACKNOWLEDGE"}
	for range messages {
		kind, at := r.IntN(len(d.Kinds)), r.Float64()*0.95
		a := spacetime.Arrow{
			From: spacetime.Spot{At: at, Lane: r.IntN(len(d.Lanes))}, To: spacetime.Spot{At: at + 0.05*r.Float64(), Lane: r.IntN(len(d.Lanes))},
			Kind: kind, Label: fmt.Sprintf("%s(%d)", d.Kinds[kind], r.IntN(30)),
		}
		d.Arrows = append(d.Arrows, a)
		s := spacetime.Sign{Spot: a.To}
		if r.IntN(10) == 0 {
			s.News = "follows 7"
		}
		d.Signs = append(d.Signs, s)
	}
	return d
}

// bandsDiagram has a band of each texture, one after the other on a lane, a clash of some length
// and one of an instant, and arrows and labels above them.
func bandsDiagram() *spacetime.Diagram {
	d := &spacetime.Diagram{Width: 14, Axis: "time (ms)", End: 12, Whole: true, Lanes: lanes(3), Kinds: []string{"REQUEST"}}
	for t := range looks.Textures {
		d.Bands = append(d.Bands, spacetime.Band{Label: t.String(), Fill: looks.Fill{Colour: 1 + looks.Colour(t), Texture: t}})
		from := float64(t) / 6
		d.Lanes[0].Stays = append(d.Lanes[0].Stays, spacetime.Stay{Stretch: spacetime.Stretch{From: from, To: from + 1.0/6}, Band: int(t)})
	}
	stay := func(lane int, from, to float64, clash bool) {
		d.Lanes[lane].Stays = append(d.Lanes[lane].Stays, spacetime.Stay{Stretch: spacetime.Stretch{From: from / 12, To: to / 12}, Clash: clash})
	}
	stay(1, 1, 5, false)
	stay(1, 3, 5, true)
	stay(2, 3, 6, false)
	stay(2, 3, 5, true)
	stay(2, 8, 8, true)
	stay(1, 9, 9, false) // too short to be seen
	stay(1, 11, 12, false)
	d.Lanes[2].Stays = append(d.Lanes[2].Stays, spacetime.Stay{Stretch: spacetime.Stretch{From: 1, To: 1}, Open: true})
	for i := range 5 {
		d.Arrows = append(d.Arrows, message(i%3, (i+1)%3, float64(i)/6, 0, spacetime.Arrived, fmt.Sprintf("REQUEST(%d)", i)))
		d.Signs = append(d.Signs, spacetime.Sign{Spot: d.Arrows[i].To, News: "enters"})
	}
	return d
}
