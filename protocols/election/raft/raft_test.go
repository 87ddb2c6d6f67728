package raft_test

import (
	"bytes"
	"math"
	"slices"
	"testing"
	"time"

	"bullring/des"
	"bullring/internal/golden"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/internal/electiontest"
	"bullring/protocols/election/raft"
)

const (
	unit = electiontest.Unit
	base = 10 * unit
)

// wide are timeouts as the dissertation recommends them (section 9.3): a range of 10
// times the delay.
var wide = raft.Config{Base: base, Width: base, Grain: time.Microsecond}

// run elects among n processes, of which that at address p has the identity p+1.
func run(t *testing.T, n int, cfg raft.Config, nw electiontest.Network) (electiontest.Result, []*raft.Process) {
	t.Helper()
	nw.Topology = netem.Complete(n)
	processes := make([]*raft.Process, n)
	res := electiontest.Run(t, nw, func(p protocols.ID) election.Process[raft.Message] {
		processes[p] = raft.New(election.Identity(p+1), cfg)
		return processes[p]
	})
	return res, processes
}

// living are the addresses that are not dead.
func living(n int, dead []protocols.ID) []protocols.ID {
	return slices.DeleteFunc(electiontest.All(n), func(p protocols.ID) bool { return slices.Contains(dead, p) })
}

// wantTerm fails the test unless all that live follow that leader in that term.
func wantTerm(t *testing.T, res electiontest.Result, dead []protocols.ID, leader protocols.ID, term int) {
	t.Helper()
	for p, d := range res.Decisions {
		want := election.Decide(election.Identity(p+1), election.Identity(leader+1))
		want.Term = term
		if !slices.Contains(dead, protocols.ID(p)) && d != want {
			t.Fatalf("dead %v: process %d decided %+v, want %+v", dead, p, d, want)
		}
	}
}

// Section 5.2: a candidate that wins sends RequestVote to all, has the votes of those
// that live, and sends AppendEntries to all. With s of n alive that is
// 2(n-1) + 2(s-1) messages in any schedule, if no other process times out before.
func TestCleanElection(t *testing.T) {
	for n := 1; n <= 6; n++ {
		for dead := range electiontest.Subsets(n) {
			live := living(n, dead)
			if len(live) <= n/2 {
				continue
			}
			for _, initiator := range live {
				nw := electiontest.Network{Start: []protocols.ID{initiator}, Dead: dead}
				res, _ := run(t, n, wide, nw)
				want := []int{n - 1, len(live) - 1, n - 1, len(live) - 1}
				if !slices.Equal(res.Sent, want) {
					t.Fatalf("n=%d, dead %v: sent %v, want %v", n, dead, res.Sent, want)
				}
				wantTerm(t, res, dead, initiator, 1)
				for delays := range electiontest.RandomDelays() {
					if delays.Delay.String() != des.Uniform(0, 10*unit).String() {
						continue // has no bound
					}
					delays.Start, delays.Dead = nw.Start, dead
					long := raft.Config{Base: 31 * unit, Width: unit, Grain: 1}
					if res, _ := run(t, n, long, delays); !slices.Equal(res.Sent, want) {
						t.Fatalf("n=%d, dead %v, %v: sent %v, want %v", n, dead, delays.Delay, res.Sent, want)
					}
				}
			}
		}
	}
}

// A candidate is elected one round trip after its timeout, and the others know one
// message later: at 10, 12 and 13 where the timeout is always 10.
func TestCleanElectionTime(t *testing.T) {
	for n := 2; n <= 6; n++ {
		res, _ := run(t, n, raft.Config{Base: base}, electiontest.Network{Start: []protocols.ID{0}})
		if res.Learnt != 13*unit || res.Quiet != 14*unit {
			t.Errorf("n=%d: all know at %v, quiet at %v; want 13 and 14", n, res.Learnt, res.Quiet)
		}
	}
}

// Section 5.2: "if many followers become candidates at the same time, votes could be
// split so that no candidate obtains a majority", and each starts a new election.
// Where all timeouts are the same, no election ever ends; here it ends where terms do.
func TestSplitVotesForEver(t *testing.T) {
	const n, terms = 4, 5
	res, processes := run(t, n, raft.Config{Base: base, Terms: terms}, electiontest.Network{Start: electiontest.All(n)})
	if want := []int{terms * n * (n - 1), terms * n * (n - 1), 0, 0}; !slices.Equal(res.Sent, want) {
		t.Errorf("sent %v, want %v", res.Sent, want)
	}
	for p, d := range res.Decisions {
		if d != (election.Decision{Term: terms}) || processes[p].Term() != terms {
			t.Errorf("process %d decided %+v in term %d; it should have given up in term %d", p, d, processes[p].Term(), terms)
		}
	}
}

