package view

import (
	"fmt"
	"io"
	"strings"

	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
	"bullring/internal/counts"
	"bullring/netem"
	"bullring/netem/explore"
	"bullring/protocols"
)

// Exploration is the result of a search through the runs of a system. Neither the machine
// nor the number of workers shows in it.
type Exploration struct {
	*search.Exploration
	Found   *Counterexample   // nil if no run violates a property
	Others  []*Counterexample // besides Found
	Written string            // what became of the file for it, "" if there is none
	Page    string            // the command that shows the run in it, "" if there is none
}

// JSON implements View.
func (v Exploration) JSON() any { return newExplored(v.Exploration, v.Found, v.Others, v.Page) }

// Text implements View.
func (v Exploration) Text(w io.Writer) error {
	e := v.Exploration
	fmt.Fprintf(w, "%s\n%s\n%s\n%s\n", title(e.Instances[0]), byCommas(exploredSystem(e)), byCommas(exploredNetwork(e)), byCommas(strategyText(e)))
	writeOutside(w, e.Outside)
	fmt.Fprintln(w)
	t := newTable(w)
	writeSize(t, e)
	fmt.Fprintln(w)
	writeProperties(t, e)
	fmt.Fprintf(w, "\n%s\n", conclusion(e))
	if a := e.Asked; a != nil {
		fmt.Fprintf(w, "The program answered %s; %s of them were asked again, of processes that came to their states by themselves.\n",
			counts.Several(int(a.Questions), "question"), counts.Grouped(a.Again))
	}
	if v.Found != nil {
		if err := v.Found.write(w, e); err != nil {
			return err
		}
	}
	for i, other := range v.Others {
		fmt.Fprintf(w, "\nCOUNTEREXAMPLE %d of %d: %s\n", i+2, len(v.Others)+1, violated(other.Of, other.Run))
		if err := other.write(w, e); err != nil {
			return err
		}
	}
	if v.Written != "" {
		fmt.Fprintln(w, v.Written)
	}
	return writePageLine(w, v.Page)
}

// Counterexample is a run that violates a property, as it was played.
type Counterexample struct {
	*explore.Run
	Of      *search.Exploration // which may be of a smaller system
	Result  *trial.Result
	Trace   string
	Because *Because // nil if there is none
}

// exploredSystem names the systems that were explored together.
func exploredSystem(e *search.Exploration) string {
	s, in := &e.Search.Setting, e.Instances[0]
	parts := []string{fmt.Sprintf("n %d, %s", in.N, in.Setting.Topology)}
	if len(e.Search.Down) > 0 {
		parts = append(parts, downAtFirst(e.Search.Down))
	}
	if s.Placement == search.Every {
		parts = append(parts, fmt.Sprintf("every placement of 1..%d", in.N))
	} else {
		parts = append(parts, "identities "+commas(identitiesOf(in)))
	}
	if in.InPrograms() {
		parts = append(parts, "node "+in.Setting.Node)
	}
	if s.Attr != "" {
		parts = append(parts, "with attributes "+plain(s.Attr))
	}
	if s.Inputs == search.Every {
		parts = append(parts, "every vector of the inputs "+commas(in.Algorithm.Inputs.Few()))
	} else {
		parts = append(parts, begins(in)...)
	}
	if in.Setting.Param != "" {
		parts = append(parts, in.Setting.Param)
	}
	if s.Initiators == search.Every {
		parts = append(parts, "every set of initiators")
	} else {
		parts = append(parts, "initiators "+commas(in.Initiators.List()))
	}
	if len(in.Dead) > 0 {
		parts = append(parts, "dead "+commas(in.Dead))
	}
	if len(e.Instances) > 1 {
		parts = append(parts, fmt.Sprintf("%s instances", counts.Grouped(len(e.Instances))))
	}
	return strings.Join(parts, ", ")
}

// exploredNetwork tells what the network may do.
func exploredNetwork(e *search.Exploration) string {
	in := e.Instances[0]
	links := "FIFO links"
	if !in.FIFO {
		links = "links that reorder"
	}
	timers := "timers free"
	if e.Search.Timers == trial.BoundedTimers {
		timers = fmt.Sprintf("timers bounded, delays up to %v in %s", in.Assumed, counts.Several(e.Search.Grain, "step"))
	}
	parts := []string{links, timers}
	if in.Blind {
		parts = append(parts, "detector none")
	}
	parts = append(parts, budget(e))
	if e.Search.Notice == explore.AnyNotice {
		parts = append(parts, lateNotices)
	}
	if to := limits(&e.Search); to != "" {
		parts = append(parts, "up to "+to)
	}
	return strings.Join(parts, ", ")
}

