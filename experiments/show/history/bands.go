package history

import (
	"cmp"
	"slices"

	"bullring/experiments/trial"
	"bullring/protocols"
)

// Band is a condition of processes, and when which process was in it.
type Band struct {
	trial.Band
	Stays []Stay // by process, and of each in the order of the run
	// Clashes are the stretches in which more than one process was in a band that is for one alone.
	Clashes []Stretch
}

// Stretch is a part of the run: from one event to another, each by its number. To is 0 if it lasts
// to the end of the run.
type Stretch struct{ From, To int }

// Overlap returns what two stretches have in common, if anything.
func (s Stretch) Overlap(other Stretch) (both Stretch, overlap bool) {
	both = Stretch{From: max(s.From, other.From), To: s.To}
	if both.To == 0 || other.To > 0 && other.To < both.To {
		both.To = other.To
	}
	return both, both.To == 0 || both.From < both.To
}

// Stay is a stretch in which a process was in a band.
type Stay struct {
	Process protocols.ID
	Stretch
}

// bands follows the conditions of the processes of a run.
type bands struct {
	all  []Band // the last is trial.Down
	now  []int  // by address, the place of its band in all; -1 if it is in none
	open []int  // by address, the number of the event since which it is in it
}

func newBands(in *trial.Instance) *bands {
	b := &bands{now: slices.Repeat([]int{-1}, in.N), open: make([]int, in.N)}
	for _, band := range in.Algorithm.Bands {
		b.all = append(b.all, Band{Band: band})
	}
	b.all = append(b.all, Band{Band: trial.Down})
	return b
}

// step notes the condition of a process after a step.
func (b *bands) step(order int, p protocols.ID, process any) {
	own := b.all[:len(b.all)-1]
	b.note(order, p, slices.IndexFunc(own, func(band Band) bool { return band.In(process) }))
}

// crash notes that a process is down.
func (b *bands) crash(order int, p protocols.ID) { b.note(order, p, len(b.all)-1) }

// note notes the band, by its place in all, in which a process is from an event on.
func (b *bands) note(order int, p protocols.ID, is int) {
	if is == b.now[p] {
		return
	}
	b.end(p, order)
	b.now[p], b.open[p] = is, order
}

// end ends the stay of a process in its band, if it is in one.
func (b *bands) end(p protocols.ID, order int) {
	if was := b.now[p]; was >= 0 {
		band := &b.all[was]
		band.Stays = append(band.Stays, Stay{p, Stretch{b.open[p], order}})
	}
}

// finished returns the bands in which a process was, at the end of the run.
func (b *bands) finished() []Band {
	for p := range b.now {
		b.end(protocols.ID(p), 0)
	}
	var kept []Band
	for _, band := range b.all {
		if band.Stays == nil {
			continue
		}
		slices.SortStableFunc(band.Stays, func(s, t Stay) int { return cmp.Compare(s.Process, t.Process) })
		if band.Alone {
			band.Clashes = clashes(band.Stays)
		}
		kept = append(kept, band)
	}
	return kept
}

// clashes returns the stretches in which more than one process stays.
func clashes(stays []Stay) (found []Stretch) {
	type turn struct{ order, by int } // how many more processes are in the band from an event on
	var turns []turn
	for _, s := range stays {
		turns = append(turns, turn{s.From, 1})
		if s.To > 0 {
			turns = append(turns, turn{s.To, -1})
		}
	}
	// An event is a step of one process, and so no two turns are of one event.
	slices.SortFunc(turns, func(a, b turn) int { return cmp.Compare(a.order, b.order) })
	in := 0
	for _, t := range turns {
		before := in
		in += t.by
		switch {
		case before == 1 && in == 2:
			found = append(found, Stretch{From: t.order})
		case before == 2 && in == 1:
			found[len(found)-1].To = t.order
		}
	}
	return found
}
