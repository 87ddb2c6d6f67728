package recent_test

import (
	"testing"

	"bullring/internal/recent"
)

func TestValuesForgetWhatWasNotUsed(t *testing.T) {
	var squares recent.Values[int, int]
	computed := 0
	get := func(k int) {
		t.Helper()
		if got := squares.Get(k, func() int { computed++; return k * k }); got != k*k {
			t.Errorf("the value of %d is %d", k, got)
		}
	}
	for k := range recent.Most {
		get(k)
	}
	get(0)           // so that 1 was not used for longest
	get(recent.Most) // takes the place of 1
	if computed != recent.Most+1 {
		t.Errorf("%d values computed; want %d", computed, recent.Most+1)
	}
	for _, k := range []int{0, 2, recent.Most} {
		get(k)
	}
	if computed != recent.Most+1 {
		t.Errorf("%d values computed; 0, 2 and %d should be remembered", computed, recent.Most)
	}
	if get(1); computed != recent.Most+2 {
		t.Error("1 is remembered; it was not used for longest")
	}
}
