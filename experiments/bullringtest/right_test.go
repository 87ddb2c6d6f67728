package bullringtest_test

import (
	"testing"

	"bullring/experiments/bullringtest"
	"bullring/experiments/catalog"
)

// TestRight: right algorithms of several families pass, with all that their models allow.
func TestRight(t *testing.T) {
	for _, name := range []string{"bully", "changroberts", "floodset", "raymond", "causal"} {
		a, err := catalog.New().Find(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			bullringtest.Run(t, *a, bullringtest.Options{Largest: 3, States: 2_000, Settings: 100})
		})
	}
}
