package impair_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"bullring/des"
	"bullring/netem/impair"
)

// files are the contents of the files that the lines of the tests name.
var files = map[string]string{
	"rtt.txt":   "# measured\n1ms\n 2.5ms # and so on\n\n400us\n",
	"flat.dist": "# a table\n-8192 0 0 8192\n",
	"wide.dist": "40000\n",
	"none.dist": "# nothing\n",
	"bad.txt":   "1ms\n7\n",
	"empty.txt": "\n",
}

func read(name string) ([]byte, error) {
	text, ok := files[name]
	if !ok {
		return nil, errors.New("no such file")
	}
	return []byte(text), nil
}

func parse(t testing.TB, text string) *impair.Line {
	t.Helper()
	l, err := impair.Parse(text, read)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// canonical has lines and what they print.
var canonical = []struct{ text, want string }{
	{"delay 20ms", "delay 20ms"},
	{" delay\t20msecs  ", "delay 20ms"},
	{"delay 1.5sec", "delay 1.5s"},
	{"delay 10usec 5us 25%", "delay 10µs 5µs 25%"},
	{"delay 0", "delay 0s"},
	{"delay 1h2m", "delay 1h2m0s"},
	{"delay 20ms 5ms 0%", "delay 20ms 5ms"},
	{"delay 20ms 0ms 25%", "delay 20ms"},
	{"delay 20ms 0ms distribution normal", "delay 20ms"},
	{"delay 20ms 5ms distribution uniform", "delay 20ms 5ms"},
	{"delay 20ms distribution constant", "delay 20ms"},
	{"delay 20ms 5ms 1/4 distribution pareto", "delay 20ms 5ms 25% distribution pareto"},
	{"delay uniform(0,2ms)", "delay uniform(0s,2ms)"},
	{"delay exp(1ms)", "delay exp(1ms)"},
	{"delay mix( 90% uniform(1ms, 2ms), 10% exp(50ms) ) loss 5%", "delay mix(90% uniform(1ms,2ms),10% exp(50ms)) loss 5%"},
	{"delay lognormal(5ms,1ms)", "delay lognormal(5ms,1ms)"},
	{"delay trace rtt.txt", "delay trace rtt.txt@3444cb44"},
	{"delay trace rtt.txt@3444cb44", "delay trace rtt.txt@3444cb44"},
	{"delay 5ms 1ms distribution table flat.dist", "delay 5ms 1ms distribution table flat.dist@bb9a7ed3"},
	{"loss 5%", "loss 5%"},
	{"loss random 1/20 1/3", "loss 5% 1/3"},
	{"loss 0", "loss 0%"},
	{"tc qdisc add dev eth0 root netem delay 20ms loss 1%", "delay 20ms loss 1%"},
	{"sudo tc qdisc change dev eth0 parent 1:1 handle 10: netem duplicate 0.5%", "duplicate 0.5%"},
	{"loss 0%", "loss 0%"},
	{"loss state 1%", "loss state 1% 99% 0% 100% 0%"},
	{"loss state 1% 10% 5% 50% 0.1%", "loss state 1% 10% 5% 50% 0.1%"},
	{"loss gemodel 1%", "loss gemodel 1% 99% 100% 0%"},
	{"loss gemodel 1% 10% 70% 0.1%", "loss gemodel 1% 10% 70% 0.1%"},
	{"loss time 10s 500ms", "loss time 10s 500ms 100% 0%"},
	{"loss time 10s 500ms 50%", "loss time 10s 500ms 50% 0%"},
	{"loss burst 1% 2.50", "loss burst 1% 2.5"},
	{"duplicate 0.5% 10%", "duplicate 0.5% 10%"},
	{"reorder 25% 50% gap 5 delay 10ms", "delay 10ms reorder 25% 50% gap 5"},
	{"delay 10ms reorder 25% gap 1", "delay 10ms reorder 25%"},
	{"corrupt 0.1% altered", "corrupt 0.1% altered"},
	{"rate 1mbit", "rate 1mbit"},
	{"rate 125kbps", "rate 1mbit"},
	{"rate 1.5Mbit -14 53 5", "rate 1500kbit -14 53 5"},
	{"rate 1Kibit 0 0 9", "rate 1024bit"},
	{"rate 8bit 20", "rate 8bit 20"},
	{"rate 3tbps", "rate 24tbit"},
	{"limit 1000", "limit 1000"},
	{"slot 10ms", "slot 10ms"},
	{"slot 10ms 10ms bytes 1500 packets 4", "slot 10ms packets 4 bytes 1500"},
	{"slot 0ms 3ms", "slot 0s 3ms"},
	{"slot distribution normal 1ns 0ns", "slot distribution normal 1ns 0s"},
	{"slot distribution normal 10ms 1ms packets 2", "slot distribution normal 10ms 1ms packets 2"},
	{"slot distribution table flat.dist 10ms 1ms", "slot distribution table flat.dist@bb9a7ed3 10ms 1ms"},
	{
		"slot 10ms limit 1000 rate 1mbit corrupt 0.1% reorder 25% 50% gap 5 duplicate 0.5% loss gemodel 1% 10% delay 20ms 5ms 25% distribution pareto",
		"delay 20ms 5ms 25% distribution pareto loss gemodel 1% 10% 100% 0% duplicate 0.5% reorder 25% 50% gap 5 corrupt 0.1% rate 1mbit limit 1000 slot 10ms",
	},
	{"lan", "delay 250µs"},
	{"wan loss 5%", "delay 75ms loss 5%"},
	{"lossy delay 5ms loss 1%", "delay 5ms loss 1%"},
}

func TestCanonicalText(t *testing.T) {
	for _, c := range canonical {
		l, err := impair.Parse(c.text, read)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if got := l.String(); got != c.want {
			t.Errorf("%q is %q; want %q", c.text, got, c.want)
		}
	}
}

// An error says what was given, where, and what is allowed.
func TestErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "the line is empty; it takes clauses such as delay 20ms 5ms, or a preset: lan, wan, satellite, 3g, wifi, lossy"},
		{"los 5%", `"los" (column 1) does not begin a clause (did you mean "loss"?); allowed are delay, loss, duplicate, reorder, corrupt, rate, limit, slot, or first a preset: lan`},
		{"loss 5% dup 1%", `"dup" (column 9) does not begin a clause (did you mean "duplicate"?); allowed are delay, loss`},
		{"loss 5% wan", `"wan" (column 9) is a preset, which comes first`},
		{"loss 5% loss 1%", "loss (column 9) is given twice"},
		{"delay", "delay: the line ends (column 6) before the time; the clause is delay TIME"},
		{"delay 20", `delay: "20" (column 7) is not a valid time: it lacks a unit, as in 20ms`},
		{"delay soon", `delay: "soon" (column 7) is not a valid time: allowed are a number and a unit`},
		{"delay -5ms", `"-5ms" (column 7) is not a valid time: it is negative`},
		{"delay 13h", `"13h" (column 7) is not a valid time: it is above 12h0m0s`},
		{"delay 20ms 5", `delay: "5" (column 12) is not a valid jitter: it lacks a unit`},
		{"delay 20ms 5ms 5ms", `"5ms" (column 16) is not a valid correlation: it is not a probability; allowed are a percentage`},
		{"delay 20ms 5ms 5% 5%", `delay: "5%" (column 19) is one word too many; the clause is delay TIME`},
		{"delay 20ms 5ms distribution nomal", `"nomal" (column 29) is not a distribution (did you mean "normal"?); allowed are uniform, normal, pareto`},
		{"delay 20ms 5ms distribution", "the line ends (column 28) before the name of a distribution"},
		{"delay 20ms distribution nomal", `"nomal" (column 25) is not a distribution (did you mean "normal"?)`},
		{"delay 20ms distribution normal", `"normal" (column 25) needs a jitter after the time`},
		{"delay 20ms 5ms distribution constant", `"constant" (column 29) takes no jitter`},
		{"delay 1ms 10ms distribution gamma", `"gamma" (column 29) does not fit these times: gamma of mean 1ms takes a standard deviation from 10µs to 3ms`},
		{"delay gauss(1ms)", `"gauss(1ms)" (column 7) is not a valid distribution: delay "gauss(1ms)": unknown distribution "gauss"`},
		{"delay exp(1ms) 5ms", `"5ms" (column 16) cannot follow an expression`},
		{"delay trace gone.txt", `"gone.txt" (column 13) cannot be read: no such file`},
		{"delay trace bad.txt", `is not a list of delays: line 2: "7" is not a valid duration: it lacks a unit`},
		{"delay trace empty.txt", "is not a list of delays: it is empty"},
		{"delay trace rtt.txt@00000000", "the file has changed, it is now rtt.txt@3444cb44"},
		{"delay 1ms 1ms distribution table wide.dist", `is not a table: line 1: "40000" is not a whole number from -32768 to 32767`},
		{"delay 1ms 1ms distribution table none.dist", "is not a table: it has 0 entries; allowed are 1 to 16384"},
		{"distribution normal", `"distribution" (column 1) belongs after the times of delay`},
		{"loss", "loss: the line ends (column 5) before a probability or a model"},
		{"loss 5", `loss: "5" (column 6) is not a valid probability: it is above 1; in percent it is 5%`},
		{"loss 0.3", `loss: "0.3" (column 6) is not a valid probability: it has two readings, 30% as a fraction and 0.3% as tc reads it; write one of these`},
		{"loss gemodel 1% 1", `"1" (column 17) is not a valid R: it has two readings, 100% as a fraction and 1% as tc reads it`},
		{"tc qdisc add dev eth0 root fq", `"tc" (column 1) does not begin a clause`},
		{"loss 120%", `"120%" (column 6) is not a valid probability: it is above 1`},
		{"loss -5%", `"-5%" (column 6) is not a valid probability`},
		{"loss gemodl 1%", `"gemodl" (column 6) is neither a probability nor a model of loss (did you mean "gemodel"?)`},
		{"loss 5% ecn", `"ecn" (column 9) asks for congestion marks, which do not exist here`},
		{"loss state 60% 10% 0% 100% 50%", "P13 and P14 leave state 1, and their sum, 60% and 50%, is above 100%"},
		{"loss state 100% 10% 0% 100% 100%", "P13 and P14 leave state 1, and their sum, 100% and 100%, is above 100%"},
		{"loss state 1% 60% 50%", "P31 and P32 leave state 3"},
		{"loss time 10s", "the line ends (column 14) before the mean sojourn"},
		{"loss time 10s 0s", `"0s" (column 15) is not a valid mean sojourn: it has to be above 0s`},
		{"loss burst 1% 0.5", "a burst is 1 message or longer"},
		{"loss burst 1% many", `"many" (column 15) is not a valid mean length of a burst`},
		{"loss burst 90% 2", "is too short for a loss rate of 90%"},
		{"reorder 25%", "reorder: without a delay no message can be overtaken"},
		{"delay 10ms gap 5", `"gap" (column 12) belongs after reorder`},
		{"delay 10ms reorder 5% gap 0", `"0" (column 27) is not a valid gap: allowed are whole numbers from 1 to`},
		{"corrupt", "corrupt: the line ends (column 8) before the probability"},
		{"rate 5%", "a link has no speed of which to take a percentage"},
		{"rate 5", `"5" (column 6) is not a valid rate: it lacks a unit, as in 5kbit`},
		{"rate 5mb", "allowed are a number and a unit"},
		{"rate 12bit", "allowed are whole numbers of bytes a second"},
		{"rate 0bit", "allowed are whole numbers of bytes a second"},
		{"rate 1mbit 1.5", `"1.5" (column 12) is not a valid overhead: allowed are whole numbers from -1048576 to 1048576`},
		{"limit 0", `"0" (column 7) is not a valid number of messages: allowed are whole numbers from 1 to`},
		{"slot 0ms", "there is no time between the slots"},
		{"slot 10ms 5ms", `"5ms" (column 11) is below the least time between slots, 10ms`},
		{"slot distribution normal 0ms 0ms", "there is no time between the slots"},
		{"slot distribution normal 10ms", "the line ends (column 30) before the jitter"},
		{"slot distribution constant 10ms 1ms", `"constant" (column 19) is not a distribution`},
		{"seed 5", `"seed" (column 1) does not belong to a line`},
	} {
		l, err := impair.Parse(c.text, read)
		if err == nil {
			t.Errorf("%q is read as %v", c.text, l)
		} else if !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v\nlacks %s", c.text, err, c.want)
		}
	}
	if _, err := impair.Parse("delay trace rtt.txt", nil); err == nil || !strings.Contains(err.Error(), "files cannot be read here") {
		t.Errorf("a file without files: %v", err)
	}
}

