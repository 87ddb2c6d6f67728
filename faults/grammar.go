package faults

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"bullring/des"
	"bullring/protocols/links"
)

// actions reads what stands behind the first word of an action.
var actions = []struct {
	word string
	read func(p *parser, f *Fault)
}{
	{"crash", (*parser).crash},
	{"restart", befalls(Restart)},
	{"start", befalls(Start)},
	{"leave", befalls(Leave)},
	{"join", befalls(Join)},
	{"pause", befalls(Pause)},
	{"resume", befalls(Resume)},
	{"slow", (*parser).slow},
	{"partition", (*parser).partition},
	{"cut", (*parser).cut},
	{"clog", (*parser).clog},
	{"heal", (*parser).heal},
	{"link", (*parser).link},
	{"omit", (*parser).omit},
	{"drop", rule(Drop)},
	{"delay", rule(Delay)},
	{"duplicate", rule(Duplicate)},
	{"clock", (*parser).clock},
	{"lie", (*parser).lie},
	{"equivocate", befalls(Equivocate)},
	{"random", (*parser).random},
}

var actionWords = func() (words []string) {
	for _, a := range actions {
		words = append(words, a.word)
	}
	return words
}()

// fault reads [trigger] action ["for" DURATION].
func (p *parser) fault(f *Fault) {
	f.When = p.trigger()
	i := slices.Index(actionWords, p.peek())
	if i < 0 {
		p.unknown("fault", actionWords)
		return
	}
	p.take()
	actions[i].read(p, f)
	if p.peek() == "for" && !kinds[f.Kind].lasts {
		p.fail(fmt.Sprintf("cannot be: %q has no end", f.Kind))
	}
	if p.accept("for") {
		f.For = p.positive()
	}
	if p.err == nil && p.peek() != "" {
		p.fail(fmt.Sprintf("stands behind the fault %q; a semicolon begins another%s", f, p.meant([]string{"for"})))
	}
}

