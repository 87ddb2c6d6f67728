package uniform_test

import (
	"fmt"
	"testing"
	"time"

	"bullring/internal/golden"
	"bullring/protocols"
	"bullring/protocols/broadcast"
	"bullring/protocols/broadcast/besteffort"
	"bullring/protocols/broadcast/internal/broadcasttest"
	"bullring/protocols/broadcast/uniform"
)

func layers(cfg uniform.Config) func() []broadcast.Layer {
	return func() []broadcast.Layer { return []broadcast.Layer{uniform.New(cfg), besteffort.New()} }
}

// Process 2 crashes before anything reaches it. With all-ack the others wait until the detector says
// so, and they ask again; a majority is there without it.
func TestTrace(t *testing.T) {
	for name, cfg := range map[string]uniform.Config{"allack": {Period: 3 * broadcasttest.Unit}, "majority": {Majority: true}} {
		late := 9 * broadcasttest.Unit
		o := broadcasttest.Group{
			N: 3, Initiators: 1, Layers: layers(cfg), Crash: map[protocols.ID]time.Duration{2: 4 * broadcasttest.Unit},
			Late: map[[2]protocols.ID]time.Duration{{0, 2}: late, {1, 2}: late},
		}.Run(t)
		golden.Check(t, name+".txt", o.Trace)
		if got := fmt.Sprint(o.Delivered); got != "[[0.1] [0.1] []]" {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// Half of the processes are not enough.
func TestHalf(t *testing.T) {
	o := broadcasttest.Group{N: 4, Initiators: 1, Layers: layers(uniform.Config{Majority: true}), Crash: map[protocols.ID]time.Duration{2: 1, 3: 1}}.Run(t)
	if got := fmt.Sprint(o.Delivered); got != "[[] [] [] []]" {
		t.Error(got)
	}
}

func TestNoPeriod(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a process was made that never asks the detector again")
		}
	}()
	uniform.New(uniform.Config{})
}
