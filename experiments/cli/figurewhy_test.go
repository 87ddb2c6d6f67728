package cli

import (
	"os"
	"regexp"
	"slices"
	"testing"
)

// A figure of kind diagram with why: true fades what diagram --why fades of the same row.
func TestFiguresExplain(t *testing.T) {
	t.Chdir(t.TempDir())
	text := "name: shown\nreplicates: 15\noutside_model: true\nalgorithms: bully\naxes: {n: 4, link: \"loss 10%\"}\nfigures:\n  - {name: failed, kind: diagram, y: messages, trial: first failed, why: true}\n"
	if err := os.WriteFile("shown.yaml", []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	expect(t, 0, "", "sweep", "shown.yaml", "--progress", "off")
	expect(t, 0, "", words("diagram out/shown 15 --why --width 17.4 -o why.svg")...)
	expect(t, 0, "", words("diagram out/shown 15 --width 17.4 -o plain.svg")...)
	colours := func(file string) []string {
		found := regexp.MustCompile("#[0-9A-F]{6}").FindAllString(string(read(t, file)), -1)
		slices.Sort(found)
		return found
	}
	figure, why, plain := colours("out/shown/figures/failed.svg"), colours("why.svg"), colours("plain.svg")
	if !slices.Equal(figure, why) || slices.Equal(figure, plain) {
		t.Errorf("the figure has the colours %q, diagram --why %q", figure, why)
	}
}
