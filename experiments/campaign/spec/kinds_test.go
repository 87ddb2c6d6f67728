package spec

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// Each kind has all of its row, a golden file of what it refuses, a rule in the schema, and a
// row in the table of the page.
func TestKindsAreWhole(t *testing.T) {
	text := readPage(t)
	schema := compiled(t, vocabulary)
	for k := range Kinds {
		row := k.row()
		switch {
		case row.name == "" || slices.Index(kindNames(), row.name) != int(k):
			t.Errorf("kind %d is named %q", k, row.name)
		case row.y.shows == nothing && row.needs == "" || row.complete == nil:
			t.Errorf("%s draws nothing, or is not completed", k)
		case row.x.shows == nothing && row.x.why == "":
			t.Errorf("nothing says why %s has no x", k.article())
		case row.y.shows == nothing && row.y.why == "":
			t.Errorf("nothing says why %s has no y", k.article())
		case row.z.shows != nothing && row.z.why == "":
			t.Errorf("nothing says what %s needs z for", k.article())
		}
		golden := "testdata/figure-" + k.String() + ".err"
		if refused, err := os.ReadFile(golden); err != nil || len(refused) == 0 {
			t.Errorf("%s has no errors of %s: %v", golden, k, err)
		}
		if want := fmt.Sprintf("| `%s` |%s|%s|%s| ", k, row.x, row.y, row.z); !strings.Contains(text, want) {
			t.Errorf("%s has no row %q", page, want)
		}
		for _, keys := range []string{"", ", x: n", ", z: bits", ", series: []", ", trial: median", ", colour: red"} {
			figure := fmt.Sprintf("{kind: %s, y: bits%s}", k, keys)
			if row.y.shows == aField {
				figure = strings.Replace(figure, "y: bits", "y: label", 1)
			}
			sweep := []byte("name: a\nalgorithms: lcr\naxes: {n: 4}\nfigures: " + figure + "\n")
			_, refused := Parse("a.yaml", sweep, strict)
			if (validate(t, schema, sweep) == nil) != (refused == nil) {
				t.Errorf("%s: Parse says %v, the schema not", figure, refused)
			}
		}
	}
}

// String is what the page says of a side.
func (s side) String() string {
	return [...]string{nothing: " ", anAxis: " an axis ", aField: " a field ", aMetric: " a metric "}[s.shows]
}
