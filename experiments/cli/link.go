package cli

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"bullring/des"
	"bullring/internal/regular"
	"bullring/netem/impair"
)

const maxSamples = 10_000_000

// linkFlags is what link was given.
type linkFlags struct {
	samples  uint64
	mode     string
	seed     uint64
	interval time.Duration
	bits     uint64
	fifo     bool
	json     bool
	presets  bool
}

func linkCommand() *cobra.Command {
	f := &linkFlags{samples: 100_000, mode: impair.Modes[0], seed: defaultSeed, interval: 10 * time.Millisecond, bits: 128}
	cmd := &cobra.Command{
		Use:   "link LINE",
		Short: "Show what a link does to messages, measured beside theory",
		Long: `Send messages over one link, one each --interval, and print what became of them
beside what theory says, with the deviation in standard errors of the sample.

A LINE is written in the words of tc-netem, in quotes or not: clauses delay,
loss, duplicate, reorder, corrupt, rate, limit and slot in any order, each once.
A preset may stand first; clauses behind it take the place of its own. In mode
exact probabilities, standard deviations and correlations are what they say; in
mode compat they are what Linux makes of them. docs/links.md has the grammar.`,
		Example: `  bullring link delay 20ms 5ms 25% distribution normal
  bullring link 'loss gemodel 1% 25%' --json
  bullring link loss 5% 25% --link-mode compat
  bullring link wan loss 5% duplicate 1% --samples 10000 --seed 7
  bullring link --presets`,
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case f.presets:
				return arguments(cmd, args)
			case len(args) == 0:
				return fmt.Errorf("link takes a LINE, such as 'delay 20ms 5ms loss 1%%'; --presets lists lines with a name")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.presets {
				return output(cmd, func(w io.Writer) error { return writePresets(w, f.json) })
			}
			return link(cmd, f, strings.Join(args, " "))
		},
		ValidArgsFunction: completeWords(append(impair.PresetNames(), impair.ClauseNames()...)...),
	}
	f.register(cmd)
	return cmd
}

func (f *linkFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.SortFlags = false
	countFlag(cmd, &f.samples, 1, maxSamples, "samples", "number of messages")
	flags.Var(choice{&f.mode, impair.Modes}, "link-mode", "how the line is understood")
	flags.Var(span{&f.interval}, "interval", "time from one message to the next")
	countFlag(cmd, &f.bits, 0, 1<<31-1, "bits", "size of a message, which counts where there is a rate")
	flags.BoolVar(&f.fifo, "fifo", false, "the link keeps the order of messages")
	countFlag(cmd, &f.seed, 0, math.MaxUint64, "seed", "seed of everything random")
	flags.BoolVar(&f.json, "json", false, "print one JSON object")
	flags.BoolVar(&f.presets, "presets", false, "list the presets, with their sources")
	completeFlag(cmd, "link-mode", completeWords(impair.Modes...))
	for _, name := range []string{"samples", "interval", "bits", "seed"} {
		completeFlag(cmd, name, cobra.NoFileCompletions)
	}
}

// span is a flag that takes a duration, 0 or longer.
type span struct{ value *time.Duration }

func (s span) String() string {
	if s.value == nil {
		return ""
	}
	return s.value.String()
}

func (s span) Type() string { return "duration" }

func (s span) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 || d > des.MaxDuration {
		return fmt.Errorf("it takes a duration from 0s to %v, such as 10ms", des.MaxDuration)
	}
	*s.value = d
	return nil
}

func link(cmd *cobra.Command, f *linkFlags, text string) error {
	line, err := impair.Parse(text, readFile)
	if err != nil {
		return fmt.Errorf("link %q: %w", text, err)
	}
	mode, err := impair.ParseMode(f.mode)
	if err != nil {
		return err
	}
	if float64(f.samples)*float64(f.interval) > float64(des.MaxTime)/2 {
		return fmt.Errorf("--samples %d, one each --interval %v, take longer than virtual time lasts; give fewer, or a shorter interval", f.samples, f.interval)
	}
	trial := &impair.Trial{
		Line: line, Mode: mode, Samples: int(f.samples), Interval: f.interval,
		Bits: int(f.bits), FIFO: f.fifo, Seed: f.seed,
	}
	m := trial.Sample()
	e := trial.Expected(m)
	return output(cmd, func(w io.Writer) error {
		if f.json {
			return writeJSON(w, newLinkReport(trial, m, e))
		}
		return writeLink(w, trial, m, e)
	})
}

