package elections_test

import (
	"slices"
	"testing"

	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
	"bullring/netem"
)

var of = catalogtest.Of

// The election of Ingram et al. on graphs that change: in each exploration every run comes to rest with
// a leader in each component.
func TestProvenOnMovingGraphs(t *testing.T) {
	ingram := func(n int, on string, changes int) catalogtest.Search {
		return of("ingram", n).On(on).Changing(changes).InFull()
	}
	path := netem.Link{A: 0, B: 2} // is not there at first
	catalogtest.Proven(t, registry, testing.Short(), []catalogtest.Proof{
		{Search: ingram(2, "complete", 1), States: 30, Transitions: 41},
		{Search: ingram(2, "complete", 2), States: 52, Transitions: 71},
		{Search: ingram(2, "complete", 3), States: 73, Transitions: 103},
		{Search: ingram(3, "complete", 1).Without(path), States: 4988, Transitions: 17124},
		{Search: ingram(3, "complete", 1).Without(path).ToldLate(), States: 9987, Transitions: 37350},
		{Search: ingram(3, "complete", 2).Without(path), States: 47890, Transitions: 137452},
		{Search: ingram(3, "complete", 3).Without(path), States: 787191, Transitions: 2964577, Deep: true},
		{Search: ingram(3, "complete", 1), States: 38399, Transitions: 111872},
		{Search: ingram(3, "complete", 1).ToldLate(), States: 63385, Transitions: 228596},
		{Search: ingram(3, "complete", 2), States: 657168, Transitions: 2498516, Deep: true},
		{Search: ingram(3, "complete", 3), States: 3152201, Transitions: 10137630, Deep: true},
		{Search: ingram(4, "biring", 1), States: 4484584, Transitions: 19119530, Deep: true},
		{Search: ingram(4, "line", 1), States: 17531, Transitions: 49894},
		{Search: ingram(4, "line", 2), States: 241265, Transitions: 865624},
		{Search: ingram(4, "star", 2), States: 21832, Transitions: 67491},
		{Search: ingram(4, "complete", 1).Without(path, netem.Link{A: 0, B: 3}, netem.Link{A: 1, B: 3}), States: 1507652, Transitions: 7794841, Deep: true},
	})
}

// The election tree is told nothing of links. It is right on a triangle that stays, and one change is
// too many: a LEADER is lost with its link, and the process that waits for it watches for ever, although the
// graph stays connected.
func TestElectionTreeIsToldNothing(t *testing.T) {
	s := of("electiontree", 3).Started("0").InFull()
	s.Timers = trial.FreeTimers
	if e := catalogtest.Explore(t, registry, s); !e.Complete || e.Counterexample != nil || e.States != 49 {
		t.Errorf("without changes: %d states, complete %v, %+v", e.States, e.Complete, e.Counterexample)
	}
	e := catalogtest.Explore(t, registry, s.Changing(1))
	run := e.Counterexample
	if run == nil || e.Properties[run.Property].Name != "E2" || len(run.Steps) != 12 || run.Cycle != 1 || !slices.Contains(e.Outside, "the graph changes") {
		t.Fatalf("with one change: %+v, outside %v", run, e.Outside)
	}
	lost, last := run.Steps[10].String(), run.Steps[11].String()
	if lost != "down 0-2" || last != "timeout 2 timer 0" {
		t.Errorf("the run ends with %s and %s", lost, last)
	}
	if r, err := e.Play(t.Context(), registry, run, nil); err != nil || r.Counters.Cut != 1 {
		t.Errorf("played: %v, %+v", err, r)
	}
}

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
		{Search: of("ingram", 2).Changing(3).InFull(), States: 73, Transitions: 103},
		{Search: of("ingram", 3).On("line").Changing(2), States: 1566, Transitions: 2472},
		{Search: of("ingram", 3).Changing(1), States: 16283, Transitions: 38894},
		{Search: of("ingram", 3).Changing(2), States: 340395, Transitions: 733886},
		{Search: of("ingram", 4).On("line").Changing(2), States: 89762, Transitions: 165410},
		{Search: of("ingram", 4).On("star").Changing(2), States: 12393, Transitions: 22639},
		{Search: of("topologyaware", 2).Changing(3).InFull(), States: 886, Transitions: 2037},
		{Search: of("topologyaware", 2).Changing(3), States: 877, Transitions: 1982},
		{Search: of("topologyaware", 2).Changing(2).ToldLate(), States: 1802, Transitions: 4210},
		{Search: of("topologyaware", 3).On("line").Changing(1), States: 5411, Transitions: 10243},
		{Search: of("topologyaware", 3).On("line").Changing(1).Variant("degree").Every(), States: 31890, Transitions: 60708},
		{Search: of("topologyaware", 3).On("line").Changing(1).ToldLate(), States: 13057, Transitions: 35646},
		{Search: of("topologyaware", 3).On("line").Changing(2), States: 185519, Transitions: 360824},
		{Search: of("topologyaware", 3).Changing(1), States: 617569, Transitions: 1537447, Deep: true},
		{Search: of("topologyaware", 4).On("line"), States: 20063, Transitions: 40943},
		{Search: of("topologyaware", 4).On("star"), States: 39689, Transitions: 89263},
		{Search: of("vktlinks", 2).Changing(3), States: 215, Transitions: 314},
		{Search: of("vktlinks", 3).EveryWay(), States: 4012, Transitions: 7412},
		{Search: of("vktlinks", 3).On("line").Changing(3), States: 6116, Transitions: 10799},
		{Search: of("vktlinks", 3).Changing(2), States: 23450, Transitions: 46872},
		{Search: of("vktlinks", 3).Changing(3), States: 134510, Transitions: 282487},
		{Search: of("vktlinks", 4).On("line").Changing(2), States: 15568, Transitions: 25667},
		{Search: of("vktlinks", 4).On("star").Changing(2), States: 24170, Transitions: 43578},
		{Search: of("vktlinks", 4).On("biring").Changing(1), States: 33306, Transitions: 79202},
		{Search: of("freistable", 4).EveryWay().InFull(), States: 3756, Transitions: 6696},
		{Search: of("freistable", 5).EveryWay(), States: 6562, Transitions: 7283},
		{Search: of("frei", 3).EveryWay().InFull(), States: 555, Transitions: 936},
		{Search: of("frei", 4).EveryWay().InFull(), States: 8772, Transitions: 19400},
		{Search: of("frei", 4).EveryWay(), States: 1723, Transitions: 3154},
		{Search: of("frei", 5).EveryWay(), States: 25404, Transitions: 54294},
		{Search: of("frei", 4).EveryWay().Unordered(), States: 2193, Transitions: 4850},
		{Search: of("freiunoriented", 3).EveryWay().InFull(), States: 3991, Transitions: 11614},
		{Search: of("freiunoriented", 4).EveryWay(), States: 102641, Transitions: 212479},
		{Search: of("freiunoriented", 4).EveryWay().InFull(), States: 161636, Transitions: 628916},
		{Search: of("freiunoriented", 5).EveryWay(), States: 4597564, Transitions: 9640802, Deep: true},
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
