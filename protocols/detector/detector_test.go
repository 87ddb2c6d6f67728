package detector_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"bullring/protocols"
	"bullring/protocols/detector"
	"bullring/protocols/internal/testnet"
)

const ms = time.Millisecond

// note is the message of an algorithm that does as a test says.
type note int

func (note) Kind() int       { return 0 }
func (note) Kinds() []string { return []string{"NOTE"} }
func (note) Bits() int       { return 8 + 64 }

type (
	node     = protocols.Node[note]
	envelope = detector.Message[note]
)

// idle is an algorithm that does nothing.
type idle struct{}

func (idle) Start(node)                       {}
func (idle) Receive(node, protocols.ID, note) {}
func (idle) Timeout(node, protocols.Timer)    {}

// graph is the complete graph of so many processes.
type graph int

func (g graph) Len() int                { return int(g) }
func (g graph) Degree(protocols.ID) int { return int(g) - 1 }
func (g graph) Neighbor(id protocols.ID, port int) protocols.ID {
	return (id + 1 + protocols.ID(port)) % protocols.ID(g)
}

// world is a run of idle processes with failure detectors.
type world struct {
	*testnet.Net[envelope]
	monitor *detector.Monitor
	changes []string // of suspicions, as "12ms 0 suspects [1]"
}

func run(n int, cfg detector.Config, link testnet.Link) *world {
	w := &world{Net: testnet.New(n, link, func(protocols.ID) protocols.Process[envelope] {
		return detector.Wrap[note](idle{}, cfg)
	})}
	suspecter := func(p protocols.ID) detector.Suspecter { return w.Process(p).(detector.Suspecter) }
	w.monitor = detector.NewMonitor(graph(n), suspecter)
	latest := make([][]protocols.ID, n)
	w.Observer = func(p protocols.ID) {
		if now := suspecter(p).Suspicions(); !slices.Equal(now, latest[p]) {
			latest[p] = slices.Clone(now)
			w.changes = append(w.changes, fmt.Sprintf("%v %d suspects %v", w.Now(), p, now))
		}
		w.monitor.Stepped(p, w.Now())
	}
	return w
}

func (w *world) crashAt(p protocols.ID, t time.Duration) {
	w.At(t, func() {
		w.Crash(p)
		w.monitor.Crashed(p, t)
	})
}

func (w *world) restartAt(p protocols.ID, t time.Duration) {
	w.At(t, func() {
		w.Restart(p)
		w.monitor.Restarted(p, t)
	})
}

func (w *world) want(t *testing.T, changes ...string) {
	t.Helper()
	if !slices.Equal(w.changes, changes) {
		t.Errorf("changes %q; want %q", w.changes, changes)
	}
}

// fixed, adaptive and phi are detectors with a period of 10ms.
var (
	fixed    = detector.Config{Method: detector.Heartbeat, Period: 10 * ms, Timeout: 25 * ms}
	adaptive = detector.Config{Method: detector.Adaptive, Period: 10 * ms, Margin: 3 * ms, Window: 4}
	phi      = detector.Config{Method: detector.Phi, Period: 10 * ms, Threshold: 8, Window: 4}
)

// With a constant delay, the last heartbeat before the crash decides when it is
// noticed. A crash at the instant of a heartbeat comes before it.
func TestDetectionTime(t *testing.T) {
	const delay = 2 * ms
	deadlines := map[detector.Config]time.Duration{ // from the arrival of the last heartbeat
		fixed:    25 * ms,
		adaptive: 10*ms + 3*ms,
		phi:      10*ms + 5612001, // the quantile is 5.6120012, the deviation Period/10
	}
	for cfg, deadline := range deadlines {
		for crash := 40*ms + ms/2; crash <= 60*ms; crash += ms / 2 {
			w := run(2, cfg, testnet.Always(delay))
			w.crashAt(1, crash)
			w.Run(time.Second)
			last := (crash - 1) / (10 * ms) * (10 * ms)
			noticed := last + delay + deadline
			w.want(t, fmt.Sprintf("%v 0 suspects [1]", noticed))
			q := w.monitor.Quality(w.Now())
			if q.Detected != 1 || q.Undetected != 0 || q.Mistakes != 0 || q.Accuracy != 1 || q.DetectionMax != noticed-crash {
				t.Errorf("%v, crash at %v: %+v; want a detection after %v", cfg, crash, q, noticed-crash)
			}
		}
	}
}

