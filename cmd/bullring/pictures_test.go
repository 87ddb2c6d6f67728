package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gonum.org/v1/plot/cmpimg"

	"bullring/internal/build"
	"bullring/plots"
)

// shown matches a picture of a page.
var shown = regexp.MustCompile(`\]\((?:docs/)?figures/([a-z0-9-]+\.png)\)`)

// unstamped is the version of a program that does not know it.
const unstamped = "(devel)"

// Each figure of the documentation says which program drew it, how, and with which seed. A
// diagram of a run has its command, a figure of a sweep its sweep.
func TestFiguresSayWhatTheyAre(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "docs", "figures", "*.png"))
	if err != nil || len(files) < 30 {
		t.Fatal(len(files), err)
	}
	for _, file := range files {
		entries, err := plots.ReadMeta(file)
		if err != nil {
			t.Error(err)
			continue
		}
		says := map[string]string{}
		for _, m := range entries {
			says[m.Key] = m.Value
		}
		if version, ok := strings.CutPrefix(says["Software"], "bullring "); !ok || !strings.HasPrefix(version, "v") {
			t.Errorf("%s was drawn by %q; a figure is drawn by a program that knows its version: make docs", file, says["Software"])
		}
		if says["Seed"] == "" || says["Epoch"] == "" || says["Command"] == "" && says["Spec"] == "" {
			t.Errorf("%s has seed %q, epoch %q, command %q and a sweep of %d bytes", file, says["Seed"], says["Epoch"], says["Command"], len(says["Spec"]))
		}
	}
}

// comparePictures compares the pictures of a page with those that its commands drew in dir
// under the same names. With -update it keeps a new one if it looks different.
func comparePictures(t *testing.T, root, dir, page string) {
	for _, m := range shown.FindAllStringSubmatch(page, -1) {
		now, err := os.ReadFile(filepath.Join(dir, m[1]))
		if os.IsNotExist(err) {
			continue // drawn by another command
		}
		if err != nil {
			t.Fatal(err)
		}
		kept := filepath.Join(root, "docs", "figures", m[1])
		before, err := os.ReadFile(kept)
		if err != nil && !*update {
			t.Fatal(err)
		}
		equal := err == nil
		if equal {
			// Not exactly: see TestGolden of package plots.
			if equal, err = cmpimg.EqualApprox("png", now, before, 0.03); err != nil {
				t.Fatal(err)
			}
		}
		switch {
		case equal:
		case *update && build.ThisProgram().Version == unstamped:
			t.Errorf("%s is drawn anew by a program that knows its version: make docs", kept)
		case *update:
			if err := os.WriteFile(kept, now, 0o666); err != nil {
				t.Fatal(err)
			}
		default:
			t.Errorf("%s looks different from what the command of the page draws", kept)
		}
	}
}
