package experiments

import (
	"context"

	"bullring/des"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/election"
)

// Election completes the declaration of an election algorithm: this is where
// its message type is forgotten. promise tells what an instance promises to
// those who do not win; build makes the maker of an instance's processes.
func Election[M protocols.Message](a Algorithm, promise func(*Instance) election.Promise,
	build func(*Instance) func(protocols.ID) election.Process[M],
) Algorithm {
	var m M
	a.Family = "election"
	a.Kinds = m.Kinds()
	a.Checks = []string{"E1", "E2"}
	a.newRunner = func() runner {
		return &electionRunner[M]{promise: promise, build: build}
	}
	return a
}

type electionRunner[M protocols.Message] struct {
	promise func(*Instance) election.Promise
	build   func(*Instance) func(protocols.ID) election.Process[M]
	net     *netem.Network[M]
}

func (r *electionRunner[M]) run(ctx context.Context, in *Instance, trace TraceFunc) *Result {
	build := r.build(in)
	watch := &electionWatch{
		checker: election.NewChecker(in.Ranks, in.Order, r.promise(in)),
		seats:   make([]watched, in.N),
		elected: -1, decided: -1,
	}
	boot := func(id protocols.ID) protocols.Process[M] {
		p := build(id)
		watch.seats[id] = watched{elector: p}
		return p
	}
	net := r.network(in, boot)
	watch.now = net.Now
	net.Observe(watch)
	if trace != nil {
		net.Trace(trace(watch.news))
	}
	for _, p := range in.Dead {
		net.CrashAt(p, 0)
	}
	in.Plan.Install(net)
	for _, p := range in.Initiators {
		net.StartAt(p, 0)
	}
	end := net.Run(ctx)
	return watch.result(in, end, net.Counters(), net.Fingerprint())
}

func (r *electionRunner[M]) network(in *Instance, boot func(protocols.ID) protocols.Process[M]) *netem.Network[M] {
	cfg := netem.Config{
		Topology: in.Topology, Delay: in.Delay, FIFO: in.FIFO, Seed: in.Setting.Seed,
		MaxEvents: in.Setting.MaxEvents, MaxTime: in.MaxTime, MaxPending: DefaultMaxPending,
	}
	if r.net == nil {
		r.net = netem.New(cfg, boot)
	} else {
		r.net.Reset(cfg, boot)
	}
	return r.net
}

// electionWatch observes a run and tells the checker.
type electionWatch struct {
	checker          *election.Checker
	seats            []watched
	now              func() des.Time
	elected, decided des.Time // latest
}

// watched is a process, and its decision when it was last looked at, side by
// side: every event looks at both.
type watched struct {
	elector  election.Elector
	decision election.Decision
}

func (w *electionWatch) Stepped(id protocols.ID) {
	s := &w.seats[id]
	if d := s.elector.Decision(); d != s.decision {
		s.decision = d
		w.changed(id, d)
	}
}

func (w *electionWatch) changed(id protocols.ID, d election.Decision) {
	w.checker.Decided(id, d)
	w.decided = w.now()
	if d.Status == election.Leader {
		w.elected = w.decided
	}
}

func (w *electionWatch) Crashed(id protocols.ID) { w.checker.Crashed(id) }

func (w *electionWatch) Restarted(id protocols.ID) {
	w.checker.Restarted(id)
	w.Stepped(id)
}

// news says what a process has decided, if the event that it just handled
// changed that.
func (w *electionWatch) news(id protocols.ID) string {
	d := w.seats[id].elector.Decision()
	if d == w.seats[id].decision {
		return ""
	}
	switch d.Status {
	case election.Leader:
		return "is the leader"
	case election.Follower:
		return "follows " + election.Rank{ID: d.Leader}.String()
	}
	return "is undecided again"
}

func (w *electionWatch) result(in *Instance, end netem.End, c netem.Counters, fingerprint uint64) *Result {
	r := &Result{
		Instance: in, End: end, Counters: c, Fingerprint: fingerprint,
		Time: max(c.LastMessage, w.decided), Elected: w.elected, Decided: w.decided,
		Checks: w.checker.Checks(end == netem.Quiescent),
	}
	leaders := w.checker.Leaders()
	switch {
	case end != netem.Quiescent:
		r.Outcome = Unfinished
	case len(leaders) == 0:
		r.Outcome = NoLeader
	case len(leaders) == 1:
		r.Outcome, r.Leader = Elected, in.Ranks[leaders[0]].ID
	default:
		r.Outcome = SeveralLeaders
	}
	return r
}
