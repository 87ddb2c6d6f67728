package snapshot_test

import (
	"slices"
	"testing"
	"time"

	"bullring/protocols"
	"bullring/protocols/snapshot"
)

const ms = time.Millisecond

// recorder is a process that has recorded what a test says.
type recorder struct{ part snapshot.Part }

func (r recorder) Progress() snapshot.Progress { return r.part.Progress }
func (r recorder) Part() snapshot.Part         { return r.part }

// of is a process that has recorded a value and its channels, with the progress that
// these make.
func of(value int64, channels ...snapshot.Channel) recorder {
	part := snapshot.Part{Value: value, Channels: channels}
	part.Recorded, part.Complete = true, true
	for _, ch := range channels {
		if ch.Closed {
			part.Closed++
		}
		part.Complete = part.Complete && ch.Closed
	}
	return recorder{part}
}

// between is a channel of which a process knows so many messages.
func between(peer protocols.ID, sent, received int) snapshot.Channel {
	return snapshot.Channel{Peer: peer, Sent: sent, Received: received}
}

// closed is a channel whose content is known.
func closed(ch snapshot.Channel, recorded int, value int64) snapshot.Channel {
	ch.Closed, ch.Recorded, ch.Value = true, recorded, value
	return ch
}

// Two processes have 10 and 5. Process 0 sends a message of 3 to process 1.
func TestVerdicts(t *testing.T) {
	const holds, violated, undecided = protocols.Holds, protocols.Violated, protocols.Undecided
	for _, c := range []struct {
		name                            string
		happens                         func(c *snapshot.Checker)
		unfinished                      bool
		consistent, conserved, complete protocols.Verdict
		detail                          string // of the check that is violated, or else of complete
		broke                           protocols.Step
	}{
		{name: "nobody begins", happens: func(*snapshot.Checker) {}, consistent: holds, conserved: undecided, complete: undecided, detail: "no process began a snapshot"},
		{name: "nobody has begun so far", happens: func(*snapshot.Checker) {}, unfinished: true, consistent: undecided, conserved: undecided, complete: undecided,
			detail: "every process has recorded its state and all its channels"},
		{name: "nothing was sent", happens: func(c *snapshot.Checker) {
			c.Stepped(0, of(10, closed(between(1, 0, 0), 0, 0)), ms)
			c.Stepped(1, of(5, closed(between(0, 0, 0), 0, 0)), 2*ms)
		}, consistent: holds, conserved: holds, complete: holds},
		{name: "all is recorded, and the run goes on", happens: func(c *snapshot.Checker) {
			c.Stepped(0, of(10, closed(between(1, 0, 0), 0, 0)), ms)
			c.Stepped(1, of(5, closed(between(0, 0, 0), 0, 0)), 2*ms)
		}, unfinished: true, consistent: holds, conserved: holds, complete: holds},
		{name: "a message is in the channel", happens: func(c *snapshot.Checker) {
			c.Stepped(0, of(7, closed(between(1, 1, 0), 0, 0)), ms)
			c.Stepped(1, of(5, between(0, 0, 0)), 2*ms)
			c.Stepped(1, of(5, closed(between(0, 0, 0), 1, 3)), 3*ms)
		}, consistent: holds, conserved: holds, complete: holds},
		{name: "a message was received before", happens: func(c *snapshot.Checker) {
			c.Stepped(1, of(8, closed(between(0, 0, 1), 0, 0)), ms)
			c.Stepped(0, of(7, closed(between(1, 1, 0), 0, 0)), 2*ms)
		}, consistent: holds, conserved: holds, complete: holds},
		{name: "a message was received and never sent", happens: func(c *snapshot.Checker) {
			c.Stepped(1, of(8, between(0, 0, 1)), ms)
			c.Stepped(0, of(10, between(1, 0, 0)), 2*ms)
		}, consistent: violated, conserved: undecided, complete: violated,
			detail: "process 1 recorded 1 messages from process 0 as received, which recorded 0 as sent", broke: protocols.Step{Process: 0, At: 2 * ms, Change: 2}},
		{name: "a message was received and never sent, seen by its receiver", happens: func(c *snapshot.Checker) {
			c.Stepped(0, of(10, between(1, 0, 0)), ms)
			c.Stepped(1, of(8, between(0, 0, 1)), 2*ms)
		}, unfinished: true, consistent: violated, conserved: undecided, complete: undecided,
			detail: "process 1 recorded 1 messages from process 0 as received, which recorded 0 as sent", broke: protocols.Step{Process: 1, At: 2 * ms, Change: 2}},
		{name: "the channel lacks a message", happens: func(c *snapshot.Checker) {
			c.Stepped(0, of(7, between(1, 1, 0)), ms)
			c.Stepped(1, of(5, closed(between(0, 0, 0), 0, 0)), 2*ms)
		}, consistent: violated, conserved: undecided, complete: violated,
			detail: "the channel from process 0 to process 1 was recorded with 0 messages, and had 1", broke: protocols.Step{Process: 1, At: 2 * ms, Change: 2}},
		{name: "an open channel may lack messages", happens: func(c *snapshot.Checker) {
			c.Stepped(0, of(7, between(1, 1, 0)), ms)
			c.Stepped(1, of(5, between(0, 0, 0)), 2*ms)
		}, consistent: holds, conserved: undecided, complete: violated, detail: "2 processes have not recorded everything"},
		{name: "the first mistake is told of", happens: func(c *snapshot.Checker) {
			c.Stepped(0, of(7, between(1, 1, 0)), ms)
			c.Stepped(1, of(5, closed(between(0, 0, 0), 0, 0)), 2*ms)
			c.Stepped(0, of(7, closed(between(1, 1, 9), 0, 0)), 3*ms)
		}, consistent: violated, conserved: violated, complete: holds,
			detail: "the channel from process 0 to process 1 was recorded with 0 messages, and had 1", broke: protocols.Step{Process: 1, At: 2 * ms, Change: 2}},
		{name: "a value is lost", happens: func(c *snapshot.Checker) {
			c.Stepped(0, of(7, closed(between(1, 1, 0), 0, 0)), ms)
			c.Stepped(1, of(5, closed(between(0, 0, 0), 1, 2)), 2*ms)
		}, consistent: holds, conserved: violated, complete: holds,
			detail: "the snapshot holds 14, and should hold 15", broke: protocols.Step{Process: 1, At: 2 * ms, Change: 2}},
		{name: "one records nothing", happens: func(c *snapshot.Checker) { c.Stepped(0, of(10, closed(between(1, 0, 0), 0, 0)), ms) },
			consistent: holds, conserved: undecided, complete: violated, detail: "1 processes have not recorded everything"},
		{name: "one records nothing, and crashed", happens: func(c *snapshot.Checker) {
			c.Stepped(0, of(10, closed(between(1, 0, 0), 0, 0)), ms)
			c.Crashed(1, 2*ms)
		}, consistent: holds, conserved: undecided, complete: undecided, detail: "a process crashed"},
	} {
		checker := snapshot.NewChecker(2, 15)
		c.happens(checker)
		checks := checker.Checks(!c.unfinished)
		told := checks[2]
		for _, check := range []protocols.Check{checks[1], checks[0]} {
			if check.Verdict == violated {
				told = check
			}
		}
		if checks[0].Name != "consistent" || checks[0].Verdict != c.consistent || checks[1].Name != "conserved" || checks[1].Verdict != c.conserved ||
			checks[2].Name != "complete" || checks[2].Verdict != c.complete {
			t.Errorf("%s: %+v; want %v, %v, %v", c.name, checks, c.consistent, c.conserved, c.complete)
		}
		if c.detail != "" && told.Detail != c.detail {
			t.Errorf("%s: %q, want %q", c.name, told.Detail, c.detail)
		}
		if broke := told.Broke; (broke != nil) != (c.broke != protocols.Step{}) || broke != nil && *broke != c.broke {
			t.Errorf("%s: broken at %+v, want %+v", c.name, broke, c.broke)
		}
		if right := checks[0].Verdict != violated && checks[1].Verdict != violated; checker.Right() != right {
			t.Errorf("%s: right is %v", c.name, checker.Right())
		}
		if checker.Complete() != (checks[2].Verdict == holds) {
			t.Errorf("%s: complete is %v", c.name, checker.Complete())
		}
	}
}

