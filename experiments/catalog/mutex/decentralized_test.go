package mutex_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/protocols"
)

func TestDecentralizedBounds(t *testing.T) {
	c := newChecker(t)
	everyClient(t, c, "decentralized", "", 5, "", "slots=4,backoff=2ms")
	everyClient(t, c, "decentralized", "", 4, "coordinators=1", "votes=1,coordinators=1")
	c.Needs("exact", "delay")
}

func TestDecentralizedParameters(t *testing.T) {
	for param, says := range map[string]string{
		"coordinators=6":         "it takes all, or a number from 1 to 5",
		"coordinators=none":      "it takes all, or a number from 1 to 5",
		"votes=2":                "it takes majority, or a number from 3 to 5",
		"coordinators=4,votes=5": "it takes majority, or a number from 3 to 4",
		"slots=0":                "it takes a whole number from 1 to",
	} {
		_, err := registry.Instance(trial.Setting{Algorithm: "decentralized", N: 5, Param: param})
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", param, err, says)
		}
	}
}

// If 2m-n voters forget while one is inside, two are; one less is not enough. All
// coordinators that were not asked, and those that were reset, vote for the second.
func TestDecentralizedResets(t *testing.T) {
	c := newChecker(t)
	// All vote, so that any 2m-n will do.
	const n = 5
	for resets := range n + 1 {
		var faults []string
		for p := range resets {
			faults = append(faults, fmt.Sprintf("at 10ms crash %d; at 10ms restart %d", p, p))
		}
		faults = append(faults, "at 20ms start 6")
		r := c.Outside(trial.Setting{
			Algorithm: "decentralized", N: n + 2, Initiators: "5", Fault: strings.Join(faults, "; "),
			Param: fmt.Sprintf("cs=1s,coordinators=%d,votes=%d", n, n),
		})
		want, verdict := families.Served, protocols.Holds
		if resets >= 2*n-n {
			want, verdict = families.TwoInside, protocols.Violated
		}
		if r.Outcome != want || r.Verdict("ME1") != verdict {
			t.Errorf("%d resets: %v, %v, want %v", resets, r.Outcome, r.Checks, want)
		}
	}
}

// A client's next REQUEST may overtake its RELEASE where links do not keep the order: then
// it is denied, and 3m messages a request are not enough.
func TestDecentralizedOvertaken(t *testing.T) {
	s := trial.Setting{
		Algorithm: "decentralized", N: 4, Initiators: "random:1", Delay: "uniform(0,2ms)", Unordered: true, Seed: 423819,
		Param: "requests=6,cs=1ms,think=exp(2ms),loop=open",
	}
	bounds := func() (names []string) {
		r := new(trial.Worker).Run(context.Background(), inModel(t, s), nil)
		if err := r.BrokenBound(); err != nil {
			t.Error(err)
		}
		for _, b := range r.Bounds {
			names = append(names, b.Name)
		}
		return names
	}
	if names := bounds(); slices.Contains(names, "exact") || !slices.Contains(names, "best") {
		t.Errorf("links that do not keep the order: the bounds are %v", names)
	}
	s.Unordered = false
	if names := bounds(); !slices.Contains(names, "exact") {
		t.Errorf("links that do: the bounds are %v", names)
	}
}
