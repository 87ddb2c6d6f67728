package families

import (
	"math"
	"slices"
	"time"

	"bullring/des"
	"bullring/experiments/trial"
	"bullring/netem"
	"bullring/netem/explore"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/election"
)

// The outcomes of elections.
const (
	Elected        trial.Outcome = "elected"         // one live process is the leader, or one in each component
	NoLeader       trial.Outcome = "no leader"       // no live process is
	SeveralLeaders trial.Outcome = "several leaders" // more than one is
)

// The effects of a strike on an election, from the least to the worst.
const (
	OtherLeader trial.Effect = "other leader" // another leader, and as many follow it
	Split       trial.Effect = "split"        // one leader; a process does not follow it that followed the leader before
	Leaderless  trial.Effect = "no leader"
	TwoLeaders  trial.Effect = "two leaders" // or more
)

var electionFamily = trial.Family{
	Name: "election",
	Checks: []explore.Property{
		{Name: "E1", Kind: explore.Always},
		{Name: "E2", Kind: explore.Eventually, Says: "every live process decides, or what else is promised"},
	},
	Bands: []trial.Band{
		{Name: "leader", Says: "takes itself for the leader", Look: looks.Fill{Colour: looks.Green, Texture: looks.Full},
			In: trial.InBand(func(e election.Elector) bool { return e.Decision().Status == election.Leader })},
	},
	Done:    explore.Property{Name: "elected", Says: "one leader, followed as promised"},
	Right:   []trial.Outcome{Elected},
	Wrong:   []trial.Outcome{NoLeader, SeveralLeaders},
	Effects: []trial.Effect{OtherLeader, Split, Leaderless, TwoLeaders},
	Metrics: []trial.Metric{
		{Name: "elected_time", Unit: trial.Units, Meaning: "when the leader knew that it is", Axis: "time to elect", Summary: true, Aside: "elected",
			Measure: trial.TimedBy(func(j *electionJudge) (time.Duration, bool) { return time.Duration(j.run.elected), j.run.elected >= 0 })},
		{Name: "decided_time", Unit: trial.Units, Meaning: "when the last decision changed", Axis: "time to decide", Aside: "last decision",
			Measure: trial.TimedBy(func(j *electionJudge) (time.Duration, bool) { return time.Duration(j.run.decided), j.run.decided >= 0 })},
		{Name: "correct", Meaning: "1 if the election came out right: at rest, the only leader was the process that the algorithm promises, and everybody who is to learn that followed it; 0 if not, or if the run ended at a limit", Axis: "probability of a correct election", Proportion: true, Summary: true,
			Measure: trial.Correct},
		{Name: "split_brain", Meaning: "1 if at some time more than one live process took itself for the leader", Axis: "probability of two leaders at once", Proportion: true, Zero: true, Unlisted: true,
			Measure: trial.JudgedBy(func(j *electionJudge) (float64, bool) { return oneIf(j.checker.MostLeaders() > 1), true })},
		{Name: "leaders", Unit: "processes", Meaning: "largest number of processes that took themselves for the leader at the same time", Axis: "leaders at the same time", Zero: true, Unlisted: true,
			Measure: trial.JudgedBy(func(j *electionJudge) (float64, bool) { return float64(j.checker.MostLeaders()), true })},
	},
	Optional: Terms,
	Ear:      NewElectionEar,
	Commutes: true,
	Measured: newDecisions,
}

// Terms are the metrics of an election that numbers its leaders and replaces a crashed one.
var Terms = []trial.Metric{
	{Name: "term", Unit: "terms", Meaning: "term of the leader: how many elections it took, if nobody was elected before", Axis: "terms", Summary: true,
		Measure: trial.JudgedBy(func(j *electionJudge) (float64, bool) { return float64(j.run.term), j.run.term > 0 })},
	{Name: "split_vote", Meaning: "1 if the leader is not that of the first term; 0 if it is", Axis: "probability of a split vote", Proportion: true, Summary: true,
		Measure: trial.JudgedBy(func(j *electionJudge) (float64, bool) { return oneIf(j.run.term > 1), j.run.term > 0 })},
	{Name: "leaderless", Unit: trial.Units, Meaning: "longest time from the crash of a leader until another knew that it leads; none if no leader crashed and had a successor", Axis: "time without a leader", Named: true,
		Measure: trial.TimedBy(func(j *electionJudge) (time.Duration, bool) {
			return time.Duration(j.run.leaderless), j.run.leaderless >= 0
		})},
}

