package afekgafni_test

import (
	"bytes"
	"slices"
	"testing"

	"bullring/des"
	"bullring/internal/golden"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/afekgafni"
	"bullring/protocols/election/internal/electiontest"
)

// run elects among ranks, by address, and holds the run to what is promised.
func run(t *testing.T, ranks []election.Rank, cfg afekgafni.Config, nw electiontest.Network) electiontest.Result {
	t.Helper()
	n, c := len(ranks), len(nw.Start)
	nw.Topology = netem.Complete(n)
	res := electiontest.Run(t, nw, func(p protocols.ID) election.Process[afekgafni.Message] {
		return afekgafni.New(ranks[p], cfg)
	})
	s := res.Sent
	total := res.Total - s[afekgafni.Leader]
	if total < 2*(n-1) || total > most(n, c) || s[afekgafni.Accept] < n-1 {
		t.Fatalf("%v, %v start: sent %v, allowed are %d to %d", ranks, nw.Start, s, 2*(n-1), most(n, c))
	}
	if s[afekgafni.Contest] > s[afekgafni.Capture] || s[afekgafni.Yield] > s[afekgafni.Contest] || s[afekgafni.Accept] > s[afekgafni.Capture] {
		t.Fatalf("%v, %v start: a capture has four messages at most, sent %v", ranks, nw.Start, s)
	}
	announced := 0
	if cfg.Announce {
		announced = n - 1
	}
	leader := slices.IndexFunc(res.Decisions, func(d election.Decision) bool { return d.Status == election.Leader })
	if res.Leaders != 1 || leader < 0 || !slices.Contains(nw.Start, protocols.ID(leader)) || s[afekgafni.Leader] != announced {
		t.Fatalf("%v, %v start: %d leaders, %v", ranks, nw.Start, res.Leaders, res.Decisions)
	}
	if cfg.Announce {
		electiontest.WantLeader(t, res, ranks, nil, protocols.ID(leader))
	}
	return res
}

// most is the bound of the package comment.
func most(n, c int) int {
	sum := 0
	for k := 2; k <= n; k++ {
		sum += min(c, n/k)
	}
	return 4*(sum+c-1) - 2*(n-1)
}

// Every placement, every set of initiators, and every schedule that is drawn.
func TestAllPlacementsAndInitiators(t *testing.T) {
	for n := 1; n <= 5; n++ {
		for ranks := range electiontest.Placements(n) {
			for set := range electiontest.Subsets(n) {
				if len(set) == 0 {
					continue
				}
				run(t, ranks, afekgafni.Config{Announce: true}, electiontest.Network{Start: set})
				run(t, ranks, afekgafni.Config{Order: election.Min}, electiontest.Network{Start: set})
				for nw := range electiontest.RandomDelays() {
					if n > 4 && nw.Seed > 1 {
						continue
					}
					nw.Start = set
					run(t, ranks, afekgafni.Config{Announce: true}, nw)
				}
			}
		}
	}
}

// A lone candidate meets no owner: two messages a capture, one after the other.
func TestOneInitiator(t *testing.T) {
	for n := 1; n <= 20; n++ {
		ranks := electiontest.Ranks(electiontest.Increasing(n)...)
		res := run(t, ranks, afekgafni.Config{Announce: true}, electiontest.Network{Start: []protocols.ID{0}})
		if want := []int{n - 1, 0, 0, n - 1, n - 1}; !slices.Equal(res.Sent, want) {
			t.Errorf("n=%d: sent %v, want %v", n, res.Sent, want)
		}
		if want := electiontest.Hops(2*(n-1) + min(n-1, 1)); res.Quiet != want {
			t.Errorf("n=%d: quiet at %v, want %v", n, res.Quiet, want)
		}
		electiontest.WantLeader(t, res, ranks, nil, 0)
	}
}

// Larger graphs, all candidates, under drawn schedules, whose links keep no order.
func TestManyCandidates(t *testing.T) {
	for seed := range uint64(30) {
		n := 10 + 7*int(seed)
		ids := electiontest.Increasing(n)
		draw := des.NewStream(seed, "ids")
		for i := range ids {
			j := draw.Intn(i + 1)
			ids[i], ids[j] = ids[j], ids[i]
		}
		run(t, electiontest.Ranks(ids...), afekgafni.Config{Announce: true}, electiontest.Network{
			Start: electiontest.All(n), Delay: des.Exponential(electiontest.Unit), Seed: seed,
		})
	}
}

