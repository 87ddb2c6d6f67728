package elections_test

import (
	"context"
	"strings"
	"testing"

	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/protocols"
)

// Over a reliable link what links do does not reach the algorithm, and a network
// that is synchronous from the beginning has a bound.
func TestInsideTheModel(t *testing.T) {
	for _, s := range []trial.Setting{
		{Algorithm: "lcr", N: 4, Link: "loss 10% duplicate 10%", Transport: "reliable(10ms,0)"},
		{Algorithm: "lcr", N: 8, Fault: "at 1ms partition {0..3 | 4..7} for 20ms", Transport: "reliable(10ms,0)"},
		{Algorithm: "changroberts", N: 4, Link: "delay 1ms reorder 5%", Transport: "reliable", Unordered: true},
		{Algorithm: "lcr", N: 5, Transport: "reliable"},
		{Algorithm: "changroberts", N: 5, Transport: "reliable", Initiators: "1"},
		{Algorithm: "peterson", N: 5, Transport: "reliable", Initiators: "1"},
		{Algorithm: "peterson", N: 6, Link: "delay 1ms loss 10% duplicate 10% reorder 5%", Transport: "reliable(10ms,0)"},
		{Algorithm: "lelann", N: 5, Transport: "reliable", Initiators: "1,3"},
		{Algorithm: "hirschbergsinclair", N: 5, Link: "delay 1ms reorder 5%", Variant: "original"},
		{Algorithm: "hirschbergsinclair", N: 6, Link: "delay 1ms loss 10%", Transport: "reliable(10ms,0)", Initiators: "1"},
		{Algorithm: "franklin", N: 5, Transport: "reliable", Initiators: "1"},
		{Algorithm: "ringlist", N: 5, Transport: "reliable", Dead: "2"},
		{Algorithm: "bully", N: 5, Transport: "reliable", Dead: "4", Initiators: "0"},
		{Algorithm: "lcr", N: 5, Detector: "heartbeat(1ms,5ms)", Until: "50ms"},
		{Algorithm: "bully", N: 4, Delay: "exp(1ms)", Delta: "3ms"},
		{Algorithm: "bully", N: 4, Fault: "at 1ms crash 3 for 2ms; crash 2 after 1 send of COORDINATOR"},
		{Algorithm: "modifiedring", N: 4, Fault: "at 1ms crash 3"},
		{Algorithm: "lcr", N: 4, Fault: "delay 1st message by 1ms; at 1ms pause 2 for 5ms; clock 2 drift 100ppm"},
	} {
		if in, err := registry.Instance(s); err != nil {
			t.Errorf("%+v: %v", s, err)
		} else if r := new(trial.Worker).Run(t.Context(), in, nil); r.BrokenBound() != nil || r.Verdict("E1") != protocols.Holds || r.Verdict("E2") == protocols.Violated {
			t.Errorf("%+v: %v, %v, %v", s, r.Outcome, r.Checks, r.BrokenBound())
		}
	}
}

