package trial

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"bullring/experiments/trial/predicate"
	"bullring/netem"
	"bullring/netem/explore"
	"bullring/protocols"
	"bullring/protocols/box"
)

// Own are the properties that a setting adds to those of the family: predicates on the fields of
// processes. A process that is Byzantine counts as one that has crashed.
type Own struct {
	Properties []explore.Property // by their numbers called own1, own2, ...
	predicates []*predicate.Predicate
	reader     *predicate.Reader
	liars      []protocols.ID
}

// mostOwn is the largest number of own properties: the explorer has a bit for each property.
const mostOwn = 32

// readOwn reads the own properties of an instance.
func readOwn(in *Instance) error {
	lines := in.Setting.Properties.Lines()
	switch {
	case len(lines) == 0:
		return nil
	case len(lines) > mostOwn:
		return fmt.Errorf("%d properties; allowed are up to %d", len(lines), mostOwn)
	case in.InPrograms():
		return fmt.Errorf("property %q: the processes of a program have no fields", lines[0])
	}
	own := &Own{reader: readerOf(in, measuresOf(in)), liars: in.LyingProcesses()}
	for i, line := range lines {
		word, text, _ := strings.Cut(line, " ")
		kind := slices.Index(explore.Kinds[:explore.Finally], word)
		if kind < 0 {
			return fmt.Errorf("property %q: it begins with always, eventually or sometimes", line)
		}
		p, err := own.reader.Parse(text)
		if err != nil {
			return fmt.Errorf("%s %q: %w", word, text, err)
		}
		own.predicates = append(own.predicates, p)
		own.Properties = append(own.Properties, explore.Property{Name: fmt.Sprintf("own%d", i+1), Kind: explore.Kind(kind), Says: text})
	}
	in.Own = own
	return nil
}

