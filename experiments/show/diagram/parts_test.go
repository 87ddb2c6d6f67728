package diagram

import (
	"math"
	"slices"
	"testing"

	"bullring/experiments/show/history"
	"bullring/internal/value"
	"bullring/netem"
	"bullring/plots/spacetime"
	"bullring/protocols"
)

// The silences 1, 2 and 4 have the median 2; two events of one instant have one place.
func TestShortened(t *testing.T) {
	first := math.Log2(1.5) + 0.15
	want := []float64{0, first, first, first + 1.15, first + 1.15 + math.Log2(3) + 0.15}
	got := shortened([]float64{10, 11, 11, 13, 17})
	if !slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }) {
		t.Errorf("%v; want %v", got, want)
	}
}

// A half arrow is as long as the median message, else a twelfth of the axis, and has room.
func TestExtend(t *testing.T) {
	for _, c := range []struct {
		length               float64
		flights              []float64
		last                 float64
		wantLength, wantHalf float64
	}{
		{12, nil, -1, 12, 1},
		{12, []float64{5, 3, 4}, -1, 12, 4},
		{10, []float64{4}, 0, 10, 4},
		{10, []float64{4}, 9, 9 + 0.6*4, 4},
		{12, []float64{0}, -1, 12, 1},
		{0, nil, -1, 1, 1},
		{0, nil, 0, 1, 1},
	} {
		a := &axis{length: c.length}
		a.extend(c.flights, c.last)
		if a.length != c.wantLength || a.flight != c.wantHalf {
			t.Errorf("%+v: the axis is %v long, a half arrow %v", c, a.length, a.flight)
		}
	}
}

func TestShortNumber(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 1.23456: "1.235", 999.94: "999.9", 1000: "1000", 1234.4: "1234", 12345.6: "12346"} {
		if got := shortNumber(v); got != want {
			t.Errorf("%v is %s; want %s", v, got, want)
		}
	}
}

// The window has the events 3 and 4. Those before it are at its beginning, those behind at its end.
func TestAt(t *testing.T) {
	m := &maker{view: &view{first: 2, end: 4}, axis: &axis{at: []float64{1, 5}, length: 10}}
	for order, want := range map[int]float64{1: 0, 2: 0, 3: 0.1, 4: 0.5, 5: 1, 6: 1} {
		if got := m.at(order); got != want {
			t.Errorf("event %d is at %v; want %v", order, got, want)
		}
	}
}

func TestLargestDiagram(t *testing.T) {
	m := &maker{view: &view{History: &history.History{}, lanes: make([]protocols.ID, spacetime.MaxLanes)}}
	if err := m.checkSize(make([]message, spacetime.MaxArrows)); err != nil {
		t.Error(err)
	}
	if m.checkSize(make([]message, spacetime.MaxArrows+1)) == nil {
		t.Error("a message too many")
	}
	if m.lanes = append(m.lanes, 0); m.checkSize(nil) == nil {
		t.Error("a lane too many")
	}
}

func TestNote(t *testing.T) {
	e := history.Event{
		Record: netem.Record{What: "timeout", Name: "run", Panics: true, Choices: []int{1, 2}}, Broken: []string{"E1"},
		Changed: []value.Field{{Name: "x", Value: "5"}, {Name: "long", Value: "more than twenty-four letters"}},
	}
	with, without := &maker{view: &view{Options: Options{States: true}}}, &maker{view: &view{}}
	if got := with.note(&e); got != "run, panics, violates E1, chooses 1 2, x=5" {
		t.Error(got)
	}
	if got := without.note(&e); got != "run, panics, violates E1" {
		t.Error(got)
	}
	e.What, e.Name = "start", "no timer"
	if got := with.note(&e); got != "panics, violates E1, chooses 1 2" {
		t.Error(got)
	}
}

// Three signs at one spot give their texts to the last; one of another shade and one of another
// spot keep theirs.
func TestJoinTexts(t *testing.T) {
	here, there := spacetime.Spot{At: 0.5}, spacetime.Spot{At: 0.5, Lane: 1}
	m := &maker{d: &spacetime.Diagram{Signs: []spacetime.Sign{
		{Spot: here, News: "a", Note: "x", Marked: true}, {Spot: here, News: "b", Note: "x"}, {Spot: there, News: "c"}, {Spot: here, Note: "y"},
		{Spot: there, News: "d", Faded: true},
	}}}
	m.joinTexts()
	want := []spacetime.Sign{
		{Spot: here}, {Spot: here}, {Spot: there, News: "c"}, {Spot: here, News: "a, b", Note: "x, y", Marked: true},
		{Spot: there, News: "d", Faded: true},
	}
	for i, s := range m.d.Signs {
		if s != want[i] {
			t.Errorf("sign %d is %+v; want %+v", i, s, want[i])
		}
	}
}