// splitRate is the probability of a split vote where delays are l Widths: the
// dissertation's section "How common are split votes?".
func splitRate(n, s int, l float64) float64 {
	p := 0.0
	for j := s - n/2; j <= s; j++ {
		p += binomial(s, j) * math.Pow(l, float64(j)) * math.Pow(1-l, float64(s-j))
	}
	return p
}

func binomial(n, k int) float64 {
	b := 1.0
	for i := range k {
		b = b * float64(n-i) / float64(i+1)
	}
	return b
}

// The dissertation's three examples: of five servers four are available, and the range
// is 100 ms.
func TestSplitRateOfTheDissertation(t *testing.T) {
	for l, want := range map[float64]float64{.01: .0006, .1: .052, .2: .181} {
		if got := splitRate(5, 4, l); math.Abs(got-want) > .0005 {
			t.Errorf("l=%v: %v, want %v", l, got, want)
		}
	}
}

// sample is a mean with its standard error.
type sample struct{ n, sum, squares float64 }

func (s *sample) add(x float64) { s.n++; s.sum += x; s.squares += x * x }

func (s *sample) mean() float64 { return s.sum / s.n }

func (s *sample) error() float64 { return math.Sqrt((s.squares/s.n - s.mean()*s.mean()) / (s.n - 1)) }

// near fails the test if the mean is more than four standard errors off.
func (s *sample) near(t *testing.T, what string, want float64) {
	t.Helper()
	if off := math.Abs(s.mean() - want); off > 4*s.error() {
		t.Errorf("%s: %.4f on average, want %.4f; that is %.1f standard errors off", what, s.mean(), want, off/s.error())
	}
}

// firsts notes when the first candidate of a run asked for votes.
type firsts struct {
	at time.Duration
}

func (f *firsts) Record(r netem.Record) {
	if f.at < 0 && r.What == "timeout" {
		f.at = time.Duration(r.At)
	}
}

// What the dissertation derives for a fixed delay of l Widths, held to 2000 runs each,
// with four standard errors: the mean of the first timeout, Base + Width/(s+1); the
// probability of a split vote in the first term, exactly P; the number of terms,
// 1/(1-P), for which terms are taken for independent; and the time to elect,
// (1 + 1/(s+1) + l)/(1-P) + l with Base = Width = 1, where its W, the time to write a
// vote to disk, is 0 and so is its 1/4, the mean age of the last heartbeat. That takes
// timers to be reset l after the first timeout of a term that is split, as voters' are,
// but its candidates reset theirs at once: it is too long by up to l a split, which
// shows where most votes are split (n = 9, s = 5, l = 0.2: P = 0.67).
func TestElectionsOfTheDissertation(t *testing.T) {
	for _, c := range []struct{ n, dead int }{{3, 0}, {3, 1}, {5, 1}, {5, 2}, {9, 4}} {
		for _, l := range []float64{.05, .1, .2} {
			s := c.n - c.dead
			cfg := raft.Config{Base: time.Second, Width: time.Second, Grain: time.Microsecond}
			var first, split, terms, elected sample
			for seed := range uint64(2000) {
				noted := &firsts{at: -1}
				end := elect(t, c.n, s, cfg, time.Duration(l*float64(time.Second)), seed, noted)
				first.add(noted.at.Seconds())
				terms.add(float64(end.term))
				split.add(0)
				if end.term > 1 {
					split.sum, split.squares = split.sum+1, split.squares+1
				}
				elected.add(end.at.Seconds())
			}
			p := splitRate(c.n, s, l)
			first.near(t, "first timeout", 1+1/float64(s+1))
			split.near(t, "split votes", p)
			terms.near(t, "terms", 1/(1-p))
			timeout := 1 + 1/float64(s+1)
			soonest, latest := timeout/(1-p)+2*l, (timeout+l)/(1-p)+l
			if p < .5 {
				elected.near(t, "time to elect", latest)
			}
			if e := 4 * elected.error(); elected.mean() < soonest-e || elected.mean() > latest+e {
				t.Errorf("time to elect: %.4f on average, want %.4f to %.4f", elected.mean(), soonest, latest)
			}
			if t.Failed() {
				t.Fatalf("n=%d, s=%d, l=%v", c.n, s, l)
			}
		}
	}
}

// elected is how an election came out.
type elected struct {
	term int
	at   time.Duration
}

