package mutex_test

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/mutex"
	"bullring/protocols/mutex/internal/mutextest"
)

// note is a message that is never sent.
type note struct{}

func (note) Kind() int       { return 0 }
func (note) Kinds() []string { return []string{"NOTE"} }
func (note) Bits() int       { return 8 }

// free is the lock of a process that is alone in the world.
type free struct {
	granted  bool
	released int
}

func (f *free) Request(protocols.Node[note])                     { f.granted = true }
func (f *free) Granted() bool                                    { return f.granted }
func (f *free) Release(protocols.Node[note])                     { f.granted, f.released = false, f.released+1 }
func (f *free) Receive(protocols.Node[note], protocols.ID, note) {}
func (f *free) Timeout(protocols.Node[note], protocols.Timer)    {}

// A client gives back what it was granted, each time that it leaves.
func TestLeavingReleases(t *testing.T) {
	lock := &free{}
	work := mutex.Workload{Requests: 3, Hold: ms}
	r := mutextest.Run(t, mutextest.Network{Topology: netem.Complete(1), Requesters: []protocols.ID{0}, Work: work},
		func(protocols.ID) mutex.Lock[note] { return lock })
	mutextest.Want(t, r, work.Requests)
	if lock.granted || lock.released != 3 {
		t.Errorf("granted at the end is %v, and it was released %d times", lock.granted, lock.released)
	}
}

// alone runs one client with a workload, and returns when it entered.
func alone(t *testing.T, work mutex.Workload, seed uint64) mutextest.Result {
	t.Helper()
	r := mutextest.Run(t, mutextest.Network{Topology: netem.Complete(1), Requesters: []protocols.ID{0}, Work: work, Seed: seed},
		func(protocols.ID) mutex.Lock[note] { return &free{} })
	mutextest.Want(t, r, work.Requests)
	return r
}

func instants(entries []mutex.Entry) (at []time.Duration) {
	for _, e := range entries {
		at = append(at, e.At)
	}
	return at
}

func TestLoops(t *testing.T) {
	for _, c := range []struct {
		name string
		work mutex.Workload
		at   []time.Duration
		mean time.Duration // delay
	}{
		{"once", mutex.Workload{Requests: 1, Hold: 5 * ms}, []time.Duration{0}, 0},
		{"again on leaving", mutex.Workload{Requests: 3, Hold: 5 * ms}, []time.Duration{0, 5 * ms, 10 * ms}, 0},
		{"closed", mutex.Workload{Requests: 3, Hold: 5 * ms, Think: mutex.Pause{Mean: 2 * ms}}, []time.Duration{0, 7 * ms, 14 * ms}, 0},
		{"open, light", mutex.Workload{Requests: 3, Hold: ms, Think: mutex.Pause{Mean: 2 * ms}, Open: true}, []time.Duration{2 * ms, 4 * ms, 6 * ms}, 0},
		// Requests come up at 2, 4 and 6, and are let in at 2, 7 and 12.
		{"open, in line", mutex.Workload{Requests: 3, Hold: 5 * ms, Think: mutex.Pause{Mean: 2 * ms}, Open: true}, []time.Duration{2 * ms, 7 * ms, 12 * ms}, 3 * ms},
	} {
		r := alone(t, c.work, 1)
		if at := instants(r.Entries); !slices.Equal(at, c.at) || r.Delay != c.mean {
			t.Errorf("%s: entered at %v after %v on average, want %v and %v", c.name, at, r.Delay, c.at, c.mean)
		}
	}
}

// The pauses of an open loop are the times between entries that take no time. They
// have the mean and the variance of the exponential distribution, and its median.
func TestPausesAreExponential(t *testing.T) {
	const draws, mean = 1000, float64(ms)
	var sum, squares, below float64
	for seed := range uint64(40) {
		r := alone(t, mutex.Workload{Requests: draws, Think: mutex.Pause{Mean: ms, Random: true}, Open: true}, seed)
		last := time.Duration(0)
		for _, e := range r.Entries {
			x := float64(e.At-last) / mean
			last = e.At
			sum += x
			squares += x * x
			if x < math.Ln2 {
				below++
			}
		}
	}
	n := 40.0 * draws
	for _, c := range []struct {
		what            string
		got, want, wide float64 // one standard error
	}{
		{"mean", sum / n, 1, 1 / math.Sqrt(n)},
		{"mean of squares", squares / n, 2, math.Sqrt(20 / n)}, // the variance of the square is 24 - 4
		{"share below the median", below / n, 0.5, 0.5 / math.Sqrt(n)},
	} {
		if math.Abs(c.got-c.want) > 4*c.wide {
			t.Errorf("%s %v, want %v within %v", c.what, c.got, c.want, 4*c.wide)
		}
	}
}

func TestTrace(t *testing.T) {
	var trace bytes.Buffer
	mutextest.Run(t, mutextest.Network{
		Topology: netem.Complete(1), Requesters: []protocols.ID{0}, Trace: &trace,
		Work: mutex.Workload{Requests: 2, Hold: ms, Think: mutex.Pause{Mean: ms / 4}, Open: true},
	}, func(protocols.ID) mutex.Lock[note] { return &free{} })
	for _, want := range []string{"asks, enters", "leaves, asks, enters", "has another"} {
		if !strings.Contains(trace.String(), want) {
			t.Errorf("the trace lacks %q:\n%s", want, trace.String())
		}
	}
}

func TestClientsThatCannotBe(t *testing.T) {
	for _, work := range []mutex.Workload{{}, {Requests: 1, Hold: -1}, {Requests: 1, Think: mutex.Pause{Mean: -1}}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%+v is accepted", work)
				}
			}()
			mutex.NewClient[note](&free{}, work)
		}()
	}
}
