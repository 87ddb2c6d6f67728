package trial

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"bullring/netem"
	"bullring/netem/explore"
	"bullring/protocols"
)

// ScheduleOf returns the schedule of a recorded run, with free timers. The records come in the
// order of the run. What links and faults did stands in the steps: a message that was lost, cut
// or damaged is lost, and one that arrived more than once is duplicated. If a
// message was lost and a copy of it arrived, it is not lost. If messages overtook each other, the setting
// of the schedule must say unordered. It must name the processes dead from the start, too.
func ScheduleOf(records iter.Seq[*netem.Record], dead ...protocols.ID) Schedule {
	w := &recorded{last: map[protocols.ID]lastStep{}, links: map[ends][]underWay{}, arrivals: map[uint64]int{}, down: map[protocols.ID]bool{}, cut: map[netem.Link]bool{}}
	for _, p := range dead {
		w.down[p] = true
	}
	all := slices.Collect(records)
	for _, r := range all {
		w.restarts = w.restarts || r.What == "restart"
		w.clocks = w.clocks || len(r.Reads)+len(r.Choices) > 0
	}
	for _, r := range all {
		if w.arrives(r) {
			w.arrivals[r.Number]++
		}
	}
	for _, r := range all {
		w.add(r)
	}
	w.lose(true)
	return w.schedule()
}

// recorded makes the steps of records. It follows the messages under way as the player of the
// schedule does: see explore.Player.
type recorded struct {
	restarts, clocks bool
	steps            []explore.Step
	last             map[protocols.ID]lastStep
	begun            bool // all initiators and services have
	down             map[protocols.ID]bool
	cut              map[netem.Link]bool // by a change
	links            map[ends][]underWay
	losing           []ends         // links with a message that is to be lost
	arrivals         map[uint64]int // by number of the message: how often it arrives from now on
}

// lastStep is the index of the last step of a process, and the number of messages that it sent.
type lastStep struct{ index, sent int }

type ends struct{ from, to protocols.ID }

type underWay struct {
	number uint64
	text   string
	lost   bool // it is to be lost, see lose
}

// schedule is the text of the steps.
func (w *recorded) schedule() Schedule {
	head := "timers " + FreeTimers
	if w.restarts {
		head += ", " + restartsWord
	}
	if w.clocks {
		head += ", " + clocksWord
	}
	lines := []string{head}
	for _, s := range w.steps {
		lines = append(lines, s.String())
	}
	return Schedule(strings.Join(lines, "\n"))
}

// arrives reports whether a record is a step that delivers a message. In a schedule without
// restarts, messages to a crashed process are gone with it.
func (w *recorded) arrives(r *netem.Record) bool {
	return r.What == "deliver" || r.What == "lost" && w.restarts
}

// add adds the steps of a record.
func (w *recorded) add(r *netem.Record) {
	switch r.What {
	case "crash":
		w.crash(r)
	case "lose", "cut", "damaged":
		w.mark(r)
	case "boot":
		w.handle(r, explore.Boot)
	case "start":
		w.handle(r, explore.Start)
	case "restart":
		w.down[r.Who] = false
		w.handle(r, explore.Restart)
	case "fault":
		if step, err := explore.ParseStep(r.Note); err == nil && (step.What == explore.Up || step.What == explore.Down) {
			w.relink(step)
		}
	case "linkup":
		w.handle(r, explore.LinkUp)
	case "linkdown":
		w.handle(r, explore.LinkDown)
	case "timeout":
		w.begun = true
		w.handle(r, explore.Timeout)
	case "deliver", "lost":
		if w.arrives(r) {
			w.begun = true
			w.handle(r, explore.Deliver)
		}
	}
}

