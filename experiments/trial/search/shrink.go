package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bullring/des"
	"bullring/experiments/trial"
	"bullring/experiments/trial/setting"
	"bullring/faults"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/election"
)

// Failure is the way in which a run fails: the name of a violated check, an outcome, or one
// of the constants.
type Failure string

// Ways to fail that every algorithm has.
const (
	Incorrect Failure = "incorrect" // the run is not Correct, for any reason
	Panics    Failure = "no-panic"  // a handler panics
	Bound     Failure = "bound"     // a proven bound of the algorithm is broken
)

// FailureOf returns Panics, else the first check that a run violates, else Incorrect if the
// run is not Correct, else "". A run that is inconclusive has no failure.
func FailureOf(r *trial.Result) Failure {
	if r.Panicked() {
		return Panics
	}
	for _, c := range r.Checks {
		if c.Verdict == protocols.Violated {
			return Failure(c.Name)
		}
	}
	if !r.Correct && r.Late() == nil {
		return Incorrect
	}
	return ""
}

// Shows reports whether a run fails in that way.
func (f Failure) Shows(r *trial.Result) bool {
	switch {
	case r.End == netem.Interrupted, r.Late() != nil:
		return false
	case f == Incorrect:
		return !r.Correct
	case f == Panics:
		return r.Panicked()
	case f == Bound:
		return r.BrokenBound() != nil
	case slices.Contains(r.Instance.Algorithm.Outcomes, trial.Outcome(f)):
		return r.Outcome == trial.Outcome(f)
	}
	return r.Verdict(string(f)) == protocols.Violated
}

// Failures are the failures that a run of the instance can show.
func Failures(in *trial.Instance) []string {
	a := in.Algorithm
	failures := slices.Concat(a.Checks, in.Own.Names(), []string{string(Incorrect), string(Panics), string(Bound)})
	for _, o := range a.Outcomes {
		failures = append(failures, string(o))
	}
	return failures
}

// Shrunk is a simpler setting that still fails.
type Shrunk struct {
	Failure Failure
	Setting trial.Setting
	Result  *trial.Result
	Runs    int // made so far
}

// ErrSound says that there is nothing to shrink.
var ErrSound = errors.New("nothing is wrong with this run")

// Shrink looks for the simplest setting that fails in the same way: with fewer processes, but for own properties,
// fewer and rounder faults, plain links, a constant delay, one initiator, increasing
// identities. A schedule loses the steps that the failure does not need, and a motion becomes the changes
// of links in its run, up to mostChanges, of which it loses those. Shrink makes random
// choices explicit where the run then still fails: faults, addresses, identities, attributes,
// and the losses of links, up to mostLosses. It ends when no single change makes the setting
// simpler. An empty failure stands for the [FailureOf] the run, or for Bound if it has none. progress,
// if not nil, is called with each simpler setting.
func Shrink(ctx context.Context, r *trial.Registry, s trial.Setting, failure Failure, progress func(Shrunk)) (*Shrunk, error) {
	k := &shrinker{ctx: ctx, registry: r, failure: failure, progress: progress}
	in, result, err := k.first(s)
	if err != nil {
		return nil, err
	}
	if failure == "" {
		k.failure = FailureOf(result)
	}
	if k.failure == "" && Bound.Shows(result) {
		k.failure = Bound
	}
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case result.Late() != nil:
		return nil, result.Late()
	case result.Impossible() != nil:
		return nil, result.Impossible()
	case k.failure == "":
		return nil, ErrSound
	case !k.shows(result):
		return nil, fmt.Errorf("%w: it does not show %q", ErrSound, k.failure)
	}
	k.best = Shrunk{k.failure, in.Setting, result, 1}
	k.limit = min(in.Setting.MaxEvents, 10*result.Counters.Events+10_000) // soon ends a run that never ends
	k.try(explicit(in))
	for changed := true; changed && ctx.Err() == nil; {
		before := k.best.Setting
		k.namedLosses()
		k.namedChanges()
		k.fewerSteps()
		k.fewerProcesses()
		k.fewerFaults()
		k.plainer()
		changed = k.best.Setting != before
	}
	k.best.Runs = k.runs
	return &k.best, context.Cause(ctx)
}

// endless is the number of events after which a run counts as one that never ends, unless
// it needs more to show the failure.
const endless = 1_000_000

