package lazy_test

import (
	"fmt"
	"testing"
	"time"

	"bullring/internal/golden"
	"bullring/protocols"
	"bullring/protocols/broadcast"
	"bullring/protocols/broadcast/besteffort"
	"bullring/protocols/broadcast/internal/broadcasttest"
	"bullring/protocols/broadcast/lazy"
)

func layers() []broadcast.Layer { return []broadcast.Layer{lazy.New(), besteffort.New()} }

// The origin crashes when its item has reached process 1 alone, which passes it on, as process 2 does.
func TestTrace(t *testing.T) {
	o := broadcasttest.Group{
		N: 3, Initiators: 1, Layers: layers, Lost: map[[2]protocols.ID]bool{{0, 2}: true}, Crash: map[protocols.ID]time.Duration{0: 1},
	}.Run(t)
	golden.Check(t, "lazy.txt", o.Trace)
	if got := fmt.Sprint(o.Delivered); got != "[[0.1] [0.1] [0.1]]" || o.Sent[0] != 6 {
		t.Errorf("%s after %d messages", got, o.Sent[0])
	}
}

// Nobody crashes: nobody passes anything on.
func TestCalm(t *testing.T) {
	if o := (broadcasttest.Group{N: 5, Initiators: 5, Layers: layers}).Run(t); o.Sent[0] != 5*4 {
		t.Errorf("%d messages", o.Sent[0])
	}
}
