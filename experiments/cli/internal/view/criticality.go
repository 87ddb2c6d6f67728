package view

import (
	"fmt"
	"io"
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
	Algorithm string                `json:"algorithm"`
	Strike    string                `json:"strike"`
	Messages  int                   `json:"messages"`
	Effects   map[trial.Effect]int  `json:"effects"`
	Cases     []search.CriticalCase `json:"cases"`
}

// counts is how many messages have each effect.
func (v Criticality) counts() map[trial.Effect]int {
	counts := map[trial.Effect]int{}
	for _, e := range v.Effects {
		counts[e] = 0
	}
	for _, k := range v.Cases {
		counts[k.Effect]++
	}
	return counts
}

// JSON implements View.
func (v Criticality) JSON() any {
	return criticalityReport{
		Algorithm: v.Baseline.Instance.Algorithm.Name, Strike: v.Strike.String(), Messages: v.Messages,
		Effects: v.counts(), Cases: orEmpty(v.Cases),
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
	t.row("MESSAGE", "SENT AT", "LINK", "CONTENT", "EFFECT", "FAULT")
	for _, k := range v.Cases {
		if v.All || k.Effect != trial.Same {
			t.row(strconv.FormatUint(k.Number, 10), k.At, fmt.Sprintf("%d->%d", k.From, k.To), k.Message, string(k.Effect), k.Fault)
		}
	}
	return nil
}
