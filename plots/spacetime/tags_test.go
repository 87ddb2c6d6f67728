package spacetime_test

import (
	"bytes"
	"regexp"
	"testing"

	"bullring/plots/spacetime"
)

// colours are those in a picture as TikZ.
var colours = regexp.MustCompile(`b[0-9A-F]{6}|\{[0-9A-F]{6}\}`)

// picture is the TikZ of a diagram with arrows of one kind of twenty, without its name.
func picture(t *testing.T, kind int, lost bool) string {
	t.Helper()
	d := &spacetime.Diagram{Lanes: lanes(3), Kinds: make([]string, 20)}
	a := message(0, 1, 0.2, kind, spacetime.Arrived, "")
	if lost {
		a.Fate = spacetime.Vanished
	}
	d.Arrows = []spacetime.Arrow{a, message(0, 2, 0.5, kind, spacetime.Arrived, "")}
	var b bytes.Buffer
	if err := d.TikZ(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Any two of twenty kinds differ by colour or dashes, and in grey by dashes or a number.
func TestKindsDiffer(t *testing.T) {
	lines := regexp.MustCompile(`\\path\[draw=[^;]*`)
	pairs, grey := map[string]int{}, map[string]int{}
	for kind := range 20 {
		text := picture(t, kind, false)
		pair := ""
		for _, line := range lines.FindAllString(text, -1) {
			pair += line + "\n"
		}
		for what, seen := range map[string]map[string]int{pair: pairs, colours.ReplaceAllString(text, "grey"): grey} {
			if other, taken := seen[what]; taken {
				t.Errorf("the kinds %d and %d are drawn alike:\n%s", other, kind, what)
			}
			seen[what] = kind
		}
	}
}

// A tag lies on its arrow, and on no lane, where there is room.
func TestTagsStandOnTheirArrows(t *testing.T) {
	number := regexp.MustCompile(`fontsize\{5bp\}`)
	for kind, want := range map[int]int{0: 0, 5: 0, 6: 3, 19: 3} { // one in the legend
		if got := len(number.FindAllString(picture(t, kind, true), -1)); got != want {
			t.Errorf("kind %d: %d numbers; want %d", kind, got, want)
		}
	}
}
