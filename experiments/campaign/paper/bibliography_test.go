package paper_test

import (
	"slices"
	"strings"
	"testing"

	"bullring/experiments/campaign/paper"
	"bullring/experiments/trial"
	"bullring/internal/build"
)

const twoPapers = `Papers of elections.

@article{chang1979,
  author = {Chang, Ernest and Roberts, Rosemary},
  year   = {1979},
}

@book{lynch1996,
  title = {Distributed Algorithms},
}
`

func TestParseBibliography(t *testing.T) {
	b, err := trial.ParseBibliography(twoPapers)
	if err != nil {
		t.Fatal(err)
	}
	if got := b.Keys(); !slices.Equal(got, []string{"chang1979", "lynch1996"}) {
		t.Errorf("the keys are %q", got)
	}
	want := "@book{lynch1996,\n  title = {Distributed Algorithms},\n}"
	if got, ok := b.Entry("lynch1996"); !ok || got != want {
		t.Errorf("the entry of Lynch is %q", got)
	}
	if got, ok := b.Entry("tel2000"); ok {
		t.Errorf("there is an entry that was not given: %q", got)
	}
	if err := b.Add("@book{tel2000,\n}"); err != nil || !slices.Equal(b.Keys(), []string{"chang1979", "lynch1996", "tel2000"}) {
		t.Errorf("with Tel the keys are %q, %v", b.Keys(), err)
	}
	if err := b.Add("@book{chang1979,\n}"); err == nil || err.Error() != `line 1: the key "chang1979" is taken` {
		t.Errorf("a key taken twice: %v", err)
	}
}

func TestParseBibliographyErrors(t *testing.T) {
	for text, want := range map[string]string{
		"@article chang1979,\n":                     `line 1: no entry begins with "@article chang1979,"`,
		"@article{,\n}":                             `line 1: no entry begins with "@article{,"`,
		"@book{a,\n}\n\n@book{a,\n}\n":              `line 4: the key "a" is taken`,
		"@book{a,\n  title = {A},\n":                `line 1: the braces of "a" do not close`,
		"@book{a,\n  title = {A}},\n}\n":            `line 1: the braces of "a" do not close`,
		"@book{a,\n  title = {A {B},\n}\n@book{b,}": `line 1: the braces of "a" do not close`,
	} {
		if _, err := trial.ParseBibliography(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %s", text, err, want)
		}
	}
}

func TestBibTeX(t *testing.T) {
	b, err := trial.ParseBibliography(twoPapers)
	if err != nil {
		t.Fatal(err)
	}
	r := &trial.Registry{Bibliography: b}
	algorithms := []*trial.Algorithm{
		{Name: "new"},
		{Name: "floodmax", Papers: []string{"lynch1996"}},
		{Name: "lcr", Papers: []string{"chang1979", "lynch1996"}},
	}
	text, err := paper.BibTeX(r, algorithms)
	if err != nil {
		t.Fatal(err)
	}
	written, err := trial.ParseBibliography(text)
	if err != nil {
		t.Fatal(err)
	}
	if got := written.Keys(); !slices.Equal(got, []string{"lynch1996", "chang1979", "bullring"}) {
		t.Errorf("the entries are %q", got)
	}
	if own, _ := written.Entry("bullring"); !strings.Contains(own, "Version "+build.ThisProgram().Version) {
		t.Errorf("no version in\n%s", own)
	}
	for _, r := range []*trial.Registry{r, {}} {
		unknown := []*trial.Algorithm{{Name: "echo", Papers: []string{"tel2000"}}}
		if _, err := paper.BibTeX(r, unknown); err == nil || err.Error() != `algorithm "echo": its paper "tel2000" is not in the bibliography of the registry` {
			t.Errorf("error %v does not name the paper", err)
		}
	}
}
