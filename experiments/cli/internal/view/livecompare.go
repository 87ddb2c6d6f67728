package view

import (
	"fmt"
	"io"
	"strings"
	"time"

	"bullring/experiments/campaign/stats"
	"bullring/experiments/real/lab"
	"bullring/experiments/trial"
	"bullring/internal/counts"
)

// Comparison compares live runs with runs of the emulator.
type Comparison struct {
	*lab.Comparison
	Files  []string // the cases that were written
	Unkept int      // runs whose cases were not, since there were too many
}

// confidence is that of the intervals of shares.
const confidence = 0.95

// comparisonReport is a Comparison as JSON.
type comparisonReport struct {
	Algorithm string               `json:"algorithm"`
	Asked     int                  `json:"asked"` // runs
	Sockets   string               `json:"sockets"`
	Messages  int                  `json:"messages"` // that were measured
	Latency   named[time.Duration] `json:"latency_ns"`
	Timers    int                  `json:"timers"` // that were measured
	Late      named[time.Duration] `json:"late_ns"`
	Shares    list[shareReport]    `json:"shares"`
	Files     list[string]         `json:"files"`
	Unkept    int                  `json:"unkept"` // runs that violate a check and have no file
	Setting   asked                `json:"setting"`
}

// shareReport is how often something came in live and in emulated runs.
type shareReport struct {
	What     string      `json:"what"` // an outcome, a check that is violated, or a metric
	Live     countReport `json:"live"`
	Emulated countReport `json:"emulated"`
	Overlap  bool        `json:"intervals_overlap"`
}

// countReport is a share of runs with its interval.
type countReport struct {
	Count int     `json:"count"`
	Runs  int     `json:"runs"`
	Share float64 `json:"share"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

func newCount(count, runs int) countReport {
	low, high, err := stats.Wilson(count, runs, confidence)
	if err != nil { // no run was made
		return countReport{High: 1}
	}
	return countReport{count, runs, float64(count) / float64(runs), low, high}
}

// shares are the outcomes and violations that came in any run.
func (v Comparison) shares() (all []shareReport) {
	add := func(what string, live, emulated lab.Share) {
		if live.Showed+emulated.Showed > 0 {
			a, b := newCount(live.Showed, live.Of), newCount(emulated.Showed, emulated.Of)
			all = append(all, shareReport{what, a, b, a.Low <= b.High && b.Low <= a.High})
		}
	}
	of := func(live, emulated int) (a, b lab.Share) {
		return lab.Share{Showed: live, Of: v.Live.Runs}, lab.Share{Showed: emulated, Of: v.Emulated.Runs}
	}
	for _, o := range v.Instance.Algorithm.Outcomes {
		a, b := of(v.Live.Outcomes[o], v.Emulated.Outcomes[o])
		add(string(o), a, b)
	}
	for _, c := range v.Instance.Algorithm.Checks {
		a, b := of(v.Live.Violated[c], v.Emulated.Violated[c])
		add(c+" violated", a, b)
	}
	for _, m := range v.Instance.Algorithm.Metrics {
		add(strings.ReplaceAll(m.Name, "_", " "), v.Live.Shares[m.Name], v.Emulated.Shares[m.Name])
	}
	return all
}

// JSON implements View.
func (v Comparison) JSON() any {
	return comparisonReport{v.Instance.Algorithm.Name, v.Asked, v.Options.Over(), len(v.Latencies), latencyReport(v.Latencies), len(v.Lateness), latencyReport(v.Lateness), v.shares(), v.Files, v.Unkept, askedOf(v.Instance)}
}

// Text implements View.
func (v Comparison) Text(w io.Writer) error {
	writeHead(w, v.Instance)
	fmt.Fprintf(w, "\n%s over %v with the seeds from 1 on, and as many of the emulator", counts.Several(v.Live.Runs, "live run"), v.Options.Over())
	if v.Live.Runs < v.Asked {
		fmt.Fprintf(w, "; %s were asked for", counts.Grouped(v.Asked))
	}
	fmt.Fprint(w, "\n\n")
	t := newTable(w)
	t.row("", "LIVE", "", "EMULATED", "", "INTERVALS")
	for _, s := range v.shares() {
		overlap := "apart"
		if s.Overlap {
			overlap = "overlap"
		}
		t.row(s.What, counts.Grouped(s.Live.Count), s.Live.text(), counts.Grouped(s.Emulated.Count), s.Emulated.text(), overlap)
	}
	fmt.Fprintln(w)
	if len(v.Latencies) > 0 {
		fmt.Fprintf(w, "latency: %s, of %s\n", latencyText(v.Latencies), counts.Several(len(v.Latencies), "message"))
	}
	if len(v.Lateness) > 0 {
		fmt.Fprintf(w, "timers: late by %s, of %s\n", latencyText(v.Lateness), counts.Several(len(v.Lateness), "timer"))
	}
	fmt.Fprintln(w, emulatedHow(v.Instance))
	fmt.Fprintln(w, "Shares have 95 % score intervals. Two that overlap do not show that the shares are equal.")
	for _, file := range v.Files {
		fmt.Fprintln(w, "written to "+file)
	}
	if v.Unkept > 0 {
		fmt.Fprintf(w, "not written: the cases of %s\n", counts.Several(v.Unkept, "more run"))
	}
	return nil
}

// emulatedHow says what delays the emulated runs had.
func emulatedHow(in *trial.Instance) string {
	for _, l := range in.Lines {
		if l.Line.HasDelay() {
			return "The emulator has the same seeds, and links with the same delays. A link without a delay of its own has one of these latencies for a message, drawn independently; a timer is as late as one of these."
		}
	}
	return "The emulator has the same seeds. A message takes what links impose and, beyond that, one of these latencies, drawn independently; a timer is as late as one of these."
}

func (c countReport) text() string {
	return fmt.Sprintf("%.1f %% ", 100*c.Share) + fixed(fmt.Sprintf("(%.1f to %.1f)", 100*c.Low, 100*c.High))
}