// readFile reads a file that a line names. The error says what is wrong, the line
// which file it is.
func readFile(name string) ([]byte, error) {
	data, err := regular.Read(name, 16<<20)
	if e, ok := errors.AsType[*os.PathError](err); ok {
		err = e.Err
	}
	return data, err
}

func writePresets(w io.Writer, asJSON bool) error {
	if asJSON {
		type preset struct {
			Name   string `json:"name"`
			Line   string `json:"line"`
			Source string `json:"source"`
		}
		var list []preset
		for _, p := range impair.Presets {
			list = append(list, preset{p.Name, p.Line, p.Source})
		}
		return writeJSON(w, list)
	}
	for _, p := range impair.Presets {
		if _, err := fmt.Fprintf(w, "%-10s %s\n%11s%s\n", p.Name, p.Line, "", p.Source); err != nil {
			return err
		}
	}
	return nil
}

// linkReport is a trial of a link as JSON. What is unknown, or was not measured,
// is null. Delays are in seconds.
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

func newLinkReport(t *impair.Trial, m *impair.Measurement, e *impair.Expectation) linkReport {
	counted := func(n int) *float64 { v := float64(n); return &v }
	r := linkReport{
		Line: t.Line.String(), Mode: t.Mode.String(), Samples: t.Samples, Seed: t.Seed,
		Interval: t.Interval.Seconds(), Bits: t.Bits, FIFO: t.FIFO,
		Measured: linkValues{
			Sent: counted(m.Sent), Lost: counted(m.Lost), Overflow: counted(m.Overflow), Duplicated: counted(m.Duplicated),
			Corrupted: counted(m.Corrupted), Reordered: counted(m.Reordered),
			LossRate: &m.LossRate, MeanBurst: orNull(m.MeanBurst),
			Delay: newLinkDelays(m.Delay),
		},
	}
	n := e.Counts(t.Samples)
	r.Expected = linkValues{
		Sent: counted(t.Samples), Lost: orNull(n.Lost), Overflow: orNull(n.Overflow), Duplicated: orNull(n.Duplicated),
		Corrupted: orNull(n.Corrupted), Reordered: orNull(n.Reordered),
		LossRate: orNull(e.LossRate), MeanBurst: orNull(e.MeanBurst),
		Delay: newLinkDelays(e.Delay.DelayValues),
	}
	return r
}

func newLinkDelays(d impair.DelayValues) linkDelays {
	return linkDelays{orNull(d.Mean), orNull(d.SD), orNull(d.Min), orNull(d.P50), orNull(d.P99), orNull(d.Max), orNull(d.Lag1)}
}

func orNull(n impair.Number) *float64 {
	if !n.Known {
		return nil
	}
	return &n.Value
}

// writeLink prints a trial for people.
func writeLink(w io.Writer, t *impair.Trial, m *impair.Measurement, e *impair.Expectation) error {
	order := "not FIFO"
	if t.FIFO {
		order = "FIFO"
	}
	fmt.Fprintf(w, "link: %v\n%s messages of %s bits, one each %v, mode %v, %s, seed %d\n\n",
		t.Line, grouped(uint64(t.Samples)), grouped(uint64(t.Bits)), t.Interval, t.Mode, order, t.Seed)
	fmt.Fprintf(w, "sent %s, lost %s", grouped(uint64(m.Sent)), grouped(uint64(m.Lost)))
	if m.Overflow > 0 {
		fmt.Fprintf(w, " (%s of them for want of room)", grouped(uint64(m.Overflow)))
	}
	fmt.Fprintf(w, ", duplicated %s, corrupted %s, reordered %s\n\n",
		grouped(uint64(m.Duplicated)), grouped(uint64(m.Corrupted)), grouped(uint64(m.Reordered)))
	writeComparison(w, m.Compare(e))
	writeDelays(w, m, e)
	return writeBursts(w, m, e)
}

func writeComparison(w io.Writer, rows []impair.Comparison) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "QUANTITY\tMEASURED\tEXPECTED\tDEVIATION")
	for _, r := range rows {
		deviation := ""
		if r.Deviation.Known {
			deviation = fmt.Sprintf("%+.1f s.e.", r.Deviation.Value)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", r.Name, quantity(r.Name, r.Measured), quantity(r.Name, r.Expected), deviation)
	}
	t.Flush()
}

// quantity prints a value in the unit of what it is: a rate in percent, a delay as
// a duration.
func quantity(name string, n impair.Number) string {
	switch {
	case !n.Known:
		return "-"
	case strings.HasSuffix(name, " rate"):
		return percent(n.Value)
	case strings.HasPrefix(name, "delay ") && name != "delay lag1":
		return rounded(time.Duration(math.Round(n.Value * 1e9)))
	}
	return strconv.FormatFloat(n.Value, 'f', 3, 64)
}

