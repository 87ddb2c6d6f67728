package catalog_test

import "testing"

func TestCentralizedBounds(t *testing.T) {
	c := newChecker(t)
	everyClient(t, c, "centralized", "", 5, "", "coordinator=last")
	c.needs("exact", "last", "handover")
}
