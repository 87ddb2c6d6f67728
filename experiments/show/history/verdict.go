package history

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"bullring/experiments/trial"
	"bullring/protocols"
)

// verdict returns the verdict to explain, and the numbers of its events: the first violated check,
// else the first that does not hold and is not promised, else the outcome. atOnce reports whether
// a single step broke the check.
func (l *Recording) verdict() (what string, targets []int, atOnce bool) {
	r := l.h.Result
	for _, wanted := range [...]protocols.Verdict{protocols.Violated, protocols.NotPromised} {
		for _, c := range r.Checks {
			if c.Verdict != wanted {
				continue
			}
			what = fmt.Sprintf("%s is %v: %s", c.Name, c.Verdict, c.Detail)
			if c.Broke != nil {
				return what, l.broke(c.Broke), true
			}
			return what, l.endings(), false
		}
	}
	return "the outcome is: " + string(r.Outcome), l.endings(), false
}

// broke returns the event in which a check broke: one with News of the process. A judge counts changes, of which a
// step of a program may have several. Then it is the last event of that instant or, without time, of the run.
func (l *Recording) broke(s *protocols.Step) []int {
	if k := s.Change; k <= len(l.changes) && l.h.Events[l.changes[k-1]-1].Who == s.Process {
		return l.changes[k-1 : k]
	}
	last, timeless := l.endings(), l.h.Result.Instance.Setting.Schedule != ""
	for k, order := range l.changes {
		if e := &l.h.Events[order-1]; e.Who == s.Process && (timeless || time.Duration(e.At) == s.At) {
			last = l.changes[k : k+1]
		}
	}
	return last
}

// endings returns the last events of the processes that the judge names, or of all.
func (l *Recording) endings() []int {
	groups, settled := [][]protocols.ID{slices.Collect(maps.Keys(l.last))}, l.h.Result.Correct
	if e, ok := l.h.Result.Judge.(trial.Explainer); ok {
		groups, settled = e.Endings()
	}
	last := l.steps()
	if settled {
		last = l.news()
	}
	for _, group := range groups {
		var found []int
		for _, p := range group {
			if k, ok := last[p]; ok {
				found = append(found, k)
			}
		}
		if found != nil {
			slices.Sort(found)
			return found
		}
	}
	return nil
}

// news returns the last event with News of each process.
func (l *Recording) news() map[protocols.ID]int {
	last := map[protocols.ID]int{}
	for _, k := range l.changes {
		last[l.h.Events[k-1].Who] = k
	}
	return last
}

// steps returns the last event of each process that has not crashed.
func (l *Recording) steps() map[protocols.ID]int {
	last := maps.Clone(l.last)
	maps.DeleteFunc(last, func(_ protocols.ID, k int) bool { return l.h.Events[k-1].What == "crash" })
	return last
}

// Slice tells of each event, by its place in Events, whether it belongs to the past of the
// verdict: the targets, the messages that did not arrive and the faults but links that come and go, each
// with all its causes. If a single step broke the check, nothing after it belongs to its past.
func (h *History) Slice() []bool {
	marked := make([]bool, len(h.Events))
	for _, t := range h.Targets {
		h.mark(t, marked)
	}
	for i := range h.Events[:h.Verdict()] {
		if e := &h.Events[i]; e.Absent || e.What == "fault" && e.Change == nil {
			h.mark(e.Order, marked)
		}
	}
	return marked
}

// Verdict is the number of the last event that can belong to the past of the verdict.
func (h *History) Verdict() int {
	if h.AtOnce {
		return h.Targets[0]
	}
	return len(h.Events)
}

// mark marks an event and all its direct and indirect causes.
func (h *History) mark(order int, marked []bool) {
	open := []int{order}
	for len(open) > 0 {
		k := open[len(open)-1]
		open = open[:len(open)-1]
		if k == 0 || marked[k-1] {
			continue
		}
		marked[k-1] = true
		open = append(open, h.Events[k-1].After...)
	}
}

// WritePast prints the events of the slice, a line each: its number, the event, and behind an
// arrow the numbers of its causes.
func (h *History) WritePast(w io.Writer) error {
	for i, in := range h.Slice() {
		if !in {
			continue
		}
		if _, err := fmt.Fprintln(w, h.line(&h.Events[i])); err != nil {
			return err
		}
	}
	return nil
}

// line is the line of an event in an explanation.
func (h *History) line(e *Event) string {
	mark := " "
	switch {
	case slices.Contains(h.Targets, e.Order):
		mark = ">"
	case e.Absent:
		mark = "x"
	}
	line := fmt.Sprintf("%s %5s %s", mark, fmt.Sprintf("#%d", e.Order), e.Text(e.News)+e.Written())
	if with := h.WithLink(e); with != "" {
		line += "  | lost " + with
	}
	if len(e.After) == 0 {
		return line
	}
	after := make([]string, 0, len(e.After))
	for _, k := range e.After {
		after = append(after, fmt.Sprintf("#%d", k))
	}
	return line + "  <- " + strings.Join(after, " ")
}
