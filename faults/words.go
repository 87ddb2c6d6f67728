package faults

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"bullring/des"
	"bullring/protocols"
)

// read takes the next word and parses it. The error of parse goes on behind the word:
// "is not ...".
func read[T any](p *parser, parse func(string) (T, error)) T {
	value, err := parse(p.peek())
	if err != nil {
		p.fail(err.Error())
	}
	p.take()
	return value
}

// process reads an address or the word leader.
func (p *parser) process(when Trigger) protocols.ID {
	if p.accept("leader") {
		if when.On == Beginning {
			p.failWord("is not allowed: at the beginning there is none; say when, as in \"when leader crash leader\"")
		}
		return Leader
	}
	id, err := strconv.ParseUint(p.peek(), 10, 31)
	if err != nil {
		p.fail("is not the address of a process, nor leader" + p.suggestion([]string{"leader"}))
	}
	p.take()
	return protocols.ID(id)
}

func processWord(p protocols.ID) string {
	if p == Leader {
		return "leader"
	}
	return strconv.Itoa(int(p))
}

// reserved are the words that cannot be a kind of messages.
var reserved = []string{"from", "to", "by", "in", "with", "for", "after", "send", "sends", "of"}

// message reads the name of a kind of messages.
func (p *parser) message() string {
	if slices.Contains(reserved, p.peek()) || p.peek() == "" {
		p.fail("stands where a kind of messages should, as in \"drop 2nd ELECTION\", or \"message\" for all kinds")
	}
	return p.take()
}

// count reads a whole number that is at least least.
func (p *parser) count(least uint64) uint64 {
	return read(p, func(text string) (uint64, error) {
		n, err := strconv.ParseUint(text, 10, 63)
		if err != nil || n < least {
			return 0, fmt.Errorf("is not a whole number from %d on", least)
		}
		return n, nil
	})
}

// number reports whether the next word begins with a digit.
func (p *parser) number() bool {
	w := p.peek()
	return w != "" && w[0] >= '0' && w[0] <= '9'
}

// ordinal reads 1st, 2nd, 3rd, 4th and so on.
func (p *parser) ordinal() uint64 {
	return read(p, func(text string) (uint64, error) {
		n, err := strconv.ParseUint(strings.TrimRight(text, "sthnrd"), 10, 63)
		switch {
		case err != nil || n == 0:
			return 0, errors.New("is not an ordinal such as 1st, 2nd or 17th")
		case text != ordinal(n):
			return 0, errors.New("is written " + ordinal(n))
		}
		return n, nil
	})
}

// ordinal is 1st, 2nd, 3rd, 4th, 11th, 22nd...
func ordinal(n uint64) string {
	suffix := "th"
	if tens := n / 10 % 10; tens != 1 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return strconv.FormatUint(n, 10) + suffix
}

// instant reads a time of the run.
func (p *parser) instant() des.Time { return read(p, parseInstant) }

func parseInstant(text string) (des.Time, error) {
	d, err := time.ParseDuration(text)
	switch {
	case err != nil || d < 0:
		return 0, errors.New("is not an instant such as 0s, 5ms or 1.5s")
	case d > des.MaxDuration:
		return 0, fmt.Errorf("is later than %v", des.MaxDuration)
	}
	return des.Time(d), nil
}

// positive reads a duration above 0.
func (p *parser) positive() time.Duration {
	return p.duration(1, "above 0 such as 5ms or 1.5s")
}

func (p *parser) duration(least time.Duration, such string) time.Duration {
	return read(p, func(text string) (time.Duration, error) {
		d, err := time.ParseDuration(text)
		switch {
		case err != nil || d < least:
			return 0, errors.New("is not a duration " + such)
		case d > des.MaxDuration:
			return 0, fmt.Errorf("is longer than %v", des.MaxDuration)
		}
		return d, nil
	})
}

// probability reads a probability above 0. The probability 1 is stored as 0, which
// stands for always.
func (p *parser) probability() des.Probability {
	return read(p, func(text string) (des.Probability, error) {
		q, err := des.ParseProbability(text)
		switch {
		case err != nil || q == 0:
			return 0, errors.New("is not a probability above 0 such as 5% or 0.05")
		case q == des.Always:
			return 0, nil
		}
		return q, nil
	})
}

const mostDrift = 500_000_000 // ns a second: clocks run between half and one and a half times as fast

// parseDrift reads parts per million, with up to three decimals, as nanoseconds a second.
func parseDrift(text string) (int64, error) {
	number, unit := strings.CutSuffix(text, "ppm")
	number, negative := strings.CutPrefix(number, "-")
	whole, decimals, _ := strings.Cut(number, ".")
	const places = 3
	padded := decimals + strings.Repeat("0", max(0, places-len(decimals)))
	drift, err := strconv.ParseUint(whole+padded, 10, 63)
	if err != nil || !unit || whole == "" || len(padded) > places || drift > mostDrift {
		return 0, errors.New("is not a drift in parts per million, from -500000ppm to 500000ppm, such as 100ppm or -0.5ppm")
	}
	if negative {
		return -int64(drift), nil
	}
	return int64(drift), nil
}

// driftText prints nanoseconds a second in parts per million.
func driftText(drift int64) string {
	sign := ""
	if drift < 0 {
		sign, drift = "-", -drift
	}
	text := sign + strconv.FormatInt(drift/1000, 10)
	if rest := drift % 1000; rest > 0 {
		text += strings.TrimRight(fmt.Sprintf(".%03d", rest), "0")
	}
	return text + "ppm"
}

func parseStrategy(text string) (string, error) {
	if text == "" || text[0] < 'a' || text[0] > 'z' {
		return "", errors.New("is not the name of a strategy, such as silent")
	}
	return text, nil
}

func parseIdentity(text string) (int64, error) {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, errors.New("is not an identity, a whole number of 64 bits")
	}
	return id, nil
}
