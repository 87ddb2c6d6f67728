package live

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/box"
)

// waiter sends a word at its start, and waits for something when it gets one.
type waiter struct{ wait func() }

func (w waiter) Start(n protocols.Node[word]) { n.Send(n.Neighbor(0), "hello") }

func (w waiter) Receive(protocols.Node[word], protocols.ID, word) { w.wait() }

func (waiter) Timeout(protocols.Node[word], protocols.Timer) {}

// pair is a ring of two waiters; the first starts.
func pair(wait func()) Config {
	return Config{
		Topology: netem.Ring(2), Initiators: []protocols.ID{0}, Limit: time.Minute,
		Boot: func(protocols.ID) protocols.Process[box.Message] { return box.Wrap(waiter{wait}) },
	}
}

var errVain = errors.New("nothing came")

// late are the waits of a waiter that panics with errVain.
func late(panicked any) string {
	if panicked == errVain {
		return "it has waited in vain"
	}
	return ""
}

// A handler that has waited in vain ends the run, which says for what and lacks its step. Other panics are
// panics.
func TestWaitInVain(t *testing.T) {
	c := pair(func() { panic(errVain) })
	c.Waits.Late = late
	rec := mustRun(t, c)
	if rec.End != Late || rec.Failed != nil || !slices.Equal(rec.Stuck, []string{"it has waited in vain"}) || len(rec.Steps) != 1 {
		t.Errorf("%v, %v, %q after %d steps; want late after 1", rec.End, rec.Failed, rec.Stuck, len(rec.Steps))
	}
	c = pair(func() { panic("a mistake") })
	c.Waits.Late = late
	if rec := mustRun(t, c); rec.End != Panicked || rec.Stuck != nil || len(rec.Steps) != 2 {
		t.Errorf("%v, %q after %d steps; want a panic in step 2", rec.End, rec.Stuck, len(rec.Steps))
	}
}

// A handler that waits at the end of the run is told to wait no longer, and has returned when Run does.
func TestWaitIsCancelled(t *testing.T) {
	cancelled, returned := make(chan struct{}), false
	c := pair(func() {
		<-cancelled
		time.Sleep(50 * time.Millisecond)
		returned = true
		panic(errVain)
	})
	c.Limit, c.Waits = 50*time.Millisecond, Waits{Late: late, Cancel: func() { close(cancelled) }}
	rec := mustRun(t, c)
	if want := []string{"process 1 does not return from Receive(hello from 0)"}; !returned || rec.End != OutOfTime || !slices.Equal(rec.Stuck, want) || len(rec.Steps) != 1 {
		t.Errorf("returned %v; %v, %q after %d steps", returned, rec.End, rec.Stuck, len(rec.Steps))
	}
}

// A restart comes when it is prepared, and other processes go on until then. A second restart of the
// same process is the same one.
func TestRestartIsPrepared(t *testing.T) {
	prepared, crashed := 0, 0
	c := withPlan(t, pair(func() {}), "at 1ms crash 1; at 2ms restart 1; at 5ms restart 1; at 20ms start 0")
	c.Waits = Waits{
		Crashed: func(protocols.ID) { crashed++ },
		Prepare: func(protocols.ID) { prepared++; time.Sleep(100 * time.Millisecond) },
	}
	rec := mustRun(t, c)
	var order []string
	for _, s := range rec.Steps {
		if s.What == "crash" || s.What == "restart" || s.What == "start" && s.Wall > 10*time.Millisecond {
			order = append(order, s.What)
		}
	}
	if rec.End != Rest || prepared != 1 || crashed != 1 || !slices.Equal(order, []string{"crash", "start", "restart"}) {
		t.Errorf("%v, %d prepared, %d crashed, %q", rec.End, prepared, crashed, order)
	}
}

// A process that is to crash again while its restart is prepared stays down, unless it is to restart after that. One
// that is still prepared when the time is over is named.
func TestCrashDuringRestart(t *testing.T) {
	for _, test := range []struct {
		plan, order, stuck string
		limit              time.Duration
	}{
		{"at 1ms crash 1; at 2ms restart 1; at 5ms crash 1; at 6ms crash 1", "crash", "", 0},
		{"at 1ms crash 1; at 2ms restart 1; at 5ms crash 1; at 6ms restart 1", "crash restart", "", 0},
		{"at 1ms crash 1; at 2ms restart 1", "crash", "process 1 has not come back: its restart is being prepared", 50 * time.Millisecond},
	} {
		c := withPlan(t, pair(func() {}), test.plan)
		c.Limit = test.limit
		hang := 100 * time.Millisecond
		if test.limit > 0 {
			hang = 2 * time.Second
		}
		c.Waits = Waits{Crashed: func(protocols.ID) {}, Prepare: func(protocols.ID) { time.Sleep(hang) }}
		rec := mustRun(t, c)
		var order []string
		for _, s := range rec.Steps {
			if s.What == "crash" || s.What == "restart" {
				order = append(order, s.What)
			}
		}
		if got := strings.Join(order, " "); got != test.order || strings.Join(rec.Stuck, "; ") != test.stuck {
			t.Errorf("%s: %s, stuck %q", test.plan, got, rec.Stuck)
		}
	}
}
