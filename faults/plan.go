// Package faults describes what goes wrong in a run: crashes, partitions, lost messages,
// wrong clocks, lies.
//
// A [Plan] is a list of faults. Its text has one fault a line, or semicolons between
// them:
//
//	at 5ms crash 3
//	at 8ms restart 3
//	at 5ms crash 3 after 2 sends of COORDINATOR
//	at 5ms crash 3 with 1/120 for 1ms
//	fail 3 mttf exp(50ms) mttr exp(10ms) until 200ms
//	at 10ms partition {0 1 | 2 3 4} for 5ms
//	when 2nd leader crash leader
//	drop 2nd ELECTION from 4 to 5
//	link 10% of * delay exp(50ms)
//	at 5ms down 0<->1
//	carry 2nd ANSWER from 2 to 1 in 1ms
//	never at 5ms crash 3
//	random failures mttf exp(50ms) mttr exp(10ms) until 200ms
//
// Processes are named by address. docs/plans.md is the reference of the grammar
// and says what each fault means.
//
// The way of a plan: [Parse] reads it, and its String can be parsed back. [Plan.Check]
// compares it with the system, [Plan.Effects] says which assumptions it breaks, and
// [Plan.DrawLinks] and [Plan.Expand] draw what is random in it from a seed. An [Injector] carries it out on a
// [Target]: the runtime asks the injector at each step and each message. When a run has
// failed, [Shrink] searches for a smaller plan with which it still fails.
//
// The package never runs a process and knows no algorithm, no network and no clock. It
// takes chance from streams of the seed only, so equal plans, seeds and questions give
// equal answers.
package faults

import (
	"slices"
	"strings"
	"time"

	"bullring/des"
	"bullring/protocols"
	"bullring/protocols/links"
)

// Plan is the faults of a run.
type Plan []Fault

// Fault is one thing that goes wrong, or heals. Each kind uses some of the fields.
type Fault struct {
	When Trigger
	Kind Kind
	// Process is the address of the process that it befalls, or Leader.
	Process protocols.ID
	// For is how long it lasts; 0 is for good.
	For time.Duration

	// Amid: the process crashes in the middle of a step, right after its Count-th
	// message of that kind. If Count is 0, it crashes right before the first.
	Amid bool
	// Message is a kind of messages, empty for every kind.
	Message string
	// Count is the number, from 1, of the matching message that is dropped, delayed,
	// duplicated or carried; 0 is every one.
	Count uint64
	// From and To are the ends of the messages that are dropped, delayed, duplicated
	// or carried: addresses, Leader or Anyone.
	From, To protocols.ID
	// With is the probability that a message is affected, or that a process crashes, which is drawn
	// when the fault begins. 0 means always: the plan gives no probability.
	With des.Probability
	// By is the time by which a step is slowed down, a message delayed or a clock
	// changed, and the time in which a message is carried.
	By time.Duration
	// Drift is the gain of a clock in nanoseconds a second; a slow one has a negative
	// gain.
	Drift int64
	// As is the identity that a lying process claims.
	As int64
	// Strategy is what Byzantine processes do, in place of their algorithm.
	Strategy string

	// Links are the links that are cut, clogged or changed, or go down or come up, or a share of them to
	// draw.
	// Line is the new line of changed links.
	Links links.Set
	Line  string
	// Groups are the groups of a partition. If OneWay, there are two, and messages
	// from the first to the second are lost. The only group of Byzantine is its processes.
	Groups []links.Addresses
	OneWay bool
	// Down and Up are the times in turn for which a flapping partition or cut is
	// there and is not; 0 without flapping.
	Down, Up time.Duration

	// Renewal says how a process fails again and again; nil unless the kind is Fail.
	Renewal *Renewal
	// Random says what to draw; nil if the fault is explicit.
	Random *Random
	// Spared is the fault that never happens; nil unless the kind is Never.
	Spared *Fault
}

// Leader is the process that became leader last, and Anyone is any process. Both stand
// for an address that the plan cannot know.
const (
	Leader protocols.ID = -1 - iota
	Anyone
)

// Trigger says when a fault begins. The zero value is the beginning of the run.
type Trigger struct {
	On    Occasion
	At    des.Time // if On is Instant
	Count uint64   // the number of the event, leader or election, from 1
}

// Occasion is a kind of trigger.
type Occasion uint8

// The occasions.
const (
	Beginning Occasion = iota // of the run, at 0
	Instant                   // of time
	Events                    // Count events have happened
	Leaders                   // a process became leader for the Count-th time
	Elections                 // the Count-th election began
)

// instant is the time at which the fault begins, if the plan gives one.
func (t Trigger) instant() (at des.Time, known bool) {
	return t.At, t.On == Beginning || t.On == Instant
}

// Waits reports whether the fault, once it has begun, waits for a message and strikes once.
func (f Fault) Waits() bool { return f.Amid || f.Kind.ofMessages() && f.Count > 0 }

// Lasts reports whether the fault is there from its beginning to an end: it does not strike
// once.
func (f Fault) Lasts() bool { return kinds[f.Kind].hook != nowhere && !f.Waits() && f.Kind != Crash }

// Carries reports whether the plan carries messages.
func (p Plan) Carries() bool {
	return slices.ContainsFunc(p, func(f Fault) bool { return f.Kind == Carry })
}

// Simple reports whether the plan has only crashes, restarts and starts of processes
// with addresses at known instants that are sure to come, links that go down or come up at such instants,
// faults that never happen, and Byzantine processes. Injector.Install then schedules all of it, and the run needs no
// adversary.
func (p Plan) Simple() bool {
	for i := range p {
		if !p[i].simple() {
			return false
		}
	}
	return true
}

// Liars are the strategies of the Byzantine processes, by address. Of two strategies of one process the
// last counts. Faults that are off have no effect.
func (p Plan) Liars(n int, off []bool) map[protocols.ID]string {
	var liars map[protocols.ID]string // nil if there are none, as in most runs
	for i := range p {
		if p[i].Kind == Byzantine && !(i < len(off) && off[i]) {
			if liars == nil {
				liars = map[protocols.ID]string{}
			}
			p[i].Groups[0].Each(n, func(id protocols.ID) { liars[id] = p[i].Strategy })
		}
	}
	return liars
}

// Lying is the plan without all faults but Byzantine processes.
func (p Plan) Lying() Plan {
	return slices.DeleteFunc(slices.Clone(p), func(f Fault) bool { return f.Kind != Byzantine })
}

// AsksForLeader reports whether a fault of the plan waits for a leader, or befalls it.
func (p Plan) AsksForLeader() bool {
	return slices.ContainsFunc(p, func(f Fault) bool {
		return f.When.On == Leaders || f.Process == Leader || f.From == Leader || f.To == Leader
	})
}

func (f *Fault) simple() bool {
	_, known := f.When.instant()
	switch f.Kind {
	case Crash, Restart, Start:
		return known && f.Process >= 0 && !f.Amid && f.With == 0
	case Down, Up:
		return known
	case Never, Byzantine: // nothing is scheduled
		return true
	}
	return false
}

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