// Election completes the declaration of an election. promise returns what an instance
// promises; build makes its processes.
func Election[M protocols.Message](a trial.Algorithm, promise func(*trial.Instance) election.Promise,
	build func(*trial.Instance) func(protocols.ID) election.Process[M],
) trial.Algorithm {
	f := electionFamily
	f.Promised = func(in *trial.Instance) []explore.Property {
		checks := slices.Clone(f.Checks)
		p := promise(in)
		if checks[0].Says = p.Winner.Says(); p.Winner == election.Local || p.Winner == election.BestAtRest {
			checks[1].Says = p.Ends()
		}
		return checks
	}
	return trial.Judged(a, f, func(in *trial.Instance, measured bool) trial.Judge {
		return newElectionJudge(in, promise(in), measured)
	}, func(in *trial.Instance) func(protocols.ID) protocols.Process[M] {
		made := build(in)
		return func(p protocols.ID) protocols.Process[M] { return made(p) }
	})
}

// Candidates is a band for elections whose processes can be candidates. says tells when one is. A
// leader is none.
func Candidates[P interface {
	election.Elector
	Candidate() bool
}](says string) trial.Band {
	return trial.Band{Name: "candidate", Says: says, Look: looks.Fill{Colour: looks.Orange, Texture: looks.Zigzag},
		In: trial.InBand(func(p P) bool { return p.Candidate() && p.Decision().Status != election.Leader })}
}

// ElectionResult is the result of an election.
type ElectionResult struct {
	Leader election.Identity // if the outcome is Elected
	Term   int               // of the leader, in an election that numbers its leaders
	// Elected is the last time at which a process became the leader, Decided the last time
	// at which a decision changed; -1 if there is none.
	Elected, Decided des.Time
	// Leaders is the largest number of processes that were leaders at the same time.
	Leaders int
	// Followed: at rest there was one leader, the best process or not, and the others
	// followed it as the algorithm promises.
	Followed bool
	// Decisions are the decisions of the live processes, by address.
	Decisions []election.Decision
}

// ElectionOf returns the result of a run of an election. It is empty if the run is of
// another family, or a handler panicked.
func ElectionOf(r *trial.Result) ElectionResult {
	j, ok := r.Judge.(*electionJudge)
	if !ok {
		return ElectionResult{Elected: -1, Decided: -1}
	}
	e := ElectionResult{
		Term: j.run.term, Elected: j.run.elected, Decided: j.run.decided,
		Leaders: j.checker.MostLeaders(), Followed: j.run.followed, Decisions: j.checker.Decisions(),
	}
	e.Leader, _ = j.Leader()
	return e
}

// electionJudge judges an election.
type electionJudge struct {
	checker  *election.Checker // it has the decisions when processes were last looked at
	local    bool              `explore:"-"` // each component has its leader
	followed bool              // what is explored has had one leader, followed as promised
	run      *electionRun      `explore:"-"` // nil of what is explored
}

// electionRun is the part of the judge that measures a run.
type electionRun struct {
	view             *trial.View
	observer         decisionObserver
	ranks            election.Ranks
	elected, decided des.Time // latest; -1 if never

	agreement *agreement // nil unless each component has its leader
	standings *standings // nil unless one process of a component is better than another, too

	vacated    des.Time // when a leader crashed that has no successor yet; else -1
	leaderless des.Time // the longest time from a crash to the successor; -1 if there is none

	led      bool         // at the end there was one leader
	leader   protocols.ID // if led
	term     int
	followed bool
}

