package counts

import (
	"math"
	"testing"
)

func TestGrouped(t *testing.T) {
	for v, want := range map[uint64]string{0: "0", 999: "999", 1000: "1,000", math.MaxUint64: "18,446,744,073,709,551,615"} {
		if got := Grouped(v); got != want {
			t.Errorf("%d prints as %q, want %q", v, got, want)
		}
	}
}

func TestSeveral(t *testing.T) {
	for want, c := range map[string]struct {
		n     int
		thing string
	}{"1 row": {1, "row"}, "0 rows": {0, "row"}, "2 classes": {2, "class"}, "1,000 searches": {1000, "search"}} {
		if got := Several(c.n, c.thing); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
