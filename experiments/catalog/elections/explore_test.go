package elections_test

import (
	"testing"

	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial/search"
)

var of = catalogtest.Of

func TestProven(t *testing.T) {
	catalogtest.Proven(t, registry, testing.Short(), []catalogtest.Proof{
		{Search: of("lcr", 3).InFull(), States: 18, Transitions: 28},
		{Search: of("lcr", 4).Every().InFull(), States: 1100, Transitions: 2212},
		{Search: of("lcr", 4).Every(), States: 80, Transitions: 74},
		{Search: of("changroberts", 4).EveryWay().InFull(), States: 3524, Transitions: 6032},
		{Search: of("changroberts", 4).EveryWay(), States: 584, Transitions: 602},
		{Search: of("peterson", 4).EveryWay().InFull(), States: 4008, Transitions: 7312},
		{Search: of("peterson", 5).Every(), States: 784, Transitions: 760},
		{Search: of("lelann", 4).EveryWay().InFull(), States: 12384, Transitions: 22560},
		{Search: of("lelann", 4).EveryWay(), States: 1050, Transitions: 960},
		{Search: of("changroberts", 4).EveryWay().Variant("tel").InFull(), States: 7852, Transitions: 11332},
		{Search: of("changroberts", 4).EveryWay().Variant("tel"), States: 1180, Transitions: 1090},
		{Search: of("hirschbergsinclair", 3).EveryWay().InFull(), States: 1440, Transitions: 3588},
		{Search: of("hirschbergsinclair", 3).EveryWay(), States: 394, Transitions: 732},
		{Search: of("hirschbergsinclair", 4).Every(), States: 3481, Transitions: 7028},
		{Search: of("hirschbergsinclair", 3).EveryWay().Variant("original"), States: 760, Transitions: 1484},
		{Search: of("hirschbergsinclair", 3).EveryWay().Variant("all-terminate"), States: 424, Transitions: 786},
		{Search: of("hirschbergsinclair", 3).Every().Variant("original").Unordered(), States: 7790, Transitions: 33072},
		{Search: of("franklin", 3).EveryWay().InFull(), States: 792, Transitions: 2022},
		{Search: of("franklin", 3).EveryWay(), States: 220, Transitions: 416},
		{Search: of("franklin", 4).Every().Variant("all-terminate"), States: 1186, Transitions: 2288},
		{Search: of("peterson", 4).EveryWay().Variant("first").InFull(), States: 3984, Transitions: 7312},
		{Search: of("peterson", 5).Every().Variant("first"), States: 704, Transitions: 680},
		{Search: of("peterson", 4).EveryWay().Variant("improved").InFull(), States: 3272, Transitions: 5624},
		{Search: of("peterson", 5).Every().Variant("improved"), States: 634, Transitions: 610},
		{Search: of("ringlist", 4).Started("0"), States: 302, Transitions: 444},
		{Search: of("ringlist", 3).Started("0,1").InFull(), States: 80414, Transitions: 283791},
		{Search: of("ringlist", 4).Started("0,1"), States: 6742, Transitions: 11895},
		{Search: of("ringlist", 3), States: 37543, Transitions: 70923},
		{Search: of("ringlist", 4), States: 1816117, Transitions: 3801304, Deep: true},
		{Search: of("modifiedring", 3).Crashing(1).Started("0"), States: 5361, Transitions: 10643},
		{Search: of("modifiedring", 3).Crashing(1).Started("0,1"), States: 2035896, Transitions: 5610039, Deep: true},
		{Search: of("bully", 4).Crashing(1), States: 251740, Transitions: 1599353},
		{Search: of("bully", 4).Crashing(1).Started(search.Every), States: 623038, Transitions: 4051057, Deep: true},
		{Search: of("modifiedring", 4).Crashing(1).Started("0"), States: 25998, Transitions: 64294},
		{Search: of("bully", 3).Crashing(1).EveryWay(), States: 23272, Transitions: 81427},
		{Search: of("raft", 3).With("terms=1").InFull(), States: 5986, Transitions: 25602},
		{Search: of("raft", 3).With("terms=1"), States: 3646, Transitions: 9980},
		{Search: of("raft", 3).With("terms=2").Started("0"), States: 9530, Transitions: 25835},
		{Search: of("raft", 3).With("terms=2"), States: 474417, Transitions: 1270204, Deep: true},
		{Search: of("raft", 3).With("terms=3"), States: 44138365, Transitions: 115575044, Deep: true},
		{Search: of("raft", 3).With("terms=1").Losing(), States: 184587, Transitions: 1357599},
		{Search: of("raft", 2).With("terms=2").Restarting(1).Crashing(1), States: 3946, Transitions: 8885},
		{Search: of("raft", 3).Started("0").With("terms=1").Restarting(1).Crashing(1), States: 3452, Transitions: 9266},
		{Search: of("raft", 3).With("terms=1").Restarting(1).Crashing(1), States: 99501, Transitions: 365367},
		{Search: of("raft", 2).With("terms=2").Losing().Restarting(1).Crashing(1), States: 142896, Transitions: 753484},
		{Search: of("raft", 3).With("terms=2").Restarting(1).Crashing(1).Started("0"), States: 674043, Transitions: 2216924, Deep: true},
		{Search: of("raft", 4).With("terms=1").Started("0,1"), States: 19202, Transitions: 85827},
		{Search: of("raft", 4).With("terms=1"), States: 2193249, Transitions: 12159331, Deep: true},
		{Search: of("echo", 3).EveryWay().InFull(), States: 8298, Transitions: 18888},
		{Search: of("echo", 3).On("line").EveryWay().InFull(), States: 958, Transitions: 1452},
		{Search: of("echo", 4).On("biring").EveryWay(), States: 146098, Transitions: 284894, Deep: true},
		{Search: of("electiontree", 3).EveryWay().InFull(), States: 24684, Transitions: 60780},
		{Search: of("electiontree", 3).On("line").EveryWay(), States: 2074, Transitions: 3576},
		{Search: of("electiontree", 3).Crashing(1).EveryWay(), States: 86529, Transitions: 273717},
		{Search: of("electiontree", 4).On("biring").Started("0"), States: 2391, Transitions: 5554},
		{Search: of("electiontree", 4).Crashing(1).Started("0"), States: 578843, Transitions: 2552767, Deep: true},
		{Search: of("ghs", 3).EveryWay().InFull(), States: 882, Transitions: 1458},
		{Search: of("ghs", 3).On("line").EveryWay().InFull(), States: 510, Transitions: 798},
		{Search: of("ghs", 4).On("biring").EveryWay(), States: 7848, Transitions: 13704},
		{Search: of("ghs", 4).EveryWay(), States: 46032, Transitions: 118032},
		{Search: of("afekgafni", 3).EveryWay().InFull(), States: 573, Transitions: 864},
		{Search: of("afekgafni", 4).EveryWay(), States: 12744, Transitions: 25692},
		{Search: of("afekgafnisync", 3).Every().InFull(), States: 528, Transitions: 1014},
		{Search: of("afekgafnisync", 4).Every(), States: 6424, Transitions: 17096},
	})
}
