package mutextest

import (
	"slices"
	"testing"

	"bullring/protocols"
	"bullring/protocols/mutex"
)

// Runner runs an algorithm among n processes.
type Runner func(t *testing.T, n int, nw Network) Result

// OneAsksEverybody tests an algorithm in which no process has a permission at first: one
// request takes 2(n-1) messages and a round trip.
func OneAsksEverybody(t *testing.T, run Runner) {
	t.Helper()
	for n := 1; n <= 8; n++ {
		for who := range protocols.ID(n) {
			r := run(t, n, Network{Requesters: []protocols.ID{who}})
			Want(t, r, 1)
			entry := Hops(2)
			if n == 1 {
				entry = 0
			}
			if !slices.Equal(r.Sent, []int{n - 1, n - 1}) || r.Entries[0].At != entry {
				t.Errorf("n=%d, %d asks: sent %v, entered at %v", n, who, r.Sent, r.Entries[0].At)
			}
		}
	}
}

// AllAskEverybody tests it when all ask at 0: ties go to the smaller address, one message
// time between an exit and the next entry.
func AllAskEverybody(t *testing.T, run Runner) {
	t.Helper()
	for n := 2; n <= 8; n++ {
		for _, cs := range []int{0, 1, 3} {
			r := run(t, n, Network{Requesters: All(n), Work: mutex.Workload{Requests: 1, Hold: Hops(cs)}})
			Want(t, r, n)
			for k, e := range r.Entries {
				if e != (mutex.Entry{Process: protocols.ID(k), At: Hops(2 + k*(cs+1))}) {
					t.Errorf("n=%d, cs=%d: entry %d is %+v", n, cs, k, e)
				}
			}
			if want := n * (n - 1); !slices.Equal(r.Sent, []int{want, want}) {
				t.Errorf("n=%d, cs=%d: sent %v, want %d of each", n, cs, r.Sent, want)
			}
		}
	}
}
