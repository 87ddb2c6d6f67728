package catalog_test

import "testing"

func TestLamportBounds(t *testing.T) {
	c := newChecker(t)
	everyClient(t, c, "lamport", "plain", 5)
	c.needs("exact", "last", "handover")
	everyClient(t, c, "lamport", "optimised", 5)
	c.needs("optimised")
}
