package eager_test

import (
	"fmt"
	"testing"
	"time"

	"bullring/internal/golden"
	"bullring/protocols"
	"bullring/protocols/broadcast"
	"bullring/protocols/broadcast/besteffort"
	"bullring/protocols/broadcast/eager"
	"bullring/protocols/broadcast/internal/broadcasttest"
)

// The origin crashes when its item has reached process 1 alone, which passes it on.
func TestTrace(t *testing.T) {
	o := broadcasttest.Group{
		N: 3, Initiators: 1, Layers: func() []broadcast.Layer { return []broadcast.Layer{eager.New(), besteffort.New()} },
		Lost: map[[2]protocols.ID]bool{{0, 2}: true}, Crash: map[protocols.ID]time.Duration{0: 1},
	}.Run(t)
	golden.Check(t, "eager.txt", o.Trace)
	if got := fmt.Sprint(o.Delivered); got != "[[0.1] [0.1] [0.1]]" || o.Sent[0] != 6 {
		t.Errorf("%s after %d messages", got, o.Sent[0])
	}
}
