package sorted

import (
	"iter"
	"maps"
	"os"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A set that is merged again and again, with entries in memory and spilt ones, knows what a map knows, says of each
// key the least number, and goes on from the runs that were kept.
func TestSetByComparison(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		folder, err := os.MkdirTemp("", "sorted")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(folder)
		set, known := &Set{Folder: folder, Name: "set"}, map[Key]bool{}
		keys := rapid.Custom(func(t *rapid.T) Key {
			return Key{rapid.Uint64Range(0, 12).Draw(t, "first"), rapid.Uint32Range(0, 3).Draw(t, "more")}
		})
		number := uint64(0)
		draw := func(what string) (all []Entry) {
			for _, k := range rapid.SliceOfNDistinct(keys, 0, 15, rapid.ID).Draw(t, what) {
				all = append(all, Entry{k, number})
				number++
			}
			slices.SortFunc(all, func(e, f Entry) int { return e.Compare(f.Key) })
			return all
		}
		for range rapid.IntRange(1, 12).Draw(t, "merges") {
			want, all := map[Key]uint64{}, []Entry(nil)
			for range rapid.IntRange(0, 3).Draw(t, "spills") {
				spilt := draw("spilt")
				check(t, set.Spill(slices.Values(spilt)))
				all = append(all, spilt...)
			}
			entries := draw("entries")
			for _, e := range append(all, entries...) {
				if least, there := want[e.Key]; !known[e.Key] && (!there || e.Number < least) {
					want[e.Key] = e.Number
				}
			}
			var got []uint64
			had, err := set.Merge(slices.Values(entries), false, func(number uint64) { got = append(got, number) })
			check(t, err)
			wantHad := map[Key]bool{}
			for _, e := range append(all, entries...) {
				if known[e.Key] {
					wantHad[e.Key] = true
				}
			}
			if had != uint64(len(wantHad)) {
				t.Fatalf("the set had %d, want %d", had, len(wantHad))
			}
			if w := slices.Sorted(maps.Values(want)); !slices.Equal(slices.Sorted(slices.Values(got)), w) {
				t.Fatalf("new are %v, want %v", got, w)
			}
			for k := range want {
				known[k] = true
			}
			if rapid.Bool().Draw(t, "goes on") {
				check(t, set.Tidy())
				again := &Set{Folder: folder, Name: "set"}
				check(t, again.Resume(set.Runs))
				set = again
			}
		}
		check(t, set.Tidy())
		count := uint64(0)
		for _, r := range set.Runs {
			count += r.Count
		}
		if files, _ := os.ReadDir(folder); len(files) != len(set.Runs) || count != uint64(len(known)) || set.Bytes() != keyBytes*count {
			t.Fatalf("%d files for %d runs with %d hashes, want %d", len(files), len(set.Runs), count, len(known))
		}
	})
}

// Runs stay few: each is at least twice as long as the next.
func TestRunsAreFew(t *testing.T) {
	set := &Set{Folder: t.TempDir(), Name: "set"}
	for i := range uint64(200) {
		var entries iter.Seq[Entry] = func(yield func(Entry) bool) {
			for k := range uint64(5) {
				if !yield(Entry{Key: Key{First: 1000*k + i}}) {
					return
				}
			}
		}
		_, err := set.Merge(entries, true, func(uint64) {})
		check(t, err)
		if len(set.Runs) > 10 {
			t.Fatalf("%d runs after %d merges", len(set.Runs), i+1)
		}
	}
}

// A file that is shorter than it was is noticed, before or while it is read.
func TestDamagedRuns(t *testing.T) {
	set := &Set{Folder: t.TempDir(), Name: "set"}
	_, err := set.Merge(slices.Values([]Entry{{Key: Key{1, 2}}, {Key: Key{3, 4}}}), true, func(uint64) {})
	check(t, err)
	check(t, os.Truncate(set.Folder+"/"+set.Runs[0].File, keyBytes+3))
	if err := (&Set{Folder: set.Folder, Name: "set"}).Resume(set.Runs); err == nil {
		t.Error("a set goes on from a run that lacks a half")
	}
	if _, err := set.Merge(slices.Values([]Entry{{Key: Key{9, 9}}}), false, func(uint64) {}); err == nil {
		t.Error("a set is merged with a run that lacks a half")
	}
}

func check(t interface{ Fatal(...any) }, err error) {
	if err != nil {
		t.Fatal(err)
	}
}
