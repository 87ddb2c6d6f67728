package impair_test

import (
	"fmt"
	"math"
	"os/exec"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"bullring/netem/impair"
)

// What tc is told of a line, and what it is not.
func TestTC(t *testing.T) {
	for _, c := range []struct {
		line, words string
		notes       []string // of mode exact
		compat      int      // the number of notes in mode compat
	}{
		{"delay 20ms", "delay 20ms", nil, 0},
		{"wan loss 5%", "delay 75ms loss 5%", nil, 0},
		{"delay 1h30m loss 1/3", "loss 33.33333333333333%", []string{"delay 1h30m0s: tc takes at most 4m34s"}, 1},
		{"delay 90s", "delay 90s", nil, 0},
		{"delay 1500ns", "delay 2us", []string{"delay 1.5µs: tc keeps whole microseconds, so that 1.5µs becomes 2µs"}, 1},
		{"loss 0.00000001%", "loss 0.00000001%", []string{"so that 0.00000001% becomes 0%"}, 1},
		{"delay 20ms 5ms 25% distribution pareto", "delay 20ms 5ms 25% distribution pareto", []string{"packets overtake", "the correlation 25% Linux leaves next to nothing", "ends at 4 jitters"}, 1},
		{"delay 20ms 5ms distribution gamma", "", []string{"no table of this distribution"}, 1},
		{"delay exp(1ms) reorder 5% limit 7", "limit 7", []string{"no expression", "reorder 5%: tc takes it only with a delay above 0"}, 2},
		{"delay mix(90% 1ms,10% 5ms) loss 5%", "loss 5%", []string{"delay mix(90% 1ms,10% 5ms): tc has no mixture of delays: it takes one time, one jitter and one distribution"}, 1},
		{"delay 20ms reorder 0% gap 5", "delay 20ms", nil, 0},
		{"delay 0ms 5ms distribution normal", "", []string{"with a time and a jitter of 1us and more"}, 1},
		{"delay trace rtt.txt", "", []string{"tc does not replay measured delays"}, 1},
		{"delay 5ms 1ms distribution table flat.dist", "", []string{"copy flat.dist there as NAME.dist"}, 1},
		{"loss 5% 25%", "loss 5% 25%", []string{"loss 5% 25%: Linux's correlation changes the share of the packets; without --as, --link-mode compat measures it"}, 0},
		{"loss burst 5% 2", "loss gemodel 2.631578947368421% 50% 100% 0%", []string{"Linux starts in the good state"}, 0},
		{"loss state 1% 10%", "loss state 1% 10% 0% 100% 0%", []string{"Linux starts in the good state"}, 0},
		{"loss time 1s 10ms", "", []string{"netem's chains take a step a packet"}, 1},
		{"duplicate 1% loss 5%", "loss 5% duplicate 1%", []string{"duplicated and lost is one message"}, 0},
		{"corrupt 1% altered", "", []string{"netem flips one bit"}, 1},
		{"delay 5ms rate 1.5mbit -14 53 5", "delay 5ms rate 1500kbit -14 53 5", []string{"passes while it waits"}, 0},
		{"slot 10ms packets 4 bytes 1500", "slot 10ms 10ms packets 4 bytes 1500", nil, 0},
		{"slot distribution uniform 10ms 1ms", "", []string{"slot MIN MAX can be exported"}, 1},
		{"slot distribution pareto 10ms 0ms", "", []string{"only with a jitter above 0"}, 1},
		{"delay 5s 3s", "delay 5s 3s", []string{"packets overtake", "Linux cuts the jitter to 2.147483647s"}, 1},
	} {
		l := parse(t, c.line)
		want := c.words
		if want != "" && !strings.Contains(want, "limit") {
			want += " limit 2147483647"
		}
		words, notes := l.TC(impair.Exact)
		if words != want {
			t.Errorf("%s is %q; want %q", c.line, words, want)
		}
		all := append(append(notes.Missing, notes.Rounded...), notes.Differs...)
		if len(all) != len(c.notes) {
			t.Errorf("%s has the notes %q; want %q", c.line, all, c.notes)
			continue
		}
		for i, want := range c.notes {
			if !strings.Contains(all[i], want) {
				t.Errorf("%s has the note %q; want %q", c.line, all[i], want)
			}
		}
		if _, n := l.TC(impair.Compat); len(n.Missing)+len(n.Rounded)+len(n.Differs) != c.compat {
			t.Errorf("%s has in mode compat the notes %q", c.line, n)
		}
	}
}

// Each clause of a line is in the words for tc, which then takes them and means the same, or is
// named as missing.
func TestTCTakesEveryLine(t *testing.T) {
	takes := tcHere(t)
	rapid.Check(t, func(t *rapid.T) {
		l, err := impair.Parse(anyLine().Draw(t, "line"), read)
		if err != nil {
			t.Skip(err)
		}
		words, notes := l.TC(impair.Exact)
		if err := takes(words); words != "" && err != nil {
			t.Fatalf("%v is %q; tc: %v", l, words, err)
		}
		for _, clause := range impair.ClauseNames() {
			text := clauseOf(l.String(), clause)
			missing := mentions(notes.Missing, clause)
			if said := clauseOf(words, clause) != ""; text != "" && said == missing && !strings.HasPrefix(text, "reorder 0%") {
				t.Fatalf("%v is %q; %s is said: %v, and missing: %v", l, words, clause, said, missing)
			}
		}
		if words == "" || len(notes.Missing)+len(notes.Rounded) > 0 {
			return
		}
		if again, err := impair.Parse(words, nil); err != nil || !alike(again, l) {
			t.Fatalf("%v is %q, which is read as %v, %v", l, words, again, err)
		}
	})
}

