package outside

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"bullring/faults"
	"bullring/netem/impair"
	"bullring/protocols"
)

// Script is a fault plan as a shell script.
type Script struct {
	N    int          // processes
	Plan faults.Plan  // without random lines
	Line *impair.Line // of all links from the beginning, nil for none
	Mode impair.Mode  // with which the notes compare the lines
	Read func(name string) ([]byte, error)
}

// moment is an instant at which a fault begins or ends.
type moment struct {
	at    time.Duration
	fault int
	what  change
}

// change is a beginning or an end of a fault. One that flaps goes up and down between its beginning and
// its end.
type change uint8

const (
	begins change = iota
	goesUp
	goesDown
	ends
)

// writer writes the steps of a script.
type writer struct {
	*Script
	b      strings.Builder
	active []int        // the faults that have begun and not ended
	up     map[int]bool // the active faults that flap and are up
	notes  impair.Notes
	said   int           // faults that the script has lines for
	lines  []string      // of faults, as checkedLines has them
	clock  time.Duration // the instant that the script has reached
}

// Text returns the script, and what it cannot say. It is "" if nothing of the plan and the line
// can be said. The error tells that a line of the plan is not valid.
func (s *Script) Text() (text string, notes impair.Notes, err error) {
	w := &writer{Script: s, up: map[int]bool{}}
	if w.lines, err = w.checkedLines(); err != nil {
		return "", w.notes, err
	}
	w.prepare()
	for _, m := range w.moments() {
		switch m.what {
		case begins:
			w.begin(m)
		case ends:
			w.end(m)
		default:
			w.flap(m)
		}
	}
	if w.said == 0 {
		return "", w.notes, nil
	}
	head, body := w.head(), w.b.String()
	return head + body + w.foot(), w.notes, nil
}

// checkedLines are the words for tc of the line of each fault, and at the end those of the line
// of all links. They are "" if there is none.
func (w *writer) checkedLines() ([]string, error) {
	words := make([]string, len(w.Plan)+1)
	for i, f := range w.Plan {
		if f.Kind != faults.Link {
			continue
		}
		line, err := impair.Parse(f.Line, w.Read)
		if err != nil {
			return nil, fmt.Errorf("fault %q: %w", f, err)
		}
		words[i] = w.words(line, f.String())
	}
	if w.Line != nil {
		words[len(w.Plan)] = w.words(w.Line, "link "+w.Line.String())
	}
	return words, nil
}

// words are the words for tc of a line, and of in the notes on it.
func (w *writer) words(line *impair.Line, of string) string {
	words, notes := line.TC(w.Mode)
	for _, list := range []struct{ to, from *[]string }{
		{&w.notes.Missing, &notes.Missing}, {&w.notes.Rounded, &notes.Rounded}, {&w.notes.Differs, &notes.Differs},
	} {
		for _, note := range *list.from {
			*list.to = append(*list.to, of+": "+note)
		}
	}
	return words
}

// moments are the beginnings and the ends of the faults that the script can say, in the order in
// which they happen.
func (w *writer) moments() []moment {
	var list []moment
	for i, f := range w.Plan {
		if f.Kind == faults.Never {
			continue
		}
		if why := w.impossible(i); why != "" {
			w.notes.Missing = append(w.notes.Missing, f.String()+": "+why)
			continue
		}
		w.said++
		begin := time.Duration(f.When.At)
		list = append(list, moment{begin, i, begins})
		if f.Up > 0 {
			for t := f.Down; t < f.For; t += f.Down + f.Up {
				list = append(list, moment{begin + t, i, goesUp}, moment{begin + t + f.Up, i, goesDown})
			}
		}
		if f.For > 0 {
			list = append(list, moment{begin + f.For, i, ends})
		}
	}
	slices.SortStableFunc(list, func(a, b moment) int { return cmp.Compare(a.at, b.at) })
	return list
}

// mostFlaps is the largest number of times for which a flapping fault is written out.
const mostFlaps = 1000

// impossible says why the script cannot say a fault; "" if it can.
func (w *writer) impossible(i int) string {
	f := w.Plan[i]
	switch {
	case f.When.On != faults.Beginning && f.When.On != faults.Instant:
		return "a script does not see the events of the algorithm"
	case f.Process == faults.Leader || f.From == faults.Leader || f.To == faults.Leader:
		return "a script does not know the leader"
	case f.Up > 0 && (f.For == 0 || f.For/(f.Up+f.Down) > mostFlaps):
		return fmt.Sprintf("a flapping fault needs an end within %d repetitions, as in for 1s", mostFlaps)
	}
	switch f.Kind {
	case faults.Crash:
		if f.Amid {
			return "kill does not count the messages that a process sends"
		}
		if f.With > 0 {
			return "a script draws no numbers, and this crash is drawn in the run"
		}
	case faults.Fail:
		return "a script draws no numbers, and these failures are drawn in the run"
	case faults.Start:
		return "no command wakes up a process"
	case faults.Slow:
		return "no command slows down the steps of a process"
	case faults.Clog, faults.Delay, faults.Duplicate:
		return "iptables only drops packets"
	case faults.Down, faults.Up:
		return "no command tells both ends of a link that it changes; cut is silent"
	case faults.Carry:
		return "no command brings a message past the network"
	case faults.Drop:
		if f.Message != "" || f.Count > 0 {
			return "iptables does not know the kinds and numbers of messages"
		}
	case faults.Link:
		if w.lines[i] == "" {
			return "tc can say nothing of the line"
		}
	case faults.ClockOffset, faults.ClockStep, faults.ClockDrift:
		return "processes of a machine share its clock"
	case faults.Lie, faults.Equivocate, faults.Byzantine:
		return "no command forges messages"
	}
	return ""
}

