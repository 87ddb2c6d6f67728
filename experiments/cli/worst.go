package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/jonboulle/clockwork"
	"github.com/spf13/cobra"

	"bullring/experiments"
	"bullring/experiments/search"
)

// worstFlags is what worst was given.
type worstFlags struct {
	systemFlags
	metric, over, timers           string
	grain, budget, states, workers uint64
	out, note                      string
	json                           bool
}

func worstCommand(registry *experiments.Registry) *cobra.Command {
	f := &worstFlags{metric: search.Costs[0]}
	cmd := &cobra.Command{
		Use:   "worst ALGORITHM",
		Short: "Look for the run of an algorithm that costs the most",
		Long: `Look for the run of an algorithm that costs the most messages, bits, causal depth
or time, and set it beside what theory says. What varies is

  ids         where the identities 1..n sit
  initiators  who starts: every set or, with --initiators random:K, every set of K
  schedule    the order of events

and without --over the first two, as far as they are not given. Nothing fails.

If there are no more cases than --budget, all are looked at, and what is found is
PROVEN to be the worst of them, unless runs draw random numbers: then it is the worst
FOUND for this seed. With more cases a local search looks for it: it begins in
several places, and swaps identities and exchanges initiators as long as that costs
no less. What it has FOUND may not be the worst. Runs are in lock-step rounds, in one order of
events; but over schedules every order of events and every draw is explored, as
bullring explore does, or, if that takes more than --max-states, some are drawn with
random delays.

The run is printed with the command that repeats it; with --out it is written into
a file, a case, which bullring replay takes. A schedule that was found is only
there. The same command prints the same, whatever the number of --workers.

` + statuses,
		Example: examples(registry,
			"bullring worst lcr --n 6",
			"bullring worst changroberts --n 6 --initiators random:1",
			"bullring worst bully --n 6 --variant A --dead last --over initiators --initiators random:1",
			"bullring worst peterson --n 4 --metric depth --over ids,schedule --out deepest.json",
			"bullring worst lcr --n 12 --budget 20000 --json"),
		Args: func(cmd *cobra.Command, args []string) error { return algorithm(cmd, registry, args) },
		RunE: func(cmd *cobra.Command, args []string) error {
			f.setting.Algorithm = args[0]
			return worst(cmd, registry, f)
		},
		ValidArgsFunction: completeAlgorithm(registry),
	}
	f.register(cmd, registry)
	return cmd
}

func (f *worstFlags) register(cmd *cobra.Command, registry *experiments.Registry) {
	f.systemFlags.register(cmd, registry, defaultN)
	f.budget, f.states = search.DefaultHuntRuns, search.DefaultHuntStates
	flags := cmd.Flags()
	flags.BoolVar(&f.setting.OutsideModel, "outside-model", false, "run even if the algorithm's assumptions do not hold")
	flags.Var(choice{&f.metric, search.Costs}, "metric", "what the run is to cost most of")
	textFlag(cmd, &f.over, "over", strings.Join(search.Variables, ","), "what varies (default ids and initiators, as far as they are not given)")
	flags.Var(choice{&f.timers, exploredTimers}, "timers", "of schedules: they expire at any time, or on time where messages take no longer than the bound on delay (default bounded if the algorithm assumes a bound)")
	countFlag(cmd, &f.grain, 1, math.MaxUint8, "grain", "of schedules: steps of time in the bound on delay (default 1)")
	countFlag(cmd, &f.budget, 1, math.MaxInt32, "budget", "look at all cases if there are no more, else search in so many runs")
	countFlag(cmd, &f.states, 1, math.MaxUint32, "max-states", "look at every schedule if there are no more states, else draw some")
	countFlag(cmd, &f.workers, 1, 256, "workers", "processors to use (default all)")
	flags.VarP(text{&f.out, "FILE"}, "out", "o", "write the run into a file; one that is there is replaced if it is a case")
	textFlag(cmd, &f.note, "note", "TEXT", "a note for the file")
	flags.BoolVar(&f.json, "json", false, "print one JSON object")
	completeFlag(cmd, "metric", completeWords(search.Costs...))
	completeFlag(cmd, "over", completeWords(search.Variables...))
	completeFlag(cmd, "timers", completeWords(exploredTimers...))
	for _, name := range []string{"grain", "budget", "max-states", "workers", "note"} {
		completeFlag(cmd, name, cobra.NoFileCompletions)
	}
}