// The parser of tc takes a line before it asks the kernel, which may have no netem. So it tells
// words that it knows from words that it does not.
func tcHere(t *testing.T) (takes func(words string) error) {
	tc := func(words string) string {
		out, _ := exec.Command("unshare", append([]string{"-rn", "tc", "qdisc", "add", "dev", "lo", "root", "netem"}, strings.Fields(words)...)...).CombinedOutput()
		return string(out)
	}
	if out := tc("frob"); !strings.Contains(out, `What is "frob"?`) {
		t.Skipf("SKIPPED    tc: it cannot be asked here: %s", out)
	}
	return func(words string) error {
		if out := tc(words); out != "" && !strings.Contains(out, "qdisc kind is unknown") {
			return fmt.Errorf("%s", out)
		}
		return nil
	}
}

// clauseOf is the clause of that name in a line.
func clauseOf(line, name string) string {
	words, in := strings.Fields(line), false
	var clause []string
	for i, w := range words {
		// The name of a distribution or a model is no clause.
		begins := i == 0 || words[i-1] != "distribution"
		for _, c := range impair.ClauseNames() {
			if w == c && begins {
				in = c == name
			}
		}
		if in {
			clause = append(clause, w)
		}
	}
	return strings.Join(clause, " ")
}

func mentions(notes []string, clause string) bool {
	for _, n := range notes {
		if strings.HasPrefix(n, clause+" ") {
			return true
		}
	}
	return false
}

// alike compares two lines except for what a line says by default, for the form of loss burst,
// and for the last digits of probabilities. tc has a gap of 1 without reorder.
func alike(a, b *impair.Line) bool {
	normal := func(l *impair.Line) string {
		if words, _ := l.TC(impair.Exact); words != "" {
			return words
		}
		return l.String()
	}
	x, y := strings.Fields(normal(a)), strings.Fields(normal(b))
	for i := range x {
		if len(x) != len(y) || x[i] != y[i] && math.Abs(percent(x[i])-percent(y[i])) > 1e-9 {
			return false
		}
	}
	return true
}

func percent(word string) (p float64) {
	fmt.Sscanf(word, "%f%%", &p)
	return p
}

// anyLine draws the text of a line, with values that tc rounds or refuses among them.
func anyLine() *rapid.Generator[string] {
	of := func(words ...string) func(*rapid.T) string {
		return func(t *rapid.T) string { return rapid.SampledFrom(words).Draw(t, "word") }
	}
	times := of("0ms", "1ns", "700ns", "1500ns", "10us", "250us", "1.5ms", "20ms", "3s", "80s", "300s", "12h")
	share := of("0%", "0.00000001%", "0.3%", "1%", "1/3", "25%", "90%", "100%")
	shape := of("uniform", "normal", "pareto", "paretonormal", "exponential", "lognormal", "table flat.dist")
	kinds := []func(*rapid.T) string{
		func(t *rapid.T) string { return "delay " + times(t) },
		func(t *rapid.T) string { return "delay " + times(t) + " " + times(t) + " " + share(t) },
		func(t *rapid.T) string {
			return "delay " + times(t) + " " + times(t) + " " + share(t) + " distribution " + shape(t)
		},
		of("delay exp(1ms)", "delay uniform(1ms,2ms)", "delay trace rtt.txt"),
		func(t *rapid.T) string { return "loss " + share(t) + " " + share(t) },
		func(t *rapid.T) string { return "loss gemodel " + share(t) + " " + share(t) + " " + share(t) },
		func(t *rapid.T) string { return "loss state " + share(t) + " " + share(t) },
		func(t *rapid.T) string { return "loss burst " + share(t) + " " + of("1", "2.5", "40")(t) },
		func(t *rapid.T) string { return "loss time 1s 10ms " + share(t) },
		func(t *rapid.T) string { return "duplicate " + share(t) + " " + share(t) },
		func(t *rapid.T) string { return "reorder " + share(t) + " " + share(t) + of("", " gap 5")(t) },
		func(t *rapid.T) string { return "corrupt " + share(t) + of("", " altered")(t) },
		func(t *rapid.T) string {
			return "rate " + of("8bit", "1mbit", "3tbps")(t) + of("", " 20", " -14 53 5")(t)
		},
		of("limit 1", "limit 2147483647"),
		func(t *rapid.T) string {
			return "slot " + times(t) + of("", " packets 3", " bytes 64000", " bytes 9 packets 2")(t)
		},
		func(t *rapid.T) string { return "slot distribution " + shape(t) + " " + times(t) + " " + times(t) },
	}
	return rapid.Custom(func(t *rapid.T) string {
		given, parts := map[string]bool{}, []string(nil)
		for range rapid.IntRange(1, 5).Draw(t, "clauses") {
			text := rapid.SampledFrom(kinds).Draw(t, "clause")(t)
			if name, _, _ := strings.Cut(text, " "); !given[name] {
				given[name], parts = true, append(parts, text)
			}
		}
		return strings.Join(parts, " ")
	})
}
