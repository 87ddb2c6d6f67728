package catalog_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"bullring/experiments/show/history"
	"bullring/experiments/trial"
	"bullring/faults"
	"bullring/netem"
	"bullring/protocols"
)

// TestNothingChanged: an alteration that changes nothing leaves every run as it is: also if it
// has each link do again what it did, and holds the messages that are new to the bound.
func TestNothingChanged(t *testing.T) {
	var w trial.Worker
	compared, logged := 0, 0
	for i, s := range settingsToAlter() {
		if testing.Short() && i%13 != 0 {
			continue
		}
		in, err := registry.Instance(s)
		switch {
		case err != nil && strings.Contains(err.Error(), "cannot be altered"): // messages without identities
			continue
		case err != nil:
			t.Fatal(err)
		}
		want := w.Run(t.Context(), in, nil)
		log := map[netem.MessageKey]netem.Fate{}
		for _, none := range []*netem.Alteration{{}, {Log: log}, {Real: log}, {Real: log, Calm: 1}} {
			altered := *in
			altered.Altered = none
			got := w.Run(t.Context(), &altered, nil)
			if got.Fingerprint != want.Fingerprint || !reflect.DeepEqual(got.Counters, want.Counters) || !reflect.DeepEqual(got.Checks, want.Checks) {
				t.Errorf("%+v: with %d fates and calm %v the run has %x %+v, want %x %+v", s, len(none.Real), none.Calm, got.Fingerprint, got.Counters, want.Fingerprint, want.Counters)
			}
		}
		compared++
		logged += len(log)
	}
	if compared < 300 || logged < 10_000 {
		t.Errorf("only %d runs with %d messages were compared", compared, logged)
	}
}

// settingsToAlter are settings of every algorithm with links, faults and services of many kinds.
func settingsToAlter() (all []trial.Setting) {
	lines := []string{
		"", "loss 20%", "duplicate 20%", "loss 10% delay exp(2ms)", "delay 2ms 1ms reorder 20%", "corrupt 5% loss 5%",
		"corrupt 10% altered duplicate 20% loss 10% limit 2", "rate 1Mbit delay uniform(0,2ms); 0->1: loss 50%",
	}
	plans := []string{
		"", "random swarm until 20ms", "omit sends of 1 with 30%; at 2ms partition {0 | 1..4} for 5ms",
		"duplicate every message from 0 with 50%; omit receives of 2 with 30%; at 1ms link 0->* loss 50% duplicate 20% for 4ms; at 2ms pause 1 for 3ms; slow 3 by 100us",
	}
	for _, a := range registry.All() {
		for _, line := range lines {
			for _, plan := range plans {
				for _, change := range []func(*trial.Setting){
					func(*trial.Setting) {},
					func(s *trial.Setting) { s.Unordered = true },
					func(s *trial.Setting) { s.Delta, s.GST = "1ms", "5ms" },
					func(s *trial.Setting) { s.Transport, s.Detector = "reliable(5ms,2)", "heartbeat(10ms,25ms)" },
					func(s *trial.Setting) { s.LinkMode = "compat" },
				} {
					s := trial.Setting{
						Algorithm: a.Name, N: 5, Delay: "uniform(0,3ms)", Link: line, Fault: plan, Seed: 3,
						OutsideModel: true, MaxEvents: 5_000, MaxTime: "1s",
					}
					change(&s)
					all = append(all, s)
				}
			}
		}
	}
	return all
}

// failing are settings whose runs often violate a check.
var failing = []trial.Setting{
	{Algorithm: "bully", N: 5, Initiators: "0", Dead: "last", Delay: "uniform(0,3ms)", Assume: "1ms"},
	{Algorithm: "bully", N: 5, Fault: "random swarm until 30ms"},
	{Algorithm: "bully", N: 5, Fault: "random swarm until 30ms", Transport: "reliable(5ms,2)"},
	{Algorithm: "ringlist", N: 8, Link: "loss 20%"},
	{Algorithm: "chandylamport", N: 5, Delay: "uniform(0,5ms)", Unordered: true},
	{Algorithm: "ricartagrawala", N: 4, Link: "duplicate 20% delay uniform(0,2ms) limit 3", Param: "requests=3,think=1ms"},
	{Algorithm: "maekawa", N: 9, Fault: "random swarm until 10ms"},
}

