package detector_test

import (
	"testing"
	"time"

	"bullring/protocols"
	"bullring/protocols/detector"
)

// told is a process whose suspicions a test dictates.
type told struct{ suspicions []protocols.ID }

func (p *told) Suspicions() []protocols.ID { return p.suspicions }

// scenario is a monitor of dictated processes on a complete graph.
type scenario struct {
	*detector.Monitor
	processes []*told
}

func newScenario(n int) *scenario {
	s := &scenario{}
	for range n {
		s.processes = append(s.processes, &told{})
	}
	s.Monitor = detector.NewMonitor(graph(n), func(p protocols.ID) detector.Suspecter { return s.processes[p] })
	return s
}

// suspect has a process suspect these and no others.
func (s *scenario) suspect(now time.Duration, p protocols.ID, suspicions ...protocols.ID) {
	s.processes[p].suspicions = suspicions
	s.Stepped(p, now)
}

func (s *scenario) restart(now time.Duration, p protocols.ID) {
	s.processes[p] = &told{}
	s.Restarted(p, now)
}

func (s *scenario) want(t *testing.T, now time.Duration, want detector.Quality) {
	t.Helper()
	for range 2 { // it may be asked again
		if got := s.Quality(now); got != want {
			t.Errorf("at %v: %+v\nwant %+v", now, got, want)
		}
	}
}

func TestQualityOfNothing(t *testing.T) {
	newScenario(3).want(t, 0, detector.Quality{Accuracy: 1})
	newScenario(1).want(t, time.Second, detector.Quality{Accuracy: 1})
}

// Two processes: 0 suspects 1 wrongly for 1s and for 3s, and rightly 2s after its
// crash.
func TestQualityOfAPair(t *testing.T) {
	s := newScenario(2)
	s.suspect(4*time.Second, 0, 1)
	s.suspect(5*time.Second, 0)
	s.suspect(10*time.Second, 0, 1)
	s.suspect(13*time.Second, 0)
	mistakes := detector.Quality{
		Mistakes: 2, MistakeMean: 2 * time.Second,
		MistakeRate: 2.0 / 40, // the two pairs were both up for 20s
		Accuracy:    1 - 4.0/40,
	}
	s.want(t, 20*time.Second, mistakes)
	s.Crashed(1, 20*time.Second)
	undetected := mistakes
	undetected.Undetected = 1
	s.want(t, 20*time.Second, undetected)
	s.suspect(22*time.Second, 0, 1)
	detected := mistakes
	detected.Detected, detected.DetectionMean, detected.DetectionMax = 1, 2*time.Second, 2*time.Second
	s.want(t, 22*time.Second, detected)
	s.want(t, time.Hour, detected)
}

// A detection counts from the suspicion that stands: a heartbeat that was under way
// takes one back. A suspicion that was a mistake before the crash is a detection
// after no time.
func TestDetectionIsTheLastSuspicion(t *testing.T) {
	s := newScenario(3)
	s.suspect(1*time.Second, 2, 1)
	s.Crashed(1, 2*time.Second) // the mistake of 2 has lasted for 1s
	s.suspect(3*time.Second, 0, 1)
	s.suspect(4*time.Second, 0)
	s.suspect(9*time.Second, 0, 1)
	s.want(t, 10*time.Second, detector.Quality{
		Detected: 2, DetectionMean: 3500 * time.Millisecond, DetectionMax: 7 * time.Second,
		Mistakes: 1, MistakeMean: time.Second,
		MistakeRate: 1.0 / 28, // six pairs for 2s, of which two go on for 8s
		Accuracy:    1 - 1.0/28,
	})
}

