package families

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"bullring/experiments/trial"
	"bullring/netem/explore"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/superpeer"
)

// The outcomes of choosing superpeers.
const (
	Assigned    trial.Outcome = "assigned"      // every process that looked for a superpeer has the right one
	Misassigned trial.Outcome = "misassigned"   // a process has a wrong one
	Unassigned  trial.Outcome = "unassigned"    // a process has none
	Settled     trial.Outcome = "settled"       // every token has made a superpeer
	Broken      trial.Outcome = "broken tokens" // there was a token too many, or a superpeer without one
	Unsettled   trial.Outcome = "unsettled"     // a token is lost, or has made no superpeer
)

func superpeersMetric(measure trial.Measure) trial.Metric {
	return trial.Metric{Name: "superpeers", Unit: "processes", Meaning: "processes that live and are superpeers in the end", Axis: "superpeers", Summary: true, Measure: measure}
}

var assignmentFamily = trial.Family{
	Name: "superpeer",
	Checks: []explore.Property{
		{Name: "responsible", Kind: explore.Always, Says: "no process has a wrong superpeer, and none serves for nothing"},
		{Name: "found", Kind: explore.Eventually, Says: "every process that looks for a superpeer finds one that serves"},
	},
	Bands: []trial.Band{
		{Name: "superpeer", Says: "serves other processes", Look: looks.Fill{Colour: looks.Green, Texture: looks.Full},
			In: trial.InBand(func(p superpeer.Peer) bool { return p.Serves() })},
	},
	Right: []trial.Outcome{Assigned},
	Wrong: []trial.Outcome{Misassigned, Unassigned},
	Metrics: []trial.Metric{
		superpeersMetric(trial.JudgedBy(func(j *assignmentJudge) (float64, bool) { return float64(j.checker.Superpeers()), true })),
		{Name: "hops", Unit: "hops", Meaning: "mean number of hops of a lookup, over those that have any", Axis: "hops of a lookup", Summary: true,
			Measure: trial.JudgedBy(func(j *assignmentJudge) (float64, bool) {
				return float64(j.hops) / float64(max(j.asked, 1)), j.asked > 0
			})},
	},
}

// SuperpeerLookup completes the declaration of an algorithm by which processes look up their
// superpeers. Initiators look one up. right returns the superpeer that each process should
// find, by address. The first kind of messages sends a lookup to another process, the second
// forwards it.
func SuperpeerLookup[M protocols.Message](a trial.Algorithm, right func(*trial.Instance) []protocols.ID, build trial.Build[M]) trial.Algorithm {
	return trial.Judged(a, assignmentFamily, func(in *trial.Instance, _ bool) trial.Judge {
		return &assignmentJudge{checker: superpeer.NewAssignment(right(in))}
	}, build)
}

// assignmentJudge judges a run in which processes look for superpeers.
type assignmentJudge struct {
	checker *superpeer.Assignment
	asked   uint64 `explore:"-"` // lookups that had a hop
	hops    uint64 `explore:"-"`
}

// Started implements explore.Watch.
func (j *assignmentJudge) Started(p protocols.ID, process any, now time.Duration) {
	j.checker.Started(p)
	j.Received(p, process, now)
}

// Received implements explore.Watch.
func (j *assignmentJudge) Received(p protocols.ID, process any, now time.Duration) {
	j.checker.Stepped(p, process.(superpeer.Peer), now)
}

// Expired implements explore.Watch.
func (j *assignmentJudge) Expired(p protocols.ID, process any, now time.Duration) {
	j.Received(p, process, now)
}

// Restarted implements explore.Watch.
func (j *assignmentJudge) Restarted(p protocols.ID, process any, now time.Duration) {
	j.Received(p, process, now)
}

// Crashed implements explore.Watch.
func (j *assignmentJudge) Crashed(p protocols.ID, _ time.Duration) { j.checker.Crashed(p) }

// Verdicts implements explore.Watch.
func (j *assignmentJudge) Verdicts(rest bool) []protocols.Verdict {
	return trial.VerdictsOf(j.checker.Checks(rest), j.Outcome() == Assigned && j.checker.Superpeers() > 0)
}

// Checks implements Judge.
func (j *assignmentJudge) Checks(rest bool) []protocols.Check { return j.checker.Checks(rest) }