// The level comes before the rank: a candidate that has captured more wins against a better rank
// that starts later, and a captured process does not become a candidate.
func TestLevelBeforeRank(t *testing.T) {
	ranks := electiontest.Ranks(1, 2, 3, 9)
	res := electiontest.Run(t, electiontest.Network{
		Topology: netem.Complete(4),
		Start:    []protocols.ID{0},
		Again:    []electiontest.At{{ID: 3, Time: electiontest.Hops(3)}, {ID: 1, Time: electiontest.Hops(3)}},
	}, func(p protocols.ID) election.Process[afekgafni.Message] {
		return afekgafni.New(ranks[p], afekgafni.Config{Announce: true})
	})
	electiontest.WantLeader(t, res, ranks, nil, 0)
}

// A crash may cost the election, but misleads no process: no second leader. (The model
// excludes crashes.)
func TestCrashMisleadsNobody(t *testing.T) {
	for ranks := range electiontest.Placements(4) {
		for at := range 8 {
			for _, dead := range electiontest.All(4) {
				res := electiontest.Run(t, electiontest.Network{
					Topology: netem.Complete(4),
					Start:    electiontest.All(4),
					Crash:    []electiontest.At{{ID: dead, Time: electiontest.Hops(at)}},
				}, func(p protocols.ID) election.Process[afekgafni.Message] {
					return afekgafni.New(ranks[p], afekgafni.Config{})
				})
				if res.Leaders > 1 {
					t.Errorf("%v, %d dies at %d: %d leaders", ranks, dead, at, res.Leaders)
				}
			}
		}
	}
}

// Four candidates: claims meet owners, who yield or do not answer.
func TestTrace(t *testing.T) {
	var trace bytes.Buffer
	run(t, electiontest.Ranks(3, 1, 4, 2), afekgafni.Config{Announce: true}, electiontest.Network{
		Start: electiontest.All(4),
		Trace: &trace,
	})
	golden.Check(t, "four-candidates.txt", trace.Bytes())
}

func TestMessages(t *testing.T) {
	claim := afekgafni.Claim{Level: 2, Rank: election.Rank{ID: 5}}
	for m, want := range map[afekgafni.Message]struct {
		text string
		bits int
	}{
		{Type: afekgafni.Capture, Claim: claim}: {"CAPTURE(2,5)", 8 + 64 + 64},
		{Type: afekgafni.Contest, Claim: claim}: {"CONTEST(2,5)", 8 + 64 + 64},
		{Type: afekgafni.Yield, Claim: claim}:   {"YIELD(2,5)", 8 + 64 + 64},
		{Type: afekgafni.Accept, Claim: afekgafni.Claim{Rank: election.Rank{Attr: 0.5, ID: 5}}}: {
			"ACCEPT(0,0.5:5)", 8 + 64 + 128,
		},
		{Type: afekgafni.Leader, Claim: afekgafni.Claim{Rank: election.Rank{ID: 5}}}: {"LEADER(5)", 8 + 64},
	} {
		if m.String() != want.text || m.Bits() != want.bits {
			t.Errorf("%v has %d bits, want %s with %d", m, m.Bits(), want.text, want.bits)
		}
		forged := m.Forge(func(id int64) int64 { return id + 1 })
		if forged.Type != m.Type || forged.Claim.Level != m.Claim.Level || forged.Claim.Rank.ID != 6 {
			t.Errorf("%v forged is %v", m, forged)
		}
	}
}

func TestMistakesOfADriverPanic(t *testing.T) {
	for name, mistake := range map[string]func(*afekgafni.Process){
		"a message of an unknown type": func(p *afekgafni.Process) { p.Receive(nil, 0, afekgafni.Message{Type: 7}) },
		"a timer":                      func(p *afekgafni.Process) { p.Timeout(nil, 1) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			mistake(afekgafni.New(election.Rank{ID: 1}, afekgafni.Config{}))
		}()
	}
}
