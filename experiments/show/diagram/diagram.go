package diagram

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"bullring/experiments/show/history"
	"bullring/experiments/trial"
	"bullring/plots"
	"bullring/plots/spacetime"
	"bullring/protocols"
)

// TooLargeError says that a diagram would have more lanes, messages or changes of links than can be read.
type TooLargeError struct{ Lanes, Messages, Changes int }

func (e *TooLargeError) Error() string {
	if e.Changes > spacetime.MaxChanges {
		return fmt.Sprintf("the diagram would have %d links that come or go; up to %d can be read on a page", e.Changes, spacetime.MaxChanges)
	}
	return fmt.Sprintf("the diagram would have %d lanes and %d messages; up to %d and %d can be read on a page",
		e.Lanes, e.Messages, spacetime.MaxLanes, spacetime.MaxArrows)
}

// Of returns the diagram of a run. The states of its processes are shown if the history has
// them.
func Of(h *history.History, o Options) (*spacetime.Diagram, error) {
	v, err := newView(h, o)
	if err != nil {
		return nil, err
	}
	m := &maker{view: v, axis: newAxis(v), slice: o.Because, d: &spacetime.Diagram{Title: v.Title, Width: v.Width, Meta: v.Meta}}
	if m.slice == nil {
		m.slice = h.Slice()
	}
	m.wrong = slices.ContainsFunc(h.Result.Checks, func(c protocols.Check) bool { return c.Verdict == protocols.Violated })
	messages := v.messages()
	if err := m.checkSize(messages); err != nil {
		return nil, err
	}
	m.axis.extend(m.flights(messages))
	m.axis.label(m.d, v)
	m.addLanes()
	m.addBands()
	for _, k := range h.Result.Kinds {
		m.d.Kinds = append(m.d.Kinds, text(k, longestLabel))
	}
	for _, x := range messages {
		m.addArrow(x)
	}
	for i := range v.events() {
		m.addSign(i)
	}
	m.joinTexts()
	m.addChanges()
	m.addPeriods()
	return m.d, m.d.Validate()
}

// A maker makes a diagram.
type maker struct {
	*view
	axis  *axis
	slice []bool
	wrong bool // a check is violated
	d     *spacetime.Diagram
}

// at is the place of an event of the history. One before the window is at its beginning, one
// behind it at its end.
func (m *maker) at(order int) float64 {
	switch i := order - 1 - m.first; {
	case i < 0:
		return 0
	case i >= len(m.axis.at):
		return 1
	default:
		return m.axis.place(m.axis.at[i])
	}
}

func (m *maker) checkSize(messages []message) error {
	changes := len(m.changes())
	if len(m.lanes) > spacetime.MaxLanes || len(messages) > spacetime.MaxArrows || changes > spacetime.MaxChanges {
		return &TooLargeError{len(m.lanes), len(messages), changes}
	}
	return nil
}

// inside reports whether the event with that number is in the window.
func (v *view) inside(order int) bool { return order > v.first && order <= v.end }

// A message is one copy of a message.
type message struct {
	from, to protocols.ID
	content  any
	// sent and ended are the numbers of the events in which it was sent, and in which it
	// arrived or was lost; 0 if that is unknown, or not in this run.
	sent, ended int
	copies      int // that share an arrow, because they arrive together
}

// messages returns the messages that are shown: those that ended in the order of their ends,
// and then those that did not.
func (v *view) messages() (all []message) {
	sent := map[uint64]int{}
	ended := map[uint64]bool{}
	type arrival struct {
		number uint64
		what   string
		at     float64
	}
	twins := map[arrival]int{} // places in all, plus 1
	add := func(m message, end arrival) {
		switch inWindow := v.inside(m.sent) || v.inside(m.ended); {
		case !inWindow || !v.shows(m.from) || !v.shows(m.to) || !v.shownKind(m.content):
		case twins[end] > 0 && v.Axis != Steps:
			all[twins[end]-1].copies++
		default:
			all = append(all, m)
			twins[end] = len(all)
		}
	}
	for i := range v.Events {
		e := &v.Events[i]
		if e.Message != nil {
			ended[e.Record.Number] = true
			add(message{e.From, e.Who, e.Message, sent[e.Record.Number], e.Order, 1}, arrival{e.Record.Number, e.What, v.instant(e)})
		}
		for _, s := range e.Sent {
			sent[s.Number] = e.Order
		}
	}
	for i := range v.Events {
		e := &v.Events[i]
		for _, s := range e.Sent {
			if !ended[s.Number] {
				add(message{e.Who, s.To, s.Message, e.Order, 0, 1}, arrival{number: s.Number})
			}
		}
	}
	return all
}

