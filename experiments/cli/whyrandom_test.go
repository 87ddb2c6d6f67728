package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"bullring/des"
	"bullring/experiments/catalog"
	"bullring/experiments/cli/internal/view"
	"bullring/experiments/show/history"
	"bullring/experiments/show/reason"
	"bullring/experiments/trial"
	"bullring/netem"
	"bullring/protocols"
)

// What goes wrong in random runs.
var (
	badLinks  = []string{"", "loss 10%", "loss 20% duplicate 10%", "delay uniform(0,4ms) loss 5%", "corrupt 10%", "reorder 20% delay 2ms 1ms"}
	badPlans  = []string{"", "random swarm until 20ms", "at 1ms partition {0 1 | 2..4} for 10ms", "omit sends of 1 with 30%; at 2ms crash 3 for 4ms", "crash 0 after 2 sends", "pause 1 for 5ms"}
	badDelays = []string{"1ms", "exp(1ms)", "uniform(0,3ms)"}
)

// failing returns settings of which many fail, of every algorithm.
func failing(registry *trial.Registry, seeds int) (settings []trial.Setting) {
	for seed := range seeds {
		for _, a := range registry.All() {
			k := len(settings) + 1
			settings = append(settings, trial.Setting{
				Algorithm: a.Name, N: 5, Seed: uint64(seed + 1), Link: badLinks[k%6], Fault: badPlans[k/6%6], Delay: badDelays[k/36%3],
				Assume: "2ms", MaxTime: "500ms", OutsideModel: true,
			})
		}
	}
	return settings
}

// tally counts what the reasons of violated runs are like.
type tally struct {
	violated, none int
	sizes          [4]int // of the best reasons: one change, two, three, more
	alone          int    // a single element is enough, or a single change helps
	whole, plans   int    // commands of the best reasons: plans that show the saved run, to the end or up to the violation
}

func (a *tally) add(b tally) {
	a.violated, a.none, a.alone, a.whole, a.plans = a.violated+b.violated, a.none+b.none, a.alone+b.alone, a.whole+b.whole, a.plans+b.plans
	for i := range a.sizes {
		a.sizes[i] += b.sizes[i]
	}
}

// tallyOf counts one run.
func tallyOf(e *reason.Explanation) tally {
	t := tally{violated: 1}
	if len(e.Reasons) == 0 {
		t.none = 1
		return t
	}
	best := e.Reasons[0]
	t.sizes[min(len(best.Changes), len(t.sizes))-1] = 1
	if e.Alone || len(best.Changes) == 1 {
		t.alone = 1
	}
	switch {
	case best.Whole:
		t.whole = 1
	case best.Again != nil:
		t.plans = 1
	}
	return t
}

// Random failing runs of all families have a reason, most of them of one change or with single
// elements that are enough. The command of each reason, read by the parser of the command line,
// is run again and shows the saved run, up to the violation or to its end. No part of a reason
// has its effect.
func TestRandomFailingRuns(t *testing.T) {
	registry, seeds := catalog.New(), 100
	if testing.Short() {
		seeds = 3
	}
	families := map[string]*tally{}
	var all tally
	for _, s := range failing(registry, seeds) {
		in, err := registry.Instance(s)
		if err != nil {
			continue // the messages of this algorithm cannot be altered, for example
		}
		e := reason.Explain(t.Context(), registry, in)
		if e.Violation == nil {
			continue
		}
		one := tallyOf(e)
		if one.none > 0 {
			t.Logf("%+v: %s; %s", s, e.Violation.Detail, e.Unable)
		}
		if families[in.Algorithm.Family] == nil {
			families[in.Algorithm.Family] = &tally{}
		}
		families[in.Algorithm.Family].add(one)
		all.add(one)
		checkListed(t, e)
		checkCommands(t, registry, in, e)
		checkParts(t, in, e)
	}
	printed := table(families, all)
	t.Log("\n" + printed)
	if page, err := os.ReadFile("../../docs/faults.md"); !testing.Short() && (err != nil || !strings.Contains(string(page), printed)) {
		t.Error("docs/faults.md has another table")
	}
	var hard tally // of consensus: a majority hides single losses, so that more changes are needed
	if c := families["consensus"]; c != nil {
		hard = *c
	}
	if all.violated < 10*seeds || all.none > all.violated/100 || all.alone-hard.alone < (all.violated-hard.violated)*97/100 || hard.alone < hard.violated*3/4 || all.whole+all.plans < all.violated/3 {
		t.Error("too few")
	}
}

