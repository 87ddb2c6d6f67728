package catalog_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"bullring/experiments/campaign/paper"
)

var bibField = regexp.MustCompile(`(?m)^  (\w+) += \{(.+)\},$`)

// Every algorithm has its papers, every paper an algorithm, and all that a citation
// needs.
func TestPapers(t *testing.T) {
	r := registry
	cited := map[string]bool{}
	for _, a := range r.All() {
		if len(a.Papers) == 0 {
			t.Errorf("%s names no paper", a.Name)
		}
		for _, key := range a.Papers {
			cited[key] = true
			entry, ok := r.Bibliography.Entry(key)
			if !ok {
				t.Errorf("%s: the bibliography has no %q", a.Name, key)
				continue
			}
			author, _, _ := strings.Cut(fields(entry)["author"], ",")
			if !strings.Contains(a.Source, author) && !strings.Contains(a.Doc, author) {
				t.Errorf("%s: neither its source nor its comment knows %s of %s", a.Name, author, key)
			}
		}
	}
	for _, key := range r.Bibliography.Keys() {
		if !cited[key] {
			t.Errorf("no algorithm is from %s", key)
		}
	}
	if text, err := paper.BibTeX(r, r.All()); err != nil || strings.Count(text, "\n@") != len(r.Bibliography.Keys()) {
		t.Errorf("BibTeX of all algorithms, %v:\n%s", err, text)
	}
}

func TestEntriesAreWhole(t *testing.T) {
	b := registry.Bibliography
	for _, key := range b.Keys() {
		entry, _ := b.Entry(key)
		f := fields(entry)
		for _, name := range []string{"author", "title", "year"} {
			if f[name] == "" {
				t.Errorf("%s has no %s", key, name)
			}
		}
		lines := strings.Split(entry, "\n")
		if len(f) != len(lines)-2 || lines[len(lines)-1] != "}" {
			t.Errorf("%s has a line that is no field, or a field twice:\n%s", key, entry)
		}
		if !strings.Contains(key, f["year"]) {
			t.Errorf("%s is of %s", key, f["year"])
		}
		// What a field holds of these would be a mistake, or hide one.
		for name, value := range f {
			if strings.Count(value, "{") != strings.Count(value, "}") || strings.ContainsAny(value, "&%#~") || !ascii(value) {
				t.Errorf("%s: %s = %s", key, name, value)
			}
		}
		if pages := f["pages"]; pages != "" && !regexp.MustCompile(`^\d+--\d+$`).MatchString(pages) {
			t.Errorf("%s: pages %s", key, pages)
		}
		if doi := f["doi"]; doi != "" && !regexp.MustCompile(`^10\.\d{4}/\S+$`).MatchString(doi) {
			t.Errorf("%s: doi %s", key, doi)
		}
	}
	var years []string
	for _, key := range b.Keys() {
		entry, _ := b.Entry(key)
		years = append(years, fields(entry)["year"])
	}
	if !slices.IsSorted(years) {
		t.Errorf("the oldest is not first: %q", years)
	}
}

// fields are those of an entry, one a line.
func fields(entry string) map[string]string {
	f := map[string]string{}
	for _, m := range bibField.FindAllStringSubmatch(entry, -1) {
		f[m[1]] = m[2]
	}
	return f
}

func ascii(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r > '~' })
}
