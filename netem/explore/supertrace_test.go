package explore

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"
)

// In a table that is almost empty a search by bits finds all states, and the same run that a
// search with all hashes finds. It never finds more, and never calls that all.
func TestSupertraceFindsStates(t *testing.T) {
	system := func() *System[toyMessage] {
		return toySystem(3, Network{FIFO: true, Bound: 1, Step: time.Millisecond, Budget: Budget{Crashes: 1}}, 0)
	}
	exact := mustExplore(t, system(), Options{Strategy: DepthFirst})
	for _, table := range []struct {
		bytes uint64
		all   bool
	}{{1 << 20, true}, {exact.States, false}, {exact.States / 16, false}} {
		sp := newSpace(system())
		r := supertrace(context.Background(), sp, Options{Strategy: DepthFirst, MaxMemory: DefaultMemory}, newBitTable(table.bytes))
		if r.Complete || r.Stopped != errBitstate || (r.States == exact.States) != table.all || r.States > exact.States {
			t.Errorf("%d bytes: %d states of %d, complete %v, stopped by %v", table.bytes, r.States, exact.States, r.Complete, r.Stopped)
		}
		if table.all && (r.Transitions != exact.Transitions || r.Rests != exact.Rests || r.Depth != exact.Depth) {
			t.Errorf("%+v, want as %+v", r, exact)
		}
	}
	wrong := func() *System[count] { return counting(3, 9, countWatch{want: 9, never: 2}, Network{}) }
	plain := mustExplore(t, wrong(), Options{Strategy: DepthFirst})
	r := mustExplore(t, wrong(), Options{Strategy: DepthFirst, Supertrace: true, MaxMemory: 1 << 20})
	if r.Counterexample == nil || !reflect.DeepEqual(r.Counterexample, plain.Counterexample) {
		t.Errorf("%+v, want %+v", r.Counterexample, plain.Counterexample)
	}
	if _, err := Explore(context.Background(), wrong(), Options{Supertrace: true}); err == nil {
		t.Error("breadth-first by bits is possible")
	}
}

// The estimate of the missed states is about the number that is missed: of random hashes in
// a table that fills up.
func TestMissedIsAboutWhatIsMissed(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	table, missed := newBitTable(1<<14), 0
	for range 60_000 {
		if h := (hash{random.Uint64(), random.Uint64()}); table.has(h) {
			missed++
		} else if table.add(h); !table.has(h) {
			t.Fatalf("%x was added and is not there", h)
		}
	}
	if math.Abs(table.missed/float64(missed)-1) > 0.05 || missed < 1000 {
		t.Errorf("%d hashes were missed; the estimate is %.0f", missed, table.missed)
	}
}
