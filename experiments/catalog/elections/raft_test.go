package elections_test

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"bullring/des"
	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/netem"
	"bullring/protocols"
)

// One initiator, any dead set that leaves a majority: the exact number of messages, with
// and without heartbeats and with delays that are random.
func TestRaftCleanOverAllDeadSetsAndInitiators(t *testing.T) {
	c := newChecker(t)
	for n := 1; n <= 5; n++ {
		for dead := range 1 << n {
			for p := range n {
				if s := living(dead, n); 2*s <= n || dead>>p&1 == 1 {
					continue
				}
				for _, v := range []string{"once", "heartbeats"} {
					for _, delay := range []string{"", "uniform(0,1ms)"} {
						c.run(trial.Setting{
							Algorithm: "raft", N: n, Dead: catalogtest.Addresses(dead, n), Initiators: strconv.Itoa(p), Variant: v,
							Delay: delay, Unordered: p%2 == 0,
						})
					}
				}
			}
		}
	}
	c.Needs("clean")
}

// living is how many of n are not in the set of the dead.
func living(dead, n int) int {
	s := 0
	for p := range n {
		if dead>>p&1 == 0 {
			s++
		}
	}
	return s
}

// raftMeans are the clusters whose means are held to those of theory: all alive, and
// fewer; with a delay of a tenth of the width, and up to where a fifth of terms is split.
var raftMeans = []struct {
	n           int
	dead, param string
}{
	{3, "", ""}, {3, "0", ""}, {5, "", ""}, {5, "last", ""}, {9, "0,1", ""},
	{3, "", "width=5ms"}, {5, "", "width=5ms"}, {4, "", "base=5ms,width=5ms"}, {3, "", "base=5ms,width=3500us"}, {3, "0", "base=5ms,width=10ms"},
}

// raftApproximate is by how much means may be too large that take terms for independent.
var raftApproximate = map[string]float64{"mean": 0.01, "terms": 0.01, "elected": 0.025}

// The means of theory, over 2000 seeds each, within four standard errors and what is said
// of them.
func TestRaftMeans(t *testing.T) {
	c := newChecker(t)
	for _, m := range raftMeans {
		type sums struct{ value, n, x, xx float64 }
		of := map[string]*sums{"mean": {}, "elected": {}, "split": {}, "terms": {}}
		for seed := range uint64(2000) {
			r := c.run(trial.Setting{Algorithm: "raft", N: m.n, Dead: m.dead, Param: m.param, Seed: seed})
			for _, b := range r.Bounds {
				if s := of[b.Name]; s != nil {
					s.value, s.n, s.x, s.xx = b.Value, s.n+1, s.x+b.Measured, s.xx+b.Measured*b.Measured
				}
			}
		}
		for name, s := range of {
			if s.n != 2000 {
				t.Errorf("%+v: %s was compared %v times", m, name, s.n)
				continue
			}
			mean := s.x / s.n
			e := math.Sqrt((s.xx/s.n - mean*mean) / (s.n - 1))
			if mean > s.value+4*e || mean < s.value*(1-raftApproximate[name])-4*e {
				t.Errorf("%+v: %s is %v, %v on average with a standard error of %v", m, name, s.value, mean, e)
			}
		}
	}
}

// A leader that crashes is missed where there are heartbeats, as long as a majority
// lives, and nobody else is elected for nothing.
func TestRaftMinorityCrashes(t *testing.T) {
	for n := 3; n <= 7; n++ {
		for seed := range uint64(20) {
			plan := "when leader crash leader"
			for k := 1; k < (n-1)/2; k++ {
				plan += fmt.Sprintf("; when %s leader crash leader", []string{"1st", "2nd", "3rd"}[k])
			}
			r := new(trial.Worker).Run(context.Background(), inModel(t, trial.Setting{
				Algorithm: "raft", Variant: "heartbeats", N: n, Fault: plan, Until: "500ms", Seed: seed,
			}), nil)
			if !r.Correct || families.ElectionOf(r).Leaders != 1 || r.Verdict("E1") != protocols.Holds || r.Verdict("E2") != protocols.Holds {
				t.Errorf("n=%d, %s, seed %d: %v, correct %v, %v", n, plan, seed, r.Outcome, r.Correct, r.Checks)
			}
		}
	}
}

