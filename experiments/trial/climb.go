package trial

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"bullring/experiments/trial/predicate"
	"bullring/internal/pattern"
	"bullring/internal/value"
	"bullring/netem"
	"bullring/protocols"
)

// Climb watches a run for its level: the largest value so far of one number, which a rare event is
// split by. It is for one run at a time.
type Climb struct {
	Of   Level
	Stop int64 // the run ends when its level is as large as that; 0 is never

	Passages  []Passage // each level that was larger than those before, in order
	run       climbed
	crashes   int64 // so far
	processes []any // of the algorithm, by address

	// Of a level that is worked out from the states of processes.
	reader *predicate.Reader
	number *predicate.Number // nil of other levels
	values [][]string        // by address; nil of a process that is not there
	stale  bool              // the values have changed since the level was worked out
	liars  []protocols.ID    // count as processes that are not there
}

// NewClimb returns what watches runs of an instance, and of others that differ in the seed alone, for a
// level. It fails if the level is to be worked out from the states of processes, and cannot be.
func NewClimb(in *Instance, of Level) (*Climb, error) {
	c := &Climb{Of: of}
	if !of.IsWorkedOut() {
		return c, nil
	}
	c.reader, c.liars = readerOf(in, nil), in.LyingProcesses()
	var err error
	if c.number, err = c.reader.ParseNumber(string(of)); err != nil {
		return nil, fmt.Errorf("level %q: %w", of, err)
	}
	return c, nil
}

// Passage is when a run came to a level: after so many events.
type Passage struct {
	Level int64
	After uint64
}

// Level names a number of a run. It is one of those below, or a field of processes: then the largest counts.
// Or it is worked out from the states of processes, such as count(inside): see package predicate.
type Level string

// IsWorkedOut reports whether the level is worked out from the states of processes.
func (l Level) IsWorkedOut() bool {
	return strings.Contains(string(l), "(") || addressed().MatchString(string(l))
}

// addressed begins a level that names a process.
var addressed = pattern.Of(`^p[0-9]+\.`)

// The levels that are no fields of processes.
const (
	LevelTime     Level = "time"     // of the latest event so far, in nanoseconds
	LevelDraws    Level = "draws"    // random choices of processes
	LevelLost     Level = "lost"     // messages that links or faults have lost
	LevelCrashes  Level = "crashes"  // of processes, those that are dead from the start included
	LevelMessages Level = "messages" // sent
)

// read reads the level if it is no field of processes; ok is false if it is one.
func (c *Climb) read() (v int64, ok bool) {
	switch c.Of {
	case LevelTime:
		return int64(c.run.Now()), true
	case LevelDraws:
		return int64(c.run.Counters().Draws), true
	case LevelLost:
		counters := c.run.Counters()
		return int64(counters.Lost + counters.Cut), true
	case LevelCrashes:
		return c.crashes, true
	case LevelMessages:
		return int64(c.run.Counters().Messages()), true
	}
	return 0, false
}

// climbed is a run that is watched for a level.
type climbed interface {
	running
	Events() uint64
	Counters() netem.Counters
}

// Highest is the level of the run, 0 if it has come to none.
func (c *Climb) Highest() int64 {
	if len(c.Passages) == 0 {
		return 0
	}
	return c.Passages[len(c.Passages)-1].Level
}

// Levels are the names of the levels of the last run: those of any run, and the fields of its processes.
func (c *Climb) Levels() []string {
	names := []string{string(LevelTime), string(LevelDraws), string(LevelLost), string(LevelCrashes), string(LevelMessages)}
	for _, p := range c.processes {
		for _, size := range value.Sizes(p) {
			if !slices.Contains(names, size.Name) {
				names = append(names, size.Name)
			}
		}
	}
	return names
}

// begin begins to watch a run of n processes.
func (c *Climb) begin(n int) {
	c.Passages, c.crashes = c.Passages[:0], 0
	c.processes = slices.Grow(c.processes[:0], n)[:n]
	clear(c.processes)
	c.values = slices.Grow(c.values[:0], n)[:n]
	clear(c.values)
}

// made notes the process of an address, before it starts or restarts.
func (c *Climb) made(p protocols.ID, process any) {
	c.processes[p] = process
	c.note(p)
}

// note notes the state of a process, as far as the level needs it.
func (c *Climb) note(p protocols.ID) {
	if c.number == nil || slices.Contains(c.liars, p) {
		return
	}
	if now := c.reader.Values(c.processes[p]); c.values[p] == nil || !slices.Equal(now, c.values[p]) {
		c.values[p], c.stale = now, true
	}
}

// crash notes a crash.
func (c *Climb) crash(p protocols.ID) {
	c.crashes++
	c.values[p], c.stale = nil, true
}

// look looks at the level after a step of a process, or its crash.
func (c *Climb) look(p protocols.ID) {
	level, known := c.read()
	switch {
	case known:
	case c.number != nil && c.stale:
		level, known = c.number.Value(c.values)
		c.stale = false
	case c.number != nil:
	default:
		level, known = value.SizeOf(c.processes[p], string(c.Of))
	}
	if known {
		c.pass(level)
	}
}

// finish looks at the level at the end of a run, whose last events may be no steps, such as losses. A limit
// on time is no event.
func (c *Climb) finish() {
	if level, known := c.read(); known && c.Of != LevelTime {
		c.pass(level)
	}
}

// pass notes a level that is larger than those before.
func (c *Climb) pass(level int64) {
	if level <= c.Highest() {
		return
	}
	c.Passages = append(c.Passages, Passage{level, c.run.Events()})
	if c.Stop > 0 && level >= c.Stop {
		c.run.Stop()
	}
}

// Parse reads a value of the level: a duration, or a whole number.
func (l Level) Parse(text string) (v int64, err error) {
	if l == LevelTime {
		var d time.Duration
		d, err = time.ParseDuration(text)
		v = int64(d)
	} else {
		v, err = strconv.ParseInt(text, 10, 64)
	}
	if err != nil || v <= 0 {
		return 0, fmt.Errorf("level %s of %q; it takes %s above 0", l, text, map[bool]string{true: "a duration", false: "a whole number"}[l == LevelTime])
	}
	return v, nil
}

// Text is a value of the level as text.
func (l Level) Text(v int64) string {
	if l == LevelTime {
		return time.Duration(v).String()
	}
	return strconv.FormatInt(v, 10)
}

// climbing looks at the level of a run after each step and crash.
type climbing struct {
	netem.Observer
	climb *Climb
}

func (o climbing) Started(p protocols.ID) {
	o.Observer.Started(p)
	o.climb.note(p)
	o.climb.look(p)
}

func (o climbing) Stepped(p protocols.ID) {
	o.Observer.Stepped(p)
	o.climb.note(p)
	o.climb.look(p)
}

func (o climbing) Restarted(p protocols.ID) {
	o.Observer.Restarted(p)
	o.climb.note(p)
	o.climb.look(p)
}

func (o climbing) Crashed(p protocols.ID) {
	o.Observer.Crashed(p)
	o.climb.crash(p)
	o.climb.look(p)
}
