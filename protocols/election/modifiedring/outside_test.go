package modifiedring_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"bullring/des"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/internal/electiontest"
	"bullring/protocols/election/modifiedring"
)

// The tests of this file leave the model.

// havoc is an adversary that loses, doubles, delays and forges messages, and
// crashes processes in the middle of steps.
type havoc struct {
	r    *rand.Rand
	odds int // one in how many messages
}

func (h *havoc) strikes() bool { return h.r.IntN(h.odds) == 0 }

func (h *havoc) Leaves(_, _ protocols.ID, _ int) (leaves, crash bool) {
	return true, h.r.IntN(10*h.odds) == 0
}

func (h *havoc) Sent(_, _ protocols.ID, _ int) (copies int, delay time.Duration, forge func(int64) int64) {
	copies = 1
	if h.strikes() {
		copies = h.r.IntN(3)
	}
	if h.strikes() {
		delay = time.Duration(h.r.Int64N(int64(electiontest.Hops(50))))
	}
	if h.strikes() {
		forge = func(identity int64) int64 { return identity ^ 3 }
	}
	return copies, delay, forge
}

func (*havoc) Due(uint32)                                             {}
func (*havoc) Steps(protocols.ID, int)                                {}
func (*havoc) Arrives(_, _ protocols.ID, _ int) (time.Duration, bool) { return 0, false }
func (*havoc) Expires(protocols.ID) time.Duration                     { return 0 }

// misled is a process whose detector is mistaken now and then.
type misled struct {
	*modifiedring.Process
	r *rand.Rand
}

type misleading struct {
	protocols.Node[modifiedring.Message]
	r *rand.Rand
}

func (n misleading) Suspects(p protocols.ID) bool {
	return n.Node.Suspects(p) != (n.r.IntN(4) == 0)
}

func (p misled) Start(n protocols.Node[modifiedring.Message]) {
	p.Process.Start(misleading{n, p.r})
}

func (p misled) Receive(n protocols.Node[modifiedring.Message], from protocols.ID, m modifiedring.Message) {
	p.Process.Receive(misleading{n, p.r}, from, m)
}

func (p misled) Timeout(n protocols.Node[modifiedring.Message], t protocols.Timer) {
	p.Process.Timeout(misleading{n, p.r}, t)
}

func (p misled) Restore(crashed protocols.Process[modifiedring.Message]) {
	p.Process.Restore(crashed.(misled).Process)
}

// Whatever is lost, doubled, late or forged, whichever process comes back and however wrong
// the detector is: every election ends.
func TestHavocEnds(t *testing.T) {
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(seed, 2))
		n := 1 + r.IntN(6)
		cfg := modifiedring.Config{
			Timeout: electiontest.Hops(1 + r.IntN(3)), Memory: r.IntN(2) == 0, Watchdog: r.IntN(4) > 0,
		}
		net := netem.New(netem.Config{
			Topology: netem.Complete(n), Delay: des.Uniform(0, electiontest.Hops(1+r.IntN(5))), Seed: seed, MaxEvents: 1 << 18,
		}, func(id protocols.ID) protocols.Process[modifiedring.Message] {
			p := modifiedring.New(election.Rank{ID: election.Identity(id)}, cfg)
			return misled{p, r}
		})
		net.Oppose(&havoc{r, 1 + r.IntN(20)})
		for range 2 * n {
			id := protocols.ID(r.IntN(n))
			net.StartAt(id, des.Time(r.Int64N(int64(electiontest.Hops(20)))))
			net.CrashAt(id, des.Time(r.Int64N(int64(electiontest.Hops(40)))))
			net.RestartAt(id, des.Time(r.Int64N(int64(electiontest.Hops(60)))))
		}
		if end := net.Run(t.Context()); end != netem.Quiescent {
			t.Fatalf("seed %d, n=%d, %+v: %v", seed, n, cfg, end)
		}
	}
}

