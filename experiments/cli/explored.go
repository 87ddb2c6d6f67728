package cli

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"bullring/experiments"
	"bullring/experiments/search"
	"bullring/netem"
	"bullring/netem/explore"
	"bullring/protocols"
	"bullring/protocols/election"
)

// writeExplored prints what came of a search for people. There is nothing in it that
// another machine, or another number of workers, would print otherwise.
func writeExplored(w io.Writer, e *search.Exploration, found *counterexample, written string) error {
	fmt.Fprintf(w, "%s: %s\n%s\n%s\n%s\n", titled(e.Instances[0]), e.Algorithm.Title, exploredSystem(e), exploredNetwork(e), exploredHow(e))
	if len(e.Outside) > 0 {
		fmt.Fprintf(w, "OUTSIDE THE MODEL: %s\n", strings.Join(e.Outside, "; "))
	}
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	writeSize(t, e)
	t.Flush()
	fmt.Fprintln(w)
	writeProperties(t, e)
	t.Flush()
	fmt.Fprintf(w, "\n%s\n", sentence(e))
	if found != nil {
		writeFound(w, e, found)
	}
	if written != "" {
		fmt.Fprintln(w, written)
	}
	return nil
}

// exploredSystem says which systems were explored together.
func exploredSystem(e *search.Exploration) string {
	s, in := &e.Search.Setting, e.Instances[0]
	parts := []string{fmt.Sprintf("n %d, %s", in.N, in.Setting.Topology)}
	if s.Placement == search.Every {
		parts = append(parts, fmt.Sprintf("every placement of 1..%d", in.N))
	} else {
		parts = append(parts, "identities "+identities(in))
	}
	if s.Attr != "" {
		parts = append(parts, "with attributes "+plain(s.Attr))
	}
	if in.Setting.Param != "" {
		parts = append(parts, in.Setting.Param)
	}
	if s.Initiators == search.Every {
		parts = append(parts, "every set of initiators")
	} else {
		parts = append(parts, "initiators "+addresses(in.Initiators))
	}
	if len(in.Dead) > 0 {
		parts = append(parts, "dead "+addresses(in.Dead))
	}
	if len(e.Instances) > 1 {
		parts = append(parts, fmt.Sprintf("%s instances", grouped(uint64(len(e.Instances)))))
	}
	return strings.Join(parts, ", ")
}

// identities lists the identities of an instance by address.
func identities(in *experiments.Instance) string {
	words := make([]string, in.N)
	for p, r := range in.Ranks {
		words[p] = strconv.FormatInt(int64(r.ID), 10)
	}
	return strings.Join(words, ",")
}

// addresses lists addresses.
func addresses(list []protocols.ID) string {
	words := make([]string, len(list))
	for i, p := range list {
		words[i] = strconv.Itoa(int(p))
	}
	return strings.Join(words, ",")
}

// exploredNetwork says what may happen.
func exploredNetwork(e *search.Exploration) string {
	in := e.Instances[0]
	links := "FIFO links"
	if !in.FIFO {
		links = "links that reorder"
	}
	timers := "timers free"
	if e.Search.Timers == experiments.BoundedTimers {
		timers = fmt.Sprintf("timers bounded, delays up to %v in %s", in.Assumed, several(e.Search.Grain, "step"))
	}
	parts := []string{links, timers}
	if in.Blind {
		parts = append(parts, "detector none")
	}
	return strings.Join(append(parts, budget(e.Search.Budget)), ", ")
}

// budget says which faults may strike.
func budget(b explore.Budget) string {
	var parts []string
	for _, k := range []struct {
		count int
		what  string
	}{{b.Losses, "loss"}, {b.Duplicates, "duplicate"}, {b.Crashes, "crash"}, {b.Restarts, "restart"}} {
		if k.count > 0 {
			parts = append(parts, several(k.count, k.what))
		}
	}
	if len(parts) == 0 {
		return "no faults"
	}
	return "up to " + strings.Join(parts, ", ")
}

// several is a number of things.
func several(count int, thing string) string {
	switch {
	case count == 1:
	case strings.HasSuffix(thing, "s") || strings.HasSuffix(thing, "h"):
		thing += "es"
	default:
		thing += "s"
	}
	return grouped(uint64(count)) + " " + thing
}

// exploredHow says in which way.
func exploredHow(e *search.Exploration) string {
	o := &e.Search.Options
	how := map[explore.Strategy]string{explore.BreadthFirst: "breadth-first", explore.DepthFirst: "depth-first", explore.RandomWalk: "random walks", explore.PCT: "PCT"}[o.Strategy]
	switch {
	case !o.Strategy.Exhaustive():
		how += fmt.Sprintf(", %s of up to %s, seed %d", several(o.Runs, "run"), several(o.MaxSteps, "step"), o.Seed)
		if o.Strategy == explore.PCT {
			how += fmt.Sprintf(", bugs of depth %d", o.Changes)
		}
	case e.Reduced:
		how += ", reduced"
	}
	return how
}

