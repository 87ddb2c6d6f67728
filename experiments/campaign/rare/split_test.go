package rare

import (
	"flag"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"bullring/des"
	"bullring/experiments/trial"
)

var simulate = flag.Bool("simulate", false, "measure the coverage of intervals that docs/rare.md has (some five minutes)")

// toy is a run whose level has a known law. step draws the next state from the present one; a state
// below 0 is the end.
type toy struct {
	name  string
	begin func(*des.Stream) state
	step  func(*des.Stream, state) state
	goal  int
	tail  float64 // the probability that the level reaches goal
	stuck bool    // forks do not renew the numbers: wrong
}

// state has a level, and a kind that the level does not show.
type state struct{ level, kind int }

var over = state{level: -1}

func hit(s *des.Stream, p float64) bool { return float64(s.Uint64()>>11)/(1<<53) < p }

// walk runs particles of the toy, in the form of splitter.walk.
func (y *toy) walk(all []particle, stop int64) ([]path, error) {
	paths := make([]path, len(all))
	for i, p := range all {
		paths[i] = y.path(p, stop)
	}
	return paths, nil
}

func (y *toy) path(p particle, stop int64) (out path) {
	var salts []uint64
	stream := des.NewStream(p.seed, "toy")
	var at state
	high := 0
	for {
		for len(salts) < len(p.forks) && p.forks[len(salts)].After == out.events && !y.stuck {
			salts = append(salts, p.forks[len(salts)].Salt)
			stream = des.NewStream(p.seed, "toy fork", salts...)
		}
		if out.events == 0 {
			at = y.begin(&stream)
		} else {
			at = y.step(&stream, at)
		}
		out.events++
		if at.level > high {
			high = at.level
			out.passages = append(out.passages, trial.Passage{Level: int64(high), After: out.events})
		}
		if at.level < 0 || stop > 0 && int64(high) >= stop {
			out.happened = high >= y.goal
			return out
		}
	}
}

func atStart(*des.Stream) state { return state{} }

// geometric goes up with probability p, and else ends.
func geometric(p float64, goal int) toy {
	return toy{
		name: fmt.Sprintf("geometric %v", p), begin: atStart, goal: goal, tail: math.Pow(p, float64(goal)),
		step: func(s *des.Stream, at state) state {
			if hit(s, p) {
				return state{level: at.level + 1}
			}
			return over
		},
	}
}

// ruin goes up with probability p, else down, from 1, and ends at 0 (Feller, An Introduction to
// Probability Theory 1, XIV.2).
func ruin(p float64, goal int) toy {
	r := (1 - p) / p
	return toy{
		name: fmt.Sprintf("ruin %v", p), begin: func(*des.Stream) state { return state{level: 1} }, goal: goal, tail: (1 - r) / (1 - math.Pow(r, float64(goal))),
		step: func(s *des.Stream, at state) state {
			switch {
			case hit(s, p):
				at.level++
			case at.level == 1:
				return over
			default:
				at.level--
			}
			return at
		},
	}
}

// mixed is geometric with p or q, decided at the start by a fair coin. The level does not show which.
func mixed(p, q float64, goal int) toy {
	return toy{
		name: fmt.Sprintf("mixed %v %v", p, q), goal: goal, tail: (math.Pow(p, float64(goal)) + math.Pow(q, float64(goal))) / 2,
		begin: func(s *des.Stream) state { return state{kind: s.Intn(2)} },
		step: func(s *des.Stream, at state) state {
			if hit(s, [2]float64{p, q}[at.kind]) {
				return state{at.level + 1, at.kind}
			}
			return over
		},
	}
}

// leaps goes up by 1 or by far, each with probability p, and else ends: it passes several levels at once.
func leaps(p float64, far, goal int) toy {
	tail := make([]float64, goal+1) // from a level so far below the goal
	tail[0] = 1
	for k := 1; k <= goal; k++ {
		tail[k] = p*tail[k-1] + p*tail[max(0, k-far)]
	}
	return toy{
		name: fmt.Sprintf("leaps %v %d", p, far), begin: atStart, goal: goal, tail: tail[goal],
		step: func(s *des.Stream, at state) state {
			switch {
			case hit(s, p):
				return state{level: at.level + 1}
			case hit(s, p/(1-p)):
				return state{level: at.level + far}
			}
			return over
		},
	}
}

