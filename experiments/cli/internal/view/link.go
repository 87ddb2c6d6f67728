package view

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"bullring/internal/counts"
	"bullring/netem/impair"
)

// Link is what a link did to a sample of messages, beside theory.
type Link struct {
	Trial    *impair.Trial
	Measured *impair.Measurement
	Expected *impair.Expectation
}

// linkReport is a Link as JSON. Numbers that are unknown, or were not measured, are null.
// Delays are in seconds.
type linkReport struct {
	Line     string            `json:"line"`
	Mode     word[impair.Mode] `json:"link_mode"`
	Samples  int               `json:"samples"`
	Seed     uint64            `json:"seed"`
	Interval float64           `json:"interval"`
	Bits     int               `json:"bits"`
	FIFO     bool              `json:"fifo"`
	Measured linkValues        `json:"measured"`
	Expected linkValues        `json:"expected"`
}

type linkValues struct {
	Sent int `json:"sent"`
	impair.Counts
	LossRate  impair.Number      `json:"loss_rate"`
	MeanBurst impair.Number      `json:"mean_burst"`
	Delay     impair.DelayValues `json:"delay"`
}

// JSON implements View.
func (v Link) JSON() any {
	t, m, e := v.Trial, v.Measured, v.Expected
	measured := func(x float64) impair.Number { return impair.Number{Value: x, Known: true} }
	counted := func(n int) impair.Number { return measured(float64(n)) }
	return linkReport{
		Line: t.Line.String(), Mode: wordOf(t.Mode), Samples: t.Samples, Seed: t.Seed,
		Interval: t.Interval.Seconds(), Bits: t.Bits, FIFO: t.FIFO,
		Measured: linkValues{
			m.Sent,
			impair.Counts{
				Lost: counted(m.Lost), Overflow: counted(m.Overflow), Duplicated: counted(m.Duplicated),
				Corrupted: counted(m.Corrupted), Reordered: counted(m.Reordered),
			},
			measured(m.LossRate), m.MeanBurst, m.Delay,
		},
		Expected: linkValues{t.Samples, e.Counts(t.Samples), e.LossRate, e.MeanBurst, e.Delay.DelayValues},
	}
}

// Text implements View.
func (v Link) Text(w io.Writer) error {
	t, m, e := v.Trial, v.Measured, v.Expected
	order := "not FIFO"
	if t.FIFO {
		order = "FIFO"
	}
	fmt.Fprintf(w, "link: %v\n%s messages of %s bits, one each %v, mode %v, %s, seed %d\n\n",
		t.Line, counts.Grouped(t.Samples), counts.Grouped(t.Bits), t.Interval, t.Mode, order, t.Seed)
	fmt.Fprintf(w, "sent %s, lost %s", counts.Grouped(m.Sent), counts.Grouped(m.Lost))
	if m.Overflow > 0 {
		fmt.Fprintf(w, " (%s of them for want of room)", counts.Grouped(m.Overflow))
	}
	fmt.Fprintf(w, ", duplicated %s, corrupted %s, reordered %s\n\n",
		counts.Grouped(m.Duplicated), counts.Grouped(m.Corrupted), counts.Grouped(m.Reordered))
	writeComparison(w, m.Compare(e))
	writeDelays(w, m, e)
	return writeBursts(w, m, e)
}

func writeComparison(w io.Writer, rows []impair.Comparison) {
	t := newTable(w)
	t.row("QUANTITY", "MEASURED", "EXPECTED", "DEVIATION")
	for _, r := range rows {
		deviation := ""
		if r.Deviation.Known {
			deviation = fmt.Sprintf("%+.1f s.e.", r.Deviation.Value)
		}
		t.row(r.Name, quantity(r.Name, r.Measured), quantity(r.Name, r.Expected), deviation)
	}
}

// quantity prints a value in its unit: a rate in percent, a delay as a duration.
func quantity(name string, n impair.Number) string {
	switch {
	case !n.Known:
		return "-"
	case strings.HasSuffix(name, " rate"):
		return percent(n.Value)
	case strings.HasPrefix(name, "delay ") && name != "delay lag1":
		return withDigits(time.Duration(math.Round(n.Value*1e9)), 5)
	}
	return strconv.FormatFloat(n.Value, 'f', 3, 64)
}

// Presets are the lines of links that have a name.
type Presets []impair.Preset

// JSON implements View.
func (v Presets) JSON() any { return list[impair.Preset](v) }

// Text implements View.
func (v Presets) Text(w io.Writer) error {
	t := newTable(w)
	for _, p := range v {
		t.row(p.Name, p.Line)
		t.row("", p.Source)
	}
	return nil
}
