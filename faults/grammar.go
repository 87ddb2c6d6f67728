package faults

import (
	"fmt"
	"slices"
	"strings"
)

// firstWords are the words with which an action begins, in the order of the kinds.
var firstWords = func() (words []string) {
	for _, k := range kinds {
		first, _, _ := strings.Cut(k.name, " ")
		if !slices.Contains(words, first) {
			words = append(words, first)
		}
	}
	return words
}()

// fault reads [trigger] action ["for" DURATION].
func (p *parser) fault(f *Fault) {
	f.When = p.trigger()
	if !slices.Contains(firstWords, p.peek()) {
		p.unknown("fault", firstWords)
		return
	}
	p.kind(f)
	for _, part := range kinds[f.Kind].form {
		part.read(p, f)
	}
	if p.peek() == "for" && !kinds[f.Kind].lasts {
		p.fail(fmt.Sprintf("is not allowed: %q has no end", f.Kind))
	}
	if p.accept("for") {
		f.For = p.positive()
	}
	if p.err == nil && p.peek() != "" {
		p.fail(fmt.Sprintf("follows the fault %q; a semicolon begins another%s", f, p.suggestion([]string{"for"})))
	}
}

// String prints the fault as Parse reads it.
func (f Fault) String() string {
	row := kinds[f.Kind]
	text := f.When.words() + row.name
	if row.hook == clocked { // the process stands between the two words
		text = f.When.words() + "clock " + processWord(f.Process) + strings.TrimPrefix(row.name, "clock")
	}
	for _, part := range row.form {
		text += part.text(&f)
	}
	if f.For > 0 {
		text += fmt.Sprintf(" for %v", f.For)
	}
	return text
}

// kind reads the words that tell the kind, and the process between the two of a clock.
func (p *parser) kind(f *Fault) {
	switch first := p.take(); first {
	case "heal":
		if f.Kind = Heal; p.accept("everything") {
			f.Kind = HealAll
		}
	case "omit":
		if f.Kind = OmitReceives; !p.accept("receives") {
			f.Kind = OmitSends
			p.expect("sends", "omit sends of 3")
		}
	case "clock":
		f.Process = p.process(f.When)
		f.Kind = p.second(first, "change of a clock")
	case "random":
		if f.When.On != Beginning {
			p.failWord("cannot have a trigger: random faults have their own instants")
		}
		f.Kind = p.second(first, "generator")
	default:
		f.Kind = kindOf(first)
	}
}

// second reads the second word of a kind whose first word is given.
func (p *parser) second(first, what string) Kind {
	var allowed []string
	for _, k := range kinds {
		if word, ok := strings.CutPrefix(k.name, first+" "); ok {
			allowed = append(allowed, word)
		}
	}
	if !slices.Contains(allowed, p.peek()) {
		p.unknown(what, allowed)
		return kindOf(first + " " + allowed[0])
	}
	return kindOf(first + " " + p.take())
}

// kindOf is the kind of that name.
func kindOf(name string) Kind {
	for k := range kinds {
		if kinds[k].name == name {
			return Kind(k)
		}
	}
	panic("faults: no kind is called " + name)
}

// trigger reads "at" T, "at event" K, "when" [ORDINAL] ("leader" | "election"), or nothing.
func (p *parser) trigger() (t Trigger) {
	switch {
	case p.accept("at"):
		if p.accept("event") {
			return Trigger{On: Events, Count: p.count(1)}
		}
		return Trigger{On: Instant, At: p.instant()}
	case !p.accept("when"):
		return Trigger{}
	}
	t.Count = 1
	if p.number() {
		t.Count = p.ordinal()
	}
	switch p.peek() {
	case "leader":
		t.On = Leaders
	case "election":
		t.On = Elections
	default:
		p.unknown("occasion", []string{"leader", "election"})
	}
	p.take()
	return t
}

// words prints the trigger in front of an action, with the space between them.
func (t Trigger) words() string {
	which := ""
	if t.Count > 1 {
		which = ordinal(t.Count) + " "
	}
	switch t.On {
	case Instant:
		return fmt.Sprintf("at %v ", t.At)
	case Events:
		return fmt.Sprintf("at event %d ", t.Count)
	case Leaders:
		return "when " + which + "leader "
	case Elections:
		return "when " + which + "election "
	}
	return ""
}