// A process that is dead from the start is suspected when the first heartbeat is
// overdue.
func TestDeadFromTheStart(t *testing.T) {
	for cfg, first := range map[detector.Config]time.Duration{
		fixed:    25 * ms,
		adaptive: 100 * ms,
		phi:      100 * ms,
		{Method: detector.Heartbeat, Period: 10 * ms, Timeout: 10 * ms, First: 70 * ms}: 70 * ms,
	} {
		w := run(3, cfg, testnet.Always(ms))
		w.Crash(1)
		w.Run(time.Second)
		w.want(t, fmt.Sprintf("%v 0 suspects [1]", first), fmt.Sprintf("%v 2 suspects [1]", first))
	}
}

// rough is a link whose delays vary from least to least+spread, as a hash of the
// message says.
func rough(least, spread time.Duration) testnet.Link {
	return func(from, to protocols.ID, k int) []time.Duration {
		x := uint32(k)<<8 | uint32(from)<<4 | uint32(to)
		for range 3 {
			x = (x ^ x>>15) * 0x2c1b3c6d
		}
		return []time.Duration{least + spread*time.Duration(x>>16)/(1<<16-1)}
	}
}

// No process is suspected wrongly while delays vary by less than the detector allows;
// a process is when they vary by more.
func TestJitter(t *testing.T) {
	for _, tc := range []struct {
		cfg      detector.Config
		spread   time.Duration
		mistakes bool
	}{
		{fixed, 14 * ms, false},
		{fixed, 18 * ms, true},
		{detector.Config{Method: detector.Adaptive, Period: 10 * ms, Margin: 8 * ms}, 8 * ms, false},
		{detector.Config{Method: detector.Adaptive, Period: 10 * ms, Margin: 2 * ms}, 8 * ms, true},
		{detector.Config{Method: detector.Phi, Period: 10 * ms, Threshold: 8}, 4 * ms, false},
		{detector.Config{Method: detector.Phi, Period: 10 * ms, Threshold: 0.5}, 4 * ms, true},
	} {
		w := run(4, tc.cfg, rough(2*ms, tc.spread))
		w.Run(5 * time.Second)
		q := w.monitor.Quality(w.Now())
		if q.Mistakes > 0 != tc.mistakes || (q.Accuracy < 1) != tc.mistakes {
			t.Errorf("%v, delays vary by %v: %+v; want mistakes: %v", tc.cfg, tc.spread, q, tc.mistakes)
		}
	}
}

// What arrives exactly at the deadline is in time.
func TestInTimeAtTheDeadline(t *testing.T) {
	w := run(2, detector.Config{Method: detector.Heartbeat, Period: 10 * ms, Timeout: 10 * ms}, testnet.Always(3*ms))
	w.Run(time.Second)
	w.want(t)
}

// losing is a link from 1 to 0 that loses the heartbeats in [from, until), counted
// from 1; the others take 1ms.
func losing(from, until int) testnet.Link {
	return func(sender, _ protocols.ID, k int) []time.Duration {
		if sender == 1 && from <= k+1 && k+1 < until {
			return nil
		}
		return []time.Duration{ms}
	}
}

