package mutex_test

import (
	"fmt"
	"strings"
	"testing"

	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/protocols"
)

// If the token is lost, or dies with its holder, those that live make a new one, one
// of them, and all are served. The largest claim goes round all that live, and the n-2
// others that claim with it end after one message.
func TestTokenIsMadeAnew(t *testing.T) {
	for n := 3; n <= 8; n++ {
		for _, c := range []struct {
			fault   string
			entries int
			claims  int
		}{
			{"at 1ms crash 0", n, (n - 1) + (n - 2)},
			{"drop 1st TOKEN", n, n + (n - 2)},
		} {
			r := under(t, trial.Setting{Algorithm: "regeneratingring", N: n, Param: "cs=2ms,timeout=1s", Fault: c.fault})
			if int(entries(t, r)) != c.entries || r.Outcome != families.Served || int(r.Counters.Sent[1]) != c.claims ||
				r.Verdict("ME1") != protocols.Holds || r.Verdict("ME2") != protocols.Holds {
				t.Errorf("n=%d, %s: %v entries, %v, sent %v, %v", n, c.fault, entries(t, r), r.Outcome, r.Counters.Sent, r.Checks)
			}
		}
	}
}

// Whichever token is lost, and whoever crashes whenever: the same.
func TestTokenIsMadeAnewWhateverIsLost(t *testing.T) {
	for n := 2; n <= 5; n++ {
		for k := 1; k <= 3*n; k++ {
			faults := []string{"drop " + ordinal(k) + " TOKEN"}
			for p := range n {
				faults = append(faults, fmt.Sprintf("at %dus crash %d", 500*k, p))
			}
			for _, fault := range faults {
				r := under(t, trial.Setting{Algorithm: "regeneratingring", N: n, Param: "cs=1ms,requests=3", Fault: fault})
				if r.Outcome != families.Served || r.Verdict("ME1") != protocols.Holds || r.Verdict("ME2") != protocols.Holds {
					t.Errorf("n=%d, %s: %v, %v", n, fault, r.Outcome, r.Checks)
				}
			}
		}
	}
}

// Tokens that are missed while a claim goes round are missed for ever.
func TestRefusedParameters(t *testing.T) {
	for _, c := range []struct {
		setting trial.Setting
		says    string
	}{
		{trial.Setting{Algorithm: "regeneratingring", N: 3, Param: "timeout=2ms"}, "timeout is 2ms, and a round of 3 messages takes up to 3ms"},
	} {
		if _, err := registry.Instance(c.setting); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v", c.setting, err)
		}
	}
}

func TestRandomPlans(t *testing.T) {
	catalogtest.RandomPlans(t, registry, testing.Short(), []catalogtest.Tolerant{
		{Algorithm: "regeneratingring", Faults: catalogtest.CrashStop},
	})
}