// A run whose reliable link waits for acknowledgements longer than a heartbeat takes sends
// another one: the count of a clean election does not speak of it.
func TestRaftHeartbeatsOverReliableLinks(t *testing.T) {
	r := new(trial.Worker).Run(context.Background(), inModel(t, trial.Setting{
		Algorithm: "raft", IDs: "2,11,9,4,1,7", Variant: "heartbeats", Param: "width=20ms", Initiators: "random:1",
		Delay: "uniform(0s,2ms)", Transport: "reliable(5ms,4)", Detector: "none", Assume: "1ms", Seed: 1207123918929073074,
	}), nil)
	if err := r.BrokenBound(); err != nil || r.Counters.Sent[2] <= 5 {
		t.Errorf("%v, sent %v", err, r.Counters.Sent)
	}
}

// Without a majority nobody is elected, however long it takes.
func TestRaftMajorityCrashes(t *testing.T) {
	for n := 2; n <= 7; n++ {
		for _, variant := range []string{"once", "heartbeats"} {
			var dead []string
			for p := range n - n/2 {
				dead = append(dead, strconv.Itoa(p))
			}
			r := new(trial.Worker).Run(context.Background(), inModel(t, trial.Setting{
				Algorithm: "raft", Variant: variant, N: n, Dead: strings.Join(dead, ","), MaxTime: "1s",
			}), nil)
			if r.End != netem.OutOfTime || families.ElectionOf(r).Leaders != 0 || families.ElectionOf(r).Decided >= 0 || r.Counters.Sent[0] < 40 || r.Counters.Sent[2] > 0 {
				t.Errorf("n=%d, %s: %v, at most %d leaders, sent %v", n, variant, r.End, families.ElectionOf(r).Leaders, r.Counters.Sent)
			}
		}
	}
}

// A partition takes the leader away from the majority, which elects another: for a while
// there are two, of different terms. When it heals the old one steps down.
func TestRaftPartitionHeals(t *testing.T) {
	apart := 0
	for seed := range uint64(40) {
		s := trial.Setting{
			Algorithm: "raft", Variant: "heartbeats", N: 5, Fault: "at 40ms partition {0 1 | 2 3 4} for 60ms", Until: "300ms", Seed: seed,
		}
		r := new(trial.Worker).Run(context.Background(), inModel(t, s), nil)
		if !r.Correct || r.Verdict("E1") != protocols.Holds || r.Verdict("E2") != protocols.Holds {
			t.Errorf("seed %d: %v, %v", seed, r.Outcome, r.Checks)
		}
		s.Fault, s.MaxTime = "at 40ms partition {0 1 | 2 3 4}", "100ms" // it never rests: a minority goes on trying
		if r := new(trial.Worker).Run(context.Background(), inModel(t, s), nil); families.ElectionOf(r).Leaders == 2 {
			apart++
		}
	}
	if apart < 5 || apart > 30 {
		t.Errorf("in %d of 40 runs the partition took the leader away; two of five processes are in the minority", apart)
	}
}

// Messages are lost, duplicated and overtaken: with heartbeats there is one leader at
// the end all the same, and never two in a term.
func TestRaftLossAndReordering(t *testing.T) {
	for _, link := range []string{"loss 20%", "duplicate 30%", "delay 1ms 1ms reorder 20%", "loss 10% duplicate 10%"} {
		for seed := range uint64(50) {
			r := new(trial.Worker).Run(context.Background(), inModel(t, trial.Setting{
				Algorithm: "raft", Variant: "heartbeats", N: 5, Link: link, Unordered: true, Until: "1s", Seed: seed,
			}), nil)
			if !families.ElectionOf(r).Followed || r.Verdict("E1") != protocols.Holds || r.Verdict("E2") != protocols.Holds {
				t.Errorf("%s, seed %d: %v, %v", link, seed, r.Outcome, r.Checks)
			}
		}
	}
}

