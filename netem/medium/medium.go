package medium

import (
	"fmt"
	"math/bits"
	"strings"
	"time"

	"bullring/netem/impair"
)

// Radio is a radio medium. It does not change.
type Radio struct {
	rate        uint64 // bits a second, above 0
	sent, heard uint64 // picojoules a bit
}

const form = "radio(RATE[, SENT/bit, HEARD/bit]), such as radio(1mbit) or radio(1mbit, 50nJ/bit, 40nJ/bit)"

// Parse reads a medium: the rate in the words of tc-netem and, if energy counts, what a bit costs that is sent
// and one that is heard. The error names what is wrong, and what is allowed.
func Parse(text string) (*Radio, error) {
	name, rest, call := strings.Cut(strings.TrimSpace(text), "(")
	inner, closed := strings.CutSuffix(rest, ")")
	if strings.TrimSpace(name) != "radio" || !call || !closed {
		return nil, fmt.Errorf("medium %q: allowed is %s", text, form)
	}
	words := strings.Split(inner, ",")
	if len(words) != 1 && len(words) != 3 {
		return nil, fmt.Errorf("medium %q has %d values in its parentheses; allowed is %s", text, len(words), form)
	}
	r := &Radio{}
	var reason string
	if r.rate, reason = impair.ParseRate(strings.TrimSpace(words[0])); reason != "" {
		return nil, fmt.Errorf("medium %q: %q is not a valid rate: %s", text, strings.TrimSpace(words[0]), reason)
	}
	for i, target := range []*uint64{&r.sent, &r.heard}[:len(words)-1] {
		energy, ok := parseEnergy(strings.TrimSpace(words[i+1]))
		if !ok {
			return nil, fmt.Errorf("medium %q: %q is not a valid energy of a bit: allowed are a number and a unit, pJ/bit, nJ/bit, uJ/bit or mJ/bit, in whole picojoules up to 1mJ/bit", text, strings.TrimSpace(words[i+1]))
		}
		*target = energy
	}
	return r, nil
}

// String prints the medium as Parse reads it.
func (r *Radio) String() string {
	if r.sent == 0 && r.heard == 0 {
		return fmt.Sprintf("radio(%s)", impair.PrintRate(r.rate))
	}
	return fmt.Sprintf("radio(%s, %s, %s)", impair.PrintRate(r.rate), printEnergy(r.sent), printEnergy(r.heard))
}

// Airtime is the time that the transmission of so many bits lasts, rounded up to a nanosecond. It is at least
// 1 ns.
func (r *Radio) Airtime(size int) time.Duration {
	hi, lo := bits.Mul64(uint64(size), 1e9)
	if hi >= r.rate {
		return 1<<63 - 1
	}
	t, rest := bits.Div64(hi, lo, r.rate)
	if rest > 0 {
		t++
	}
	return time.Duration(max(1, min(t, 1<<63-1)))
}

// Energy is the energy of so many bits sent and heard, in joules.
func (r *Radio) Energy(sent, heard uint64) float64 {
	a, b := float64(sent)*float64(r.sent), float64(heard)*float64(r.heard)
	return (float64(a) + float64(b)) / 1e12 // no fused operation, so that it is the same on every processor
}
