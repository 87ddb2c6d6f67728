package page_test

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"

	"bullring/experiments/show/history"
	"bullring/experiments/show/page"
	"bullring/experiments/trial"
)

// long is a run of eight events with a span of each kind. Process 1 crashes in event 3 and is back
// from event 5 on.
func long() page.Data {
	d := page.Data{
		N: 2, Targets: []int{2, 4, 6}, Slice: []int{1, 3, 4, 6, 7},
		Checks: []page.Check{{Name: "A", Broke: 2}, {Name: "B", Broke: 3}, {Name: "C", Broke: 6}, {Name: "D", Broke: 7}, {Name: "E"}},
		Spans: []page.Span{
			{Text: "before", From: 1, To: 2}, {Text: "up to the first", From: 1, To: 3}, {Text: "around", From: 2, To: 7}, {Text: "to the end", From: 2},
			{Text: "inside", From: 4, To: 5}, {Text: "once", From: 3, To: 3}, {Text: "from the last", From: 6, To: 8}, {Text: "behind", From: 7, To: 8},
			{Text: "ends with it", From: 5, To: 6},
		},
		Bands: []page.Band{
			{Name: "waits", On: [][3]int{{0, 1, 4}, {1, 2, 2}, {1, 5, 7}}, Clashes: [][2]int{{1, 4}, {7, 8}}},
			{Name: "leads", On: [][3]int{{0, 4, 0}}, Clashes: [][2]int{{6, 0}}},
			{Name: "is over", On: [][3]int{{0, 1, 2}}, Clashes: [][2]int{{1, 2}}},
		},
		Events: []page.Event{
			{What: "start", Process: 0, Changed: map[string]string{"x": "1", "y": "1"}},
			{What: "start", Process: 1, News: "leads", Changed: map[string]string{"x": "9"}},
			{What: "crash", Process: 1, After: []int{2}},
			{What: "timeout", Process: 0, After: []int{1}, News: "follows 1", Changed: map[string]string{"x": "2"}},
			{What: "restart", Process: 1, After: []int{3}, Changed: map[string]string{"x": "0"}},
			{What: "deliver", Process: 1, After: []int{5, 4}},
			{What: "lost", Process: 1, After: []int{4}, News: "of no process"},
			{What: "fault", Process: -1},
		},
	}
	for i := range d.Events {
		d.Events[i].Time = int64(10 * i)
	}
	return d
}

// A part has the corners between which processes are in it, and no other.
func TestGroundOfAPart(t *testing.T) {
	whole := long()
	whole.Ground = &page.Ground{Range: 5, Paths: [][][3]float64{{{0, 1, 1}, {15, 2, 1}, {30, 2, 2}, {45, 3, 3}, {60, 4, 4}, {70, 5, 5}}, {{0, 7, 7}, {70, 8, 8}}, {{0, 9, 9}}}}
	d, err := whole.Part(history.Moment{Event: 3}, history.Moment{Event: 6})
	if err != nil {
		t.Fatal(err)
	}
	want := [][][3]float64{{{15, 2, 1}, {30, 2, 2}, {45, 3, 3}, {60, 4, 4}}, {{0, 7, 7}, {70, 8, 8}}, {{0, 9, 9}}}
	if d.Ground.Range != 5 || !reflect.DeepEqual(d.Ground.Paths, want) || len(whole.Ground.Paths[0]) != 6 {
		t.Errorf("from 20 to 50 the corners are %v; want %v", d.Ground.Paths, want)
	}
}

// Events 3 to 6 of eight: the rest of each span, causes, checks and targets is numbered anew.
func TestNumbersOfAPart(t *testing.T) {
	whole := long()
	for _, c := range []struct{ from, to history.Moment }{
		{history.Moment{Event: 3}, history.Moment{Event: 6}},
		{history.Moment{Timed: true, At: 20}, history.Moment{Timed: true, At: 50}},
	} {
		d, err := whole.Part(c.from, c.to)
		if err != nil {
			t.Fatal(err)
		}
		if *d.Cut != (page.Cut{From: 3, Of: 8}) || !slices.Equal(d.Targets, []int{2, 4}) || !slices.Equal(d.Slice, []int{1, 2, 4}) {
			t.Errorf("the part %+v has the targets %v and the slice %v", *d.Cut, d.Targets, d.Slice)
		}
		var broke []int
		for _, check := range d.Checks {
			broke = append(broke, check.Broke)
		}
		if !slices.Equal(broke, []int{0, 1, 4, 0, 0}) {
			t.Errorf("the checks break at %v", broke)
		}
		want := []page.Span{
			{Text: "up to the first", From: 1, To: 1}, {Text: "around", From: 1}, {Text: "to the end", From: 1},
			{Text: "inside", From: 2, To: 3}, {Text: "once", From: 1, To: 1}, {Text: "from the last", From: 4}, {Text: "ends with it", From: 3, To: 4},
		}
		if !slices.Equal(d.Spans, want) {
			t.Errorf("the spans are %+v; want %+v", d.Spans, want)
		}
		bands := []page.Band{{Name: "waits", On: [][3]int{{0, 1, 2}, {1, 3, 0}}, Clashes: [][2]int{{1, 2}}}, {Name: "leads", On: [][3]int{{0, 2, 0}}, Clashes: [][2]int{{4, 0}}}}
		if !reflect.DeepEqual(d.Bands, bands) {
			t.Errorf("the bands are %+v; want %+v", d.Bands, bands)
		}
		var after [][]int
		for _, e := range d.Events {
			after = append(after, e.After)
		}
		if !slices.EqualFunc(after, [][]int{nil, nil, {1}, {3, 2}}, slices.Equal) {
			t.Errorf("the causes are %v", after)
		}
	}
	if whole.Spans[2] != (page.Span{Text: "around", From: 2, To: 7}) || whole.Checks[2].Broke != 6 || !slices.Equal(whole.Events[5].After, []int{5, 4}) {
		t.Error("the part has changed the whole")
	}
}

