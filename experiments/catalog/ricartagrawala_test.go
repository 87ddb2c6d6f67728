package catalog_test

import "testing"

func TestRicartAgrawalaBounds(t *testing.T) {
	c := newChecker(t)
	everyClient(t, c, "ricartagrawala", "", 5)
	c.needs("exact", "last", "handover")
}