// until notes when a process became the leader.
type until struct {
	net       *netem.Network[raft.Message]
	processes []*raft.Process
	elected
}

func (u *until) Stepped(p protocols.ID) {
	if d := u.processes[p].Decision(); u.term == 0 && d.Status == election.Leader {
		u.elected = elected{d.Term, time.Duration(u.net.Now())}
	}
}
func (u *until) Started(protocols.ID)   {}
func (u *until) Crashed(protocols.ID)   {}
func (u *until) Restarted(protocols.ID) {}

// elect has the first s of n processes elect a leader.
func elect(t *testing.T, n, s int, cfg raft.Config, delay time.Duration, seed uint64, trace netem.Tracer) elected {
	t.Helper()
	u := &until{processes: make([]*raft.Process, n)}
	u.net = netem.New(netem.Config{Topology: netem.Complete(n), Delay: des.Constant(delay), FIFO: true, Seed: seed}, func(p protocols.ID) protocols.Process[raft.Message] {
		u.processes[p] = raft.New(election.Identity(p+1), cfg)
		return u.processes[p]
	})
	u.net.Observe(u)
	u.net.Trace(trace)
	for p := range protocols.ID(n) {
		if p >= protocols.ID(s) {
			u.net.CrashAt(p, 0)
		} else {
			u.net.StartAt(p, 0)
		}
	}
	if end := u.net.Run(t.Context()); end != netem.Quiescent || u.term == 0 {
		t.Fatalf("n=%d, s=%d: %v, leader in term %d", n, s, end, u.term)
	}
	return u.elected
}

// Section 5.2: once it has a leader a cluster stays with it. A process that is started again
// elects itself, in the next term, and the leader steps down.
func TestStepDown(t *testing.T) {
	res, _ := run(t, 3, raft.Config{Base: base}, electiontest.Network{
		Start: []protocols.ID{0}, Again: []electiontest.At{{ID: 2, Time: 20 * unit}},
	})
	wantTerm(t, res, nil, 2, 2)
	if res.Leaders != 1 {
		t.Errorf("%d leaders at once", res.Leaders)
	}
}

// A leader that is started says again that it is there, and no term begins.
func TestLeaderIsStartedAgain(t *testing.T) {
	res, _ := run(t, 3, raft.Config{Base: base}, electiontest.Network{
		Start: []protocols.ID{0}, Again: []electiontest.At{{ID: 0, Time: 20 * unit}},
	})
	wantTerm(t, res, nil, 0, 1)
	if want := []int{2, 2, 4, 4}; !slices.Equal(res.Sent, want) {
		t.Errorf("sent %v, want %v", res.Sent, want)
	}
}

// box is a world of one process: what it sends and which of its timers run.
type box struct {
	n      int
	sent   []raft.Message
	timers map[protocols.Timer]time.Duration
}

func newBox(n int) *box { return &box{n: n, timers: map[protocols.Timer]time.Duration{}} }

func (b *box) ID() protocols.ID                               { return 0 }
func (b *box) Degree() int                                    { return b.n - 1 }
func (b *box) Neighbor(port int) protocols.ID                 { return protocols.ID(port + 1) }
func (b *box) Send(_ protocols.ID, m raft.Message)            { b.sent = append(b.sent, m) }
func (b *box) SetTimer(t protocols.Timer, d time.Duration)    { b.timers[t] = d }
func (b *box) StopTimer(t protocols.Timer)                    { delete(b.timers, t) }
func (b *box) Intn(n int) int                                 { return n - 1 }
func (b *box) Suspects(protocols.ID) bool                     { return false }
func (b *box) Now() time.Duration                             { panic("a clock") }
func (b *box) last() raft.Message                             { return b.sent[len(b.sent)-1] }
func (b *box) gets(p *raft.Process, from int, m raft.Message) { p.Receive(b, protocols.ID(from), m) }

func request(term, id int) raft.Message {
	return raft.Message{Type: raft.RequestVote, Term: term, ID: election.Identity(id)}
}

func entries(term, id int) raft.Message {
	return raft.Message{Type: raft.AppendEntries, Term: term, ID: election.Identity(id)}
}

func vote(term int, granted bool) raft.Message {
	return raft.Message{Type: raft.Vote, Term: term, Granted: granted}
}

