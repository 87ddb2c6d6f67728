package faults

import (
	"fmt"
	"strconv"
	"strings"

	"bullring/protocols"
	"bullring/protocols/links"
)

// String prints the plan as Parse reads it.
func (p Plan) String() string { return strings.Join(p.lines(), "; ") }

// Text prints the plan as Parse reads it, one fault a line.
func (p Plan) Text() string {
	var text strings.Builder
	for _, line := range p.lines() {
		text.WriteString(line + "\n")
	}
	return text.String()
}

func (p Plan) lines() []string {
	lines := make([]string, len(p))
	for i := range p {
		lines[i] = p[i].String()
	}
	return lines
}

// String prints the fault as Parse reads it.
func (f Fault) String() string {
	text := f.When.words() + f.action()
	if f.For > 0 {
		text += fmt.Sprintf(" for %v", f.For)
	}
	return text
}

// words is the trigger in front of an action, with the space between them.
func (t Trigger) words() string {
	switch t.On {
	case Instant:
		return fmt.Sprintf("at %v ", t.At)
	case Events:
		return fmt.Sprintf("at event %d ", t.Count)
	case Leaders:
		return "when " + which(t.Count) + "leader "
	case Elections:
		return "when " + which(t.Count) + "election "
	}
	return ""
}

// which is an ordinal and a space, and nothing for the first.
func which(n uint64) string {
	if n == 1 {
		return ""
	}
	return ordinal(n) + " "
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

func (f *Fault) action() string {
	who := processWord(f.Process)
	switch f.Kind {
	case Crash:
		return "crash " + who + f.amid()
	case Slow:
		return fmt.Sprintf("slow %s by %v", who, f.By)
	case Partition:
		return "partition " + groupsText(f.Groups, f.OneWay) + f.flapping()
	case Cut:
		return "cut " + f.Links.String() + f.flapping()
	case Clog:
		return "clog " + f.Links.String()
	case Link:
		return "link " + f.Links.String() + " " + f.Line
	case OmitSends, OmitReceives:
		return f.Kind.String() + " of " + who + f.with()
	case Drop, Delay, Duplicate:
		return f.rule()
	case ClockOffset:
		return fmt.Sprintf("clock %s offset %v", who, f.By)
	case ClockStep:
		return fmt.Sprintf("clock %s step %v", who, f.By)
	case ClockDrift:
		return "clock " + who + " drift " + driftText(f.Drift)
	case Lie:
		return fmt.Sprintf("lie %s as %d", who, f.As)
	case RandomCrashes, RandomFailures, RandomPartitions, RandomSwarm:
		return f.Kind.String() + f.Random.words(f.Kind)
	case Heal, HealAll:
		return f.Kind.String()
	}
	return f.Kind.String() + " " + who
}

func processWord(p protocols.ID) string {
	if p == Leader {
		return "leader"
	}
	return strconv.Itoa(int(p))
}

func (f *Fault) amid() string {
	if !f.Amid {
		return ""
	}
	text := fmt.Sprintf(" after %d sends", f.Count)
	if f.Count == 1 {
		text = " after 1 send"
	}
	if f.Message != "" {
		text += " of " + f.Message
	}
	return text
}

func groupsText(groups []links.Addresses, oneWay bool) string {
	texts := make([]string, len(groups))
	for i, g := range groups {
		texts[i] = g.String()
	}
	separator := " | "
	if oneWay {
		separator = " -> "
	}
	return "{" + strings.Join(texts, separator) + "}"
}

func (f *Fault) flapping() string {
	if f.Up == 0 {
		return ""
	}
	return fmt.Sprintf(" flapping %v %v", f.Down, f.Up)
}

func (f *Fault) rule() string {
	text := f.Kind.String() + " every "
	if f.Count > 0 {
		text = f.Kind.String() + " " + ordinal(f.Count) + " "
	}
	if f.Message == "" {
		text += "message"
	} else {
		text += f.Message
	}
	if f.From != Anyone {
		text += " from " + processWord(f.From)
	}
	if f.To != Anyone {
		text += " to " + processWord(f.To)
	}
	if f.Kind == Delay {
		text += fmt.Sprintf(" by %v", f.By)
	}
	return text + f.with()
}

func (f *Fault) with() string {
	if f.With == 0 {
		return ""
	}
	return " with " + f.With.String()
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

// words is what stands behind the kind.
func (r *Random) words(k Kind) string {
	var text strings.Builder
	switch k {
	case RandomCrashes:
		fmt.Fprintf(&text, " %d in %v..%v", r.Number, r.From, r.Until)
	case RandomFailures, RandomPartitions:
		fmt.Fprintf(&text, " mttf %v mttr %v", r.Up, r.Down)
	}
	if r.Least > 0 {
		fmt.Fprintf(&text, " lasting %v", r.Least)
	}
	if r.Of != nil {
		text.WriteString(" of " + strings.Join(r.Of, ", "))
	}
	if r.Most > 0 {
		fmt.Fprintf(&text, " at most %d down", r.Most)
	}
	if r.Sparing != nil {
		text.WriteString(" sparing {" + r.Sparing.String() + "}")
	}
	if k != RandomCrashes {
		fmt.Fprintf(&text, " until %v", r.Until)
	}
	if r.Heal {
		text.WriteString(" then heal")
	}
	return text.String()
}