// Messages that always take longer than the timeout: watchdogs bark without need,
// but not for ever, and all decide for the best.
func TestTimeoutTooShort(t *testing.T) {
	ranks := electiontest.Ranks(3, 1, 4, 5, 2)
	for _, slower := range []int{2, 3, 5, 10, 100} {
		res := run(t, ranks, modifiedring.Config{Watchdog: true}, electiontest.Network{
			Start: electiontest.All(5),
			Delay: des.Constant(electiontest.Hops(slower)),
		})
		electiontest.WantLeader(t, res, ranks, nil, 3)
	}
}

// void is an adversary that loses every message.
type void struct{ *havoc }

func (void) Leaves(_, _ protocols.ID, _ int) (leaves, crash bool) { return true, false }
func (void) Sent(_, _ protocols.ID, _ int) (int, time.Duration, func(int64) int64) {
	return 0, 0, nil
}

// Who hears nothing begins anew n-1 times, and gives up until it is started again.
func TestGivesUpUntilStartedAgain(t *testing.T) {
	const n = 4
	net := netem.New(netem.Config{Topology: netem.Complete(n), Delay: des.Constant(electiontest.Unit)},
		func(id protocols.ID) protocols.Process[modifiedring.Message] {
			return modifiedring.New(election.Rank{ID: election.Identity(id)}, modifiedring.Config{Timeout: time.Second, Watchdog: true})
		})
	net.Oppose(void{})
	net.StartAt(0, 0)
	net.StartAt(0, des.Time(time.Hour))
	if end := net.Run(t.Context()); end != netem.Quiescent {
		t.Fatal(end)
	}
	if sent := net.Counters().Messages(); sent != 2*n {
		t.Errorf("sent %d, want %d", sent, 2*n)
	}
}

// recorder is process 0 of a complete graph of five. Its detector suspects
// those that are told; it keeps what is sent.
type recorder struct {
	protocols.Node[modifiedring.Message]
	suspected map[protocols.ID]bool
	sent      []modifiedring.Message
}

func (*recorder) ID() protocols.ID                              { return 0 }
func (*recorder) Degree() int                                   { return 4 }
func (*recorder) Neighbor(port int) protocols.ID                { return protocols.ID(port + 1) }
func (r *recorder) Send(_ protocols.ID, m modifiedring.Message) { r.sent = append(r.sent, m) }
func (*recorder) SetTimer(protocols.Timer, time.Duration)       {}
func (r *recorder) Suspects(p protocols.ID) bool                { return r.suspected[p] }

// The same list may reach two processes, if the first was suspected wrongly.
// What one appends, the other must not see.
func TestListsAreNotShared(t *testing.T) {
	cfg := modifiedring.Config{Timeout: time.Second}
	var first, second recorder
	m := modifiedring.Message{Initiator: 4, Round: 1, List: make([]modifiedring.Member, 1, 8)} // room to append in place
	modifiedring.New(election.Rank{ID: 7}, cfg).Receive(&first, 4, m)
	modifiedring.New(election.Rank{ID: 9}, cfg).Receive(&second, 4, m)
	if a, b := first.sent[0].String(), second.sent[0].String(); a != "ELECTION(0,7)@4.1" || b != "ELECTION(0,9)@4.1" {
		t.Errorf("sent %s and %s", a, b)
	}
}

// A late COORDINATOR for one that has died does not take a process away from
// its leader; to one that has none, a dead leader is announced like any other.
func TestNoLeaderIsLeftForADeadOne(t *testing.T) {
	n := &recorder{suspected: map[protocols.ID]bool{3: true}}
	p := modifiedring.New(election.Rank{ID: 1}, modifiedring.Config{Timeout: time.Second})
	follows := func(initiator, winner protocols.ID, id, want election.Identity) {
		t.Helper()
		p.Receive(n, 4, modifiedring.Message{
			Type: modifiedring.Coordinator, Initiator: initiator, Round: 1,
			Winner: modifiedring.Member{Address: winner, Rank: election.Rank{ID: id}},
		})
		if d := p.Decision(); d != election.Decide(1, want) {
			t.Errorf("after COORDINATOR(%d)@%d it has decided %+v, want %d", id, initiator, d, want)
		}
	}
	follows(1, 3, 30, 30)
	follows(2, 2, 20, 20)
	follows(4, 3, 30, 20)
	if len(n.sent) != 3 {
		t.Errorf("%d messages were passed on, want all 3", len(n.sent))
	}
}