// measuresOf are the names of what is measured of a run of an instance.
func measuresOf(in *Instance) (names []string) {
	for i := range in.Algorithm.Metrics {
		names = append(names, in.Algorithm.Metrics[i].Name)
	}
	for _, d := range in.Algorithm.Declarations() {
		for _, kind := range d.Kinds {
			if name := SentPrefix + kind; !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// readerOf reads what is said about the processes of an instance, and about these measures of a run.
func readerOf(in *Instance, measures []string) *predicate.Reader {
	processes := make([]any, in.N)
	process := in.Algorithm.Processes(in)
	for p := range processes {
		processes[p] = box.Open(process(protocols.ID(p)))
	}
	return predicate.NewReader(processes, measures)
}

// NamesProcess reports whether a property names a process by its address.
func (o *Own) NamesProcess() bool {
	return o != nil && slices.ContainsFunc(o.predicates, (*predicate.Predicate).NamesProcess)
}

// Measured is the first property about what is measured of a run; nil if there is none. It says nothing of a
// state.
func (o *Own) Measured() *explore.Property {
	if o == nil {
		return nil
	}
	for i, p := range o.predicates {
		if len(p.Measures()) > 0 {
			return &o.Properties[i]
		}
	}
	return nil
}

// Names are the names of the properties that a single run can violate.
func (o *Own) Names() (names []string) {
	if o == nil {
		return nil
	}
	for _, p := range o.Properties {
		if p.Kind != explore.Sometimes {
			names = append(names, p.Name)
		}
	}
	return names
}

// glances are the values that own properties look at: a function of the states of processes alone.
type glances struct {
	values [][]string // by address; nil of a process that is not there
}

// look notes the values of a process. crashed says that it is not there.
func (g *glances) look(o *Own, p protocols.ID, process any, crashed bool) {
	if crashed || slices.Contains(o.liars, p) {
		g.values[p] = nil
		return
	}
	g.values[p] = o.reader.Values(process)
}

// verdicts judges the own properties. r is the result of a run at rest, and nil amid a run and of a state: then
// what is measured of a run is unknown, and properties about it are undecided.
func (g *glances) verdicts(o *Own, rest bool, r *Result) (verdicts []protocols.Verdict) {
	var measured func(string) (float64, bool)
	if r != nil {
		measured = r.Metric
	}
	for i, p := range o.Properties {
		verdict := protocols.Undecided
		if measured == nil && len(o.predicates[i].Measures()) > 0 {
			verdicts = append(verdicts, verdict)
			continue
		}
		switch holds := o.predicates[i].Holds(g.values, measured); {
		case holds && (p.Kind != explore.Always || rest):
			verdict = protocols.Holds
		case !holds && (p.Kind == explore.Always || p.Kind == explore.Eventually && rest):
			verdict = protocols.Violated
		}
		verdicts = append(verdicts, verdict)
	}
	return verdicts
}

// exploredOwn is the watch of an exploration with own properties. Its verdicts are those of the family,
// and then of these. What it adds to a state follows from the states of processes, so it adds no states;
// but a step that changes it is seen, so that no reduction hides the step.
type exploredOwn struct {
	*exploredJudge
	glances
	// own returns the properties. The explorer does not copy a function.
	own func() *Own `explore:"-"`
}

func newExploredOwn(in *Instance, judge *exploredJudge) *exploredOwn {
	return &exploredOwn{judge, glances{make([][]string, in.N)}, func() *Own { return in.Own }}
}

// Begins implements explore.Beginner.
func (e *exploredOwn) Begins(p protocols.ID, process any) {
	e.exploredJudge.Begins(p, process)
	e.look(e.own(), p, process, slices.Contains(e.dead, p))
}

// Started implements explore.Watch.
func (e *exploredOwn) Started(p protocols.ID, process any, now time.Duration) {
	e.exploredJudge.Started(p, process, now)
	e.look(e.own(), p, process, false)
}

// Received implements explore.Watch.
func (e *exploredOwn) Received(p protocols.ID, process any, now time.Duration) {
	e.exploredJudge.Received(p, process, now)
	e.look(e.own(), p, process, false)
}

// Expired implements explore.Watch.
func (e *exploredOwn) Expired(p protocols.ID, process any, now time.Duration) {
	e.exploredJudge.Expired(p, process, now)
	e.look(e.own(), p, process, false)
}

// Crashed implements explore.Watch.
func (e *exploredOwn) Crashed(p protocols.ID, now time.Duration) {
	e.exploredJudge.Crashed(p, now)
	e.look(e.own(), p, nil, true)
}

// Restarted implements explore.Watch.
func (e *exploredOwn) Restarted(p protocols.ID, process any, now time.Duration) {
	e.exploredJudge.Restarted(p, process, now)
	e.look(e.own(), p, process, false)
}

// Verdicts implements explore.Watch.
func (e *exploredOwn) Verdicts(rest bool) []protocols.Verdict {
	return append(e.exploredJudge.Verdicts(rest), e.verdicts(e.own(), rest, nil)...)
}

// Rotate implements explore.Rotator.
func (e *exploredOwn) Rotate() {
	e.exploredJudge.Rotate()
	last := len(e.values) - 1
	e.values = append([][]string{e.values[last]}, e.values[:last]...)
}

// ownRun judges one run by own properties.
type ownRun struct {
	*Own
	glances
	processes []any
	broken    []string // by property, how an Always was violated
	dead      []protocols.ID
	step      func() string // now
}

func newOwnRun(in *Instance, v *View) *ownRun {
	if in.Own == nil {
		return nil
	}
	r := &ownRun{Own: in.Own, glances: glances{make([][]string, in.N)}, processes: make([]any, in.N), broken: make([]string, len(in.Own.Properties)), dead: in.Dead}
	r.step = func() string {
		if in.Timeless() {
			return fmt.Sprintf("step %d", v.run.Now())
		}
		return time.Duration(v.run.Now()).String()
	}
	return r
}

// made notes the process of an address, before it starts or restarts.
func (r *ownRun) made(p protocols.ID, process any) {
	r.processes[p] = process
	r.look(r.Own, p, process, slices.Contains(r.dead, p))
}

// saw judges the run after a step of a process.
func (r *ownRun) saw(p protocols.ID, crashed bool) {
	r.look(r.Own, p, r.processes[p], crashed)
	r.judge()
}

// judge notes what is violated now.
func (r *ownRun) judge() {
	for i, v := range r.verdicts(r.Own, false, nil) {
		if v == protocols.Violated && r.broken[i] == "" {
			r.broken[i] = fmt.Sprintf("%s: false at %s", r.Properties[i].Says, r.step())
		}
	}
}

// checks are the verdicts on the run, with its result but for these. A single run says nothing of a property
// that holds sometimes.
func (r *ownRun) checks(result *Result, rest bool) (checks []protocols.Check) {
	r.judge()
	if !rest { // what was measured of a part of a run says nothing of the whole
		result = nil
	}
	for i, v := range r.verdicts(r.Own, rest, result) {
		c := protocols.Check{Name: r.Properties[i].Name, Verdict: v, Detail: r.Properties[i].Says}
		switch {
		case r.Properties[i].Kind == explore.Sometimes:
			continue
		case r.broken[i] != "":
			c.Verdict, c.Detail = protocols.Violated, r.broken[i]
		case v == protocols.Violated:
			c.Detail += ": false at rest" + measuredText(result, r.predicates[i].Measures())
		case !rest:
			c.Verdict = protocols.Undecided
		}
		checks = append(checks, c)
	}
	return checks
}

// measuredText says what was measured of a run; it is "" for no measures.
func measuredText(r *Result, names []string) string {
	var all []string
	for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
		text := "unknown"
		if v, ok := r.Metric(name); ok {
			text = strconv.FormatFloat(v, 'g', -1, 64)
		}
		all = append(all, name+" "+text)
	}
	if len(all) == 0 {
		return ""
	}
	return ", with " + strings.Join(all, ", ")
}

// observing tells the judge of own properties of each step, after the family's.
type observing struct {
	netem.Observer
	own *ownRun
}

func (o observing) Started(p protocols.ID) {
	o.Observer.Started(p)
	o.own.saw(p, false)
}

func (o observing) Stepped(p protocols.ID) {
	o.Observer.Stepped(p)
	o.own.saw(p, false)
}

func (o observing) Crashed(p protocols.ID) {
	o.Observer.Crashed(p)
	o.own.saw(p, true)
}

func (o observing) Restarted(p protocols.ID) {
	o.Observer.Restarted(p)
	o.own.saw(p, false)
}