// A part from the beginning keeps the branch of the run; another part has none.
func TestBranchOfAPart(t *testing.T) {
	whole := long()
	whole.Branch.Timers = "timers free"
	for first, want := range map[int]string{1: "", 2: "the page does not have the beginning of the run"} {
		if d, err := whole.Part(history.Moment{Event: first}, history.Moment{Event: 4}); err != nil || d.Branch.Refused != want || (d.Branch.Timers == "") != (want != "") {
			t.Errorf("from event %d: %v, %+v", first, err, d.Branch)
		}
	}
}

// Before a part each process has its last fields and decision; a restart ends the crash and the
// decision. It is the same for a part of a part.
func TestBeforeAPart(t *testing.T) {
	zero := page.Before{Process: 0, News: "follows 1", Fields: map[string]string{"x": "2", "y": "1"}}
	for _, c := range []struct {
		first int
		want  []page.Before
	}{
		{2, []page.Before{{Process: 0, Fields: map[string]string{"x": "1", "y": "1"}}}},
		{4, []page.Before{{Process: 0, Fields: map[string]string{"x": "1", "y": "1"}}, {Process: 1, Down: true, News: "leads", Fields: map[string]string{"x": "9"}}}},
		{5, []page.Before{zero, {Process: 1, Down: true, News: "leads", Fields: map[string]string{"x": "9"}}}},
		{6, []page.Before{zero, {Process: 1, Fields: map[string]string{"x": "0"}}}},
		{8, []page.Before{zero, {Process: 1, Fields: map[string]string{"x": "0"}}}},
	} {
		for _, way := range [][]int{{c.first}, {2, c.first - 1}} {
			if way[len(way)-1] < 2 {
				continue
			}
			d := long()
			for _, first := range way {
				var err error
				if d, err = d.Part(history.Moment{Event: first}, history.Moment{}); err != nil {
					t.Fatal(err)
				}
			}
			same := func(a, b page.Before) bool {
				return a.Process == b.Process && a.Down == b.Down && a.News == b.News && maps.Equal(a.Fields, b.Fields)
			}
			if *d.Cut != (page.Cut{From: c.first, Of: 8}) || !slices.EqualFunc(d.Before, c.want, same) {
				t.Errorf("from event %d, by %v: %+v, before it %+v; want %+v", c.first, way, *d.Cut, d.Before, c.want)
			}
		}
	}
}

// The messages of a run are those of its algorithm: LCR on two processes in order sends 3 PROBEs,
// and its reliable links as many ACKs, which are counted apart.
func TestMessagesOfTheAlgorithm(t *testing.T) {
	s := trial.Setting{Algorithm: "lcr", N: 2}
	plain := dataOf(t, s)
	s.Transport, s.MaxTime = "reliable(5ms,3)", "100ms"
	reliable := dataOf(t, s)
	if plain.Messages != 3 || reliable.Messages != 3 {
		t.Errorf("%d messages, %d over reliable links; want 3", plain.Messages, reliable.Messages)
	}
	sent := map[string]int{}
	for _, e := range reliable.Events {
		for _, m := range e.Sent {
			sent[reliable.Kinds[m.Kind]]++
		}
	}
	var apart []string
	for _, kind := range reliable.Apart {
		apart = append(apart, reliable.Kinds[kind])
	}
	if !maps.Equal(sent, map[string]int{"PROBE": 3, "ACK": 3}) || !slices.Equal(apart, []string{"ACK", "RETRY"}) {
		t.Errorf("sent are %v, apart from them %v", sent, apart)
	}
}

// A part knows which links are not there before its first event.
func TestLinksBeforeAPart(t *testing.T) {
	d := dataOf(t, settings["moving links"])
	d.Gone = [][2]int{{0, 3}}
	var got []string
	for i := range d.Events {
		if d.Events[i].Link == nil || i+2 > len(d.Events) {
			continue
		}
		part, err := d.Part(history.Moment{Event: i + 2}, history.Moment{})
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprint(part.Gone))
	}
	if want := []string{"[[0 3] [0 1]]", "[[0 3]]", "[[0 3] [1 2]]", "[[0 3] [1 2] [2 3]]"}; !slices.Equal(got, want) {
		t.Errorf("after the changes are gone %v, want %v", got, want)
	}
}