// lateNotices says that the ends of a link learn of its change at any time after it.
const lateNotices = "processes told at any later time"

// downAtFirst names the links that are down when a run begins.
func downAtFirst(down []netem.Link) string {
	if len(down) == 1 {
		return "link " + explore.LinksText(down) + " down at first"
	}
	return "links " + commas(down) + " down at first"
}

// limits names where runs are cut off: 3 timeouts and 2 rounds. It is "" if they are not.
func limits(s *search.Search) string {
	var parts []string
	if k := s.Limits.Timeouts; k > 0 {
		parts = append(parts, counts.Several(k, "timeout"))
	}
	if k := s.Limits.Rounds; k > 0 {
		parts = append(parts, counts.Several(k, "round"))
	}
	return strings.Join(parts, " and ")
}

// budget names the faults that may occur.
func budget(e *search.Exploration) string {
	s, change, parts := &e.Search, "link change", []string(nil)
	if e.Algorithm.Assumes.Graceful {
		change = "graceful link change"
	}
	b := s.Budget
	for _, k := range []struct {
		count int
		what  string
	}{{b.Losses, "loss"}, {b.Duplicates, "duplicate"}, {b.Crashes, "crash"}, {b.Restarts, "restart"}, {b.LinkChanges, change}, {s.Liars, "Byzantine process"}} {
		if k.count > 0 {
			parts = append(parts, counts.Several(k.count, k.what))
		}
	}
	if len(parts) == 0 {
		return "no faults"
	}
	return "up to " + strings.Join(parts, ", ")
}

// strategyText tells how the search went through the runs.
func strategyText(e *search.Exploration) string {
	o := &e.Search.Options
	how := map[explore.Strategy]string{explore.BreadthFirst: "breadth-first", explore.DepthFirst: "depth-first", explore.RandomWalk: "random walks", explore.PCT: "PCT"}[o.Strategy]
	switch {
	case o.Strategy.DrawsRuns():
		how += fmt.Sprintf(", %s of up to %s, seed %d", counts.Several(o.Runs, "run"), counts.Several(o.MaxSteps, "step"), o.Seed)
		if o.Strategy == explore.PCT {
			how += fmt.Sprintf(", bugs of depth %d", o.Changes)
		}
	case e.Bitstate != nil:
		how += fmt.Sprintf(", %s a state", counts.Several(e.Bitstate.Hashes, "bit"))
	case o.Safety:
		how += ", no search for runs without an end"
	}
	if e.OnDisk != nil {
		how += ", states on disk"
	}
	if e.Reduced {
		how += ", reduced"
		if e.Instances[0].Own != nil {
			how += " where no own property sees it"
		}
	}
	return how
}

func writeSize(t table, e *search.Exploration) {
	if !e.Search.Options.Strategy.DrawsRuns() {
		t.row("states", counts.Grouped(e.States))
	} else {
		t.row("runs", counts.Grouped(e.Sampled.Runs))
		if e.Sampled.Cut > 0 {
			t.row("cut off", counts.Grouped(e.Sampled.Cut))
		}
	}
	t.row("transitions", counts.Grouped(e.Transitions))
	t.row("depth", counts.Grouped(e.Depth))
	t.row("at rest", counts.Grouped(e.Rests))
	if limits(&e.Search) != "" && !e.Search.Options.Strategy.DrawsRuns() {
		t.row("at the limit", counts.Grouped(e.Cut))
	}
	if d := e.OnDisk; d != nil {
		t.row("missed", fmt.Sprintf("two states were taken for one with a probability of at most %.2g", d.Missed))
	}
	if b := e.Bitstate; b != nil {
		t.row("bits set", fmt.Sprintf("%s, %.2g %% of the table", counts.Grouped(b.Set), 100*float64(b.Set)/float64(b.Bits)))
	}
}

func writeProperties(t table, e *search.Exploration) {
	t.row("PROPERTY", "KIND", "VERDICT", "WHAT IT SAYS")
	for i, p := range e.Properties {
		says := p.Says
		if p.Excused > 0 {
			says += fmt.Sprintf("; nothing was promised in %s of the states at rest", counts.Grouped(p.Excused))
		}
		if p.Kind == explore.Sometimes && e.Search.Options.Strategy.DrawsRuns() {
			says += fmt.Sprintf("; in %s of the runs", counts.Grouped(e.Sampled.Held[i]))
		}
		if p.Verdict == protocols.Holds && (p.Kind == explore.Eventually || p.Kind == explore.Finally) {
			says += leftOut(e)
		}
		t.row(p.Name, p.Kind.String(), verdictText(p.Verdict), says)
	}
}

