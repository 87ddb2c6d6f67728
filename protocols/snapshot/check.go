package snapshot

import (
	"fmt"
	"time"

	"bullring/protocols"
)

// Checker watches a run with one snapshot and judges the snapshot (Chandy & Lamport, ACM
// TOCS 3(1), 1985, sections 3 and 4):
//
//	consistent  no message is recorded as received and not as sent; a channel holds as
//	            many messages as were sent before its sender recorded and not received
//	            before its receiver did
//	conserved   the recorded states and channels hold all that the application conserves
//	complete    a snapshot that was begun is complete in the end
//
// The caller tells it about processes after every step, with the instant.
type Checker struct {
	total   int64 // what the application conserves
	parts   []Part
	open    int // the number of incomplete parts
	begun   bool
	crashed bool
	broken  string // how "consistent" broke
	lost    string // how "conserved" broke

	// For reports alone: no part of the state of a run.
	at      []time.Duration   `explore:"-"` // when each process recorded
	done    time.Duration     `explore:"-"` // when the last part was complete
	changes int               `explore:"-"`
	broke   [2]protocols.Step `explore:"-"` // the steps that broke them
}

// NewChecker returns a checker of n processes. The application conserves total.
func NewChecker(n int, total int64) *Checker {
	return &Checker{total: total, parts: make([]Part, n), open: n, at: make([]time.Duration, n)}
}

// Stepped tells the progress of a process.
func (c *Checker) Stepped(p protocols.ID, r Recorder, now time.Duration) {
	was, is := c.parts[p].Progress, r.Progress()
	if is == was {
		return
	}
	c.changes++
	before := c.parts[p]
	c.parts[p] = r.Part()
	if is.Recorded && !was.Recorded {
		c.begun = true
		c.at[p] = now
	}
	c.judge(p, before, now)
	if is.Complete && !was.Complete {
		c.open--
		c.done = now
		if c.open == 0 {
			c.balance(p, now)
		}
	}
}

// Crashed tells that a process stopped.
func (c *Checker) Crashed(protocols.ID, time.Duration) { c.crashed = true }

// judge compares the records of a process with those of its neighbours. When it has recorded its
// state before, only channels that have been closed since have anything new.
func (c *Checker) judge(p protocols.ID, before Part, now time.Duration) {
	if !c.parts[p].Recorded {
		return
	}
	for i, here := range c.parts[p].Channels {
		if before.Recorded && i < len(before.Channels) && here.Closed == before.Channels[i].Closed {
			continue
		}
		for _, there := range c.parts[here.Peer].Channels {
			if there.Peer == p {
				c.compare(p, here.Peer, here, there, p, now)
				c.compare(here.Peer, p, there, here, p, now)
			}
		}
	}
}

// compare judges the channel from q to p by their records of it.
func (c *Checker) compare(p, q protocols.ID, to, from Channel, by protocols.ID, now time.Duration) {
	if c.broken != "" || !c.parts[p].Recorded || !c.parts[q].Recorded {
		return
	}
	switch pending := from.Sent - to.Received; {
	case pending < 0:
		c.broken = fmt.Sprintf("process %d recorded %d messages from process %d as received, which recorded %d as sent", p, to.Received, q, from.Sent)
	case to.Closed && to.Recorded != pending:
		c.broken = fmt.Sprintf("the channel from process %d to process %d was recorded with %d messages, and had %d", q, p, to.Recorded, pending)
	default:
		return
	}
	c.broke[0] = protocols.Step{Process: by, At: now, Change: c.changes}
}

// balance adds up a complete snapshot.
func (c *Checker) balance(p protocols.ID, now time.Duration) {
	if sum := c.Sum(); sum != c.total {
		c.lost = fmt.Sprintf("the snapshot holds %d, and should hold %d", sum, c.total)
		c.broke[1] = protocols.Step{Process: p, At: now, Change: c.changes}
	}
}

// Sum is the value of all recorded states and channels.
func (c *Checker) Sum() int64 {
	sum := int64(0)
	for _, part := range c.parts {
		sum += part.Value
		for _, ch := range part.Channels {
			sum += ch.Value
		}
	}
	return sum
}

// InChannels is the number of messages recorded as under way.
func (c *Checker) InChannels() int {
	count := 0
	for _, part := range c.parts {
		for _, ch := range part.Channels {
			count += ch.Recorded
		}
	}
	return count
}

// Right reports whether "consistent" and "conserved" hold so far.
func (c *Checker) Right() bool { return c.broken == "" && c.lost == "" }

// Progress is the progress of a process, after its last step.
func (c *Checker) Progress(p protocols.ID) Progress { return c.parts[p].Progress }

// Idle reports whether no process has begun a snapshot, and none has crashed.
func (c *Checker) Idle() bool { return !c.begun && !c.crashed }

// Complete reports whether all parts are complete.
func (c *Checker) Complete() bool { return c.open == 0 }

// Times are the instants at which processes recorded, by address, and at which the last
// part was complete. They are meaningless before the snapshot is complete.
func (c *Checker) Times() (recorded []time.Duration, complete time.Duration) { return c.at, c.done }

// Checks judges the run so far. At rest no event is left.
func (c *Checker) Checks(rest bool) []protocols.Check {
	checks := []protocols.Check{
		{Name: "consistent", Detail: "no message was recorded as received but not as sent, and channels hold the rest"},
		{Name: "conserved", Detail: fmt.Sprintf("the snapshot, with what had left the system by then, holds %d", c.total)},
		{Name: "complete", Detail: "every process has recorded its state and all its channels"},
	}
	consistent, conserved, complete := &checks[0], &checks[1], &checks[2]
	switch {
	case c.broken != "":
		consistent.Verdict, consistent.Detail, consistent.Broke = protocols.Violated, c.broken, &c.broke[0]
	case rest || c.open == 0:
		consistent.Verdict = protocols.Holds
	}
	switch {
	case c.lost != "":
		conserved.Verdict, conserved.Detail, conserved.Broke = protocols.Violated, c.lost, &c.broke[1]
	case c.open == 0:
		conserved.Verdict = protocols.Holds
	}
	switch {
	case c.open == 0:
		complete.Verdict = protocols.Holds
	case !rest:
	case c.crashed:
		complete.Detail = "a process crashed"
	case !c.begun:
		complete.Detail = "no process began a snapshot"
	default:
		complete.Verdict, complete.Detail = protocols.Violated, fmt.Sprintf("%d processes have not recorded everything", c.open)
	}
	return checks
}
