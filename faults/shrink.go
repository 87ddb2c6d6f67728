package faults

import (
	"slices"
	"time"

	"bullring/des"
	"bullring/protocols"
	"bullring/protocols/links"
)

// Shrink makes a failing plan smaller while the run still fails. The result is minimal:
// it fails, but it does not fail without any one of its faults, nor with any one of them
// made simpler (see Simpler). Draw random lines first: see Plan.DrawLinks and Plan.Expand. A plan that does
// not fail is returned unchanged.
//
// Faults are removed by delta debugging (Zeller & Hildebrandt, IEEE TSE 28(2) 2002).
// Shrink asks about each plan once, and its questions depend only on the plan and the
// answers.
func Shrink(plan Plan, fails func(Plan) bool) Plan {
	s := shrinker{fails: fails, known: map[string]bool{}}
	if !s.fail(plan) {
		return plan
	}
	for {
		smaller := s.simplify(s.remove(plan))
		if smaller.String() == plan.String() {
			return plan
		}
		plan = smaller
	}
}

// shrinker remembers which plans failed.
type shrinker struct {
	fails func(Plan) bool
	known map[string]bool
}

func (s *shrinker) fail(p Plan) bool {
	text := p.String()
	failed, asked := s.known[text]
	if !asked {
		failed = s.fails(p)
		s.known[text] = failed
	}
	return failed
}

// remove removes as many faults as possible, in chunks of shrinking size.
func (s *shrinker) remove(plan Plan) Plan {
	for size := len(plan); size > 0; {
		removed := false
		for from := 0; from < len(plan); {
			rest := slices.Concat(plan[:from], plan[min(from+size, len(plan)):])
			if s.fail(rest) {
				plan, removed = rest, true
			} else {
				from += size
			}
		}
		if !removed || size > 1 {
			size /= 2
		}
	}
	return plan
}

// simplify simplifies one fault after another.
func (s *shrinker) simplify(plan Plan) Plan {
	for i := 0; i < len(plan); {
		if simpler, ok := s.simpler(plan, i); ok {
			plan = simpler
		} else {
			i++
		}
	}
	return plan
}

func (s *shrinker) simpler(plan Plan, i int) (Plan, bool) {
	for _, f := range Simpler(plan[i]) {
		candidate := slices.Clone(plan)
		candidate[i] = f
		if s.fail(candidate) {
			return candidate, true
		}
	}
	return nil, false
}

// options are the parts that a fault can do without.
var options = []struct {
	set   func(*Fault) bool
	clear func(*Fault)
}{
	{func(f *Fault) bool { return f.When.On != Beginning && !f.befallsLeader() }, func(f *Fault) { f.When = Trigger{} }},
	{func(f *Fault) bool { return f.For > 0 }, func(f *Fault) { f.For = 0 }},
	{func(f *Fault) bool { return f.Up > 0 }, func(f *Fault) { f.Down, f.Up = 0, 0 }},
	{func(f *Fault) bool { return f.With > 0 }, func(f *Fault) { f.With = 0 }},
	{func(f *Fault) bool { return f.Message != "" }, func(f *Fault) { f.Message = "" }},
	{func(f *Fault) bool { return f.From != Anyone && f.Kind.ofMessages() }, func(f *Fault) { f.From = Anyone }},
	{func(f *Fault) bool { return f.To != Anyone && f.Kind.ofMessages() }, func(f *Fault) { f.To = Anyone }},
	{func(f *Fault) bool { return f.Amid }, func(f *Fault) { f.Amid, f.Count, f.Message = false, 0, "" }},
}

// Simpler returns the faults that are one step simpler than f, the simplest first: without
// an option, with fewer links of a list, or with a rounder time, duration, number or
// probability. A chain of simpler faults ends.
func Simpler(f Fault) (simpler []Fault) {
	if f.Random != nil {
		return nil
	}
	for _, o := range options {
		if o.set(&f) {
			g := f
			o.clear(&g)
			simpler = append(simpler, g)
		}
	}
	for _, fewer := range f.Links.Fewer() {
		g := f
		g.Links = fewer
		simpler = append(simpler, g)
	}
	return append(simpler, append(fewerLiars(f), rounder(f)...)...)
}

// fewerLiars returns the fault with one Byzantine process less.
func fewerLiars(f Fault) (out []Fault) {
	if f.Kind != Byzantine {
		return nil
	}
	var all []protocols.ID
	f.Groups[0].Each(int(f.Groups[0].Max())+1, func(p protocols.ID) { all = append(all, p) })
	for i := range all {
		if len(all) > 1 {
			g := f
			g.Groups = []links.Addresses{links.Of(slices.Delete(slices.Clone(all), i, i+1)...)}
			out = append(out, g)
		}
	}
	return out
}

func (f *Fault) befallsLeader() bool {
	return slices.Contains([]protocols.ID{f.Process, f.From, f.To}, Leader)
}

// rounder returns the fault with one of its numbers rounder.
func rounder(f Fault) (out []Fault) {
	durations := []func(*Fault) *time.Duration{
		func(g *Fault) *time.Duration { return (*time.Duration)(&g.When.At) },
		func(g *Fault) *time.Duration { return &g.For },
		func(g *Fault) *time.Duration { return &g.By },
		func(g *Fault) *time.Duration { return &g.Down },
		func(g *Fault) *time.Duration { return &g.Up },
		func(g *Fault) *time.Duration { return (*time.Duration)(&g.Drift) },
	}
	for _, of := range durations {
		for _, d := range rounderNumbers(int64(*of(&f))) {
			g := f
			*of(&g) = time.Duration(d)
			out = append(out, g)
		}
	}
	for _, of := range []func(*Fault) *uint64{
		func(g *Fault) *uint64 { return &g.When.Count },
		func(g *Fault) *uint64 { return &g.Count },
	} {
		for _, n := range smallerNumbers(*of(&f)) {
			g := f
			*of(&g) = n
			out = append(out, g)
		}
	}
	for _, q := range rounderProbabilities(f.With) {
		g := f
		g.With = q
		out = append(out, g)
	}
	return out
}

// rounderNumbers are x with digits replaced by zeros from the right, except 0.
func rounderNumbers(x int64) (out []int64) {
	if x == 0 {
		return nil
	}
	for unit := int64(1); unit <= x/10 || unit <= -(x/10); {
		unit *= 10
		if rounded := x / unit * unit; rounded != x && (len(out) == 0 || out[0] != rounded) {
			out = slices.Insert(out, 0, rounded)
		}
	}
	return out
}

// smallerNumbers are the numbers to try in place of an ordinal or a number of messages.
func smallerNumbers(n uint64) (out []uint64) {
	for _, m := range []uint64{1, n / 2, n - 1} {
		if n > 1 && m < n && !slices.Contains(out, m) {
			out = append(out, m)
		}
	}
	return out
}

// rounderProbabilities are the probabilities to try in place of p, the simplest first.
func rounderProbabilities(p des.Probability) (out []des.Probability) {
	for _, percent := range []uint64{50, 10, 1} {
		q := des.Ratio(percent, 100)
		if p == 0 || q == p {
			break
		}
		out = append(out, q)
	}
	return out
}