// A message that only the saved run sends is held to the bound there, and may be lost by a run that a plan says. Then no
// plan shows the saved run.
func TestNewMessagesMayBeLost(t *testing.T) {
	registry := catalog.New()
	for seed, delay := range map[uint64]string{26: "1ms", 63: "uniform(0,3ms)"} {
		in, err := registry.Instance(trial.Setting{
			Algorithm: "tokenring", N: 5, Seed: seed, Link: badLinks[2], Fault: badPlans[4], Delay: delay, Assume: "2ms", MaxTime: "500ms", OutsideModel: true,
		})
		if err != nil {
			t.Fatal(err)
		}
		e := reason.Explain(t.Context(), registry, in)
		if len(e.Reasons) == 0 || e.Reasons[0].Again != nil {
			t.Errorf("seed %d: %d reasons", seed, len(e.Reasons))
		}
		checkCommands(t, registry, in, e)
	}
}

// table is the table of docs/faults.md.
func table(families map[string]*tally, all tally) string {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "FAMILY\tVIOLATED\tNONE\tONE\tTWO\tTHREE\tMORE\tONE ALONE\tPLAN\tPLAN, UP TO IT")
	row := func(name string, y *tally) {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\n", name, y.violated, y.none, y.sizes[0], y.sizes[1], y.sizes[2], y.sizes[3], y.alone, y.whole, y.plans)
	}
	for _, name := range slices.Sorted(maps.Keys(families)) {
		row(name, families[name])
	}
	row("all", &all)
	w.Flush()
	return text.String()
}

// instant is the time of an event in a text.
var instant = regexp.MustCompile(`^(?:.*#[0-9]+ +)?([0-9.]+(?:ns|µs|ms|s)) `)

// checkListed looks for events after the violation in what is printed, in JSON, and among the events
// that pages and diagrams mark. Only what became of a message that is otherwise in the best reason
// may come later: that it came too late is the reason.
func checkListed(t *testing.T, e *reason.Explanation) {
	t.Helper()
	v := view.Why{Because: view.Because{Explanation: e, Program: "bullring"}}
	name := e.Real.Result.Instance.Setting
	if e.Violation.Event == 0 {
		return
	}
	var text strings.Builder
	if err := v.Text(&text); err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(text.String(), "\n\n")
	for line := range strings.Lines(body) {
		for cell := range strings.SplitSeq(line, " | ") {
			at, err := time.ParseDuration(firstOf(instant.FindStringSubmatch(cell)))
			if err == nil && des.Time(at) > e.Violation.At {
				t.Errorf("%+v: %q is after the violation at %v", name, cell, e.Violation.At)
			}
		}
	}
	var said struct{ Steps []struct{ Record int } }
	written, err := json.Marshal(v.JSON())
	if err = cmp.Or(err, json.Unmarshal(written, &said)); err != nil || len(said.Steps) == 0 {
		t.Fatal(err, len(said.Steps))
	}
	for _, step := range said.Steps {
		if step.Record > e.Violation.Event {
			t.Errorf("%+v: JSON has event %d, and the violation is event %d", name, step.Record, e.Violation.Event)
		}
	}
	checkSent(t, e)
	changed := numbersOf(e)
	for i, marked := range e.Marked(e.Real) {
		if event := &e.Real.Events[i]; marked && event.Order > e.Violation.Event && !slices.Contains(changed, event.Number) {
			t.Errorf("%+v: event %d is marked, and the violation is event %d", name, event.Order, e.Violation.Event)
		}
	}
}