func newElectionJudge(in *trial.Instance, promise election.Promise, measured bool) *electionJudge {
	ranks := in.Ranks
	if !measured { // ranks are part of an explored state, however they are placed
		ranks = election.Listed(ranks.List())
	}
	local := promise.Winner == election.Local
	if local && !measured { // time that passes is not part of an explored state
		promise.Rest = math.MaxInt64
	}
	j := &electionJudge{checker: election.NewChecker(ranks, in.Order, promise), local: local}
	j.checker.Relinked(neighborsOf(in), 0)
	if measured {
		j.run = &electionRun{
			observer: decisionObserver{electors: make([]election.Elector, in.Kept()), checker: j.checker},
			ranks:    in.Ranks, elected: -1, decided: -1, vacated: -1, leaderless: -1,
		}
		if local {
			j.run.agreement = &agreement{checker: j.checker}
			if promise.Criterion != election.NoCriterion {
				j.run.standings = &standings{checker: j.checker, stale: true}
			}
		}
	}
	return j
}

// See implements Viewer.
func (j *electionJudge) See(v *trial.View) { j.run.view, j.run.observer.view = v, v }

// Relinked implements explore.LinkWatch.
func (j *electionJudge) Relinked(near func(protocols.ID) []protocols.ID, now time.Duration, ends ...protocols.ID) {
	j.passed(now)
	j.checker.Relinked(near, now, ends...)
	if len(ends) > 0 && j.local && j.run != nil {
		j.run.agreement.changes++
	}
	j.measure(now)
}

// passed tells the measures of where leaders stand that something is about to change.
func (j *electionJudge) passed(now time.Duration) {
	if j.run != nil && j.run.standings != nil {
		j.run.standings.passed(now)
		j.run.standings.stale = true
	}
}

// measure tells the measures of agreement that something has changed.
func (j *electionJudge) measure(now time.Duration) {
	if j.run != nil && j.local {
		j.run.agreement.changed(now)
	}
}

// Made implements Selective.
func (j *electionJudge) Made(p protocols.ID, process any) {
	if kept := j.run.observer.electors; int(p) < len(kept) {
		kept[p] = trial.As[election.Elector](process)
	}
	j.checker.Renewed(p)
}

// Filter implements Selective. It passes on the few steps that change a decision.
func (j *electionJudge) Filter(next netem.Observer) netem.Observer {
	j.run.observer.Observer = next
	return &j.run.observer
}

type decisionObserver struct {
	netem.Observer
	electors []election.Elector // by address, as many as are kept
	view     *trial.View
	checker  *election.Checker
}

// Stepped implements netem.Observer.
func (o *decisionObserver) Stepped(p protocols.ID) {
	if o.checker.Changed(p, o.elector(p).Decision()) {
		o.Observer.Stepped(p)
	}
}

func (o *decisionObserver) elector(p protocols.ID) election.Elector {
	if i := uint(p); i < uint(len(o.electors)) {
		return o.electors[i]
	}
	return o.lookUp(p)
}

// lookUp is apart from elector, so that the compiler inlines that.
//
//go:noinline
func (o *decisionObserver) lookUp(p protocols.ID) election.Elector {
	return trial.As[election.Elector](o.view.Process(p))
}

// Started implements explore.Watch.
func (j *electionJudge) Started(p protocols.ID, process any, now time.Duration) {
	j.reached(p)
	j.checker.Started(p, now)
	j.look(p, process, now)
}

// Received implements explore.Watch.
func (j *electionJudge) Received(p protocols.ID, process any, now time.Duration) {
	if j.run == nil {
		j.checker.TookPart(p)
	}
	j.look(p, process, now)
}

// Expired implements explore.Watch.
func (j *electionJudge) Expired(p protocols.ID, process any, now time.Duration) {
	j.look(p, process, now)
}

