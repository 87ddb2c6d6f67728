package catalogtest

import (
	"context"
	"flag"
	"fmt"
	"strings"
	"testing"

	"bullring/des"
	"bullring/experiments/trial"
	"bullring/netem"
)

var storms = flag.Int("storms", 100, "how many runs TestStorm gives each algorithm, ten times as many as with -short")

// storm is a setting in which anything may go wrong, all at once, far outside
// every model.
func storm(k int, algorithm *trial.Algorithm) trial.Setting {
	draw := des.NewStream(uint64(k), "storm "+algorithm.Name)
	pick := func(words ...string) string { return words[draw.Intn(len(words))] }
	s := trial.Setting{
		Algorithm: algorithm.Name, N: 2 + draw.Intn(8), Placement: "random", Seed: draw.Uint64(),
		Delay:     pick("1ms", "uniform(0,2ms)", "exp(1ms)", "0s"),
		Link:      pick("", "loss 20%", "lossy", "wifi", "delay 1ms 1ms 50% distribution pareto loss gemodel 5% 20% duplicate 10% 20% reorder 10% gap 3 corrupt 5%", "corrupt 30% altered", "rate 1mbit limit 3 slot 2ms 5ms", "0->1: loss 80%"),
		LinkMode:  pick("exact", "compat"),
		Unordered: draw.Intn(2) == 0,
		Transport: pick("plain", "plain", "reliable(5ms,4)", "reliable(2ms,3,8ms,patient)"),
		Detector:  pick("perfect", "none", "heartbeat(2ms,5ms)", "adaptive(2ms,2ms)", "phi(2ms,3)"),
		Fault:     pick("", "random swarm until 30ms", "random swarm until 40ms then heal", "random swarm of links, lies, clocks, pauses, duplicates until 20ms", "random failures mttf exp(10ms) mttr exp(5ms) until 50ms", "random partitions mttf 8ms mttr 5ms until 60ms"),
		MaxEvents: 200_000, MaxTime: "300ms", OutsideModel: true,
	}
	if algorithm.Assumes.Anonymous || algorithm.Family != "election" { // there are no identities to lie about
		s.Fault, s.Link = strings.Replace(s.Fault, "lies, ", "", 1), strings.Replace(s.Link, " altered", "", 1)
	}
	if draw.Intn(4) == 0 {
		s.Delta, s.GST = "2ms", "15ms"
	}
	if draw.Intn(4) == 0 {
		s.Medium, s.Link, s.Delta, s.GST, s.Fault = pick("radio(1mbit)", "radio(50kbit)"), "", "", "", strings.Replace(s.Fault, "links, ", "", 1)
	}
	return s
}

// Storm: nothing panics, whatever happens; every message becomes something; a run
// repeats; and a run that is traced is the same run.
func (l Laws) Storm(t *testing.T, short bool) {
	runs := *storms
	if short {
		runs /= 10
	}
	for _, a := range l.Algorithms {
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			var worker trial.Worker
			for k := range runs {
				s := storm(k, a)
				in, err := l.Registry.Instance(s)
				if err != nil {
					t.Fatalf("%+v: %v", s, err)
				}
				func() {
					defer func() {
						if r := recover(); r != nil {
							t.Fatalf("%+v\nfaults: %v\npanics: %v", s, in.Drawn, r)
						}
					}()
					first := worker.Run(context.Background(), in, nil)
					traced := worker.Run(context.Background(), in, func(*trial.Traced) netem.Tracer { return Forgetful{} })
					if first.Fingerprint != traced.Fingerprint || fmt.Sprint(first.Counters) != fmt.Sprint(traced.Counters) {
						t.Errorf("%+v\nfaults: %v\nthe run is another one when it is traced", s, in.Drawn)
					}
					c := first.Counters
					sent, ended := c.Messages()+c.Duplicated+c.Fanned, c.Delivered+c.ToDead+c.Lost+c.Cut+c.Corrupted+c.Unheard+c.Collided
					// Faults hold messages back, and heartbeats are always under way.
					settled := first.End == netem.Quiescent && s.Fault == "" && in.Detector == nil
					if ended > sent || settled && ended != sent {
						t.Errorf("%+v: %d messages and copies, %d ends: %+v", s, sent, ended, c)
					}
				}()
			}
		})
	}
}

// Forgetful is a tracer that keeps nothing.
type Forgetful struct{}

func (Forgetful) Record(netem.Record) {}
