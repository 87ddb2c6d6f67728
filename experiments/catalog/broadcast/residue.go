package broadcast

import (
	"math"

	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
)

// meanResidue is the mean share of the processes that an item does not reach by push blind. Whom a
// process tells does not depend on when it does, so the processes that have the item may as well tell
// others one after the other.
func meanResidue(in *trial.Instance) (float64, bool) {
	k := in.Count("k")
	if pulls(in) || in.Variant.Has("feedback") || !calm(in) || families.Items(in) != 1 || in.N == 1 || in.N*k > 10_000 {
		return 0, false
	}
	d := informed{n: in.N, mass: make([]float64, in.N+2), low: 1, high: 1}
	d.mass[1] = 1
	missed := 0.0
	for told := 1; told <= in.N; told++ {
		if in.Variant.Has("coin") {
			d.toss(k)
		} else {
			for range k {
				d.tell()
			}
		}
		missed += float64(d.mass[told] * float64(in.N-told)) // all that have it have told others
		d.mass[told] = 0
		d.trim()
	}
	return missed / float64(in.N), true
}

// drawnResidue is the residue in figures: the mean for push blind, and for push with feedback and a coin
// that of the differential equations of Demers et al., s = e^(-(k+1)(1-s)), which is that of many
// processes that tell others one after the other.
func drawnResidue(in *trial.Instance) (float64, bool) {
	if pulls(in) || in.Variant.Has("blind") || in.Variant.Has("counter") {
		return meanResidue(in)
	}
	s := 0.0
	for range 1000 {
		s = math.Exp(-float64(float64(in.Count("k")+1) * (1 - s)))
	}
	return s, true
}

// informed is the distribution of the number of processes that have an item, while one of them tells
// others at random.
type informed struct {
	n         int
	mass      []float64 // by how many have the item
	low, high int       // the rest of the mass is left out
}

// unlikely is how small a mass is left out.
const unlikely = 1e-20

// needs is the probability that a process at random needs the item, if so many have it.
func (d *informed) needs(have int) float64 { return float64(d.n-have) / float64(d.n-1) }

// tell has the process tell one other.
func (d *informed) tell() {
	for have := d.high; have >= d.low; have-- {
		moves := float64(d.mass[have] * d.needs(have))
		d.mass[have] -= moves
		d.mass[have+1] += moves
	}
	d.high = min(d.high+1, d.n)
}

// toss has the process tell others until a coin, which shows heads with probability 1/k, does so.
func (d *informed) toss(k int) {
	heads := 1 / float64(k)
	goesOn, stops := 0.0, 0.0 // what comes from one fewer
	have := d.low
	for ; have <= d.n && (have <= d.high || goesOn+stops > unlikely); have++ {
		needs := d.needs(have)
		tells := (d.mass[have] + goesOn) / (1 - float64((1-heads)*(1-needs))) // on average
		d.mass[have] = stops + float64(float64(tells*(1-needs))*heads)
		goesOn, stops = float64(float64(tells*needs)*(1-heads)), float64(float64(tells*needs)*heads)
	}
	d.high = have - 1
}

// trim leaves out what is unlikely.
func (d *informed) trim() {
	for ; d.low < d.high && d.mass[d.low] < unlikely; d.low++ {
		d.mass[d.low] = 0
	}
	for ; d.low < d.high && d.mass[d.high] < unlikely; d.high-- {
		d.mass[d.high] = 0
	}
}