// read turns the flags into a hunt.
func (f *worstFlags) read() (search.Hunt, error) {
	h := search.Hunt{
		Setting: f.systemFlags.read(), Metric: f.metric, Timers: f.timers, Grain: int(f.grain),
		Budget: f.budget, MaxStates: f.states, Workers: int(f.workers),
	}
	if f.over != "" {
		for word := range strings.SplitSeq(f.over, ",") {
			h.Over = append(h.Over, strings.TrimSpace(word))
		}
	}
	if f.note != "" && f.out == "" {
		return h, errors.New("--note is for the file that --out writes; without it there is none")
	}
	if f.out != "" {
		if err := search.CheckCaseFile(f.out); err != nil {
			return h, fmt.Errorf("--out: %w", err)
		}
	}
	return h, nil
}

func worst(cmd *cobra.Command, registry *experiments.Registry, f *worstFlags) error {
	h, err := f.read()
	if err != nil {
		return err
	}
	p := newProgress(cmd.ErrOrStderr(), clockwork.NewRealClock(), &watch{mode: progressAuto})
	h.Progress = p.count
	w, err := search.FindWorst(orderly(cmd), registry, h)
	p.close()
	program := cmd.Root().Name()
	if endless, is := errors.AsType[*search.EndlessError](err); is {
		return exit{statusUndecided, fmt.Errorf("undecided: %w; again: %s", err, commandLine(program, endless.Result.Instance))}
	}
	if w == nil {
		if cmd.Context().Err() != nil {
			return interrupted(cmd.Context())
		}
		return err
	}
	file := f.out
	var unwritten error
	if file != "" {
		if unwritten = search.NewCase(w.Result, "", f.note).Write(file); unwritten != nil {
			file = ""
		}
	}
	if err := output(cmd, func(out io.Writer) error {
		if f.json {
			return writeJSON(out, newWorstReport(program, file, w))
		}
		return writeWorst(out, program, file, w)
	}); err != nil {
		return err
	}
	if unwritten != nil {
		return exit{statusFailed, unwritten}
	}
	if cmd.Context().Err() != nil { // what was found by then has been printed
		return interrupted(cmd.Context())
	}
	return judgement(context.WithoutCancel(cmd.Context()), w.Result)
}

// worstReport is the run that costs the most as JSON.
type worstReport struct {
	Metric       string        `json:"metric"`
	Value        float64       `json:"value"`
	Over         []string      `json:"over"`
	Proven       bool          `json:"proven"`
	Cases        number        `json:"cases"`
	Drew         bool          `json:"drew"`   // random numbers, those of the seed
	Seeded       *string       `json:"seeded"` // what of the system the seed decides
	UpToRotation bool          `json:"up_to_rotation"`
	Looked       int           `json:"looked"`
	States       uint64        `json:"states"`
	CutOff       *string       `json:"cut_off"`
	Timers       *string       `json:"timers"`
	Again        *string       `json:"again"`
	Bounds       []boundReport `json:"bounds"` // those of the metric that the run may not exceed
	Run          report        `json:"run"`
}

func newWorstReport(program, file string, w *search.Worst) worstReport {
	cases, _ := new(big.Float).SetInt(w.Cases).Float64()
	r := worstReport{
		Metric: w.Hunt.Metric, Value: w.Value, Over: w.Hunt.Over, Proven: w.Proven,
		Drew: w.Drew, Seeded: given(w.Result.Instance.Seeded()), Cases: number(cases), UpToRotation: w.UpToRotation, Looked: w.Looked, States: w.States,
		Timers: given(w.Hunt.Timers), Again: given(repetition(program, file, w)),
		Bounds: []boundReport{}, Run: newReport(w.Result),
	}
	if w.CutOff != nil {
		r.CutOff = given(w.CutOff.Error())
	}
	for _, b := range r.Run.Bounds {
		if slices.ContainsFunc(w.Limits(), func(l experiments.BoundResult) bool { return l.Name == b.Name }) {
			r.Bounds = append(r.Bounds, b)
		}
	}
	return r
}

// repetition is the command that repeats the run, "" if that takes a file and there is
// none.
func repetition(program, file string, w *search.Worst) string {
	switch {
	case w.Result.Instance.Setting.Schedule == "":
		return commandLine(program, w.Result.Instance)
	case file == "":
		return ""
	}
	return program + " replay " + quoted(file)
}