// checkSent looks for messages that a reason takes for messages of the real run, and that are not.
func checkSent(t *testing.T, e *reason.Explanation) {
	t.Helper()
	type message struct {
		from, to protocols.ID
		sent     des.Time
		content  string
	}
	there := map[message]bool{}
	for i := range e.Real.Events {
		for _, m := range e.Real.Events[i].Sent {
			there[message{e.Real.Events[i].Who, m.To, e.Real.Events[i].At, fmt.Sprint(m.Message)}] = true
		}
	}
	for _, r := range e.Reasons {
		for _, c := range r.Changes {
			if c.Content != "" && there[message{c.Key.From, c.Key.To, c.Sent, c.Content}] == c.Foreign {
				t.Errorf("%+v: %s; it is in the real run: %v", e.Real.Result.Instance.Setting, c.Happened(), !c.Foreign)
			}
		}
	}
}

// firstOf is the first group of a match, "" if there is none.
func firstOf(match []string) string {
	if match == nil {
		return ""
	}
	return match[1]
}

// numbersOf are the numbers of the messages that are otherwise in the best reason.
func numbersOf(e *reason.Explanation) (numbers []uint64) {
	if len(e.Reasons) == 0 {
		return nil
	}
	for i := range e.Real.Events {
		event := &e.Real.Events[i]
		for _, sent := range event.Sent {
			if slices.ContainsFunc(e.Reasons[0].Changes, func(c reason.Change) bool {
				return c.Sent == event.At && c.Key.From == event.Who && c.Key.To == sent.To && c.Content == fmt.Sprint(sent.Message)
			}) {
				numbers = append(numbers, sent.Number)
			}
		}
	}
	return numbers
}

// checkCommands makes the run of the command of each reason, and compares it with the saved run.
func checkCommands(t *testing.T, registry *trial.Registry, in *trial.Instance, e *reason.Explanation) {
	t.Helper()
	written, err := json.Marshal(view.Why{Because: view.Because{Explanation: e, Program: "bullring", Again: view.WhyLine("bullring", in)}}.JSON())
	var said struct{ Reasons []struct{ Command string } }
	if err == nil {
		err = json.Unmarshal(written, &said)
	}
	if err != nil || len(said.Reasons) != len(e.Reasons) {
		t.Fatal(err, len(said.Reasons))
	}
	var explained *reason.Explanation // by the command line
	for i, r := range e.Reasons {
		saved := history.Of(t.Context(), r.Saved)
		command := said.Reasons[i].Command
		again, err := instanceIn(registry, command)
		if err != nil {
			t.Errorf("%s: %v", command, err)
			continue
		}
		whole := r.Whole
		if strings.HasSuffix(command, " --instead "+strconv.Itoa(i+1)) {
			if explained == nil {
				explained = reason.Explain(t.Context(), registry, again)
			}
			again, whole = explained.Reasons[i].Saved, true
		}
		shown := history.Of(t.Context(), again)
		switch {
		case !slices.Equal(eventsUpTo(shown, e.Violation), eventsUpTo(saved, e.Violation)):
			t.Errorf("%s: up to the violation, its run is not the saved one", command)
		case whole && !slices.Equal(eventsUpTo(shown, nil), eventsUpTo(saved, nil)):
			t.Errorf("%s: its run is not the saved one", command)
		}
		was, is := checkNamed(saved.Result, e.Violation.Check), checkNamed(shown.Result, e.Violation.Check)
		if was.Verdict != is.Verdict || was.Detail != is.Detail {
			t.Errorf("%s: %s is %v, %q; in the saved run it is %v, %q", command, was.Name, is.Verdict, is.Detail, was.Verdict, was.Detail)
		}
	}
}

