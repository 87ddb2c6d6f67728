package des

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"
	"time"
)

// Mixture is a distribution that draws from one of several distributions, each with its
// probability. A single random word is enough: where the word lies decides which one, and how far
// into that part it lies gives the duration.
type Mixture struct{ parts []MixturePart }

// MixturePart is a distribution of a mixture, and the probability that a duration is of it.
type MixturePart struct {
	Share Probability
	Law   Distribution

	width uint64 // the number of random words, of 2^64, that are of this part
}

// mostParts is the largest number of distributions in a mixture.
const mostParts = 16

// newMixture returns the mixture of some distributions. None of them may be a mixture. The shares are
// above 0 and add up to 1. Rounding can take a part in 2^63 from each; the last one gets that.
func newMixture(parts ...MixturePart) (*Mixture, error) {
	if len(parts) < 2 || len(parts) > mostParts {
		return nil, fmt.Errorf("a mixture has from 2 to %d parts, as in %s; given are %d", mostParts, mixtureExample, len(parts))
	}
	m := &Mixture{slices.Clone(parts)}
	left := Always
	for i := range m.parts {
		p := &m.parts[i]
		if _, mixed := p.Law.(*Mixture); mixed {
			return nil, errors.New("a part of a mixture is a mixture; its parts can stand in the first one")
		}
		slack := Probability(0)
		if i == len(parts)-1 {
			slack = mostParts
		}
		if p.Share == 0 || p.Share > left+slack || p.Share+slack < left && slack > 0 || left == 0 {
			return nil, fmt.Errorf("the shares %s of a mixture have to be above 0%% and add up to 100%%", sharesOf(parts))
		}
		if p.width = uint64(p.Share) << 1; slack > 0 {
			p.width = uint64(left) << 1
		}
		left -= min(left, p.Share)
	}
	return m, nil
}

const mixtureExample = "mix(90% uniform(1ms,2ms),10% exp(50ms))"

func sharesOf(parts []MixturePart) string {
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = p.Share.String()
	}
	return strings.Join(texts, ", ")
}

// Parts are the distributions and their shares.
func (m *Mixture) Parts() []MixturePart { return slices.Clone(m.parts) }

// Sample implements Distribution.
func (m *Mixture) Sample(r uint64) time.Duration {
	last := len(m.parts) - 1
	for i := range last {
		p := &m.parts[i]
		if r < p.width {
			return p.sample(r)
		}
		r -= p.width
	}
	return m.parts[last].sample(r)
}

// sample is the duration that belongs to one of the words of the part, spread over all words.
func (p *MixturePart) sample(r uint64) time.Duration {
	word, _ := bits.Div64(r, 0, p.width)
	return p.Law.Sample(word)
}

// Quantile is the least duration that is not below that of the fraction: it counts the words
// whose durations do not exceed one, and searches for it.
func (m *Mixture) Quantile(u uint64) time.Duration {
	lo, hi := time.Duration(math.MaxInt64), time.Duration(0)
	for i := range m.parts {
		q := m.parts[i].Law.Quantile(u)
		lo, hi = min(lo, q), max(hi, q)
	}
	for lo < hi {
		if mid := lo + (hi-lo)/2; m.exceeds(mid, u) {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}

// exceeds reports whether more than u of the random words have a duration of at most t.
func (m *Mixture) exceeds(t time.Duration, u uint64) bool {
	words, some := uint64(0), false // all 2^64 words are 0
	for i := range m.parts {
		n := m.parts[i].words(t)
		words, some = words+n, some || n > 0
	}
	return some && words-1 >= u
}

// words is the number of the words of a part whose duration is at most t.
func (p *MixturePart) words(t time.Duration) uint64 {
	u, some := Below(p.Law, t)
	if !some {
		return 0
	}
	hi, lo := bits.Mul64(u, p.width) // (u+1) width, less 1, divided by 2^64, plus 1
	_, carry := bits.Add64(lo, p.width-1, 0)
	return hi + carry + 1
}

// Below returns the largest fraction u of a distribution whose quantile is at most t; some is false
// if there is none.
func Below(d interface{ Quantile(uint64) time.Duration }, t time.Duration) (u uint64, some bool) {
	lo, hi := uint64(0), uint64(math.MaxUint64)
	if d.Quantile(lo) > t {
		return 0, false
	}
	for lo < hi {
		mid := hi - (hi-lo)/2
		if d.Quantile(mid) <= t {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	return lo, true
}

// Mean is the sum of the means, each times its share, rounded.
func (m *Mixture) Mean() time.Duration {
	var sumHi, sumLo, carry uint64
	sumLo = 1 << 63
	for _, p := range m.parts {
		hi, lo := bits.Mul64(p.width, uint64(p.Law.Mean()))
		sumLo, carry = bits.Add64(sumLo, lo, 0)
		sumHi += hi + carry
	}
	return time.Duration(sumHi)
}

// Bounds implements Distribution.
func (m *Mixture) Bounds() (lo, hi time.Duration, bounded bool) {
	lo, bounded = math.MaxInt64, true
	for _, p := range m.parts {
		least, most, finite := p.Law.Bounds()
		lo, hi, bounded = min(lo, least), max(hi, most), bounded && finite
	}
	if !bounded {
		hi = 0
	}
	return lo, hi, bounded
}

// String implements Distribution.
func (m *Mixture) String() string {
	texts := make([]string, len(m.parts))
	for i, p := range m.parts {
		texts[i] = p.Share.String() + " " + p.Law.String()
	}
	return "mix(" + strings.Join(texts, ",") + ")"
}

// mixture reads shares and distributions with commas between them.
func mixture(args string) (Distribution, error) {
	var parts []MixturePart
	depth, from := 0, 0
	for i, r := range args + "," {
		switch {
		case r == '(':
			depth++
		case r == ')':
			depth--
		case r == ',' && depth == 0:
			part, err := mixturePart(strings.TrimSpace(args[from:i]))
			if err != nil {
				return nil, err
			}
			parts, from = append(parts, part), i+1
		}
	}
	if depth != 0 {
		return nil, errors.New("the parentheses do not match")
	}
	m, err := newMixture(parts...)
	if err != nil {
		return nil, err
	}
	return m, nil
}

func mixturePart(text string) (p MixturePart, err error) {
	share, law, _ := strings.Cut(text, " ")
	if p.Share, err = ParseProbability(share); err != nil {
		return p, fmt.Errorf("mix takes shares and distributions, as in %s: %w", mixtureExample, err)
	}
	if law = strings.TrimSpace(law); law == "" {
		return p, fmt.Errorf("mix takes shares and distributions, as in %s: behind %q there is none", mixtureExample, share)
	}
	p.Law, err = parseDistribution(law)
	return p, err
}