// Outcome implements Judge.
func (j *assignmentJudge) Outcome() trial.Outcome {
	switch {
	case !j.checker.Right():
		return Misassigned
	case !j.checker.Complete():
		return Unassigned
	}
	return Assigned
}

// News implements Judge.
func (j *assignmentJudge) News(p protocols.ID, process any) string {
	peer := process.(superpeer.Peer)
	superpeer, known := peer.Superpeer()
	was, knew := j.checker.Known(p)
	switch serves := peer.Serves() && !j.checker.Serves(p); {
	case serves && known && !knew:
		return "is its own superpeer"
	case serves:
		return "is a superpeer"
	case known && (!knew || was != superpeer):
		return fmt.Sprintf("has superpeer %d", superpeer)
	}
	return ""
}

// The kinds of messages that are hops of a lookup.
const (
	lookupKind  = 0
	forwardKind = 1
)

// Conclude implements Concluder.
func (j *assignmentJudge) Conclude(r *trial.Result) {
	j.asked = r.Counters.Sent[lookupKind]
	j.hops = j.asked + r.Counters.Sent[forwardKind]
}

var tokensFamily = trial.Family{
	Name: "superpeer",
	Checks: []explore.Property{
		{Name: "tokens", Kind: explore.Always, Says: "no token is in two places, and no process holds two"},
		{Name: "held", Kind: explore.Always, Says: "superpeers have held a token for the required time, and keep it"},
		{Name: "promoted", Kind: explore.Eventually, Says: "every token makes a superpeer"},
	},
	Bands: []trial.Band{
		{Name: "superpeer", Says: "serves other processes", Look: looks.Fill{Colour: looks.Green, Texture: looks.Full},
			In: trial.InBand(func(p superpeer.Keeper) bool { return p.Serves() })},
		{Name: "with a token", Says: "has a token, and is not yet a superpeer", Look: looks.Fill{Colour: looks.Orange, Texture: looks.Zigzag},
			In: trial.InBand(func(p superpeer.Keeper) bool { _, holds := p.Token(); return holds })},
	},
	Right: []trial.Outcome{Settled},
	Wrong: []trial.Outcome{Broken, Unsettled},
	Metrics: []trial.Metric{
		superpeersMetric(trial.JudgedBy(func(j *tokensJudge) (float64, bool) { return float64(j.checker.Superpeers()), true })),
		{Name: "moves", Unit: "moves", Meaning: "how often a token came to a process", Axis: "moves of tokens", Summary: true,
			Measure: trial.JudgedBy(func(j *tokensJudge) (float64, bool) { return float64(j.checker.Moves()), true })},
		{Name: "evenness_before", Meaning: "index of Clark and Evans of where the tokens began: 1 at random, 2.149 a hexagonal lattice; two dimensions only", Axis: "Clark-Evans index before",
			Measure: trial.JudgedBy(func(j *tokensJudge) (float64, bool) { return j.scattered.evenness(j.checker.First()) })},
		{Name: "evenness", Meaning: "index of Clark and Evans of where the tokens ended: 1 at random, 2.149 a hexagonal lattice; two dimensions only", Axis: "Clark-Evans index", Summary: true,
			Measure: trial.JudgedBy(func(j *tokensJudge) (float64, bool) { return j.scattered.evenness(j.checker.At()) })},
	},
}

// Scattered describes the tokens and the space of an instance.
type Scattered struct {
	Holders []protocols.ID // the process where each token begins
	Hold    time.Duration  // how long a process holds a token before it becomes a superpeer
	Places  [][2]float64   // of the processes, by address, from 0 to Side; nil unless the space is a plane
	Side    float64
}

// evenness returns the index of Clark and Evans of some processes. ok is false if it is not
// defined.
func (s *Scattered) evenness(at []protocols.ID) (v float64, ok bool) {
	if s.Places == nil || len(at) < 2 || slices.Min(at) < 0 {
		return 0, false
	}
	where := make([][2]float64, len(at))
	for i, p := range at {
		where[i] = s.Places[p]
	}
	return superpeer.Evenness(where, s.Side*s.Side), true
}

