package wave_test

import (
	"encoding/json"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"bullring/protocols"
	"bullring/protocols/wave"
)

// A set is what a list of addresses is: with an address more, joined with another one, and behind JSON.
func TestSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := rapid.SliceOfN(rapid.IntRange(0, 40), 0, 20)
		of := func(list []int) (s wave.Set) {
			for _, p := range list {
				s = s.With(protocols.ID(p))
			}
			return s
		}
		a, b := draw.Draw(t, "a"), draw.Draw(t, "b")
		both := slices.Compact(slices.Sorted(slices.Values(slices.Concat(a, b))))
		union, before := of(a).And(of(b)), of(a)
		if union != of(both) || union != of(b).And(of(a)) || of(a) != before || union.Len() != len(both) {
			t.Fatalf("%v and %v are %v", of(a), of(b), union)
		}
		for p := range protocols.ID(50) {
			if union.Has(p) != slices.Contains(both, int(p)) {
				t.Fatalf("%v has %v: %v", union, p, union.Has(p))
			}
		}
		lacks := wave.Nobody
		for p := 29; p >= 0; p-- {
			if !slices.Contains(both, p) {
				lacks = protocols.ID(p)
			}
		}
		if union.Lacks(30) != lacks {
			t.Fatalf("of 30, %v lacks %v; want %v", union, union.Lacks(30), lacks)
		}
		text, err := json.Marshal(union)
		var back wave.Set
		if err != nil || json.Unmarshal(text, &back) != nil || back != union {
			t.Fatalf("%v became %v by way of %s: %v", union, back, text, err)
		}
	})
	for list, want := range map[[4]protocols.ID]string{{0, 0, 0, 0}: "{0}", {8, 1, 0, 9}: "{0,1,8,9}", {3, 4, 5, 20}: "{3-5,20}"} {
		set := wave.Set("").With(list[0]).With(list[1]).With(list[2]).With(list[3])
		if set.String() != want {
			t.Errorf("%v prints %v", list, set)
		}
	}
	if wave.Set("").String() != "{}" {
		t.Error(wave.Set(""))
	}
}
