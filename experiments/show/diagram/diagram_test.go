package diagram_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"bullring/experiments/catalog"
	"bullring/experiments/show/diagram"
	"bullring/experiments/show/history"
	"bullring/experiments/trial"
	"bullring/plots"
	"bullring/plots/spacetime"
	"bullring/protocols/links"
)

// registry is made once: the histories below share it.
var registry = catalog.New()

func of(t rapid.TB, s trial.Setting) *history.History {
	t.Helper()
	s.OutsideModel = true
	in, err := registry.Instance(s)
	if err != nil {
		t.Fatal(err)
	}
	return history.Of(context.Background(), in)
}

func drawn(t rapid.TB, h *history.History, o diagram.Options) *spacetime.Diagram {
	t.Helper()
	d, err := diagram.Of(h, o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// crashing is an election in which the best two of five processes are dead or crash.
var crashing = trial.Setting{Algorithm: "bully", N: 5, Initiators: "0", Dead: "last", Fault: "at 2ms crash 3 for 1ms"}

func TestDiagram(t *testing.T) {
	d := drawn(t, of(t, crashing), diagram.Options{})
	if d.Axis != "time (ms)" || d.Begin != 0 || d.End != 8 || !d.Whole {
		t.Errorf("axis %q from %v to %v, whole is %v", d.Axis, d.Begin, d.End, d.Whole)
	}
	if l := d.Lanes[3]; l.Label != "*p*_{3} (4)" || !slices.Equal(l.Down, []spacetime.Stretch{{From: 2.0 / 8, To: 3.0 / 8}}) {
		t.Errorf("lane %+v", l)
	}
	if l := d.Lanes[4]; !slices.Equal(l.Down, []spacetime.Stretch{{From: 0, To: 1}}) {
		t.Errorf("lane %+v", l)
	}
	first := d.Arrows[0]
	if first.From != (spacetime.Spot{}) || first.To != (spacetime.Spot{At: 1.0 / 8, Lane: 1}) || first.Label != "ELECTION(1)" || first.Fate != spacetime.Arrived {
		t.Errorf("arrow %+v", first)
	}
	news := map[string]int{}
	for _, s := range d.Signs {
		news[s.News]++
	}
	if news["is the leader"] == 0 || news["follows 3"] == 0 {
		t.Errorf("decisions %v", news)
	}
}

// Each event of a run is in its diagram: a step of a process as a sign, what became of a
// message as an arrow, a link that comes or goes as a change, another fault as a period.
func TestEveryEventAppearsProperty(t *testing.T) {
	shapes := map[string]spacetime.Shape{"start": spacetime.Start, "boot": spacetime.Start, "deliver": spacetime.Delivery, "timeout": spacetime.Timeout, "crash": spacetime.Crash, "restart": spacetime.Restart, "linkup": spacetime.Delivery, "linkdown": spacetime.Delivery}
	fates := map[string]spacetime.Fate{"deliver": spacetime.Arrived, "lost": spacetime.Unheard, "damaged": spacetime.Unheard, "lose": spacetime.Vanished, "cut": spacetime.Vanished, "collide": spacetime.Unheard}
	rapid.Check(t, func(t *rapid.T) {
		s := trial.Setting{
			Algorithm: rapid.SampledFrom(registry.Names()).Draw(t, "algorithm"),
			N:         rapid.IntRange(2, 5).Draw(t, "n"), Seed: rapid.Uint64Max(1000).Draw(t, "seed"),
			Fault:     rapid.SampledFrom([]string{"", "at 1ms crash 0 for 3ms", "drop every message with 20%", "at 1ms partition {0 | 1} for 2ms", "drop 2nd message", "at 1ms down 0<->1 for 2ms; at 2ms down *"}).Draw(t, "fault"),
			Delay:     rapid.SampledFrom([]string{"1ms", "uniform(0,3ms)"}).Draw(t, "delay"),
			Link:      rapid.SampledFrom([]string{"", "loss 10% duplicate 10%"}).Draw(t, "link"),
			Transport: rapid.SampledFrom([]string{"", "", "reliable(2ms,3)"}).Draw(t, "transport"),
			MaxTime:   "60ms", Assume: "5ms",
		}
		s.OutsideModel = true
		in, err := registry.Instance(s)
		if err != nil {
			t.Skip(err) // such as a network that the algorithm cannot run on
		}
		h := history.Of(context.Background(), in)
		d, err := diagram.Of(h, diagram.Options{Axis: diagram.Steps})
		if large, ok := errors.AsType[*diagram.TooLargeError](err); ok {
			if large.Messages <= spacetime.MaxArrows {
				t.Fatal(large)
			}
			return
		} else if err != nil {
			t.Fatal(err)
		}
		signs, arrows := map[spacetime.Spot][]spacetime.Shape{}, map[spacetime.Spot][]spacetime.Fate{}
		for _, x := range d.Signs {
			signs[x.Spot] = append(signs[x.Spot], x.Shape)
		}
		for _, a := range d.Arrows {
			arrows[a.To] = append(arrows[a.To], a.Fate)
		}
		under, changes := 0, 0
		for i := range h.Events {
			e := &h.Events[i]
			spot := spacetime.Spot{At: min(1, (float64(i+1)-d.Begin)/(d.End-d.Begin)), Lane: int(e.Who)}
			near := func(q spacetime.Spot) bool { return q.Lane == spot.Lane && q.At > spot.At-1e-9 && q.At < spot.At+1e-9 }
			if shape, ok := shapes[e.What]; ok && !anyNear(signs, near, shape) {
				t.Errorf("no sign %v of event %d (%s) at %+v", shape, i+1, e.What, spot)
			}
			if fate, ok := fates[e.What]; ok && fate != spacetime.Vanished && !anyNear(arrows, near, fate) {
				t.Errorf("no arrow %v of event %d (%s) at %+v", fate, i+1, e.What, spot)
			}
			under += len(e.Sent)
			if c := e.Change; c != nil {
				want := spacetime.Change{At: spot.At, A: int(c.A), B: int(c.B), Up: c.Up}
				if changes == len(d.Changes) || d.Changes[changes] != want {
					t.Errorf("no change %+v of event %d", want, i+1)
				}
				changes++
			}
		}
		if changes != len(d.Changes) {
			t.Errorf("%d changes of %d", len(d.Changes), changes)
		}
		if spans := h.Spans(); len(d.Periods) != len(spans) {
			t.Errorf("%d periods of %d faults", len(d.Periods), len(spans))
		}
		if c := h.Result.Counters; len(d.Arrows) < under && c.Duplicated == 0 {
			t.Errorf("%d arrows of %d messages", len(d.Arrows), under)
		}
	})
}

// anyNear reports whether something of that kind is at a spot near enough.
func anyNear[T comparable](all map[spacetime.Spot][]T, near func(spacetime.Spot) bool, what T) bool {
	for spot, kinds := range all {
		if near(spot) && slices.Contains(kinds, what) {
			return true
		}
	}
	return false
}

// The axis of gaps keeps the order of the events and shortens the longest silence.
func TestAxes(t *testing.T) {
	h := of(t, trial.Setting{Algorithm: "raft", N: 3})
	first := func(o diagram.Options) (d *spacetime.Diagram, timeout float64) {
		d = drawn(t, h, o)
		i := slices.IndexFunc(d.Signs, func(s spacetime.Sign) bool { return s.Shape == spacetime.Timeout })
		return d, d.Signs[i].At
	}
	_, time := first(diagram.Options{})
	gaps, shortened := first(diagram.Options{Axis: diagram.Gaps})
	_, steps := first(diagram.Options{Axis: diagram.Steps})
	if !(time > 0.7 && shortened < 0.6 && steps < 0.4) {
		t.Errorf("the first timeout is at %v of the time, %v with short gaps, %v of the steps", time, shortened, steps)
	}
	if gaps.Axis != "time (ms), silences shortened" || len(gaps.Ticks) < 3 || gaps.Ticks[0].Label != "0" {
		t.Errorf("axis %q with ticks %v", gaps.Axis, gaps.Ticks)
	}
	if _, err := diagram.Of(h, diagram.Options{Axis: "log"}); err == nil || err.Error() != `axis "log"; allowed are time, gaps and steps` {
		t.Error(err)
	}
}

// Events that bullring why leaves out are pale.
func TestWhy(t *testing.T) {
	h := of(t, trial.Setting{Algorithm: "bully", N: 4, Fault: "at 1ms partition {0 1 | 2 3}"})
	slice := h.Slice()
	d := drawn(t, h, diagram.Options{Axis: diagram.Steps, Why: true})
	marked := 0
	for _, s := range d.Signs {
		order := int(s.At*(d.End-d.Begin)+d.Begin+0.5) - 1
		if s.Faded == slice[order] {
			t.Errorf("the sign of event %d: pale is %v", order+1, s.Faded)
		}
		if s.Marked {
			marked++
		}
	}
	// A dark arrow leads from one of these events to another. COORDINATOR(2), which the verdict
	// is about, arrives too late to be one.
	var dark []string
	pale := 0
	for _, a := range d.Arrows {
		if a.Faded {
			pale++
			continue
		}
		dark = append(dark, fmt.Sprintf("%d->%d %s", a.From.Lane, a.To.Lane, a.Label))
	}
	slices.Sort(dark)
	want := []string{
		"0->1 ELECTION(1)", "0->2 ELECTION(1)", "0->3 ELECTION(1)", "1->2 ELECTION(2)", "1->3 ELECTION(2)", "3->0 COORDINATOR(4)", "3->1 COORDINATOR(4)",
	}
	if !slices.Equal(dark, want) || pale != 5 {
		t.Errorf("%d arrows are pale, and dark are %q; want 5 and %q", pale, dark, want)
	}
	if marked != 1 || !strings.HasPrefix(h.What, "E1 is violated") {
		t.Errorf("%d marks; %s", marked, h.What)
	}
}

// An explanation can mark other events than the past.
func TestBecause(t *testing.T) {
	h := of(t, trial.Setting{Algorithm: "bully", N: 4, Fault: "at 1ms partition {0 1 | 2 3}"})
	because := make([]bool, len(h.Events))
	because[len(because)-1] = true
	d := drawn(t, h, diagram.Options{Axis: diagram.Steps, Why: true, Because: because})
	for _, s := range d.Signs {
		order := int(s.At*(d.End-d.Begin)+d.Begin+0.5) - 1
		if s.Faded == because[order] {
			t.Errorf("the sign of event %d: pale is %v", order+1, s.Faded)
		}
	}
}

func TestCuts(t *testing.T) {
	h := of(t, crashing)
	processes, err := links.ParseAddresses("0 2")
	if err != nil {
		t.Fatal(err)
	}
	d := drawn(t, h, diagram.Options{
		From: history.Moment{Timed: true, At: 1_000_000}, To: history.Moment{Timed: true, At: 3_500_000},
		Processes: &processes, Kinds: []string{"ELECTION", "COORDINATOR"},
	})
	if len(d.Lanes) != 2 || d.Lanes[1].Label != "*p*_{2} (3)" || d.Begin != 1 {
		t.Errorf("lanes %v from %v", d.Lanes, d.Begin)
	}
	fates := map[spacetime.Fate]int{}
	for _, a := range d.Arrows {
		fates[a.Fate]++
		if d.Kinds[a.Kind] == "ANSWER" {
			t.Errorf("arrow %+v", a)
		}
	}
	// ELECTION from 0 to 2 was sent at 0, and COORDINATOR from 2 to 0 arrives at 4ms.
	if fates[spacetime.Entering] != 1 || fates[spacetime.Underway] != 1 || len(d.Arrows) != 2 {
		t.Errorf("fates %v", fates)
	}
	for _, bad := range []struct {
		options diagram.Options
		want    string
	}{
		{diagram.Options{From: history.Moment{Event: 999}}, "no event is left: the run has"},
		{diagram.Options{Kinds: []string{"VOTE"}}, `kind "VOTE": the run has ELECTION, ANSWER, COORDINATOR`},
	} {
		if _, err := diagram.Of(h, bad.options); err == nil || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("error %v; want %q", err, bad.want)
		}
	}
}

// Links that come and go are there at their times, also after the last step, if the lanes of both ends are
// shown. So many of them that none can be read are refused.
func TestChanges(t *testing.T) {
	moving := trial.Setting{Algorithm: "echo", N: 4, Topology: "complete", Fault: "at 500us down 0<->1; at 1500us down 2<->*; at 20ms up 0<->2"}
	h := of(t, moving)
	for processes, want := range map[string]string{
		"":      "[{0.025 0 1 false false} {0.075 0 2 false false} {0.075 1 2 false false} {0.075 2 3 false false} {1 0 2 true false}]",
		"0 2 3": "[{0.075 0 1 false false} {0.075 1 2 false false} {1 0 1 true false}]",
	} {
		o := diagram.Options{}
		if processes != "" {
			set, _ := links.ParseAddresses(processes)
			o.Processes = &set
		}
		d := drawn(t, h, o)
		for i := range d.Changes {
			d.Changes[i].At = math.Round(d.Changes[i].At*1000) / 1000
		}
		if got := fmt.Sprint(d.Changes); got != want || len(d.Periods) != 0 {
			t.Errorf("processes %q: changes %s and %d periods, want %s", processes, got, len(d.Periods), want)
		}
	}
	if d := drawn(t, h, diagram.Options{Why: true}); !d.Changes[4].Faded || d.Changes[0].Faded {
		t.Errorf("of the explanation, changes are %v", d.Changes)
	}
	moving.Algorithm, moving.N, moving.Initiators, moving.Fault = "floodmax", 24, "", "at 1ms down *; at 2ms up *"
	_, err := diagram.Of(of(t, moving), diagram.Options{From: history.Moment{Timed: true, At: 1_000_000}})
	if large, ok := errors.AsType[*diagram.TooLargeError](err); !ok || large.Changes != 24*23 || large.Error() != "the diagram would have 552 links that come or go; up to 400 can be read on a page" {
		t.Errorf("of 552 changes: %v", err)
	}
}

func TestTooLarge(t *testing.T) {
	h := of(t, trial.Setting{Algorithm: "bully", N: 40})
	_, err := diagram.Of(h, diagram.Options{})
	large, ok := errors.AsType[*diagram.TooLargeError](err)
	if !ok || large.Lanes != 40 || large.Messages != 1599 {
		t.Fatal(err)
	}
	f, err := diagram.Raster(h, diagram.Options{})
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, row := range cells(f).Values {
		for _, v := range row {
			sum += v
		}
	}
	if len(cells(f).Values) != 40 || int(sum) != len(h.Events) {
		t.Errorf("%d rows with %v events; the run has %d", len(cells(f).Values), sum, len(h.Events))
	}
}

// cells returns the heat map of a raster.
func cells(f *plots.Figure) *plots.HeatMap { return f.Marks[0].(*plots.HeatMap) }

// A short run has a column of a raster for each event, and no whole numbers along an axis of
// 1.5 ms a message.
func TestRasterOfAShortRun(t *testing.T) {
	h := of(t, trial.Setting{Algorithm: "lcr", N: 3, Delay: "1500us"})
	f, err := diagram.Raster(h, diagram.Options{Axis: diagram.Steps})
	if err != nil {
		t.Fatal(err)
	}
	for i := range h.Events {
		sum := 0.0
		for _, row := range cells(f).Values {
			sum += row[i]
		}
		if x := cells(f).X.Values[i]; sum != 1 || x < float64(i)+0.999 || x > float64(i)+1.001 {
			t.Errorf("column %d at %v has %v events", i, x, sum)
		}
	}
	if d := drawn(t, h, diagram.Options{}); d.Whole || len(cells(f).X.Values) != len(h.Events) {
		t.Errorf("whole numbers: %v; %d columns of %d events", d.Whole, len(cells(f).X.Values), len(h.Events))
	}
}

// Many processes share the rows of a raster.
func TestRasterOfManyProcesses(t *testing.T) {
	f, err := diagram.Raster(of(t, trial.Setting{Algorithm: "lcr", N: 1000}), diagram.Options{Axis: diagram.Steps})
	if err != nil {
		t.Fatal(err)
	}
	if rows := cells(f).Y.Values; len(rows) != 334 || rows[1] != 3 {
		t.Errorf("%d rows, the second from process %v", len(rows), rows[1])
	}
}

// Copies of a message that arrive together share an arrow, which says so.
func TestDuplicates(t *testing.T) {
	h := of(t, trial.Setting{Algorithm: "lcr", N: 3, Fault: "duplicate 1st message"})
	count := func(o diagram.Options) (n int) {
		for _, a := range drawn(t, h, o).Arrows {
			if strings.HasPrefix(a.Label, "2 × ") {
				n++
			}
		}
		return n
	}
	if count(diagram.Options{}) != 1 || count(diagram.Options{Axis: diagram.Steps}) != 0 {
		t.Errorf("%d doubled arrows, and %d at steps", count(diagram.Options{}), count(diagram.Options{Axis: diagram.Steps}))
	}
}

func BenchmarkDiagram(b *testing.B) {
	in, err := registry.Instance(trial.Setting{Algorithm: "ghs", N: 12})
	if err != nil {
		b.Fatal(err)
	}
	h := history.Of(b.Context(), in)
	for b.Loop() {
		if _, err := diagram.Of(h, diagram.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
