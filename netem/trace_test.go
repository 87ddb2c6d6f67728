package netem_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"bullring/internal/golden"
	"bullring/netem"
	"bullring/protocols"
)

// TestGoldenTrace is a run that a reader can follow: a token goes round a ring of three. One
// process watches, gives up, and starts the token again; its successor crashes while the token is
// under way, and restarts.
func TestGoldenTrace(t *testing.T) {
	passed := make([]int, 3)
	net := netem.New(lockstep(netem.Ring(3)), func(id protocols.ID) protocols.Process[note] {
		passed[id] = 0
		r := &recoverer{recover: func(n node) { n.Send(n.Neighbor(0), note{reply: true}) }}
		start := func(n node) {
			n.Send(n.Neighbor(0), note{x: 1})
			n.SetTimer(1, 4*ms)
		}
		r.start = start
		r.timeout = func(n node, _ protocols.Timer) { start(n) }
		r.receive = func(n node, _ protocols.ID, m note) {
			passed[id]++
			switch {
			case m.reply:
				n.Send(n.ID(), note{x: 0})
			case m.x == 0:
			case n.ID() == 0 && m.x > 5:
				n.StopTimer(1)
			default:
				if n.ID() == 0 {
					n.SetTimer(1, 4*ms)
				}
				n.Send(n.Neighbor(0), note{x: m.x + 1})
			}
		}
		return r
	})
	var text strings.Builder
	net.Trace(netem.TextTrace(&text, func(id protocols.ID) string {
		if passed[id] == 0 {
			return ""
		}
		return fmt.Sprintf("received %d", passed[id])
	}))
	net.StartAt(0, 0)
	net.CrashAt(1, at(4))
	net.RestartAt(1, at(6))
	finish(t, net)
	golden.Check(t, "ring3.txt", []byte(text.String()))
}

// recorder keeps the records of a run.
type recorder []netem.Record

func (r *recorder) Record(x netem.Record) { *r = append(*r, x) }

// named is a script whose timer 1 has a name.
type named struct{ script }

func (*named) TimerName(t protocols.Timer) string {
	if t == 1 {
		return "answer"
	}
	return ""
}

func TestTimersHaveNames(t *testing.T) {
	var text strings.Builder
	net := netem.New(lockstep(netem.Ring(2)), func(id protocols.ID) protocols.Process[note] {
		waits := script{start: func(n node) {
			n.SetTimer(1, ms)
			n.SetTimer(2, ms)
		}}
		if id == 0 {
			return &named{waits}
		}
		return &waits
	})
	net.Trace(netem.TextTrace(&text, nil))
	net.StartAt(0, 0)
	net.StartAt(1, 0)
	finish(t, net)
	want := `
          0s  start   0
          0s  start   1
         1ms  timeout 0  timer 1 (answer)
         1ms  timeout 0  timer 2
         1ms  timeout 1  timer 1
         1ms  timeout 1  timer 2
`
	if got := "\n" + text.String(); got != want {
		t.Errorf("got%s\nwant%s", got, want)
	}
}

func TestRecords(t *testing.T) {
	var got recorder
	net := netem.New(lockstep(netem.Complete(3)), all(script{
		start: func(n node) {
			n.Send(1, note{x: 7})
			n.Send(2, note{reply: true})
			n.SetTimer(-4, ms)
		},
	}))
	net.Trace(&got)
	net.CrashAt(2, 0)
	net.StartAt(2, 0) // is dead: nothing happens, and nothing is told
	net.StartAt(0, 0)
	net.RestartAt(2, at(2))
	finish(t, net)
	want := recorder{
		{What: "crash", Who: 2},
		{What: "start", Who: 0, Sent: []netem.Sent{{To: 1, Message: note{x: 7}, Number: 1}, {To: 2, Message: note{reply: true}, Number: 2}}},
		{At: at(1), What: "deliver", Who: 1, From: 0, Message: note{x: 7}, Number: 1},
		{At: at(1), What: "lost", Who: 2, From: 0, Message: note{reply: true}, Number: 2},
		{At: at(1), What: "timeout", Who: 0, Timer: -4},
		{At: at(2), What: "restart", Who: 2},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("told\n%+v\nwant\n%+v", got, want)
	}
}
