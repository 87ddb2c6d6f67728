package detector_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"bullring/protocols/detector"
)

func TestParse(t *testing.T) {
	for _, tc := range []struct {
		text, canonical string
		want            detector.Config
	}{
		{"heartbeat", "heartbeat(10ms,30ms)", detector.Config{Period: 10 * ms, Timeout: 30 * ms}},
		{" heartbeat ( 5ms )", "heartbeat(5ms,15ms)", detector.Config{Period: 5 * ms, Timeout: 15 * ms}},
		{"heartbeat(5ms, 7ms, first=1s)", "heartbeat(5ms,7ms,first=1s)", detector.Config{Period: 5 * ms, Timeout: 7 * ms, First: time.Second}},
		{"adaptive", "adaptive(10ms,10ms)", detector.Config{Method: detector.Adaptive, Period: 10 * ms, Margin: 10 * ms}},
		{"adaptive(5ms,first=1s,window=7)", "adaptive(5ms,5ms,window=7,first=1s)", detector.Config{Method: detector.Adaptive, Period: 5 * ms, Margin: 5 * ms, Window: 7, First: time.Second}},
		{"phi", "phi(10ms,8)", detector.Config{Method: detector.Phi, Period: 10 * ms, Threshold: 8}},
		{"phi(window=3)", "phi(10ms,8,window=3)", detector.Config{Method: detector.Phi, Period: 10 * ms, Threshold: 8, Window: 3}},
		{"phi(5ms,2.50,deviation=1us)", "phi(5ms,2.5,deviation=1µs)", detector.Config{Method: detector.Phi, Period: 5 * ms, Threshold: 2.5, Deviation: time.Microsecond}},
	} {
		got, err := detector.Parse(tc.text)
		if err != nil || got != tc.want || got.String() != tc.canonical {
			t.Errorf("%q: %+v, printed %s (%v); want %+v, %s", tc.text, got, got, err, tc.want, tc.canonical)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                              "unknown method",
		"ping(5ms)":                     `unknown method "ping"; allowed are heartbeat(PERIOD,TIMEOUT), adaptive(PERIOD,MARGIN) and phi(PERIOD,THRESHOLD)`,
		"heartbeat(5ms":                 "closing parenthesis is missing",
		"heartbeat()":                   `argument 1: PERIOD is "", which is not a duration`,
		"heartbeat(5)":                  `argument 1: PERIOD is "5", which lacks a unit, as in 5ms`,
		"heartbeat(5ms,soon)":           `argument 2: TIMEOUT is "soon", which is not a duration`,
		"heartbeat(5ms,0s)":             `argument 2: TIMEOUT is "0s", and must be above 0`,
		"adaptive(5ms,-1ms)":            `argument 2: MARGIN is "-1ms", and must be above 0`,
		"phi(5ms,5ms)":                  `argument 2: THRESHOLD is "5ms", which is not a number`,
		"phi(5ms,NaN)":                  "THRESHOLD of phi is NaN, and must be above 0 and at most 300",
		"phi(5ms,0)":                    "THRESHOLD of phi is 0",
		"phi(5ms,301)":                  "THRESHOLD of phi is 301",
		"heartbeat(5ms,9ms,9ms)":        `argument 3: "9ms" is one too many`,
		"heartbeat(5ms,4ms)":            "TIMEOUT of heartbeat is 4ms, less than PERIOD, 5ms",
		"heartbeat(5ms,9ms,window=3)":   `argument 3: heartbeat has no "window"; allowed is first`,
		"adaptive(5ms,deviation=1ms)":   `argument 2: adaptive has no "deviation"; allowed is window, first`,
		"adaptive(window=3,5ms)":        `argument 2: "5ms" stands behind window=`,
		"adaptive(window=3,window=4)":   "argument 2: window is given twice",
		"adaptive(window=0)":            `argument 1: window is "0", and must be a whole number from 1 to 10000`,
		"adaptive(window=10001)":        "window of adaptive is 10001",
		"phi(first=soon)":               `argument 1: first is "soon"`,
		"phi(13h)":                      "PERIOD of phi is 13h0m0s, and must be above 0 and at most 12h",
		"phi(5ms,8,deviation=13h)":      "deviation of phi is 13h",
		"heartbeat(5h)":                 "TIMEOUT of heartbeat is 15h",
		"adaptive(1ms,1ms,first=100h)":  "first of adaptive is 100h",
		"heartbeat(5ms,15ms,first=0ms)": `first is "0ms", and must be above 0`,
	} {
		if _, err := detector.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v; want one with %q", text, err, want)
		}
	}
}

