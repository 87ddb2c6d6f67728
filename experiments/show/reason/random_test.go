package reason_test

import (
	"testing"

	"bullring/experiments/trial"
)

// What goes wrong in random runs.
var (
	badLinks  = []string{"", "loss 10%", "loss 20% duplicate 10%", "delay uniform(0,4ms) loss 5%", "corrupt 10%", "reorder 20% delay 2ms 1ms"}
	badPlans  = []string{"", "random swarm until 20ms", "at 1ms partition {0 1 | 2..4} for 10ms", "omit sends of 1 with 30%; at 2ms crash 3 for 4ms", "crash 0 after 2 sends", "pause 1 for 5ms"}
	badDelays = []string{"1ms", "exp(1ms)", "uniform(0,3ms)"}
)

// failing returns settings of which many fail, of every algorithm.
func failing(seeds int) (settings []trial.Setting) {
	for seed := range seeds {
		for _, a := range registry.All() {
			k := len(settings) + 1
			settings = append(settings, trial.Setting{
				Algorithm: a.Name, N: 5, Seed: uint64(seed + 1), Link: badLinks[k%6], Fault: badPlans[k/6%6], Delay: badDelays[k/36%3],
				Assume: "2ms", MaxTime: "500ms", OutsideModel: true,
			})
		}
	}
	return settings
}

// Random failing runs of all families have a reason, most of them of one change or with single
// elements that are enough. Each is run again, as it was found and as a plan.
func TestRandomFailingRuns(t *testing.T) {
	seeds := 100
	if testing.Short() {
		seeds = 8
	}
	violated, found, simple, plans := 0, 0, 0, 0
	for _, s := range failing(seeds) {
		if _, err := registry.Instance(s); err != nil {
			continue // the messages of this algorithm cannot be altered, for example
		}
		e := explained(t, s)
		if e.Violation == nil {
			continue
		}
		violated++
		if len(e.Reasons) == 0 {
			t.Logf("%+v: %s; %s", s, e.Violation.Detail, e.Unable)
			continue
		}
		found++
		if len(e.Reasons[0].Changes) == 1 || e.Alone {
			simple++
		}
		if e.Reasons[0].Again != nil {
			plans++
		}
		checkReasons(t, e)
	}
	t.Logf("of %d violated runs %d have a reason, %d a simple one; plans say %d", violated, found, simple, plans)
	if violated < 10*seeds || found < violated*99/100 || simple < violated*97/100 || plans < violated/2 {
		t.Error("too few")
	}
}
