package trial_test

import (
	"strings"
	"testing"

	"bullring/experiments/catalog"
	"bullring/experiments/trial"
	"bullring/netem"
)

// aired is a run of an echo on a medium.
func aired(medium string) trial.Setting {
	return trial.Setting{Algorithm: "echo", N: 8, Topology: "complete", Delay: "10us", Medium: medium, Seed: 3, OutsideModel: true}
}

// A medium is refused where it cannot be, with what is allowed.
func TestMediumRefused(t *testing.T) {
	for want, change := range map[string]func(*trial.Setting){
		"the guarantees of echo do not apply here: messages collide;":                                            func(s *trial.Setting) { s.OutsideModel = false },
		"messages collide; a message that waits for those before it in the air arrives at any time; it assumes":  func(s *trial.Setting) { s.Algorithm, s.OutsideModel = "bully", false },
		`medium "air": allowed is radio(RATE[, SENT/bit, HEARD/bit])`:                                            func(s *trial.Setting) { s.Medium = "air" },
		`medium "radio(1mbit)" with link "rate 1mbit": processes that share a medium have no links of their own`: func(s *trial.Setting) { s.Link = "rate 1mbit" },
		`medium "radio(1mbit)" with bound on delay (delta) 2ms: transmissions collide at any time`:               func(s *trial.Setting) { s.Delta = "2ms" },
		`medium "radio(1mbit)" with fault "link 0->1 loss 5%": processes that share a medium`:                    func(s *trial.Setting) { s.Fault = "link 0->1 loss 5%" },
		`medium "radio(1mbit)" with fault "random swarm of links until 1s": processes that share a medium`:       func(s *trial.Setting) { s.Fault = "random swarm of links until 1s" },
		`medium "radio(1mbit)": a message that meets others in the air cannot be carried or altered`:             func(s *trial.Setting) { s.Fault = "carry 1st TOKEN in 1ms" },
		"a run that follows a schedule has no radio medium":                                                      func(s *trial.Setting) { s.Schedule = "timers free\nstart 0" },
		"the reliable link gives messages up that were lost too often":                                           func(s *trial.Setting) { s.Transport, s.OutsideModel = "reliable(5ms,3)", false },
	} {
		s := aired("radio(1mbit)")
		change(&s)
		if _, err := catalog.New().Instance(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %s", err, want)
		}
	}
	in, err := catalog.New().Instance(aired("radio(1mbit)"))
	if err != nil || in.Unexplored() != "radio medium" || trial.CanAlter(in) == nil {
		t.Errorf("%v: explored: %q, altered: %v", err, in.Unexplored(), trial.CanAlter(in))
	}
}

// A reliable link makes up for collisions, in which acknowledgements are lost, too. Then the algorithm is in its model.
func TestReliableOnAMedium(t *testing.T) {
	for _, algorithm := range []string{"echo", "lcr"} {
		collided := uint64(0)
		for seed := range uint64(20) {
			s := aired("radio(1mbit)")
			s.Algorithm, s.Topology, s.Transport, s.Seed, s.OutsideModel = algorithm, "", "reliable(20ms,0)", seed, false
			s.Delay = "uniform(0,10ms)" // or else the same processes collide again and again
			r := runOf(t, s)
			if !r.Correct || r.End != netem.Quiescent {
				t.Errorf("%s, seed %d: it ends %v, %v, after %d collisions", algorithm, seed, r.End, r.Outcome, r.Counters.Collided)
			}
			collided += r.Counters.Collided
		}
		if collided == 0 {
			t.Errorf("%s: nothing collides", algorithm)
		}
	}
}

// With a constant delay, nobody draws when to send again, and the same messages collide for ever.
func TestCollisionsRepeat(t *testing.T) {
	s := aired("radio(1mbit)")
	s.N, s.Topology, s.Delay, s.Transport, s.MaxEvents, s.OutsideModel = 4, "star", "1ms", "reliable(5ms,0)", 20_000, false
	if r := runOf(t, s); r.End != netem.OutOfEvents || r.Counters.Collided < 1000 {
		t.Errorf("it ends %v after %d collisions", r.End, r.Counters.Collided)
	}
}

// The metrics of a medium are those of its counters, which other runs lack or have at 0.
func TestMetricsOfAMedium(t *testing.T) {
	r := runOf(t, aired("radio(1mbit, 50nJ/bit, 40nJ/bit)"))
	c := r.Counters
	for name, want := range map[string]float64{
		"collided": float64(c.Collided), "bits_heard": float64(7 * c.Bits), "energy": float64(c.Bits*50_000+c.BitsHeard*40_000) / 1e12,
	} {
		if got, ok := r.Metric(name); !ok || got != want || got == 0 {
			t.Errorf("%s is %v, %v; want %v", name, got, ok, want)
		}
		s := aired("")
		if got, ok := runOf(t, s).Metric(name); ok && (name != "collided" || got != 0) {
			t.Errorf("without a medium %s is %v", name, got)
		}
	}
	if _, constant := r.Instance.Unit(); constant {
		t.Error("times are counted in delays, and transmissions last")
	}
	if r.Instance.Setting.Medium != "radio(1mbit, 50nJ/bit, 40nJ/bit)" {
		t.Errorf("the setting has %q", r.Instance.Setting.Medium)
	}
}