// A heartbeat ends a suspicion.
func TestLostHeartbeats(t *testing.T) {
	// Heartbeat i arrives at 10(i-1)+1ms. One that is lost is no reason.
	w := run(2, fixed, losing(5, 6))
	w.Run(time.Second)
	w.want(t)
	// Number 4 arrives at 31ms, number 8 at 71ms.
	w = run(2, fixed, losing(5, 8))
	w.Run(time.Second)
	w.want(t, "56ms 0 suspects [1]", "71ms 0 suspects []")
	// The expected arrival of the next one does not depend on losses.
	w = run(2, adaptive, losing(5, 8))
	w.crashAt(1, 75*ms)
	w.Run(time.Second)
	w.want(t, "44ms 0 suspects [1]", "71ms 0 suspects []", "84ms 0 suspects [1]")
}

// Adaptive follows a change of the delay: five more milliseconds are too late at
// first, and when the window of four has seen enough of them they are expected.
// Heartbeat i is expected at 10(i-1) + the mean delay in the window, 1ms at first.
func TestAdaptiveFollowsTheDelay(t *testing.T) {
	slower := func(_, _ protocols.ID, k int) []time.Duration {
		if k >= 10 { // from heartbeat 11 on, which is sent at 100ms
			return []time.Duration{6 * ms}
		}
		return []time.Duration{ms}
	}
	w := run(2, adaptive, slower)
	w.crashAt(1, 205*ms)
	w.Run(time.Second)
	// 11 is due by 100+1+3; its mean is 2.25 then, so 12 is due by 110+2.25+3; that
	// of 13, with 3.5, by 120+3.5+3, in time.
	w.want(t,
		"104ms 1 suspects [0]", "104ms 0 suspects [1]", "106ms 1 suspects []", "106ms 0 suspects []",
		"115.25ms 1 suspects [0]", "115.25ms 0 suspects [1]", "116ms 1 suspects []", "116ms 0 suspects []",
		"219ms 0 suspects [1]")
}

// Phi learns the deviation: after intervals of 8 and 12ms, the deadline is a
// quantile of 2ms beyond their mean.
func TestPhiLearnsTheDeviation(t *testing.T) {
	alternating := func(_, _ protocols.ID, k int) []time.Duration {
		return []time.Duration{ms + time.Duration(k%2)*2*ms}
	}
	w := run(2, phi, alternating)
	w.crashAt(1, 195*ms) // heartbeat 20 arrives at 193ms
	w.Run(time.Second)
	w.want(t, fmt.Sprintf("%v 0 suspects [1]", 193*ms+10*ms+2*5612001*time.Nanosecond))
}

// A restarted process is heard at once, and its former life's heartbeats, which
// are still under way, are not taken for its own.
func TestRestart(t *testing.T) {
	slow := func(sender, _ protocols.ID, k int) []time.Duration {
		if sender == 1 && k == 3 { // number 4, sent at 30ms by the first life
			return []time.Duration{80 * ms}
		}
		return []time.Duration{ms}
	}
	w := run(2, fixed, slow)
	w.crashAt(1, 35*ms) // number 3 arrived at 21ms
	w.restartAt(1, 72*ms)
	w.crashAt(1, 95*ms) // the second life's number 3 arrives at 93ms
	w.Run(time.Second)
	w.want(t, "46ms 0 suspects [1]", "73ms 0 suspects []", "118ms 0 suspects [1]")
	if q := w.monitor.Quality(w.Now()); q.Detected != 2 || q.DetectionMean != 17*ms || q.DetectionMax != 23*ms || q.Mistakes != 0 {
		t.Errorf("%+v; want detections after 11ms and 23ms", q)
	}
}

// A new life has an estimate of its own.
func TestRestartAndEstimate(t *testing.T) {
	w := run(2, adaptive, testnet.Always(ms))
	w.crashAt(1, 35*ms) // number 4 arrived at 31ms
	w.restartAt(1, 72*ms)
	w.crashAt(1, 95*ms) // the second life's number 3 arrived at 93ms
	w.Run(time.Second)
	w.want(t, "44ms 0 suspects [1]", "73ms 0 suspects []", "106ms 0 suspects [1]")
}

