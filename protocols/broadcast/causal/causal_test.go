package causal_test

import (
	"fmt"
	"testing"
	"time"

	"bullring/internal/golden"
	"bullring/protocols"
	"bullring/protocols/broadcast"
	"bullring/protocols/broadcast/besteffort"
	"bullring/protocols/broadcast/causal"
	"bullring/protocols/broadcast/internal/broadcasttest"
	"bullring/protocols/workload"
)

// Process 1 answers an item of process 0, and the answer overtakes the item on its way to process 2.
func TestTrace(t *testing.T) {
	for name, want := range map[string]string{"waiting": "[0.1 1.1 2.1 0.2]", "atonce": "[1.1 2.1 0.1 0.2]"} {
		o := broadcasttest.Group{
			N: 3, Initiators: 1, Work: workload.Work{Reactions: 1}, Late: map[[2]protocols.ID]time.Duration{{0, 2}: 5 * broadcasttest.Unit},
			Layers: func() []broadcast.Layer {
				return []broadcast.Layer{causal.New(causal.Config{Processes: 3, AtOnce: name == "atonce"}), besteffort.New()}
			},
		}.Run(t)
		golden.Check(t, name+".txt", o.Trace)
		if got := fmt.Sprint(o.Delivered[2]); got != want {
			t.Errorf("%s: process 2 delivers %s", name, got)
		}
	}
}
