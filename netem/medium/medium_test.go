package medium

import (
	"math"
	"math/big"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"radio(1mbit)":                             "radio(1mbit)",
		" radio( 1000kbit ) ":                      "radio(1mbit)",
		"radio(1mbps)":                             "radio(8mbit)", // tc's word for bytes
		"radio(2.5Mbit,50nJ/bit,40nJ/bit)":         "radio(2500kbit, 50nJ/bit, 40nJ/bit)",
		"radio(1mbit, 0.05uJ/bit, 40.50nJ/bit)":    "radio(1mbit, 50nJ/bit, 40.5nJ/bit)",
		"radio(1mbit, 1pJ/bit, 1mJ/bit)":           "radio(1mbit, 0.001nJ/bit, 1000000nJ/bit)",
		"radio(1mbit, 0nJ/bit, 0pJ/bit)":           "radio(1mbit)",
		"radio(1mbit, 0nJ/bit, 0.000000001mJ/bit)": "radio(1mbit, 0nJ/bit, 0.001nJ/bit)",
	} {
		r, err := Parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if again, err := Parse(r.String()); r.String() != want || err != nil || *again != *r {
			t.Errorf("%s is %s, want %s; again %v, %v", text, r, want, again, err)
		}
	}
}

func TestParseErrors(t *testing.T) {
	const form = "allowed is radio(RATE[, SENT/bit, HEARD/bit]), such as radio(1mbit) or radio(1mbit, 50nJ/bit, 40nJ/bit)"
	const energy = "is not a valid energy of a bit: allowed are a number and a unit, pJ/bit, nJ/bit, uJ/bit or mJ/bit, in whole picojoules up to 1mJ/bit"
	for text, want := range map[string]string{
		"":                                    `medium "": ` + form,
		"wire(1mbit)":                         `medium "wire(1mbit)": ` + form,
		"radio":                               `medium "radio": ` + form,
		"radio(1mbit":                         `medium "radio(1mbit": ` + form,
		"radio(1mbit, 50nJ/bit)":              `medium "radio(1mbit, 50nJ/bit)" has 2 values in its parentheses; ` + form,
		"radio()":                             `medium "radio()": "" is not a valid rate: it lacks a unit`,
		"radio(1000)":                         `medium "radio(1000)": "1000" is not a valid rate: it lacks a unit, as in 1000kbit`,
		"radio(1bit)":                         `medium "radio(1bit)": "1bit" is not a valid rate: allowed are whole numbers of bytes a second`,
		"radio(1mbit, 50, 40nJ/bit)":          `"50" ` + energy,
		"radio(1mbit, 50nJ/bit, 2mJ/bit)":     `"2mJ/bit" ` + energy,
		"radio(1mbit, -5nJ/bit, 2nJ/bit)":     `"-5nJ/bit" ` + energy,
		"radio(1mbit, 0.0001nJ/bit, 2nJ/bit)": `"0.0001nJ/bit" ` + energy,
		"radio(1mbit, .5nJ/bit, 2nJ/bit)":     `".5nJ/bit" ` + energy,
	} {
		if r, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v; want %s", text, r, err, want)
		}
	}
}

// The time of a transmission is that of its bits at the rate, rounded up, and the energy that of its bits.
func TestAirtime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := &Radio{rate: 8 * rapid.Uint64Range(1, 1e15/8).Draw(t, "bytes a second")}
		size := rapid.IntRange(0, min(1<<40, math.MaxInt)).Draw(t, "bits")
		want := new(big.Int).Mul(big.NewInt(int64(size)), big.NewInt(1e9))
		want.Add(want, new(big.Int).SetUint64(r.rate-1)).Quo(want, new(big.Int).SetUint64(r.rate))
		if want.Sign() == 0 {
			want.SetInt64(1)
		}
		if !want.IsInt64() {
			want.SetInt64(1<<63 - 1)
		}
		if got := r.Airtime(size); got != time.Duration(want.Int64()) {
			t.Fatalf("%d bits at %d bit/s last %d ns, want %v", size, r.rate, got, want)
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add("radio(1mbit)")
	f.Add("radio(1mbit, 50nJ/bit, 40nJ/bit)")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := Parse(text)
		if err != nil {
			return
		}
		if again, err := Parse(r.String()); err != nil || *again != *r {
			t.Errorf("%q prints as %q, which is %v, %v", text, r, again, err)
		}
		if d := r.Airtime(1000); d <= 0 {
			t.Errorf("%q: 1000 bits last %v", text, d)
		}
	})
}
