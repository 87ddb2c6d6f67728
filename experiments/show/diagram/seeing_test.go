package diagram_test

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"bullring/experiments/show/diagram"
	"bullring/experiments/show/history"
	"bullring/experiments/trial"
	"bullring/plots/spacetime"
)

// twoInside is a run in which processes 0 and 1 are in the critical section from 2 to 7 ms.
var twoInside = trial.Setting{Algorithm: "ricartagrawala", N: 3, Initiators: "0,1", Param: "cs=5ms", Fault: "duplicate every REPLY"}

// stays are the stays of a lane in a band, by their times in an axis of so many ms.
func stays(d *spacetime.Diagram, lane int, band string, long float64) (found []spacetime.Stay) {
	for _, s := range d.Lanes[lane].Stays {
		if d.Bands[s.Band].Label == band {
			s.From, s.To, s.Band = s.From*long, s.To*long, 0
			found = append(found, s)
		}
	}
	return found
}

func TestBands(t *testing.T) {
	h := of(t, twoInside)
	d := drawn(t, h, diagram.Options{})
	stay := func(from, to float64, clash bool) spacetime.Stay {
		return spacetime.Stay{Stretch: spacetime.Stretch{From: from, To: to}, Clash: clash}
	}
	for lane, want := range [][]spacetime.Stay{{stay(2, 7, false), stay(2, 7, true)}, {stay(2, 7, false), stay(2, 7, true)}, nil} {
		if got := stays(d, lane, "in the critical section", d.End); !slices.Equal(got, want) {
			t.Errorf("lane %d: %+v; want %+v", lane, got, want)
		}
	}
	if got := stays(d, 0, "waiting", d.End); !slices.Equal(got, []spacetime.Stay{stay(0, 2, false)}) {
		t.Errorf("process 0 waits %+v", got)
	}
	// A window cuts the stays, and lanes that are left out have none.
	only := history.Moment{Timed: true, At: 3e6}
	cut := drawn(t, h, diagram.Options{From: only, To: history.Moment{Timed: true, At: 7e6}})
	if got := stays(cut, 1, "in the critical section", 1); len(got) != 2 || got[0].From != 0 || !got[1].Clash {
		t.Errorf("from 3 ms on: %+v", got)
	}
	if got := stays(cut, 0, "waiting", 1); got != nil {
		t.Errorf("from 3 ms on process 0 waits %+v", got)
	}
}

// A stay that ends with the last event ends there; one that goes on, if only from there, is open.
func TestOpenStays(t *testing.T) {
	for _, c := range []struct {
		setting  trial.Setting
		lane     int
		band     string
		from, to float64
		open     bool
	}{
		{trial.Setting{Algorithm: "centralized", N: 2, Initiators: "1", Param: "cs=5ms"}, 1, "in the critical section", 2, 7, false},
		{trial.Setting{Algorithm: "lcr", N: 8, Placement: "decreasing"}, 0, "leader", 8, 8, true},
	} {
		d := drawn(t, of(t, c.setting), diagram.Options{})
		got := stays(d, c.lane, c.band, d.End)
		if len(got) != 1 || got[0].From != c.from || got[0].To != c.to || got[0].Open != c.open {
			t.Errorf("%s of %s: %+v", c.band, c.setting.Algorithm, got)
		}
	}
}

// The crash of a process is a band, too, to its restart.
func TestDownIsABand(t *testing.T) {
	d := drawn(t, of(t, crashing), diagram.Options{})
	if got := stays(d, 3, trial.Down.Name, 8); len(got) != 1 || got[0].Stretch != (spacetime.Stretch{From: 2, To: 3}) {
		t.Errorf("process 3 is down %+v", got)
	}
	if got := stays(d, 3, "candidate", 8); len(got) < 2 || got[0].To != 2 || got[1].From != 3 {
		t.Errorf("process 3 is a candidate %+v", got)
	}
}

// tikz is the picture of a diagram.
func tikz(t *testing.T, d *spacetime.Diagram) string {
	t.Helper()
	var b bytes.Buffer
	if err := d.TikZ(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Any two kinds of the algorithm that has most, with those of reliable links and a failure
// detector, are drawn differently: in grey, too.
func TestKindsCanBeToldApart(t *testing.T) {
	most := slices.MaxFunc(registry.All(), func(a, b *trial.Algorithm) int { return len(a.Kinds) - len(b.Kinds) })
	d := drawn(t, of(t, trial.Setting{Algorithm: most.Name, N: 4, Transport: "reliable(5ms,3)", Detector: "heartbeat(5ms,20ms)", MaxTime: "30ms"}), diagram.Options{})
	if len(d.Kinds) < len(most.Kinds)+3 || len(most.Kinds) < 8 {
		t.Fatalf("%s has the kinds %q", most.Name, d.Kinds)
	}
	colour := regexp.MustCompile(`b?[0-9A-F]{6}`)
	looks := map[string]int{}
	a := d.Arrows[0]
	a.Label, a.Fate = "", spacetime.Arrived
	for kind := range d.Kinds {
		a.Kind = kind
		alone := &spacetime.Diagram{Lanes: d.Lanes, Bands: d.Bands, Kinds: make([]string, len(d.Kinds)), Arrows: []spacetime.Arrow{a}}
		grey := colour.ReplaceAllString(tikz(t, alone), "grey")
		if other, taken := looks[grey]; taken {
			t.Errorf("%s and %s look alike in grey", d.Kinds[other], d.Kinds[kind])
		}
		looks[grey] = kind
	}
}

// Two in the critical section are strong red, in every format.
func TestClashIsDrawn(t *testing.T) {
	d := drawn(t, of(t, twoInside), diagram.Options{})
	red := func() int { return strings.Count(tikz(t, d), "\\fill[bD55E00]") }
	with := red()
	for i := range d.Lanes {
		d.Lanes[i].Stays = slices.DeleteFunc(d.Lanes[i].Stays, func(s spacetime.Stay) bool { return s.Clash })
	}
	if without := red(); with != without+3 { // and one in the legend
		t.Errorf("%d areas in red, %d without the clash", with, without)
	}
}