// TestPlansAlterLikewise: what an alteration does to a run, the words never and carry of a plan do,
// too. A fault that is switched off in place leaves the same run as one that never happens. A
// message that an alteration carries leaves the same run as one that a plan carries, beside a plan
// with one more fault that strikes nothing: without that, the beginning of the fault is an event
// more.
func TestPlansAlterLikewise(t *testing.T) {
	var w trial.Worker
	compared := map[string]int{}
	instance := func(s trial.Setting, plan string) *trial.Instance {
		s.Fault = plan
		in, err := registry.Instance(s)
		if err != nil {
			t.Fatal(err)
		}
		return in
	}
	equal := func(what string, a, b *trial.Instance) {
		got, want := w.Run(t.Context(), a, nil), w.Run(t.Context(), b, nil)
		if got.Fingerprint != want.Fingerprint || !reflect.DeepEqual(got.Counters, want.Counters) || !reflect.DeepEqual(got.Checks, want.Checks) {
			t.Errorf("%s: the plan %q leaves the run %x %+v, want %x %+v", what, a.Plan, got.Fingerprint, got.Counters, want.Fingerprint, want.Counters)
		}
		compared[what]++
	}
	for _, s := range failing {
		for seed := range uint64(100) {
			s.Seed, s.OutsideModel, s.MaxEvents = seed, true, 20_000
			in := instance(s, s.Fault)
			log := map[netem.MessageKey]netem.Fate{}
			in.Altered = &netem.Alteration{Log: log}
			real := w.Run(t.Context(), in, nil)
			if !slices.ContainsFunc(real.Checks, func(c protocols.Check) bool { return c.Verdict == protocols.Violated }) {
				continue
			}
			draw := rand.New(rand.NewPCG(seed, 1))
			plan := in.Drawn.String()
			if len(in.Drawn) > 0 {
				off := instance(s, plan)
				off.Off = make([]bool, len(off.Drawn))
				spared := slices.Clone(off.Drawn)
				for k := range spared {
					if draw.IntN(2) == 0 {
						off.Off[k], spared[k] = true, faults.Fault{Kind: faults.Never, Spared: &off.Drawn[k]}
					}
				}
				equal("never", instance(s, spared.String()), off)
			}
			key, ok := drawKey(log, draw)
			if !ok || key.Kind >= len(in.Algorithm.Kinds) { // a plan names no kind of a transport
				continue
			}
			after := time.Duration(draw.Int64N(int64(3 * time.Millisecond)))
			carried, idle := carry(in, key, after), key
			idle.Nth = 1 << 30
			altered := instance(s, join(plan, carry(in, idle, after)))
			altered.Altered = &netem.Alteration{Carry: map[netem.MessageKey]time.Duration{key: after}}
			equal("carry", instance(s, join(plan, carried)), altered)
		}
	}
	if compared["never"] < 30 || compared["carry"] < 200 {
		t.Errorf("only so many runs were compared: %v", compared)
	}
}

