package conjecture

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
	"bullring/experiments/trial/setting"
)

// The cases whose cost a study takes, of those of a hunt.
const (
	Given = "given" // the setting itself, the only case
	best  = "best"  // the one that costs least
	worst = "worst" // the one that costs most
	Mean  = "mean"  // the mean over all
)

// Cases lists them.
var Cases = []string{Given, best, worst, Mean}

// Study measures the cost of an algorithm at sizes.
type Study struct {
	// Hunt has the setting, the metric, what varies, and the limits. The texts of the setting may hold the
	// names of variables in braces, such as {k}.
	Hunt search.Hunt
	Case string // one of Cases
	// Variables are n and others; a size is a value of each.
	Variables []Variable
	// In are the sizes that forms are made of: variables, or the number of processes n, of links m (which go one
	// way) and of edges E (which have two), or the diameter D. Nil is the variables.
	In []string
}

// Variable is a name with its values.
type Variable struct {
	Name   string
	Values []int64
}

// known are the sizes that an instance has, beside the variables of a study.
var known = []string{"n", "m", "E", "D"}

// Measured is the outcome of a study. The points of the data, the instances and the cases belong together.
type Measured struct {
	Data      Data
	Instances []*trial.Instance // for the best and the worst case, the one that was taken
	Cases     []int             // how many there were
	Over      []string          // what varied between them
}

// Measure runs all cases of all sizes. If it fails, it returns what it had measured by then, and the error
// names the size.
func (s Study) Measure(ctx context.Context, r *trial.Registry) (*Measured, error) {
	m := &Measured{Data: Data{Names: s.In}}
	if s.In == nil {
		for _, v := range s.Variables {
			m.Data.Names = append(m.Data.Names, v.Name)
		}
	}
	if err := s.check(m.Data.Names); err != nil {
		return m, err
	}
	for values := range s.sizes() {
		if err := s.measure(ctx, r, values, m); err != nil {
			if ctx.Err() != nil {
				return m, err
			}
			return m, fmt.Errorf("at %s: %w", s.at(values), err)
		}
	}
	return m, nil
}

// check refuses names that are not known or stand twice.
func (s Study) check(in []string) error {
	var names []string
	for _, v := range s.Variables {
		if slices.Contains(names, v.Name) {
			return fmt.Errorf("the variable %s is given twice", v.Name)
		}
		names = append(names, v.Name)
	}
	for _, k := range known {
		if !slices.Contains(names, k) {
			names = append(names, k)
		}
	}
	for i, name := range in {
		if !slices.Contains(names, name) || slices.Contains(in[:i], name) {
			return fmt.Errorf("sizes %s: each is one of %s, and stands there once", strings.Join(in, ","), strings.Join(names, ", "))
		}
	}
	return nil
}

// sizes yields the values of the variables, the last of which varies fastest.
func (s Study) sizes() func(yield func([]int64) bool) {
	return func(yield func([]int64) bool) {
		all := 1
		for _, v := range s.Variables {
			all *= len(v.Values)
		}
		for i := range all {
			values := make([]int64, len(s.Variables))
			for j, v := range slices.Backward(s.Variables) {
				values[j], i = v.Values[i%len(v.Values)], i/len(v.Values)
			}
			if !yield(values) {
				return
			}
		}
	}
}

func (s Study) at(values []int64) string {
	var names []string
	for _, v := range s.Variables {
		names = append(names, v.Name)
	}
	return Data{Names: names}.At(Point{X: values})
}