func TestOutsideTheModel(t *testing.T) {
	for _, c := range []struct {
		setting trial.Setting
		says    string
	}{
		{trial.Setting{Algorithm: "lcr", N: 4, Initiators: "0"}, "not every process initiates"},
		{trial.Setting{Algorithm: "lcr", N: 4, Dead: "0"}, "a process crashes"},
		{trial.Setting{Algorithm: "changroberts", N: 4, Unordered: true}, "links are not FIFO"},
		{trial.Setting{Algorithm: "peterson", N: 4, Unordered: true}, "links are not FIFO"},
		{trial.Setting{Algorithm: "lelann", N: 4, Unordered: true}, "links are not FIFO"},
		{trial.Setting{Algorithm: "franklin", N: 4, Unordered: true}, "links are not FIFO"},
		{trial.Setting{Algorithm: "hirschbergsinclair", N: 4, Dead: "0"}, "a process crashes"},
		{trial.Setting{Algorithm: "peterson", N: 4, Dead: "0"}, "a process crashes"},
		{trial.Setting{Algorithm: "bully", N: 4, Delay: "exp(1ms)"}, "has no bound"},
		{trial.Setting{Algorithm: "bully", N: 4, Delay: "2ms", Assume: "1ms"}, "exceeds the assumed bound"},
		{trial.Setting{Algorithm: "ringlist", N: 4, Initiators: "1", Fault: "at 0s crash 0; at 2ms restart 0"}, "a process restarts"},
		{trial.Setting{Algorithm: "ringlist", N: 4, Fault: "at 1ms crash 0"}, "a process crashes after the start"},
		{trial.Setting{Algorithm: "lcr", N: 4, Link: "loss 1%"}, "links lose messages"},
		{trial.Setting{Algorithm: "lcr", N: 4, Link: "0->1: corrupt 1%"}, "links lose messages"},
		{trial.Setting{Algorithm: "lcr", N: 4, Link: "duplicate 1%"}, "links duplicate messages"},
		{trial.Setting{Algorithm: "lcr", N: 4, Link: "corrupt 1% altered"}, "links alter messages"},
		{trial.Setting{Algorithm: "changroberts", N: 4, Link: "delay 1ms reorder 5%"}, "links are not FIFO"},
		{trial.Setting{Algorithm: "lcr", N: 4, Fault: "drop 1st message"}, "a fault has messages lost"},
		{trial.Setting{Algorithm: "lcr", N: 4, Fault: "at 1ms partition {0 1 | 2 3} for 1ms"}, "a fault has messages lost"},
		{trial.Setting{Algorithm: "lcr", N: 4, Fault: "duplicate 1st message"}, "a fault duplicates messages"},
		{trial.Setting{Algorithm: "lcr", N: 4, Fault: "lie 1 as 9"}, "a process lies"},
		{trial.Setting{Algorithm: "bully", N: 4, Fault: "delay 1st message by 1ms"}, "a fault delays messages or processes"},
		{trial.Setting{Algorithm: "bully", N: 4, Fault: "carry 1st message in 1ms; carry 2nd message in 1001us"}, "a fault carries a message for longer than the bound"},
		{trial.Setting{Algorithm: "bully", N: 4, Fault: "at 1ms pause 2 for 5ms"}, "a fault delays messages or processes"},
		{trial.Setting{Algorithm: "bully", N: 4, Fault: "clock 2 drift 100ppm"}, "clocks are wrong"},
		{trial.Setting{Algorithm: "bully", N: 4, Fault: "at 1ms link 0->1 delay 1ms"}, "a fault changes what links do"},
		{trial.Setting{Algorithm: "bully", N: 4, Delta: "1ms", GST: "5ms"}, "delays are bounded from 5ms on only"},
		{trial.Setting{Algorithm: "bully", N: 4, Link: "delay 3ms", Assume: "1ms"}, "exceeds the assumed bound"},
		{trial.Setting{Algorithm: "bully", N: 4, Link: "loss 1%", Transport: "reliable(10ms,0)"}, "arrives at any time"},
		{trial.Setting{Algorithm: "lcr", N: 4, Link: "loss 1%", Transport: "reliable(10ms,3)"}, "gives messages up"},
		{trial.Setting{Algorithm: "bully", N: 4, Detector: "none"}, "there is no failure detector"},
		{trial.Setting{Algorithm: "bully", N: 4, Detector: "heartbeat(5ms,15ms)"}, "the failure detector can be mistaken"},
		{trial.Setting{Algorithm: "lcr", N: 3, Fault: "pause 0"}, "a process stands still for ever"},
		{trial.Setting{Algorithm: "raft", N: 3, Fault: "pause 0"}, "a process stands still for ever"},
		{trial.Setting{Algorithm: "lcr", N: 3, Fault: "clog 0->1"}, "a fault has messages lost"},
		{trial.Setting{Algorithm: "franklin", N: 3, Transport: "reliable(5ms,0)", Detector: "phi(2ms,3)"}, "the reliable link gives up whom the failure detector suspects"},
		{trial.Setting{Algorithm: "bully", N: 3, Transport: "reliable(5ms,0)", Fault: "at 1ms crash 0 for 5ms"}, "a message that is sent again and again arrives at any time"},
	} {
		if _, err := registry.Instance(c.setting); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v; want %q", c.setting, err, c.says)
		}
		c.setting.OutsideModel = true
		in, err := registry.Instance(c.setting)
		if err != nil {
			t.Errorf("%+v: %v", c.setting, err)
		} else if len(in.Outside) != 1 {
			t.Errorf("%+v is outside in the respects %q; want one", c.setting, in.Outside)
		}
	}
}

// Heartbeats are no messages of the election: who starts late has started before one of
// those came, and may be elected.
func TestHeartbeatsWakeNobody(t *testing.T) {
	for _, detector := range []string{"perfect", "phi(2ms,3)"} {
		r := new(trial.Worker).Run(context.Background(), inModel(t, trial.Setting{
			Algorithm: "changroberts", Variant: "tel", N: 9, Placement: "increasing", Initiators: "0", Fault: "at 5500us start 8", Topology: "biring", Detector: detector,
		}), nil)
		if families.ElectionOf(r).Leader != 9 || r.Verdict("E1") != protocols.Holds {
			t.Errorf("%s: %d is elected, and E1 %v", detector, families.ElectionOf(r).Leader, r.Checks)
		}
	}
}
