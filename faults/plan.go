// Package faults is fault plans as values: text that parses and prints, that can
// be drawn from a seed, compared and made smaller, and that an Injector carries
// out on whatever can fail.
//
// A plan is a list of faults, one a line or separated by semicolons:
//
//	at 5ms crash 3
//	at 8ms restart 3
//	at 5ms crash 3 after 2 sends of COORDINATOR
//	at 10ms partition {0 1 | 2 3 4} for 5ms
//	when 2nd leader crash leader
//	drop 2nd ELECTION from 4 to 5
//	random failures mttf exp(50ms) mttr exp(10ms) until 200ms
//
// Processes are named by address. docs/plans.md is the reference of the grammar
// and says what each fault means.
package faults

import (
	"time"

	"bullring/des"
	"bullring/protocols"
	"bullring/protocols/links"
)

// Plan is the faults of a run.
type Plan []Fault

// Fault is one thing that goes wrong, or right again. Which fields mean
// something depends on the kind.
type Fault struct {
	When Trigger
	Kind Kind
	// Process is whom it befalls, or Leader.
	Process protocols.ID
	// For is how long it lasts; 0 is for good.
	For time.Duration

	// Amid: the process crashes in the middle of a step, right after the message
	// of that kind with the number Count; right before the first if that is 0.
	Amid bool
	// Message is a kind of messages, empty for every kind.
	Message string
	// Count is which of the messages that match, from 1, is dropped, delayed or
	// duplicated; 0 is every one.
	Count uint64
	// From and To are the ends of the messages that are dropped, delayed or
	// duplicated: addresses, Leader or Anyone.
	From, To protocols.ID
	// With is the probability that one message is affected; 0, if nothing is said
	// of it, is always.
	With des.Probability
	// By is by how much a step is slowed down, a message delayed, a clock changed.
	By time.Duration
	// Drift is nanoseconds a second by which a clock goes fast, or slow if
	// negative.
	Drift int64
	// As is the identity for which a process that lies gives itself out.
	As int64

	// Links are those that are cut, clogged or changed, and Line what they are
	// changed to.
	Links links.Set
	Line  string
	// Groups are those of a partition; two, from the first to the second, if
	// OneWay.
	Groups []links.Addresses
	OneWay bool
	// Down and Up are for how long in turn a partition or cut that flaps is there
	// and is not; 0 if it does not.
	Down, Up time.Duration

	// Random is what there is to draw, nil if the fault is explicit.
	Random *Random
}

// Leader and Anyone stand for processes that have no address in the plan: the
// one that became leader last, and whichever it is.
const (
	Leader protocols.ID = -1 - iota
	Anyone
)

// Trigger is what makes a fault happen. The zero value is the beginning of the
// run.
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
	Events                    // so many events have happened
	Leaders                   // so often a process became leader
	Elections                 // so often an election began
)

// instant is when the fault happens, if the plan says that.
func (t Trigger) instant() (at des.Time, known bool) {
	return t.At, t.On == Beginning || t.On == Instant
}

// Kind is what happens.
type Kind uint8

// The kinds of faults, as the plan words them.
const (
	Crash            Kind = iota // crash P [after K sends [of KIND]]
	Restart                      // restart P
	Start                        // start P
	Leave                        // leave P
	Join                         // join P
	Pause                        // pause P
	Resume                       // resume P
	Slow                         // slow P by D
	Partition                    // partition {0 1 | 2 3}
	Cut                          // cut LINKS
	Clog                         // clog LINKS
	Heal                         // heal
	HealAll                      // heal everything
	Link                         // link LINKS LINE
	OmitSends                    // omit sends of P
	OmitReceives                 // omit receives of P
	Drop                         // drop 2nd KIND
	Delay                        // delay 2nd KIND by D
	Duplicate                    // duplicate 2nd KIND
	ClockOffset                  // clock P offset D
	ClockStep                    // clock P step D
	ClockDrift                   // clock P drift PPM
	Lie                          // lie P as IDENTITY
	Equivocate                   // equivocate P
	RandomCrashes                // random crashes K in A..B
	RandomFailures               // random failures mttf D mttr D until T
	RandomPartitions             // random partitions mttf D mttr D until T
	RandomSwarm                  // random swarm until T
)

// kinds says of each kind how it is called, whether it befalls a process, and
// whether it lasts, so that it may have an end.
var kinds = [...]struct {
	name       string
	who, lasts bool
}{
	Crash:            {"crash", true, true},
	Restart:          {"restart", true, false},
	Start:            {"start", true, false},
	Leave:            {"leave", true, true},
	Join:             {"join", true, false},
	Pause:            {"pause", true, true},
	Resume:           {"resume", true, false},
	Slow:             {"slow", true, true},
	Partition:        {"partition", false, true},
	Cut:              {"cut", false, true},
	Clog:             {"clog", false, true},
	Heal:             {"heal", false, false},
	HealAll:          {"heal everything", false, false},
	Link:             {"link", false, true},
	OmitSends:        {"omit sends", true, true},
	OmitReceives:     {"omit receives", true, true},
	Drop:             {"drop", false, true},
	Delay:            {"delay", false, true},
	Duplicate:        {"duplicate", false, true},
	ClockOffset:      {"clock offset", true, true},
	ClockStep:        {"clock step", true, true},
	ClockDrift:       {"clock drift", true, true},
	Lie:              {"lie", true, true},
	Equivocate:       {"equivocate", true, true},
	RandomCrashes:    {"random crashes", false, false},
	RandomFailures:   {"random failures", false, false},
	RandomPartitions: {"random partitions", false, false},
	RandomSwarm:      {"random swarm", false, false},
}

// String names the kind.
func (k Kind) String() string { return kinds[k].name }

// ofMessages reports whether the kind is about single messages that match a
// pattern.
func (k Kind) ofMessages() bool { return k == Drop || k == Delay || k == Duplicate }

// Simple reports whether the plan is nothing but crashes, restarts and starts of
// processes with addresses at known instants: Injector.Install then plans all
// of it, and the run needs no adversary.
func (p Plan) Simple() bool {
	for i := range p {
		if !p[i].simple() {
			return false
		}
	}
	return true
}

func (f *Fault) simple() bool {
	_, known := f.When.instant()
	switch f.Kind {
	case Crash, Restart, Start:
		return known && f.Process >= 0 && !f.Amid
	}
	return false
}
