package elections_test

import (
	"testing"

	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
)

func TestFranklinBoundsOverAllPlacementsAndInitiators(t *testing.T) {
	c := newChecker(t)
	for n := 1; n <= 6; n++ {
		catalogtest.Permutations(n, func(ids string) {
			for _, v := range []string{"", "all-terminate", "min"} {
				c.run(trial.Setting{Algorithm: "franklin", IDs: ids, Variant: v})
				c.run(trial.Setting{Algorithm: "franklin", IDs: ids, Variant: v, Delay: "exp(1ms)", Initiators: "random:1"})
			}
		})
	}
	for n := 1; n <= 4; n++ {
		catalogtest.Permutations(n, func(ids string) {
			for set := 1; set < 1<<n; set++ {
				c.run(trial.Setting{Algorithm: "franklin", IDs: ids, Initiators: catalogtest.Addresses(set, n)})
			}
		})
	}
	c.Needs("exact", "elected", "quiet")
}

// On larger rings messages come to processes that do not know yet that they are to pass
// them on.
func TestFranklinTimesOnRandomRings(t *testing.T) {
	c := newChecker(t)
	for _, n := range []int{16, 64, 200} {
		for seed := range uint64(300) {
			c.run(trial.Setting{Algorithm: "franklin", N: n, Placement: "random", Seed: seed})
		}
	}
	c.Needs("elected", "quiet")
}

// The mean of 2nP over all placements, where these are too many to be run.
func TestFranklinMean(t *testing.T) {
	for n, want := range map[int]float64{7: 1862. / 45, 8: 15136. / 315} {
		meansAre(t, trial.Setting{Algorithm: "franklin", N: n}, want, 0, 2000)
	}
}

// Franklin's leader has to hear itself both ways. The maximum never retires, and so
// nobody else does either.
func TestFranklinProbeOfTheMaximumLost(t *testing.T) {
	for n, want := range map[int]losses{2: {6, 0, 0}, 3: {16, 0, 0}, 4: {68, 0, 0}, 5: {368, 0, 0}, 6: {2272, 0, 0}} {
		if n == 6 && testing.Short() {
			continue
		}
		if got := maximumLost(t, trial.Setting{Algorithm: "franklin"}, n); got != want {
			t.Errorf("n=%d: %+v, want %+v", n, got, want)
		}
	}
}
