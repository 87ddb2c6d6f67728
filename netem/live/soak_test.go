package live_test

import (
	"flag"
	"os"
	"runtime"
	"testing"
	"time"

	"bullring/netem"
	"bullring/netem/live"
	"bullring/protocols"
	"bullring/protocols/box"
	"bullring/protocols/election"
	"bullring/protocols/election/lcr"
	"bullring/protocols/reliable"
)

var soak = flag.Duration("soak", 0, "run TestSoak for so long")

// TestSoak runs one run after another, over TCP and UDP, with and without a reliable link. Each
// has the exact number of messages of the algorithm, and none leaves a goroutine or a descriptor.
func TestSoak(t *testing.T) {
	runs := 0
	goroutines, open := runtime.NumGoroutine(), descriptors()
	begin := time.Now()
	for lap := 0; lap < 2 || time.Since(begin) < *soak; lap++ {
		n := 1 + lap*7%64
		overUDP := relying(n)
		overUDP.Transport = live.UDP
		for _, c := range []live.Config{decreasing(n), relying(n), overUDP} {
			electing(t, c, n*(n+1)/2)
			runs++
		}
		if lap == 2 || lap > 0 && lap%500 == 0 {
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			t.Logf("%v: %d laps, heap %d kB, %d goroutines, %d descriptors", time.Since(begin).Round(time.Second), lap, m.HeapAlloc>>10, runtime.NumGoroutine(), descriptors())
		}
		if *soak > 0 {
			time.Sleep(20 * time.Millisecond) // leaves the machine to others
		}
	}
	if g, d := runtime.NumGoroutine(), descriptors(); g > goroutines+5 || d > open+5 {
		t.Errorf("%d goroutines and %d descriptors are left of %d runs; there were %d and %d", g, d, runs, goroutines, open)
	}
}

func descriptors() int {
	entries, _ := os.ReadDir("/proc/self/fd") // none elsewhere, and then none is counted
	return len(entries)
}

// relying is decreasing with a reliable link below each process.
func relying(n int) live.Config {
	c := decreasing(n)
	c.Topology = netem.BiRing(n) // acknowledgements go back
	c.Boot = func(p protocols.ID) protocols.Process[box.Message] {
		inside := lcr.New(election.Rank{ID: election.Identity(n - int(p))}, lcr.Config{})
		return box.Wrap(reliable.Wrap(inside, reliable.Config{RTO: 20 * time.Millisecond}))
	}
	return c
}

// electing runs LCR. The first kind of message is sent so many times until rest.
func electing(t *testing.T, c live.Config, want int) {
	t.Helper()
	rec, err := live.Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	sent := 0
	for _, s := range rec.Steps {
		for _, m := range s.Sent {
			if m.Message.(protocols.Message).Kind() == 0 {
				sent++
			}
		}
	}
	if rec.End != live.Rest || sent != want {
		t.Fatalf("over %v: %v (%v) after %d messages of the algorithm; want rest after %d", c.Transport, rec.End, rec.Failed, sent, want)
	}
}
