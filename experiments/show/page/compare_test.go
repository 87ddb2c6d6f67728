package page_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"bullring/experiments/show/history"
	"bullring/experiments/show/page"
)

// madeByAll are the parts that every version of an epoch makes the same.
var madeByAll = strings.Fields("algorithm variant seed n ids topology directed links fifo outcome correct messages fingerprint")

// changed is data with another value of a part, or without the part.
func changed(t *testing.T, d page.Data, key string, remove bool) page.Data {
	t.Helper()
	var parts map[string]any
	if err := json.Unmarshal(encoded(t, d), &parts); err != nil {
		t.Fatal(err)
	}
	switch v := parts[key].(type) {
	case string:
		parts[key] = v + "1"
	case float64:
		parts[key] = v + 1
	case bool:
		parts[key] = !v
	case []any:
		parts[key] = v[:len(v)-1]
	default:
		t.Fatalf("%s is a %T", key, v)
	}
	if remove {
		delete(parts, key)
	}
	text, err := json.Marshal(parts)
	if err != nil {
		t.Fatal(err)
	}
	var other page.Data
	if err := json.Unmarshal(text, &other); err != nil {
		t.Fatal(err)
	}
	return other
}

// Each part of data is compared. Of another version, the words may be others, and no more.
func TestCompare(t *testing.T) {
	d := dataOf(t, settings["faults"])
	d.Variant, d.Seed, d.IDs, d.Directed, d.Links, d.Correct = "a", 3, []int64{1, 2}, true, [][2]int{{0, 1}}, true
	var parts map[string]json.RawMessage
	if err := json.Unmarshal(encoded(t, d), &parts); err != nil {
		t.Fatal(err)
	}
	for _, key := range madeByAll {
		if parts[key] == nil {
			t.Errorf("the data have no %s", key)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(parts)) {
		if key == "made_by" || key == "format" || key == "branch" {
			continue
		}
		for _, remove := range []bool{false, true} {
			other := changed(t, d, key, remove)
			for _, way := range []struct {
				what      string
				says, now page.Data
			}{{"in the file", other, d}, {"now", d, other}} {
				differ, others, err := way.says.Compare(way.now)
				if err != nil || !slices.Equal(differ, []string{key}) || others != nil {
					t.Errorf("another %s %s: differ %q, others %q, %v", key, way.what, differ, others, err)
				}
				way.says.MadeBy = "bullring v0"
				if differ, others, err = way.says.Compare(way.now); !slices.Contains(madeByAll, key) {
					differ, others = others, differ
				}
				if err != nil || !slices.Equal(differ, []string{key}) || others != nil {
					t.Errorf("another %s %s, of another version: %q and %q, %v", key, way.what, differ, others, err)
				}
			}
		}
	}
}

// A part of a run is compared with the same part of the whole run, and not with another.
func TestComparePart(t *testing.T) {
	d := dataOf(t, settings["faults"])
	part, err := d.Part(history.Moment{Event: 5}, history.Moment{Event: 9})
	if err != nil {
		t.Fatal(err)
	}
	if differ, others, err := part.Compare(d); err != nil || differ != nil || others != nil {
		t.Errorf("differ %q, others %q, %v", differ, others, err)
	}
	cut := *part.Cut
	cut.From++
	part.Cut = &cut
	if differ, _, err := part.Compare(d); err != nil || !slices.Contains(differ, "events") {
		t.Errorf("events 5 to 9 said to be 6 to 10: differ %q, %v", differ, err)
	}
}

// A page with anything more than this program writes is not as it writes it.
func TestIsWritten(t *testing.T) {
	d := dataOf(t, settings["a ring"])
	var text bytes.Buffer
	if err := page.Write(&text, d); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text string
		want bool
	}{{text.String(), true}, {text.String() + "\n", false}, {text.String()[:text.Len()-1], false}, {"", false}} {
		if got, err := page.IsWritten([]byte(c.text), []page.Data{d}); got != c.want || err != nil {
			t.Errorf("%d of %d bytes: written %v, %v", len(c.text), text.Len(), got, err)
		}
	}
}