// What a restart ends is judged, and a suspicion that it overtakes is wrong but no
// mistake.
func TestQualityWithRestarts(t *testing.T) {
	s := newScenario(3)
	s.Crashed(1, 2*time.Second)
	s.suspect(3*time.Second, 0, 1)
	s.restart(4*time.Second, 1) // 0 has detected it after 1s, 2 never
	s.suspect(6*time.Second, 0)
	s.Crashed(0, 7*time.Second) // 1 detects it after 1s, 2 crashes too soon to
	s.suspect(8*time.Second, 1, 0)
	s.Crashed(2, 8*time.Second)
	s.restart(9*time.Second, 2) // 1 did not detect that, and 2 detects 0 late: 5s into its life
	s.suspect(14*time.Second, 2, 0)
	s.want(t, 14*time.Second, detector.Quality{
		Detected: 3, DetectionMean: 7 * time.Second / 3, DetectionMax: 5 * time.Second, Undetected: 2,
		// Up together: 0 and 1 for 2s and 3s, 0 and 2 for 7s, 1 and 2 for 2s, 4s and
		// 5s; each is two pairs.
		Accuracy: 1 - 2.0/46,
	})
}

// A mistake that a crash makes right stays so when the crash is over: it is wrong
// again, but no mistake any more.
func TestMistakeOvertakenByCrashAndRestart(t *testing.T) {
	s := newScenario(2)
	s.suspect(1*time.Second, 0, 1)
	s.Crashed(1, 2*time.Second)
	s.restart(4*time.Second, 1)
	s.suspect(7*time.Second, 0)
	s.want(t, 9*time.Second, detector.Quality{
		Detected: 1, Mistakes: 1, MistakeMean: time.Second, MistakeRate: 1.0 / 14, Accuracy: 1 - 4.0/14,
	})
}

// A process may suspect another as soon as it is back, as its former life did.
func TestSuspicionAtTheRestart(t *testing.T) {
	s := newScenario(2)
	s.suspect(1*time.Second, 0, 1)
	s.Crashed(0, 2*time.Second)
	s.Restarted(0, 3*time.Second)
	s.want(t, 5*time.Second, detector.Quality{
		Undetected: 1, Mistakes: 2, MistakeMean: 1500 * time.Millisecond, MistakeRate: 2.0 / 8, Accuracy: 1 - 3.0/8,
	})
}

// Two links to the same neighbour are one pair, and a link to oneself is none.
func TestPairsOfATopology(t *testing.T) {
	p := &told{}
	m := detector.NewMonitor(twofold{}, func(protocols.ID) detector.Suspecter { return p })
	p.suspicions = []protocols.ID{1}
	m.Stepped(0, time.Second)
	if q := m.Quality(2 * time.Second); q.Mistakes != 1 || q.MistakeRate != 1.0/4 {
		t.Errorf("%+v; want a mistake in 4s of two pairs", q)
	}
}

// twofold is two processes with two links to each other and one to themselves.
type twofold struct{}

func (twofold) Len() int                { return 2 }
func (twofold) Degree(protocols.ID) int { return 3 }
func (twofold) Neighbor(id protocols.ID, port int) protocols.ID {
	return []protocols.ID{1 - id, id, 1 - id}[port]
}

// A crash of the observer ends its mistake; its next life makes its own.
func TestMistakeEndsWithTheObserver(t *testing.T) {
	s := newScenario(2)
	s.suspect(2*time.Second, 0, 1)
	s.Crashed(0, 5*time.Second)
	s.restart(6*time.Second, 0)
	s.suspect(7*time.Second, 0, 1)
	s.want(t, 8*time.Second, detector.Quality{
		Undetected: 1, // 1 never suspected 0
		Mistakes:   2, MistakeMean: 2 * time.Second, MistakeRate: 2.0 / 14, Accuracy: 1 - 4.0/14,
	})
}

// Sums go beyond 64 bits.
func TestQualityOfManyYears(t *testing.T) {
	const century = 100 * 365 * 24 * time.Hour
	s := newScenario(4)
	s.suspect(century/2, 0, 1, 2, 3)
	s.suspect(century/2, 1, 0, 2, 3)
	s.suspect(century/2, 2, 0, 1, 3)
	want := detector.Quality{Mistakes: 9, MistakeMean: century / 2, Accuracy: 1 - 4.5/12}
	want.MistakeRate = 9 / (12 * century.Seconds())
	s.want(t, century, want)
}
