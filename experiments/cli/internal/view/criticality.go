package view

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
	"bullring/internal/counts"
)

// Criticality is the effect of striking each message of a run.
type Criticality struct {
	*search.Criticality
	Effects []trial.Effect // that there are, in the order of the table
	All     bool           // list the messages without effect, too
}

// criticalityReport is a Criticality as JSON.
type criticalityReport struct {
	Algorithm string                    `json:"algorithm"`
	Strike    word[search.Strike]       `json:"strike"`
	Messages  int                       `json:"messages"`
	Effects   dict[trial.Effect, int]   `json:"effects"`
	Checks    dict[string, int]         `json:"checks"` // how many cases have a check that came out otherwise, such as "E1 violated"
	Cases     list[search.CriticalCase] `json:"cases"`
}

// counts is how many messages have each effect.
func (v Criticality) counts() dict[trial.Effect, int] {
	counts := dict[trial.Effect, int]{}
	for _, e := range v.Effects {
		counts[e] = 0
	}
	for _, k := range v.Cases {
		counts[k.Effect]++
	}
	return counts
}

// checks is how many cases have a check that came out otherwise than without a strike.
func (v Criticality) checks() map[string]int {
	counts := map[string]int{}
	for _, k := range v.Cases {
		for _, text := range v.checkTexts(k) {
			counts[text]++
		}
	}
	return counts
}

// checkTexts are the checks of a case that came out otherwise than without a strike.
func (v Criticality) checkTexts(k search.CriticalCase) (texts []string) {
	for _, c := range k.Checks {
		text := c.Name + " " + c.Verdict.String()
		if c.Verdict == v.Baseline.Verdict(c.Name) {
			text += " otherwise"
		}
		texts = append(texts, text)
	}
	return texts
}

// JSON implements View.
func (v Criticality) JSON() any {
	return criticalityReport{
		Algorithm: v.Baseline.Instance.Algorithm.Name, Strike: wordOf(v.Strike), Messages: v.Messages,
		Effects: v.counts(), Checks: v.checks(), Cases: v.Cases,
	}
}

// Text implements View.
func (v Criticality) Text(w io.Writer) error {
	in := v.Baseline.Instance
	fmt.Fprintf(w, "%s\n%s\nas it is: %s, %s messages\n\n", title(in), byCommas(Scene(in)), v.Baseline.Outcome, counts.Grouped(v.Messages))
	effects, t := v.counts(), newTable(w)
	t.row("EFFECT OF "+strings.ToUpper(v.Strike.String()), "RUNS")
	for _, e := range v.Effects {
		if effects[e] > 0 {
			t.row(string(e), counts.Grouped(effects[e]))
		}
	}
	fmt.Fprintln(w)
	checks := v.checks()
	if len(checks) > 0 {
		t.row("CHECK", "RUNS")
		for _, text := range slices.Sorted(maps.Keys(checks)) {
			t.row(text, counts.Grouped(checks[text]))
		}
		fmt.Fprintln(w)
	}
	t.row(cells(len(checks) > 0, "MESSAGE", "SENT AT", "LINK", "CONTENT", "EFFECT", "CHECKS", "FAULT")...)
	for _, k := range v.Cases {
		if v.All || k.Effect != trial.Same || len(k.Checks) > 0 {
			t.row(cells(len(checks) > 0, strconv.FormatUint(k.Number, 10), k.At, fmt.Sprintf("%d->%d", k.From, k.To), k.Message, string(k.Effect), strings.Join(v.checkTexts(k), ", "), k.Fault)...)
		}
	}
	return nil
}

// cells are those of a row, without that of the checks if no check came out otherwise.
func cells(checks bool, row ...string) []string {
	const place = 5
	if checks {
		return row
	}
	return slices.Delete(row, place, place+1)
}
