package lab_test

import (
	"testing"

	"bullring/experiments/real/lab"
	"bullring/experiments/trial"
)

// A link that loses a message to a process which is dead from the start loses nothing that the
// replay has.
func TestReplayOfLossesToTheDead(t *testing.T) {
	tried := try(t, trial.Setting{Algorithm: "bully", N: 5, Dead: "last", Initiators: "0", Link: "loss 100%", Detector: "none", Assume: "1ms", OutsideModel: true}, lab.Options{})
	if tried.Wrong != nil {
		t.Error(tried.Wrong)
	}
}
