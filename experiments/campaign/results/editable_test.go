package results_test

import (
	"slices"
	"strings"
	"testing"

	"bullring/experiments/campaign/results"
)

// An author may change the entries of authors in CITATION.cff, and nothing around them. They
// stay when the file is written again.
func TestAsWritten(t *testing.T) {
	const before, after = "cff-version: 1.2.0\ntitle: t\nauthors:\n", "references:\n  - type: software\n"
	written := before + results.CitationAuthors + after
	for _, c := range []struct {
		what, text string
		own        bool
	}{
		{"names", before + "  - family-names: A\n    given-names: B\n" + after, true},
		{"names that are not indented", before + "- family-names: A\n" + after, true},
		{"a comment and an empty line", before + "# who\n\n  - name: A\n" + after, true},
		{"no names", before + after, true},
		{"a key behind the names", before + "  - name: A\nversion: 9\n" + after, false},
		{"a key in the place of the names", before + "doi: 10\n" + after, false},
		{"references before those of bullring", before + "  - name: A\nreferences:\n  - type: book\n" + after, false},
		{"another title", strings.Replace(written, "title: t", "title: u", 1), false},
		{"no authors", strings.Replace(written, "authors:", "writers:", 1), false},
		{"no references", before + "  - name: A\n", false},
	} {
		if got := string(results.AsWritten(results.CitationFile, []byte(c.text))); (got == written) != c.own {
			t.Errorf("%s: read as\n%s", c.what, got)
		}
		if again := string(results.Adopted(results.CitationFile, []byte(written), []byte(c.text))); c.own && again != c.text {
			t.Errorf("%s: written again as\n%s", c.what, again)
		}
	}
	for _, name := range results.DocumentFiles {
		if got := string(results.AsWritten(name, []byte(before+after))); name != results.CitationFile && got != before+after {
			t.Errorf("%s is not read as it is", name)
		}
		if again := string(results.Adopted(name, []byte(written), []byte(before+after))); name != results.CitationFile && again != written {
			t.Errorf("%s is written again as\n%s", name, again)
		}
	}
}

// Only README.md may be changed as a whole.
func TestOfAuthor(t *testing.T) {
	names := slices.Concat(results.DocumentFiles, []string{results.SpecFile, results.ResultsFile, results.ManifestFile, "figures/README.md", ""})
	names = slices.DeleteFunc(names, func(name string) bool { return !results.OfAuthor(name) })
	if !slices.Equal(names, []string{results.ReadmeFile}) {
		t.Errorf("an author may change %q", names)
	}
}