func TestModes(t *testing.T) {
	for _, name := range impair.Modes {
		if m, err := impair.ParseMode(name); err != nil || m.String() != name {
			t.Errorf("%s is %v, %v", name, m, err)
		}
	}
	if _, err := impair.ParseMode("exat"); err == nil || !strings.Contains(err.Error(), `(did you mean "exact"?); allowed are exact and compat`) {
		t.Error(err)
	}
}

func TestPresets(t *testing.T) {
	for _, p := range impair.Presets {
		l := parse(t, p.Line)
		if got := parse(t, p.Name).String(); got != l.String() {
			t.Errorf("%s is %q; want %q", p.Name, got, l)
		}
		if p.Source == "" || slices.Contains(impair.ClauseNames(), p.Name) {
			t.Errorf("%s has no source, or the name of a clause", p.Name)
		}
	}
}

// The answers of a line to the questions of a runtime.
func TestProperties(t *testing.T) {
	for _, c := range []struct {
		text                                  string
		loses, duplicates, corrupts, reorders bool
		least, most                           time.Duration // -1 for none
		mean                                  time.Duration
	}{
		{"delay 20ms", false, false, false, false, 20e6, 20e6, 20e6},
		{"delay 20ms 5ms", false, false, false, false, 15e6, 25e6, 20e6},
		{"delay 5ms 15ms", false, false, false, false, 0, 20e6, 6666667},
		{"delay 20ms 5ms distribution normal", false, false, false, false, 0, -1, 20000036},
		{"delay 20ms 5ms distribution pareto", false, false, false, false, 17111358, -1, 20e6},
		{"delay 20ms 5ms distribution exponential", false, false, false, false, 15e6, -1, 20e6},
		{"delay trace rtt.txt", false, false, false, false, 400e3, 2500e3, 1300e3},
		{"delay 5ms 1ms distribution table flat.dist", false, false, false, false, 4e6, 6e6, 5e6},
		{"loss 5%", true, false, false, false, 0, 0, 0},
		{"loss 0%", false, false, false, false, 0, 0, 0},
		{"loss gemodel 0% 50%", false, false, false, false, 0, 0, 0},
		{"loss gemodel 0% 50% 100% 1%", true, false, false, false, 0, 0, 0},
		{"loss state 0%", false, false, false, false, 0, 0, 0},
		{"loss time 1s 1s 0%", false, false, false, false, 0, 0, 0},
		{"loss burst 0% 4", false, false, false, false, 0, 0, 0},
		{"loss time 1s 1s 100% 100%", true, false, false, false, 0, 0, 0},
		{"limit 10", true, false, false, false, 0, 0, 0},
		{"duplicate 1%", false, true, false, false, 0, 0, 0},
		{"delay 20ms reorder 1%", false, false, false, true, 0, 20e6, 20e6},
		{"corrupt 1%", false, false, true, false, 0, 0, 0},
		{"rate 1mbit limit 5", true, false, false, false, 0, -1, 0},
		{"delay 1ms slot 10ms 20ms", false, false, false, false, 1e6, 21e6, 1e6},
		{"delay 1ms slot 10ms packets 5", false, false, false, false, 1e6, -1, 1e6},
		{"delay 1ms slot 10ms packets 5 limit 12", true, false, false, false, 1e6, 31e6, 1e6},
		{"delay 1ms slot 10ms bytes 5 limit 12", true, false, false, false, 1e6, 131e6, 1e6},
		{"slot distribution normal 10ms 1ms", false, false, false, false, 0, -1, 0},
	} {
		l := parse(t, c.text)
		if l.Loses() != c.loses || l.Duplicates() != c.duplicates || l.Corrupts() != c.corrupts || l.Reorders() != c.reorders {
			t.Errorf("%s: loses %v, duplicates %v, corrupts %v, reorders %v", l, l.Loses(), l.Duplicates(), l.Corrupts(), l.Reorders())
		}
		least, most, bounded := l.Bounds()
		if !bounded {
			most = -1
		}
		if least != c.least || most != c.most || l.Mean() != c.mean {
			t.Errorf("%s: from %d to %d, mean %d; want %d, %d, %d", l, least, most, l.Mean(), c.least, c.most, c.mean)
		}
	}
}

