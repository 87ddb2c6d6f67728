package catalog_test

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"bullring/experiments/trial"
	"bullring/internal/value"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/box"
)

// unsent are the kinds that an algorithm has only for another one: a sequencer is asked for its
// items when it is replaced.
var unsent = map[string][]string{"sequencer": {"SYNC", "STATE"}}

// TestMessagesTravel sends the messages of every algorithm through JSON: of each word of its
// variants and parameters, alone and above each transformer. The receiver gets an equal
// message, and messages that differ print differently.
func TestMessagesTravel(t *testing.T) {
	for _, a := range registry.All() {
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			var worker trial.Worker
			kinds := map[string]bool{}
			for _, s := range travels(a) {
				in, err := registry.Instance(s)
				if err != nil {
					t.Fatalf("%+v: %v", s, err)
				}
				j := &journey{t: t, in: in, texts: map[string]string{}, kinds: kinds}
				boot := trial.Stack(in)
				for p := range protocols.ID(in.N) {
					j.receivers = append(j.receivers, boot(p))
				}
				worker.Run(context.Background(), in, func(*trial.Traced) netem.Tracer { return j })
			}
			for _, kind := range a.Kinds {
				if kinds[kind] == slices.Contains(unsent[a.Name], kind) {
					t.Errorf("%s: sent %v", kind, kinds[kind])
				}
			}
		})
	}
}

// trouble makes processes crash and restart, and links lose, repeat and delay.
const trouble = "random swarm until 60ms"

// rare are runs in which an algorithm sends messages that it sends nowhere else here.
var rare = map[string][]trial.Setting{
	"ghs":                  {{N: 7, Topology: "biring"}},
	"repelling":            {{N: 7, Param: "tokens=3"}, {N: 5, Seed: 13}},
	"regeneratingring":     {{N: 7, Param: "timeout=5ms"}},
	"berkeley":             {{N: 3, Param: "rounds=3,interval=20ms"}},
	"chandratoueg":         {{N: 7, Variant: "timeout", Param: "wait=1ms"}},
	"twophase":             {{N: 5, Inputs: "1,0,1,1,1"}, {N: 5, Fault: "crash 0 after 4 sends"}},
	"threephase":           {{N: 5, Inputs: "1,0,1,1,1"}, {N: 5, Fault: "crash 0 after 4 sends"}, {N: 5, Fault: "crash 0 after 6 sends"}},
	"centralized-failover": {{N: 6, Param: "election=electiontree", Seed: 34, Unordered: true, Fault: trouble}},
}

// travels are the runs whose messages the test looks at: each way inside the model and far
// outside of it.
func travels(a *trial.Algorithm) (all []trial.Setting) {
	runs := rare[a.Name]
	for _, way := range ways(a) {
		way.N = 7
		runs = append(runs, way)
		way.Seed, way.Unordered, way.Fault = 1, true, trouble
		runs = append(runs, way)
	}
	for _, s := range runs {
		s.Algorithm, s.Placement, s.Delay, s.MaxTime, s.MaxEvents, s.OutsideModel = a.Name, "random", "exp(1ms)", "200ms", 10_000, true
		for _, s.Transport = range []string{"plain", "reliable(3ms,4)"} {
			for _, s.Detector = range []string{"perfect", "heartbeat(2ms,5ms)"} {
				all = append(all, s)
			}
		}
	}
	return all
}

// ways are the settings of an algorithm with each word of its variants and its parameters.
func ways(a *trial.Algorithm) []trial.Setting {
	all := []trial.Setting{{}}
	for _, word := range slices.Concat(a.Variants...) {
		all = append(all, trial.Setting{Variant: word})
	}
	for _, p := range a.Params {
		words := strings.Split(p.Form, "|")
		isForm := func(word string) bool { return len(words) == 1 || word == "duration" || word != strings.ToLower(word) }
		for _, word := range slices.DeleteFunc(words, isForm) {
			all = append(all, trial.Setting{Param: p.Name + "=" + word})
		}
	}
	return all
}

// journey is a tracer that has each message decoded by its receiver.
type journey struct {
	t         *testing.T
	in        *trial.Instance
	receivers []protocols.Process[box.Message]
	texts     map[string]string // the JSON of the messages, by what they print
	kinds     map[string]bool
}

func (j *journey) Record(r netem.Record) {
	for _, s := range r.Sent {
		m, boxed := s.Message.(box.Message)
		if !boxed {
			m = box.Message{Inside: s.Message.(protocols.Message)}
		}
		j.send(s.To, m)
	}
}

func (j *journey) send(to protocols.ID, m box.Message) {
	printed := m.String()
	text, err := json.Marshal(m)
	if err != nil {
		j.t.Fatalf("%+v: %s has no JSON: %v", j.in.Setting, printed, err)
	}
	if before, known := j.texts[printed]; known {
		if before != string(text) {
			j.t.Errorf("%+v: two messages print %s: %s and %s", j.in.Setting, printed, before, text)
		}
		return
	}
	j.texts[printed] = string(text)
	got, err := box.Decode(j.receivers[to], text)
	if err != nil {
		j.t.Fatalf("%+v: %s: %v", j.in.Setting, text, err)
	}
	if got.String() != printed || got.Kind() != m.Kind() || got.Bits() != m.Bits() || !bytes.Equal(bytesOf(got), bytesOf(m)) {
		j.t.Errorf("%+v: %s became %v by way of %s", j.in.Setting, printed, got, text)
	}
	j.kinds[protocols.Sample(j.receivers[to]).Kinds()[got.Kind()]] = true
}

// bytesOf are bytes that are equal for equal messages.
func bytesOf(m box.Message) []byte {
	var v any = m.Inside
	return value.Append(nil, &v)
}
