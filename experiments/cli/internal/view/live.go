package view

import (
	"fmt"
	"io"
	"strings"
	"time"

	"bullring/experiments/real/lab"
	"bullring/internal/counts"
	"bullring/netem/live"
)

// Live is a live run, judged by its replay.
type Live struct {
	Program string
	File    string // that the replay is written to, "" for none
	Trial   *lab.Trial
	Because *Because // nil if there is none
}

// latencyQuantiles are the quantiles of latencies that are printed.
var latencyQuantiles = []struct {
	name string
	p    float64
}{{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"max", 1}}

// liveReport has the fields that only a live run has, as JSON.
type liveReport struct {
	Sockets   string               `json:"sockets"`
	End       word[live.End]       `json:"end"`
	Wall      time.Duration        `json:"wall_ns"`
	Arrived   int                  `json:"arrived"` // messages
	PerSecond float64              `json:"messages_per_second"`
	Latency   named[time.Duration] `json:"latency_ns"` // from handler to handler, beyond what links impose
	Imposed   string               `json:"imposed_delay"`
	Links     string               `json:"imposed_links"`  // lines, "" for none
	Faults    string               `json:"imposed_faults"` // drawn, "" for none
	Assumed   string               `json:"assumed_delay"`
	Wrong     *string              `json:"wrong"` // why the replay is not the run that was recorded
}

// liveRunReport is a Live as JSON.
type liveRunReport struct {
	Live        liveReport     `json:"live"`
	File        *string        `json:"file"`
	View        *string        `json:"view"`
	Explanation *becauseReport `json:"explanation"` // null if there is none
	Run         runReport      `json:"run"`
}

// latencyReport has the quantiles of latencies.
func latencyReport(ascending []time.Duration) (all named[time.Duration]) {
	for _, q := range latencyQuantiles {
		all.add(q.name, lab.Quantile(ascending, q.p))
	}
	return all
}

// JSON implements View.
func (v Live) JSON() any {
	t := v.Trial
	latencies := t.Recording.Latencies()
	r := liveReport{
		Sockets: t.Options.Over(), End: wordOf(t.Recording.End), Wall: t.Recording.Wall, Arrived: len(latencies),
		PerSecond: arrivalRate(t.Recording, latencies), Latency: latencyReport(latencies), Imposed: t.Instance.Setting.Delay,
		Links: t.Instance.Setting.Link, Faults: t.Instance.Drawn.String(), Assumed: t.Instance.Assumed.String(), Wrong: errorText(t.Wrong),
	}
	return liveRunReport{r, orNull(v.File), orNull(v.page()), v.Because.report(), newReport(t.Result)}
}

// page is the command that shows the run as a page, "" if it is in no file.
func (v Live) page() string {
	if v.File == "" {
		return ""
	}
	return fileLine(v.Program, "view", v.File, v.Trial.Instance)
}

// Why is the command that explains the run, "" if it is in no file.
func (v Live) Why() string {
	if v.File == "" {
		return ""
	}
	return fileLine(v.Program, "why", v.File, v.Trial.Instance)
}

// Text implements View.
func (v Live) Text(w io.Writer) error {
	t := v.Trial
	run := Run{Program: v.Program, Result: t.Result}
	if err := run.Text(w); err != nil {
		return err
	}
	latencies := t.Recording.Latencies()
	fmt.Fprintln(w)
	table := newTable(w)
	table.rowf("live", "over %v, %s after %v; %s arrived, %s a second", t.Options.Over(), v.end(), short(t.Recording.Wall),
		counts.Several(len(latencies), "message"), counts.Grouped(int(arrivalRate(t.Recording, latencies))))
	if len(latencies) > 0 {
		table.row("latency", latencyText(latencies)+" from handler to handler")
	}
	table.rowf("delay", "links impose %s; the algorithm assumes at most %v", t.Instance.Setting.Delay, t.Instance.Assumed)
	if lines := t.Instance.Setting.Link; lines != "" {
		table.row("links", lines)
	}
	if plan := t.Instance.Drawn.String(); plan != "" {
		table.row("faults", plan)
	}
	if err := v.Because.writeBelow(w); err != nil {
		return err
	}
	return v.next(w)
}

// end is how the live run ended.
func (v Live) end() string {
	text := v.ended()
	if stuck := v.Trial.Recording.Stuck; stuck != nil {
		text += "; " + strings.Join(stuck, ", ") + ";"
	}
	return text
}

func (v Live) ended() string {
	switch e := v.Trial.Recording.End; e {
	case live.Rest:
		return "at rest"
	case live.OutOfTime:
		return fmt.Sprintf("ended by --limit %v", v.Trial.Options.LimitOf(v.Trial.Instance))
	case live.OutOfSteps:
		return fmt.Sprintf("ended after %s steps,", counts.Grouped(lab.StepsOf(v.Trial.Instance)))
	case live.Late:
		return "cut short"
	default:
		return e.String()
	}
}

// next prints the commands that go on from the case.
func (v Live) next(w io.Writer) error {
	if v.File == "" {
		_, err := fmt.Fprintf(w, "\nThis run can be repeated from a case alone; -o FILE writes one.\n")
		return err
	}
	fmt.Fprintf(w, "\nwritten to %s\n", v.File)
	if v.Because == nil {
		fmt.Fprintf(w, "why: %s\n", Command(v.Why()))
	}
	fmt.Fprintf(w, "again: %s\n", Command(fileLine(v.Program, "run --schedule", v.File, v.Trial.Instance)))
	return writePageLine(w, v.page())
}

func latencyText(ascending []time.Duration) (text string) {
	for i, q := range latencyQuantiles {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%s %v", q.name, short(lab.Quantile(ascending, q.p)))
	}
	return text
}

// short is a duration to three digits or so.
func short(d time.Duration) time.Duration {
	for unit := time.Second; unit > time.Nanosecond; unit /= 10 {
		if d >= unit {
			return d.Round(unit / 100)
		}
	}
	return d
}

func arrivalRate(rec *live.Recording, latencies []time.Duration) float64 {
	if rec.Wall == 0 {
		return 0
	}
	return float64(len(latencies)) / rec.Wall.Seconds()
}
