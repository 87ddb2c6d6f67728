package history_test

import (
	"slices"
	"strings"
	"testing"

	"bullring/experiments/catalog"
	"bullring/experiments/show/history"
	"bullring/experiments/trial"
	"bullring/netem"
	"bullring/protocols"
)

func instance(t *testing.T, s trial.Setting) *trial.Instance {
	t.Helper()
	s.OutsideModel = true
	in, err := catalog.New().Instance(s)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func of(t *testing.T, s trial.Setting) *history.History {
	t.Helper()
	return history.Of(t.Context(), instance(t, s))
}

// targets are the events that are explained, as text.
func targets(h *history.History) (lines []string) {
	for _, k := range h.Targets {
		e := &h.Events[k-1]
		lines = append(lines, strings.Join(strings.Fields(e.Text(e.News)), " "))
	}
	return lines
}

// slice are the events of the explanation.
func slice(h *history.History) (events []history.Event) {
	for i, in := range h.Slice() {
		if in {
			events = append(events, h.Events[i])
		}
	}
	return events
}

func TestWhatIsExplained(t *testing.T) {
	for _, c := range []struct {
		name    string
		setting trial.Setting
		what    string
		want    []string
	}{
		{"the leader, where nobody else learns it", trial.Setting{Algorithm: "lcr", N: 3}, "the outcome is: elected",
			[]string{"3ms deliver 1 -> 2 PROBE(3) | is the leader"}},
		{"the decisions, and not what came later", trial.Setting{Algorithm: "bully", N: 3, Initiators: "0", Dead: "last"}, "the outcome is: elected",
			[]string{"3ms timeout 1 timer 0 (run) | sends COORDINATOR(2) to 0 | is the leader", "4ms deliver 1 -> 0 COORDINATOR(2) | follows 2"}},
		{"the last steps, where nobody leads", trial.Setting{Algorithm: "lcr", N: 3, Fault: "drop every message"}, "E2 is violated: 0 leaders",
			[]string{"0s start 0 | sends PROBE(1) to 1", "0s start 1 | sends PROBE(2) to 2", "0s start 2 | sends PROBE(3) to 0"}},
		{"the last steps, and no crash", trial.Setting{Algorithm: "maekawa", N: 3, Fault: "at 500us crash 1"}, "the outcome is: deadlock",
			[]string{"2ms deliver 0 -> 2 FAILED(1) | sends LOCKED(1) to 0", "3ms deliver 2 -> 0 LOCKED(1)"}},
		{"the step that broke safety", trial.Setting{Algorithm: "bully", N: 2, Initiators: "0", Fault: "omit receives of 0"},
			"E1 is violated: process 0 elected 1 while the better 2 was alive, at 2ms", []string{"2ms timeout 0 timer 0 (run) | is the leader"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := of(t, c.setting)
			if got := targets(h); h.What != c.what || !slices.Equal(got, c.want) {
				t.Errorf("%s:\n\t%s\nwant %s:\n\t%s", h.What, strings.Join(got, "\n\t"), c.what, strings.Join(c.want, "\n\t"))
			}
		})
	}
}

// A message is lost because its receiver has crashed, and a step that follows the restart has the
// crash among its causes, too. The explanation holds the crash.
func TestCrashIsACause(t *testing.T) {
	h := of(t, trial.Setting{Algorithm: "lcr", N: 2, Fault: "at 500us crash 1 for 1ms"})
	want := []struct {
		what  string
		after []int
	}{
		{"start", nil}, {"start", nil}, // of 0 and 1
		{"crash", []int{2}},
		{"lost", []int{1, 3}}, // PROBE(1) of 0
		{"deliver", []int{1, 2}},
		{"restart", []int{3}},
		{"deliver", []int{6, 5}},
	}
	if len(h.Events) != len(want) {
		t.Fatalf("%d events; want %d", len(h.Events), len(want))
	}
	for i, e := range h.Events {
		if e.What != want[i].what || !slices.Equal(e.After, want[i].after) {
			t.Errorf("event %d is %s after %v; want %s after %v", e.Order, e.What, e.After, want[i].what, want[i].after)
		}
	}
	var b strings.Builder
	if err := h.WritePast(&b); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"     #3        500µs  crash   1  <- #2\n",
		"x    #4          1ms  lost    0 -> 1  PROBE(1)  <- #1 #3\n",
		">    #7          2ms  deliver 0 -> 1  PROBE(2)  | is the leader  <- #6 #5\n",
	} {
		if !strings.Contains(b.String(), line) {
			t.Errorf("%s\nhas no line\n%s", &b, line)
		}
	}
}

