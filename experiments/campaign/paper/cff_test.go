package paper

import (
	"os"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"bullring/experiments/trial"
	"bullring/internal/build"
)

func TestCitationCFF(t *testing.T) {
	got := citationCFF(`Elections: "a" & \b # 1`, build.Program{Version: "v1.2.0", Revision: "0123456789abcdef", Modified: true}, []string{
		"@article{dolev1982,\n  author = {Dolev, Danny and van Steen, Maarten and {A Company}},\n  title = {An {$O(n \\log n)$} Algorithm: {\\\"U}ber {IFIP}},\n  journal = {Journal of Algorithms},\n  year = {1982},\n  doi = {10.1016/0196-6774(82)90023-2},\n}",
		"@book{nobody,\n  title = {No Author},\n}",
		"@misc{other, author = {Le Lann, G{\\'e}rard}, title = {Other}}",
	})
	want := `cff-version: 1.2.0
message: If you use these data, please cite them as described here.
type: dataset
title: "Elections: \"a\" & \\b # 1"
authors:
  # Replace this line by your names, one entry each:
  #   - family-names: ...
  #     given-names: ...
  - name: "the authors of this study"
references:
  - type: software
    title: bullring
    authors:
      - name: bullring
    version: "v1.2.0"
    commit: "0123456789abcdef"
    notes: the commit, and changes on top of it
  - type: article
    title: "An O(n log n) Algorithm: Über IFIP"
    authors:
      - family-names: "Dolev"
        given-names: "Danny"
      - family-names: "van Steen"
        given-names: "Maarten"
      - name: "A Company"
    journal: "Journal of Algorithms"
    year: 1982
    doi: "10.1016/0196-6774(82)90023-2"
  - type: generic
    title: "Other"
    authors:
      - family-names: "Le Lann"
        given-names: "Gérard"
`
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

// The file is YAML with the keys that version 1.2.0 requires, whatever the title.
func TestCitationCFFParses(t *testing.T) {
	for _, title := range []string{"Elections", `"`, `a: b # c`, "- x", "two\nlines\t\x01", `\`, "é – ≤", "null", ""} {
		for _, p := range []build.Program{{Version: "(devel)"}, {Version: "v1", Revision: "1e5", Modified: true}} {
			text := citationCFF(title, p, []string{"@book{tel2000,\n  author = {Tel, Gerard},\n  title = {A: \"B\"},\n  year = {2000},\n}"})
			var file struct {
				Version    string `yaml:"cff-version"`
				Message    string
				Type       string
				Title      string
				Authors    []struct{ Name string }
				References []struct {
					Type, Title, Version, Commit string
					Authors                      []map[string]string
					Year                         int
				}
			}
			if err := yaml.Unmarshal([]byte(text), &file); err != nil {
				t.Fatalf("title %q: %v\n%s", title, err, text)
			}
			if file.Version != "1.2.0" || file.Message == "" || file.Type != "dataset" || file.Title != title || len(file.Authors) != 1 || file.Authors[0].Name == "" {
				t.Errorf("title %q: %+v", title, file)
			}
			if len(file.References) != 2 {
				t.Fatalf("title %q: %d references", title, len(file.References))
			}
			software, book := file.References[0], file.References[1]
			if software.Type != "software" || software.Version != p.Version || software.Commit != p.Revision || software.Authors[0]["name"] != "bullring" {
				t.Errorf("the program is %+v", software)
			}
			if book.Type != "book" || book.Title != `A: "B"` || book.Authors[0]["family-names"] != "Tel" || book.Year != 2000 {
				t.Errorf("the book is %+v", book)
			}
		}
	}
}

// A DOI that the format does not take is left out.
func TestCitationCFFOfAnOddDOI(t *testing.T) {
	entry := "@article{a, author = {A, B}, title = {C}, year = {1998}, doi = {10.1002/(SICI)1099-1425(199806)1:1<31::AID>3.0.CO;2-T}}"
	if got := cffReference(entry); strings.Contains(got, "doi") || !strings.Contains(got, "year: 1998") {
		t.Error(got)
	}
}

// The papers of the catalogue become references, and nothing of LaTeX is left of them.
func TestCitationCFFOfTheCatalogue(t *testing.T) {
	text, err := os.ReadFile("../../catalog/papers.bib")
	if err != nil {
		t.Fatal(err)
	}
	b, err := trial.ParseBibliography(string(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range b.Keys() {
		entry, _ := b.Entry(key)
		if got := cffReference(entry); strings.Count(got, "    title: ") != 1 || !strings.Contains(got, "    year: ") || strings.ContainsAny(got, `{}$\`) ||
			strings.Contains(entry, "doi") != strings.Contains(got, "    doi: ") {
			t.Errorf("%s became\n%s", key, got)
		}
	}
}