// flights returns how long the messages take that arrive in the window, and where the last of
// the others was sent: -1 if there is none.
func (m *maker) flights(messages []message) (lengths []float64, last float64) {
	last = -1
	for _, x := range messages {
		if !m.inside(x.sent) {
			continue
		}
		sent := m.axis.at[x.sent-1-m.first]
		if m.inside(x.ended) && fates[m.Events[x.ended-1].What] != spacetime.Vanished {
			lengths = append(lengths, m.axis.at[x.ended-1-m.first]-sent)
		} else {
			last = max(last, sent)
		}
	}
	return lengths, last
}

// addLanes adds the lanes, with the identities if processes compare them.
func (m *maker) addLanes() {
	r := m.Result
	_, leads := r.Judge.(trial.Leading)
	down := m.down()
	for _, p := range m.lanes {
		label := fmt.Sprintf("*p*_{%d}", p)
		if leads || r.Judge == nil {
			label += fmt.Sprintf(" (%d)", r.Instance.Ranks.At(p).ID)
		}
		m.d.Lanes = append(m.d.Lanes, spacetime.Lane{Label: label, Down: down[p]})
	}
}

// addBands adds the conditions of the processes.
func (m *maker) addBands() {
	for i, b := range m.Bands {
		m.d.Bands = append(m.d.Bands, spacetime.Band{Label: text(b.Name, longestLabel), Fill: b.Look})
		for _, s := range b.Stays {
			m.addStay(s, i, false)
			for _, c := range b.Clashes {
				if both, overlap := s.Overlap(c); overlap {
					m.addStay(history.Stay{Process: s.Process, Stretch: both}, i, true)
				}
			}
		}
	}
}

// addStay adds a stay to the lane of its process, if that is shown.
func (m *maker) addStay(s history.Stay, band int, clash bool) {
	if !m.shows(s.Process) || s.From > m.end || s.To > 0 && s.To <= m.first {
		return
	}
	stay := spacetime.Stay{Stretch: spacetime.Stretch{From: m.at(s.From), To: 1}, Band: band, Clash: clash, Open: s.To == 0 || s.To > m.end}
	if !stay.Open {
		stay.To = m.at(s.To)
	}
	lane := &m.d.Lanes[m.lane[s.Process]]
	lane.Stays = append(lane.Stays, stay)
}

// down returns when each process was down.
func (m *maker) down() map[protocols.ID][]spacetime.Stretch {
	all, since := map[protocols.ID][]spacetime.Stretch{}, map[protocols.ID]int{}
	end := func(p protocols.ID, to float64) {
		if from := m.at(since[p]); since[p] > 0 && to > from {
			all[p] = append(all[p], spacetime.Stretch{From: from, To: to})
		}
		delete(since, p)
	}
	for i := range m.Events {
		switch e := &m.Events[i]; e.What {
		case "crash":
			since[e.Who] = e.Order
		case "restart":
			end(e.Who, m.at(e.Order))
		}
	}
	for _, p := range m.lanes {
		end(p, 1)
	}
	return all
}

// fates are the fates of messages, by the event that ends them.
var fates = map[string]spacetime.Fate{
	"deliver": spacetime.Arrived, "lost": spacetime.Unheard, "damaged": spacetime.Unheard, "lose": spacetime.Vanished, "cut": spacetime.Vanished,
	"collide": spacetime.Unheard,
}

// addArrow adds a message.
func (m *maker) addArrow(x message) {
	a := spacetime.Arrow{
		From: spacetime.Spot{At: m.at(x.sent), Lane: m.lane[x.from]}, To: spacetime.Spot{At: m.at(x.ended), Lane: m.lane[x.to]},
		Kind: kindOf(x.content), Label: text(x.label(), longestLabel), Faded: m.Why && !(m.because(x.sent) && m.because(x.ended)),
	}
	flight := m.axis.place(m.axis.flight)
	switch {
	case !m.inside(x.ended):
		a.Fate, a.To.At = spacetime.Underway, min(1, a.From.At+flight)
	case !m.inside(x.sent):
		a.Fate, a.From.At = spacetime.Entering, max(0, a.To.At-flight)
	default:
		a.Fate = fates[m.Events[x.ended-1].What]
	}
	if a.Fate == spacetime.Vanished { // some at the instant of their sending
		a.To.At = max(a.To.At, min(1, a.From.At+flight/2))
	}
	m.d.Arrows = append(m.d.Arrows, a)
}

// label is the text of the message.
func (x message) label() string {
	if x.copies > 1 {
		return fmt.Sprintf("%d × %v", x.copies, x.content)
	}
	return fmt.Sprint(x.content)
}

// because reports whether the verdict follows from an event.
func (m *maker) because(order int) bool { return order > 0 && m.slice[order-1] }