func percent(share float64) string { return strconv.FormatFloat(100*share, 'g', 4, 64) + " %" }

// rounded prints a duration with five digits.
func rounded(d time.Duration) string {
	unit := time.Duration(1)
	for d/unit >= 100_000 {
		unit *= 10
	}
	return d.Round(unit).String()
}

// barWidth is the length of the longest bar of a histogram.
const barWidth = 40

// bar is a measured share as a bar, with a mark where the expected one ends.
func bar(share, expected float64, known bool, most float64) string {
	at := func(x float64) int { return int(math.Round(x / most * barWidth)) }
	cells := []byte(strings.Repeat("#", at(share)) + strings.Repeat(" ", barWidth+1-at(share)))
	if known {
		cells[at(expected)] = '|'
	}
	return strings.TrimRight(string(cells), " ")
}

// writeHistogram prints shares; the expected ones are negative where they are
// unknown.
func writeHistogram(w io.Writer, title string, labels []string, shares, expected []float64) {
	fmt.Fprintln(w)
	most := max(slices.Max(shares), slices.Max(expected))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s\tMEASURED\tEXPECTED\t\n", title)
	for i, label := range labels {
		known := expected[i] >= 0
		theory := "-"
		if known {
			theory = percent(expected[i])
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", label, percent(shares[i]), theory, bar(shares[i], expected[i], known, most))
	}
	t.Flush()
}

// writeDelays prints the histogram of the delays; the last class is open and has
// half a percent of them at most.
func writeDelays(w io.Writer, m *impair.Measurement, e *impair.Expectation) {
	n := len(m.Delays)
	if n == 0 || m.Delays[0] == m.Delays[n-1] {
		return
	}
	hi := m.Delays[min(n-1, n*995/1000)]
	width := classWidth(hi - m.Delays[0])
	from, before := m.Delays[0]/width*width, 0
	var labels []string
	var shares, expected []float64
	for before < n {
		to, label := from+width-1, fmt.Sprintf("%s to %s", rounded(from), rounded(from+width))
		if from > hi {
			to, label = math.MaxInt64, rounded(from)+" and more"
		}
		through, _ := slices.BinarySearch(m.Delays, to+1)
		if to == math.MaxInt64 {
			through = n
		}
		labels, shares = append(labels, label), append(shares, float64(through-before)/float64(n))
		expected = append(expected, expectedShare(e, from, to, len(labels) == 1))
		from, before = to+1, through
	}
	writeHistogram(w, "DELAY", labels, shares, expected)
}

// classWidth is 1, 2 or 5 times a power of ten, so that the range has 8 to 20
// classes.
func classWidth(span time.Duration) time.Duration {
	const classes = 20
	width := time.Duration(1)
	for i := 0; span/width >= classes; i++ {
		if i%3 == 1 {
			width = width / 2 * 5
		} else {
			width *= 2
		}
	}
	return width
}

// expectedShare is the share of delays in a class, -1 if it is unknown. The first
// class has what is below it, too.
func expectedShare(e *impair.Expectation, from, to time.Duration, first bool) float64 {
	share, ok := e.Delay.Below(to)
	if !ok {
		return -1
	}
	if !first {
		least, _ := e.Delay.Below(from - 1)
		share -= least
	}
	return max(0, share)
}

// writeBursts prints the histogram of the bursts of losses, with the last class
// open.
func writeBursts(w io.Writer, m *impair.Measurement, e *impair.Expectation) error {
	const classes = 12
	total := 0
	for _, k := range m.Bursts {
		total += k
	}
	if total == 0 {
		return nil
	}
	var labels []string
	var shares, expected []float64
	seen, covered := 0, 0.0
	for i := range min(classes, len(m.Bursts)) {
		labels = append(labels, strconv.Itoa(i+1))
		share, theory := float64(m.Bursts[i])/float64(total), -1.0
		if i < len(e.Bursts) {
			theory = e.Bursts[i]
			covered += theory
		} else if e.Bursts != nil {
			theory = 0
		}
		seen += m.Bursts[i]
		shares, expected = append(shares, share), append(expected, theory)
	}
	if seen < total {
		labels, shares = append(labels, "more"), append(shares, float64(total-seen)/float64(total))
		theory := -1.0
		if e.Bursts != nil {
			theory = max(0, 1-covered)
		}
		expected = append(expected, theory)
	}
	writeHistogram(w, "LOST IN SUCCESSION", labels, shares, expected)
	return nil
}