// Crashed implements explore.Watch.
func (j *electionJudge) Crashed(p protocols.ID, now time.Duration) {
	j.reached(p)
	led := j.checker.Last(p).Status == election.Leader
	j.passed(now)
	j.checker.Crashed(p, now)
	switch {
	case j.run == nil:
		j.followed = j.followed || j.checker.Followed()
	case led:
		j.run.vacated = j.run.view.Now()
	}
	j.measure(now)
}

// Restarted implements explore.Watch.
func (j *electionJudge) Restarted(p protocols.ID, process any, now time.Duration) {
	j.passed(now)
	j.checker.Restarted(p, now)
	j.measure(now)
	j.look(p, process, now)
}

// reached tells the checker whether a process has handled a message, where it is not told
// of each.
func (j *electionJudge) reached(p protocols.ID) {
	if j.run != nil && j.run.view.Reached(p) {
		j.checker.TookPart(p)
	}
}

// look tells the checker if a process has decided something else.
func (j *electionJudge) look(p protocols.ID, process any, now time.Duration) {
	if d := j.decision(p, process); j.checker.Changed(p, d) {
		j.changed(p, d, now)
	}
}

func (j *electionJudge) changed(p protocols.ID, d election.Decision, now time.Duration) {
	j.passed(now)
	j.checker.Decided(p, d, now)
	if j.run == nil {
		j.followed = j.followed || j.checker.Followed()
		return
	}
	j.run.changed(p, d)
	j.measure(now)
}

// decision returns the decision of a process.
func (j *electionJudge) decision(p protocols.ID, process any) election.Decision {
	if j.run != nil {
		return j.run.observer.elector(p).Decision()
	}
	return trial.As[election.Elector](process).Decision()
}

// changed notes that a process has changed its decision.
func (r *electionRun) changed(p protocols.ID, d election.Decision) {
	r.decided = r.view.Now()
	if d.Status != election.Leader {
		return
	}
	r.elected = r.decided
	if r.agreement != nil {
		r.agreement.elections++
	}
	if r.vacated >= 0 {
		r.leaderless, r.vacated = max(r.leaderless, r.elected-r.vacated), -1
	}
	r.view.Became(p)
}

// Rotate implements explore.Rotator.
func (j *electionJudge) Rotate() { j.checker.Rotate() }

// Verdicts implements explore.Watch.
func (j *electionJudge) Verdicts(rest bool) []protocols.Verdict {
	return trial.VerdictsOf(j.checker.Checks(rest), j.followed)
}

// Checks implements Judge.
func (j *electionJudge) Checks(rest bool) []protocols.Check {
	if j.local && j.run != nil {
		j.checker.Passed(j.run.view.Instant())
	}
	checks := j.checker.Checks(rest)
	if !rest || j.run == nil || checks[1].Verdict == protocols.Holds {
		return checks
	}
	for p := range j.run.ranks.Len() { // why E2 does not hold depends on who took part
		j.reached(protocols.ID(p))
	}
	return j.checker.Checks(rest)
}

// Outcome implements Judge.
func (j *electionJudge) Outcome() trial.Outcome {
	if j.local {
		return localOutcome(j.checker.Components())
	}
	switch len(j.checker.Leaders()) {
	case 0:
		return NoLeader
	case 1:
		return Elected
	}
	return SeveralLeaders
}

// Conclude implements Concluder. It says who the leader is, and whether it is the right one.
func (j *electionJudge) Conclude(r *trial.Result) {
	r.Time = max(r.Time, j.run.decided)
	if j.local {
		j.run.agreement.conclude(r, j.run.view.Instant())
		if j.run.standings != nil {
			j.run.standings.passed(j.run.agreement.last)
		}
	}
	r.Correct = r.Correct && j.checker.Correct()
	j.run.followed = r.Correct || r.Outcome != trial.Unfinished && j.checker.Followed()
	leaders := j.checker.Leaders()
	if j.run.led = r.Outcome == Elected && len(leaders) == 1; j.run.led {
		j.run.leader = leaders[0]
		j.run.term = j.checker.Last(j.run.leader).Term
	}
}