// points returns the places of some processes, with Side as the unit.
func (s *Scattered) points(at []protocols.ID) [][2]float64 {
	var points [][2]float64
	for _, p := range at {
		if p >= 0 { // else the token is under way
			points = append(points, [2]float64{s.Places[p][0] / s.Side, s.Places[p][1] / s.Side})
		}
	}
	return points
}

// SuperpeerTokens completes the declaration of an algorithm in which holders of tokens
// become superpeers.
func SuperpeerTokens[M protocols.Message](a trial.Algorithm, scattered func(*trial.Instance) Scattered, build trial.Build[M]) trial.Algorithm {
	a.Pictured = func(in *trial.Instance) error {
		if s := scattered(in); s.Places == nil {
			return fmt.Errorf("runs of %s have a picture in two dimensions only; given is %s", a.Name, in.Setting.Param)
		}
		return nil
	}
	return trial.Judged(a, tokensFamily, func(in *trial.Instance, measured bool) trial.Judge {
		s := scattered(in)
		hold := s.Hold
		if !measured || in.Setting.Schedule != "" {
			hold = -1 // there is no time
		}
		return &tokensJudge{checker: superpeer.NewTokens(in.N, s.Holders, hold), scattered: s}
	}, build)
}

// tokensJudge judges a run in which tokens move.
type tokensJudge struct {
	checker   *superpeer.Tokens
	scattered Scattered `explore:"-"`
}

// Received implements explore.Watch.
func (j *tokensJudge) Received(p protocols.ID, process any, now time.Duration) {
	j.checker.Stepped(p, process.(superpeer.Keeper), now)
}

// Started implements explore.Watch.
func (j *tokensJudge) Started(p protocols.ID, process any, now time.Duration) {
	j.Received(p, process, now)
}

// Expired implements explore.Watch.
func (j *tokensJudge) Expired(p protocols.ID, process any, now time.Duration) {
	j.Received(p, process, now)
}

// Restarted implements explore.Watch.
func (j *tokensJudge) Restarted(p protocols.ID, process any, now time.Duration) {
	j.Received(p, process, now)
}

// Crashed implements explore.Watch.
func (j *tokensJudge) Crashed(p protocols.ID, _ time.Duration) { j.checker.Crashed(p) }

// Verdicts implements explore.Watch.
func (j *tokensJudge) Verdicts(rest bool) []protocols.Verdict {
	return trial.VerdictsOf(j.checker.Checks(rest), j.Outcome() == Settled)
}

// Checks implements Judge.
func (j *tokensJudge) Checks(rest bool) []protocols.Check { return j.checker.Checks(rest) }

// Outcome implements Judge.
func (j *tokensJudge) Outcome() trial.Outcome {
	switch {
	case !j.checker.Safe():
		return Broken
	case !j.checker.Settled():
		return Unsettled
	}
	return Settled
}

// News implements Judge.
func (j *tokensJudge) News(p protocols.ID, process any) string {
	keeper := process.(superpeer.Keeper)
	token, holds := keeper.Token()
	was, served := j.checker.Held(p)
	switch {
	case keeper.Serves() && !served:
		return fmt.Sprintf("is a superpeer, with token %d", token)
	case holds && was != token:
		return fmt.Sprintf("holds token %d", token)
	case !holds && was >= 0:
		return fmt.Sprintf("gives token %d away", was)
	}
	return ""
}

// Picture implements Picturer. It shows all processes, and where tokens began and ended.
func (j *tokensJudge) Picture() trial.Picture {
	s := &j.scattered
	all := make([]protocols.ID, len(s.Places))
	for p := range all {
		all[p] = protocols.ID(p)
	}
	return trial.Picture{
		Title: fmt.Sprintf("Clark–Evans index: %s before, %s after", index(s.evenness(j.checker.First())), index(s.evenness(j.checker.At()))),
		X:     "first coordinate (sides of the space)",
		Y:     "second coordinate (sides of the space)",
		All:   trial.Places{Label: "process", At: s.points(all)},
		First: trial.Places{Label: "token at first", At: s.points(j.checker.First())},
		Last:  trial.Places{Label: "token at rest", Key: "tokens", At: s.points(j.checker.At())},
	}
}

// index prints an index of evenness.
func index(v float64, ok bool) string {
	if !ok {
		return "none"
	}
	return strconv.FormatFloat(v, 'f', 3, 64)
}
