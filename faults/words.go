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

// process reads an address or the word leader.
func (p *parser) process(when Trigger) protocols.ID {
	if p.accept("leader") {
		if when.On == Beginning {
			p.failWord("cannot be: at the beginning there is none; say when, as in \"when leader crash leader\"")
		}
		return Leader
	}
	id, err := strconv.ParseUint(p.peek(), 10, 31)
	if err != nil {
		p.fail("is not the address of a process, nor leader" + p.meant([]string{"leader"}))
	}
	p.take()
	return protocols.ID(id)
}

// reserved are the words that cannot be a kind of messages.
var reserved = []string{"from", "to", "by", "with", "for", "after", "send", "sends", "of"}

// message reads the name of a kind of messages.
func (p *parser) message() string {
	if slices.Contains(reserved, p.peek()) || p.peek() == "" {
		p.fail("stands where a kind of messages should, as in \"drop 2nd ELECTION\", or \"message\" for all kinds")
	}
	return p.take()
}

// count reads a whole number from least on.
func (p *parser) count(least uint64) uint64 {
	n, err := strconv.ParseUint(p.peek(), 10, 63)
	if err != nil || n < least {
		p.fail(fmt.Sprintf("is not a whole number from %d on", least))
	}
	p.take()
	return n
}

// ordinal reads 1st, 2nd, 3rd, 4th and so on.
func (p *parser) ordinal() uint64 {
	digits := strings.TrimRight(p.peek(), "sthnrd")
	n, err := strconv.ParseUint(digits, 10, 63)
	switch {
	case err != nil || n == 0:
		p.fail("is not an ordinal such as 1st, 2nd or 17th")
	case p.peek() != ordinal(n):
		p.fail("is written " + ordinal(n))
	}
	p.take()
	return n
}

// instant reads a time of the run.
func (p *parser) instant() des.Time {
	t, err := parseInstant(p.peek())
	if err != nil {
		p.fail(err.Error())
	}
	p.take()
	return t
}

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
	d, err := time.ParseDuration(p.peek())
	switch {
	case err != nil || d < least:
		p.fail("is not a duration " + such)
	case d > des.MaxDuration:
		p.fail(fmt.Sprintf("is longer than %v", des.MaxDuration))
	}
	p.take()
	return d
}

// probability reads one above 0; 1 is as if nothing had been said.
func (p *parser) probability() des.Probability {
	q, err := des.ParseProbability(p.peek())
	if err != nil || q == 0 {
		p.fail("is not a probability above 0 such as 5% or 0.05")
	}
	if p.take(); q == des.Always {
		return 0
	}
	return q
}

const (
	mostDrift = 500_000_000 // ns a second: clocks run between half and one and a half times as fast
	notDrift  = "is not a drift in parts per million, from -500000ppm to 500000ppm, such as 100ppm or -0.5ppm"
)

// drift reads parts per million, with up to three decimals.
func (p *parser) drift() int64 {
	number, unit := strings.CutSuffix(p.peek(), "ppm")
	number, negative := strings.CutPrefix(number, "-")
	whole, decimals, _ := strings.Cut(number, ".")
	const places = 3
	padded := decimals + strings.Repeat("0", max(0, places-len(decimals)))
	drift, err := strconv.ParseUint(whole+padded, 10, 63)
	if err != nil || !unit || whole == "" || len(padded) > places || drift > mostDrift {
		p.fail(notDrift)
	}
	if p.take(); negative {
		return -int64(drift)
	}
	return int64(drift)
}

func (p *parser) identity() int64 {
	id, err := strconv.ParseInt(p.peek(), 10, 64)
	if err != nil {
		p.fail("is not an identity, a whole number of 64 bits")
	}
	p.take()
	return id
}

// distribution reads one of durations that are not always 0.
func (p *parser) distribution() des.Distribution {
	d, err := des.ParseDistribution(p.peek())
	switch {
	case err != nil:
		p.fail("is not a distribution of durations: " + err.Error())
		return des.Constant(0)
	case d.Mean() <= 0:
		p.fail("has the mean 0; something has to be above it")
	}
	p.take()
	return d
}
