package cli

import (
	"slices"
	"testing"

	"bullring/experiments/cli/internal/view"
)

func TestQuoted(t *testing.T) {
	for _, value := range []string{"1ms", "uniform(0,2ms)", "at 5ms crash 3", "it's", "", "a'b'c", "$HOME"} {
		if got := words("x " + view.Quoted(value)); value != "" && !slices.Equal(got, []string{"x", value}) {
			t.Errorf("%q is quoted as %s, which reads as %q", value, view.Quoted(value), got)
		}
	}
}
