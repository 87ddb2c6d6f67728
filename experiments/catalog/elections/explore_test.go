package elections_test

import (
	"fmt"
	"strings"
	"testing"

	"bullring/experiments"
	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/search"
)

var of = catalogtest.Of

func TestProven(t *testing.T) {
	catalogtest.Proven(t, registry, testing.Short(), []catalogtest.Proof{
		{Search: of("lcr", 3).InFull(), States: 18, Transitions: 28},
		{Search: of("lcr", 4).Every().InFull(), States: 1100, Transitions: 2212},
		{Search: of("lcr", 4).Every(), States: 80, Transitions: 74},
		{Search: of("changroberts", 4).EveryWay().InFull(), States: 3524, Transitions: 6032},
		{Search: of("changroberts", 4).EveryWay(), States: 593, Transitions: 700},
		{Search: of("peterson", 4).EveryWay().InFull(), States: 4008, Transitions: 7312},
		{Search: of("peterson", 5).Every(), States: 784, Transitions: 760},
		{Search: of("lelann", 4).EveryWay().InFull(), States: 12384, Transitions: 22560},
		{Search: of("lelann", 4).EveryWay(), States: 1050, Transitions: 960},
		{Search: of("changroberts", 4).EveryWay().Variant("tel").InFull(), States: 7852, Transitions: 11332},
		{Search: of("changroberts", 4).EveryWay().Variant("tel"), States: 1180, Transitions: 1090},
		{Search: of("hirschbergsinclair", 3).EveryWay().InFull(), States: 1440, Transitions: 3588},
		{Search: of("hirschbergsinclair", 3).EveryWay(), States: 432, Transitions: 896},
		{Search: of("hirschbergsinclair", 4).Every(), States: 4078, Transitions: 9354},
		{Search: of("hirschbergsinclair", 3).EveryWay().Variant("original"), States: 942, Transitions: 2091},
		{Search: of("hirschbergsinclair", 3).EveryWay().Variant("all-terminate"), States: 462, Transitions: 950},
		{Search: of("hirschbergsinclair", 3).Every().Variant("original").Unordered(), States: 7790, Transitions: 33072},
		{Search: of("franklin", 3).EveryWay().InFull(), States: 792, Transitions: 2022},
		{Search: of("franklin", 3).EveryWay(), States: 238, Transitions: 504},
		{Search: of("franklin", 4).Every().Variant("all-terminate"), States: 1390, Transitions: 3144},
		{Search: of("peterson", 4).EveryWay().Variant("first").InFull(), States: 3984, Transitions: 7312},
		{Search: of("peterson", 5).Every().Variant("first"), States: 704, Transitions: 680},
		{Search: of("peterson", 4).EveryWay().Variant("improved").InFull(), States: 3272, Transitions: 5624},
		{Search: of("peterson", 5).Every().Variant("improved"), States: 634, Transitions: 610},
		{Search: of("ringlist", 4).Started("0"), States: 2402, Transitions: 5854},
		{Search: of("ringlist", 4).Started("0,1"), States: 3013212, Transitions: 13659814, Deep: true},
		{Search: of("ringlist", 3), States: 10073016, Transitions: 51601999, Deep: true},
		{Search: of("modifiedring", 3).Crashing(1).Started("0"), States: 5559, Transitions: 11352},
		{Search: of("modifiedring", 3).Crashing(1).Started("0,1"), States: 2554724, Transitions: 8225331, Deep: true},
		{Search: of("bully", 4).Crashing(1), States: 259580, Transitions: 1759067},
		{Search: of("bully", 4).Crashing(1).Started(search.Every), States: 634258, Transitions: 4394715, Deep: true},
		{Search: of("modifiedring", 4).Crashing(1).Started("0"), States: 28031, Transitions: 74263},
		{Search: of("bully", 3).Crashing(1).EveryWay(), States: 23619, Transitions: 85338},
		{Search: of("raft", 3).With("terms=1").InFull(), States: 5986, Transitions: 25602},
		{Search: of("raft", 3).With("terms=1"), States: 3934, Transitions: 11387},
		{Search: of("raft", 3).With("terms=2").Started("0"), States: 10372, Transitions: 29878},
		{Search: of("raft", 3).With("terms=2"), States: 576881, Transitions: 1724619, Deep: true},
		{Search: of("raft", 3).With("terms=1").Losing(), States: 184587, Transitions: 1357599},
		{Search: of("raft", 2).With("terms=2").Restarting(1).Crashing(1), States: 3946, Transitions: 9061},
		{Search: of("raft", 3).Started("0").With("terms=1").Restarting(1).Crashing(1), States: 3594, Transitions: 9939},
		{Search: of("raft", 3).With("terms=1").Restarting(1).Crashing(1), States: 102497, Transitions: 384480},
		{Search: of("raft", 2).With("terms=2").Losing().Restarting(1).Crashing(1), States: 142896, Transitions: 753484},
		{Search: of("raft", 3).With("terms=2").Restarting(1).Crashing(1).Started("0"), States: 761539, Transitions: 2652212, Deep: true},
		{Search: of("raft", 4).With("terms=1").Started("0,1"), States: 20072, Transitions: 94753},
		{Search: of("raft", 4).With("terms=1"), States: 2951814, Transitions: 18566189, Deep: true},
		{Search: of("echo", 3).EveryWay().InFull(), States: 8298, Transitions: 18888},
		{Search: of("echo", 3).On("line").EveryWay().InFull(), States: 958, Transitions: 1452},
		{Search: of("echo", 4).On("biring").EveryWay(), States: 198473, Transitions: 459569, Deep: true},
		{Search: of("electiontree", 3).EveryWay().InFull(), States: 24684, Transitions: 60780},
		{Search: of("electiontree", 3).On("line").EveryWay(), States: 2322, Transitions: 4446},
		{Search: of("electiontree", 3).Crashing(1).EveryWay(), States: 87642, Transitions: 284880},
		{Search: of("electiontree", 4).On("biring").Started("0"), States: 2473, Transitions: 5932},
		{Search: of("electiontree", 4).Crashing(1).Started("0"), States: 604240, Transitions: 2783049, Deep: true},
		{Search: of("ghs", 3).EveryWay().InFull(), States: 882, Transitions: 1458},
		{Search: of("ghs", 3).On("line").EveryWay().InFull(), States: 510, Transitions: 798},
		{Search: of("ghs", 4).On("biring").EveryWay(), States: 8712, Transitions: 16608},
		{Search: of("ghs", 4).EveryWay(), States: 46032, Transitions: 118416},
		{Search: of("afekgafni", 3).EveryWay().InFull(), States: 573, Transitions: 864},
		{Search: of("afekgafni", 4).EveryWay(), States: 12744, Transitions: 25692},
		{Search: of("afekgafnisync", 3).Every().InFull(), States: 528, Transitions: 1014},
		{Search: of("afekgafnisync", 4).Every(), States: 6688, Transitions: 17768},
	})
}

// SPIN 6.5.2 finds as many states and transitions of the same algorithm, on the ring
// of the model leader0 that comes with it: written so that a reaction is one
// transition, started, without reduction, and without what SPIN's init does. Here
// the starts are steps as well: 2^n - 1 states and n*2^(n-1) transitions.
func TestAsManyStatesAsSPIN(t *testing.T) {
	for n, spin := range map[int][2]uint64{3: {25, 38}, 4: {60, 123}, 5: {150, 393}, 6: {384, 1227}, 8: {2593, 11222}, 12: {121406, 795157}} {
		ids := []string{"3", "2", "1"}
		for id := n; id > 3; id-- {
			ids = append(ids, fmt.Sprint(id))
		}
		e := catalogtest.Explore(t, registry, catalogtest.Search{Setting: experiments.Setting{Algorithm: "peterson", IDs: strings.Join(ids, ",")}}.InFull())
		states, transitions := e.States-(1<<n-1), e.Transitions-uint64(n)<<(n-1)
		if states != spin[0] || transitions != spin[1] {
			t.Errorf("n=%d: %d states and %d transitions, but SPIN finds %d and %d", n, states, transitions, spin[0], spin[1])
		}
	}
}
