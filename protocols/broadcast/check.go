package broadcast

import (
	"fmt"
	"slices"
	"time"

	"bullring/protocols"
)

// Promise is what an algorithm promises beyond no duplication and no creation. It promises validity, too,
// unless that is a matter of chance.
type Promise struct {
	Agreement bool // among correct processes
	Uniform   bool // also with what crashed processes have delivered
	FIFO      bool
	Causal    bool
	Total     bool // of any two processes, also if they crash
	Chance    bool // validity is a matter of chance, and no promise
}

// And is both promises together. Where one leaves validity to chance, both do.
func (p Promise) And(q Promise) Promise {
	return Promise{
		Agreement: p.Agreement || q.Agreement, Uniform: p.Uniform || q.Uniform,
		FIFO: p.FIFO || q.FIFO, Causal: p.Causal || q.Causal, Total: p.Total || q.Total, Chance: p.Chance || q.Chance,
	}
}

// The checks, in the order of [Properties].
const (
	validity = iota
	noDuplication
	noCreation
	agreement
	uniformAgreement
	fifoOrder
	causalOrder
	totalOrder
	checks // their number
)

// Property is what a check says.
type Property struct {
	Name, Says string
	AtRest     bool // it is judged at rest; the others are judged at each step
}

// Properties are all the checks.
var Properties = [checks]Property{
	validity:         {"validity", "an item of a correct process is delivered by every correct process", true},
	noDuplication:    {"no duplication", "no item is delivered twice by a process", false},
	noCreation:       {"no creation", "an item that is delivered was broadcast by its origin", false},
	agreement:        {"agreement", "what one correct process delivers every correct process delivers", true},
	uniformAgreement: {"uniform agreement", "what a process delivers, be it correct or not, every correct process delivers", true},
	fifoOrder:        {"FIFO order", "a process delivers the items of an origin in the order in which that broadcast them", false},
	causalOrder:      {"causal order", "a process delivers no item before those that may have caused it", false},
	totalOrder:       {"total order", "what two processes deliver, be they correct or not, they deliver in one order", false},
}

// Held reports whether a check belongs to the promise.
func (p Promise) Held(check int) bool {
	held := [checks]bool{!p.Chance, true, true, p.Agreement, p.Uniform, p.FIFO, p.Causal, p.Total}
	return held[check]
}

// Checker watches a run and judges it. The caller tells it about a process after every step, with the
// instant. A step costs what it delivers and, for causal and total order, n for each item.
type Checker struct {
	promise Promise
	members []member
	items   [][]item       // by origin and number-1
	broken  [checks]string // how the checks that are judged at each step were broken

	// For reports alone: no part of the state of a run.
	broke     [checks]protocols.Step `explore:"-"` // the steps that broke them
	changes   int                    `explore:"-"` // of deliveries
	delay     time.Duration          `explore:"-"` // of the timed deliveries together
	longest   time.Duration          `explore:"-"`
	early     int                    `explore:"-"` // deliveries before an item that comes before
	delivered int                    `explore:"-"`
	timed     int                    `explore:"-"` // deliveries of items whose origin is no Byzantine process
}

// member is what the checker knows of a process.
type member struct {
	broadcasts, delivered int
	has                   [][]delivery // what it has delivered, by origin and number-1, up to the last origin
	in                    []int        // of each origin: it has delivered the items up to this number
	past                  []int        // of each origin: how many items come before its next one
	place                 map[Item]int // of what it has delivered, from 1, if total order is judged
	shared                []Item       // of each process: the last in its order that this one has delivered, too
	crashed, lies         bool
}

// delivery is whether an item was delivered, and with which value.
type delivery struct {
	made  bool
	value int
}

// item is what the checker knows of an item.
type item struct {
	after []int         // of each origin: how many items come before, if causal order is judged
	since time.Duration `explore:"-"` // it was broadcast then
}

// NewChecker returns a checker of processes. lies tells for each whether it is Byzantine: nothing is
// promised of it.
func NewChecker(lies []bool, promise Promise) *Checker {
	c := &Checker{promise: promise, members: make([]member, len(lies)), items: make([][]item, len(lies))}
	for p := range c.members {
		c.members[p] = member{in: make([]int, len(lies)), lies: lies[p]}
		if promise.Causal {
			c.members[p].past = make([]int, len(lies))
		}
		if promise.Total {
			c.members[p].place, c.members[p].shared = map[Item]int{}, make([]Item, len(lies))
		}
	}
	return c
}

