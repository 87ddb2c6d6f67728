package lamport_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"time"

	"bullring/internal/golden"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/mutex"
	"bullring/protocols/mutex/internal/mutextest"
	"bullring/protocols/mutex/lamport"
)

var optimised = lamport.Config{Optimised: true}

func run(t *testing.T, n int, cfg lamport.Config, nw mutextest.Network) mutextest.Result {
	t.Helper()
	nw.Topology = netem.Complete(n)
	return mutextest.Run(t, nw, func(id protocols.ID) mutex.Lock[lamport.Message] {
		return lamport.New(id, n, cfg)
	})
}

// A request that has no rival costs n-1 of each message and enters when the replies
// are back: nothing of that can be saved.
func TestOneRequest(t *testing.T) {
	for n := 1; n <= 8; n++ {
		for _, cfg := range []lamport.Config{{}, optimised} {
			for who := range protocols.ID(n) {
				r := run(t, n, cfg, mutextest.Network{Requesters: []protocols.ID{who}})
				mutextest.Want(t, r, 1)
				entry := mutextest.Hops(2)
				if n == 1 {
					entry = 0
				}
				if !slices.Equal(r.Sent, []int{n - 1, n - 1, n - 1}) || r.Entries[0].At != entry {
					t.Errorf("n=%d %+v, %d asks: sent %v, entered at %v", n, cfg, who, r.Sent, r.Entries[0].At)
				}
			}
		}
	}
}

// All ask at 0: the first entry is at 1, when every process's request is there, and the
// others follow one message time after an exit.
func TestAllAtZero(t *testing.T) {
	for n := 2; n <= 8; n++ {
		for _, cfg := range []lamport.Config{{}, optimised} {
			for _, cs := range []int{0, 1, 3} {
				r := run(t, n, cfg, mutextest.Network{Requesters: mutextest.All(n), Work: mutex.Workload{Requests: 1, Hold: mutextest.Hops(cs)}})
				mutextest.Want(t, r, n)
				for k, e := range r.Entries {
					if e != (mutex.Entry{Process: protocols.ID(k), At: mutextest.Hops(1 + k*(cs+1))}) {
						t.Errorf("n=%d %+v, cs=%d: entry %d is %+v", n, cfg, cs, k, e)
					}
				}
				pairs := n * (n - 1)
				want := []int{pairs, pairs, pairs}
				if cfg.Optimised {
					want[lamport.Reply] = pairs / 2
				}
				if !slices.Equal(r.Sent, want) {
					t.Errorf("n=%d %+v, cs=%d: sent %v, want %v", n, cfg, cs, r.Sent, want)
				}
			}
		}
	}
}

// 3(n-1) an entry whatever the schedule; optimised, REQUEST and RELEASE alone are no
// less than 2(n-1).
func TestAnySchedule(t *testing.T) {
	const n, entries = 5, 20
	saved := 0
	for nw := range mutextest.RandomDelays(50) {
		for _, work := range []mutex.Workload{
			{Requests: 4, Hold: mutextest.Unit},
			{Requests: 4, Think: mutex.Pause{Mean: mutextest.Hops(8), Random: true}},
			{Requests: 4, Hold: mutextest.Unit, Think: mutex.Pause{Mean: mutextest.Hops(8), Random: true}, Open: true},
		} {
			nw.Requesters, nw.Work = mutextest.All(n), work
			plain := run(t, n, lamport.Config{}, nw)
			mutextest.Want(t, plain, entries)
			want := (n - 1) * entries
			if !slices.Equal(plain.Sent, []int{want, want, want}) {
				t.Fatalf("%v, seed %d: sent %v, want %d of each", nw.Delay, nw.Seed, plain.Sent, want)
			}
			less := run(t, n, optimised, nw)
			mutextest.Want(t, less, entries)
			if less.Sent[lamport.Request] != want || less.Sent[lamport.Release] != want || less.Sent[lamport.Reply] > want {
				t.Fatalf("%v, seed %d: sent %v optimised, want %d of each, of REPLY at most", nw.Delay, nw.Seed, less.Sent, want)
			}
			saved += want - less.Sent[lamport.Reply]
		}
	}
	if saved == 0 {
		t.Error("nothing was saved")
	}
}

// The synchronization delay is one message.
func TestSaturation(t *testing.T) {
	for _, cfg := range []lamport.Config{{}, optimised} {
		r := run(t, 6, cfg, mutextest.Network{Requesters: mutextest.All(6), Work: mutex.Workload{Requests: 20, Hold: mutextest.Unit}})
		mutextest.Want(t, r, 120)
		if r.Handover != mutextest.Unit || r.Handovers != 119 {
			t.Errorf("%+v: %d handovers of %v", cfg, r.Handovers, r.Handover)
		}
	}
}

// Lamport's first assumption, that messages from one process to another arrive in the
// order in which they are sent, is needed: where they overtake each other, two are inside.
func TestNeedsFIFO(t *testing.T) {
	for _, cfg := range []lamport.Config{{}, optimised} {
		unsafe := 0
		for nw := range mutextest.RandomDelays(50) {
			nw.Unordered, nw.Requesters = true, mutextest.All(3)
			nw.Work = mutex.Workload{Requests: 4, Hold: mutextest.Unit}
			if run(t, 3, cfg, nw).MostInside > 1 {
				unsafe++
			}
		}
		if unsafe == 0 {
			t.Errorf("%+v: never were two inside", cfg)
		}
	}
}

// Any process dies: no process that asks afterwards enters.
func TestAnyCrashBlocks(t *testing.T) {
	const n = 4
	for dies := range protocols.ID(n) {
		r := run(t, n, lamport.Config{}, mutextest.Network{
			Later: []mutextest.At{{ID: (dies + 1) % n, Time: time.Second}},
			Crash: []mutextest.At{{ID: dies, Time: mutextest.Unit}},
		})
		if r.Count != 0 || r.ToDead != 1 || r.Sent[lamport.Reply] != n-2 || r.Checks[1].Verdict != protocols.Undecided {
			t.Errorf("%d dies: %d entries, %d messages to the dead, sent %v, %v", dies, r.Count, r.ToDead, r.Sent, r.Checks)
		}
	}
}

func TestPanics(t *testing.T) {
	l := lamport.New(1, 3, optimised)
	mutextest.WantPanics(t, map[string]func(){
		"unknown message": func() { l.Receive(nil, 0, lamport.Message{Type: 3}) },
		"timer":           func() { l.Timeout(nil, 0) },
	})
}

func TestMessages(t *testing.T) {
	for kind, print := range []string{"REQUEST(3)", "REPLY(3)", "RELEASE(3)"} {
		m := lamport.Message{Type: protocols.Type(kind), Time: 3}
		if m.Kind() != kind || m.Bits() != 72 || fmt.Sprint(m) != print {
			t.Errorf("%v: kind %d, %d bits", m, m.Kind(), m.Bits())
		}
	}
}

// Two of three ask at once; 0 enters on the REQUEST of 1 and the REPLY of 2.
func TestTrace(t *testing.T) {
	var trace bytes.Buffer
	run(t, 3, lamport.Config{}, mutextest.Network{
		Requesters: []protocols.ID{0, 1}, Work: mutex.Workload{Requests: 1, Hold: mutextest.Hops(2)}, Trace: &trace,
	})
	golden.Check(t, "two-of-three.txt", trace.Bytes())
}
