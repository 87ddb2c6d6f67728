package sweep_test

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jonboulle/clockwork"

	"bullring/experiments/campaign/sweep"
	"bullring/experiments/internal/sweeptest"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/lcr"
)

// timed is a registry of LCR whose trials take what cost says, by a clock of its own.
func timed(clock *clockwork.FakeClock, cost func(in *trial.Instance) time.Duration) *trial.Registry {
	r := &trial.Registry{}
	r.Register(families.Election(trial.Algorithm{
		Name: "timed", Title: "LCR", Assumes: trial.Assumptions{Topologies: []string{"ring"}},
	}, func(*trial.Instance) election.Promise { return election.Promise{LeaderOnly: true} },
		func(in *trial.Instance) func(protocols.ID) election.Process[lcr.Message] {
			clock.Advance(cost(in))
			return func(p protocols.ID) election.Process[lcr.Message] { return lcr.New(in.Ranks.At(p), lcr.Config{}) }
		}))
	return r
}

// patient is a fake clock by which no time limit ever ends.
type patient struct{ *clockwork.FakeClock }

func (patient) AfterFunc(time.Duration, func()) clockwork.Timer {
	return clockwork.NewFakeClock().NewTimer(time.Hour)
}

// quadratic is n^2 microseconds, and twice that on decreasing placements.
func quadratic(in *trial.Instance) time.Duration {
	d := time.Duration(in.N*in.N) * time.Microsecond
	if in.N > 1 && in.Ranks.At(0).ID > in.Ranks.At(1).ID {
		d *= 2
	}
	return d
}

func takes(a time.Duration, b float64) bool {
	return math.Abs(a.Seconds()-b) < 1e-6*b
}

// estimate is that of a sweep, of which nothing is written.
func estimate(t *testing.T, s *sweep.Sweep, budget time.Duration) *sweep.Estimate {
	t.Helper()
	e, err := s.Estimate(t.Context(), budget)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// Cells that are probed count with their own time, and the others with the mean of those.
// Shards and workers divide the time.
func TestEstimateMultiplies(t *testing.T) {
	const text = "name: estimated\nreplicates: 100\nalgorithms: [timed]\naxes: {n: {from: 4, to: 512, factor: 2}, placement: [increasing, decreasing]}\n"
	squares := 0.0
	for n := 4; n <= 512; n *= 2 {
		squares += float64(n*n) * 1e-6
	}
	whole := 100 * 3 * squares // seconds
	constant := func(*trial.Instance) time.Duration { return time.Millisecond }
	for _, c := range []struct {
		cost   func(*trial.Instance) time.Duration
		budget time.Duration
		all    bool
		want   float64
	}{{quadratic, time.Hour, true, whole}, {constant, 8 * time.Millisecond, false, 1.6}} {
		clock := clockwork.NewFakeClock()
		s := sweeptest.Sweep(t, timed(clock, c.cost), text)
		s.Clock, s.Workers = patient{clock}, 1
		e := estimate(t, s, c.budget)
		if !takes(e.Time, c.want) || e.Entries[0].Time != e.Time || e.AtLeast || e.Cells != 16 || e.Trials != 1600 || !e.Fixed {
			t.Errorf("%v: %v of %d trials in %d cells; want %v of 1600 in 16", c.budget, e.Time, e.Trials, e.Cells, c.want)
		}
		if e.Probed == 0 || (e.Probed == e.Cells) != c.all || e.Tried < e.Probed {
			t.Errorf("%v: %d cells probed, %d trials", c.budget, e.Probed, e.Tried)
		}
		axes := e.Entries[0].Axes
		if len(axes) != 2 || axes[0].Name != "placement" || len(axes[1].Values) != 8 || axes[1].Values[7] != "512" {
			t.Errorf("axes %v", axes)
		}
		if _, err := os.Stat(s.Dir); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is there: %v", s.Dir, err)
		}
	}
	parts := 0.0
	for i := range 3 {
		clock := clockwork.NewFakeClock()
		s := sweeptest.Sweep(t, timed(clock, quadratic), text)
		s.Clock, s.Workers, s.Shard = patient{clock}, 1, sweep.Shard{Index: i, Of: 3}
		parts += estimate(t, s, time.Hour).Time.Seconds()
	}
	if math.Abs(parts-whole) > 1e-6*whole {
		t.Errorf("shards take %v s, all of it %v s", parts, whole)
	}
}