func TestWithDelay(t *testing.T) {
	for _, d := range []des.Distribution{des.Constant(time.Millisecond), des.Exponential(time.Second), des.Uniform(1, 5)} {
		l := new(impair.Line).WithDelay(d)
		if !l.HasDelay() || l.Mean() != d.Mean() {
			t.Errorf("%v has the mean %v; want %v", l, l.Mean(), d.Mean())
		}
		if again := parse(t, l.String()); *again != *l {
			t.Errorf("%v is read as %v", l, again)
		}
		lossy := parse(t, "loss 5%")
		if lossy.HasDelay() || lossy.WithDelay(d).String() != l.String()+" loss 5%" || lossy.HasDelay() {
			t.Errorf("with a delay %v is %v", lossy, lossy.WithDelay(d))
		}
	}
}

// A printed line is read as the same line, and a channel keeps its promises with each line.
func FuzzParse(f *testing.F) {
	for _, c := range canonical {
		f.Add(c.text)
	}
	for _, text := range []string{"delay", "loss 1/3 1/7", "rate 0.008kbit", "delay 9e3ms", "loss 5% ecn", "wan wan", "slot 1ns", "delay 1ms 1ms distribution table flat.dist reorder 1%"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		l, err := impair.Parse(text, read)
		if err != nil {
			if strings.Contains(err.Error(), "%!") && !strings.Contains(text, "%!") {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		again, err := impair.Parse(l.String(), read)
		if err != nil || again.String() != l.String() {
			t.Fatalf("%q is %q, which is read as %q, %v", text, l, again, err)
		}
		for mode := range impair.Modes {
			keepsPromises(t, l, impair.Mode(mode), uint64(len(text)))
		}
	})
}
