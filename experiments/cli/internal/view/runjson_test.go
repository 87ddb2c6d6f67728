package view

import (
	"strings"
	"testing"

	"bullring/experiments/catalog"
	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
	"bullring/netem"
	"bullring/netem/explore"
)

// ownFields returns the part of the JSON of a run that belongs to its family.
func ownFields(t *testing.T, s trial.Setting) string {
	t.Helper()
	in, err := catalog.New().Instance(s)
	if err != nil {
		t.Fatal(err)
	}
	text, err := marshal(Run{Result: new(trial.Worker).Run(t.Context(), in, nil)}.JSON())
	if err != nil {
		t.Fatal(err)
	}
	_, rest, begins := strings.Cut(string(text), `"epoch":1,`)
	own, _, ends := strings.Cut(rest, `,"node":`)
	if !begins || !ends || !strings.HasPrefix(string(text), `{"format":2,"algorithm":"`+s.Algorithm+`","family":"`+in.Algorithm.Family+`",`) {
		t.Fatal(string(text))
	}
	return own
}

// A run has the fields of its family, by the names of the family, and those of no other.
func TestOwnFieldsOfFamilies(t *testing.T) {
	for _, c := range []struct {
		setting trial.Setting
		want    string
	}{
		{
			trial.Setting{Algorithm: "lcr", N: 3},
			`"leader":3,"leader_address":2,"leaders":1,"elected_time":3,"decided_time":3,` +
				`"measured":{"elected_time":3,"decided_time":3,"split_brain":0,"leaders":1}`,
		},
		{
			trial.Setting{Algorithm: "lcr", N: 3, Fault: "drop every message", OutsideModel: true},
			`"leader":null,"leader_address":null,"leaders":0,"elected_time":null,"decided_time":null,` +
				`"measured":{"split_brain":0,"leaders":0}`,
		},
		{
			trial.Setting{Algorithm: "raft", N: 3, Seed: 2},
			`"leader":2,"leader_address":1,"leaders":1,"elected_time":12.6643,"decided_time":13.6643,` +
				`"measured":{"elected_time":12.6643,"decided_time":13.6643,"split_brain":0,"leaders":1,"term":1,"split_vote":0}`,
		},
		{
			trial.Setting{Algorithm: "ricartagrawala", N: 2},
			`"measured":{"entries":2,"messages_per_entry":2,"client_delay":2.5,"client_delay_max":3,"sync_delay":1,"throughput":666.6666666666666,"fairness":0.9615384615384616,"inside":1},` +
				`"order_of_entry":[{"address":0,"time":2},{"address":1,"time":3}]`,
		},
		{
			trial.Setting{Algorithm: "berkeley", N: 3},
			`"measured":{"spread_before":0,"spread":0,"spread_max":0,"synchronizations":1}`,
		},
	} {
		if got := ownFields(t, c.setting); got != c.want {
			t.Errorf("%+v:\n%s, want\n%s", c.setting, got, c.want)
		}
	}
}

// A counterexample has a number of leaders if it is of an election.
func TestCounterexamplesOfFamilies(t *testing.T) {
	registry := catalog.New()
	for algorithm, want := range map[string]string{
		"lcr":       `"outcome":"no leader","leaders":0,"checks":[`,
		"tokenring": `"outcome":"deadlock","checks":[`,
	} {
		e, err := search.Explore(t.Context(), registry, search.Search{Setting: trial.Setting{Algorithm: algorithm, N: 2}, Budget: explore.Budget{Losses: 1}})
		if err != nil {
			t.Fatal(err)
		}
		result, err := e.Play(t.Context(), registry, e.Counterexample, func(*trial.Traced) netem.Tracer { return nil })
		if err != nil {
			t.Fatal(err)
		}
		text, err := marshal(Exploration{Exploration: e, Found: &Counterexample{Run: e.Counterexample, Of: e, Result: result}}.JSON())
		if err != nil || !strings.HasPrefix(string(text), `{"format":2,`) || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v, %s, want %s", algorithm, err, text, want)
		}
	}
}