// instanceIn is the instance of a command of run or of why.
func instanceIn(registry *trial.Registry, command string) (*trial.Instance, error) {
	command, _, _ = strings.Cut(strings.Replace(command, "bullring why ", "bullring run ", 1), " --instead ")
	s, err := settingIn(registry, command)
	if err != nil {
		return nil, err
	}
	return registry.Instance(s)
}

// eventsUpTo are the events of a run up to a violation, without the beginnings of faults.
func eventsUpTo(h *history.History, v *reason.Violation) (list []string) {
	for i := range h.Events {
		if e := &h.Events[i]; e.What != "fault" && (v == nil || e.At <= v.At) {
			list = append(list, e.Text(e.News))
		}
	}
	return list
}

func checkNamed(r *trial.Result, name string) protocols.Check {
	return r.Checks[slices.IndexFunc(r.Checks, func(c protocols.Check) bool { return c.Name == name })]
}

// mostParts is the largest set of which all parts are tried. Of a larger one they are those that
// lack a single change.
const mostParts = 5

// checkParts runs with each part of each reason. This violation is there, or the check holds only at
// the cost of another one, or in a part of the run, where with all of the reason it holds.
func checkParts(t *testing.T, in *trial.Instance, e *reason.Explanation) {
	t.Helper()
	var worker trial.Worker
	for _, r := range e.Reasons {
		for _, part := range partsOf(r.Changes) {
			found := effectOf(e, worker.Run(t.Context(), partly(r.Saved, part), nil))
			if found == reason.Holds || found.Gone() && r.Effect != reason.Holds {
				t.Errorf("%+v: %v has the effect %v, and its part %v has the effect %v", in.Setting, r.Texts(), r.Effect, part, found)
			}
		}
	}
}

// partsOf are proper parts of changes.
func partsOf(changes []reason.Change) (parts [][]reason.Change) {
	if len(changes) > mostParts {
		for i := range changes {
			parts = append(parts, slices.Delete(slices.Clone(changes), i, i+1))
		}
		return parts
	}
	for bits := 1; bits < 1<<len(changes)-1; bits++ {
		var part []reason.Change
		for i, c := range changes {
			if bits>>i&1 == 1 {
				part = append(part, c)
			}
		}
		parts = append(parts, part)
	}
	return parts
}

// effectOf is the effect on the violation in a changed run.
func effectOf(e *reason.Explanation, changed *trial.Result) reason.Effect {
	was, is := checkNamed(e.Real.Result, e.Violation.Check), checkNamed(changed, e.Violation.Check)
	worse := slices.ContainsFunc(changed.Checks, func(c protocols.Check) bool {
		return c.Verdict == protocols.Violated && checkNamed(e.Real.Result, c.Name).Verdict != protocols.Violated
	})
	switch {
	case is.Verdict == protocols.Undecided || timeless(is.Detail) == timeless(was.Detail):
		return reason.Same
	case is.Verdict == was.Verdict && was.Broke == nil:
		return reason.Same
	case is.Verdict == was.Verdict:
		return reason.Other
	case worse:
		return reason.Worse
	}
	return reason.Holds
}

// timeless is a sentence of a judge without its words that tell times.
func timeless(detail string) string {
	return strings.Join(slices.DeleteFunc(strings.Fields(detail), func(word string) bool {
		_, err := time.ParseDuration(strings.Trim(word, ",;"))
		return err == nil
	}), " ")
}

// partly is a saved run with a part of its changes.
func partly(saved *trial.Instance, part []reason.Change) *trial.Instance {
	in, altered := *saved, *saved.Altered
	altered.Carry, altered.Coins, in.Off = map[netem.MessageKey]time.Duration{}, map[netem.CoinKey]int{}, make([]bool, len(in.Drawn))
	for _, c := range part {
		switch c.Class {
		case reason.Fault:
			in.Off[c.Fault] = true
		case reason.Coin:
			altered.Coins[c.Coin] = c.Face
		default:
			altered.Carry[c.Key] = c.Delay
		}
	}
	in.Altered = &altered
	return &in
}
