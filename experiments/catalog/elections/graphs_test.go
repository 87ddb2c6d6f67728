package elections_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/experiments/trial/search"
	"bullring/netem"
	"bullring/netem/explore"
	"bullring/protocols"
	"bullring/protocols/election"
)

// eachGraph calls f with topologies for n processes.
func eachGraph(n int, f func(topology string)) {
	f("complete")
	f("line")
	f("star")
	f("er(0.6)")
	if n > 2 {
		f("biring")
	}
}

func TestEchoBounds(t *testing.T) {
	c := newChecker(t)
	for n := 1; n <= 4; n++ {
		eachGraph(n, func(topology string) {
			catalogtest.Permutations(n, func(ids string) {
				for set := 1; set < 1<<n; set++ {
					for _, variant := range []string{"", "leader-only", "min"} {
						for _, delay := range []string{"", "exp(1ms)"} {
							c.run(trial.Setting{Algorithm: "echo", IDs: ids, Topology: topology, Initiators: catalogtest.Addresses(set, n), Variant: variant, Delay: delay})
						}
					}
				}
			})
		})
	}
	for _, n := range []int{20, 50} {
		eachGraph(n, func(topology string) {
			for seed := range uint64(10) {
				c.run(trial.Setting{Algorithm: "echo", N: n, Placement: "random", Topology: topology, Initiators: "random:1", Seed: seed})
				c.run(trial.Setting{Algorithm: "echo", N: n, Placement: "random", Topology: topology, Initiators: "random:7", Seed: seed, Unordered: true, Delay: "exp(1ms)"})
			}
		})
	}
	c.Needs("exact", "elected", "quiet")
}

func TestElectionTreeBounds(t *testing.T) {
	c := newChecker(t)
	for n := 1; n <= 4; n++ {
		eachGraph(n, func(topology string) {
			catalogtest.Permutations(n, func(ids string) {
				for set := 1; set < 1<<n; set++ {
					for _, variant := range []string{"", "min"} {
						for _, delay := range []string{"", "uniform(0,3ms)"} {
							c.run(trial.Setting{Algorithm: "electiontree", IDs: ids, Topology: topology, Initiators: catalogtest.Addresses(set, n), Variant: variant, Delay: delay})
						}
					}
				}
			})
		})
	}
	for n := 2; n <= 5; n++ {
		for dead := range 1<<n - 1 {
			for set := 1; set < 1<<n; set++ {
				if dead&set == 0 {
					c.run(trial.Setting{Algorithm: "electiontree", N: n, Placement: "alternating", Initiators: catalogtest.Addresses(set, n), Dead: catalogtest.Addresses(dead, n)})
				}
			}
		}
	}
	for _, n := range []int{20, 50} {
		eachGraph(n, func(topology string) {
			for seed := range uint64(10) {
				c.run(trial.Setting{Algorithm: "electiontree", N: n, Placement: "random", Topology: topology, Initiators: "random:1", Seed: seed})
				c.run(trial.Setting{Algorithm: "electiontree", N: n, Placement: "random", Topology: topology, Initiators: "random:7", Attr: "random:3", Seed: seed, Unordered: true, Delay: "uniform(0,3ms)"})
			}
		})
	}
	c.Needs("exact", "decided")
}

func TestGHSBounds(t *testing.T) {
	c := newChecker(t)
	for n := 1; n <= 4; n++ {
		eachGraph(n, func(topology string) {
			for set := 1; set < 1<<n; set++ {
				for seed := range uint64(20) {
					for _, variant := range []string{"", "leader-only", "min"} {
						for _, delay := range []string{"", "exp(1ms)"} {
							c.run(trial.Setting{Algorithm: "ghs", N: n, Placement: "random", Topology: topology, Initiators: catalogtest.Addresses(set, n), Variant: variant, Delay: delay, Seed: seed})
						}
					}
				}
			}
		})
	}
	for _, n := range []int{20, 50} {
		eachGraph(n, func(topology string) {
			for seed := range uint64(10) {
				c.run(trial.Setting{Algorithm: "ghs", N: n, Placement: "random", Topology: topology, Seed: seed})
				c.run(trial.Setting{Algorithm: "ghs", N: n, Placement: "random", Topology: topology, Initiators: "random:7", Seed: seed, Delay: "exp(1ms)"})
			}
		})
	}
}

