package mutex_test

import (
	"testing"

	"bullring/experiments/trial"
)

func TestMaekawaBounds(t *testing.T) {
	c := newChecker(t)
	everyClient(t, c, "maekawa", "", 5, "quorums=grid", "quorums=majority")
	for _, n := range []int{3, 7, 13, 21, 31} {
		for seed := range uint64(20) {
			for _, clients := range []string{"random:1", "random:3", "all"} {
				for _, delay := range []string{"", "exp(1ms)"} {
					served(t, c, trial.Setting{Algorithm: "maekawa", N: n, Initiators: clients, Delay: delay, Seed: seed, Param: "quorums=plane"})
				}
			}
		}
	}
	c.Needs("exact", "delay")
}

// Maekawa 1985: c sqrt(N) messages an entry. All at once, on planes: 3.33, 7.14, 11.08,
// 15.05 and 19.03.
func TestMaekawaAllAtOnce(t *testing.T) {
	c := newChecker(t)
	for n, want := range map[int]uint64{3: 10, 7: 50, 13: 144, 21: 316, 31: 590} {
		r := served(t, c, trial.Setting{Algorithm: "maekawa", N: n, Param: "quorums=plane"})
		if got := r.Counters.Messages(); got != want {
			t.Errorf("n=%d: %d messages, want %d", n, got, want)
		}
	}
}

func TestUnknownPlane(t *testing.T) {
	_, err := registry.Instance(trial.Setting{Algorithm: "maekawa", N: 8, Param: "quorums=plane"})
	if want := "parameter quorums=plane: no projective plane of 8 points is known here; allowed are 1, 3, 7, 13, 21, 31, 57, 73, 91, 133"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