// laws are twenty laws with known tails, from 10^-3 to 10^-12.
var laws = []toy{
	geometric(0.9, 70), geometric(0.7, 40), geometric(0.5, 30), geometric(0.3, 20), geometric(0.2, 10), geometric(0.1, 12),
	ruin(0.48, 60), ruin(0.45, 50), ruin(0.4, 40), ruin(0.35, 30), ruin(0.3, 20), ruin(0.2, 12), ruin(0.1, 12),
	mixed(0.5, 0.4, 20), mixed(0.6, 0.3, 30), mixed(0.3, 0.29, 20),
	leaps(0.25, 3, 30), leaps(0.2, 5, 40), leaps(0.1, 2, 20), leaps(0.3, 2, 30),
}

// ask estimates the tail of a toy.
func (y *toy) ask(t *testing.T, method Method, seed uint64, effort, repetitions int) *Report {
	t.Helper()
	q := &Question{Reach: int64(y.goal), Method: method, Effort: effort, Repetitions: repetitions}
	r := &Report{Question: q}
	s := &splitter{seed: seed, effort: effort, goal: q.Reach, walk: y.walk}
	if err := s.pilot(); err != nil {
		t.Fatal(err)
	}
	if method == Restart {
		if err := s.chooseFactors(); err != nil {
			t.Fatal(err)
		}
	}
	r.Levels, r.Factors = s.levels, s.factors
	for k := range repetitions {
		one, _, err := s.repeat(uint64(k + 1))
		if err != nil {
			t.Fatal(err)
		}
		r.Repetitions = append(r.Repetitions, one)
	}
	return r
}

// covered is in how many of so many estimates the interval has the truth, and their mean as a share of
// the truth, with its standard error.
func (y *toy) covered(t *testing.T, method Method, estimates, effort, repetitions int) (times int, mean, deviation float64) {
	var shares []float64
	for seed := range uint64(estimates) {
		s := y.ask(t, method, seed, effort, repetitions).Summary()
		if s.Lo <= y.tail && y.tail <= s.Hi {
			times++
		}
		shares = append(shares, s.Mean/y.tail)
	}
	for _, x := range shares {
		mean += x / float64(len(shares))
	}
	for _, x := range shares {
		deviation += (x - mean) * (x - mean)
	}
	return times, mean, math.Sqrt(deviation/float64(len(shares)-1)) / math.Sqrt(float64(len(shares)))
}

// The 95 % interval has the truth about as often as it says, for twenty laws whose tails are known: see docs/rare.md.
func TestCoverageOfTheInterval(t *testing.T) {
	estimates := 20
	switch {
	case *simulate:
		estimates = 100
	case testing.Short():
		estimates = 3
	}
	for _, method := range Methods {
		t.Run(method, func(t *testing.T) { wantCoverage(t, Method(method), estimates) })
	}
}

func wantCoverage(t *testing.T, method Method, estimates int) {
	all := 0
	for i := range laws {
		y := &laws[i]
		times, mean, deviation := y.covered(t, method, estimates, 200, 20)
		t.Logf("%-18s %.2e: %d of %d intervals have it; mean %.3f of it, standard error %.3f", y.name, y.tail, times, estimates, mean, deviation)
		if math.Abs(mean-1) > 5*max(deviation, 0.1/math.Sqrt(float64(estimates))) { // three estimates may be too much alike
			t.Errorf("%s: the estimates have a mean of %.3f of the truth, standard error %.3f", y.name, mean, deviation)
		}
		all += times
	}
	n := float64(len(laws) * estimates)
	share := float64(all) / n
	bound := 2.576 * math.Sqrt(share*(1-share)/n)
	t.Logf("%d of %.0f intervals, %.1f %% ± %.1f %%", all, n, 100*share, 100*bound)
	if share+bound < 0.93 {
		t.Errorf("%.1f %% ± %.1f %% of the intervals have the truth", 100*share, 100*bound)
	}
}

// Runs that fork without new numbers are found out: no interval has the truth.
func TestForksWithoutNewNumbers(t *testing.T) {
	for _, y := range []toy{geometric(0.5, 30), ruin(0.35, 30), mixed(0.5, 0.4, 20)} {
		y.stuck = true
		if times, _, _ := y.covered(t, FixedEffort, 10, 200, 20); times > 1 {
			t.Errorf("%s: %d of 10 intervals have the truth", y.name, times)
		}
	}
}

