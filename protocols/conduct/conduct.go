// Package conduct checks that the program of an algorithm keeps the rules of
// [protocols.Process]: it is deterministic, messages do not change once they are sent,
// processes share no memory, and no Node is used after its handler.
//
// A [Watch] stands between the processes of one run and their driver. It sees every call of
// a handler, and compares the calls with those of an earlier, equal run. Other runs have
// no watch, and pay nothing for it.
//
// It does not see memory that a handler only reads, goroutines, and a dependence that did
// not show in the compared runs.
package conduct

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"bullring/internal/value"
	"bullring/protocols"
)

// Finding is a rule that a program broke.
type Finding struct {
	Rule Rule
	Text string // which handler of which process, and what it did
}

// Rule is a rule that a program has to keep.
type Rule string

// The rules.
const (
	Deterministic Rule = "not deterministic"        // the same run is the same, call by call
	Immutable     Rule = "changes a sent message"   // a message is a value
	Separate      Rule = "processes share memory"   // a handler changes its own process
	Momentary     Rule = "uses a Node for too long" // a Node ends with its handler
)

// Limits keep a watch small.
const (
	mostCalls    = 1 << 14 // compared with those of the run before
	mostMessages = 1 << 6  // the latest messages, compared after every call
	mostLooked   = 1 << 4  // processes that are all compared after every call; of more, only the called one
	mostFindings = 10
)

// Watch watches one run.
type Watch struct {
	before   *Watch // of the equal run before; nil if there was none
	calls    []call
	count    int
	parted   bool // a call has differed from that of the run before
	states   map[protocols.ID]*state
	messages []*message
	findings []Finding
	now      string // the call at hand
}

// call is a call of a handler.
type call struct {
	handler string
	done    []string // what it did
	state   string   // the process after it, in short
	sum     uint64   // a hash of all that, in full
}

// state is a process after its last call.
type state struct {
	process any
	sum     uint64
	known   bool // it can be compared
}

// message is a message that was sent.
type message struct {
	content any
	text    string
	sum     uint64
	sent    string // the call that sent it
	known   bool   // a finding tells that it has changed
}

// New returns a watch. before is the watch of an equal run made before, or nil.
func New(before *Watch) *Watch { return &Watch{before: before, states: map[protocols.ID]*state{}} }

// Findings are the findings, in the order of the calls.
func (w *Watch) Findings() []Finding { return w.findings }

// Calls is the number of calls of handlers.
func (w *Watch) Calls() int { return w.count }

// Compared reports whether all calls were compared, or could be in the next run.
func (w *Watch) Compared() bool { return w.count <= mostCalls }

func (w *Watch) find(rule Rule, format string, args ...any) {
	f := Finding{rule, fmt.Sprintf(format, args...)}
	if len(w.findings) < mostFindings && !slices.Contains(w.findings, f) {
		w.findings = append(w.findings, f)
	}
}

// sumOf is a hash of a value. ok is false if the value holds a function or a channel.
func sumOf(v any) (sum uint64, ok bool) {
	defer func() {
		if x := recover(); x != nil {
			if _, incomparable := x.(value.Incomparable); !incomparable {
				panic(x)
			}
		}
	}()
	h := fnv.New64a()
	h.Write(value.Append(nil, &v))
	return h.Sum64(), true
}

// seat notes a new process at an address.
func (w *Watch) seat(id protocols.ID, process any) {
	s := &state{process: process}
	s.sum, s.known = sumOf(process)
	w.states[id] = s
}

// begin begins a call.
func (w *Watch) begin(id protocols.ID, handler string) {
	w.now = fmt.Sprintf("%s of process %d", handler, id)
	w.look(id, "something between its calls")
}

// look compares a process that was not called with its state before.
func (w *Watch) look(id protocols.ID, culprit string) {
	s := w.states[id]
	sum, ok := sumOf(s.process)
	if ok && s.known && sum != s.sum {
		w.find(Separate, "%s changes process %d: %s", culprit, id, value.Text(s.process))
	}
	s.sum, s.known = sum, ok
}

// end ends a call.
func (w *Watch) end(id protocols.ID, done []string, sums []uint64) {
	s := w.states[id]
	s.sum, s.known = sumOf(s.process)
	if len(w.states) <= mostLooked {
		for other := range protocols.ID(len(w.states)) {
			if other != id && w.states[other] != nil {
				w.look(other, w.now)
			}
		}
	}
	for _, m := range w.messages {
		w.compare(m, w.now)
	}
	w.record(call{w.now, done, value.Text(s.process), total(w.now, done, sums, s)})
	w.now = ""
}

// total is a hash of a call.
func total(handler string, done []string, sums []uint64, s *state) uint64 {
	h := fnv.New64a()
	fmt.Fprint(h, handler, done, sums, s.known, s.sum)
	return h.Sum64()
}

// record keeps a call, and compares it with the call of the run before.
func (w *Watch) record(c call) {
	w.count++
	if w.count > mostCalls {
		return
	}
	w.calls = append(w.calls, c)
	if w.before == nil || w.parted {
		return
	}
	i := w.count - 1
	if i >= len(w.before.calls) {
		w.parted = true
		w.find(Deterministic, "%s (call %d) comes after the last of the same run before", c.handler, i+1)
		return
	}
	if b := w.before.calls[i]; b.sum != c.sum {
		w.parted = true
		w.find(Deterministic, "%s", difference(i+1, b, c))
	}
}

// difference says how two calls differ.
func difference(number int, a, b call) string {
	switch {
	case a.handler != b.handler:
		return fmt.Sprintf("call %d is %s, and in the same run again %s", number, a.handler, b.handler)
	case !slices.Equal(a.done, b.done):
		return fmt.Sprintf("%s (call %d) does %s, and in the same run again %s", a.handler, number, doneText(a.done), doneText(b.done))
	case a.state != b.state:
		return fmt.Sprintf("%s (call %d) leaves its process as %s, and in the same run again as %s", a.handler, number, a.state, b.state)
	}
	return fmt.Sprintf("%s (call %d) is not the same in the same run again; it differs beyond what can be printed here of %s", a.handler, number, a.state)
}

func doneText(done []string) string {
	if len(done) == 0 {
		return "nothing"
	}
	return strings.Join(done, ", ")
}

// Finish tells that the run has ended.
func (w *Watch) Finish() {
	if b := w.before; b != nil && !w.parted && w.count < b.count {
		w.find(Deterministic, "the run ends after call %d, and the same run before went on with %s", w.count, b.calls[min(w.count, len(b.calls)-1)].handler)
	}
}

// sent notes a message, and returns its hash.
func (w *Watch) sent(content any, text string) *message {
	m := &message{content: content, text: text, sent: w.now}
	m.sum, _ = sumOf(content)
	if value.Flat(content) {
		return m
	}
	if len(w.messages) == mostMessages {
		w.messages = append(w.messages[:0], w.messages[1:]...)
	}
	w.messages = append(w.messages, m)
	return m
}

// compare reports a message that has changed since it was sent.
func (w *Watch) compare(m *message, culprit string) {
	sum, ok := sumOf(m.content)
	if !ok || sum == m.sum || m.known {
		return
	}
	m.known = true
	w.find(Immutable, "%s changes %s, which %s had sent, to %v", culprit, m.text, m.sent, m.content)
}
