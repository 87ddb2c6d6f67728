package view

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"bullring/experiments/trial"
	"bullring/internal/value"
	"bullring/netem"
	"bullring/protocols"
)

const (
	timeColumn  = 12
	leastPitch  = 4 // from lane to lane
	mostPitch   = 18
	gap         = 3  // between the lanes and the text beside them
	leastBeside = 24 // the width of that text
)

// LanesColumns is the number of columns that so many lanes need at least.
func LanesColumns(n int) int { return timeColumn + 3 + (n-1)*leastPitch + gap + leastBeside }

// Lanes is a tracer that draws a run from top to bottom: each process is a lane, each event a
// row. A message is an arrow from the lane of its sender, in the row in which it arrives or is
// lost. The decision of the process stands beside its row.
type Lanes struct {
	to      io.Writer
	news    func(protocols.ID) string
	signs   signs
	n       int
	columns int
	pitch   int    // from lane to lane
	down    []bool // by address: the process has crashed
	time    string // of the row before
}

// NewLanes returns a tracer that draws the run of an instance in so many columns, and writes
// the heading. Without box characters it is plain ASCII. news says what a process has decided
// in a step.
func NewLanes(to io.Writer, in *trial.Instance, columns int, plain bool, news func(protocols.ID) string) *Lanes {
	l := &Lanes{to: to, news: news, signs: boxes, n: in.N, columns: columns, down: make([]bool, in.N)}
	if plain {
		l.signs = ascii
	}
	beside := max(leastBeside, columns/3)
	l.pitch = min(mostPitch, max(leastPitch, (columns-timeColumn-3-gap-beside)/max(1, in.N-1)))
	fmt.Fprintln(to, l.signs.legend())
	l.heading("process", func(p protocols.ID) string { return fmt.Sprint(p) })
	l.heading("identity", func(p protocols.ID) string { return fmt.Sprint(in.Ranks.At(p).ID) })
	return l
}

// heading writes a text over each lane, or one text after the other if one is wider than its
// lane.
func (l *Lanes) heading(name string, of func(protocols.ID) string) {
	texts, widest := make([]string, l.n), 0
	for p := range texts {
		texts[p] = of(protocols.ID(p))
		widest = max(widest, width(texts[p]))
	}
	text := strings.Join(texts, " ")
	if widest < l.pitch {
		for p, t := range texts {
			texts[p] = t + strings.Repeat(" ", l.pitch-width(t))
		}
		text = strings.Join(texts, "")
	}
	fmt.Fprintln(l.to, strings.TrimRight(fmt.Sprintf("%*s  %s", timeColumn, name, text), " "))
}

// lane is the column of the lane of a process.
func (l *Lanes) lane(p int) int { return timeColumn + 2 + p*l.pitch }

// Record implements netem.Tracer.
func (l *Lanes) Record(r netem.Record) {
	row, beside := l.lanes(), []string{}
	switch r.What {
	case "fault":
		from, to := 0, l.n-1
		if c := r.Change; c != nil {
			from, to = int(min(c.A, c.B)), int(max(c.A, c.B))
		}
		l.strike(row, from, to)
		l.line(r.When(), row, r.Note)
		return
	case "deliver", "lost", "damaged", "lose", "cut", "collide":
		if !l.arrow(row, &r) {
			beside = append(beside, message(&r))
		}
		beside = append(beside, strings.TrimSpace(fates[r.What]+" "+r.With()))
	case "linkup", "linkdown":
		beside = append(beside, fmt.Sprintf("%s %v", r.What, r.From))
		row.put(l.lane(int(r.Who)), l.signs.of["deliver"])
	case "timeout":
		beside = append(beside, "timer "+cmp.Or(r.Name, fmt.Sprint(r.Timer)))
		row.put(l.lane(int(r.Who)), l.signs.of[r.What])
	default:
		row.put(l.lane(int(r.Who)), l.signs.of[r.What])
	}
	if len(r.Choices) > 0 {
		beside = append(beside, "chooses "+strings.Trim(fmt.Sprint(r.Choices), "[]"))
	}
	if r.Panics {
		beside = append(beside, "PANICS")
	}
	beside = append(beside, l.news(r.Who))
	l.line(r.When(), row, beside...)
	if r.What == "crash" || r.What == "restart" {
		l.down[r.Who] = r.What == "crash"
	}
}

// fates tell what became of a message that was not handled.
var fates = map[string]string{
	"lost": "lost, receiver down", "damaged": "lost, damaged", "lose": "lost by the link", "cut": "lost by a fault",
	"collide": "collided",
}

func message(r *netem.Record) string { return value.OneLine(fmt.Sprint(r.Message)) }

// line writes a row with its time, and the texts that are not empty beside it. A long text
// goes on in rows of its own.
func (l *Lanes) line(time string, row row, beside ...string) {
	if time == l.time {
		time = ""
	} else {
		l.time = time
	}
	if width(time) > timeColumn {
		fmt.Fprintln(l.to, time)
		time = ""
	}
	row.put(0, strings.Repeat(" ", timeColumn-width(time))+time)
	var text []string
	for _, t := range beside {
		if t != "" {
			text = append(text, value.OneLine(t))
		}
	}
	room := l.columns - l.lane(l.n-1) - 1 - gap
	for i, part := range wrapped(strings.Join(text, "; "), room) {
		if i > 0 {
			row = l.lanes()
		}
		l.write(row, part)
	}
}

func (l *Lanes) write(row row, beside string) {
	fmt.Fprintln(l.to, strings.TrimRight(strings.Join(row, "")+strings.Repeat(" ", gap)+beside, " "))
}

// row is an empty row, as wide as the time and the lanes.
func (l *Lanes) row() row {
	row := make(row, l.lane(l.n-1)+1)
	for i := range row {
		row[i] = " "
	}
	return row
}

// lanes is a row in which nothing happens.
func (l *Lanes) lanes() row {
	row := l.row()
	for p, down := range l.down {
		sign := l.signs.lane
		if down {
			sign = l.signs.down
		}
		row.put(l.lane(p), sign)
	}
	return row
}

// strike draws a fault across the lanes from one process to another.
func (l *Lanes) strike(row row, from, to int) {
	for at := l.lane(from) + 1; at < l.lane(to); at++ {
		if row[at] == " " {
			row[at] = l.signs.fault
		}
	}
}

// arrow draws a message from its sender to its receiver, half of the way if the link or a
// fault lost it. It reports whether the text of the message found room on it.
func (l *Lanes) arrow(row row, r *netem.Record) (named bool) {
	from, to := l.lane(int(r.From)), l.lane(int(r.Who))
	end := l.signs.of[r.What]
	if from == to {
		row.put(to, end)
		return false
	}
	step, tail, head := 1, l.signs.fromLeft, l.signs.right
	if to < from {
		step, tail, head = -1, l.signs.fromRight, l.signs.left
	}
	if r.What == "lose" || r.What == "cut" {
		head = l.signs.line
		for to = (from + to) / 2; row[to] != " "; to -= step { // between two lanes
		}
	}
	row.put(from, tail)
	for at := from + step; at != to; at += step {
		if row[at] == " " {
			row[at] = l.signs.line
		} else {
			row[at] = l.signs.cross
		}
	}
	row.put(to-step, head)
	row.put(to, end)

	text := message(r)
	if width(text) > step*(to-from)-4 {
		return false
	}
	if step > 0 {
		row.put(from+2, text)
	} else {
		row.put(from-1-width(text), text)
	}
	return true
}
