package families_test

import (
	"testing"

	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
)

// The outcomes stand in the tables of sweeps that have run: their words stay.
func TestOutcomesStay(t *testing.T) {
	for outcome, word := range map[trial.Outcome]string{
		families.Elected: "elected", families.NoLeader: "no leader", families.SeveralLeaders: "several leaders",
		families.Served: "served", families.Deadlock: "deadlock", families.TwoInside: "two inside",
		families.Delivered: "delivered", families.Disordered: "disordered", families.Undelivered: "undelivered",
		families.Recorded: "recorded", families.Inconsistent: "inconsistent", families.Incomplete: "incomplete",
		families.Assigned: "assigned", families.Misassigned: "misassigned", families.Unassigned: "unassigned",
		families.Settled: "settled", families.Broken: "broken tokens", families.Unsettled: "unsettled",
		families.Agreed: "agreed", families.Disagreed: "disagreed", families.Unagreed: "undecided",
		families.Synchronized: "synchronized", families.Apart: "apart", families.NotAdjusted: "not all adjusted",
	} {
		if string(outcome) != word {
			t.Errorf("%q was called %q", outcome, word)
		}
	}
}
