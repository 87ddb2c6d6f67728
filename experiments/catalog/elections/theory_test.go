package elections

import "testing"

// What processors differ in is 6.066089190457772 on amd64, and ...773 on s390x.
func TestLgIsTheSameEverywhere(t *testing.T) {
	for _, c := range []struct{ x, lg float64 }{{1, 0}, {64, 6}, {67, 6.06608919}, {81, 6.339850003}, {1 << 30, 30}} {
		if got := lg(c.x); got != c.lg {
			t.Errorf("lg %v is %v, not %v", c.x, got, c.lg)
		}
	}
}
