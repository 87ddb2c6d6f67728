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
	Line     string     `json:"line"`
	Mode     string     `json:"link_mode"`
	Samples  int        `json:"samples"`
	Seed     uint64     `json:"seed"`
	Interval float64    `json:"interval"`
	Bits     int        `json:"bits"`
	FIFO     bool       `json:"fifo"`
	Measured linkValues `json:"measured"`
	Expected linkValues `json:"expected"`
}

type linkValues struct {
	Sent       *float64   `json:"sent"`
	Lost       *float64   `json:"lost"`
	Overflow   *float64   `json:"overflow"`
	Duplicated *float64   `json:"duplicated"`
	Corrupted  *float64   `json:"corrupted"`
	Reordered  *float64   `json:"reordered"`
	LossRate   *float64   `json:"loss_rate"`
	MeanBurst  *float64   `json:"mean_burst"`
	Delay      linkDelays `json:"delay"`
}

type linkDelays struct {
	Mean *float64 `json:"mean"`
	SD   *float64 `json:"sd"`
	Min  *float64 `json:"min"`
	P50  *float64 `json:"p50"`
	P99  *float64 `json:"p99"`
	Max  *float64 `json:"max"`
	Lag1 *float64 `json:"lag1"`
}

// JSON implements View.
func (v Link) JSON() any {
	t, m, e := v.Trial, v.Measured, v.Expected
	counted := func(n int) *float64 { v := float64(n); return &v }
	r := linkReport{
		Line: t.Line.String(), Mode: t.Mode.String(), Samples: t.Samples, Seed: t.Seed,
		Interval: t.Interval.Seconds(), Bits: t.Bits, FIFO: t.FIFO,
		Measured: linkValues{
			Sent: counted(m.Sent), Lost: counted(m.Lost), Overflow: counted(m.Overflow), Duplicated: counted(m.Duplicated),
			Corrupted: counted(m.Corrupted), Reordered: counted(m.Reordered),
			LossRate: &m.LossRate, MeanBurst: known(m.MeanBurst),
			Delay: newLinkDelays(m.Delay),
		},
	}
	n := e.Counts(t.Samples)
	r.Expected = linkValues{
		Sent: counted(t.Samples), Lost: known(n.Lost), Overflow: known(n.Overflow), Duplicated: known(n.Duplicated),
		Corrupted: known(n.Corrupted), Reordered: known(n.Reordered),
		LossRate: known(e.LossRate), MeanBurst: known(e.MeanBurst),
		Delay: newLinkDelays(e.Delay.DelayValues),
	}
	return r
}

func newLinkDelays(d impair.DelayValues) linkDelays {
	return linkDelays{known(d.Mean), known(d.SD), known(d.Min), known(d.P50), known(d.P99), known(d.Max), known(d.Lag1)}
}

// known is a number, nil if it is unknown.
func known(n impair.Number) *float64 {
	if !n.Known {
		return nil
	}
	return &n.Value
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
	t.Flush()
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
func (v Presets) JSON() any {
	type preset struct {
		Name   string `json:"name"`
		Line   string `json:"line"`
		Source string `json:"source"`
	}
	var list []preset
	for _, p := range v {
		list = append(list, preset{p.Name, p.Line, p.Source})
	}
	return list
}

// Text implements View.
func (v Presets) Text(w io.Writer) error {
	for _, p := range v {
		if _, err := fmt.Fprintf(w, "%-10s %s\n%11s%s\n", p.Name, p.Line, "", p.Source); err != nil {
			return err
		}
	}
	return nil
}
