package faults

import (
	"errors"
	"fmt"
	"strings"

	"bullring/des"
	"bullring/protocols/links"
)

// A part is a piece of the text of a fault. Reading and printing stand side by side:
// text prints what read takes, with a space in front, and "" for an option that is not
// set.
type part struct {
	read func(*parser, *Fault)
	text func(*Fault) string
}

// process is P.
var process = part{
	func(p *parser, f *Fault) { f.Process = p.process(f.When) },
	func(f *Fault) string { return " " + processWord(f.Process) },
}

// ofProcess is "of" P.
var ofProcess = part{
	func(p *parser, f *Fault) {
		p.expect("of", "omit sends of 3")
		process.read(p, f)
	},
	func(f *Fault) string { return " of" + process.text(f) },
}

// amidStep is ["after" K "sends" ["of" KIND]].
var amidStep = part{
	func(p *parser, f *Fault) {
		if !p.accept("after") {
			return
		}
		f.Amid, f.Count = true, p.count(0)
		if !p.accept("send") {
			p.expect("sends", "crash 3 after 2 sends")
		}
		if p.accept("of") {
			f.Message = p.message()
		}
	},
	func(f *Fault) string {
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
	},
}

// slower is "by" DURATION.
var slower = part{
	func(p *parser, f *Fault) {
		p.expect("by", "slow 3 by 2ms")
		f.By = p.positive()
	},
	func(f *Fault) string { return fmt.Sprintf(" by %v", f.By) },
}

// mostGroups is as many as a set of bits holds.
const mostGroups = 64

// groups is {0 1 | 2 3} or, one way, {0 1 -> 2 3}.
var groups = part{
	func(p *parser, f *Fault) {
		text, opened := strings.CutPrefix(p.peek(), "{")
		text, closed := strings.CutSuffix(text, "}")
		if !opened || !closed {
			p.fail("is not a partition; it is written as in {0 1 | 2 3 4} or, one way, {0 1 -> 2 3}")
			return
		}
		separator := "|"
		if strings.Contains(text, "->") {
			separator, f.OneWay = "->", true
		}
		parts := strings.Split(text, separator)
		if f.OneWay && len(parts) != 2 || len(parts) > mostGroups {
			p.fail(fmt.Sprintf("has %d groups; a partition has at most %d, one way two", len(parts), mostGroups))
			return
		}
		at := 1
		for _, part := range parts {
			group, err := links.ParseAddresses(part)
			p.failLinks(err, at)
			at += len(part) + len(separator)
			f.Groups = append(f.Groups, group)
		}
		p.take()
	},
	func(f *Fault) string {
		texts := make([]string, len(f.Groups))
		for i, g := range f.Groups {
			texts[i] = g.String()
		}
		separator := " | "
		if f.OneWay {
			separator = " -> "
		}
		return " {" + strings.Join(texts, separator) + "}"
	},
}

// flapping is ["flapping" DURATION DURATION].
var flapping = part{
	func(p *parser, f *Fault) {
		if p.accept("flapping") {
			f.Down, f.Up = p.positive(), p.positive()
		}
	},
	func(f *Fault) string {
		if f.Up == 0 {
			return ""
		}
		return fmt.Sprintf(" flapping %v %v", f.Down, f.Up)
	},
}

// linkSet is [SHARE "of"] LINKS.
var linkSet = part{
	func(p *parser, f *Fault) {
		share := p.share()
		set, err := links.ParsePart(share, p.peek())
		p.failLinks(err, 0)
		p.take()
		f.Links = set
	},
	func(f *Fault) string { return " " + f.Links.String() },
}

// share reads a share and "of", or nothing.
func (p *parser) share() links.Share {
	if !strings.HasSuffix(p.peek(), "%") {
		return 0
	}
	share := read(p, links.ParseShare)
	p.expect("of", "cut 10% of *")
	return share
}

// failLinks notes an error of package links in the next word, behind so many
// characters of it.
func (p *parser) failLinks(err error, behind int) {
	var e *links.Error
	if p.err != nil || !errors.As(err, &e) {
		return
	}
	if p.peek() == "" {
		p.fail(e.Problem)
		return
	}
	p.err = &SyntaxError{p.line, p.words[p.next].column + behind + e.Column - 1, e.Word, e.Problem}
}

