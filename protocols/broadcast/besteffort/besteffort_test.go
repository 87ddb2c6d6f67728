package besteffort_test

import (
	"fmt"
	"testing"

	"bullring/internal/golden"
	"bullring/protocols"
	"bullring/protocols/broadcast"
	"bullring/protocols/broadcast/besteffort"
	"bullring/protocols/broadcast/internal/broadcasttest"
	"bullring/protocols/workload"
)

func layers() []broadcast.Layer { return []broadcast.Layer{besteffort.New()} }

// Two processes broadcast two items each, n-1 messages an item.
func TestTrace(t *testing.T) {
	o := broadcasttest.Group{N: 3, Initiators: 2, Layers: layers, Work: workload.Work{Requests: 2}}.Run(t)
	golden.Check(t, "besteffort.txt", o.Trace)
	if o.Sent[0] != 8 {
		t.Errorf("%d messages, want 8", o.Sent[0])
	}
}

// What does not arrive nobody passes on.
func TestNoAgreement(t *testing.T) {
	o := broadcasttest.Group{N: 3, Initiators: 1, Layers: layers, Lost: map[[2]protocols.ID]bool{{0, 2}: true}}.Run(t)
	if got := fmt.Sprint(o.Delivered); got != "[[0.1] [0.1] []]" {
		t.Error(got)
	}
}
