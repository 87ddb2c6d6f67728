package yardstick

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestHeapSorts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var h Heap[int]
		type event struct {
			at    int64
			class uint8
			item  int
		}
		var want []event
		for i, at := range rapid.SliceOf(rapid.Int64Range(0, 5)).Draw(t, "instants") {
			class := rapid.Uint8Range(0, 3).Draw(t, "class")
			h.At(at, class, i)
			want = append(want, event{at, class, i})
		}
		slices.SortStableFunc(want, func(a, b event) int {
			return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.class, b.class))
		})
		for _, e := range want {
			if got, ok := h.Next(); !ok || got.At != e.at || got.Item != e.item {
				t.Fatalf("Next() = %v, %v; want %v", got, ok, e)
			}
		}
		if _, ok := h.Next(); ok {
			t.Fatal("an empty heap has a next event")
		}
	})
}
