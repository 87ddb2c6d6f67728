package history_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"bullring/experiments/show/history"
	"bullring/experiments/trial"
)

// stretch prints a stretch by its times.
func stretch(h *history.History, s history.Stretch) string {
	to := "the end"
	if s.To > 0 {
		to = h.Events[s.To-1].At.String()
	}
	return fmt.Sprintf("%v to %s", h.Events[s.From-1].At, to)
}

// banded prints the bands of a run.
func banded(t *testing.T, s trial.Setting) string {
	t.Helper()
	h := of(t, s)
	var lines []string
	for _, b := range h.Bands {
		for _, stay := range b.Stays {
			lines = append(lines, fmt.Sprintf("%d %s %s", stay.Process, b.Name, stretch(h, stay.Stretch)))
		}
		for _, c := range b.Clashes {
			lines = append(lines, fmt.Sprintf("two %s %s", b.Name, stretch(h, c)))
		}
	}
	return strings.Join(lines, "; ")
}

func TestBands(t *testing.T) {
	for _, c := range []struct {
		name    string
		setting trial.Setting
		want    string
	}{
		{"the critical section", trial.Setting{Algorithm: "centralized", N: 2, Initiators: "1", Param: "cs=5ms"}, "1 in the critical section 2ms to 7ms; 1 waiting 0s to 2ms"},
		{"one that takes no time is not seen", trial.Setting{Algorithm: "centralized", N: 2, Initiators: "1"}, "1 in the critical section 2ms to 2ms; 1 waiting 0s to 2ms"},
		{"a crash inside, and another time", trial.Setting{Algorithm: "centralized", N: 2, Initiators: "1", Param: "cs=5ms", Fault: "at 3ms crash 1 for 2ms"},
			"1 in the critical section 2ms to 3ms; 1 waiting 0s to 2ms; 1 down 3ms to 5ms"},
		{"dead from the start", trial.Setting{Algorithm: "bully", N: 3, Initiators: "0", Dead: "last"},
			"0 candidate 0s to 2ms; 1 candidate 1ms to 3ms; 1 leader 3ms to the end; 2 down 0s to the end"},
		{"two leaders, which is no clash", trial.Setting{Algorithm: "bully", N: 2, Initiators: "0", Fault: "omit receives of 0"},
			"0 candidate 0s to 2ms; 0 leader 2ms to the end; 1 leader 1ms to the end"},
		{"decisions", trial.Setting{Algorithm: "floodset", N: 2, Fault: "at 10ms crash 1"}, "0 decided 2ms to the end; 1 decided 2ms to 10ms; 1 down 10ms to the end"},
		{"two inside", trial.Setting{Algorithm: "ricartagrawala", N: 3, Initiators: "0,1", Param: "cs=5ms", Fault: "duplicate every REPLY"},
			"0 in the critical section 2ms to 7ms; 1 in the critical section 2ms to 7ms; two in the critical section 2ms to 7ms; 0 waiting 0s to 2ms; 1 waiting 0s to 2ms"},
	} {
		if got := banded(t, c.setting); got != c.want {
			t.Errorf("%s:\n\t%s\nwant\n\t%s", c.name, got, c.want)
		}
	}
}

// The process of an event is in the band that the fields of its state say. The explanation of a
// run has bands, too, and they change no run.
func TestBandsAgreeWithStates(t *testing.T) {
	s := trial.Setting{Algorithm: "maekawa", N: 5, Param: "cs=2ms,requests=3", Delay: "uniform(0,3ms)", Seed: 4, Fault: "at 20ms crash 2 for 10ms"}
	h := withStates(t, s)
	in := map[[2]int]string{} // by process and event
	for _, b := range h.Bands {
		for _, stay := range b.Stays {
			for k := stay.From; k <= len(h.Events) && (stay.To == 0 || k < stay.To); k++ {
				key := [2]int{int(stay.Process), k}
				if in[key] != "" {
					t.Fatalf("process %d is %s and %s after event %d", stay.Process, in[key], b.Name, k)
				}
				in[key] = b.Name
			}
		}
	}
	names, seen := map[string]string{"waits": "waiting", "inside": "in the critical section", "outside": ""}, map[string]int{}
	for i := range h.Events {
		for _, f := range h.Events[i].Changed {
			if word, _, _ := strings.Cut(f.Value, ","); f.Name == "usage" {
				seen[word]++
				if got := in[[2]int{int(h.Events[i].Who), i + 1}]; got != names[word] {
					t.Errorf("after event %d process %d is %q and %q", i+1, h.Events[i].Who, f.Value, got)
				}
			}
		}
	}
	if seen["waits"] < 5 || seen["inside"] < 5 || seen["outside"] < 5 {
		t.Errorf("the steps that changed it were %v: too few to show anything", seen)
	}
	if plain := of(t, s); plain.Result.Fingerprint != h.Result.Fingerprint || len(plain.Bands) != 3 {
		t.Errorf("without states the run is %x, with %d bands", plain.Result.Fingerprint, len(plain.Bands))
	}
}

func TestOverlap(t *testing.T) {
	for _, c := range []struct {
		a, b, both history.Stretch
		overlap    bool
	}{
		{history.Stretch{From: 1, To: 5}, history.Stretch{From: 3, To: 9}, history.Stretch{From: 3, To: 5}, true},
		{history.Stretch{From: 1}, history.Stretch{From: 3, To: 9}, history.Stretch{From: 3, To: 9}, true},
		{history.Stretch{From: 4}, history.Stretch{From: 3}, history.Stretch{From: 4}, true},
		{history.Stretch{From: 1, To: 3}, history.Stretch{From: 3}, history.Stretch{From: 3, To: 3}, false},
	} {
		for _, pair := range [][2]history.Stretch{{c.a, c.b}, {c.b, c.a}} {
			if both, overlap := pair[0].Overlap(pair[1]); both != c.both || overlap != c.overlap {
				t.Errorf("%v and %v: %v, %v", pair[0], pair[1], both, overlap)
			}
		}
	}
}

// Clashes are counted by event: three inside are one clash, until one is left.
func TestClashesOfThree(t *testing.T) {
	h := of(t, trial.Setting{Algorithm: "ricartagrawala", N: 4, Param: "cs=2ms,requests=2", Fault: "duplicate every REPLY", Delay: "uniform(0,2ms)"})
	at := slices.IndexFunc(h.Bands, func(b history.Band) bool { return b.Alone })
	if at < 0 || len(h.Bands[at].Clashes) < 3 {
		t.Fatalf("the bands are %+v", h.Bands)
	}
	inside := func(k int) (n int) {
		for _, s := range h.Bands[at].Stays {
			if s.From <= k && (s.To == 0 || k < s.To) {
				n++
			}
		}
		return n
	}
	for k := 1; k <= len(h.Events); k++ {
		clash := slices.ContainsFunc(h.Bands[at].Clashes, func(s history.Stretch) bool { return s.From <= k && (s.To == 0 || k < s.To) })
		if clash != (inside(k) > 1) {
			t.Errorf("after event %d there are %d inside, and a clash: %v", k, inside(k), clash)
		}
	}
}