// A heartbeat so late that the next one is overdue ends no suspicion.
func TestLateHeartbeat(t *testing.T) {
	w := run(2, adaptive, func(sender, receiver protocols.ID, k int) []time.Duration {
		if sender == 1 && k == 4 { // number 5, sent at 40ms; 6 and 7 are lost
			return []time.Duration{30 * ms}
		}
		return losing(6, 8)(sender, receiver, k)
	})
	w.crashAt(1, 75*ms)
	w.Run(time.Second)
	// At 70ms number 6 is due by 51 + 29/4 + 3. Numbers 3, 4, 5 and 8 are the window
	// in the end.
	w.want(t, "44ms 0 suspects [1]", "71ms 0 suspects []", "91.25ms 0 suspects [1]")
}

// Where the deadline is the instant of the heartbeat itself, it ends no suspicion
// either: intervals of 1 and 19ms, and a threshold far below any sense.
func TestDeadlineAtOnce(t *testing.T) {
	w := run(2, detector.Config{Method: detector.Phi, Period: 10 * ms, Threshold: 1e-6}, func(_, _ protocols.ID, k int) []time.Duration {
		return []time.Duration{ms + time.Duration(k%2)*9*ms}
	})
	w.Run(time.Second)
	w.want(t, "21ms 1 suspects [0]", "21ms 0 suspects [1]") // after the first interval of 1ms, for good
}

// The observer's restart begins anew: it suspects no process until it has waited for
// the first heartbeat.
func TestObserverRestarts(t *testing.T) {
	w := run(2, adaptive, testnet.Always(ms))
	w.crashAt(1, 45*ms) // number 5 arrived at 41ms, 6 is due by 54ms
	w.crashAt(0, 60*ms)
	w.restartAt(0, 70*ms)
	w.Run(time.Second)
	w.want(t, "54ms 0 suspects [1]", "70ms 0 suspects []", "170ms 0 suspects [1]")
	if q := w.monitor.Quality(w.Now()); q.Detected != 2 || q.DetectionMax != 100*ms {
		t.Errorf("%+v; want detections after 9ms and 100ms", q)
	}
}

// Copies and heartbeats that were overtaken say nothing new.
func TestOldHeartbeatsAreIgnored(t *testing.T) {
	twice := func(sender, _ protocols.ID, k int) []time.Duration { return []time.Duration{ms, 24 * ms} }
	w := run(2, fixed, twice)
	w.crashAt(1, 45*ms) // number 5 arrives at 41ms, and again at 64ms
	w.Run(time.Second)
	w.want(t, "66ms 0 suspects [1]")
}

// Clocks may be off: only the observer's is asked, and for its own intervals.
func TestClocksMayDisagree(t *testing.T) {
	for _, cfg := range []detector.Config{fixed, adaptive, phi} {
		var changes [2][]string
		for i := range changes {
			w := run(3, cfg, rough(ms, 2*ms))
			w.Clock = func(p protocols.ID, now time.Duration) time.Duration {
				return now + time.Duration(i)*time.Duration(p)*time.Hour
			}
			w.crashAt(2, 203*ms)
			w.Run(time.Second)
			changes[i] = w.changes
		}
		if len(changes[0]) != 2 || !slices.Equal(changes[0], changes[1]) {
			t.Errorf("%v: %q with clocks that agree, %q without", cfg, changes[0], changes[1])
		}
	}
}

// Heartbeats go out at 0 and then every period, one a link, and keep no run alive.
func TestHeartbeats(t *testing.T) {
	w := run(5, fixed, testnet.Always(ms))
	w.Run(95 * ms)
	if want := []int{0, 5 * 4 * 10}; !slices.Equal(w.Sent, want) {
		t.Errorf("sent %v; want %v", w.Sent, want)
	}
	w = run(5, fixed, testnet.Always(ms))
	if !w.Settle(time.Hour) || w.Now() != 0 {
		t.Errorf("at rest at %v; want 0", w.Now())
	}
}
