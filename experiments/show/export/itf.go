package export

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"bullring/experiments/show/history"
	"bullring/protocols"
)

// mostStates is the largest number of states of a trace for tools of TLA+: each state is there
// in full.
const mostStates = 1000

// itf is a trace in the Informal Trace Format of Apalache and Quint: the state of the system
// after each event. Variables that a process has set are texts.
var itf = Format{
	Name: "itf", States: true, Begins: `{"#meta":{"format":"ITF",`,
	write: func(w *bytes.Buffer, h *history.History) error {
		if len(h.Events) > mostStates {
			return fmt.Errorf("itf has %d states at most, and this run has %d events; jsonl takes each run", mostStates, len(h.Events))
		}
		fmt.Fprintf(w, `{"#meta":{"format":"ITF","format-description":"https://apalache-mc.org/docs/adr/015adr-trace.html","description":%s},`+"\n", strconv.Quote(title(h)))
		w.WriteString(`"vars":["event","time","processes","decided","down","underway"],"states":[` + "\n")
		to, system := NewEncoder(w), newSystem(h)
		for i := range h.Events {
			if i > 0 {
				w.WriteString(",")
			}
			system.step(&h.Events[i])
			to.Encode(system.state(i, &h.Events[i]))
		}
		w.WriteString("]}\n")
		return nil
	},
}

// system is the state of a run between two events.
type system struct {
	fields   map[protocols.ID]map[string]string // of each process that has changed one
	decided  map[protocols.ID]string
	down     map[protocols.ID]bool
	underway map[uint64]itfMessage // by number
	ends     map[uint64]int        // how many copies of a message arrive or are lost later
}

type itfMessage struct {
	From    itfInt `json:"from"`
	To      itfInt `json:"to"`
	Number  itfInt `json:"number"`
	Message string `json:"message"`
}

func newSystem(h *history.History) *system {
	s := &system{map[protocols.ID]map[string]string{}, map[protocols.ID]string{}, map[protocols.ID]bool{}, map[uint64]itfMessage{}, map[uint64]int{}}
	for i := range h.Events {
		if e := &h.Events[i]; e.Message != nil {
			s.ends[e.Number]++
		}
	}
	return s
}

// step takes the system through an event.
func (s *system) step(e *history.Event) {
	if e.Message != nil {
		if s.ends[e.Number]--; s.ends[e.Number] == 0 {
			delete(s.underway, e.Number)
		}
	}
	if !atProcess(e) {
		return
	}
	for _, f := range e.Changed {
		if s.fields[e.Who] == nil {
			s.fields[e.Who] = map[string]string{}
		}
		s.fields[e.Who][f.Name] = f.Value
	}
	if e.What == "restart" { // without its memory
		delete(s.decided, e.Who)
	}
	if e.News != "" {
		s.decided[e.Who] = e.News
	}
	if e.What == "crash" {
		s.down[e.Who] = true
	} else {
		delete(s.down, e.Who)
	}
	if e.Panics { // its messages do not leave
		return
	}
	for _, m := range e.Sent {
		s.underway[m.Number] = itfMessage{itfInt(e.Who), itfInt(m.To), itfInt(m.Number), fmt.Sprint(m.Message)}
	}
}

// itfState is a state of the format.
type itfState struct {
	Meta struct {
		Index int `json:"index"`
	} `json:"#meta"`
	Event     string `json:"event"`
	Time      itfInt `json:"time"` // in nanoseconds; -1 without time
	Processes itfMap `json:"processes"`
	Decided   itfMap `json:"decided"`
	Down      itfSet `json:"down"`
	Underway  itfSet `json:"underway"`
}

func (s *system) state(index int, e *history.Event) itfState {
	state := itfState{Event: line(e), Time: itfInt(max(e.At, -1))}
	state.Processes.Pairs, state.Decided.Pairs, state.Down.Elements, state.Underway.Elements = [][2]any{}, [][2]any{}, []any{}, []any{}
	state.Meta.Index = index
	for _, p := range slices.Sorted(maps.Keys(s.fields)) {
		fields := itfMap{[][2]any{}}
		for _, name := range slices.Sorted(maps.Keys(s.fields[p])) {
			fields.Pairs = append(fields.Pairs, [2]any{name, s.fields[p][name]})
		}
		state.Processes.Pairs = append(state.Processes.Pairs, [2]any{itfInt(p), fields})
	}
	for _, p := range slices.Sorted(maps.Keys(s.decided)) {
		state.Decided.Pairs = append(state.Decided.Pairs, [2]any{itfInt(p), s.decided[p]})
	}
	for _, p := range slices.Sorted(maps.Keys(s.down)) {
		state.Down.Elements = append(state.Down.Elements, itfInt(p))
	}
	for _, number := range slices.Sorted(maps.Keys(s.underway)) {
		state.Underway.Elements = append(state.Underway.Elements, s.underway[number])
	}
	return state
}

// itfInt is an integer of the format.
type itfInt int64

// MarshalJSON implements json.Marshaler.
func (i itfInt) MarshalJSON() ([]byte, error) { return fmt.Appendf(nil, `{"#bigint":"%d"}`, i), nil }

// itfMap is a function of the format.
type itfMap struct {
	Pairs [][2]any `json:"#map"`
}

// itfSet is a set of the format.
type itfSet struct {
	Elements []any `json:"#set"`
}