// Stepped tells what a process has broadcast and delivered. A process that has crashed once is not
// looked at any more.
func (c *Checker) Stepped(p protocols.ID, m Member, now time.Duration) {
	s := &c.members[p]
	if s.crashed || s.lies {
		return
	}
	broadcasts, delivered := m.Broadcasts(), m.Delivered()
	for {
		switch {
		case s.broadcasts < len(broadcasts) && broadcasts[s.broadcasts] <= s.delivered:
			s.broadcasts++
			c.items[p] = append(c.items[p], c.begun(p, now))
		case s.delivered < len(delivered):
			s.delivered++
			c.changes++
			c.deliver(p, delivered[s.delivered-1], now)
		default:
			return
		}
	}
}

// begun is an item that a process broadcasts now: what comes before it is all that the process has
// broadcast and delivered, and what comes before that.
func (c *Checker) begun(p protocols.ID, now time.Duration) item {
	s := &c.members[p]
	i := item{since: now}
	if c.promise.Causal {
		i.after = append([]int(nil), s.past...)
		s.past[p] = s.broadcasts
	}
	return i
}

// deliver judges a delivery.
func (c *Checker) deliver(p protocols.ID, i Item, now time.Duration) {
	s := &c.members[p]
	if int(i.Origin) < 0 || int(i.Origin) >= len(c.members) || i.Number < 1 {
		c.violated(noCreation, p, now, "process %d delivers %v, which nobody broadcast", p, i)
		return
	}
	lies := c.members[i.Origin].lies
	if !lies && (i.Number > len(c.items[i.Origin]) || i.Value != 0) {
		c.violated(noCreation, p, now, "process %d delivers %v, which process %d never broadcast", p, i, i.Origin)
		return
	}
	for len(s.has) <= int(i.Origin) {
		s.has = append(s.has, nil)
	}
	has := &s.has[i.Origin]
	for len(*has) < i.Number {
		*has = append(*has, delivery{})
	}
	if (*has)[i.Number-1].made {
		c.violated(noDuplication, p, now, "process %d delivers %v twice", p, i)
		return
	}
	(*has)[i.Number-1] = delivery{true, i.Value}
	c.together(p, i, now)
	c.delivered++
	if lies {
		return
	}
	if before := s.in[i.Origin] + 1; before < i.Number {
		c.violated(fifoOrder, p, now, "process %d delivers %v, and not before it %v", p, i, Item{Origin: i.Origin, Number: before})
	}
	for s.in[i.Origin] < len(*has) && (*has)[s.in[i.Origin]].made {
		s.in[i.Origin]++
	}
	c.order(p, i, now)
	delay := now - c.items[i.Origin][i.Number-1].since
	c.delay += delay
	c.longest = max(c.longest, delay)
	c.timed++
}

// order judges whether a process delivers an item before those that come before it.
func (c *Checker) order(p protocols.ID, i Item, now time.Duration) {
	if !c.promise.Causal {
		return
	}
	s, early := &c.members[p], false
	for q, number := range c.items[i.Origin][i.Number-1].after {
		if s.in[q] < number {
			early = true
			c.violated(causalOrder, p, now, "process %d delivers %v, and not before it %v", p, i, Item{Origin: protocols.ID(q), Number: s.in[q] + 1})
		}
		s.past[q] = max(s.past[q], number)
	}
	s.past[i.Origin] = max(s.past[i.Origin], i.Number)
	if early {
		c.early++
	}
}

// together judges whether a process delivers an item after all that another one delivered before that
// item, as far as both deliver them.
func (c *Checker) together(p protocols.ID, i Item, now time.Duration) {
	if !c.promise.Total {
		return
	}
	s := &c.members[p]
	s.place[i] = len(s.place) + 1
	for q := range c.members {
		other := &c.members[q]
		place, has := other.place[i]
		if protocols.ID(q) == p || !has {
			continue
		}
		if last := s.shared[q]; place < other.place[last] {
			c.violated(totalOrder, p, now, "process %d delivers %v before %v, and process %d delivered %v before %v", p, last, i, q, i, last)
		} else {
			s.shared[q] = i
		}
		other.shared[p] = i
	}
}

func (c *Checker) violated(check int, p protocols.ID, now time.Duration, format string, args ...any) {
	if c.promise.Held(check) && c.broken[check] == "" {
		c.broken[check] = fmt.Sprintf(format, args...)
		c.broke[check] = protocols.Step{Process: p, At: now, Change: c.changes}
	}
}

// Crashed tells that a process stopped.
func (c *Checker) Crashed(p protocols.ID, _ time.Duration) { c.members[p].crashed = true }

// Restarted tells that a process is back. It stays one that has crashed.
func (c *Checker) Restarted(protocols.ID) {}

// Ignores reports whether nothing is promised of a process, nor judged.
func (c *Checker) Ignores(p protocols.ID) bool { return !c.correct(p) }