// shapes are the signs of events; the others end an arrow or have a period.
var shapes = map[string]spacetime.Shape{
	"start": spacetime.Start, "boot": spacetime.Start, "deliver": spacetime.Delivery, "timeout": spacetime.Timeout, "crash": spacetime.Crash, "restart": spacetime.Restart,
	"linkup": spacetime.Delivery, "linkdown": spacetime.Delivery,
}

// addSign adds the sign of an event of the window, if it has one.
func (m *maker) addSign(i int) {
	e := &m.events()[i]
	shape, ok := shapes[e.What]
	if !ok || !m.shows(e.Who) || e.What == "deliver" && !m.matters(e) {
		return
	}
	m.d.Signs = append(m.d.Signs, spacetime.Sign{
		Spot: spacetime.Spot{At: m.at(e.Order), Lane: m.lane[e.Who]}, Shape: shape,
		News: text(e.News, longestNote), Note: text(m.note(e), longestNote),
		Marked: len(e.Broken) > 0 || m.Why && m.wrong && slices.Contains(m.Targets, e.Order), Faded: m.Why && !m.because(e.Order),
	})
}

// matters reports whether a delivery is shown if only some kinds of messages are: the message
// or one that it led to is of such a kind, or the process decided something.
func (m *maker) matters(e *history.Event) bool {
	for _, s := range e.Sent {
		if m.shownKind(s.Message) {
			return true
		}
	}
	return e.News != "" || m.shownKind(e.Message)
}

// note says what else there is about an event: its timer, the checks that it violates and,
// with states, what the process drew and the fields that it changed.
func (m *maker) note(e *history.Event) string {
	var words []string
	if e.What == "timeout" && e.Name != "" {
		words = append(words, e.Name)
	}
	if e.Panics {
		words = append(words, "panics")
	}
	for _, name := range e.Broken {
		words = append(words, "violates "+name)
	}
	if m.States && len(e.Choices) > 0 {
		words = append(words, "chooses "+strings.Trim(fmt.Sprint(e.Choices), "[]"))
	}
	if m.States && e.What != "start" && e.What != "boot" { // where all fields are new
		for _, f := range e.Changed {
			if word := f.Name + "=" + f.Value; len(word) <= longestField {
				words = append(words, word)
			}
		}
	}
	return strings.Join(words, ", ")
}

// joinTexts gives the texts of all signs at one spot to the last of them, in their order.
func (m *maker) joinTexts() {
	last := map[spacetime.Spot]*spacetime.Sign{}
	for i := range m.d.Signs {
		s := &m.d.Signs[i]
		if before := last[s.Spot]; before != nil && before.Faded == s.Faded {
			s.News, before.News = joined(before.News, s.News), ""
			s.Note, before.Note = joined(before.Note, s.Note), ""
			s.Marked, before.Marked = s.Marked || before.Marked, false
		}
		last[s.Spot] = s
	}
}

// joined joins two texts. One that is said again is left out.
func joined(before, text string) string {
	if before == "" || text == "" || slices.Contains(strings.Split(before, ", "), text) {
		return cmp.Or(before, text)
	}
	return before + ", " + text
}

// changes are the events of the window in which links between the lanes come and go.
func (v *view) changes() (shown []*history.Event) {
	for i := range v.events() {
		e := &v.events()[i]
		if c := e.Change; c != nil && v.shows(c.A) && v.shows(c.B) {
			shown = append(shown, e)
		}
	}
	return shown
}

// addChanges adds the links that come and go.
func (m *maker) addChanges() {
	for _, e := range m.changes() {
		m.d.Changes = append(m.d.Changes, spacetime.Change{At: m.at(e.Order), A: m.lane[e.Change.A], B: m.lane[e.Change.B], Up: e.Change.Up, Faded: m.Why && !m.because(e.Order)})
	}
}

// addPeriods adds the faults.
func (m *maker) addPeriods() {
	for _, s := range m.Spans() {
		if s.From > m.end || s.To > 0 && s.To <= m.first {
			continue
		}
		p := spacetime.Period{Stretch: spacetime.Stretch{From: m.at(s.From), To: 1}, Label: text(s.Text, longestFault)}
		if s.To > 0 {
			p.To = m.at(s.To)
		}
		m.d.Periods = append(m.d.Periods, p)
	}
}

// The longest texts, in characters.
const (
	longestLabel = 32
	longestNote  = 48
	longestField = 24
	longestFault = 120
)

// text returns a text as markup, cut if it is long. A character that the font lacks is a
// question mark.
func text(s string, longest int) string {
	if runes := []rune(s); len(runes) > longest {
		s = string(runes[:longest-3]) + "..."
	}
	markup := plots.Escape(s)
	if plots.CheckText(markup) == nil {
		return markup
	}
	return strings.Map(func(r rune) rune {
		if plots.CheckText(plots.Escape(string(r))) != nil {
			return '?'
		}
		return r
	}, markup)
}