// Each survivor has as many parts as the others or one more, and over many draws the same number.
func TestSplitIsEven(t *testing.T) {
	survivors := []survivor{{after: 0}, {after: 1}, {after: 2}}
	stream := des.NewStream(1, "test")
	var sums [3]int
	const draws = 3000
	for range draws {
		var parts [3]int
		for _, p := range split(&stream, survivors, 10) {
			parts[p.forks[0].After]++
		}
		for i, k := range parts {
			sums[i] += k
			if k < 3 || k > 4 {
				t.Fatalf("%d parts of 10 for three survivors", parts)
			}
		}
	}
	for _, sum := range sums {
		if math.Abs(float64(sum)/draws-10./3) > 0.05 {
			t.Errorf("%d parts in %d draws; want a third of 10 each", sums, draws)
		}
	}
}

// A particle that has passed two levels in one event forks there once.
func TestSplitTwiceAtOneEvent(t *testing.T) {
	y := leaps(0.3, 2, 30)
	s := &splitter{seed: 1, effort: 50, goal: 30, levels: []int64{1, 2, 3, 4, 5, 6, 7, 8}, walk: func(all []particle, stop int64) ([]path, error) {
		for _, p := range all {
			for k := 1; k < len(p.forks); k++ {
				if p.forks[k].After <= p.forks[k-1].After {
					t.Fatalf("forks %v", p.forks)
				}
			}
		}
		return y.walk(all, stop)
	}}
	if _, _, err := s.repeat(1); err != nil {
		t.Fatal(err)
	}
}

// The levels of a pilot rise, and about a fifth comes from one to the next where the law lets it.
func TestPilot(t *testing.T) {
	for i := range laws {
		y := &laws[i]
		r := y.ask(t, FixedEffort, 3, 500, 2)
		if !slices.IsSorted(r.Levels) || len(slices.Compact(slices.Clone(r.Levels))) != len(r.Levels) || r.Levels[len(r.Levels)-1] >= int64(y.goal) {
			t.Errorf("%s: levels %v", y.name, r.Levels)
		}
		for _, s := range r.Stages() {
			if s.Of < 0.05 || s.Of > 0.75 { // half of what a step of the steepest law leaves, and what the flattest one does
				t.Errorf("%s: %.2f come to level %d of %v", y.name, s.Of, s.Level, r.Levels)
			}
		}
	}
}

// Under Restart each run that comes to a level has as many parts as any other, and about as many runs begin
// at each level as at the start.
func TestFactors(t *testing.T) {
	for i := range laws {
		y := &laws[i]
		r := y.ask(t, Restart, 3, 500, 4)
		if len(r.Factors) != len(r.Levels) {
			t.Fatalf("%s: levels %v, factors %v", y.name, r.Levels, r.Factors)
		}
		for _, one := range r.Repetitions {
			product := float64(one.Runs[0])
			for k, survivors := range one.Survivors[:len(one.Survivors)-1] {
				if one.Runs[k+1] != r.Factors[k]*survivors {
					t.Errorf("%s: %d runs come to level %d, and %d go on; the factor is %d", y.name, survivors, r.Levels[k], one.Runs[k+1], r.Factors[k])
				}
				product *= float64(r.Factors[k])
			}
			came := float64(one.Survivors[len(one.Survivors)-1])
			if want := came / product; math.Abs(one.Estimate-want) > 1e-9*want {
				t.Errorf("%s: %.6g of %.6g runs come to the event, and the estimate is %.6g", y.name, came, product, one.Estimate)
			}
			if most := slices.Max(one.Runs); most > 20*one.Runs[0] {
				t.Errorf("%s: %d runs begin, and %d at a level", y.name, one.Runs[0], most)
			}
		}
	}
}

// Runs that would fill the memory are refused: here the levels lie so that the pilot sees few of the runs
// that come on.
func TestTooManyParts(t *testing.T) {
	y := geometric(0.9, 40)
	s := &splitter{seed: 1, effort: 50, goal: 40, levels: []int64{1, 2, 3, 4, 5}, factors: []int{9, 9, 9, 9, 9}, walk: y.walk}
	if _, _, err := s.repeat(1); err == nil || !strings.Contains(err.Error(), "more than 100 times as many as began") {
		t.Error(err)
	}
}
