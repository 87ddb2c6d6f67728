package mutex_test

import (
	"testing"

	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
)

func TestCentralizedBounds(t *testing.T) {
	c := newChecker(t)
	everyClient(t, c, "centralized", "", 5, "", "coordinator=last")
	c.Needs("exact", "last", "handover")
}

// A process that a plan starts at 0 starts before the services begin.
func TestStartsBeforeServices(t *testing.T) {
	newChecker(t).Run(trial.Setting{
		Algorithm: "centralized", N: 2, Fault: "at 0s start 0", Detector: "heartbeat(2ms,5ms)",
	}, families.Served)
}
