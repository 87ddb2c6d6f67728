package elections_test

import (
	"testing"

	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial/search"
)

// What is proven of the algorithms in rounds.
func TestProvenInRounds(t *testing.T) {
	catalogtest.Proven(t, registry, testing.Short(), []catalogtest.Proof{
		{Search: of("timeslice", 3).Every().InFull(), States: 132, Transitions: 180},
		{Search: of("timeslice", 4).Every(), States: 174, Transitions: 210},
		{Search: of("variablespeeds", 3).Every().InFull(), States: 249, Transitions: 339},
		{Search: of("variablespeeds", 4).Every(), States: 398, Transitions: 514},
		{Search: of("floodmax", 3).Every().InFull(), States: 384, Transitions: 780},
		{Search: of("floodmax", 3).Every().Variant("opt").InFull(), States: 282, Transitions: 528},
		{Search: of("floodmax", 3).On("complete").InFull(), States: 142, Transitions: 472},
		{Search: of("floodmax", 3).Variant("alpha").InFull(), States: 530, Transitions: 1728},
		{Search: of("floodmax", 3).EveryWay().Variant("alpha").On("complete"), States: 2298, Transitions: 4638},
		{Search: of("floodmax", 3).Started(search.Every).Variant("alpha,opt").InFull(), States: 566, Transitions: 1815},
		{Search: of("itairodeh", 2).Started(search.Every).InFull(), States: 39, Transitions: 64},
		{Search: of("itairodeh", 3).Started(search.Every).InFull(), States: 901, Transitions: 2211},
		{Search: of("itairodeh", 2).Variant("sync").InFull(), States: 71, Transitions: 122},
		{Search: of("itairodeh", 3).Variant("sync").InFull(), States: 2128, Transitions: 4605},
	})
}

// Without coins nobody is ever elected: a run that puts nothing off goes on for ever,
// and in no state is there a leader.
func TestNoCoinsNoLeader(t *testing.T) {
	for _, v := range []string{"nocoins", "sync,nocoins"} {
		for n := 2; n <= 3; n++ {
			s := of("itairodeh", n)
			s.Setting.Variant = v
			e := catalogtest.Explore(t, registry, s)
			if run := e.Counterexample; run == nil || run.Cycle == 0 || e.Properties[run.Property].Name != "E2" || e.Rests > 0 {
				t.Errorf("%s, n=%d: %+v, %d states of rest", v, n, run, e.Rests)
			}
		}
	}
}