// Figure 2, rules for servers and RequestVote: a process votes once a term, for the
// same candidate again, never in a term that is over, and says its own term.
func TestVotes(t *testing.T) {
	b, p := newBox(3), raft.New(1, raft.Config{Base: base})
	for i, c := range []struct{ request, answer raft.Message }{
		{request(3, 2), vote(3, true)},
		{request(3, 3), vote(3, false)},
		{request(3, 2), vote(3, true)},
		{request(2, 3), vote(3, false)},
		{request(4, 3), vote(4, true)},
	} {
		if b.gets(p, 1, c.request); b.last() != c.answer {
			t.Errorf("%d: %v is answered by %v, want %v", i, c.request, b.last(), c.answer)
		}
	}
}

// A candidate counts each voter once, in its term only, and none that refuses.
func TestCount(t *testing.T) {
	b, p := newBox(5), raft.New(1, raft.Config{Base: base})
	p.Start(b)
	p.Timeout(b, 0)
	for i, m := range []struct {
		from  int
		m     raft.Message
		leads bool
	}{
		{1, vote(1, true), false}, {1, vote(1, true), false}, {2, vote(1, false), false}, {3, vote(0, true), false}, {3, vote(1, true), true},
	} {
		if b.gets(p, m.from, m.m); (p.Decision().Status == election.Leader) != m.leads {
			t.Errorf("after vote %d it decided %+v", i, p.Decision())
		}
	}
	if _, runs := b.timers[0]; runs {
		t.Error("the leader waits for one")
	}
}

// "If RPC request or response contains term T > currentTerm: set currentTerm = T,
// convert to follower" (figure 2): whatever it was, it waits for the leader of T.
func TestLaterTerm(t *testing.T) {
	for _, m := range []raft.Message{request(7, 2), vote(7, false), {Type: raft.AppendReply, Term: 7}} {
		for name, before := range map[string]func(b *box, p *raft.Process){
			"fresh":     func(*box, *raft.Process) {},
			"candidate": func(b *box, p *raft.Process) { p.Start(b); p.Timeout(b, 0) },
			"leader":    func(b *box, p *raft.Process) { p.Start(b); p.Timeout(b, 0); b.gets(p, 1, vote(1, true)) },
			"follower":  func(b *box, p *raft.Process) { b.gets(p, 1, entries(1, 2)) },
		} {
			b, p := newBox(3), raft.New(1, raft.Config{Base: base})
			before(b, p)
			b.gets(p, 1, m)
			if _, waits := b.timers[0]; p.Term() != 7 || p.Decision() != (election.Decision{}) || !waits {
				t.Errorf("%s, %v: term %d, decided %+v, waits %v", name, m, p.Term(), p.Decision(), waits)
			}
		}
	}
}

// AppendEntries of a term that is over is refused; of its own term it makes a
// candidate a follower.
func TestAppendEntries(t *testing.T) {
	b, p := newBox(3), raft.New(1, raft.Config{Base: base})
	b.gets(p, 1, request(2, 3))
	b.gets(p, 1, entries(1, 2))
	if p.Decision() != (election.Decision{}) || b.last() != (raft.Message{Type: raft.AppendReply, Term: 2}) {
		t.Errorf("decided %+v, answered %v", p.Decision(), b.last())
	}
	p.Timeout(b, 0)
	b.gets(p, 1, entries(3, 2))
	if want := (election.Decision{Status: election.Follower, Leader: 2, Term: 3}); p.Decision() != want || len(b.timers) > 0 {
		t.Errorf("decided %+v, timers %v", p.Decision(), b.timers)
	}
	b.gets(p, 2, request(3, 2))
	if len(b.timers) > 0 {
		t.Errorf("who knows the leader of the term waits for one because a request came late: %v", b.timers)
	}
}

// The term and the vote outlive a crash, and nothing else does.
func TestRestore(t *testing.T) {
	b, p := newBox(3), raft.New(1, raft.Config{Base: base})
	b.gets(p, 1, request(5, 3))
	b.gets(p, 2, entries(5, 3))
	fresh := raft.New(1, raft.Config{Base: base})
	fresh.Restore(p)
	fresh.Recover(b)
	if fresh.Term() != 5 || fresh.Decision() != (election.Decision{}) || b.timers[0] != base {
		t.Errorf("term %d, decided %+v, timers %v", fresh.Term(), fresh.Decision(), b.timers)
	}
	for id, granted := range map[int]bool{2: false, 3: true} {
		if b.gets(fresh, 1, request(5, id)); b.last().Granted != granted {
			t.Errorf("after the restart a vote for %d is %v", id, b.last())
		}
	}
}