// TestCarriedAtAnyLevel: of a message that is carried exactly one copy arrives, intact and so long
// after it was sent: of the algorithm, and what a reliable link or a failure detector sends. Links
// lose, duplicate, damage and alter messages, and faults lose them and lie.
func TestCarriedAtAnyLevel(t *testing.T) {
	const after = 1234567 * time.Nanosecond
	carried := map[string]int{}
	for _, s := range []trial.Setting{
		{Algorithm: "bully", N: 4},
		{Algorithm: "lcr", N: 4, Transport: "reliable(5ms,8)"},
		{Algorithm: "raft", N: 4, Detector: "heartbeat(2ms,5ms)"},
		{Algorithm: "bully", N: 4, Transport: "reliable(5ms,8)", Detector: "heartbeat(2ms,5ms)"},
	} {
		for seed := range uint64(40) {
			s.Seed, s.OutsideModel, s.Unordered, s.Delay, s.MaxTime = seed, true, true, "exp(1ms)", "60ms"
			s.Link = "loss 20% duplicate 20% corrupt 20%"
			if s.Transport == "" && s.Algorithm == "bully" {
				s.Link += " altered"
				s.Fault = "lie 1 as 7; omit receives of 2 with 30%; at 2ms partition {0 1 | 2 3} for 9ms; drop every message with 20%"
			}
			in, err := registry.Instance(s)
			if err != nil {
				t.Fatal(err)
			}
			log := map[netem.MessageKey]netem.Fate{}
			in.Altered = &netem.Alteration{Log: log}
			history.Of(t.Context(), in)
			key, ok := drawKey(log, rand.New(rand.NewPCG(seed, 2)))
			if !ok {
				continue
			}
			in.Altered = &netem.Alteration{Carry: map[netem.MessageKey]time.Duration{key: after}}
			h := history.Of(t.Context(), in)
			kind, arrivals, late := arrivalsOf(h, key, after)
			if late { // the run ended before
				continue
			}
			carried[kind]++
			if !slices.Equal(arrivals, []time.Duration{after}) {
				t.Errorf("%+v: %s %+v took %v, want %v", s, kind, key, arrivals, after)
			}
		}
	}
	for _, kind := range []string{"ELECTION", "PROBE", "ACK", "HEARTBEAT"} {
		if carried[kind] == 0 {
			t.Errorf("no %s was carried: %v", kind, carried)
		}
	}
}

// arrivalsOf says how long each copy of a message took, and what kind of message it is. late is set
// if the run ended too early to say.
func arrivalsOf(h *history.History, key netem.MessageKey, after time.Duration) (kind string, took []time.Duration, late bool) {
	count, number, sent := 0, uint64(0), h.Events[0].At
	for _, e := range h.Events {
		for _, m := range e.Sent {
			if message := m.Message.(protocols.Message); e.Who == key.From && m.To == key.To && message.Kind() == key.Kind {
				if count++; count == key.Nth {
					number, sent, kind = m.Number, e.At, h.Result.Kinds[key.Kind]
				}
			}
		}
		if number > 0 && e.Number == number && (e.What == "deliver" || e.What == "lost" || e.What == "damaged") {
			took = append(took, e.At.Sub(sent))
		}
	}
	return kind, took, number == 0 || h.Events[len(h.Events)-1].At < sent.Add(after)
}

// TestTolerant: a schedule with steps that are not possible is followed as without them, if the
// instance is tolerant. They keep their numbers.
func TestTolerant(t *testing.T) {
	steps := []string{
		"timers free", "start 0", "deliver 0->1 ELECTION(1)", "deliver 0->2 ELECTION(1)", "deliver 1->0 ANSWER(2)",
		"timeout 1 timer 0", "deliver 1->2 ELECTION(2)", "go on",
	}
	run := func(steps []string, tolerant bool) *trial.Result {
		in, err := registry.Instance(trial.Setting{
			Algorithm: "bully", N: 4, Initiators: "0", Dead: "last", OutsideModel: true, Schedule: trial.Schedule(strings.Join(steps, "\n")),
		})
		if err != nil {
			t.Fatal(err)
		}
		in.Tolerant = tolerant
		return new(trial.Worker).Run(t.Context(), in, nil)
	}
	want := run(steps, false)
	if want.Failed != nil || !strings.HasSuffix(want.Checks[0].Detail, "at step 5") {
		t.Fatal(want.Checks, want.Failed)
	}
	said := func(r *trial.Result) (text string) {
		for _, c := range r.Checks {
			text += c.Name + " " + c.Verdict.String() + " " + c.Detail + "; "
		}
		return text
	}
	for _, wrong := range []string{"deliver 2->0 ANSWER(9)", "timeout 2 timer 0", "lose 2->1 ANSWER(1)", "tick"} {
		more := slices.Concat(steps[:3], []string{wrong}, steps[3:])
		if got := run(more, false); got.Failed == nil {
			t.Errorf("%q is possible", wrong)
		}
		got := run(more, true)
		checks := strings.Replace(said(want), "at step 5", "at step 6", 1)
		if got.Failed != nil || got.Fingerprint != want.Fingerprint || said(got) != checks {
			t.Errorf("with %q the run has %x %q %v, want %x %q", wrong, got.Fingerprint, said(got), got.Failed, want.Fingerprint, checks)
		}
	}
}