// handle adds the step of a handler.
func (w *recorded) handle(r *netem.Record, what explore.StepKind) {
	if w.begun {
		w.lose(false)
	}
	step := explore.Step{What: what, Who: r.Who, From: r.From, Timer: r.Timer, Choices: r.Choices, Reads: r.Reads, Sends: -1}
	if what == explore.Deliver {
		step.Message = fmt.Sprint(r.Message)
		w.take(r, step)
	}
	if slices.ContainsFunc(r.Suspected, func(s netem.Suspicion) bool { return s.Yes != w.down[s.Who] }) {
		step.Suspected = r.Suspected
	}
	w.last[r.Who] = lastStep{len(w.steps), cmp.Or(r.Left, len(r.Sent))}
	w.steps = append(w.steps, step)
	for _, s := range r.Sent {
		if on := (ends{r.Who, s.To}); (w.restarts || !w.down[s.To]) && !w.cut[netem.LinkBetween(r.Who, s.To)] {
			w.links[on] = append(w.links[on], underWay{number: s.Number, text: fmt.Sprint(s.Message)})
		}
	}
}

// relink adds a change of a link. What is under way on it is gone.
func (w *recorded) relink(step explore.Step) {
	if w.begun {
		w.lose(false)
	}
	w.steps = append(w.steps, step)
	w.cut[netem.LinkBetween(step.Who, step.From)] = step.What == explore.Down
	delete(w.links, ends{step.Who, step.From})
	delete(w.links, ends{step.From, step.Who})
}

// take takes a message that arrives from its link. Before it arrives for the first time, it is
// duplicated as often as it arrives again.
func (w *recorded) take(r *netem.Record, arrival explore.Step) {
	on := ends{r.From, r.Who}
	i := slices.IndexFunc(w.links[on], func(m underWay) bool { return m.number == r.Number })
	if i < 0 {
		return // it was not sent: the player says so
	}
	duplicate := explore.Step{What: explore.Duplicate, Who: r.Who, From: r.From, Message: arrival.Message, Sends: -1}
	for ; w.arrivals[r.Number] > 1; w.arrivals[r.Number]-- {
		w.steps = append(w.steps, duplicate)
		w.links[on] = slices.Insert(w.links[on], i, w.links[on][i])
	}
	w.links[on] = slices.Delete(w.links[on], i, i+1)
}

// mark notes that a message is to be lost, unless a copy of it arrives.
func (w *recorded) mark(r *netem.Record) {
	on := ends{r.From, r.Who}
	i := slices.IndexFunc(w.links[on], func(m underWay) bool { return m.number == r.Number })
	if i >= 0 && w.arrivals[r.Number] == 0 {
		w.links[on][i].lost = true
		w.losing = append(w.losing, on)
	}
}

// lose loses the marked messages. One that prints as an earlier one on its link waits for that,
// because the player would lose the earlier one; at the end of the run it makes no difference.
func (w *recorded) lose(end bool) {
	w.losing = slices.DeleteFunc(w.losing, func(on ends) bool {
		earlier, waits := map[string]bool{}, false
		w.links[on] = slices.DeleteFunc(w.links[on], func(m underWay) bool {
			if m.lost && (end || !earlier[m.text]) {
				w.steps = append(w.steps, explore.Step{What: explore.Lose, Who: on.to, From: on.from, Message: m.text, Sends: -1})
				return true
			}
			earlier[m.text], waits = true, waits || m.lost
			return false
		})
		return !waits
	})
}

// crash adds a crash: to the last step of the process if it came in the middle of that. The
// network records the crash of a process that is dead from the start.
func (w *recorded) crash(r *netem.Record) {
	last, acted := w.last[r.Who]
	switch {
	case w.down[r.Who]:
		return
	case r.Amid && acted:
		w.steps[last.index].Sends = last.sent
	default:
		if w.begun {
			w.lose(false)
		}
		w.steps = append(w.steps, explore.Step{What: explore.Crash, Who: r.Who, Sends: -1})
	}
	w.down[r.Who] = true
	if !w.restarts {
		for on := range w.links {
			if on.to == r.Who {
				delete(w.links, on)
			}
		}
	}
}
