package detector_test

import (
	"slices"
	"testing"
	"time"

	"bullring/protocols"
	"bullring/protocols/detector"
	"bullring/protocols/election"
	"bullring/protocols/election/bully"
	"bullring/protocols/internal/testnet"
	"bullring/protocols/reliable"
)

// A bully over reliable links, with a failure detector.
type (
	linked = reliable.Message[bully.Message]
	stack  = detector.Message[linked]
)

func decision(p protocols.Process[stack]) election.Decision {
	link := p.(*detector.Process[linked]).Inner.(*reliable.Process[bully.Message])
	return link.Inner.(*bully.Process).Decision()
}

// election6 has the lowest of six processes find the highest dead, which it was
// from the start, once the detectors have found that too.
func election6(t *testing.T, link testnet.Link, cfg bully.Config) *testnet.Net[stack] {
	t.Helper()
	ranks := make([]election.Rank, 6)
	for i := range ranks {
		ranks[i].ID = election.Identity(i + 1)
	}
	net := testnet.New(6, link, func(id protocols.ID) protocols.Process[stack] {
		p := reliable.Wrap[bully.Message](bully.New(id, ranks, cfg), reliable.Config{RTO: 10 * ms, Patient: true})
		return detector.Wrap[linked](p, detector.Config{Period: 10 * ms, Timeout: 200 * ms})
	})
	net.Crash(5)
	net.At(300*ms, func() { net.Start(0) })
	if !net.Settle(time.Hour) {
		t.Fatal("the election does not end")
	}
	for id := range protocols.ID(5) {
		if d := decision(net.Process(id)); d.Leader != 5 || d.Status == election.Undecided {
			t.Errorf("process %d: %+v; want the leader 5", id, d)
		}
	}
	return net
}

// Over links without loss the detector is perfect: the bully that asks it costs
// k(k-1) + N-2, with k = N-d = 5, and the links never try again.
func TestElectionWithADetector(t *testing.T) {
	net := election6(t, testnet.Always(ms), bully.Config{Convention: bully.PerfectDetector, Transmission: ms})
	kinds := stack{}.Kinds()
	if want := []string{"ELECTION", "ANSWER", "COORDINATOR", "ACK", "RETRY", "HEARTBEAT"}; !slices.Equal(kinds, want) {
		t.Errorf("kinds %v; want %v", kinds, want)
	}
	for kind := range kinds {
		if own := kind >= 3; (stack{}).Overhead(kind) != own || (stack{}).Background(kind) != (kind == 5) {
			t.Errorf("%s: overhead %v, background %v", kinds[kind], (stack{}).Overhead(kind), (stack{}).Background(kind))
		}
	}
	total := net.Sent[0] + net.Sent[1] + net.Sent[2]
	if total != 5*4+6-2 || net.Sent[3] != total || net.Sent[4] != 0 {
		t.Errorf("sent %v of %v; want 24 messages, 24 ACK and no RETRY", net.Sent, kinds)
	}
}

// Over links that lose every third message the same election still ends well.
func TestElectionOverLossyLinks(t *testing.T) {
	lossy := func(from, to protocols.ID, k int) []time.Duration {
		if rough(0, 99)(from, to, k)[0]%3 == 0 {
			return nil
		}
		return []time.Duration{ms}
	}
	net := election6(t, lossy, bully.Config{Convention: bully.PerfectDetector, Transmission: 200 * ms})
	if total := net.Sent[0] + net.Sent[1] + net.Sent[2]; total != 24 || net.Sent[4] == 0 {
		t.Errorf("sent %v; want 24 messages of the election and some RETRY", net.Sent)
	}
}
