package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"gonum.org/v1/plot/cmpimg"
)

// shown matches a picture of a page.
var shown = regexp.MustCompile(`\]\((?:docs/)?figures/([a-z0-9-]+\.png)\)`)

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
		case *update:
			if err := os.WriteFile(kept, now, 0o666); err != nil {
				t.Fatal(err)
			}
		default:
			t.Errorf("%s looks different from what the command of the page draws", kept)
		}
	}
}