// TestSlotsAreNotAltered: an instance whose messages wait for slots says that they cannot be carried.
func TestSlotsAreNotAltered(t *testing.T) {
	for _, c := range []struct{ link, plan, says string }{
		{"loss 1%", "link * loss 2%", ""},
		{"0->1: slot 1ms", "", `link "0->1: slot 1ms": a message that waits for a slot`},
		{"", "at 1ms link 0->1 delay 1ms slot 2ms for 3ms", `fault "at 1ms link 0->1 delay 1ms slot 2ms for 3ms": a message that waits`},
	} {
		s := trial.Setting{Algorithm: "lcr", N: 4, Link: c.link, Fault: c.plan, OutsideModel: true}
		in, err := registry.Instance(s)
		if err != nil {
			t.Fatal(err)
		}
		s.Fault = join(c.plan, "carry 1st PROBE in 1ms")
		_, carried := registry.Instance(s)
		for _, err := range []error{trial.CanAlter(in), carried} {
			if (err == nil) != (c.says == "") || err != nil && !strings.HasPrefix(err.Error(), c.says) {
				t.Errorf("link %q, plan %q: %v, want %q", c.link, c.plan, err, c.says)
			}
		}
	}
}

// TestCarriedOutOfALife: a message that a fault carries beyond the life of its link is outside the model of an algorithm
// that is told of its links, and a reliable link is not mistaken about what it has sent since.
func TestCarriedOutOfALife(t *testing.T) {
	s := trial.Setting{Algorithm: "ingram", N: 2, Topology: "complete", Fault: "carry 1st UPDATE from 0 to 1 in 9ms; at 500us down 0<->1; at 8500us up 0<->1; at 8600us down 0<->1; at 8700us up 0<->1"}
	if _, err := registry.Instance(s); err == nil || !strings.Contains(err.Error(), "a fault carries messages that outlive their links") {
		t.Errorf("%v; want a refusal", err)
	}
	s = trial.Setting{Algorithm: "lcr", N: 2, Topology: "biring", Transport: "reliable(5ms,4)", Fault: "carry 1st message in 9ms; at 2ms down 0<->1; at 5ms up 0<->1", OutsideModel: true}
	in, err := registry.Instance(s)
	if err != nil {
		t.Fatal(err)
	}
	if r := new(trial.Worker).Run(t.Context(), in, nil); r.Failed != nil {
		t.Error(r.Failed)
	}
}

// drawKey draws one of the messages of a run.
func drawKey(log map[netem.MessageKey]netem.Fate, draw *rand.Rand) (k netem.MessageKey, ok bool) {
	keys := slices.SortedFunc(maps.Keys(log), func(a, b netem.MessageKey) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	if len(keys) == 0 {
		return k, false
	}
	return keys[draw.IntN(len(keys))], true
}

// carry is the fault that carries a message.
func carry(in *trial.Instance, k netem.MessageKey, after time.Duration) string {
	return faults.Fault{Kind: faults.Carry, Message: in.Algorithm.Kinds[k.Kind], Count: uint64(k.Nth), From: k.From, To: k.To, By: after}.String()
}

func join(plan, fault string) string {
	if plan == "" {
		return fault
	}
	return plan + "; " + fault
}
