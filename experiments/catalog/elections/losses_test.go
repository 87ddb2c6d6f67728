package elections_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/experiments/trial/search"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/election"
)

// losses is what came of losing one message of the maximum.
type losses struct {
	none   int // nobody leads
	best   int // the maximum leads all the same
	misled int // somebody else does
}

// maximumLost loses each message with the maximum of every ring of n, up to rotation,
// announcements aside. There is always rest and never a second leader.
func maximumLost(t *testing.T, s trial.Setting, n int) (tally losses) {
	t.Helper()
	announcements := []string{"WINNER", "ELECTED", "ANNOUNCE"}
	catalogtest.Permutations(n, func(ids string) {
		if !strings.HasPrefix(ids, fmt.Sprint(n)) {
			return // another one, turned
		}
		s.IDs = ids
		c, err := search.FindCritical(t.Context(), registry, s, search.Drop, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range c.Cases {
			kind, rest, _ := strings.Cut(k.Message, "(")
			if rank := strings.TrimRight(strings.SplitN(rest, ",", 2)[0], ")"); rank != fmt.Sprint(n) || slices.Contains(announcements, kind) {
				continue
			}
			r := k.Result
			if r.End != netem.Quiescent || families.ElectionOf(r).Leaders > 1 {
				t.Errorf("%s, %s: %v, at most %d leaders", ids, k.Fault, r.End, families.ElectionOf(r).Leaders)
			}
			switch {
			case r.Outcome == families.NoLeader:
				tally.none++
			case families.ElectionOf(r).Leader == election.Identity(n) && r.Verdict("E1") == protocols.Holds:
				tally.best++
			default:
				tally.misled++
			}
		}
	})
	return tally
}