// News is what a process has broadcast and delivered since its last step.
func (c *Checker) News(p protocols.ID, m Member) (broadcasts, delivered []Item) {
	s := &c.members[p]
	for k := s.broadcasts; k < len(m.Broadcasts()); k++ {
		broadcasts = append(broadcasts, Item{Origin: p, Number: k + 1})
	}
	return broadcasts, m.Delivered()[s.delivered:]
}

// Begun reports whether a process has delivered an item.
func (c *Checker) Begun() bool {
	return slices.ContainsFunc(c.members, func(m member) bool { return m.delivered > 0 })
}

// Delay is the mean time from a broadcast to a delivery, and the longest. When a Byzantine process
// broadcast an item nobody knows. There is no delay if none of the others' items was delivered.
func (c *Checker) Delay() (mean, longest time.Duration, ok bool) {
	if c.timed == 0 {
		return 0, 0, false
	}
	return c.delay / time.Duration(c.timed), c.longest, true
}

// Broadcasts is the number of items that a process has broadcast.
func (c *Checker) Broadcasts(p protocols.ID) int { return c.members[p].broadcasts }

// Deliveries is the number of deliveries at all processes.
func (c *Checker) Deliveries() int { return c.delivered }

// Early is the number of deliveries before an item that comes before, if causal order is judged.
func (c *Checker) Early() int { return c.early }

// Safe reports whether no check is broken that is judged at each step.
func (c *Checker) Safe() bool { return c.broken == [checks]string{} }

// lacking says how a check is broken that is judged at rest, or "".
func (c *Checker) lacking(check int) string {
	for origin := range c.items {
		for k := range c.numbers(origin) {
			if failure := c.lacks(check, Item{Origin: protocols.ID(origin), Number: k + 1}); failure != "" {
				return failure
			}
		}
	}
	return ""
}

// numbers is the largest number of an item of a process that was broadcast or delivered.
func (c *Checker) numbers(origin int) int {
	most := len(c.items[origin])
	if c.members[origin].lies {
		for p := range c.members {
			most = max(most, len(c.members[p].of(protocols.ID(origin))))
		}
	}
	return most
}

// lacks says how an item breaks a check that is judged at rest, or "".
func (c *Checker) lacks(check int, i Item) string {
	if check == validity && !c.correct(i.Origin) {
		return ""
	}
	by, without := protocols.ID(-1), protocols.ID(-1)
	for p := range protocols.ID(len(c.members)) {
		d, has := c.has(p, i)
		switch {
		case has && by < 0 && (c.correct(p) || check == uniformAgreement):
			by, i.Value = p, d.value
		case has && by >= 0 && c.correct(p) && d.value != i.Value && check != validity:
			return fmt.Sprintf("process %d delivered %v, and process %d delivered %v", by, i, p, Item{i.Origin, i.Number, d.value})
		case !has && without < 0 && c.correct(p):
			without = p
		}
	}
	switch {
	case without < 0:
		return ""
	case check == validity:
		return fmt.Sprintf("process %d has not delivered %v", without, i)
	case by >= 0:
		return fmt.Sprintf("process %d delivered %v, and process %d did not", by, i, without)
	}
	return ""
}

// has is the delivery of an item at a process.
func (c *Checker) has(p protocols.ID, i Item) (d delivery, ok bool) {
	if all := c.members[p].of(i.Origin); i.Number <= len(all) {
		d = all[i.Number-1]
	}
	return d, d.made && !c.members[p].lies
}

// of is what a member has delivered of an origin, by number-1.
func (m *member) of(origin protocols.ID) []delivery {
	if int(origin) >= len(m.has) {
		return nil
	}
	return m.has[origin]
}

// correct: a process has not crashed, and is not Byzantine.
func (c *Checker) correct(p protocols.ID) bool {
	return !c.members[p].crashed && !c.members[p].lies
}

// Complete reports whether what is judged at rest holds now.
func (c *Checker) Complete() bool {
	for i, property := range Properties {
		if property.AtRest && c.promise.Held(i) && c.lacking(i) != "" {
			return false
		}
	}
	return true
}

// Checks judges the run so far by what is promised. At rest no event is left.
func (c *Checker) Checks(rest bool) []protocols.Check {
	var all []protocols.Check
	for i, property := range Properties {
		if !c.promise.Held(i) {
			continue
		}
		check := protocols.Check{Name: property.Name, Detail: property.Says}
		failure := c.broken[i]
		if property.AtRest && rest {
			failure = c.lacking(i)
		}
		switch {
		case failure != "":
			check.Verdict, check.Detail = protocols.Violated, failure
			if !property.AtRest {
				check.Broke = &c.broke[i]
			}
		case rest:
			check.Verdict = protocols.Holds
		}
		all = append(all, check)
	}
	return all
}
