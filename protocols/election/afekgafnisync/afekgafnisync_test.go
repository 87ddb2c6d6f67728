package afekgafnisync_test

import (
	"bytes"
	"math/bits"
	"slices"
	"strings"
	"testing"
	"time"

	"bullring/des"
	"bullring/internal/golden"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/afekgafnisync"
	"bullring/protocols/election/internal/electiontest"
)

// run elects among ranks, by address. All start, and a round is one hop.
func run(t *testing.T, ranks []election.Rank, cfg afekgafnisync.Config, nw electiontest.Network) electiontest.Result {
	t.Helper()
	cfg.Round = electiontest.Unit
	nw.Topology, nw.Start = netem.Complete(len(ranks)), electiontest.All(len(ranks))
	return electiontest.Run(t, nw, func(p protocols.ID) election.Process[afekgafnisync.Message] {
		return afekgafnisync.New(ranks[p], cfg)
	})
}

// Every placement: the best wins after 2 ceil(lg n) rounds, with 3n ceil(lg n) - n
// messages at most. Delays within the round change neither the count nor the winner.
func TestAllPlacements(t *testing.T) {
	for n := 2; n <= 7; n++ {
		phases := bits.Len(uint(n - 1))
		for ranks := range electiontest.Placements(n) {
			want := run(t, ranks, afekgafnisync.Config{Announce: true}, electiontest.Network{})
			if total := want.Total - (n - 1); total > 3*n*phases-n || want.Sent[afekgafnisync.Leader] != n-1 {
				t.Fatalf("%v: sent %v, at most %d are allowed", ranks, want.Sent, 3*n*phases-n)
			}
			if want.Learnt != electiontest.Hops(2*phases+1) {
				t.Fatalf("%v: learnt at %v, want %d hops", ranks, want.Learnt, 2*phases+1)
			}
			electiontest.WantLeader(t, want, ranks, nil, 0)
			if n > 5 {
				continue
			}
			for seed := range uint64(5) {
				for _, ordered := range []des.Distribution{des.Uniform(0, electiontest.Unit), des.Constant(0)} {
					got := run(t, ranks, afekgafnisync.Config{Announce: true}, electiontest.Network{Delay: ordered, Seed: seed})
					if !slices.Equal(got.Sent, want.Sent) {
						t.Fatalf("%v, %v: sent %v, in lock-step %v", ranks, ordered, got.Sent, want.Sent)
					}
					electiontest.WantLeader(t, got, ranks, nil, 0)
				}
			}
		}
	}
}

// On the placement in which every second process, every second of those and so on is
// better, half of the candidates are left after each phase.
func TestManyCandidatesAreLeft(t *testing.T) {
	const n = 64
	ids := make([]int, n)
	for p := range ids {
		ids[p] = int(bits.Reverse8(uint8(n-1-p)))<<8 | p
	}
	res := run(t, electiontest.Ranks(ids...), afekgafnisync.Config{}, electiontest.Network{})
	if bound := 3*n*6 - n; res.Total < bound/3 || res.Total > bound {
		t.Errorf("%d messages, far from the bound of %d", res.Total, bound)
	}
}

func TestMinMirrorsMax(t *testing.T) {
	for ranks := range electiontest.Placements(5) {
		a := run(t, ranks, afekgafnisync.Config{}, electiontest.Network{})
		b := run(t, electiontest.Mirror(ranks), afekgafnisync.Config{Order: election.Min}, electiontest.Network{})
		if !slices.Equal(a.Sent, b.Sent) || a.Leaders != 1 || b.Decisions[0].Status != election.Leader {
			t.Fatalf("%v: max %+v, min %+v", ranks, a, b)
		}
	}
}

// A graph of one needs no round; a second start changes nothing.
func TestOneProcess(t *testing.T) {
	res := run(t, electiontest.Ranks(7), afekgafnisync.Config{Announce: true}, electiontest.Network{
		Again: []electiontest.At{{ID: 0, Time: time.Second}},
	})
	if res.Total != 0 || res.Learnt != 0 || res.Decisions[0] != election.Decide(7, 7) {
		t.Errorf("%+v", res)
	}
}

// A message that takes longer than a round is not waited for: the best can lose.
func TestTooSlow(t *testing.T) {
	res := run(t, electiontest.Ranks(3, 1, 2), afekgafnisync.Config{}, electiontest.Network{Delay: des.Constant(3 * electiontest.Unit)})
	if res.Leaders != 0 {
		t.Errorf("%d leaders", res.Leaders)
	}
}

func TestTrace(t *testing.T) {
	var trace bytes.Buffer
	run(t, electiontest.Ranks(3, 1, 4, 2), afekgafnisync.Config{Announce: true}, electiontest.Network{Trace: &trace})
	golden.Check(t, "four.txt", trace.Bytes())
}

func TestMessages(t *testing.T) {
	for m, want := range map[afekgafnisync.Message]struct {
		text string
		bits int
	}{
		{Type: afekgafnisync.Capture, Rank: election.Rank{ID: 5}}:           {"CAPTURE(5)", 8 + 64},
		{Type: afekgafnisync.Accept, Rank: election.Rank{Attr: 0.5, ID: 5}}: {"ACCEPT(0.5:5)", 8 + 128},
		{Type: afekgafnisync.Leader, Rank: election.Rank{ID: 5}}:            {"LEADER(5)", 8 + 64},
	} {
		if m.String() != want.text || m.Bits() != want.bits {
			t.Errorf("%v has %d bits, want %s with %d", m, m.Bits(), want.text, want.bits)
		}
		if forged := m.Forge(func(id int64) int64 { return id + 1 }); forged.Type != m.Type || forged.Rank.ID != 6 {
			t.Errorf("%v forged is %v", m, forged)
		}
	}
}

func TestMistakesOfAProgramPanic(t *testing.T) {
	good := afekgafnisync.Config{Round: time.Millisecond}
	for what, mistake := range map[string]func(){
		"must be positive": func() { afekgafnisync.New(election.Rank{}, afekgafnisync.Config{}) },
		"unknown type": func() {
			afekgafnisync.New(election.Rank{}, good).Receive(nil, 0, afekgafnisync.Message{Type: 7})
		},
		"never sets timer": func() { afekgafnisync.New(election.Rank{}, good).Timeout(nil, 0) },
	} {
		func() {
			defer func() {
				r := recover()
				text, _ := r.(string)
				if err, ok := r.(error); ok {
					text = err.Error()
				}
				if !strings.Contains(text, what) {
					t.Errorf("panics with %v, want %q", r, what)
				}
			}()
			mistake()
		}()
	}
}
