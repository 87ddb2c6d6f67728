package mutex_test

import "testing"

func TestLamportBounds(t *testing.T) {
	c := newChecker(t)
	everyClient(t, c, "lamport", "plain", 5)
	c.Needs("exact", "last", "handover")
	everyClient(t, c, "lamport", "optimised", 5)
	c.Needs("optimised")
}
