package trial_test

import (
	"slices"
	"strings"
	"testing"

	"bullring/experiments/catalog"
	"bullring/experiments/trial"
)

// Inputs are read in each of their forms.
func TestInputs(t *testing.T) {
	registry := catalog.New()
	for text, want := range map[string][]int{
		"0,1,63": {0, 1, 63}, " 5, 0 ,7": {5, 0, 7}, "all 9": {9, 9, 9}, "one 1": {1, 0, 0}, "one 0": {0, 1, 1},
	} {
		in, err := registry.Instance(trial.Setting{Algorithm: "floodset", N: 3, Inputs: text})
		if err != nil || !slices.Equal(in.Inputs(), want) {
			t.Errorf("%q: %v, %v; want %v", text, in, err, want)
		}
	}
	for s, want := range map[trial.Setting]string{
		{Algorithm: "floodset", N: 3, Inputs: "0,1"}:                                  "2 values for 3 processes",
		{Algorithm: "floodset", N: 3, Inputs: "0,1,64"}:                               `process 2: "64" is no input; allowed are whole numbers from 0 to 63`,
		{Algorithm: "floodset", N: 3, Inputs: "all"}:                                  "1 values for 3 processes",
		{Algorithm: "floodset", N: 3, Inputs: "all x"}:                                `"x" is no input`,
		{Algorithm: "floodset", N: 3, Inputs: "every"}:                                "1 values for 3 processes",
		{Algorithm: "lcr", N: 3, Inputs: "0,1,1"}:                                     "begin without inputs",
		{Algorithm: "lcr", N: 3, F: "1"}:                                              "lcr does not count the processes that fail",
		{Algorithm: "floodset", N: 3, F: "-1"}:                                        `f "-1": it is the number of processes that may fail, from 0`,
		{Algorithm: "floodset", N: 3, F: "many"}:                                      `f "many"`,
		{Algorithm: "floodset", N: 3, F: "3"}:                                         "n is 3 and f is 3, and not n > f",
		{Algorithm: "floodset", N: 4, Dead: "0,1"}:                                    "up to 2 processes fail, and f is 1",
		{Algorithm: "floodset", N: 4, Fault: "crash 0 after 1 sends; at 1ms crash 0"}: "",
		{Algorithm: "floodset", N: 4, Dead: "1", Fault: "at 0s crash 1"}:              "",
		{Algorithm: "floodset", N: 4, Dead: "1", Fault: "at 1ms crash 2"}:             "up to 2 processes fail",
		{Algorithm: "floodset", N: 4, Fault: "at 1ms crash 2; crash 3 after 1 sends"}: "up to 2 processes fail",
		{Algorithm: "floodset", N: 4, F: "2", Fault: "random crashes 2 in 0s..3ms"}:   "",
		{Algorithm: "floodset", N: 4, Fault: "random crashes 2 in 0s..3ms"}:           "up to 2 processes fail",
	} {
		_, err := registry.Instance(s)
		if want == "" && err == nil {
			continue
		}
		if err == nil || want == "" || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v; want %q", s, err, want)
		}
	}
}

// Random inputs are those of the seed, for each of its values, and the same if they are drawn anew.
func TestRandomInputs(t *testing.T) {
	registry, seen := catalog.New(), map[int]int{}
	replicates := registry.Replicates(trial.Setting{Algorithm: "floodset", N: 8})
	for seed := range uint64(200) {
		in, err := registry.Instance(trial.Setting{Algorithm: "floodset", N: 8, Seed: seed})
		again, failed := replicates.Instance(seed)
		if err != nil || failed != nil || !slices.Equal(in.Inputs(), again.Inputs()) {
			t.Fatalf("seed %d: %v, %v; %v, %v", seed, in.Inputs(), err, again.Inputs(), failed)
		}
		for _, v := range in.Inputs() {
			seen[v]++
		}
	}
	for v := range 64 {
		if seen[v] < 5 || seen[v] > 60 { // 25 are expected
			t.Errorf("%d was drawn %d times", v, seen[v])
		}
	}
}
