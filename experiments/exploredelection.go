package experiments

import (
	"slices"
	"time"

	"bullring/netem/explore"
	"bullring/protocols"
	"bullring/protocols/election"
)

// electionProperties are what an exploration of an election judges.
func electionProperties(promise election.Promise) []explore.Property {
	return []explore.Property{
		{Name: "E1", Kind: explore.Always, Says: promise.Winner.Says()},
		{Name: "E2", Kind: explore.Eventually, Says: "every live process decides, or what else is promised"},
		{Name: "rest", Kind: explore.Finally, Says: "every run comes to rest"},
		{Name: "elected", Kind: explore.Sometimes, Says: "one leader, followed as promised"},
	}
}

// exploredElection watches an election for the explorer.
type exploredElection struct {
	checker   *election.Checker
	decisions []election.Decision
	elected   bool // one leader was followed as promised, at some time
}

var _ explore.Rotator = (*exploredElection)(nil)

// Started implements explore.Watch.
func (w *exploredElection) Started(p protocols.ID, process any, now time.Duration) {
	w.checker.Started(p, now)
	w.decided(p, process, now)
}

// Received implements explore.Watch.
func (w *exploredElection) Received(p protocols.ID, process any, now time.Duration) {
	w.checker.TookPart(p)
	w.decided(p, process, now)
}

// Expired implements explore.Watch.
func (w *exploredElection) Expired(p protocols.ID, process any, now time.Duration) {
	w.decided(p, process, now)
}

// Crashed implements explore.Watch.
func (w *exploredElection) Crashed(p protocols.ID, now time.Duration) {
	w.decisions[p] = election.Decision{}
	w.checker.Crashed(p, now)
	w.elected = w.elected || w.checker.Followed()
}

// Restarted implements explore.Watch.
func (w *exploredElection) Restarted(p protocols.ID, process any, now time.Duration) {
	w.checker.Restarted(p, now)
	w.decided(p, process, now)
}

func (w *exploredElection) decided(p protocols.ID, process any, now time.Duration) {
	if d := process.(election.Elector).Decision(); d != w.decisions[p] {
		w.decisions[p] = d
		w.checker.Decided(p, d, now)
		w.elected = w.elected || w.checker.Followed()
	}
}

// Verdicts implements explore.Watch.
func (w *exploredElection) Verdicts(rest bool) []protocols.Verdict {
	checks := w.checker.Checks(rest)
	elected := protocols.Undecided
	if w.elected {
		elected = protocols.Holds
	}
	return []protocols.Verdict{checks[0].Verdict, checks[1].Verdict, protocols.Undecided, elected}
}

// Rotate implements explore.Rotator.
func (w *exploredElection) Rotate() {
	w.checker.Rotate()
	w.decisions = slices.Concat(w.decisions[len(w.decisions)-1:], w.decisions[:len(w.decisions)-1])
}

// newElectionExplored is the watch of a search that judges an instance or, if it
// measures, of one that sees no more than what that takes.
func newElectionExplored(in *Instance, promise election.Promise, measure explore.Measure) explore.Watch {
	switch measure {
	case explore.Nothing:
		w := &exploredElection{checker: election.NewChecker(in.Ranks, in.Order, promise), decisions: make([]election.Decision, in.N)}
		for _, p := range in.Dead {
			w.checker.Crashed(p, 0)
		}
		return w
	case explore.Time:
		return &decisions{make([]election.Decision, in.N)}
	}
	return &decisions{}
}

// decisions is the watch of a search that judges nothing. It sees when a decision
// changes or, if it has no room for them, nothing.
type decisions struct{ of []election.Decision }

// Started implements explore.Watch.
func (d *decisions) Started(p protocols.ID, process any, _ time.Duration) { d.look(p, process) }

// Received implements explore.Watch.
func (d *decisions) Received(p protocols.ID, process any, _ time.Duration) { d.look(p, process) }

// Expired implements explore.Watch.
func (d *decisions) Expired(p protocols.ID, process any, _ time.Duration) { d.look(p, process) }

// Crashed implements explore.Watch. Nobody does.
func (d *decisions) Crashed(protocols.ID, time.Duration) {}

// Restarted implements explore.Watch. Nobody does.
func (d *decisions) Restarted(protocols.ID, any, time.Duration) {}

// Verdicts implements explore.Watch.
func (d *decisions) Verdicts(bool) []protocols.Verdict { return nil }

func (d *decisions) look(p protocols.ID, process any) {
	if d.of != nil {
		d.of[p] = process.(election.Elector).Decision()
	}
}
