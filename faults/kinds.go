package faults

// Kind is what a fault does.
type Kind uint8

// The kinds of faults, with their text in a plan.
const (
	Crash            Kind = iota // crash P [after K sends [of KIND]] [with PROB]
	Fail                         // fail P mttf D mttr D until T
	Restart                      // restart P
	Start                        // start P
	Leave                        // leave P
	Join                         // join P
	Pause                        // pause P
	Resume                       // resume P
	Slow                         // slow P by D
	Partition                    // partition {0 1 | 2 3} [flapping D D]
	Cut                          // cut LINKS [flapping D D]
	Clog                         // clog LINKS
	Down                         // down LINKS
	Up                           // up LINKS
	Heal                         // heal
	HealAll                      // heal everything
	Link                         // link LINKS LINE
	OmitSends                    // omit sends of P [with PROB]
	OmitReceives                 // omit receives of P [with PROB]
	Drop                         // drop 2nd KIND [from P] [to P] [with PROB]
	Delay                        // delay 2nd KIND by D, with the options of drop
	Duplicate                    // duplicate 2nd KIND, with the options of drop
	Carry                        // carry 2nd KIND in D, with the options of drop
	ClockOffset                  // clock P offset D
	ClockStep                    // clock P step D
	ClockDrift                   // clock P drift PPM
	Lie                          // lie P as IDENTITY
	Equivocate                   // equivocate P
	Byzantine                    // byzantine P... as STRATEGY
	Never                        // never FAULT
	RandomCrashes                // random crashes K in A..B
	RandomFailures               // random failures mttf D mttr D until T
	RandomPartitions             // random partitions mttf D mttr D until T
	RandomSwarm                  // random swarm until T
)

// kinds is the grammar of a fault, a row for each kind.
var kinds = [...]struct {
	name  string // its first word begins the fault
	form  []part // what follows the name
	who   bool   // it befalls a process
	lasts bool   // it may have an end: "for 5ms"
	hook  hook   // where the injector asks for it while it is active
}{
	Crash:            {"crash", []part{process, amidStep, chance}, true, true, amid},
	Fail:             {"fail", []part{process, renewal}, true, false, nowhere},
	Restart:          {"restart", []part{process}, true, false, nowhere},
	Start:            {"start", []part{process}, true, false, nowhere},
	Leave:            {"leave", []part{process}, true, true, severed},
	Join:             {"join", []part{process}, true, false, nowhere},
	Pause:            {"pause", []part{process}, true, true, paused},
	Resume:           {"resume", []part{process}, true, false, nowhere},
	Slow:             {"slow", []part{process, slower}, true, true, slowed},
	Partition:        {"partition", []part{groups, flapping}, false, true, severed},
	Cut:              {"cut", []part{linkSet, flapping}, false, true, severed},
	Clog:             {"clog", []part{linkSet}, false, true, clogged},
	Down:             {"down", []part{linkSet}, false, true, nowhere},
	Up:               {"up", []part{linkSet}, false, false, nowhere},
	Heal:             {"heal", nil, false, false, nowhere},
	HealAll:          {"heal everything", nil, false, false, nowhere},
	Link:             {"link", []part{linkSet, line}, false, true, lines},
	OmitSends:        {"omit sends", []part{ofProcess, chance}, true, true, rules},
	OmitReceives:     {"omit receives", []part{ofProcess, chance}, true, true, deaf},
	Drop:             {"drop", []part{messages}, false, true, rules},
	Delay:            {"delay", []part{messages}, false, true, rules},
	Duplicate:        {"duplicate", []part{messages}, false, true, rules},
	Carry:            {"carry", []part{messages}, false, true, rules},
	ClockOffset:      {"clock offset", []part{shift}, true, true, clocked},
	ClockStep:        {"clock step", []part{shift}, true, true, clocked},
	ClockDrift:       {"clock drift", []part{drift}, true, true, clocked},
	Lie:              {"lie", []part{process, identity}, true, true, liars},
	Equivocate:       {"equivocate", []part{process}, true, true, liars},
	Byzantine:        {"byzantine", []part{adversaries, strategy}, false, false, nowhere}, // another program runs from the start
	Never:            {"never", nil, false, false, nowhere},                               // its form is spared
	RandomCrashes:    {"random crashes", []part{random}, false, false, nowhere},
	RandomFailures:   {"random failures", []part{random}, false, false, nowhere},
	RandomPartitions: {"random partitions", []part{random}, false, false, nowhere},
	RandomSwarm:      {"random swarm", []part{random}, false, false, nowhere},
}

// The form of Never is that of a whole fault, which needs the other rows.
func init() { kinds[Never].form = []part{spared} }

// String names the kind.
func (k Kind) String() string { return kinds[k].name }

// ofMessages reports whether the kind is about single messages that match a
// pattern.
func (k Kind) ofMessages() bool { return k == Drop || k == Delay || k == Duplicate || k == Carry }