func writeSize(w io.Writer, e *search.Exploration) {
	if e.Search.Options.Strategy.Exhaustive() {
		fmt.Fprintf(w, "states\t%s\n", grouped(e.States))
	} else {
		fmt.Fprintf(w, "runs\t%s\n", grouped(uint64(e.Sampled.Runs)))
		if e.Sampled.Cut > 0 {
			fmt.Fprintf(w, "cut off\t%s\n", grouped(uint64(e.Sampled.Cut)))
		}
	}
	fmt.Fprintf(w, "transitions\t%s\n", grouped(e.Transitions))
	fmt.Fprintf(w, "depth\t%s\n", grouped(uint64(e.Depth)))
	fmt.Fprintf(w, "at rest\t%s\n", grouped(e.Rests))
}

func writeProperties(w io.Writer, e *search.Exploration) {
	fmt.Fprintln(w, "PROPERTY\tKIND\tVERDICT\tWHAT IT SAYS")
	for _, p := range e.Properties {
		says := p.Says
		if p.Excused > 0 {
			says += fmt.Sprintf("; nothing was promised in %s of the states at rest", grouped(p.Excused))
		}
		if p.Verdict == protocols.Holds && (p.Kind == explore.Eventually || p.Kind == explore.Finally) {
			says += leftOut(e)
		}
		fmt.Fprintf(w, "%s\t%v\t%v\t%s\n", p.Name, p.Kind, p.Verdict, says)
	}
}

// sentence says what is known now.
func sentence(e *search.Exploration) string {
	if run := e.Counterexample; run != nil {
		return violated(e, run)
	}
	var kept []string
	for _, p := range e.Properties {
		switch {
		case p.Verdict == protocols.Violated:
			return fmt.Sprintf("VIOLATED: %s in none of %s, which are all", p.Name, statesOf(e))
		case p.Kind == explore.Finally && !e.Complete: // what goes on for ever was not looked for
		case p.Kind != explore.Sometimes && p.Excused > 0:
			kept = append(kept, p.Name+" (where it is promised)")
		case p.Kind != explore.Sometimes:
			kept = append(kept, p.Name)
		}
	}
	names := strings.Join(kept[:len(kept)-1], ", ") + " and " + kept[len(kept)-1]
	switch {
	case e.Complete:
		return fmt.Sprintf("PROVEN for %s: %s hold in every run%s; all %s were looked at.", exploredScope(e), names, leftOut(e), statesOf(e))
	case e.Search.Options.Strategy.Exhaustive():
		return fmt.Sprintf("UNDECIDED: the search was cut off: %v. In %s nothing violates %s.", e.Stopped, statesOf(e), names)
	}
	return sampled(e, names)
}

// leftOut says which runs a proof is not about: of those that go on for ever, some
// that no network has, and some that no coins have.
func leftOut(e *search.Exploration) string {
	switch {
	case e.Fair && e.Chance:
		return " but those that put something off for ever, and those with draws that repeat for ever (probability 0)"
	case e.Fair:
		return " but those that put something off for ever"
	case e.Chance:
		return " but those with draws that repeat for ever (probability 0)"
	}
	return ""
}

// statesOf is the number of states that were looked at. Where orders of steps that make no
// difference were left out, there are more.
func statesOf(e *search.Exploration) string {
	if e.Reduced {
		return grouped(e.States) + " states of the reduced search"
	}
	return grouped(e.States) + " states"
}

// exploredScope is for what something was proven.
func exploredScope(e *search.Exploration) string {
	s := &e.Search.Setting
	scope := []string{fmt.Sprintf("n = %d", e.Instances[0].N)}
	if s.Placement == search.Every {
		scope = append(scope, "every placement")
	} else {
		scope = append(scope, "these identities")
	}
	if s.Initiators == search.Every {
		scope = append(scope, "every set of initiators")
	} else {
		scope = append(scope, "these initiators")
	}
	if e.Search.Timers == experiments.BoundedTimers {
		scope = append(scope, fmt.Sprintf("delays in steps of %v", e.Instances[0].Tick))
	}
	if what := e.Instances[0].Seeded(); what != "" {
		scope = append(scope, fmt.Sprintf("the %s of seed %d", what, s.Seed))
	}
	return strings.Join(append(scope, budget(e.Search.Budget)), ", ")
}