func (p *parser) trigger() (t Trigger) {
	switch {
	case p.accept("at") && p.accept("event"):
		return Trigger{On: Events, Count: p.count(1)}
	case p.next > 0:
		return Trigger{On: Instant, At: p.instant()}
	case !p.accept("when"):
		return Trigger{}
	}
	t.Count = 1
	if w := p.peek(); w != "" && w[0] >= '0' && w[0] <= '9' {
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

// befalls reads P.
func befalls(k Kind) func(*parser, *Fault) {
	return func(p *parser, f *Fault) {
		f.Kind = k
		f.Process = p.process(f.When)
	}
}

// crash reads P ["after" K "sends" ["of" KIND]].
func (p *parser) crash(f *Fault) {
	befalls(Crash)(p, f)
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
}

func (p *parser) slow(f *Fault) {
	befalls(Slow)(p, f)
	p.expect("by", "slow 3 by 2ms")
	f.By = p.positive()
}

// partition reads {0 1 | 2 3} or {0 1 -> 2 3}, and whether it flaps.
func (p *parser) partition(f *Fault) {
	f.Kind = Partition
	const form = "is not a partition; it is written as in {0 1 | 2 3 4} or, one way, {0 1 -> 2 3}"
	text, opened := strings.CutPrefix(p.peek(), "{")
	text, closed := strings.CutSuffix(text, "}")
	if !opened || !closed {
		p.fail(form)
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
	p.flapping(f)
}

// mostGroups is how many groups a partition may have.
const mostGroups = 64

func (p *parser) flapping(f *Fault) {
	if p.accept("flapping") {
		f.Down, f.Up = p.positive(), p.positive()
	}
}

func (p *parser) cut(f *Fault) {
	f.Kind, f.Links = Cut, p.links()
	p.flapping(f)
}

func (p *parser) clog(f *Fault) { f.Kind, f.Links = Clog, p.links() }

func (p *parser) heal(f *Fault) {
	if f.Kind = Heal; p.accept("everything") {
		f.Kind = HealAll
	}
}

// link reads LINKS LINE; the line is whatever stands there.
func (p *parser) link(f *Fault) {
	f.Kind, f.Links = Link, p.links()
	var line []string
	for p.peek() != "" && !(p.peek() == "for" && p.next == len(p.words)-2) {
		line = append(line, p.take())
	}
	if f.Line = strings.Join(line, " "); f.Line == "" {
		p.fail("stands where the line should, as in \"link 0->1 loss 50%\"")
	}
}

// omit reads ("sends" | "receives") "of" P ["with" PROB].
func (p *parser) omit(f *Fault) {
	k := OmitSends
	if p.accept("receives") {
		k = OmitReceives
	} else {
		p.expect("sends", "omit sends of 3")
	}
	p.expect("of", "omit sends of 3")
	befalls(k)(p, f)
	if p.accept("with") {
		f.With = p.probability()
	}
}

// rule reads [ORDINAL | "every"] (KIND | "message") and options.
func rule(k Kind) func(*parser, *Fault) {
	return func(p *parser, f *Fault) {
		f.Kind = k
		if w := p.peek(); w != "" && w[0] >= '0' && w[0] <= '9' {
			f.Count = p.ordinal()
		} else {
			p.accept("every")
		}
		if !p.accept("message") {
			f.Message = p.message()
		}
		p.options(f)
		if k == Delay && f.By == 0 {
			p.fail("stands where a delay needs \"by\", as in \"delay every ANSWER by 3ms\"")
		}
	}
}

func (p *parser) options(f *Fault) {
	for p.err == nil {
		switch {
		case p.once("from"):
			f.From = p.process(f.When)
		case p.once("to"):
			f.To = p.process(f.When)
		case f.Kind == Delay && p.once("by"):
			f.By = p.positive()
		case p.once("with"):
			f.With = p.probability()
		default:
			return
		}
	}
}

// clock reads P ("offset" | "step") DURATION or P "drift" PPM.
func (p *parser) clock(f *Fault) {
	befalls(ClockOffset)(p, f)
	switch {
	case p.accept("drift"):
		f.Kind, f.Drift = ClockDrift, p.drift()
		return
	case p.accept("step"):
		f.Kind = ClockStep
	case !p.accept("offset"):
		p.unknown("change of a clock", []string{"offset", "step", "drift"})
	}
	f.By = p.duration(-des.MaxDuration, "such as 5ms or -5ms")
}

func (p *parser) lie(f *Fault) {
	befalls(Lie)(p, f)
	p.expect("as", "lie 3 as 17")
	f.As = p.identity()
}

// random reads a line that is drawn from the seed.
func (p *parser) random(f *Fault) {
	if f.When.On != Beginning {
		p.failWord("cannot have a trigger: what is drawn has its own instants")
	}
	f.Random = &Random{}
	switch p.peek() {
	case "crashes":
		f.Kind = RandomCrashes
		p.take()
		f.Random.Number = int(min(p.count(1), 1<<30))
		p.expect("in", "random crashes 2 in 0s..20ms")
		p.window(f.Random)
	case "failures":
		f.Kind = RandomFailures
		p.take()
		p.renewal(f.Random)
	case "partitions":
		f.Kind = RandomPartitions
		p.take()
		p.renewal(f.Random)
	case "swarm":
		f.Kind = RandomSwarm
		p.take()
	default:
		p.unknown("generator", []string{"crashes", "failures", "partitions", "swarm"})
		return
	}
	p.randomOptions(f.Kind, f.Random)
	if f.Kind != RandomCrashes {
		p.expect("until", fmt.Sprintf("%v ... until 200ms", f.Kind))
		f.Random.Until = p.instant()
	}
	if f.Kind == RandomSwarm && p.accept("then") {
		p.expect("heal", "random swarm until 50ms then heal")
		f.Random.Heal = true
	}
}

func (p *parser) window(r *Random) {
	first, last, several := strings.Cut(p.peek(), "..")
	from, err := parseInstant(first)
	until, err2 := parseInstant(last)
	if !several || err != nil || err2 != nil || until < from {
		p.fail("is not a range of instants such as 0s..20ms")
	}
	p.take()
	r.From, r.Until = from, until
}

// renewal reads "mttf" DIST "mttr" DIST.
func (p *parser) renewal(r *Random) {
	const example = "mttf exp(50ms) mttr exp(10ms)"
	p.expect("mttf", example)
	r.Up = p.distribution()
	p.expect("mttr", example)
	r.Down = p.distribution()
}

func (p *parser) randomOptions(k Kind, r *Random) {
	ofProcesses := k != RandomPartitions
	for p.err == nil {
		switch {
		case k == RandomPartitions && p.once("lasting"):
			r.Least = p.positive()
		case k == RandomPartitions && p.once("of"):
			r.Of = p.list("shape", shapes)
		case k == RandomSwarm && p.once("of"):
			r.Of = p.list("class of faults", classes)
		case ofProcesses && k != RandomCrashes && p.once("at"):
			p.expect("most", "at most 2 down")
			r.Most = int(min(p.count(1), 1<<30))
			p.expect("down", "at most 2 down")
		case ofProcesses && p.once("sparing"):
			r.Sparing = p.spared()
		default:
			return
		}
	}
}

// list reads words with commas between them.
func (p *parser) list(what string, allowed []string) (words []string) {
	for p.err == nil {
		w, more := strings.CutSuffix(p.peek(), ",")
		if !slices.Contains(allowed, w) {
			p.unknown(what, allowed)
			return
		}
		p.take()
		if words = append(words, w); !more {
			return words
		}
	}
	return words
}

// spared reads an address or a list in braces.
func (p *parser) spared() *links.Addresses {
	text, opened := strings.CutPrefix(p.peek(), "{")
	at := 0
	if opened {
		at = 1
		text = strings.TrimSuffix(text, "}")
	}
	group, err := links.ParseAddresses(text)
	p.failLinks(err, at)
	p.take()
	return &group
}

func (p *parser) links() links.Set {
	set, err := links.Parse(p.peek())
	p.failLinks(err, 0)
	p.take()
	return set
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