// Leader implements Leading.
func (j *electionJudge) Leader() (id election.Identity, ok bool) {
	if !j.run.led {
		return 0, false
	}
	return j.run.ranks.At(j.run.leader).ID, true
}

// News implements Judge.
func (j *electionJudge) News(p protocols.ID, process any) string {
	d := j.decision(p, process)
	switch {
	case d == j.checker.Last(p):
		return ""
	case d.Status == election.Leader:
		return "is the leader"
	case d.Status == election.Follower:
		return "follows " + election.Rank{ID: d.Leader}.String()
	}
	return "is undecided again"
}

func oneIf(so bool) float64 {
	if so {
		return 1
	}
	return 0
}

// Endings implements Explainer. If the run came out as promised, the reason is the decisions
// of the live processes; else the last steps of those that follow no leader or a wrong one,
// or of all if there are none.
func (j *electionJudge) Endings() (groups [][]protocols.ID, settled bool) {
	leader, led := j.Leader()
	var decided, astray, right []protocols.ID
	for i, d := range j.checker.Decisions() {
		p := protocols.ID(i)
		if d.Status != election.Undecided {
			decided = append(decided, p)
		}
		if d.Status == election.Undecided || !led || d.Leader != leader {
			astray = append(astray, p)
		} else {
			right = append(right, p)
		}
	}
	if j.run.followed {
		return [][]protocols.ID{decided}, true
	}
	return [][]protocols.ID{astray, right}, false
}

// Compare implements Comparer.
func (j *electionJudge) Compare(base trial.Judge) trial.Effect {
	was := base.(*electionJudge)
	before, now := was.Outcome(), j.Outcome()
	leaderBefore, _ := was.Leader()
	leader, _ := j.Leader()
	switch {
	case now == SeveralLeaders && before != SeveralLeaders:
		return TwoLeaders
	case now == NoLeader && before != NoLeader:
		return Leaderless
	case now == Elected && j.split(was):
		return Split
	case leader != leaderBefore:
		return OtherLeader
	case j.run.decided > was.run.decided:
		return trial.Slower
	}
	return trial.Same
}

// split reports whether a process does not follow the only leader that followed the one of
// base. If base has no leader, all processes are to follow that are promised to.
func (j *electionJudge) split(base *electionJudge) bool {
	if base.Outcome() != Elected {
		return !j.run.followed
	}
	before := base.checker.Astray()
	return slices.ContainsFunc(j.checker.Astray(), func(p protocols.ID) bool { return !slices.Contains(before, p) })
}

// decisions is the watch of a search that judges nothing. It keeps the decisions of all
// processes, by address, or nothing if the slice is nil.
type decisions struct{ of []election.Decision }

// newDecisions returns the watch of a search for a measure. Only time depends on decisions.
func newDecisions(in *trial.Instance, measure explore.Measure) explore.Watch {
	if measure == explore.Time {
		return &decisions{make([]election.Decision, in.N)}
	}
	return &decisions{}
}

// Started implements explore.Watch.
func (d *decisions) Started(p protocols.ID, process any, _ time.Duration) { d.look(p, process) }

// Received implements explore.Watch.
func (d *decisions) Received(p protocols.ID, process any, _ time.Duration) { d.look(p, process) }

// Expired implements explore.Watch.
func (d *decisions) Expired(p protocols.ID, process any, _ time.Duration) { d.look(p, process) }

// Crashed implements explore.Watch. No process crashes in a search for a measure.
func (d *decisions) Crashed(protocols.ID, time.Duration) {}

// Restarted implements explore.Watch. No process restarts in a search for a measure.
func (d *decisions) Restarted(protocols.ID, any, time.Duration) {}

// Verdicts implements explore.Watch.
func (d *decisions) Verdicts(bool) []protocols.Verdict { return nil }

func (d *decisions) look(p protocols.ID, process any) {
	if d.of != nil {
		d.of[p] = trial.As[election.Elector](process).Decision()
	}
}