// first runs the setting to shrink.
func (k *shrinker) first(s trial.Setting) (in *trial.Instance, r *trial.Result, err error) {
	s.OutsideModel = true
	brief := s
	if brief.MaxEvents == 0 || brief.MaxEvents > endless {
		brief.MaxEvents = endless
	}
	for _, s := range []trial.Setting{brief, s} {
		if in, err = k.registry.Instance(s); err != nil {
			return nil, nil, err
		}
		r = k.worker.Run(k.ctx, in, nil)
		if r.End != netem.OutOfEvents || k.failure == "" || k.failure.Shows(r) {
			break
		}
	}
	if r.End != netem.OutOfEvents { // the limit made no difference
		in.Setting.MaxEvents = cmp.Or(s.MaxEvents, trial.DefaultMaxEvents)
	}
	return in, r, nil
}

// shrinker tries simpler settings.
type shrinker struct {
	ctx      context.Context
	registry *trial.Registry
	worker   trial.Worker
	failure  Failure
	progress func(Shrunk)
	limit    uint64
	best     Shrunk
	runs     int
}

// strays reports whether an instance breaks an assumption that the best one does not. Its
// failure could have another reason.
func (k *shrinker) strays(in *trial.Instance) bool {
	known := map[string]bool{}
	for _, what := range k.best.Result.Instance.Outside {
		known[respect(what)] = true
	}
	return slices.ContainsFunc(in.Outside, func(what string) bool { return !known[respect(what)] })
}

// respect returns which assumption is broken, without the values in the text.
func respect(what string) string {
	switch {
	case strings.HasPrefix(what, "delay") || strings.HasPrefix(what, "the delay"):
		return "delay"
	case what == "links lose messages" || what == "a fault has messages lost":
		return "loss"
	}
	return what
}

// try runs a setting, and keeps it if it fails.
func (k *shrinker) try(s trial.Setting) bool {
	if s == k.best.Setting || k.ctx.Err() != nil {
		return false
	}
	original := s.MaxEvents
	s.MaxEvents = k.limit
	in, err := k.registry.Instance(s)
	if err != nil || k.strays(in) {
		return false // the setting is not valid, or could fail for another reason
	}
	k.runs++
	result := k.worker.Run(k.ctx, in, nil)
	cutOff := result.End == netem.OutOfEvents && k.limit < original // without this limit it may be sound
	if cutOff || !k.shows(result) {
		return false
	}
	in.Setting.MaxEvents = original
	k.best = Shrunk{k.failure, in.Setting, result, k.runs}
	if k.progress != nil {
		k.progress(k.best)
	}
	return true
}

// explicit returns the setting with all random choices written out, except delays.
func explicit(in *trial.Instance) trial.Setting {
	s := in.Setting
	s.Fault, s.Link = in.Drawn.String(), trial.LinksText(in.DrawnLines)
	s.Dead = addressList(in.Dead, s.Dead, "none")
	s.Initiators = addressList(in.Initiators.List(), s.Initiators, "all")
	if strings.HasPrefix(s.Attr, "random:") {
		attributes := make([]string, in.N)
		for p, r := range in.Ranks.All() {
			attributes[p] = strconv.FormatFloat(r.Attr, 'f', -1, 64)
		}
		s.Attr = strings.Join(attributes, ",")
	}
	if in.Inputs() != nil {
		s.Inputs = trial.InputsText(in.Inputs())
	}
	if s.IDs == "" && (s.Placement == "random" || s.Schedule != "") { // whose messages name them
		ids := make([]string, in.N)
		for p, r := range in.Ranks.All() {
			ids[p] = strconv.FormatInt(int64(r.ID), 10)
		}
		s.IDs, s.Placement = strings.Join(ids, ","), ""
	}
	return s
}

// addressList writes out a random choice of addresses. Another text stays.
func addressList(list []protocols.ID, text, none string) string {
	if !strings.HasPrefix(text, "random:") {
		return text
	}
	words := make([]string, len(list))
	for i, p := range list {
		words[i] = strconv.Itoa(int(p))
	}
	if len(words) == 0 {
		return none
	}
	return strings.Join(words, ",")
}

// mostLosses is the largest number of losses that become faults: each costs time in every
// run, and many are no explanation.
const mostLosses = 256

// lossLog is a tracer that keeps the numbers of the messages that links lose.
type lossLog struct{ numbers []uint64 }

