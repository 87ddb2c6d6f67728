package spec

import (
	"fmt"
	"strings"
	"testing"
)

// Nine series, or one place along x, are worth a warning; eight series, and other ways to
// draw them, are not.
func TestWarnings(t *testing.T) {
	for figure, want := range map[string]string{
		"{y: bits, where: {dead: [0, 1, 2, 3, 4, 5, 6, 7]}}": "",
		"{y: bits}": "6:10: figure a has 9 series",
		"{y: bits, kind: histogram, series: dead}":                "6:10: figure a has 9 series",
		"{y: bits, series: []}":                                   "",
		"{y: dead, kind: heatmap, z: bits}":                       "",
		"{y: bits, where: {n: 20, dead: 0}}":                      "6:10: figure a has one value along x, n 20",
		"{y: bits, where: {n: 20, dead: 0}, x: label, kind: box}": "",
		"{y: bits, where: {n: 20, dead: 0}, kind: histogram}":     "",
		"{y: bits, x: dead, where: {n: 20}}":                      "",
		"{y: bits, x: dead, where: {dead: 3}}":                    "6:10: figure a has one value along x, dead 3",
	} {
		s := parse(t, fmt.Sprintf("name: a\nalgorithms: lcr\naxes:\n  n: [20, 40]\n  dead: {from: 0, to: 8, step: 1}\nfigures: %s\n", figure))
		var got []string
		for _, w := range s.Warnings() {
			got = append(got, fmt.Sprintf("%d:%d: %s", w.Pos.Line, w.Pos.Column, w.Message))
		}
		if text := strings.Join(got, "; "); !strings.HasPrefix(text, want) || (want == "") != (text == "") {
			t.Errorf("%s: %q, want %q", figure, text, want)
		}
	}
}
