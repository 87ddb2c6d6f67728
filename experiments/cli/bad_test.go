package cli

import (
	"fmt"
	"runtime"
	"slices"
	"time"

	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/protocols"
	"bullring/protocols/election"
)

// The algorithm of these tests is LCR whose messages carry the addresses that they have
// passed. Its variants are the mistakes that a program can have: each is made by process 2
// when it handles the best rank, unless it says otherwise.
var badVariants = []string{
	"good",
	"panics", "escapes", "exits", "stranger", "negative", "label", "kind", "maker", "bound", // panics of several kinds
	"clock", "order", "global", "hidden", // not deterministic
	"sent", "received", "shared", "node", // memory that is shared
	"loops", "sleeps", // handlers that do not return
}

type badMessage struct {
	Rank  election.Rank
	Path  []int
	Stamp int64
	Type  int
}

func (m badMessage) Kind() int      { return m.Type }
func (badMessage) Kinds() []string  { return []string{"RANK"} }
func (m badMessage) Bits() int      { return 8 + m.Rank.Bits() }
func (m badMessage) String() string { return fmt.Sprintf("RANK(%v, %v)", m.Rank, m.Path) }

type bad struct {
	rank     election.Rank
	best     election.Identity
	variant  string
	decision election.Decision

	path   []int // of what it has sent last
	first  protocols.Node[badMessage]
	shared map[string]int
	seen   int64
}

var badGlobal int64

func (p *bad) Decision() election.Decision { return p.decision }

func (p *bad) Start(n protocols.Node[badMessage]) {
	if p.variant == "node" {
		p.first = n
	}
	p.path = []int{int(n.ID())}
	n.Send(n.Neighbor(0), badMessage{Rank: p.rank, Path: p.path})
}

func (p *bad) Receive(n protocols.Node[badMessage], _ protocols.ID, m badMessage) {
	switch {
	case m.Rank.ID == p.rank.ID:
		p.decision = election.Decide(p.rank.ID, p.rank.ID)
		return
	case m.Rank.ID < p.rank.ID:
		return
	}
	passed := badMessage{Rank: m.Rank, Path: append(slices.Clone(m.Path), int(n.ID()))}
	if n.ID() == 2 && m.Rank.ID == p.best {
		p.misbehave(n, &passed, m)
	}
	n.Send(n.Neighbor(0), passed)
}

func (p *bad) misbehave(n protocols.Node[badMessage], passed *badMessage, m badMessage) {
	switch p.variant {
	case "panics":
		panic("boom")
	case "escapes":
		panic("\x1b[2J\u202eboom\x7f\u0085\xff")
	case "exits":
		runtime.Goexit()
	case "stranger":
		n.Send(0, *passed)
	case "negative":
		n.SetTimer(1, -time.Second)
	case "label":
		wide := int64(1) << 40
		n.SetTimer(protocols.Timer(wide), time.Second)
	case "kind":
		passed.Type = 7
	case "clock":
		passed.Stamp = time.Now().UnixNano()
	case "order":
		many := map[int64]bool{}
		for i := range int64(32) {
			many[i] = true
		}
		for i := range many {
			passed.Stamp = 31*passed.Stamp + i
		}
	case "global":
		badGlobal++
		passed.Stamp = badGlobal
	case "hidden":
		p.seen = time.Now().UnixNano()
	case "sent":
		p.path[0] = -1 // its first message is on its way still: on links that are slow
		passed.Path = p.path
	case "received":
		m.Path[0] = -1
	case "shared":
		p.shared["passed"]++
	case "node":
		p.first.SetTimer(1, time.Millisecond)
	case "loops":
		if p.best > 3 {
			fmt.Println("it loops")
			for i := uint64(1); i > 0; i |= 1 {
			}
		}
	case "sleeps":
		time.Sleep(time.Hour)
	}
}

func (p *bad) Timeout(protocols.Node[badMessage], protocols.Timer) {}

// badRegistry has it.
func badRegistry() *trial.Registry {
	r := &trial.Registry{}
	r.Register(families.Election(trial.Algorithm{
		Name: "bad", Title: "LCR with mistakes", Variants: [][]string{badVariants},
		Assumes: trial.Assumptions{Topologies: []string{"ring", "biring"}, AllInitiate: true, NoCrash: true, NoRestart: true},
		Bounds: []trial.Bound{{
			Name: "most", Metric: "messages", Relation: trial.AtMost, Formula: "n(n+1)/2", Convention: "all initiate",
			Value: func(in *trial.Instance) (float64, bool) {
				if in.Variant.Has("bound") {
					panic("no bound")
				}
				return float64(in.N * (in.N + 1) / 2), true
			},
		}},
	}, func(*trial.Instance) election.Promise { return election.Promise{LeaderOnly: true} },
		func(in *trial.Instance) func(protocols.ID) election.Process[badMessage] {
			shared := map[string]int{}
			best := slices.MaxFunc(in.Ranks.List(), func(a, b election.Rank) int { return int(a.ID - b.ID) }).ID
			return func(p protocols.ID) election.Process[badMessage] {
				if in.Variant.Has("maker") && p == 2 {
					panic("no process")
				}
				return &bad{rank: in.Ranks.At(p), best: best, variant: in.Setting.Variant, shared: shared}
			}
		}))
	return r
}