// A folder tells what is left of its sweep; that of another sweep is refused, and the
// estimate made all the same.
func TestEstimateLooksAtTheFolder(t *testing.T) {
	r := sweeptest.Registry(sweeptest.Triangle)
	s := sweeptest.Sweep(t, r, sweeptest.Small)
	s.Workers = 1
	ctx, cancel := context.WithCancel(t.Context())
	s.Progress = func(sweep.Progress) { cancel() }
	if _, err := s.Run(ctx); err == nil {
		t.Fatal("the sweep was not stopped")
	}
	before := names(t, s.Dir)
	e := estimate(t, s, time.Second)
	if e.Stored == 0 || e.Stored >= e.Trials || e.Complete || e.Refused != nil {
		t.Errorf("%d of %d trials are there, %v", e.Stored, e.Trials, e.Refused)
	}
	if after := names(t, s.Dir); !slices.Equal(before, after) {
		t.Errorf("the folder held %v, and holds %v", before, after)
	}
	s.Progress = nil
	sweeptest.Run(t, s)
	if e := estimate(t, s, time.Second); !e.Complete || e.Stored != e.Trials || e.Tried != 0 {
		t.Errorf("%d of %d trials are there, and %d were tried", e.Stored, e.Trials, e.Tried)
	}
	s.Again = true
	if e := estimate(t, s, time.Second); e.Complete || e.Stored != 0 || e.Tried == 0 {
		t.Errorf("again: %d trials are there, and %d were tried", e.Stored, e.Tried)
	}
	other := sweeptest.Sweep(t, r, strings.Replace(sweeptest.Small, "replicates: 7", "replicates: {min: 2, max: 7, half_width: 5%}", 1))
	other.Dir = s.Dir
	if e := estimate(t, other, time.Second); e.Refused == nil || e.Fixed || e.Trials != 336 || e.Cells != 48 {
		t.Errorf("refused %v, %d trials in %d cells", e.Refused, e.Trials, e.Cells)
	}
	more := sweeptest.Sweep(t, r, strings.Replace(sweeptest.Small, "replicates: 7", "replicates: 9", 1))
	more.Dir = s.Dir
	if e := estimate(t, more, time.Second); e.Refused != nil || e.Complete || e.Stored != 336 || e.Trials != 432 || e.Growth == nil || e.Growth.Kept != 336 {
		t.Errorf("refused %v, %d of %d trials are there, %+v", e.Refused, e.Stored, e.Trials, e.Growth)
	}
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// A trial without an end is cut off, and counts with the time until then.
func TestEstimateOfTrialsWithoutEnd(t *testing.T) {
	const budget = 400 * time.Millisecond
	r, clock := &trial.Registry{}, clockwork.NewFakeClock()
	for _, name := range []string{"endless", "short"} {
		r.Register(families.Election(trial.Algorithm{
			Name: name, Title: "a message that goes round", Assumes: trial.Assumptions{Topologies: []string{"ring"}},
		}, func(*trial.Instance) election.Promise { return election.Promise{LeaderOnly: true} },
			func(in *trial.Instance) func(protocols.ID) election.Process[lcr.Message] {
				if name == "endless" {
					clock.Advance(budget / 4) // no trial gets more
				}
				return func(p protocols.ID) election.Process[lcr.Message] {
					inner := lcr.New(in.Ranks.At(p), lcr.Config{})
					if name == "short" {
						return inner
					}
					return circling{inner}
				}
			}))
	}
	s := sweeptest.Sweep(t, r, "name: endless\nreplicates: 3\nalgorithms: [endless, short]\naxes: {n: [4, 8]}\n")
	s.Clock, s.Workers = clock, 1
	e := estimate(t, s, budget)
	if e.Took != budget/2 { // one trial of each of two cells
		t.Errorf("it took %v", e.Took)
	}
	if !e.AtLeast || !takes(e.Time, 6*0.1) || e.Entries[0].Time != e.Time || e.Probed != 4 || e.Tried != 2+2*3 {
		t.Errorf("%+v", e)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Estimate(ctx, budget); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// circling passes every message on.
type circling struct{ election.Process[lcr.Message] }

func (c circling) Receive(n protocols.Node[lcr.Message], _ protocols.ID, m lcr.Message) {
	n.Send(n.Neighbor(0), m)
}

// What is wrong with a sweep is told as Run tells it.
func TestEstimateRefusesWhatRunRefuses(t *testing.T) {
	s := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), "name: bad\nalgorithms: [{algorithm: ring, dead: 1}]\naxes: {n: 3}\n")
	_, err := s.Estimate(t.Context(), time.Second)
	_, want := s.Run(t.Context())
	if err == nil || want == nil || err.Error() != want.Error() {
		t.Errorf("%v; Run says %v", err, want)
	}
}
