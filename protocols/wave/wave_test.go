package wave_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"bullring/des"
	"bullring/internal/golden"
	"bullring/netem"
	"bullring/netem/graph"
	"bullring/protocols"
	"bullring/protocols/wave"
	"bullring/protocols/wave/awerbuch"
	"bullring/protocols/wave/cidon"
	"bullring/protocols/wave/dfs"
	"bullring/protocols/wave/finn"
	"bullring/protocols/wave/phase"
	"bullring/protocols/wave/tarry"
	"bullring/protocols/wave/tree"
)

// A set is what a list of addresses is: with an address more, joined with another one, and behind JSON.
func TestSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := rapid.SliceOfN(rapid.IntRange(0, 40), 0, 20)
		of := func(list []int) (s wave.Set) {
			for _, p := range list {
				s = s.With(protocols.ID(p))
			}
			return s
		}
		a, b := draw.Draw(t, "a"), draw.Draw(t, "b")
		both := slices.Compact(slices.Sorted(slices.Values(slices.Concat(a, b))))
		union, before := of(a).And(of(b)), of(a)
		if union != of(both) || union != of(b).And(of(a)) || of(a) != before || union.Len() != len(both) {
			t.Fatalf("%v and %v are %v", of(a), of(b), union)
		}
		for p := range protocols.ID(50) {
			if union.Has(p) != slices.Contains(both, int(p)) {
				t.Fatalf("%v has %v: %v", union, p, union.Has(p))
			}
		}
		lacks := wave.Nobody
		for p := 29; p >= 0; p-- {
			if !slices.Contains(both, p) {
				lacks = protocols.ID(p)
			}
		}
		if union.Lacks(30) != lacks {
			t.Fatalf("of 30, %v lacks %v; want %v", union, union.Lacks(30), lacks)
		}
		text, err := json.Marshal(union)
		var back wave.Set
		if err != nil || json.Unmarshal(text, &back) != nil || back != union {
			t.Fatalf("%v became %v by way of %s: %v", union, back, text, err)
		}
	})
	for list, want := range map[[4]protocols.ID]string{{0, 0, 0, 0}: "{0}", {8, 1, 0, 9}: "{0,1,8,9}", {3, 4, 5, 20}: "{3-5,20}"} {
		set := wave.Set("").With(list[0]).With(list[1]).With(list[2]).With(list[3])
		if set.String() != want {
			t.Errorf("%v prints %v", list, set)
		}
	}
	if wave.Set("").String() != "{}" {
		t.Error(wave.Set(""))
	}
}

// diamond is four processes, two of them, 0 and 3, without a link; 1 and 2 have one.
func diamond(t *testing.T) *graph.Graph {
	g, err := graph.New("diamond", 4, []graph.Edge{{From: 0, To: 1}, {From: 0, To: 2}, {From: 1, To: 2}, {From: 1, To: 3}, {From: 2, To: 3}}, false, false)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// traced runs processes with a constant delay, and compares what happens with a golden file. The wave of the
// diamond begins at process 0, that of a line at all.
func traced[M protocols.Message](t *testing.T, name string, on netem.Topology, initiators []protocols.ID, delay des.Distribution, made func(protocols.ID) wave.Process[M]) {
	t.Helper()
	processes := make([]*wave.Witness[M], on.Len())
	net := netem.New(netem.Config{Topology: on, Delay: delay, FIFO: true, Seed: 1}, func(p protocols.ID) protocols.Process[wave.Dated[M]] {
		processes[p] = wave.NewWitness(made(p), on.Len())
		return processes[p]
	})
	var trace bytes.Buffer
	net.Trace(netem.TextTrace(&trace, func(p protocols.ID) string { return processes[p].State().String() }))
	for _, p := range initiators {
		net.StartAt(p, 0)
	}
	if end := net.Run(t.Context()); end != netem.Quiescent {
		t.Fatal(end)
	}
	golden.Check(t, name+".txt", trace.Bytes())
}

func TestTraces(t *testing.T) {
	on, first, unit := diamond(t), []protocols.ID{0}, des.Constant(time.Millisecond)
	from := make([][]protocols.ID, 4)
	for p := range protocols.ID(4) {
		for port := range on.Degree(p) {
			from[p] = append(from[p], on.Neighbor(p, port))
		}
	}
	line, err := netem.ParseTopology("line", 4, 1)
	if err != nil {
		t.Fatal(err)
	}
	traced(t, "tree", line, []protocols.ID{0, 1, 2, 3}, unit, func(protocols.ID) wave.Process[tree.Message] { return tree.New() })
	traced(t, "phase", on, first, unit, func(p protocols.ID) wave.Process[phase.Message] {
		return phase.New(phase.Config{Phases: 2, From: from[p]})
	})
	traced(t, "finn", on, first, unit, func(p protocols.ID) wave.Process[finn.Sets] { return finn.New(from[p]) })
	traced(t, "tarry", on, first, unit, func(protocols.ID) wave.Process[tarry.Message] { return tarry.New(false) })
	traced(t, "dfs", on, first, unit, func(protocols.ID) wave.Process[dfs.Message] { return dfs.New(false) })
	traced(t, "awerbuch", on, first, unit, func(protocols.ID) wave.Process[awerbuch.Message] { return awerbuch.New(false) })
	// The delays are drawn: a token goes to a process that has been visited.
	traced(t, "cidon", netem.Complete(4), first, des.Uniform(0, 2*time.Millisecond), func(protocols.ID) wave.Process[cidon.Message] { return cidon.New(false) })
}
