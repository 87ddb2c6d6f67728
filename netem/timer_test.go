package netem_test

import (
	"strings"
	"testing"
	"time"

	"bullring/des"
	"bullring/netem"
	"bullring/protocols"
)

// timers runs one process on a ring of one, which acts on its timers at the given instants (in
// ms).
func timers(t *testing.T, plan map[int]func(n node), expired func(n node, label protocols.Timer)) *diary {
	t.Helper()
	d := &diary{}
	d.net = netem.New(lockstep(netem.Ring(1)), all(script{
		start: func(n node) { plan[int(time.Duration(d.net.Now())/ms)](n) },
		timeout: func(n node, label protocols.Timer) {
			d.write("timer %d", label)
			if expired != nil {
				expired(n, label)
			}
		},
	}))
	for k := range plan {
		d.net.StartAt(0, at(k))
	}
	finish(t, d.net)
	return d
}

func TestTimersExpireOnceAndInOrder(t *testing.T) {
	timers(t, map[int]func(n node){0: func(n node) {
		n.SetTimer(3, 2*ms)
		n.SetTimer(1, 5*ms)
		n.SetTimer(-7, 2*ms) // a transformer's
		n.SetTimer(2, 0)
	}}, nil).want(t, "0s: timer 2", "2ms: timer 3", "2ms: timer -7", "5ms: timer 1")
}

// TestLateTimers: a timer expires later by what Config.Late says, and on its instant if it is nil.
func TestLateTimers(t *testing.T) {
	for _, late := range []time.Duration{0, 5 * ms} {
		var expired des.Time
		var net *netem.Network[note]
		cfg := netem.Config{}
		if late > 0 {
			cfg.Late = des.Constant(late)
		}
		net = pair(cfg, &script{
			start:   func(n node) { n.SetTimer(1, 10*ms) },
			timeout: func(node, protocols.Timer) { expired = net.Now() },
		})
		net.StartAt(0, 0)
		finish(t, net)
		if expired != at(10).Add(late) {
			t.Errorf("late by %v: it expires at %v", late, expired)
		}
	}
}

// There is one timer for a label. Only its last setting expires, earlier or later than the one
// before, and as the latest of its instant.
func TestTimerIsRearmed(t *testing.T) {
	timers(t, map[int]func(n node){
		0: func(n node) {
			n.SetTimer(1, 5*ms)
			n.SetTimer(2, 5*ms)
			n.SetTimer(3, 9*ms)
			n.SetTimer(4, 3*ms)
		},
		1: func(n node) { n.SetTimer(1, 4*ms) }, // the same instant, set later
		2: func(n node) { n.SetTimer(4, 8*ms) }, // put off
		3: func(n node) { n.SetTimer(3, 1*ms) }, // brought forward
	}, nil).want(t, "4ms: timer 3", "5ms: timer 2", "5ms: timer 1", "10ms: timer 4")
}

func TestTimerIsRearmedWhenItExpires(t *testing.T) {
	count := 0
	timers(t, map[int]func(n node){0: func(n node) { n.SetTimer(1, ms) }}, func(n node, label protocols.Timer) {
		if count++; count < 4 {
			n.SetTimer(label, time.Duration(count-1)*ms)
		}
	}).want(t, "1ms: timer 1", "1ms: timer 1", "2ms: timer 1", "4ms: timer 1")
}

func TestTimerIsStopped(t *testing.T) {
	timers(t, map[int]func(n node){
		0: func(n node) {
			n.StopTimer(8) // was never set
			n.SetTimer(1, 2*ms)
			n.SetTimer(2, 4*ms)
			n.SetTimer(3, 5*ms)
			n.SetTimer(4, 3*ms)
		},
		1: func(n node) { n.StopTimer(1); n.StopTimer(1); n.StopTimer(3) },
		4: func(n node) { n.StopTimer(2); n.SetTimer(3, 3*ms) }, // at the instant of its expiry, and again after a stop
	}, func(n node, label protocols.Timer) { n.StopTimer(label) }).want(t, "3ms: timer 4", "7ms: timer 3")
}

// An answer that arrives exactly when its timeout expires can still stop the timer.
func TestAnswerAtTheTimeoutIsInTime(t *testing.T) {
	for _, stop := range []bool{true, false} {
		d := &diary{}
		d.net = netem.New(lockstep(netem.Complete(2)), all(script{
			start: func(n node) {
				n.SetTimer(0, 2*ms)
				n.Send(1, note{})
			},
			receive: func(n node, from protocols.ID, m note) {
				d.write("%d receives %v", n.ID(), m)
				switch {
				case !m.reply:
					n.Send(from, note{reply: true})
				case stop:
					n.StopTimer(0)
				}
			},
			timeout: func(n node, _ protocols.Timer) { d.write("%d gives up", n.ID()) },
		}))
		d.net.StartAt(0, 0)
		finish(t, d.net)
		want := []string{"1ms: 1 receives NOTE(0)", "2ms: 0 receives REPLY(0)", "2ms: 0 gives up"}
		if stop {
			want = want[:2]
		}
		d.want(t, want...)
	}
}

// A crash removes the timers. The new process begins with none, and may set timers of the same
// labels.
func TestCrashClearsTimers(t *testing.T) {
	for _, again := range []bool{false, true} {
		d := &diary{}
		d.net = netem.New(lockstep(netem.Ring(2)), func(id protocols.ID) protocols.Process[note] {
			r := &recoverer{recover: func(n node) {
				if again {
					n.SetTimer(1, 3*ms)
				}
			}}
			r.start = func(n node) {
				n.SetTimer(1, 5*ms)
				n.SetTimer(2, 6*ms)
			}
			r.timeout = func(n node, label protocols.Timer) { d.write("%d: timer %d", id, label) }
			return r
		})
		d.net.StartAt(0, 0)
		d.net.StartAt(1, 0)
		d.net.CrashAt(0, at(1))
		d.net.RestartAt(0, at(4))
		finish(t, d.net)
		want := []string{"5ms: 1: timer 1", "6ms: 1: timer 2"}
		if again {
			want = append(want, "7ms: 0: timer 1")
		}
		d.want(t, want...)
	}
}

func TestTimersDoNotRunBackwards(t *testing.T) {
	net := netem.New(lockstep(netem.Ring(1)), all(script{start: func(n node) { n.SetTimer(5, -ms) }}))
	net.StartAt(0, 0)
	if got := panicOf(func() { net.Run(t.Context()) }); !strings.Contains(got, "process 0 sets timer 5 to -1ms") {
		t.Errorf("panics with %q", got)
	}
}