func TestAfekGafniBounds(t *testing.T) {
	c := newChecker(t)
	for n := 1; n <= 5; n++ {
		catalogtest.Permutations(n, func(ids string) {
			for set := 1; set < 1<<n; set++ {
				for _, variant := range []string{"", "leader-only", "min"} {
					for _, delay := range []string{"", "exp(1ms)"} {
						c.run(trial.Setting{Algorithm: "afekgafni", IDs: ids, Initiators: catalogtest.Addresses(set, n), Variant: variant, Delay: delay})
					}
				}
			}
		})
	}
	for seed := range uint64(20) {
		c.run(trial.Setting{Algorithm: "afekgafni", N: 60, Placement: "random", Seed: seed})
		c.run(trial.Setting{Algorithm: "afekgafni", N: 60, Placement: "random", Initiators: "random:7", Seed: seed, Unordered: true, Delay: "exp(1ms)"})
	}
	c.Needs("exact", "elected")
}

func TestAfekGafniSyncBounds(t *testing.T) {
	c := newChecker(t)
	for n := 1; n <= 6; n++ {
		catalogtest.Permutations(n, func(ids string) {
			for _, variant := range []string{"", "leader-only", "min"} {
				c.run(trial.Setting{Algorithm: "afekgafnisync", IDs: ids, Variant: variant})
			}
			c.run(trial.Setting{Algorithm: "afekgafnisync", IDs: ids, Delay: "uniform(0,1ms)", Assume: "3ms", Unordered: true})
		})
	}
	for seed := range uint64(20) {
		c.run(trial.Setting{Algorithm: "afekgafnisync", N: 60, Placement: "random", Seed: seed})
		c.run(trial.Setting{Algorithm: "afekgafnisync", N: 33, Placement: "random", Attr: "random:3", Seed: seed, Assume: "2ms"})
	}
	c.Needs("exact", "elected")
}

// Crashes are inside the model where they leave the graph in one piece for certain.
func TestElectionTreeStaysConnected(t *testing.T) {
	for _, c := range []struct {
		setting trial.Setting
		says    string
	}{
		{trial.Setting{Topology: "complete", Fault: "at 1ms crash 2"}, ""},
		{trial.Setting{Topology: "line", Dead: "4"}, ""},
		{trial.Setting{Topology: "biring", Dead: "2"}, ""},
		{trial.Setting{Topology: "line", Dead: "2"}, "the dead cut the graph in two"},
		{trial.Setting{Topology: "biring", Dead: "1,3"}, "the dead cut the graph in two"},
		{trial.Setting{Topology: "biring", Fault: "at 1ms crash 2"}, "a crash may cut the graph in two"},
	} {
		c.setting.Algorithm, c.setting.N, c.setting.Initiators = "electiontree", 5, "0"
		_, err := registry.Instance(c.setting)
		if c.says == "" && err != nil || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%+v: %v; want %q", c.setting, err, c.says)
		}
	}
	e, err := search.Explore(context.Background(), registry, search.Search{
		Setting: trial.Setting{Algorithm: "electiontree", N: 3, Topology: "line", Initiators: "0"},
		Budget:  explore.Budget{Crashes: 1},
	})
	if err != nil || !slices.Contains(e.Outside, "a crash may cut the graph in two") {
		t.Errorf("%v, outside the model: %v", err, e.Outside)
	}
}

// What exploration says of the most that any schedule costs with all the candidates
// there can be, beside what the bound allows: 4 (S+n-1) - 2(n-1).
func TestAfekGafniWorstSchedules(t *testing.T) {
	for _, c := range []struct {
		n             int
		worst, allows float64
	}{{2, 3, 6}, {3, 9, 12}, {4, 15, 22}, {5, 22, 28}} {
		w, err := search.FindWorst(context.Background(), registry, search.Hunt{
			Setting: trial.Setting{Algorithm: "afekgafni", N: c.n, Variant: "leader-only", Initiators: "all"},
			Metric:  "messages", Over: []string{search.OverIDs, search.OverSchedule},
		})
		if err != nil {
			t.Fatal(err)
		}
		if w.Value != c.worst || !w.Proven || w.Limits()[0].Value != c.allows {
			t.Errorf("n=%d: at most %v messages (proven %v), the bounds are %v; want %v and %v", c.n, w.Value, w.Proven, w.Limits(), c.worst, c.allows)
		}
	}
}

// A crash holds all of these up but the election tree: there is no leader, and no
// second one, and the run comes to rest.
func TestCrashOnGraphs(t *testing.T) {
	for _, name := range []string{"echo", "ghs", "afekgafni"} {
		held := 0
		for half := range 12 {
			for dead := range 4 {
				r := under(t, trial.Setting{Algorithm: name, N: 4, Fault: fmt.Sprintf("at %dus crash %d", 500*half, dead)})
				if r.End != netem.Quiescent || families.ElectionOf(r).Leaders > 1 {
					t.Errorf("%s, %d crashes at %d/2: %v, at most %d leaders", name, dead, half, r.End, families.ElectionOf(r).Leaders)
				}
				if r.Outcome == families.NoLeader {
					held++
				}
			}
		}
		if held < 10 {
			t.Errorf("%s: only %d crashes held it up", name, held)
		}
	}
}