// Record implements netem.Tracer.
func (l *lossLog) Record(r netem.Record) {
	if r.What == "lose" {
		l.numbers = append(l.numbers, r.Number)
	}
}

// namedLosses has faults drop the messages that the links lose by chance.
func (k *shrinker) namedLosses() {
	in := k.best.Result.Instance
	var lines []netem.Line
	for _, l := range in.Lines {
		if l.Line = l.Line.WithoutLoss(); l.Line.String() != "" {
			lines = append(lines, l)
		}
	}
	s := k.best.Setting
	if s.Link = trial.LinksText(lines); s.Link == k.best.Setting.Link {
		return
	}
	var log lossLog
	k.runs++
	k.worker.Run(k.ctx, in, func(*trial.Traced) netem.Tracer { return &log })
	if len(log.numbers) > mostLosses {
		return
	}
	plan := slices.Clone(in.Plan)
	for _, n := range log.numbers {
		plan = append(plan, faults.Fault{Kind: faults.Drop, Count: n, From: faults.Anyone, To: faults.Anyone})
	}
	s.Fault = plan.String()
	k.try(s)
}

// mostChanges is the largest number of changes of links that become faults.
const mostChanges = 1024

// ending is a tracer that keeps the instant of the last record.
type ending struct{ at des.Time }

// Record implements netem.Tracer.
func (e *ending) Record(r netem.Record) { e.at = r.At }

// namedChanges has the links stay, or else has faults change them as the motion does up to the end of the
// run.
func (k *shrinker) namedChanges() {
	in := k.best.Result.Instance
	if in.Motion == nil {
		return
	}
	if k.change(func(s *trial.Setting) { s.Motion = "" }); k.best.Setting.Motion == "" {
		return
	}
	var end ending
	k.runs++
	k.worker.Run(k.ctx, in, func(*trial.Traced) netem.Tracer { return &end })
	changes, all := in.Motion.Explicit(in.Topology, in.Setting.Seed, end.at, mostChanges)
	if !all {
		return
	}
	s := k.best.Setting
	s.Motion, s.Fault = "", strings.Trim(s.Fault+"; "+changes, "; ")
	k.try(s)
}

// fewerProcesses removes one process at a time, the last one first.
func (k *shrinker) fewerProcesses() {
	for p := protocols.ID(k.best.Result.Instance.N - 1); p >= 0; p-- {
		if s, ok := without(k.best.Result.Instance, p); ok {
			k.try(s)
		}
	}
}

// without returns the setting without one process. The processes behind it move up, and its
// faults go. ok is false if there is no such setting.
func without(in *trial.Instance, gone protocols.ID) (s trial.Setting, ok bool) {
	s = in.Setting
	if in.N < 2 || in.Own != nil || !in.Bears(in.N-1) { // numbers in conditions may be about this size
		return s, false
	}
	move := func(p protocols.ID) (protocols.ID, bool) {
		if p > gone {
			return p - 1, true
		}
		return p, p != gone
	}
	s.N = in.N - 1
	if s.IDs != "" {
		s.IDs = strings.Join(slices.Delete(strings.Split(s.IDs, ","), int(gone), int(gone)+1), ",")
	}
	if s.Attr != "" && !strings.HasPrefix(s.Attr, "random:") {
		s.Attr = strings.Join(slices.Delete(strings.Split(s.Attr, ","), int(gone), int(gone)+1), ",")
	}
	if inputs := in.Inputs(); inputs != nil {
		s.Inputs = trial.InputsText(slices.Delete(slices.Clone(inputs), int(gone), int(gone)+1))
	}
	if s.Initiators != "all" {
		if s.Initiators = moved(in.Initiators.List(), move); s.Initiators == "" {
			return s, false
		}
	}
	if s.Dead = moved(in.Dead, move); s.Dead == "" {
		s.Dead = "none"
	}
	s.Fault = in.Plan.Without(gone).String()
	s.Schedule = scheduleWithout(s.Schedule, move)
	var lines []netem.Line
	for _, l := range in.Lines {
		if rest, some := l.Links.Without(gone); some {
			lines = append(lines, netem.Line{Links: rest, Line: l.Line})
		}
	}
	s.Link = trial.LinksText(lines)
	return s, true
}

