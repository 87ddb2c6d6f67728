package experiments

import (
	"bullring/des"
	"bullring/netem"
	"bullring/netem/explore"
	"bullring/protocols"
	"bullring/protocols/box"
	"bullring/protocols/election"
)

// ElectionFamily is the name of the family of elections.
const ElectionFamily = "election"

// Election completes the declaration of an election algorithm: this is where
// its message type is forgotten. promise tells what an instance promises; build
// makes the maker of an instance's processes.
func Election[M protocols.Message](a Algorithm, promise func(*Instance) election.Promise,
	build func(*Instance) func(protocols.ID) election.Process[M],
) Algorithm {
	a.Family = ElectionFamily
	a.Checks = []string{"E1", "E2"}
	a.Outcomes = []Outcome{Unfinished, Elected, NoLeader, SeveralLeaders}
	a.Metrics = append(electionMetrics(), a.Metrics...)
	a.elects = func(in *Instance) func(protocols.ID) protocols.Process[box.Message] {
		made := build(in)
		return func(p protocols.ID) protocols.Process[box.Message] { return box.Wrap(protocols.Process[M](made(p))) }
	}
	return model[M]{
		build: func(in *Instance) func(protocols.ID) protocols.Process[M] {
			made := build(in)
			return func(p protocols.ID) protocols.Process[M] { return made(p) }
		},
		judge: func(in *Instance) judge { return newElectionWatch(in, promise(in)) },
		watch: func(in *Instance, measure explore.Measure) explore.Watch {
			return newElectionExplored(in, promise(in), measure)
		},
		properties: func(in *Instance) []explore.Property { return electionProperties(promise(in)) },
		commutes:   true,
	}.complete(a)
}

// electionWatch is the judge of an election: it tells the checker, and the faults
// that wait for a leader.
type electionWatch struct {
	vantage
	checker          *election.Checker
	seats            []watched
	elected, decided des.Time // latest

	vacated    des.Time // when a leader crashed, until another leads; else -1
	leaderless des.Time // the longest time from one to the other; -1 if there was none
}

// watched is a process, and its decision when it was last looked at, side by
// side: every event looks at both.
type watched struct {
	elector  election.Elector
	decision election.Decision
}

func newElectionWatch(in *Instance, promise election.Promise) *electionWatch {
	return &electionWatch{
		checker: election.NewChecker(in.Ranks, in.Order, promise),
		seats:   make([]watched, in.N),
		elected: -1, decided: -1, vacated: -1, leaderless: -1,
	}
}

func (w *electionWatch) sit(p protocols.ID, process any) {
	w.seats[p] = watched{elector: process.(election.Elector)}
}

func (w *electionWatch) dead(p protocols.ID) { w.checker.Crashed(p, 0) }

// Stepped implements netem.Observer.
func (w *electionWatch) Stepped(id protocols.ID) {
	s := &w.seats[id]
	if d := s.elector.Decision(); d != s.decision {
		s.decision = d
		w.changed(id, d)
	}
}

// Started implements netem.Observer.
func (w *electionWatch) Started(id protocols.ID) {
	if w.reached(id) {
		w.checker.TookPart(id)
	}
	w.checker.Started(id, w.instant())
	w.Stepped(id)
}

func (w *electionWatch) changed(id protocols.ID, d election.Decision) {
	w.checker.Decided(id, d, w.instant())
	w.decided = w.now()
	if d.Status == election.Leader {
		w.elected = w.decided
		if w.vacated >= 0 {
			w.leaderless, w.vacated = max(w.leaderless, w.elected-w.vacated), -1
		}
		if w.faults != nil {
			w.faults.Became(id)
		}
	}
}

// Crashed implements netem.Observer.
func (w *electionWatch) Crashed(id protocols.ID) {
	if w.reached(id) {
		w.checker.TookPart(id)
	}
	w.checker.Crashed(id, w.instant())
	if w.seats[id].decision.Status == election.Leader {
		w.vacated = w.now()
	}
}

// Restarted implements netem.Observer.
func (w *electionWatch) Restarted(id protocols.ID) {
	w.checker.Restarted(id, w.instant())
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

func (w *electionWatch) checks(rest bool) []protocols.Check { return w.checker.Checks(rest) }

func (w *electionWatch) conclude(r *Result) {
	for id := range w.seats {
		if w.reached(protocols.ID(id)) {
			w.checker.TookPart(protocols.ID(id))
		}
	}
	rest := r.End == netem.Quiescent
	r.Time, r.Elected, r.Decided = max(r.Time, w.decided), w.elected, w.decided
	r.Leaders, r.Correct, r.Followed = w.checker.MostLeaders(), rest && w.checker.Correct(), rest && w.checker.Followed()
	r.Checks = w.checks(rest)
	if w.leaderless >= 0 {
		gap := r.Instance.Units(w.leaderless)
		r.measure = func(metric string) (float64, bool) { return gap, metric == "leaderless" }
	}
	if w.traced {
		r.Decisions = w.checker.Decisions()
	}
	leaders := w.checker.Leaders()
	switch {
	case !rest: // unfinished
	case len(leaders) == 0:
		r.Outcome = NoLeader
	case len(leaders) == 1:
		r.Outcome, r.Leader, r.Term = Elected, r.Instance.Ranks[leaders[0]].ID, w.seats[leaders[0]].decision.Term
	default:
		r.Outcome = SeveralLeaders
	}
}