// violated says which property, when, and where it began.
func violated(e *search.Exploration, run *explore.Run) string {
	p := e.Properties[run.Property]
	text := fmt.Sprintf("VIOLATED: %s after %s", p.Name, several(len(run.Steps), "step"))
	switch {
	case run.Cycle > 0:
		text += fmt.Sprintf(", the last %s of which repeat for ever", grouped(uint64(run.Cycle)))
	case p.Kind == explore.Eventually:
		text += ", when nothing is left to happen"
	}
	if len(e.Instances) > 1 {
		in := e.Instances[run.Root]
		text += fmt.Sprintf("; identities %s, initiators %s", identities(in), addresses(in.Initiators))
	}
	return text + ":"
}

// sampled says what runs that were drawn are worth.
func sampled(e *search.Exploration, names string) string {
	s := &e.Sampled
	text := fmt.Sprintf("SAMPLED: none of %s violates %s", several(s.Runs, "run"), names)
	if s.Cut > 0 {
		text += fmt.Sprintf(" up to where it ends; %s of them were cut off", grouped(uint64(s.Cut)))
	}
	text += "; of the others nothing is known."
	if s.Bound > 0 {
		text += fmt.Sprintf("\nPCT finds a bug of depth %d in one run with probability at least 1/(%d x %d^%d) = %.2g,\nif no run has more threads or steps, and the bug depends on no draw.",
			e.Search.Options.Changes, s.Threads, s.MaxSteps, e.Search.Options.Changes-1, s.Bound)
	}
	return text
}

// writeFound prints a counterexample, as it was played, and in which smaller system if
// it is not one of what was explored.
func writeFound(w io.Writer, e *search.Exploration, found *counterexample) {
	if found.of != e {
		fmt.Fprintf(w, "SMALLER: %s\n%s\n%s\n", exploredSystem(found.of), exploredNetwork(found.of), violated(found.of, found.Run))
	}
	fmt.Fprintf(w, "\n%s\n", found.trace)
	name := found.of.Properties[found.Property].Name
	for _, c := range found.result.Checks {
		if c.Name == name && c.Verdict == protocols.Violated {
			fmt.Fprintf(w, "%s: %s\n", c.Name, c.Detail)
		}
	}
	if found.result.Panicked() {
		fmt.Fprintln(w, found.result.Failed)
	}
	if leaders := leadersOf(found.result); leaders > 1 {
		fmt.Fprintf(w, "%d processes take themselves for the leader at the same time.\n", leaders)
	}
}

// explored is what came of a search as JSON. Fields that a search may lack are null,
// never absent.
type explored struct {
	Algorithm string `json:"algorithm"`
	Variant   string `json:"variant"`
	N         int    `json:"n"`

	States         *uint64             `json:"states"` // null of runs that were drawn
	Transitions    uint64              `json:"transitions"`
	Depth          int                 `json:"depth"`
	Rests          uint64              `json:"rests"`
	Complete       bool                `json:"complete"`
	Stopped        *string             `json:"stopped"`
	Reduced        bool                `json:"reduced"`
	Fair           bool                `json:"fair"`   // runs that put something off for ever are left out
	Chance         bool                `json:"chance"` // runs with draws that repeat for ever are left out
	Sampled        *sampledJSON        `json:"sampled"`
	Properties     []propertyJSON      `json:"properties"`
	Counterexample *counterexampleJSON `json:"counterexample"`

	Placement    string              `json:"placement"`
	IDs          []election.Identity `json:"ids"` // null for every placement
	Attributes   []float64           `json:"attributes"`
	Initiators   string              `json:"initiators"`
	Dead         []protocols.ID      `json:"dead"`
	Instances    int                 `json:"instances"`
	Topology     string              `json:"topology"`
	FIFO         bool                `json:"fifo"`
	Detector     string              `json:"detector"`
	Timers       string              `json:"timers"`
	Grain        *int                `json:"grain"` // null if timers are free
	AssumedDelay string              `json:"assume"`
	Processing   string              `json:"processing"`
	Losses       int                 `json:"loss"`
	Duplicates   int                 `json:"duplicate"`
	Crashes      int                 `json:"crash"`
	Restarts     int                 `json:"restart"`
	Strategy     string              `json:"strategy"`
	Full         bool                `json:"full"`
	MaxStates    *uint64             `json:"max_states"`
	MaxMemory    *uint64             `json:"max_memory"` // in bytes; null of runs that were drawn
	Seed         uint64              `json:"seed"`
	Epoch        int                 `json:"epoch"`
	OutsideModel []string            `json:"outside_model"`
}

type propertyJSON struct {
	Name    string `json:"name"`
	Kind    string `json:"kind"`
	Verdict string `json:"verdict"`
	Says    string `json:"says"`
	Excused uint64 `json:"excused"`
}