// With heartbeats a follower watches in the background, and begins a term when it
// hears nothing; the leader repeats itself, and stops when it steps down.
func TestHeartbeats(t *testing.T) {
	cfg := raft.Config{Base: base, Width: 4 * unit, Grain: unit, Heartbeat: 3 * unit}
	b, p := newBox(3), raft.New(1, cfg)
	p.Start(b)
	if b.timers[0] != 14*unit {
		t.Errorf("the largest timeout is %v", b.timers[0])
	}
	b.gets(p, 1, entries(1, 2))
	watch := protocols.Background
	if len(b.timers) != 1 || b.timers[watch] != 14*unit {
		t.Errorf("a follower has the timers %v", b.timers)
	}
	delete(b.timers, watch)
	p.Timeout(b, watch)
	if p.Term() != 2 || b.last() != request(2, 1) {
		t.Errorf("it hears nothing: term %d, sends %v", p.Term(), b.last())
	}
	b.gets(p, 1, vote(2, true))
	beat := protocols.Background - 1
	if len(b.timers) != 1 || b.timers[beat] != 3*unit {
		t.Errorf("a leader has the timers %v", b.timers)
	}
	b.sent = nil
	if p.Timeout(b, beat); !slices.Equal(b.sent, []raft.Message{entries(2, 1), entries(2, 1)}) {
		t.Errorf("it repeats %v", b.sent)
	}
	b.gets(p, 1, request(3, 2))
	if len(b.timers) != 1 || b.timers[0] == 0 {
		t.Errorf("who steps down has the timers %v", b.timers)
	}
}

// A leader dies. Without heartbeats no process notices; a restart of the dead process
// begins the next term.
func TestLeaderDiesAndComesBack(t *testing.T) {
	nw := electiontest.Network{Start: []protocols.ID{0}, Crash: []electiontest.At{{ID: 0, Time: 20 * unit}}}
	if res, _ := run(t, 3, raft.Config{Base: base}, nw); res.Decisions[1].Leader != 1 || res.Decisions[2].Leader != 1 {
		t.Errorf("decided %+v", res.Decisions)
	}
	nw.Recover = []electiontest.At{{ID: 0, Time: 30 * unit}}
	res, _ := run(t, 3, raft.Config{Base: base}, nw)
	wantTerm(t, res, nil, 0, 2)
}

// Two of three live and ask at nearly the same time: the vote is split, and the next
// term has a leader.
func TestTrace(t *testing.T) {
	var trace bytes.Buffer
	run(t, 3, raft.Config{Base: base, Width: base, Grain: unit / 10}, electiontest.Network{
		Start: []protocols.ID{0, 1}, Dead: []protocols.ID{2}, Seed: 7, Trace: &trace,
	})
	golden.Check(t, "split-vote.txt", trace.Bytes())
}

func TestMessages(t *testing.T) {
	for _, c := range []struct {
		m    raft.Message
		text string
		bits int
	}{
		{request(2, 5), "REQUESTVOTE(5, term 2)", 136},
		{vote(2, true), "VOTE(yes, term 2)", 72},
		{vote(2, false), "VOTE(no, term 2)", 72},
		{entries(2, 5), "APPENDENTRIES(5, term 2)", 136},
		{raft.Message{Type: raft.AppendReply, Term: 2}, "APPENDREPLY(term 2)", 72},
	} {
		forged := c.m
		if c.bits == 136 {
			forged.ID = 6
		}
		if c.m.String() != c.text || c.m.Bits() != c.bits || c.m.Forge(func(id int64) int64 { return id + 1 }) != forged {
			t.Errorf("%v: %d bits, forged %v", c.m, c.m.Bits(), c.m.Forge(func(id int64) int64 { return id + 1 }))
		}
	}
}

func TestValidate(t *testing.T) {
	for name, cfg := range map[string]raft.Config{
		"no base":             {},
		"negative width":      {Base: 1, Width: -1},
		"width without grain": {Base: 1, Width: 1},
		"heartbeat of a base": {Base: 1, Heartbeat: 1},
		"negative heartbeat":  {Base: 1, Heartbeat: -1},
		"negative terms":      {Base: 1, Terms: -1},
	} {
		if cfg.Validate() == nil {
			t.Errorf("%s is accepted", name)
		}
		mustPanic(t, name, func() { raft.New(1, cfg) })
	}
	if err := wide.Validate(); err != nil {
		t.Error(err)
	}
}

func mustPanic(t *testing.T, what string, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s: no panic", what)
		}
	}()
	f()
}

func TestWhatCannotBePanics(t *testing.T) {
	p := raft.New(1, wide)
	mustPanic(t, "unknown timer", func() { p.Timeout(newBox(3), 7) })
	mustPanic(t, "unknown message", func() { p.Receive(newBox(3), 1, raft.Message{Type: 9}) })
}
