package trial_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bullring/des"
	"bullring/experiments/catalog"
	"bullring/experiments/trial"
	"bullring/netem"
	"bullring/netem/motion"
)

// roaming is a run of an echo under a motion.
func roaming(motion string) trial.Setting {
	return trial.Setting{Algorithm: "echo", N: 12, Topology: "complete", Delay: "1s", Motion: motion, MaxTime: "10m", Seed: 3, OutsideModel: true}
}

func runOf(t *testing.T, s trial.Setting) *trial.Result {
	t.Helper()
	in, err := catalog.New().Instance(s)
	if err != nil {
		t.Fatalf("%+v: %v", s, err)
	}
	var w trial.Worker
	return w.Run(context.Background(), in, nil)
}

// A motion is refused where it cannot be, with what is allowed.
func TestMotionRefused(t *testing.T) {
	contacts := filepath.Join(t.TempDir(), "c.txt")
	if err := os.WriteFile(contacts, []byte("0 1 5 6\n3 1 5 6\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(*trial.Setting){
		"the guarantees of echo do not apply here: the graph changes;":                                                                                    func(s *trial.Setting) { s.OutsideModel = false },
		"motion \"walk(100mx100m, 50m, 1m/s, 20s)\" never ends: say how long to watch, with --until, or when the run ends at the latest, with --max-time": func(s *trial.Setting) { s.MaxTime = "" },
		"\"wlak\" (column 1) is no kind of motion":                                                                                                        func(s *trial.Setting) { s.Motion = "wlak(1mx1m, 1m, 1m/s, 1s)" },
		"the file has contacts of process 3, and there are 3 processes":                                                                                   func(s *trial.Setting) { s.N, s.Motion = 3, "contacts:"+contacts },
		"the file has changed: it is now " + contacts + "@":                                                                                               func(s *trial.Setting) { s.Motion = "contacts:" + contacts + "@00000000" },
		"is a directory": func(s *trial.Setting) { s.Motion = "contacts:" + filepath.Dir(contacts) },
		"a run that follows a schedule has no motion": func(s *trial.Setting) { s.Schedule = "timers free\nstart 0" },
	} {
		s := roaming("walk(100mx100m,50m,1m/s,20s)")
		change(&s)
		if _, err := catalog.New().Instance(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %s", err, want)
		}
	}
}

// Motion that never ends does not keep a run alive, unless it is watched. One that ends does, until its
// last change.
func TestMotionAtRest(t *testing.T) {
	s := roaming("walk(300mx300m, 100m, 10m/s, 20s)")
	short := runOf(t, s)
	if short.End != netem.Quiescent || short.Counters.Events > 1000 {
		t.Errorf("the run ends %v after %d events", short.End, short.Counters.Events)
	}
	s.Until = "5m"
	if long := runOf(t, s); long.End != netem.Quiescent || long.Counters.Events < 2*short.Counters.Events || long.Counters.Messages() != short.Counters.Messages() {
		t.Errorf("the run that is watched ends %v after %d events, the other one after %d", long.End, long.Counters.Events, short.Counters.Events)
	}
	var events []uint64
	for _, text := range []string{"0 1 500 501\n", "0 1 500 501\n0 1 502 503\n"} {
		contacts := filepath.Join(t.TempDir(), "c.txt")
		if err := os.WriteFile(contacts, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		s = roaming("contacts:" + contacts)
		s.MaxTime = ""
		r := runOf(t, s)
		if sent := r.Counters.Messages(); sent == 0 || r.Counters.Cut != sent || r.End != netem.Quiescent {
			t.Errorf("it ends %v; of %d messages, %d are cut", r.End, sent, r.Counters.Cut)
		}
		events = append(events, r.Counters.Events)
	}
	if events[1] != events[0]+2*3 { // a change, and what each end is told
		t.Errorf("with two changes more, it has %d events in place of %d", events[1], events[0])
	}
}

// The changes of a run, written out as a plan, are the same run to an algorithm that is not told of them.
func TestMotionWrittenOut(t *testing.T) {
	for _, text := range []string{
		"walk(300mx300m, 100m, 20m/s, 20s)", "waypoint(300mx300m, 100m, 1..20m/s, 1s), steady", "edges(10%, 10%, 500ms)",
		"churn(up exp(5s), down exp(5s)), from 1m", "gauss-markov(300mx300m, 100m, 10m/s, 0.9, 1s)",
	} {
		s := roaming(text)
		r := runOf(t, s)
		plan, all := r.Instance.Motion.Explicit(r.Instance.Topology, s.Seed, des.Time(60e9), 100_000)
		if !all || !strings.Contains(plan, "at 0s down ") || !strings.Contains(plan, " up ") {
			t.Fatalf("%s is the plan %q", text, plan)
		}
		s.Motion, s.Fault = "", plan
		again := runOf(t, s)
		if a, b := r.Counters, again.Counters; a.Messages() != b.Messages() || a.Delivered != b.Delivered || a.Cut != b.Cut || r.Time != again.Time || a.Cut == 0 {
			t.Errorf("%s: %d messages, %d delivered, %d cut until %v; by the plan %d, %d, %d until %v",
				text, a.Messages(), a.Delivered, a.Cut, r.Time, b.Messages(), b.Delivered, b.Cut, again.Time)
		}
		if _, all := r.Instance.Motion.Explicit(r.Instance.Topology, s.Seed, des.Time(60e9), 20); all {
			t.Errorf("%s has 20 changes at most in a minute", text)
		}
	}
}

// An election that is told of its links has the same run by the plan: no process is told of the links that are down
// before it boots.
func TestToldMotionWrittenOut(t *testing.T) {
	s := roaming("walk(300mx300m, 100m, 20m/s, 20s)")
	s.Algorithm, s.Delay, s.Until, s.OutsideModel = "ingram", "10ms", "1m", false
	r := runOf(t, s)
	plan, _ := r.Instance.Motion.Explicit(r.Instance.Topology, s.Seed, des.Time(60e9), 100_000)
	s.Motion, s.Fault = "", plan
	again := runOf(t, s)
	if a, b := r.Counters, again.Counters; a.Messages() != b.Messages() || a.Delivered != b.Delivered || a.Cut != b.Cut || again.Time != r.Time || a.Messages() == 0 {
		t.Errorf("%d messages, %d delivered, %d cut until %v; by the plan %d, %d, %d until %v", a.Messages(), a.Delivered, a.Cut, r.Time, b.Messages(), b.Delivered, b.Cut, again.Time)
	}
}

// The seed decides a motion, and each run has a source of its own.
func TestMotionIsDrawn(t *testing.T) {
	registry := catalog.New()
	s := roaming("walk(300mx300m, 100m, 10m/s, 20s)")
	replicates := registry.Replicates(s)
	seen := map[uint64]bool{}
	var w trial.Worker
	for seed := range uint64(5) {
		s.Seed = seed
		want := runOf(t, s)
		in, err := replicates.Instance(seed)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if got := w.Run(context.Background(), in, nil); got.Fingerprint != want.Fingerprint {
				t.Errorf("seed %d: %x and %x", seed, got.Fingerprint, want.Fingerprint)
			}
		}
		seen[want.Fingerprint] = true
		if in.Seeded() != "motion" {
			t.Errorf("the seed decides %q", in.Seeded())
		}
	}
	if len(seen) != 5 {
		t.Errorf("5 seeds have %d runs", len(seen))
	}
}

// A path is not changed by what is not part of it: without links in the topology, nothing changes.
func TestMotionKeepsToTheTopology(t *testing.T) {
	m, err := motion.Parse("walk(300mx300m, 100m, 10m/s, 20s)", nil)
	if err != nil {
		t.Fatal(err)
	}
	ring := netem.BiRing(8)
	plan, _ := m.Explicit(ring, 1, des.Time(300e9), 100_000)
	for clause := range strings.SplitSeq(plan, "; ") {
		words := strings.Fields(clause)
		set := strings.Join(words[3:], " ")
		if !strings.Contains("0<->1 1<->2 2<->3 3<->4 4<->5 5<->6 6<->7 0<->7 0<->{1 7}", set) {
			t.Errorf("the ring has no links %s", set)
		}
	}
}
