package judge

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"bullring/experiments/show/reason"
	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
	"bullring/internal/counts"
)

// Verdict is what a report comes to.
type Verdict string

// The verdicts.
const (
	Proven       Verdict = "proven"       // every run of these sizes with these faults was explored, and no random run fails
	Refuted      Verdict = "violated"     // a run fails, or a rule of processes is broken
	Sampled      Verdict = "sampled"      // nothing fails, and not every small system was explored to its end
	Inconclusive Verdict = "inconclusive" // a program was late, or the time was over before random runs had ended
)

// Verdicts are all.
var Verdicts = []Verdict{Proven, Refuted, Sampled, Inconclusive}

// Result is that of an attempt.
type Result string

// The results.
const (
	Held       Result = "holds"       // to the end of what was to be tried
	Violated   Result = "violated"    // the failure of the report
	Unfinished Result = "unfinished"  // it ended at a limit that is no time, or cannot be explored
	Skipped    Result = "skipped"     // outside of the model, or there is no such system
	Late       Result = "late"        // a program did not answer in time
	Over       Result = "out of time" // of the case
)

// Results are all.
var Results = []Result{Held, Violated, Unfinished, Skipped, Late, Over}

// Report is the verdict, and what it rests on.
type Report struct {
	Verdict Verdict
	Tried   []Attempt     // in order
	Failure *Failure      // nil unless the verdict is Refuted
	Spent   time.Duration // real time
}

// Attempt is one thing that was tried.
type Attempt struct {
	Stage   Stage
	Command []string // of bullring, that does the same
	Variant string   // "" is the usual one
	N       int      // processes; 0 of random runs
	Faults  string   // of an exploration, such as "1 crash, 1 restart"; "none" without, "" of other stages
	States  uint64   // explored
	Runs    uint64   // made
	// Questions is how many a program was asked in an exploration that came to its end. Again were asked again, of
	// processes that came to their states by themselves.
	Questions, Again uint64
	Result           Result
	Why              string        // the name of the check, or why it did not come to its end; "" if it did
	Spent            time.Duration // real time
}

// Failure is a way to fail, with the smallest run that was found.
type Failure struct {
	Check   string        // the name of the check, of a rule of [conduct.Rule], or of a [search.Failure]
	Detail  string        // a sentence
	Setting trial.Setting // of the smallest run
	// Replays says that a run of the setting shows the failure. A broken rule shows when runs are compared.
	Replays     bool
	Result      *trial.Result       // of that run; nil if it was not made
	Cycle       int                 // the last steps of a schedule that repeat for ever; 0 for none
	Explanation *reason.Explanation // why the check does not hold; nil if a bound, a rule or the program itself is broken
}

// Shown is the failure that a run of the setting shows. A run without an end has one that is unfinished.
func (f *Failure) Shown() search.Failure {
	if f.Cycle > 0 {
		return search.Failure(trial.Unfinished)
	}
	return search.Failure(f.Check)
}

// tried are the attempts of some stages with some results; nil stages are all.
func (r *Report) tried(stages []Stage, results ...Result) (some []Attempt) {
	for _, a := range r.Tried {
		if (stages == nil || slices.Contains(stages, a.Stage)) && slices.Contains(results, a.Result) {
			some = append(some, a)
		}
	}
	return some
}

// conclude comes to the verdict.
func (r *Report) conclude() {
	small := []Stage{Explore}
	switch {
	case r.Failure != nil:
		r.Verdict = Refuted
	case len(r.doubts()) > 0:
		r.Verdict = Inconclusive
	case len(r.tried(small, Held)) > 0 && len(r.tried(small, Unfinished, Over)) == 0:
		r.Verdict = Proven
	case len(r.tried(nil, Held)) > 0:
		r.Verdict = Sampled
	default:
		r.Verdict = Inconclusive
	}
}

