package faults

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"bullring/des"
	"bullring/protocols/links"
)

// Random is a line of a plan that stands for faults drawn from the seed; see
// Plan.Expand. A kind of faults uses some of the fields.
type Random struct {
	Number      int              // of crashes
	From, Until des.Time         // between which the faults begin
	Up, Down    des.Distribution // of the time until a failure, and until its repair
	Least       time.Duration    // the shortest time that a partition lasts
	Of          []string         // classes of a swarm or shapes of partitions; nil is the usual ones
	Most        int              // processes that are down at the same time; 0 is all but one
	Sparing     *links.Addresses // processes that do not fail themselves; nil is none
	Heal        bool             // everything heals when the swarm ends
}

// The classes of faults that a swarm may be of, as a plan words them.
const (
	crashes          = "crashes"
	restarts         = "restarts"
	partialBroadcast = "partial-broadcasts"
	leaderCrashes    = "leader-crashes"
	churn            = "churn"
	pauses           = "pauses"
	slowness         = "slowness"
	partitions       = "partitions"
	cuts             = "cuts"
	clogs            = "clogs"
	omissions        = "omissions"
	loss             = "loss"
	delays           = "delays"
	duplicates       = "duplicates"
	clocks           = "clocks"
	changedLinks     = "links"
	lies             = "lies"
	linkChanges      = "link-changes"
)

// classes are all classes. A swarm without "of" draws from usualClasses: the last three do
// not suit every run.
var classes = []string{
	crashes, restarts, partialBroadcast, leaderCrashes, churn, pauses, slowness, partitions, cuts, clogs,
	omissions, loss, delays, duplicates, clocks, changedLinks, lies, linkChanges,
}

var usualClasses = classes[:len(classes)-3]

// SwarmClasses returns the classes of faults that a swarm may be of, as a plan words them.
func SwarmClasses() []string { return slices.Clone(classes) }

// The shapes of partitions, as a plan words them.
const (
	halves     = "halves"
	isolations = "isolations"
	oneWays    = "one-ways"
	bridges    = "bridges"
	rings      = "rings"
)

var shapes = []string{halves, isolations, oneWays, bridges, rings}

// classes are the classes that a swarm draws from.
func (r *Random) classes() []string {
	if r.Of == nil {
		return usualClasses
	}
	return r.Of
}

// random is what follows a kind that is drawn from the seed.
var random = part{
	func(p *parser, f *Fault) {
		r := &Random{}
		f.Random = r
		switch f.Kind {
		case RandomCrashes:
			r.Number = int(min(p.count(1), 1<<30))
			p.expect("in", "random crashes 2 in 0s..20ms")
			window := read(p, parseWindow)
			r.From, r.Until = window[0], window[1]
		case RandomFailures, RandomPartitions:
			const example = "mttf exp(50ms) mttr exp(10ms)"
			p.expect("mttf", example)
			r.Up = read(p, parseDistribution)
			p.expect("mttr", example)
			r.Down = read(p, parseDistribution)
		}
		p.randomOptions(f.Kind, r)
		if f.Kind != RandomCrashes {
			p.expect("until", fmt.Sprintf("%v ... until 200ms", f.Kind))
			r.Until = p.instant()
		}
		if f.Kind == RandomSwarm && p.accept("then") {
			p.expect("heal", "random swarm until 50ms then heal")
			r.Heal = true
		}
	},
	func(f *Fault) string { return f.Random.words(f.Kind) },
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

// words prints what follows the kind.
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

// parseWindow reads a range of instants such as 0s..20ms.
func parseWindow(text string) (window [2]des.Time, err error) {
	first, last, several := strings.Cut(text, "..")
	from, err := parseInstant(first)
	until, err2 := parseInstant(last)
	if !several || err != nil || err2 != nil || until < from {
		return window, errors.New("is not a range of instants such as 0s..20ms")
	}
	return [2]des.Time{from, until}, nil
}

// parseDistribution reads a distribution of durations that are not always 0.
func parseDistribution(text string) (des.Distribution, error) {
	d, err := des.ParseDistribution(text)
	switch {
	case err != nil:
		return nil, fmt.Errorf("is not a distribution of durations: %w", err)
	case d.Mean() <= 0:
		return nil, errors.New("has the mean 0; something has to be above it")
	}
	return d, nil
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
