package live

import (
	"testing"
	"time"
)

// TestWaker: the last setting counts, a waker can be set again after it has called, and one that is
// closed does not call.
func TestWaker(t *testing.T) {
	for name, fresh := range map[string]func(func()) waker{"of the machine": newWaker, "of package time": newGoWaker} {
		t.Run(name, func(t *testing.T) {
			calls := make(chan struct{}, 10)
			w := fresh(func() { calls <- struct{}{} })
			for _, after := range []time.Duration{time.Millisecond, 0, -time.Second} {
				w.set(time.Hour)
				w.set(after)
				select {
				case <-calls:
				case <-time.After(time.Minute):
					t.Fatalf("set to %v, it has not called for a minute", after)
				}
			}
			w.set(time.Hour)
			w.close()
			if len(calls) > 0 {
				t.Errorf("%d calls more than settings that were due", len(calls))
			}
		})
	}
}