// line is LINE: all words up to the end of the fault.
var line = part{
	func(p *parser, f *Fault) {
		var words []string
		for p.peek() != "" && !(p.peek() == "for" && p.next == len(p.words)-2) {
			words = append(words, p.take())
		}
		if f.Line = strings.Join(words, " "); f.Line == "" {
			p.fail("stands where the line should, as in \"link 0->1 loss 50%\"")
		}
	},
	func(f *Fault) string { return " " + f.Line },
}

// chance is ["with" PROB].
var chance = part{
	func(p *parser, f *Fault) {
		if p.accept("with") {
			f.With = p.probability()
		}
	},
	func(f *Fault) string {
		if f.With == 0 {
			return ""
		}
		return " with " + f.With.String()
	},
}

// messages is [ORDINAL | "every"] (KIND | "message"), and options in any order.
var messages = part{
	func(p *parser, f *Fault) {
		if p.number() {
			f.Count = p.ordinal()
		} else {
			p.accept("every")
		}
		if !p.accept("message") {
			f.Message = p.message()
		}
		p.messageOptions(f)
		if f.Kind == Delay && f.By == 0 {
			p.fail("stands where a delay needs \"by\", as in \"delay every ANSWER by 3ms\"")
		}
		if f.Kind == Carry && !p.said["in"] {
			p.fail("stands where \"in\" and a time should, as in \"carry 2nd ANSWER in 1ms\"")
		}
	},
	func(f *Fault) string {
		text := " every "
		if f.Count > 0 {
			text = " " + ordinal(f.Count) + " "
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
		switch f.Kind {
		case Delay:
			text += slower.text(f)
		case Carry:
			text += fmt.Sprintf(" in %v", f.By)
		}
		return text + chance.text(f)
	},
}

func (p *parser) messageOptions(f *Fault) {
	for p.err == nil {
		switch {
		case p.once("from"):
			f.From = p.process(f.When)
		case p.once("to"):
			f.To = p.process(f.When)
		case f.Kind == Delay && p.once("by"):
			f.By = p.positive()
		case f.Kind == Carry && p.once("in"):
			f.By = p.duration(0, "such as 0s, 5ms or 1.5s")
		case p.once("with"):
			f.With = p.probability()
		default:
			return
		}
	}
}

// spared is FAULT, one that is written out.
var spared = part{
	func(p *parser, f *Fault) {
		if f.When.On != Beginning {
			p.failWord("stands in front of the whole fault, as in \"never at 5ms crash 3\"")
		}
		if p.peek() == "random" || p.peek() == "never" {
			p.fail("is not allowed behind \"never\": a fault that is written out is, such as \"never at 5ms crash 3\"")
		}
		f.Spared = &Fault{From: Anyone, To: Anyone}
		p.fault(f.Spared)
	},
	func(f *Fault) string { return " " + f.Spared.String() },
}

// shift is DURATION, which may be negative.
var shift = part{
	func(p *parser, f *Fault) { f.By = p.duration(-des.MaxDuration, "such as 5ms or -5ms") },
	func(f *Fault) string { return fmt.Sprintf(" %v", f.By) },
}

// drift is PPM.
var drift = part{
	func(p *parser, f *Fault) { f.Drift = read(p, parseDrift) },
	func(f *Fault) string { return " " + driftText(f.Drift) },
}

// adversaries is P..., as in a group of a partition.
var adversaries = part{
	func(p *parser, f *Fault) {
		if f.When.On != Beginning {
			p.failWord("has no trigger: a process is Byzantine from the start, as in \"byzantine 0 3 as silent\"")
			return
		}
		from, words := p.next, []string(nil)
		for p.peek() != "" && p.peek() != "as" {
			words = append(words, p.take())
		}
		group, err := links.ParseAddresses(strings.Join(words, " "))
		if err != nil {
			p.next = from
			p.failLinks(err, 0)
			return
		}
		f.Groups = []links.Addresses{group}
	},
	func(f *Fault) string { return " " + f.Groups[0].String() },
}

// strategy is "as" STRATEGY.
var strategy = part{
	func(p *parser, f *Fault) {
		p.expect("as", "byzantine 0 3 as silent")
		f.Strategy = read(p, parseStrategy)
	},
	func(f *Fault) string { return " as " + f.Strategy },
}

// identity is "as" IDENTITY.
var identity = part{
	func(p *parser, f *Fault) {
		p.expect("as", "lie 3 as 17")
		f.As = read(p, parseIdentity)
	},
	func(f *Fault) string { return fmt.Sprintf(" as %d", f.As) },
}
