package lab_test

import (
	"testing"

	"bullring/experiments"
	"bullring/experiments/lab"
)

// A link that loses a message to a process which is dead from the start loses nothing that the
// replay has.
func TestReplayOfLossesToTheDead(t *testing.T) {
	trial := try(t, experiments.Setting{Algorithm: "bully", N: 5, Dead: "last", Initiators: "0", Link: "loss 100%", Detector: "none", Assume: "1ms", OutsideModel: true}, lab.Options{})
	if trial.Wrong != nil {
		t.Error(trial.Wrong)
	}
}