// writeWorst prints the run that costs the most for people.
func writeWorst(out io.Writer, program, file string, w *search.Worst) error {
	in := w.Result.Instance
	fmt.Fprintf(out, "%s: %s\n%s\n", titled(in), in.Algorithm.Title, scene(in))
	if len(in.Outside) > 0 {
		fmt.Fprintf(out, "OUTSIDE THE MODEL: %s\n", strings.Join(in.Outside, "; "))
	}
	fmt.Fprintf(out, "\n%s\n\n", lookedAt(w))
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s\t%s\n", costName(w), decimal(w.Value))
	fmt.Fprintf(t, "identities\t%s\n", commas(identitiesOf(in)))
	fmt.Fprintf(t, "initiators\t%s\n", commas(in.Initiators))
	for _, b := range w.Limits() {
		attained := ""
		if b.Relation == experiments.AtMost && b.Ratio == 1 {
			attained = ", attained"
		}
		fmt.Fprintf(t, "theory\t%s %s %s, ratio %s%s: %s\n", b.Name, b.Relation, decimal(b.Value), decimal(b.Ratio), attained, b.Formula)
	}
	t.Flush()
	command := repetition(program, file, w)
	if command == "" {
		command = "--out FILE writes the run into a file, and " + program + " replay FILE repeats it"
	}
	_, err := fmt.Fprintf(out, "\nagain: %s\n", command)
	return err
}

// costName is what the run costs most of, and in what it is counted.
func costName(w *search.Worst) string {
	switch w.Hunt.Metric {
	case "depth":
		return "causal depth"
	case "time":
		return "time, in delays"
	}
	return w.Hunt.Metric
}

// commas lists values.
func commas[T any](list []T) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(list), "[]"), " ", ",")
}

// lookedAt says what was looked at, and what follows from that.
func lookedAt(w *search.Worst) string {
	scheduled, over := slices.Contains(w.Hunt.Over, search.OverSchedule), overWhat(w)
	looked := grouped(uint64(w.Looked))
	switch {
	case w.Proven && scheduled:
		return fmt.Sprintf("PROVEN%s: no run costs more, over %s, %s states, timers %s)", seeded(w), over, grouped(w.States), timersOf(w))
	case w.Proven:
		return fmt.Sprintf("PROVEN%s: no run in rounds costs more, over %s, each in one order of events)", seeded(w), over)
	case scheduled && w.CutOff != nil:
		return fmt.Sprintf("FOUND: none of %s runs with random delays costs more, over %s); not every schedule was looked at: %v", looked, over, w.CutOff) // each has a seed of its own
	case scheduled:
		return fmt.Sprintf("FOUND%s: none of %s cases costs more, over %s, timers %s)", seeded(w), looked, over, timersOf(w))
	case w.Drew:
		return fmt.Sprintf("FOUND for seed %d: none of %s runs in rounds costs more, over %s).\nRuns draw random numbers, and with those of another seed one may cost more. To prove what the most is:\n--over %s follows every draw; it proves nothing where runs can go on for ever.",
			w.Hunt.Setting.Seed, looked, over, strings.Join(append(slices.Clone(w.Hunt.Over), search.OverSchedule), ","))
	}
	return fmt.Sprintf("FOUND%s: none of %s runs in rounds costs more, over %s)", seeded(w), looked, over)
}

// timersOf says how timers expire and, where delays have a bound, how finely they vary.
func timersOf(w *search.Worst) string {
	if w.Hunt.Timers == experiments.BoundedTimers {
		return fmt.Sprintf("%s, delays in steps of %v", w.Hunt.Timers, w.Result.Instance.Assumed/time.Duration(w.Hunt.Grain))
	}
	return w.Hunt.Timers
}

// seeded limits a verdict to the seed if that decides what there is.
func seeded(w *search.Worst) string {
	if what := w.Result.Instance.Seeded(); what != "" {
		return fmt.Sprintf(" for seed %d, which decides the %s", w.Hunt.Setting.Seed, what)
	}
	return ""
}

// overWhat says what varies, and how many cases that makes; its parenthesis is open.
func overWhat(w *search.Worst) string {
	in, over := w.Result.Instance, []string{}
	for _, what := range search.Variables {
		if !slices.Contains(w.Hunt.Over, what) {
			continue
		}
		switch {
		case what == search.OverIDs:
			over = append(over, fmt.Sprintf("every placement of 1..%d", in.N))
		case what == search.OverSchedule:
			over = append(over, "every schedule")
		case strings.HasPrefix(w.Hunt.Setting.Initiators, "random:"):
			over = append(over, "every set of "+several(len(in.Initiators), "initiator"))
		default:
			over = append(over, "every set of initiators")
		}
	}
	cases := caseCount(w.Cases) + " cases"
	if w.Cases.IsInt64() && w.Cases.Int64() == 1 {
		cases = "1 case"
	}
	if w.UpToRotation {
		cases += " up to rotation"
	}
	return strings.Join(over, " and ") + " (" + cases
}

// caseCount prints a number of cases of any size.
func caseCount(n *big.Int) string {
	if n.IsUint64() && n.Uint64() < 1e12 {
		return grouped(n.Uint64())
	}
	return new(big.Float).SetInt(n).Text('g', 3)
}
