package catalog_test

import (
	"testing"

	"bullring/experiments/catalog"
	"bullring/plots/looks"
)

// Algorithms of one family share figures, where no two may look alike.
func TestLooksDiffer(t *testing.T) {
	type key struct {
		family string
		look   looks.Look
	}
	owner := map[key]string{}
	claim := func(family, name string, look looks.Look) {
		k := key{family, look}
		if owner[k] != "" {
			t.Errorf("%s looks like %s: %+v", name, owner[k], look)
		}
		owner[k] = name
	}
	for _, a := range catalog.New().All() {
		if a.Look != (looks.Look{}) {
			claim(a.Family, a.Name, a.Look)
		}
		for label, look := range a.LabelLooks {
			claim(a.Family, label, look)
		}
	}
	if len(owner) < 30 {
		t.Errorf("%d looks; where are the declarations?", len(owner))
	}
}
