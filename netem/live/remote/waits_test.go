package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"testing"
	"time"

	"bullring/netem"
	"bullring/netem/live"
	"bullring/protocols"
)

// scripted is a host whose nodes say at once what the coordinator waits for. Something happens to
// the node of process 1 when it is told a certain thing in a certain life.
type scripted struct {
	t      *testing.T
	mail   *mailbox[*news]
	lives  []int
	what   string // killed, vanished or silent
	at     string // the command
	life   int
	struck bool
}

// Write takes an order of the coordinator.
func (h *scripted) Write(line []byte) (int, error) {
	var o order
	if err := json.Unmarshal(bytes.TrimSpace(line), &o); err != nil {
		h.t.Error(err)
	}
	if h.struck && h.what != "killed" {
		return len(line), nil
	}
	switch o.What {
	case "spawn":
		h.lives[o.Who]++
	case "kill":
		h.end(o.Who)
	case "tell":
		if o.Who == 1 && h.lives[1] == h.life && o.Line.What == h.at && !h.struck {
			h.struck = true
			switch h.what {
			case "killed":
				h.end(1)
			case "vanished":
				h.mail.put(nil)
			}
		} else if !(h.struck && o.Who == 1) {
			h.answer(o.Who, o.Line)
		}
	}
	return len(line), nil
}

// answer says what a node says when it is told something.
func (h *scripted) answer(who protocols.ID, c *command) {
	say := func(r report) { h.mail.put(&news{Who: who, Line: &r}) }
	step := func(what string, clock uint64) {
		text, err := live.MarshalStep(&live.Step{Record: netem.Record{What: what, Who: who}, Clock: clock})
		if err != nil {
			h.t.Error(err)
		}
		say(report{What: "step", Step: text})
	}
	switch c.What {
	case "listen":
		say(report{What: "listens", Addr: fmt.Sprint(who, h.lives[who])})
	case "peer":
		say(report{What: "linked", Who: c.Who, Addr: c.Addr})
	case "start":
		if c.Initiator {
			step("start", 1)
		}
		say(report{What: "started"})
	case "restart":
		step("restart", c.Floor+1)
	}
}

// end ends a node. Its neighbours notice that its connections end.
func (h *scripted) end(who protocols.ID) {
	h.mail.put(&news{Who: who, Ended: true, Killed: true})
	for p := range protocols.ID(len(h.lives)) {
		if p != who {
			h.mail.put(&news{Who: p, Line: &report{What: "gone", Who: who}})
		}
	}
}

// next is the next news, as a member reads them.
func (h *scripted) next() func() (*news, error) {
	var some []*news
	return func() (*news, error) {
		for len(some) == 0 {
			select {
			case <-h.mail.some:
				some = h.mail.take()
			case <-h.t.Context().Done():
				return nil, io.EOF
			}
		}
		n := some[0]
		some = some[1:]
		if n == nil {
			return nil, io.EOF
		}
		return n, nil
	}
}

// patience is far above the time that a coordinator takes here, unless it hangs.
const patience = 30 * time.Second

// TestWaits: whatever the coordinator waits for, it goes on if the node is killed, if its host
// vanishes, and at its limit if the host says nothing more.
func TestWaits(t *testing.T) {
	for life, instants := range [][]string{{"job", "listen", "peer", "start"}, {"job", "listen", "peer", "restart"}} {
		for _, at := range instants {
			for _, what := range []string{"killed", "vanished", "silent"} {
				t.Run(fmt.Sprintf("%s at %s of life %d", what, at, life+1), func(t *testing.T) {
					t.Parallel()
					h := &scripted{t: t, mail: newMailbox[*news](), lives: make([]int, 3), what: what, at: at, life: life + 1}
					h.test(life == 0 && at != "start")
				})
			}
		}
	}
}

// test makes a run with the host. before tells that the node is struck before it begins.
func (h *scripted) test(before bool) {
	c := configure(h.t, setting{"walker", 3})
	c.Hosts, c.Launch, c.Limit, c.Quiet = []string{"nowhere"}, time.Minute, time.Minute, 20*time.Millisecond
	if h.what == "silent" {
		c.Launch, c.Limit = 200*time.Millisecond, 200*time.Millisecond
	}
	if h.life > 1 {
		c.Faults = []Fault{{Who: 1, At: time.Millisecond}, {Who: 1, At: 2 * time.Millisecond, Restart: true}}
	}
	ctx, cancel := context.WithTimeout(h.t.Context(), patience)
	defer cancel()
	mail, g := newMailbox[event](), &member{out: &writer{w: h}, next: h.next()}
	go g.follow(0, mail)
	rec, err := newCoordinator(c, []*member{g}, mail).run(ctx)
	if !h.struck {
		h.t.Fatal("the run ended before the node was told that")
	}
	begins := h.what == "killed" || h.life == 2
	want := map[string]live.End{"killed": live.Rest, "vanished": live.Silence, "silent": live.OutOfTime}[h.what]
	switch {
	case ctx.Err() != nil:
		h.t.Errorf("the coordinator waits: %v", err)
	case begins != (err == nil):
		h.t.Errorf("error %v; the run should begin: %v", err, begins)
	case begins && rec.End != want:
		h.t.Errorf("%v (%v), not %v", rec.End, rec.Failed, want)
	case h.what == "killed":
		var crashes []uint64
		for _, s := range rec.Steps {
			if s.What == "crash" && s.Who == 1 {
				crashes = append(crashes, s.Clock)
			}
		}
		if len(crashes) != 1 || before != (crashes[0] == 0) {
			h.t.Errorf("crashes at clocks %d", crashes)
		}
	}
}

// TestKilledAsItStarts: an OS process that is killed at some instant of the start, or soon after, is
// a crash, and the others go on.
func TestKilledAsItStarts(t *testing.T) {
	for _, after := range []string{"0s", "500us", "1ms", "2ms", "5ms", "20ms"} {
		t.Run(after, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			rec, err := Run(ctx, configure(t, setting{"dies after " + after, 2}))
			if err != nil {
				t.Fatal(err)
			}
			balanced(t, rec)
			if !slices.ContainsFunc(rec.Steps, func(s live.Step) bool { return s.What == "crash" && s.Who == 1 }) {
				t.Error("nobody crashed")
			}
		})
	}
}