// conclusion tells what is known after the search.
func conclusion(e *search.Exploration) string {
	if run := e.Counterexample; run != nil {
		return violated(e, run)
	}
	var kept, open []string
	for _, p := range e.Properties {
		switch {
		case e.Complete && p.Verdict == protocols.Undecided:
			open = append(open, p.Name)
		case p.Verdict == protocols.Violated:
			return fmt.Sprintf(bad("VIOLATED:")+" %s in none of %s, which are all", p.Name, statesOf(e))
		case p.Kind == explore.Finally && !e.Complete: // what goes on for ever was not looked for
		case p.Kind != explore.Sometimes && p.Excused > 0:
			kept = append(kept, p.Name+" (where it is promised)")
		case p.Kind != explore.Sometimes:
			kept = append(kept, p.Name)
		}
	}
	names := enumerated(kept)
	switch {
	case e.Complete && e.Endless:
		return fmt.Sprintf("PROVEN for %s: %s hold in every run%s; all %s were looked at.%s", exploredScope(e), names, upTo(e), statesOf(e), notJudged(e, open))
	case e.Complete && e.Cut > 0:
		return fmt.Sprintf("PROVEN for %s, up to %s: %s hold in every run, up to there; all %s were looked at.\nNot decided: %s. Runs go on from %s, behind the limit.",
			exploredScope(e), limits(&e.Search), names, statesOf(e), enumerated(open), cutStates(e))
	case e.Complete && limits(&e.Search) != "":
		return fmt.Sprintf("PROVEN for %s: %s hold in every run%s; all %s were looked at. No run goes beyond %s.", exploredScope(e), names, leftOut(e), statesOf(e), limits(&e.Search))
	case e.Complete:
		return fmt.Sprintf("PROVEN for %s: %s hold in every run%s; all %s were looked at.", exploredScope(e), names, leftOut(e), statesOf(e))
	case e.Bitstate != nil:
		return recognisedByBits(e, names)
	case e.Search.Options.Exhaustive():
		return fmt.Sprintf("UNDECIDED: the search was cut off: %v. In %s nothing violates %s.%s%s", e.Stopped, statesOf(e), names, rising(e), goesOn(e))
	}
	return sampled(e, names)
}

// goesOn says how a search on disk goes on.
func goesOn(e *search.Exploration) string {
	if e.OnDisk == nil {
		return ""
	}
	return fmt.Sprintf("\nThe same command goes on from the last checkpoint in %s.", e.Search.Folder)
}

// upTo says up to where runs were looked at.
func upTo(e *search.Exploration) string {
	if e.Cut == 0 {
		return ""
	}
	return ", up to " + limits(&e.Search)
}

// notJudged says what a search that looks for no run without an end leaves open.
func notJudged(e *search.Exploration, open []string) string {
	if len(open) == 0 {
		return ""
	}
	text := fmt.Sprintf("\nNot decided: %s. No state at rest violates them; runs may go on for ever, and were not judged.", enumerated(open))
	if e.Cut > 0 {
		text += fmt.Sprintf(" Runs go on from %s, behind the limit.", cutStates(e))
	}
	return text
}

// mostRising is the largest number of things that rise that are named.
const mostRising = 3

// rising names what rises along a run, and may be why there are so many states.
func rising(e *search.Exploration) string {
	if len(e.Growths) == 0 {
		return ""
	}
	var names []string
	for _, g := range e.Growths[:min(len(e.Growths), mostRising)] {
		names = append(names, g.String())
	}
	text := "\nSomething may rise without end. Along the run to the state found last: " + strings.Join(names, "; ")
	if more := len(e.Growths) - len(names); more > 0 {
		text += fmt.Sprintf("; and %d more", more)
	}
	return text + "."
}

// cutStates is the number of states from which runs go on behind the limit.
func cutStates(e *search.Exploration) string {
	if e.Cut == 1 {
		return "1 of the states"
	}
	return counts.Grouped(e.Cut) + " of the states"
}

// leftOut names the infinite runs that a proof leaves out: those in which the network puts
// a step off for ever, and those in which the same draws repeat for ever.
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

// statesOf is the number of states that were looked at. A reduced search leaves out orders
// of steps that make no difference, and so looks at fewer states than there are.
func statesOf(e *search.Exploration) string {
	if e.Reduced {
		return counts.Grouped(e.States) + " states of the reduced search"
	}
	return counts.Grouped(e.States) + " states"
}