// Processes that move out of range, to come back later: links are cut, and heartbeats
// tell. The paper's promise is one leader for each part that is connected, and one for
// all when an election is held after the parts have met.
func TestElectionTreeOutOfRange(t *testing.T) {
	s := trial.Setting{
		Algorithm: "electiontree", N: 5, Initiators: "0", Detector: "heartbeat(1ms,5ms)", Assume: "5ms",
		Fault: "at 1500us partition {0 1 2 | 3 4} for 60ms", Until: "60ms",
	}
	r := traced(t, s)
	for p, want := range []election.Identity{3, 3, 3, 5, 5} {
		if d := families.ElectionOf(r).Decisions[p]; d.Leader != want {
			t.Errorf("apart: process %d follows %d, want %d", p, d.Leader, want)
		}
	}
	s.Fault, s.Until = s.Fault+"; at 100ms start 1", "150ms"
	for p, d := range families.ElectionOf(traced(t, s)).Decisions {
		if d.Leader != 5 {
			t.Errorf("together again: process %d follows %d", p, d.Leader)
		}
	}
}

func traced(t *testing.T, s trial.Setting) *trial.Result {
	t.Helper()
	s.OutsideModel = true
	in, err := registry.Instance(s)
	if err != nil {
		t.Fatal(err)
	}
	return new(trial.Worker).Run(context.Background(), in, func(*trial.Traced) netem.Tracer { return catalogtest.Forgetful{} })
}

// On random placements of many candidates the count stays far below the bound, and
// grows like n lg n.
func TestAfekGafniGrowsLikeNLogN(t *testing.T) {
	var ratios []float64
	for _, n := range []int{64, 256} {
		sum := 0.0
		for seed := range uint64(10) {
			in, err := registry.Instance(trial.Setting{Algorithm: "afekgafni", N: n, Placement: "random", Variant: "leader-only", Delay: "exp(1ms)", Seed: seed})
			if err != nil {
				t.Fatal(err)
			}
			sum += float64(new(trial.Worker).Run(context.Background(), in, nil).Counters.Messages())
		}
		ratios = append(ratios, sum/10/(float64(n)*math.Log2(float64(n))))
	}
	if slices.Max(ratios) > 2.77 || slices.Min(ratios) < 0.3 {
		t.Errorf("messages are %v n lg n", ratios)
	}
}

// looks counts how often a run asks its topology anything.
type looks struct {
	netem.Topology
	count *int
}

func (l looks) Degree(p protocols.ID) int {
	*l.count++
	return l.Topology.Degree(p)
}

func (l looks) Neighbor(p protocols.ID, port int) protocols.ID {
	*l.count++
	return l.Topology.Neighbor(p, port)
}

func (l looks) Port(from, to protocols.ID) (int, bool) {
	*l.count++
	return l.Topology.Port(from, to)
}

// A run asks its topology in proportion to its events and links, with four times as many processes,
// too: no process, check or bound looks at all processes for each message.
func TestRunsAskInProportion(t *testing.T) {
	var w trial.Worker
	for _, s := range []trial.Setting{
		{Algorithm: "echo", Topology: "regular(4)"}, {Algorithm: "electiontree", Topology: "regular(4)", Initiators: "0"},
		{Algorithm: "ghs", Topology: "regular(4)"}, {Algorithm: "floodmax", Topology: "regular(4)"}, {Algorithm: "floodmax", Variant: "opt", Topology: "biring"},
		{Algorithm: "echo", Topology: "star", Initiators: "0"}, {Algorithm: "electiontree", Topology: "star", Initiators: "0"}, {Algorithm: "ghs", Topology: "star"},
	} {
		var each [2]float64
		for i, n := range []int{300, 1200} {
			s.N = n
			in, err := registry.Instance(s)
			if err != nil {
				t.Fatal(err)
			}
			count := 0
			in.Topology = looks{in.Topology, &count}
			r := w.Run(context.Background(), in, nil)
			if !r.Correct || len(r.Bounds) == 0 {
				t.Fatalf("%s of %d: correct %v, %d bounds", s.Algorithm, n, r.Correct, len(r.Bounds))
			}
			each[i] = float64(count) / float64(int(r.Counters.Events)+in.Graph().Links())
		}
		if each[1] > 1.2*each[0]+0.5 {
			t.Errorf("%s on %s: %.1f questions an event or link, and with four times as many processes %.1f", s.Algorithm, s.Topology, each[0], each[1])
		}
	}
}