func moved(list []protocols.ID, move func(protocols.ID) (protocols.ID, bool)) string {
	var words []string
	for _, p := range list {
		if q, stays := move(p); stays {
			words = append(words, strconv.Itoa(int(q)))
		}
	}
	return strings.Join(words, ",")
}

// fewerFaults shrinks the fault plan.
func (k *shrinker) fewerFaults() {
	plan := k.best.Result.Instance.Plan
	faults.Shrink(plan, func(p faults.Plan) bool {
		s := k.best.Setting
		s.Fault = p.String()
		return s == k.best.Setting || k.try(s)
	})
}

// plainer tries the usual value of everything that has another one.
func (k *shrinker) plainer() {
	for _, c := range plainOrder {
		k.change(c.Plain)
		switch c.Name {
		case "assume":
			k.change(func(s *trial.Setting) { s.Processing = "" })
			k.change(func(s *trial.Setting) { s.Attr = "" })
		case "placement":
			k.change(func(s *trial.Setting) { s.IDs = smallIDs(k.best.Result.Instance) })
		}
	}
	k.plainerInputs()
	k.change(func(s *trial.Setting) { s.Seed = 1 })
	k.change(func(s *trial.Setting) { s.Delay = constantDelay(k.best.Result.Instance) })
	k.fewerLines()
	for p := range k.best.Result.Instance.Initiators.All() {
		if k.best.Setting.Initiators == "all" || strings.Contains(k.best.Setting.Initiators, ",") {
			k.change(func(s *trial.Setting) { startOnly(s, p) })
		}
	}
}

// plainerInputs gives one process after another the least input.
func (k *shrinker) plainerInputs() {
	for p := range k.best.Result.Instance.Inputs() {
		inputs := slices.Clone(k.best.Result.Instance.Inputs())
		inputs[p] = k.best.Result.Instance.Algorithm.Inputs.Least
		k.change(func(s *trial.Setting) { s.Inputs = trial.InputsText(inputs) })
	}
}

// plainOrder has first what makes a run longer and harder to read.
var plainOrder = setting.InOrder("transport", "detector", "fifo", "delta", "link_mode", "until", "delay", "assume",
	"dead", "placement", "variant")

// change tries the best setting with a change; nil is none.
func (k *shrinker) change(simpler func(*trial.Setting)) {
	if simpler != nil {
		s := k.best.Setting
		simpler(&s)
		k.try(s)
	}
}

// fewerLines removes one line of links at a time, then links of which a line has a list.
func (k *shrinker) fewerLines() {
	for i := len(k.best.Result.Instance.Lines) - 1; i >= 0; i-- {
		lines := k.best.Result.Instance.Lines
		if i < len(lines) {
			s := k.best.Setting
			s.Link = trial.LinksText(slices.Delete(slices.Clone(lines), i, i+1))
			if !k.try(s) {
				k.fewerLinks(i)
			}
		}
	}
}

// fewerLinks leaves out links of a line that has a list of them.
func (k *shrinker) fewerLinks(line int) {
	for again := true; again; {
		again = false
		lines := k.best.Result.Instance.Lines
		for _, fewer := range lines[line].Links.Fewer() {
			s := k.best.Setting
			changed := slices.Clone(lines)
			changed[line].Links = fewer
			if s.Link = trial.LinksText(changed); k.try(s) {
				again = true
				break
			}
		}
	}
}

// smallIDs returns the identities 1..n in the order of the identities of an instance.
func smallIDs(in *trial.Instance) string {
	if in.Setting.IDs == "" {
		return ""
	}
	sorted := in.Ranks.List()
	byID := func(a, b election.Rank) int { return cmp.Compare(a.ID, b.ID) }
	slices.SortFunc(sorted, byID)
	words := make([]string, in.N)
	for p, r := range in.Ranks.All() {
		i, _ := slices.BinarySearchFunc(sorted, r, byID)
		words[p] = strconv.Itoa(i + 1)
	}
	return strings.Join(words, ",")
}

// constantDelay returns the mean of a random delay, rounded.
func constantDelay(in *trial.Instance) string {
	mean := in.Delay.Mean()
	for _, unit := range []des.Time{1e9, 1e6, 1e3} {
		if u := des.Time(unit); des.Time(mean) >= u {
			return (des.Time(mean) / u * u).String()
		}
	}
	return des.Time(mean).String()
}
