package lab

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"time"

	"bullring/des"
	"bullring/experiments/trial"
	"bullring/netem/live"
	"bullring/protocols"
)

// Comparison compares live runs with runs of the emulator.
type Comparison struct {
	Instance  *trial.Instance // of the first seed
	Options   Options
	Asked     int // live runs; fewer were made if it was interrupted
	Live      Tally
	Emulated  Tally
	Latencies []time.Duration // of all messages of the live runs, ascending
	Lateness  []time.Duration // of all timers of the live runs, ascending
}

// Tally counts what came of some runs.
type Tally struct {
	Runs     int
	Outcomes map[trial.Outcome]int
	Violated map[string]int   // by check
	Shares   map[string]Share // by metric, of those that are proportions
}

// Share is how many of the runs that measured something showed it.
type Share struct{ Showed, Of int }

// Add adds the result of a run.
func (t *Tally) Add(r *trial.Result) {
	if t.Outcomes == nil {
		t.Outcomes, t.Violated, t.Shares = map[trial.Outcome]int{}, map[string]int{}, map[string]Share{}
	}
	t.Runs++
	t.Outcomes[r.Outcome]++
	for _, c := range r.Checks {
		if c.Verdict == protocols.Violated {
			t.Violated[c.Name]++
		}
	}
	for _, m := range r.Instance.Algorithm.Metrics {
		if v, ok := r.Metric(m.Name); ok && m.Proportion {
			s := t.Shares[m.Name]
			t.Shares[m.Name] = Share{s.Showed + int(v), s.Of + 1}
		}
	}
}

// Compare runs a setting live with the seeds 1 to runs, one run after another, and then as
// often in the emulator, with the same seeds. There a message takes the delay that links impose
// and one of the latencies that were measured, and a timer is as late as one of those that were
// measured. each is called with every live run. A cancelled context ends the live runs early.
// The error says why a run could not begin.
func Compare(ctx context.Context, r *trial.Registry, s trial.Setting, o Options, runs int, each func(*Trial)) (*Comparison, error) {
	c := &Comparison{Options: o, Asked: runs}
	for ctx.Err() == nil && c.Live.Runs < runs {
		s.Seed = uint64(c.Live.Runs + 1)
		in, err := Instance(r, s, o)
		if err != nil {
			return nil, err
		}
		if c.Instance == nil {
			c.Instance = in
		}
		t, err := Try(ctx, r, in, o, nil)
		if err != nil {
			return nil, err
		}
		if t.Recording.End == live.Interrupted {
			break
		}
		if t.Result == nil {
			return nil, t.Wrong
		}
		c.Live.Add(t.Result)
		c.Latencies = append(c.Latencies, t.Recording.Latencies()...)
		c.Lateness = append(c.Lateness, t.Recording.Lateness()...)
		each(t)
	}
	slices.Sort(c.Latencies)
	slices.Sort(c.Lateness)
	return c, c.emulate(context.WithoutCancel(ctx), r, s)
}

// emulate makes as many runs in the emulator as there were live ones.
func (c *Comparison) emulate(ctx context.Context, r *trial.Registry, s trial.Setting) error {
	if c.Live.Runs == 0 {
		return nil
	}
	delay, late := slower(c.Instance.Delay, c.Latencies), slower(des.Constant(0), c.Lateness)
	var worker trial.Worker
	for c.Emulated.Runs < c.Live.Runs {
		s.Seed = uint64(c.Emulated.Runs + 1)
		in, err := Instance(r, s, c.Options)
		if err != nil {
			return err
		}
		in.Delay, in.Late = delay, late
		in.MaxTime = des.Time(c.Options.LimitOf(in))
		c.Emulated.Add(worker.Run(ctx, in, nil))
	}
	return nil
}

// points is the number of equally likely delays of a sum of delays.
const points = 1 << 16

// sum is the distribution of a delay and an independent latency of some that were measured:
// equally likely durations, ascending.
type sum struct {
	of     string
	delays *[points]time.Duration
}

// slower adds measured latencies to a delay. The pairs of quantiles that it adds are a
// Hammersley set: they fill the square of the two fractions evenly.
func slower(delay des.Distribution, latencies []time.Duration) des.Distribution {
	s := sum{of: fmt.Sprintf("%v and %d measured latencies", delay, len(latencies)), delays: &[points]time.Duration{}}
	for k := range s.delays {
		other := float64(bits.Reverse16(uint16(k))) / points
		s.delays[k] = delay.Quantile((2*uint64(k)+1)<<47) + Quantile(latencies, other)
	}
	slices.Sort(s.delays[:])
	return s
}

// Quantile implements des.Distribution, as the methods below do.
func (s sum) Quantile(u uint64) time.Duration { return s.delays[u>>48] }

func (s sum) Sample(r uint64) time.Duration { return s.delays[r>>48] }

func (s sum) Mean() time.Duration {
	total := 0.0
	for _, d := range s.delays {
		total += float64(d)
	}
	return time.Duration(total / points)
}

func (s sum) Bounds() (least, most time.Duration, bounded bool) {
	return s.delays[0], s.delays[points-1], true
}

func (s sum) String() string { return s.of }
