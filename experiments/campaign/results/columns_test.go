package results

import (
	"encoding/csv"
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestFieldsAsEncodingCSV compares lines of tables with those of encoding/csv.
func TestFieldsAsEncodingCSV(t *testing.T) {
	word := rapid.OneOf(rapid.String(), rapid.StringMatching(`[ab ,"\\.`+"\r\n\t\u00a0\u2003"+`]{0,4}`), rapid.Just(`\.`))
	rapid.Check(t, func(t *rapid.T) {
		fields := rapid.SliceOfN(word, 2, 5).Draw(t, "fields")
		var want strings.Builder
		out := csv.NewWriter(&want)
		if err := out.Write(fields); err != nil {
			t.Fatal(err)
		}
		out.Flush()
		if got := string((&RowWriter{}).AppendFields(nil, fields)); got != want.String() {
			t.Errorf("fields are %q, want %q", got, want.String())
		}
		columns := make([]TextColumn[[]string], len(fields))
		for i := range fields {
			columns[i] = wordsColumn("", "", "", func(fields []string) string { return fields[i] })
		}
		if got := string(endLine(appendFields(nil, columns, fields))); got != want.String() {
			t.Errorf("the row is %q, want %q", got, want.String())
		}
	})
}

// TestNumbersAsStrconv compares the text of numbers with the shortest one that has the
// value.
func TestNumbersAsStrconv(t *testing.T) {
	check := func(v float64) bool { return formatNumber(v) == strconv.FormatFloat(v, 'f', -1, 64) }
	for _, v := range []float64{0, math.Copysign(0, -1), 1, -1, 0.1, 1 << 53, 1<<53 - 1, -(1 << 53), 1 << 62, 1 << 63, 1 << 64, 1e15, 1e22, math.MaxFloat64, math.SmallestNonzeroFloat64} {
		if !check(v) {
			t.Errorf("%v is printed as %s", v, formatNumber(v))
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Float64().Draw(t, "v")
		whole := math.Trunc(math.Mod(v, 1e17))
		if !check(v) || !check(whole) {
			t.Errorf("%v, %v are printed as %s, %s", v, whole, formatNumber(v), formatNumber(whole))
		}
	})
	if text := formatNumber(math.NaN()) + formatNumber(math.Inf(1)); text != "" {
		t.Errorf("numbers that are none are printed as %q", text)
	}
}
