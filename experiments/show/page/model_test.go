package page_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"bullring/experiments/show/history"
	"bullring/experiments/show/page"
	"bullring/experiments/trial"
	"bullring/netem"
)

// answer is the answer of the page's model about a run: see testdata/ask.mjs.
type answer struct {
	File         string
	Marked, Told []int
	Offered      []struct {
		At   int
		Line string
		Case struct{ Setting trial.Setting }
	}
}

// ask asks the model of the page about runs, in node.
func ask(t *testing.T, runs []page.Data, branches int) []answer {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("SKIPPED: there is no node, and the model of the page is not asked")
	}
	dir := t.TempDir()
	for i, d := range runs {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%05d.json", i)), encoded(t, d), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var complaint bytes.Buffer
	cmd := exec.CommandContext(t.Context(), node, "testdata/ask.mjs", dir, strconv.Itoa(branches))
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &complaint)
	}
	var answers []answer
	for line := range bytes.Lines(out) {
		var a answer
		if err := json.Unmarshal(line, &a); err != nil {
			t.Fatal(err)
		}
		answers = append(answers, a)
	}
	if len(answers) != len(runs) {
		t.Fatalf("%d answers about %d runs", len(answers), len(runs))
	}
	return answers
}

// seeds are the seeds of random runs of each algorithm: one in the small form.
func seeds(short bool) uint64 {
	if short {
		return 1
	}
	return 3
}

// The page and why name the same causes of a verdict: in random runs of every algorithm, in
// which a lot goes wrong.
func TestCausesAreThoseOfWhy(t *testing.T) {
	var histories []*history.History
	var runs []page.Data
	for k, a := range registry.All() {
		for seed := range seeds(testing.Short()) {
			s := trial.Setting{
				Algorithm: a.Name, N: 4, Placement: "random", Seed: seed, Delay: "exp(1ms)", MaxTime: "60ms", MaxEvents: 400,
				Fault: []string{"random swarm until 20ms", "drop 3rd message", "at 2ms crash 1", "at 500us down 0<->1 for 1ms; at 5ms down 1<->*"}[(uint64(k)+seed)%4],
				Link:  []string{"", "loss 20% duplicate 10%"}[seed%2],
			}
			h := historyOf(t, s)
			histories, runs = append(histories, h), append(runs, page.New(h, words, page.Branch{}))
		}
	}
	violated, parts := 0, 0
	for i, a := range ask(t, runs, 0) {
		d := &runs[i]
		printed := why(t, histories[i])
		if !slices.Equal(a.Marked, printed) || !slices.Equal(a.Told, printed) {
			t.Errorf("%s, seed %d: why prints %v; the page marks %v, and its causes are %v", d.Algorithm, d.Seed, printed, a.Marked, a.Told)
		}
		if strings.Contains(d.What, "violated") {
			violated++
		}
		if len(printed) < len(d.Events) {
			parts++
		}
	}
	if t.Logf("%d runs, %d violate a check, in %d something is no cause", len(runs), violated, parts); violated < 5 || parts < 5 {
		t.Error("too few to say anything")
	}
}

// why returns the numbers of the events that why prints.
func why(t *testing.T, h *history.History) (numbers []int) {
	t.Helper()
	var b strings.Builder
	if err := h.WritePast(&b); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		_, after, _ := strings.Cut(line, "#")
		k, err := strconv.Atoi(strings.Fields(after)[0])
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		numbers = append(numbers, k)
	}
	return numbers
}

// Every branch that the page offers is a run that begins as the run did: for random runs of
// every algorithm, at several events, for every kind of choice, and for branches of branches.
func TestBranches(t *testing.T) {
	var runs []page.Data
	for k, a := range registry.All() {
		for seed := range seeds(testing.Short()) {
			runs = append(runs, dataOf(t, trial.Setting{
				Algorithm: a.Name, N: 4, Placement: "random", Seed: seed, Delay: "exp(1ms)", MaxTime: "60ms", MaxEvents: 300,
				Initiators: []string{"", "0"}[seed%2], Dead: []string{"", "last"}[(k+int(seed))%2],
				Fault: faulty[(uint64(k)+2*seed)%uint64(len(faulty))], Link: []string{"", "loss 20% duplicate 10%"}[(uint64(k)/2+seed)%2],
				Transport: []string{"", "", "reliable(5ms,8)"}[(k+int(seed))%3], Detector: []string{"", "", "", "heartbeat(4ms,9ms)"}[(k+int(seed))%4],
			}))
		}
	}
	kinds := map[string]int{}
	branches := branchesOf(t, runs, kinds)
	branchesOf(t, branches, kinds)
	t.Logf("%d runs, then %d: %v", len(runs), len(branches), kinds)
	for _, verb := range []string{"start", "boot", "deliver", "timeout", "crash", "restart", "lose", "duplicate"} {
		if kinds[verb] == 0 {
			t.Errorf("no branch takes %q instead", verb)
		}
	}
}