// measure measures one size.
func (s Study) measure(ctx context.Context, r *trial.Registry, values []int64, m *Measured) error {
	h := s.Hunt
	h.Setting = s.Setting(values)
	if s.Case == Given {
		h.Over = []string{}
	}
	t, err := search.FindTally(ctx, r, h)
	if err != nil {
		return err
	}
	var y *big.Rat
	of := h.Setting
	switch s.Case {
	case best:
		y, of = t.Least.Cost, t.Least.Setting
	case worst:
		y, of = t.Most.Cost, t.Most.Setting
	default:
		y = t.Mean
	}
	if y == nil {
		return fmt.Errorf("over %s the %s case is not looked for; the %s case is", search.OverSchedule, s.Case, worst)
	}
	in, err := r.Instance(of)
	if err != nil {
		return err
	}
	p := Point{Y: y}
	for _, name := range m.Data.Names {
		p.X = append(p.X, s.size(name, values, in))
	}
	m.Data.Points, m.Instances, m.Cases = append(m.Data.Points, p), append(m.Instances, in), append(m.Cases, t.Cases)
	m.Over = t.Over
	return nil
}

// Setting returns the setting for a value of each variable.
func (s Study) Setting(values []int64) trial.Setting {
	var pairs []string
	of := s.Hunt.Setting
	for i, v := range s.Variables {
		pairs = append(pairs, "{"+v.Name+"}", strconv.FormatInt(values[i], 10))
		if v.Name == "n" {
			of.N = int(values[i])
		}
	}
	replacer := strings.NewReplacer(pairs...)
	for i := range setting.Conditions {
		if text := setting.Conditions[i].Text(&of); text != nil {
			*text = replacer.Replace(*text)
		}
	}
	return of
}

// size is the value of a variable, or what is known of an instance.
func (s Study) size(name string, values []int64, in *trial.Instance) int64 {
	for i, v := range s.Variables {
		if v.Name == name {
			return values[i]
		}
	}
	switch name {
	case "m":
		return int64(in.Graph().Links())
	case "E":
		return int64(in.Graph().Edges())
	case "D":
		return int64(in.Graph().Diameter())
	}
	return int64(in.N)
}

// Comparison tells whether a bound of the algorithm has the measured value at every size.
type Comparison struct {
	Bound   *trial.Bound
	Differs []int // the points at which it has another
}

// relation is the relation of the bounds that speak of a case.
func (s Study) relation() trial.Relation {
	switch s.Case {
	case best:
		return trial.AtLeast
	case worst:
		return trial.AtMost
	case Mean:
		return trial.Mean
	}
	return trial.Exactly
}

// Theory compares the values with the bounds of the algorithm that speak of the case and apply at every
// size. Bounds are floating-point numbers: they agree if they do but for rounding.
func (m *Measured) Theory(s Study) (all []Comparison) {
	metric := s.Hunt.Metric
	if metric == "depth" {
		metric = "causal_depth"
	}
	if len(m.Instances) == 0 {
		return nil
	}
	for i := range m.Instances[0].Algorithm.Bounds {
		b := &m.Instances[0].Algorithm.Bounds[i]
		if b.Metric != metric || b.Relation != s.relation() {
			continue
		}
		c, applies := Comparison{Bound: b}, true
		for j, in := range m.Instances {
			v, ok := BoundOf(b, s.Case, in)
			applies = applies && ok
			if !Agrees(m.Data.Points[j].Y, v) {
				c.Differs = append(c.Differs, j)
			}
		}
		if applies {
			all = append(all, c)
		}
	}
	return all
}

// BoundOf is the value of a bound for a case of an instance; ok is false where it does not apply. A bound on
// a mean over placements applies to random ones.
func BoundOf(b *trial.Bound, of string, in *trial.Instance) (v float64, ok bool) {
	if of == Mean {
		drawn := *in
		drawn.Setting.Placement, drawn.Setting.IDs = "random", ""
		in = &drawn
	}
	return b.At(in)
}

// Agrees reports whether a rational is a floating-point number, but for rounding.
func Agrees(y *big.Rat, v float64) bool {
	const rounding = 1e-9
	exact, _ := y.Float64()
	return math.Abs(exact-v) <= rounding*cmp.Or(math.Abs(exact), 1)
}