// doubts are the attempts that keep a report without a failure from a verdict: a program was late, or there was no time
// for what every verdict rests on. The time may end these early.
func (r *Report) doubts() []Attempt {
	doubts := append(r.tried(nil, Late), r.tried([]Stage{Hunt}, Unfinished)...)
	for _, a := range r.tried([]Stage{Conduct, Hunt}, Over) {
		if a.Runs == 0 {
			doubts = append(doubts, a)
		}
	}
	return doubts
}

// Sentences say what the verdict means, in words that claim no more than was tried.
func (r *Report) Sentences() []string {
	var lines []string
	switch r.Verdict {
	case Refuted:
		return []string{fmt.Sprintf("VIOLATED: %s: %s.", r.Failure.Check, strings.TrimSuffix(r.Failure.Detail, "."))}
	case Proven:
		lines = []string{fmt.Sprintf("PROVEN for %s: every run was explored, and none violates anything.", r.explored()), unnamed}
	case Sampled:
		lines = []string{"SAMPLED: nothing that was tried violates anything, and not every run was explored."}
		if held := r.explored(); held != "" {
			lines = append(lines, fmt.Sprintf("Every run was explored for %s.", held), unnamed)
		}
	case Inconclusive:
		lines = []string{"INCONCLUSIVE: " + r.inconclusive() + "."}
	}
	for _, a := range r.tried([]Stage{Hunt}, Held, Over) {
		if a.Runs == 0 {
			continue
		}
		lines = append(lines, fmt.Sprintf("%s at random violated nothing.", counts.Several(int(a.Runs), "run")))
	}
	return append(lines, r.asked()...)
}

// unnamed says what was explored where the case has no value.
const unnamed = "Where the command names no others, identities were 1 to n, inputs the two least ones, and parameters the defaults."

// inconclusive is the reason of that verdict.
func (r *Report) inconclusive() string {
	doubts := r.doubts()
	if len(doubts) == 0 {
		doubts = r.tried(nil, Over, Unfinished, Skipped)
	}
	if len(doubts) == 0 {
		return "nothing was tried"
	}
	return doubts[0].Where() + ": " + doubts[0].Why
}

// Where names an attempt.
func (a *Attempt) Where() string {
	words := []string{string(a.Stage)}
	if a.Variant != "" {
		words = append(words, a.Variant)
	}
	if a.N > 0 {
		words = append(words, fmt.Sprintf("n %d", a.N))
	}
	if a.Faults != "" {
		words = append(words, "faults "+a.Faults)
	}
	return strings.Join(words, ", ")
}

// explored names the systems whose every run was explored: those with the same sizes together.
func (r *Report) explored() string {
	var faults []string
	sizes := map[string]string{}
	for _, a := range r.tried([]Stage{Explore}, Held) {
		key := a.Faults
		if a.Variant != "" {
			key += " in variant " + a.Variant
		}
		if !slices.Contains(faults, key) {
			faults, sizes[key] = append(faults, key), "n = "+strconv.Itoa(a.N)
		} else {
			sizes[key] += ", " + strconv.Itoa(a.N)
		}
	}
	var groups []string
	var of []string // their sizes
	for _, f := range faults {
		with := withFaults(f)
		if i := slices.Index(of, sizes[f]); i >= 0 {
			groups[i] += " or " + with
			continue
		}
		groups, of = append(groups, sizes[f]+" "+with), append(of, sizes[f])
	}
	return strings.Join(groups, "; ")
}

// withFaults says which faults there may be.
func withFaults(faults string) string {
	if rest, none := strings.CutPrefix(faults, noFaults); none {
		return "without faults" + rest
	}
	return "with up to " + faults
}

// asked says how the word of a program was tested.
func (r *Report) asked() []string {
	var questions, again uint64
	for _, a := range r.tried([]Stage{Explore}, Held) {
		questions, again = questions+a.Questions, again+a.Again
	}
	if questions == 0 {
		return nil
	}
	return []string{fmt.Sprintf("The program answered %s; %s of them, at least one in a hundred, were asked again, of processes that came to their states by themselves.",
		counts.Several(int(questions), "question"), counts.Grouped(again))}
}
