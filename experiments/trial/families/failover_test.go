package families_test

import (
	"slices"
	"strings"
	"testing"

	"bullring/experiments/catalog"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
)

// All elections whose processes may start one after another take part, and no other.
func TestElectors(t *testing.T) {
	electors := families.Electors(catalog.New(), "lcr")
	if electors[0] != "lcr" {
		t.Errorf("the preferred one is not the first of %s", electors)
	}
	for _, word := range strings.Fields("bully lcr changroberts lelann hirschbergsinclair franklin peterson itairodeh ringlist modifiedring floodmax(alpha) raft") {
		if !slices.Contains(electors, word) {
			t.Errorf("%s is not among %s", word, electors)
		}
	}
	for _, word := range []string{"timeslice", "variablespeeds", "floodmax", "itairodeh(sync)"} {
		if slices.Contains(electors, word) {
			t.Errorf("%s is among %s, but its processes start together", word, electors)
		}
	}
	for _, word := range []string{"frei", "freistable", "freiunoriented"} {
		if slices.Contains(electors, word) {
			t.Errorf("%s is among %s, but its messages have no content", word, electors)
		}
	}
}

func TestRefusedParameters(t *testing.T) {
	for param, want := range map[string]string{
		"election=timeslice": "allowed are bully, lcr",
		"period=0s":          "1ns or more",
		"period=often":       ", or auto",
		"think=exp(1ms)x":    "it takes a duration, or exp(D)",
		"think=-1ms":         "it takes a duration from 0s to ",
		"loop=round":         "allowed are closed, open",
		"requests=0":         "from 1 to 1000000",
	} {
		_, err := catalog.New().Instance(trial.Setting{Algorithm: "centralized-failover", N: 4, Param: param})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", param, err, want)
		}
	}
}