// A broadcast is one of the messages after which a process crashes.
func TestBranchesBehindABroadcast(t *testing.T) {
	var runs []page.Data
	for _, a := range []string{"vktlinks", "ingram", "topologyaware"} {
		for _, after := range []string{"1", "2"} {
			runs = append(runs, dataOf(t, trial.Setting{Algorithm: a, N: 4, Seed: 2, Delay: "exp(1ms)", MaxTime: "60ms", Fault: "crash 2 after " + after + " sends"}))
		}
	}
	kinds := map[string]int{}
	branchesOf(t, runs, kinds)
	if kinds["deliver"] == 0 {
		t.Errorf("the branches are %v", kinds)
	}
}

// faulty are plans of faults that a schedule repeats.
var faulty = []string{"", "at 1.5ms crash 1; at 6ms restart 1", "partition {0 1 | 2 3} for 3ms", "crash 2 after 1 sends", "at 1ms pause 1 for 4ms; drop 3rd message", "cut 0->1 for 4ms; duplicate 2nd message"}

// branchesOf plays the branches of runs and counts their kinds. It returns one in 31.
func branchesOf(t *testing.T, runs []page.Data, kinds map[string]int) (some []page.Data) {
	t.Helper()
	count := 0
	for i, a := range ask(t, runs, 3) {
		d := &runs[i]
		if d.Branch.Refused != "" && !d.Timeless {
			t.Errorf("%s, seed %d: %s", d.Algorithm, d.Seed, d.Branch.Refused)
		}
		for _, b := range a.Offered {
			verb, _, _ := strings.Cut(b.Line, " ")
			kinds[verb]++
			h, what := parts(t, d, b.At, b.Case.Setting)
			if what != "" {
				t.Errorf("%s, seed %d, %q instead of event %d: %s\n%s", d.Algorithm, d.Seed, b.Line, b.At, what, b.Case.Setting.Schedule)
			} else if count++; count%31 == 0 {
				some = append(some, newData(t, h))
			}
		}
	}
	return some
}

// parts plays a branch, and tells what is wrong with it.
func parts(t *testing.T, d *page.Data, at int, s trial.Setting) (h *history.History, what string) {
	t.Helper()
	in, err := registry.Instance(s)
	if err != nil {
		return h, err.Error()
	}
	h = history.Of(t.Context(), in)
	if err := h.Result.Impossible(); err != nil {
		return h, err.Error()
	}
	if h.Result.End == netem.OutOfSteps && h.Result.Counters.Events < 10_000 {
		return h, "it does not go on to its end"
	}
	said := func(e *page.Event) string {
		return fmt.Sprint(e.What, e.Process, e.From, e.Text, e.Timer, e.Choices, e.News)
	}
	branch := page.New(h, words, page.Branch{})
	now := slices.DeleteFunc(slices.Clone(branch.Events), unplayed)
	before := slices.DeleteFunc(slices.Clone(d.Events[:at-1]), unplayed)
	for i := range before {
		if i >= len(now) {
			return h, fmt.Sprintf("it has %d events", len(now))
		}
		if got, want := said(&now[i]), said(&before[i]); got != want {
			return h, fmt.Sprintf("event %d is %s; it was %s", i+1, got, want)
		}
	}
	return h, ""
}

// unplayed reports whether an event may stand elsewhere in a schedule, or not at all: no
// process handles anything in it.
func unplayed(e page.Event) bool {
	return slices.Contains([]string{"crash", "lost", "lose", "cut", "damaged", "collide", "fault"}, e.What)
}

// A page says why it offers no branch.
func TestBranchIsRefused(t *testing.T) {
	bully := trial.Setting{Algorithm: "bully", N: 3, Initiators: "0", MaxTime: "50ms"}
	for _, c := range []struct {
		change func(s *trial.Setting)
		want   string
	}{
		{func(s *trial.Setting) { s.Fault = "lie 0 as 7" }, "does not lie"},
		{func(s *trial.Setting) { s.Fault = "at 1ms start 1" }, "all processes start first"},
		{func(s *trial.Setting) { s.Fault = "at 1ms down 0<->1" }, "links do not come and go"},
		{func(s *trial.Setting) { s.Link = "corrupt 30% altered" }, "arrive as they were sent"},
		{func(s *trial.Setting) { s.Seed = 1<<53 + 1 }, "the seed is too large"},
		{func(s *trial.Setting) { s.Schedule = "timers bounded 1\nstart 0\ntick" }, "a schedule with time"},
		{func(s *trial.Setting) { s.Initiators, s.Schedule = "all", "timers free\nstart 0" }, "before all processes have started"},
		{func(*trial.Setting) {}, ""},
	} {
		s := bully
		c.change(&s)
		b := dataOf(t, s).Branch
		if !strings.Contains(b.Refused, c.want) || (c.want == "") != (b.Case != nil) {
			t.Errorf("%+v: %q, %v; want %q", s, b.Refused, b.Case, c.want)
		}
	}
}