// begin writes the beginning of a fault.
func (w *writer) begin(m moment) {
	f := w.Plan[m.fault]
	w.step(m.at, f.String())
	switch f.Kind {
	case faults.Crash:
		w.say("crash %d", f.Process)
		if f.For > 0 {
			w.active = append(w.active, m.fault)
		}
		return
	case faults.Restart:
		w.revive(f.Process)
		return
	case faults.Join:
		w.endAll(func(g faults.Fault) bool { return g.Kind == faults.Leave && g.Process == f.Process }, false)
		w.revive(f.Process)
		return
	case faults.Resume:
		w.endAll(func(g faults.Fault) bool { return g.Kind == faults.Pause && g.Process == f.Process }, false)
		return
	case faults.Heal:
		w.endAll(func(g faults.Fault) bool { return severs(g) || g.Kind == faults.Link }, false)
		return
	case faults.HealAll:
		w.endAll(func(g faults.Fault) bool { return g.Kind != faults.Crash }, false)
		return
	}
	w.active = append(w.active, m.fault)
	switch f.Kind {
	case faults.Pause:
		w.say("pause %d", f.Process)
	case faults.Leave:
		w.say("crash %d", f.Process)
		w.drops(f, "-A")
	case faults.Link:
		w.reshape(f)
	default:
		w.drops(f, "-A")
	}
}

// end writes the end of a fault, unless another has ended it.
func (w *writer) end(m moment) {
	f := w.Plan[m.fault]
	if !slices.Contains(w.active, m.fault) {
		return
	}
	w.step(m.at, "end of "+f.String())
	w.finish(m.fault, true)
}

// flap writes that the links of a flapping fault are up again, or down again.
func (w *writer) flap(m moment) {
	f := w.Plan[m.fault]
	if !slices.Contains(w.active, m.fault) {
		return
	}
	w.up[m.fault] = m.what == goesUp
	if w.up[m.fault] {
		w.step(m.at, "up in "+f.String())
		w.drops(f, "-D")
	} else {
		w.step(m.at, "down in "+f.String())
		w.drops(f, "-A")
	}
}

// finish ends an active fault. A process that left is started again only at the end of that.
func (w *writer) finish(i int, revives bool) {
	f := w.Plan[i]
	w.active = slices.DeleteFunc(w.active, func(j int) bool { return i == j })
	switch f.Kind {
	case faults.Crash:
		w.revive(f.Process)
	case faults.Pause:
		again := func(j int) bool { return w.Plan[j].Kind == faults.Pause && w.Plan[j].Process == f.Process }
		if !slices.ContainsFunc(w.active, again) {
			w.say("resume %d", f.Process)
		}
	case faults.Link:
		w.reshape(f)
	case faults.Leave:
		w.drops(f, "-D")
		if revives {
			w.revive(f.Process)
		}
	default:
		if !w.up[i] {
			w.drops(f, "-D")
		}
	}
}

func (w *writer) endAll(which func(faults.Fault) bool, revives bool) {
	for _, i := range slices.Clone(w.active) {
		if which(w.Plan[i]) {
			w.finish(i, revives)
		}
	}
}

// severs reports whether heal ends a fault that drops packets.
func severs(f faults.Fault) bool {
	switch f.Kind {
	case faults.Partition, faults.Cut, faults.OmitSends, faults.OmitReceives, faults.Drop:
		return true
	}
	return false
}

func (w *writer) revive(p protocols.ID) { w.say("start %d", p) }

// drops adds or deletes the rules by which the receivers of a fault's links drop packets.
func (w *writer) drops(f faults.Fault, change string) {
	chance := ""
	if f.With > 0 {
		chance = fmt.Sprintf(" -m statistic --mode random --probability %.9f", f.With.Float())
	}
	for to := range protocols.ID(w.N) {
		for from := range protocols.ID(w.N) {
			if from != to && affects(f, from, to) {
				w.say("drop %s %d %d%s", change, from, to, chance)
			}
		}
	}
}

// affects reports whether packets of a link are dropped.
func affects(f faults.Fault, from, to protocols.ID) bool {
	switch f.Kind {
	case faults.Partition:
		if f.OneWay {
			return f.Groups[0].Has(from) && f.Groups[1].Has(to)
		}
		for _, group := range f.Groups {
			if group.Has(from) && group.Has(to) {
				return false
			}
		}
		return true
	case faults.Cut:
		return f.Links.Has(from, to)
	case faults.Leave:
		return from == f.Process || to == f.Process
	case faults.OmitSends:
		return from == f.Process
	case faults.OmitReceives:
		return to == f.Process
	}
	return (f.From == faults.Anyone || f.From == from) && (f.To == faults.Anyone || f.To == to)
}

// reshape gives the links of a fault the lines that they have now: that of the fault that began
// last, or that of all links.
func (w *writer) reshape(f faults.Fault) {
	for from := range protocols.ID(w.N) {
		for to := range protocols.ID(w.N) {
			if from != to && f.Links.Has(from, to) {
				w.say("%s", strings.TrimSpace(fmt.Sprintf("shape %d %d %s", from, to, w.lineOf(from, to))))
			}
		}
	}
}

func (w *writer) lineOf(from, to protocols.ID) string {
	for _, i := range slices.Backward(w.active) {
		if f := w.Plan[i]; f.Kind == faults.Link && f.Links.Has(from, to) {
			return w.lines[i]
		}
	}
	return w.lines[len(w.Plan)]
}

// step waits for an instant and says why.
func (w *writer) step(at time.Duration, why string) {
	if at > w.clock {
		w.say("\nat %d # %v", at.Nanoseconds(), at)
		w.clock = at
	}
	w.say("# %s", why)
}

func (w *writer) say(format string, args ...any) { fmt.Fprintf(&w.b, format+"\n", args...) }