// What the algorithm tolerates is inside its model, if every process waits for a leader.
func TestRaftModel(t *testing.T) {
	for _, s := range []trial.Setting{
		{Link: "loss 10% duplicate 10%"}, {Fault: "drop 1st message"}, {Fault: "duplicate every message"},
		{Fault: "at 1ms partition {0 1 | 2 3} for 20ms"}, {Unordered: true}, {Link: "loss 10%", Transport: "reliable(10ms,2)"},
		{Fault: "at 12ms crash 2 for 2ms"}, {Initiators: "2"}, {Delay: "exp(1ms)"},
	} {
		s.Algorithm, s.N = "raft", 4
		inModel(t, s)
		some := s
		some.Initiators = "0,1,2"
		_, err := registry.Instance(some)
		if lossy := s.Link != "" || strings.Contains(s.Fault, "message") || strings.Contains(s.Fault, "partition"); lossy != (err != nil) {
			t.Errorf("%+v: %v", some, err)
		}
	}
	for _, s := range []trial.Setting{{Link: "corrupt 1% altered"}, {Fault: "lie 1 as 9"}, {Fault: "at 1ms link 0->1 delay 1ms"}} {
		s.Algorithm, s.N = "raft", 4
		if in, err := registry.Instance(s); err == nil {
			t.Errorf("%+v is inside the model: %v", in.Setting, in.Algorithm.Assumes.Words())
		}
	}
	for _, a := range registry.All() {
		if words := strings.Join(a.Assumes.Words(), ", "); strings.Contains(words, "reliable links unless every process initiates") != a.Assumes.Lossy {
			t.Errorf("%s: %s", a.Name, words)
		}
	}
}

// The parameters, and what is wrong with a few.
func TestRaftParams(t *testing.T) {
	r := new(trial.Worker).Run(context.Background(), inModel(t, trial.Setting{
		Algorithm: "raft", N: 3, Initiators: "0", Param: "base=40ms,width=0s",
	}), nil)
	if elected, _ := r.Metric("elected_time"); elected != 42 {
		t.Errorf("elected at %v, want 42: the timeout and a round trip", elected)
	}
	r = new(trial.Worker).Run(context.Background(), inModel(t, trial.Setting{Algorithm: "raft", N: 4, Param: "width=0s,terms=3"}), nil)
	if _, led := r.Metric("term"); led || r.Outcome != families.NoLeader || r.Counters.Sent[0] != 3*4*3 || r.Verdict("E2") != protocols.Undecided {
		t.Errorf("four with the same timeouts: %v, %v, sent %v", r.Outcome, r.Checks, r.Counters.Sent)
	}
	for param, says := range map[string]string{
		"base=0s": "2ns or more", "base=soon": "or auto", "width=-1s": "takes a duration", "terms=-1": "whole number", "lease=1s": "no such parameter",
	} {
		if _, err := registry.Instance(trial.Setting{Algorithm: "raft", N: 3, Param: param}); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v; want %q", param, err, says)
		}
	}
}

// Everything at once that the model allows, as the number of the plan decides.
func raftPlan(k int) trial.Setting {
	draw := des.NewStream(uint64(k), "raft plan")
	pick := func(words ...string) string { return words[draw.Intn(len(words))] }
	s := trial.Setting{
		Algorithm: "raft", N: 1 + draw.Intn(9), Seed: draw.Uint64(), Unordered: draw.Intn(2) == 0,
		Delay:   pick("1ms", "uniform(0,1ms)", "exp(500us)"),
		Link:    pick("", "", "loss 10%", "duplicate 20%", "delay 1ms loss 5% duplicate 10% reorder 5%"),
		MaxTime: "1s", MaxEvents: 200_000,
	}
	classes := pick(catalogtest.CrashAndRestart, catalogtest.CrashAndRestart+", partitions, cuts, loss", "duplicates, delays, pauses, slowness, clogs, clocks",
		"omissions, partitions, loss, duplicates, restarts", "churn, leader-crashes, cuts")
	s.Fault = fmt.Sprintf("random swarm of %s at most %d down until %s", classes, max((s.N-1)/2, 1), pick("20ms", "60ms", "150ms"))
	if strings.Contains(classes, "pauses") || draw.Intn(2) == 0 {
		s.Fault += " then heal" // who stands still for ever decides nothing
	}
	if draw.Intn(2) == 0 {
		s.Variant, s.Until = "heartbeats", "400ms"
	}
	return s
}