// The explanation is the past of the verdict with the faults, the lost messages and their past.
// Process 2 does nothing that leads there.
func TestWhatIsLeftOut(t *testing.T) {
	h := of(t, trial.Setting{Algorithm: "bully", N: 4, Fault: "at 1ms partition {0 1 | 2 3}"})
	var left []string
	for i, in := range h.Slice() {
		if e := &h.Events[i]; !in {
			left = append(left, strings.Join(strings.Fields(e.Record.Text("")), " "))
		}
	}
	want := []string{
		"0s start 2 | sends ELECTION(3) to 3", "1ms deliver 2 -> 3 ELECTION(3) | sends ANSWER(4) to 2", "1ms deliver 3 -> 2 COORDINATOR(4)",
		"2ms deliver 1 -> 0 ANSWER(2)", "2ms deliver 3 -> 2 ANSWER(4)", "2ms timeout 3 timer 0 (run)", "3ms deliver 1 -> 0 COORDINATOR(2)",
		"3ms timeout 2 timer 0 (run)", "4ms timeout 1 timer 0 (run)", "5ms timeout 0 timer 0 (run)",
	}
	if !slices.Equal(left, want) {
		t.Errorf("left out are\n\t%s", strings.Join(left, "\n\t"))
	}
}

// Whatever goes wrong: the slice holds all causes of what it holds, in order, every
// fault and every message that did not arrive; a message comes from where it was
// sent; and the step that broke safety is one that decided.
func TestExplanationsAreClosed(t *testing.T) {
	violated, absent := 0, 0
	for seed := range uint64(60) {
		s := trial.Setting{
			Algorithm: []string{"lcr", "bully", "ringlist", "changroberts"}[seed%4], N: 5, Seed: seed, Placement: "random",
			Delay: []string{"1ms", "uniform(0,3ms)"}[seed/4%2], Assume: "2ms", MaxTime: "1s",
			Fault: "random swarm until 20ms",
		}
		if seed%3 == 0 {
			s.Link = "loss 10% duplicate 10% corrupt 5%"
		}
		if s.Algorithm == "bully" && seed%5 == 0 {
			s.Detector, s.Transport = "heartbeat(5ms,20ms)", "reliable(5ms,3)"
		}
		h := of(t, s)
		again := of(t, s)
		steps := slice(h)
		if len(slice(again)) != len(steps) || again.Result.Fingerprint != h.Result.Fingerprint {
			t.Errorf("seed %d: two explanations differ", seed)
		}
		there, broke := map[int]history.Event{}, false
		for i, c := range steps {
			if i > 0 && c.Order <= steps[i-1].Order {
				t.Fatalf("seed %d: record %d after %d", seed, c.Order, steps[i-1].Order)
			}
			for _, k := range c.After {
				if _, ok := there[k]; !ok {
					t.Fatalf("seed %d: record %d follows from %d, which is not there", seed, c.Order, k)
				}
			}
			if c.What == "deliver" {
				from := there[c.After[len(c.After)-1]]
				if from.Who != c.From || !slices.ContainsFunc(from.Sent, func(m netem.Sent) bool { return m.Number == c.Number && m.To == c.Who }) {
					t.Errorf("seed %d: record %d delivers what %d did not send", seed, c.Order, from.Order)
				}
			}
			there[c.Order] = c
			broke = broke || slices.Contains(h.Targets, c.Order) && c.News != ""
			if c.Absent {
				absent++
			}
		}
		if h.AtOnce && steps[len(steps)-1].Order != h.Targets[0] {
			t.Errorf("seed %d: the explanation goes on after %d, which broke the check, to %d", seed, h.Targets[0], steps[len(steps)-1].Order)
		}
		c := h.Result.Counters
		if lost := countAbsent(steps); !h.AtOnce && c.Duplicated == 0 && lost != c.ToDead+c.Cut+c.Corrupted+c.Lost {
			t.Errorf("seed %d: %d messages are shown that did not arrive, of %+v", seed, lost, c)
		}
		if h.Result.Verdict("E1") == protocols.Violated {
			if violated++; !broke {
				t.Errorf("seed %d: E1 is violated, but nothing is decided at the target", seed)
			}
		}
	}
	if violated < 5 || absent < 100 {
		t.Errorf("%d violations, %d messages that did not arrive: too few to show anything", violated, absent)
	}
}

func countAbsent(events []history.Event) (n uint64) {
	for _, c := range events {
		if c.Absent {
			n++
		}
	}
	return n
}

// That a component has no leader for too long breaks no step, so the whole run may be why.
func TestALapseIsNoStep(t *testing.T) {
	h := of(t, trial.Setting{
		Algorithm: "vktlinks", Variant: "max", N: 5, Topology: "complete", Delay: "uniform(0s,3ms)", Fault: "omit sends of 1 with 30%; at 2ms crash 3 for 4ms",
		Assume: "2ms", Seed: 9, MaxTime: "500ms",
	})
	if !strings.HasPrefix(h.What, "E2 is violated: process 0 has no leader") || h.AtOnce || len(h.Targets) < 2 {
		t.Errorf("%q, at once %v, of the events %v", h.What, h.AtOnce, h.Targets)
	}
}
