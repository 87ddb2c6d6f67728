package reliable_test

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"bullring/protocols/reliable"
)

func TestParse(t *testing.T) {
	for _, tc := range []struct {
		text, canonical string
		want            reliable.Config
	}{
		{"reliable", "reliable(10ms,16)", reliable.Default},
		{" reliable ( 5ms ) ", "reliable(5ms,16)", reliable.Config{RTO: 5 * ms, Tries: 16}},
		{"reliable(5ms,0)", "reliable(5ms,0)", reliable.Config{RTO: 5 * ms}},
		{"reliable(5ms,3,20ms)", "reliable(5ms,3,20ms)", reliable.Config{RTO: 5 * ms, Tries: 3, Cap: 20 * ms}},
		{"reliable(patient)", "reliable(10ms,16,patient)", reliable.Config{RTO: 10 * ms, Tries: 16, Patient: true}},
		{"reliable(5ms,3,20ms,patient)", "reliable(5ms,3,20ms,patient)", reliable.Config{RTO: 5 * ms, Tries: 3, Cap: 20 * ms, Patient: true}},
	} {
		got, err := reliable.Parse(tc.text)
		if err != nil || got != tc.want || got.String() != tc.canonical {
			t.Errorf("%q: %+v, printed %s (%v); want %+v, %s", tc.text, got, got, err, tc.want, tc.canonical)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                "unknown transformer",
		"tcp(5ms)":                        `unknown transformer "tcp"; allowed is reliable(RTO,TRIES,CAP,patient)`,
		"reliable(5ms":                    "closing parenthesis is missing",
		"reliable()":                      `argument 1, RTO: "" is not a duration`,
		"reliable(5)":                     `argument 1, RTO: "5" is not a duration, such as 10ms`,
		"reliable(5ms,many)":              `argument 2, TRIES: "many" is not a whole number`,
		"reliable(5ms,3,x)":               `argument 3, CAP: "x" is not a duration`,
		"reliable(5ms,3,9ms,4)":           "4 arguments",
		"reliable(5ms,patient,3)":         `argument 2, TRIES: "patient"`,
		"reliable(0s)":                    "RTO is 0s, and must be above 0",
		"reliable(-5ms)":                  "RTO is -5ms",
		"reliable(13h)":                   "at most 12h",
		"reliable(5ms,-1)":                "TRIES is -1",
		"reliable(5ms,3,4ms)":             "CAP is 4ms, and must be at least RTO, 5ms",
		"reliable(5ms,3,13h)":             "CAP is 13h",
		"reliable(patient,5ms)":           `argument 1, RTO: "patient"`,
		"reliable(5ms,3,9ms,9ms,patient)": "4 arguments",
	} {
		if _, err := reliable.Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v; want one with %q", text, err, want)
		}
	}
}

func TestWrapPanicsOnAnInvalidConfiguration(t *testing.T) {
	defer func() {
		if err, _ := recover().(error); err == nil || !strings.Contains(err.Error(), "RTO") {
			t.Errorf("panicked with %v", err)
		}
	}()
	reliable.Wrap[note](&script{}, reliable.Config{})
}

func TestPrintThenParse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := reliable.Config{
			RTO:     time.Duration(rapid.Int64Range(1, int64(reliable.Longest)).Draw(t, "rto")),
			Tries:   rapid.IntRange(0, 1<<30).Draw(t, "tries"),
			Patient: rapid.Bool().Draw(t, "patient"),
		}
		if rapid.Bool().Draw(t, "capped") {
			c.Cap = time.Duration(rapid.Int64Range(int64(c.RTO), int64(reliable.Longest)).Draw(t, "cap"))
		}
		if got, err := reliable.Parse(c.String()); err != nil || got != c {
			t.Fatalf("%s: %+v (%v); want %+v", c, got, err, c)
		}
	})
}

// What is accepted prints as a text that means the same.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"reliable", "reliable(5ms,3,20ms,patient)", "reliable(1h,,)", "reliable(1.5us,0x3)"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := reliable.Parse(text)
		if err != nil {
			return
		}
		if again, err := reliable.Parse(c.String()); err != nil || again != c {
			t.Errorf("%q is %+v, prints as %s, and that is %+v (%v)", text, c, c, again, err)
		}
	})
}