type sampledJSON struct {
	Runs     int    `json:"runs"`
	Cut      int    `json:"cut"`
	MaxRuns  int    `json:"max_runs"`
	MaxSteps int    `json:"max_steps"`
	Changes  *int   `json:"changes"` // null but of PCT, as all that follows
	Threads  *int   `json:"threads"`
	Longest  *int   `json:"longest"`
	Bound    number `json:"bound"`
}

type counterexampleJSON struct {
	Property   string              `json:"property"`
	N          int                 `json:"n"` // less than that of what was explored, if it was shrunk
	IDs        []election.Identity `json:"ids"`
	Initiators []protocols.ID      `json:"initiators"`
	Steps      []string            `json:"steps"`
	Cycle      int                 `json:"cycle"` // steps at the end that repeat for ever
	Panicked   *string             `json:"panicked"`
	Outcome    string              `json:"outcome"`
	Leaders    int                 `json:"leaders"` // at the same time, at most
	Checks     []checkReport       `json:"checks"`
	// Schedule is that of a case: how time is understood, and the steps.
	Schedule    experiments.Schedule `json:"schedule"`
	Fingerprint string               `json:"fingerprint"`
}

func newExplored(e *search.Exploration, found *counterexample) explored {
	s, in, b, o := &e.Search.Setting, e.Instances[0], &e.Search.Budget, &e.Search.Options
	x := explored{
		Algorithm: in.Setting.Algorithm, Variant: in.Setting.Variant, N: in.N,
		Transitions: e.Transitions, Depth: e.Depth, Rests: e.Rests, Complete: e.Complete, Reduced: e.Reduced, Fair: e.Fair, Chance: e.Chance,
		Sampled: newSampledJSON(e), Counterexample: newCounterexampleJSON(found),
		Placement: in.Setting.Placement, Attributes: attributesOf(in), Initiators: plain(in.Setting.Initiators), Dead: orEmpty(in.Dead), Instances: len(e.Instances),
		Topology: in.Setting.Topology, FIFO: in.FIFO, Detector: in.Setting.Detector,
		Timers: e.Search.Timers, AssumedDelay: in.Assumed.String(), Processing: in.Processing.String(),
		Losses: b.Losses, Duplicates: b.Duplicates, Crashes: b.Crashes, Restarts: b.Restarts,
		Strategy: o.Strategy.String(), Full: e.Search.Full, Seed: s.Seed, Epoch: netem.Epoch, OutsideModel: orEmpty(e.Outside),
	}
	if s.Placement == search.Every {
		x.Placement = search.Every
	} else {
		x.IDs = identitiesOf(in)
	}
	if s.Initiators == search.Every {
		x.Initiators = search.Every
	}
	if e.Search.Timers == experiments.BoundedTimers {
		x.Grain = &e.Search.Grain
	}
	if o.Strategy.Exhaustive() {
		x.States, x.MaxMemory = &e.States, &o.MaxMemory
	}
	if o.MaxStates > 0 {
		x.MaxStates = &o.MaxStates
	}
	if e.Stopped != nil {
		x.Stopped = given(e.Stopped.Error())
	}
	for _, p := range e.Properties {
		x.Properties = append(x.Properties, propertyJSON{p.Name, p.Kind.String(), p.Verdict.String(), p.Says, p.Excused})
	}
	return x
}

func newSampledJSON(e *search.Exploration) *sampledJSON {
	o, s := &e.Search.Options, &e.Sampled
	if o.Strategy.Exhaustive() {
		return nil
	}
	x := &sampledJSON{Runs: s.Runs, Cut: s.Cut, MaxRuns: o.Runs, MaxSteps: o.MaxSteps, Bound: number(s.Bound)}
	if o.Strategy == explore.PCT {
		x.Changes, x.Threads, x.Longest = &o.Changes, &s.Threads, &s.MaxSteps
	}
	return x
}

func newCounterexampleJSON(found *counterexample) *counterexampleJSON {
	if found == nil {
		return nil
	}
	in, r := found.of.Instances[found.Root], found.result
	x := &counterexampleJSON{
		Property: found.of.Properties[found.Property].Name, N: in.N, IDs: identitiesOf(in), Initiators: in.Initiators, Cycle: found.Cycle, Panicked: given(found.Panicked),
		Outcome: string(r.Outcome), Leaders: leadersOf(r), Checks: newChecks(r), Schedule: r.Instance.Setting.Schedule, Fingerprint: fingerprint(r),
	}
	for _, s := range found.Steps {
		x.Steps = append(x.Steps, s.String())
	}
	return x
}