// exploredScope names the systems for which a property was proven.
func exploredScope(e *search.Exploration) string {
	s := &e.Search.Setting
	scope := []string{fmt.Sprintf("n = %d", e.Instances[0].N)}
	if len(e.Search.Down) > 0 {
		scope = append(scope, downAtFirst(e.Search.Down))
	}
	if s.Placement == search.Every {
		scope = append(scope, "every placement")
	} else {
		scope = append(scope, "these identities")
	}
	switch {
	case s.Inputs == search.Every:
		scope = append(scope, "every vector of the inputs "+commas(e.Algorithm.Inputs.Few()))
	case e.Algorithm.Inputs != nil:
		scope = append(scope, "these inputs")
	}
	if s.Initiators == search.Every {
		scope = append(scope, "every set of initiators")
	} else {
		scope = append(scope, "these initiators")
	}
	if e.Search.Timers == trial.BoundedTimers {
		scope = append(scope, fmt.Sprintf("delays in steps of %v", e.Instances[0].Tick))
	}
	if what := e.Instances[0].Seeded(); what != "" {
		scope = append(scope, fmt.Sprintf("the %s of seed %d", what, s.Seed))
	}
	scope = append(scope, budget(e))
	if e.Search.Notice == explore.AnyNotice {
		scope = append(scope, lateNotices)
	}
	return strings.Join(scope, ", ")
}

// violated names the property that a run violates, when, and in which system.
func violated(e *search.Exploration, run *explore.Run) string {
	p := e.Properties[run.Property]
	text := fmt.Sprintf(bad("VIOLATED:")+" %s after %s", p.Name, counts.Several(len(run.Steps), "step"))
	switch {
	case run.Cycle > 0:
		text += fmt.Sprintf("; the last %s repeat for ever", counts.Grouped(run.Cycle))
	case p.Kind == explore.Eventually:
		text += ", when nothing is left to happen"
	}
	if len(e.Instances) > 1 {
		in := e.Instances[run.Root]
		text += fmt.Sprintf("; identities %s, ", commas(identitiesOf(in)))
		if inputs := in.Inputs(); inputs != nil {
			text += fmt.Sprintf("inputs %s, ", commas(inputs))
		}
		text += "initiators " + commas(in.Initiators.List())
		if liars := in.LyingProcesses(); len(liars) > 0 {
			text += ", Byzantine " + commas(liars)
		}
	}
	return text + ":"
}

// recognisedByBits tells what follows from a search that may take a new state for a
// visited one.
func recognisedByBits(e *search.Exploration, names string) string {
	b := e.Bitstate
	return fmt.Sprintf("SAMPLED: in %s nothing violates %s; of the others nothing is known: %v.\n"+
		"Of the states that the search came to, about %.2g (%.2g %%) were taken for visited ones; what only those lead to was missed as well, and is not counted.",
		statesOf(e), names, e.Stopped, b.Missed, 100*b.Missed/(b.Missed+float64(e.States)))
}

// sampled tells what follows from runs that were drawn.
func sampled(e *search.Exploration, names string) string {
	s := &e.Sampled
	text := fmt.Sprintf("SAMPLED: none of %s violates %s", counts.Several(s.Runs, "run"), names)
	if s.Cut > 0 {
		text += fmt.Sprintf(" up to where it ends; %s of them were cut off", counts.Grouped(s.Cut))
	}
	text += "; of the others nothing is known."
	if s.Bound > 0 {
		text += fmt.Sprintf("\nPCT finds a bug of depth %d in one run with probability at least 1/(%d x %d^%d) = %.2g, if no run has more threads or steps, and the bug depends on no draw.",
			e.Search.Options.Changes, s.Threads, s.MaxSteps, e.Search.Options.Changes-1, s.Bound)
	}
	return text
}

// write prints the counterexample. If it is of a smaller system than the one explored, it
// names that system first.
func (c *Counterexample) write(w io.Writer, explored *search.Exploration) error {
	if c.Of != explored {
		fmt.Fprintf(w, "SMALLER: %s\n%s\n%s\n", byCommas(exploredSystem(c.Of)), byCommas(exploredNetwork(c.Of)), violated(c.Of, c.Run))
	}
	fmt.Fprintf(w, "\n%s\n", c.Trace)
	if isElection(c.Result) && leadersOf(c.Result) > 1 {
		fmt.Fprintf(w, "%d processes take themselves for the leader at the same time.\n", leadersOf(c.Result))
	}
	if c.Because != nil {
		return c.Because.write(w)
	}
	c.writeViolation(w)
	return nil
}

// writeViolation prints how the run violates the property.
func (c *Counterexample) writeViolation(w io.Writer) {
	name := c.Of.Properties[c.Property].Name
	for _, check := range c.Result.Checks {
		if check.Name == name && check.Verdict == protocols.Violated {
			fmt.Fprintf(w, "%s: %s\n", check.Name, check.Detail)
		}
	}
	if c.Result.Panicked() {
		fmt.Fprintln(w, c.Result.Failed)
	}
}