// No random plan inside the model violates anything, and most of them come to rest with
// a leader that everybody follows.
func TestRaftRandomPlans(t *testing.T) {
	var held, correct atomic.Int64
	var group sync.WaitGroup
	count := catalogtest.Plans() / 2
	for w := range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			var worker trial.Worker
			for k := w; k < count && !t.Failed(); k += runtime.GOMAXPROCS(0) {
				s := raftPlan(k)
				in, err := registry.Instance(s)
				if err != nil {
					t.Errorf("%+v: %v", s, err)
					return
				}
				r := worker.Run(context.Background(), in, nil)
				if i := slices.IndexFunc(r.Checks, func(c protocols.Check) bool { return c.Verdict == protocols.Violated }); i >= 0 {
					t.Errorf("plan %d: %s is violated inside the model: %s\n%+v\nfaults: %v", k, r.Checks[i].Name, r.Checks[i].Detail, in.Setting, in.Drawn)
				}
				if r.Verdict("E2") == protocols.Holds {
					held.Add(1)
				}
				if r.Correct {
					correct.Add(1)
				}
			}
		})
	}
	group.Wait()
	if h, c := int(held.Load()), int(correct.Load()); h < count*3/4 || c < count/2 {
		t.Errorf("of %d plans E2 held in %d, and %d ended with one leader of all: too few to say anything", count, h, c)
	}
}

// A leader that crashes right after a heartbeat is missed for a timeout and an election:
// with one delay from the heartbeat to its followers, and three from the first timeout to
// the new leader, the timeouts of the four followers being from 10 to 20 delays.
func TestRaftLeaderless(t *testing.T) {
	registry, worker := registry, new(trial.Worker)
	for seed := range uint64(200) {
		in, err := registry.Instance(trial.Setting{
			Algorithm: "raft", Variant: "heartbeats", N: 5, Initiators: "first", Fault: "at 200ms crash leader", Until: "1s", Seed: seed,
		})
		if err != nil {
			t.Fatal(err)
		}
		r := worker.Run(t.Context(), in, nil)
		got, ok := r.Metric("leaderless")
		if families.ElectionOf(r).Term == 2 && (!ok || got < 10-5+2 || got > 20+1+2) {
			t.Errorf("seed %d: %v delays without a leader (%v)", seed, got, ok)
		}
		if want, _ := r.Metric("elected_time"); math.Abs(got-(want-200)) > 1e-6 {
			t.Errorf("seed %d: %v delays without a leader, elected at %v", seed, got, want)
		}
	}
}

// The share of split votes in the first term is P for wide and for narrow timeouts,
// whatever comes of later terms: within four and a half standard deviations.
func TestRaftSplitOfTheFirstTerm(t *testing.T) {
	trials := 4000
	if testing.Short() {
		trials = 800
	}
	var w trial.Worker
	for _, n := range []int{5, 9} {
		for _, width := range []string{"2ms", "3ms", "4ms", "10ms"} {
			split, p := 0.0, 0.0
			for seed := range uint64(trials) {
				in, err := registry.Instance(trial.Setting{Algorithm: "raft", N: n, Dead: "last", Param: "width=" + width, Seed: seed})
				if err != nil {
					t.Fatal(err)
				}
				i := slices.IndexFunc(in.Algorithm.Bounds, func(b trial.Bound) bool { return b.Name == "split" })
				var ok bool
				if p, ok = in.Algorithm.Bounds[i].Curve(in); !ok {
					t.Fatalf("n = %d, %s: the curve says nothing", n, width)
				}
				v, _ := w.Run(t.Context(), in, nil).Metric("split_vote")
				split += v / float64(trials)
			}
			if sd := math.Sqrt(p * (1 - p) / float64(trials)); math.Abs(split-p) > 4.5*sd {
				t.Errorf("n = %d, %s: %v of the votes are split, P is %v", n, width, split, p)
			}
		}
	}
}
