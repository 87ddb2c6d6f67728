package rare_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/combin"

	"bullring/experiments/campaign/rare"
	"bullring/experiments/campaign/stats"
	"bullring/experiments/catalog"
	"bullring/experiments/trial"
)

// asked asks a question about the algorithms of the catalogue.
func asked(t *testing.T, q rare.Question) *rare.Report {
	t.Helper()
	q.Registry = catalog.New()
	if q.Setting.Seed == 0 {
		q.Setting.Seed = 1
	}
	r, err := q.Ask(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// plainly is the same question, with plain runs.
func plainly(t *testing.T, q rare.Question, runs int) *rare.Report {
	q.Levels, q.Effort, q.Repetitions = []int64{}, runs/20, 20
	return asked(t, q)
}

// Two anonymous processes draw from two numbers, and draw again if they are the same: with k rounds there
// are 2k draws, and the probability of a k-th round is 2^-(k-1). See package itairodeh.
func TestItaiRodeh(t *testing.T) {
	q := rare.Question{Setting: trial.Setting{Algorithm: "itairodeh", N: 2}, Level: trial.LevelDraws, Effort: 200, Repetitions: 20}
	for _, rounds := range []int64{1, 2, 4} {
		q.Reach = 2 * rounds
		if s, truth := plainly(t, q, 4000).Summary(), math.Exp2(1-float64(rounds)); truth < s.Lo || truth > s.Hi {
			t.Errorf("plain runs: %.3g to %.3g; the truth is %.3g", s.Lo, s.Hi, truth)
		}
	}
	seeds, rounds := uint64(8), []int64{11, 31, 41}
	if testing.Short() {
		seeds, rounds = 3, rounds[:1]
	}
	for _, k := range rounds {
		q.Reach = 2 * k
		truth, has, all := math.Exp2(1-float64(k)), uint64(0), []float64{}
		for seed := range seeds {
			q.Setting.Seed = seed + 1
			r := asked(t, q)
			s := r.Summary()
			if s.Lo <= truth && truth <= s.Hi {
				has++
			}
			for _, one := range r.Repetitions {
				all = append(all, one.Estimate)
			}
			if draws := int64(r.Example.Counters.Draws); draws < 2*k {
				t.Errorf("the run with round %d has %d draws", k, draws)
			}
		}
		s := stats.Summarize(all)
		t.Logf("round %d: %.3g in %d of %d intervals; all: %.3g, %.3g to %.3g", k, truth, has, seeds, s.Mean, s.Lo, s.Hi)
		if half := s.Mean - s.Lo; has < seeds*2/3 || math.Abs(s.Mean-truth) > 1.5*half || half > truth/2 {
			t.Errorf("round %d has probability %.3g; it is in %d of %d intervals, and all say %.3g, %.3g to %.3g", k, truth, has, seeds, s.Mean, s.Lo, s.Hi)
		}
	}
}

// Where plain runs can measure, they agree: over random delays, coins, bursts of losses, links that give up,
// chances of faults, motion, and time. Splitting is
// better than as many plain runs as begin, but for time.
func TestPlainRunsAgree(t *testing.T) {
	for name, q := range map[string]rare.Question{
		"delays":   {Setting: trial.Setting{Algorithm: "raft", N: 3, Delay: "uniform(500us,6ms)", Param: "base=10ms,width=8ms"}, Level: "term", Reach: 5},
		"coins":    {Setting: trial.Setting{Algorithm: "raft", N: 5, Dead: "4", Param: "base=10ms,width=5ms"}, Level: "term", Reach: 4},
		"losses":   {Setting: trial.Setting{Algorithm: "raft", N: 3, Link: "loss gemodel 10% 30%", Param: "base=10ms,width=20ms"}, Level: "term", Reach: 9},
		"faults":   {Setting: trial.Setting{Algorithm: "raft", N: 3, Fault: "omit sends of 1 with 30%; omit sends of 2 with 30%", Param: "base=10ms,width=20ms"}, Level: trial.LevelLost, Reach: 15},
		"given up": {Setting: trial.Setting{Algorithm: "lcr", N: 2, Link: "loss 10%", Transport: "reliable(5ms,3)"}, Level: trial.LevelLost, Check: "E2"},
		"crashes":  {Setting: votes(5, 4, "20%"), Level: trial.LevelCrashes, Check: "ME1"},
		"motion":   {Setting: trial.Setting{Algorithm: "ingram", N: 4, Motion: "edges(20%, 20%, 5ms)", Until: "100ms"}, Level: trial.LevelMessages, Reach: 120},
		"time":     {Setting: trial.Setting{Algorithm: "raft", N: 3, Delay: "exp(1ms)", Param: "base=10ms,width=8ms"}, Level: trial.LevelTime, Reach: 30e6},
	} {
		t.Run(name, func(t *testing.T) {
			runs := 20000
			q.Effort, q.Repetitions, q.Setting.OutsideModel = 400, 20, true
			if testing.Short() {
				runs, q.Effort = 4000, 100
			}
			split, plain := asked(t, q), plainly(t, q, runs)
			a, b := split.Summary(), plain.Summary()
			if a.Lo > b.Hi || b.Lo > a.Hi || b.Mean == 0 {
				t.Errorf("split %.3g, %.3g to %.3g; plain %.3g, %.3g to %.3g", a.Mean, a.Lo, a.Hi, b.Mean, b.Lo, b.Hi)
			}
			plainly := math.Sqrt((1 - a.Mean) / a.Mean / float64(q.Effort*q.Repetitions))             // of the runs that begin
			if share, _ := split.RelativeError(); share > 0.7*plainly && q.Level != trial.LevelTime { // much of that is drawn long before
				t.Errorf("the relative error is %.3f; that of plain runs is %.3f, so the parts of a run are too much alike", share, plainly)
			}
			t.Logf("split %.3g, %.3g to %.3g in %d runs; plain %.3g, %.3g to %.3g in %d", a.Mean, a.Lo, a.Hi, split.Cost.Runs, b.Mean, b.Lo, b.Hi, plain.Cost.Runs)
		})
	}
}

// votes is a setting in which coordinators vote for the first of two clients, are reset one after another
// with the probability p, and are then asked by the second.
func votes(coordinators, m int, p string) trial.Setting {
	var plan strings.Builder
	for c := range coordinators {
		fmt.Fprintf(&plan, "at %dms crash %d with %s for 1us; ", 10+c, c, p)
	}
	fmt.Fprintf(&plan, "at 90ms start %d", coordinators+1)
	return trial.Setting{
		Algorithm: "decentralized", N: coordinators + 2, Initiators: strconv.Itoa(coordinators), OutsideModel: true, Fault: plan.String(),
		Param: fmt.Sprintf("cs=100ms,coordinators=%d,votes=%d,backoff=1s", coordinators, m),
	}
}

// Two clients are inside together if no coordinator that the second asks still knows its vote for the first:
// see docs/published.md. So 5 of 8 votes and p = 1/120 make 1.3e-5.
func TestVotes(t *testing.T) {
	choose := func(n, k int) float64 { return float64(combin.Binomial(n, k)) }
	both := func(n, m int, p float64) (sum float64) {
		for k := 2*m - n; k <= m; k++ {
			sum += choose(m, k) * math.Pow(p, float64(k)) * math.Pow(1-p, float64(m-k)) * choose(n-m+k, m) / choose(n, m)
		}
		return sum
	}
	if textbook := both(8, 5, 1.0/120); math.Abs(textbook-1.27e-5) > 1e-7 {
		t.Errorf("the formula gives %.3g", textbook)
	}
	for _, c := range []struct {
		n, m  int
		p     float64
		given string
	}{{5, 3, 0.02, "2%"}, {5, 4, 0.05, "5%"}, {5, 4, 0.01, "1%"}, {8, 5, 1.0 / 120, "1/120"}} {
		effort := 2000
		if testing.Short() {
			effort = 300
			if c.p != 0.05 {
				continue
			}
		}
		truth := both(c.n, c.m, c.p)
		lost := fmt.Sprintf("count(p%d.inside and not votedFor == %d) - %d", c.n, c.n, c.n+2-c.m) // votes of the first client
		for _, level := range []trial.Level{trial.LevelCrashes, trial.Level(lost)} {
			q := rare.Question{Setting: votes(c.n, c.m, c.given), Level: level, Check: "ME1", Effort: effort, Repetitions: 20}
			for k := range int64(2*c.m - c.n) {
				q.Levels = append(q.Levels, k+1)
			}
			if s := asked(t, q).Summary(); math.Abs(s.Mean-truth) > 4*s.SD/math.Sqrt(float64(s.N)) || s.SD > truth {
				t.Errorf("%d of %d votes, p = %v, level %s: %.3g, %.3g to %.3g; the truth is %.3g", c.m, c.n, c.p, level, s.Mean, s.Lo, s.Hi, truth)
			}
		}
	}
}

// allDown is the probability that n processes are down at the same time before an end. Each fails and is back at
// exponential times: a chain of births and deaths, whose equations are solved in small steps (Runge and
// Kutta's method of the fourth order).
func allDown(n int, fails, back, end float64) float64 {
	change := func(p []float64) []float64 {
		d := make([]float64, n+1)
		for down := range n { // n is for good
			up, better := float64(n-down)*fails*p[down], float64(down)*back*p[down]
			d[down] -= up + better
			d[down+1] += up
			if down > 0 {
				d[down-1] += better
			}
		}
		return d
	}
	moved := func(p, d []float64, by float64) []float64 {
		q := slices.Clone(p)
		for i := range q {
			q[i] += by * d[i]
		}
		return q
	}
	steps := int(end * float64(n) * (fails + back) * 10)
	h, p := end/float64(steps), make([]float64, n+1)
	p[0] = 1
	for range steps {
		a := change(p)
		b := change(moved(p, a, h/2))
		c := change(moved(p, b, h/2))
		d := change(moved(p, c, h))
		for i := range p {
			p[i] += h / 6 * (a[i] + 2*b[i] + 2*c[i] + d[i])
		}
	}
	return p[n]
}

// Processes fail and are back at exponential times: that all are down at once has a probability that is known.
func TestFailures(t *testing.T) {
	if got := allDown(1, 0.5, 3, 2); math.Abs(got-(1-math.Exp(-1))) > 1e-9 {
		t.Errorf("of one process %.12g", got)
	}
	for _, c := range []struct {
		n    int
		mttr float64 // seconds
	}{{3, 0.05}, {5, 0.05}, {5, 0.01}} {
		effort := 1000
		if testing.Short() {
			if effort = 200; c.mttr == 0.01 {
				continue
			}
		}
		var plan []string
		for p := range c.n {
			plan = append(plan, fmt.Sprintf("fail %d mttf exp(1s) mttr exp(%vms) until 2s", p, 1000*c.mttr))
		}
		truth := allDown(c.n, 1, 1/c.mttr, 2)
		for _, method := range rare.Methods {
			q := rare.Question{
				Setting: trial.Setting{Algorithm: "lcr", N: c.n, OutsideModel: true, Fault: strings.Join(plan, "; ")},
				Level:   trial.Level(fmt.Sprintf("%d - count(1 == 1)", c.n)), Reach: int64(c.n), Method: rare.Method(method), Effort: effort, Repetitions: 20,
			}
			r := asked(t, q)
			s := r.Summary()
			t.Logf("%d processes, mttr %v s, %s: %.3g, %.3g to %.3g in %d runs; the truth is %.4g", c.n, c.mttr, method, s.Mean, s.Lo, s.Hi, r.Cost.Runs, truth)
			if math.Abs(s.Mean-truth) > 4*s.SD/math.Sqrt(float64(s.N)) || s.SD > 2*truth {
				t.Errorf("%d processes, mttr %v s, %s: %.3g, %.3g to %.3g; the truth is %.3g", c.n, c.mttr, method, s.Mean, s.Lo, s.Hi, truth)
			}
		}
	}
}

// A level that is worked out from the states of processes has the runs of the field that it reads.
func TestLevelsThatAreWorkedOut(t *testing.T) {
	for _, s := range []trial.Setting{
		{Algorithm: "raft", N: 5, Dead: "4", Param: "base=10ms,width=5ms"},
		{Algorithm: "raft", N: 3, Link: "loss 20%", Param: "base=10ms,width=20ms", Fault: "at 12ms crash 1 with 50% for 9ms", OutsideModel: true},
	} {
		var want string
		for _, level := range []trial.Level{"term", "max(term)", "max(term) + count(term < 0)"} {
			r := asked(t, rare.Question{Setting: s, Level: level, Reach: 4, Effort: 100, Repetitions: 4})
			text, err := json.Marshal([]any{r.Repetitions, r.Levels, r.Cost, r.Example.Instance.Setting, r.Example.Fingerprint})
			if err != nil {
				t.Fatal(err)
			}
			if want == "" {
				want = string(text)
			}
			if string(text) != want {
				t.Errorf("%s: %s\nwant %s", level, text, want)
			}
		}
	}
}

// The same question has the same answer, for any number of workers. The run that it names is one in which
// the event happens, and its setting alone repeats it.
func TestSameForAnyWorkers(t *testing.T) {
	q := rare.Question{Setting: trial.Setting{Algorithm: "itairodeh", N: 3, Delay: "exp(1ms)"}, Level: trial.LevelDraws, Reach: 30, Effort: 50, Repetitions: 4}
	var want string
	for _, q.Workers = range []int{1, 3} {
		r := asked(t, q)
		text, err := json.Marshal([]any{r.Repetitions, r.Levels, r.Cost, r.Example.Instance.Setting, r.Example.Fingerprint})
		if err != nil {
			t.Fatal(err)
		}
		if want == "" {
			want = string(text)
		}
		if string(text) != want || r.Example == nil {
			t.Errorf("%d workers: %s\nwant %s", q.Workers, text, want)
		}
		in, err := catalog.New().Instance(r.Example.Instance.Setting)
		if err != nil {
			t.Fatal(err)
		}
		if again := new(trial.Worker).Run(t.Context(), in, nil); again.Fingerprint != r.Example.Fingerprint || again.Counters.Draws < 30 || len(in.Forks) == 0 {
			t.Errorf("again it has %d draws and fingerprint %x, not %x", again.Counters.Draws, again.Fingerprint, r.Example.Fingerprint)
		}
	}
}

// What was known when a question was interrupted is its answer.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	q := rare.Question{Registry: catalog.New(), Setting: trial.Setting{Algorithm: "itairodeh", N: 2}, Level: trial.LevelDraws, Reach: 12, Effort: 20, Repetitions: 50}
	q.Progress = func(r *rare.Report) {
		if len(r.Repetitions) == 3 {
			cancel()
		}
	}
	r, err := q.Ask(ctx)
	if err != nil || len(r.Repetitions) != 3 || r.Example == nil {
		t.Errorf("%d repetitions, %v", len(r.Repetitions), err)
	}
}

// A report says in words why it may promise too much.
func TestDoubts(t *testing.T) {
	for doubt, estimates := range map[string][]float64{
		"no upper bound here": {0, 0, 0}, "in 1 of 3 repetitions no run came to the event": {0.25, 0, 0.5},
		"differ by orders of magnitude, from 2.5e-03 to 5.0e-01": {0.0025, 0.5}, "": {0.25, 0.5},
	} {
		r := &rare.Report{Question: &rare.Question{Level: "term", Reach: 9, Effort: 400}}
		for _, e := range estimates {
			r.Repetitions = append(r.Repetitions, rare.Repetition{Estimate: e, Runs: []int{400}, Survivors: []int{100}})
		}
		if got := strings.Join(r.Doubts(), "; "); !strings.Contains(got, doubt) || doubt == "" && got != "" {
			t.Errorf("%v: %q; want %q", estimates, got, doubt)
		}
	}
	r := &rare.Report{Question: &rare.Question{Level: "term", Reach: 9, Effort: 400}, Repetitions: []rare.Repetition{{0.01, []int{400}, []int{4}}}, Cost: rare.Cost{Limited: 2}}
	if got := strings.Join(r.Doubts(), "; "); got != "too coarse: fewer than 10 runs a repetition come to term 9; 2 runs ended at a limit, and count as if they never came to their level" {
		t.Error(got)
	}
}

// What is asked for has to be there.
func TestRefused(t *testing.T) {
	for want, q := range map[string]rare.Question{
		`no level "votes"; it has time, draws, lost, crashes, messages, id`:                   {Setting: trial.Setting{Algorithm: "raft", N: 3}, Level: "votes", Reach: 1},
		`level "max(trem)": column 5: "trem" is no field of a process (did you mean "term"?)`: {Setting: trial.Setting{Algorithm: "raft", N: 3}, Level: "max(trem)", Reach: 1},
		`level "p3.term": column 1: there is no process 3; allowed are p0 to p2`:              {Setting: trial.Setting{Algorithm: "raft", N: 3}, Level: "p3.term", Reach: 1},
		`level "all(term < 2)": column 1: this is a condition, and a number is expected`:      {Setting: trial.Setting{Algorithm: "raft", N: 3}, Level: "all(term < 2)", Reach: 1},
		`no check "E9"; it has E1, E2`: {Setting: trial.Setting{Algorithm: "raft", N: 3}, Level: "term", Check: "E9"},
		"a schedule or forks":          {Setting: trial.Setting{Algorithm: "raft", N: 3, Forks: "1:1"}, Level: "term", Reach: 1},
		"unknown algorithm":            {Setting: trial.Setting{Algorithm: "raf", N: 3}, Level: "term", Reach: 1},
	} {
		q.Registry, q.Effort, q.Repetitions = catalog.New(), 2, 1
		if _, err := q.Ask(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %s", err, want)
		}
	}
}