// A configuration says nothing that its method has no use for: it would print as
// another one.
func TestValidate(t *testing.T) {
	beat := detector.Config{Period: ms, Timeout: 2 * ms}
	with := func(change func(*detector.Config)) detector.Config {
		c := beat
		change(&c)
		return c
	}
	if err := beat.Validate(); err != nil {
		t.Error(err)
	}
	for want, c := range map[string]detector.Config{
		"no method 3":                                     with(func(c *detector.Config) { c.Method = 3 }),
		"heartbeat has no MARGIN, which is 1ms":           with(func(c *detector.Config) { c.Margin = ms }),
		"heartbeat has no deviation, which is 1ms":        with(func(c *detector.Config) { c.Deviation = ms }),
		"heartbeat has no THRESHOLD, which is 8":          with(func(c *detector.Config) { c.Threshold = 8 }),
		"heartbeat has no window, which is 4":             with(func(c *detector.Config) { c.Window = 4 }),
		"adaptive has no TIMEOUT, which is 2ms":           with(func(c *detector.Config) { c.Method, c.Margin = detector.Adaptive, ms }),
		"window of phi is -1, and must be":                {Method: detector.Phi, Period: ms, Threshold: 1, Window: -1},
		"PERIOD of adaptive is 0s, and must be above 0":   {Method: detector.Adaptive, Margin: ms},
		"MARGIN of adaptive is -1ms, and must be above 0": {Method: detector.Adaptive, Period: ms, Margin: -ms},
		"first of heartbeat is -1ms":                      with(func(c *detector.Config) { c.First = -ms }),
		"THRESHOLD of phi is +Inf":                        {Method: detector.Phi, Period: ms, Threshold: math.Inf(1)},
	} {
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: error %v; want one with %q", c, err, want)
		}
	}
}

func TestPrintThenParse(t *testing.T) {
	duration := rapid.Custom(func(t *rapid.T) time.Duration {
		return time.Duration(rapid.Int64Range(1, int64(detector.Longest)).Draw(t, "ns"))
	})
	rapid.Check(t, func(t *rapid.T) {
		c := detector.Config{Method: detector.Method(rapid.IntRange(0, 2).Draw(t, "method")), Period: duration.Draw(t, "period")}
		switch c.Method {
		case detector.Heartbeat:
			c.Timeout = max(c.Period, duration.Draw(t, "timeout"))
		case detector.Adaptive:
			c.Margin = duration.Draw(t, "margin")
		case detector.Phi:
			c.Threshold = rapid.Float64Range(1e-300, detector.MaxThreshold).Draw(t, "threshold")
			if rapid.Bool().Draw(t, "deviates") {
				c.Deviation = duration.Draw(t, "deviation")
			}
		}
		if c.Method != detector.Heartbeat {
			c.Window = rapid.IntRange(0, detector.MaxWindow).Draw(t, "window")
		}
		if rapid.Bool().Draw(t, "waits") {
			c.First = duration.Draw(t, "first")
		}
		if got, err := detector.Parse(c.String()); err != nil || got != c {
			t.Fatalf("%s: %+v (%v); want %+v", c, got, err, c)
		}
	})
}

// What is accepted prints as a text that means the same.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"heartbeat", "heartbeat(5ms,9ms,first=1s)", "adaptive(1h,window=3)", "phi(1.5us,0x1p-3,deviation=1ns)", "phi(,)"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := detector.Parse(text)
		if err != nil {
			return
		}
		if again, err := detector.Parse(c.String()); err != nil || again != c {
			t.Errorf("%q is %+v, prints as %s, and that is %+v (%v)", text, c, c, again, err)
		}
	})
}
