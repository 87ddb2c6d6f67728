package fifo_test

import (
	"fmt"
	"testing"
	"time"

	"bullring/internal/golden"
	"bullring/protocols"
	"bullring/protocols/broadcast"
	"bullring/protocols/broadcast/besteffort"
	"bullring/protocols/broadcast/eager"
	"bullring/protocols/broadcast/fifo"
	"bullring/protocols/broadcast/internal/broadcasttest"
	"bullring/protocols/workload"
)

// The link from 0 to 2 is slow, so that process 2 gets the items of 0 from process 1 first. Messages
// are counted for the layer that began them: those of the origin for the highest, those that others
// pass on for the one below.
func TestTrace(t *testing.T) {
	o := broadcasttest.Group{
		N: 3, Initiators: 1, Work: workload.Work{Requests: 2}, Late: map[[2]protocols.ID]time.Duration{{0, 2}: 5 * broadcasttest.Unit},
		Layers: func() []broadcast.Layer { return []broadcast.Layer{fifo.New(3), eager.New(), besteffort.New()} },
	}.Run(t)
	golden.Check(t, "fifo.txt", o.Trace)
	if got := fmt.Sprint(o.Delivered, o.Sent); got != "[[0.1 0.2] [0.1 0.2] [0.1 0.2]] [4 8 0 0]" {
		t.Error(got)
	}
}

// deaf is a layer that loses the first item.
type deaf struct {
	broadcast.Layer
	heard bool
}

func (d *deaf) Indication(n broadcast.Node, from protocols.ID, data broadcast.Data) {
	if !d.heard && from != n.ID() {
		d.heard = true
		return
	}
	d.Layer.Indication(n, from, data)
}

// What waits for an item that never comes is not delivered.
func TestKept(t *testing.T) {
	o := broadcasttest.Group{
		N: 2, Initiators: 1, Work: workload.Work{Requests: 3},
		Layers: func() []broadcast.Layer { return []broadcast.Layer{fifo.New(2), &deaf{Layer: besteffort.New()}} },
	}.Run(t)
	if got := fmt.Sprint(o.Delivered); got != "[[0.1 0.2 0.3] []]" {
		t.Error(got)
	}
}
