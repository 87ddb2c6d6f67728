package catalog_test

import (
	"context"
	"fmt"
	"reflect"
	"testing"

	"bullring/experiments/campaign/results"
	"bullring/experiments/trial"
	"bullring/protocols"
)

// TestReplicates compares the instances that reuse what a seed does not decide with those
// that are read from nothing, for every algorithm: field by field, and by the rows of their
// runs. Other runs have used the shared parts before.
func TestReplicates(t *testing.T) {
	drawn := 0
	for _, a := range registry.All() {
		text := fmt.Sprintf("name: x\nalgorithms: [%s]\naxes: {n: 4}\n", a.Name)
		s, err := results.ParseSpec(registry, "x.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		layout, err := results.LayoutOf(registry, s)
		if err != nil {
			t.Fatal(err)
		}
		for _, set := range settingsWithChance(a.Name) {
			drawn += compareReplicates(t, results.NewRowWriter(layout), set)
		}
	}
	if drawn < 1000 {
		t.Errorf("only %d instances were compared", drawn)
	}
}

// settingsWithChance are settings in which the seed decides different parts. In the first it
// decides none.
func settingsWithChance(algorithm string) []trial.Setting {
	base := trial.Setting{Algorithm: algorithm, N: 6, OutsideModel: true, MaxEvents: 300}
	all := []trial.Setting{base}
	for _, change := range []func(*trial.Setting){
		func(s *trial.Setting) { s.Placement = "random" },
		func(s *trial.Setting) { s.Attr = "random:3" },
		func(s *trial.Setting) { s.Placement, s.Attr = "random", "3,1,2,6,5,4" },
		func(s *trial.Setting) { s.Initiators = "random:2" },
		func(s *trial.Setting) { s.Dead = "random:2" },
		func(s *trial.Setting) { s.Dead, s.Initiators = "random:2", "random:3" },
		func(s *trial.Setting) { s.Topology, s.Placement = "er(.5)", "random" },
		func(s *trial.Setting) { s.Topology, s.Delay = "torus(2x3)", "exp(1ms)" },
		func(s *trial.Setting) { s.Topology, s.Dead = "complete", "random:1" },
		func(s *trial.Setting) { s.Fault, s.Delay = "random crashes 1 in 0s..3ms", "uniform(0, 2ms)" },
		func(s *trial.Setting) { s.Fault, s.Link = "at 1ms crash 2", "loss 10%; 0->1: delay 3ms 1ms" },
		func(s *trial.Setting) { s.Fault, s.Link = "link 10% of * delay exp(50ms)", "20% of *<->*: loss 10%" },
		func(s *trial.Setting) {
			s.Transport, s.Detector, s.Unordered = "reliable(5ms,2)", "heartbeat(10ms,25ms)", true
		},
		// OutsideModel decides whether an instance of a seed is refused.
		func(s *trial.Setting) { s.Dead, s.Topology, s.OutsideModel = "random:2", "er(0.4)", false },
		func(s *trial.Setting) { s.Fault, s.OutsideModel = "random swarm in 0s..3ms", false },
	} {
		s := base
		change(&s)
		all = append(all, s)
	}
	return all
}

// compareReplicates returns how many instances were equal.
func compareReplicates(t *testing.T, rows *results.RowWriter, set trial.Setting) (equal int) {
	t.Helper()
	again := registry.Replicates(set)
	var worker trial.Worker
	row := func(in *trial.Instance) string {
		return string(rows.Append(nil, &results.Trial{Result: worker.Run(context.Background(), in, nil)}))
	}
	for seed := range uint64(5) {
		set.Seed = seed
		want, wantErr := registry.Instance(set)
		got, gotErr := again.Instance(seed)
		if fmt.Sprint(gotErr) != fmt.Sprint(wantErr) {
			t.Fatalf("%+v: %v, want %v", set, gotErr, wantErr)
		}
		if wantErr != nil {
			continue
		}
		if field := differing(got, want); field != "" {
			t.Fatalf("%+v: the instance differs in %s: %+v, want %+v", set, field, got, want)
		}
		if a, b := row(got), row(want); a != b {
			t.Fatalf("%+v: the row is\n%swant\n%s", set, a, b)
		}
		equal++
	}
	return equal
}

// differing names an exported field of two instances, or a property of their graphs, that
// is not equal.
func differing(a, b *trial.Instance) string {
	x, y := reflect.ValueOf(*a), reflect.ValueOf(*b)
	for _, f := range reflect.VisibleFields(x.Type()) {
		if !f.IsExported() || f.Anonymous || f.Name == "Topology" || f.Name == "Ranks" {
			continue
		}
		if !reflect.DeepEqual(x.FieldByIndex(f.Index).Interface(), y.FieldByIndex(f.Index).Interface()) {
			return f.Name
		}
	}
	if !reflect.DeepEqual(a.Ranks.List(), b.Ranks.List()) {
		return "Ranks"
	}
	links := func(in *trial.Instance) (all []int64) {
		for p := range in.N {
			id := protocols.ID(p)
			for port := range in.Topology.Degree(id) {
				all = append(all, int64(p), int64(in.Topology.Neighbor(id, port)), in.Graph().Weight(id, port))
			}
		}
		return all
	}
	if !reflect.DeepEqual(links(a), links(b)) {
		return "Topology"
	}
	return ""
}