// What is told of a snapshot: sums, messages in channels, and instants. A step that
// records nothing new changes none of them.
func TestWhatIsRecorded(t *testing.T) {
	c := snapshot.NewChecker(2, 15)
	c.Stepped(0, recorder{}, ms)
	c.Stepped(0, of(7, closed(between(1, 1, 0), 0, 0)), 2*ms)
	c.Stepped(1, of(5, between(0, 0, 0)), 3*ms)
	c.Stepped(1, of(5, closed(between(0, 0, 0), 1, 3)), 4*ms)
	c.Stepped(1, of(99, closed(between(0, 0, 0), 1, 3)), 5*ms)
	if c.Sum() != 15 || c.InChannels() != 1 {
		t.Errorf("a sum of %d, %d in channels", c.Sum(), c.InChannels())
	}
	if at, done := c.Times(); !slices.Equal(at, []time.Duration{2 * ms, 3 * ms}) || done != 4*ms {
		t.Errorf("recorded at %v, complete at %v", at, done)
	}
	if got := c.Progress(1); got != (snapshot.Progress{Recorded: true, Closed: 1, Complete: true}) {
		t.Errorf("%+v", got)
	}
}

// Of three processes, each channel is compared with its own other end.
func TestEachChannelHasTwoEnds(t *testing.T) {
	c := snapshot.NewChecker(3, 30)
	c.Stepped(0, of(9, closed(between(1, 1, 0), 0, 0), closed(between(2, 0, 0), 0, 0)), ms)
	c.Stepped(1, of(10, closed(between(0, 0, 0), 1, 1), closed(between(2, 0, 0), 0, 0)), 2*ms)
	c.Stepped(2, of(10, closed(between(0, 0, 0), 0, 0), closed(between(1, 0, 0), 0, 0)), 3*ms)
	if !c.Right() || !c.Complete() {
		t.Errorf("%+v", c.Checks(true))
	}
}

type worth int64

func (w worth) Value() int64 { return int64(w) }

func TestValueOf(t *testing.T) {
	if snapshot.ValueOf(worth(7)) != 7 || snapshot.ValueOf(7) != 0 {
		t.Errorf("%d, %d", snapshot.ValueOf(worth(7)), snapshot.ValueOf(7))
	}
}
