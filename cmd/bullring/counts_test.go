package main

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"bullring/experiments/trial/setting"
)

// counted lists the things that pages and package comments count. A number before such a word,
// as in "55 commands", must be the number of all of them, unless partial has the phrase.
var counted = []struct {
	words string // alternatives of a regular expression
	count func(described) int
}{
	{"algorithms", func(p described) int { return len(p.registry.All()) }},
	{"drivers", described.drivers},
	{"axes|conditions", func(described) int { return len(setting.Conditions) }},
	{"commands|subcommands", func(p described) int { return len(p.commands()) }},
	{"kinds of figures", func(p described) int { return len(p.kinds()) }},
	{"sweeps", func(p described) int { return len(p.files("experiments/specs/*.yaml")) }},
	{"libraries|languages", func(p described) int {
		return len(p.files("docs/nodes/bullring.*")) + len(p.files("docs/nodes/*/[Bb]ullring.*"))
	}},
	{"families", described.families},
	{"settings", func(p described) int {
		return strings.Count(read(p.T, "experiments/real/lab/agreement_test.go"), "{trial.Setting{Algorithm:")
	}}, // of make live
	{"rooms|packages|columns|metrics|presets|topologies|detectors|transformers|formats|places|others|flags|figures", nil}, // no page says how many there are
}

// phrase is a number in a file with the word behind it.
type phrase struct{ file, text, because string }

// partial are phrases that count some of the things above, or things of another kind with the
// same name, and why that is right.
var partial = []phrase{
	{"docs/bully-ring.md", "eighteen figures", "of one sweep; TestConsoleBlocks prints them"},
	{"docs/claims.md", "two places", "where one line is"},
	{"docs/cluster.md", "two commands", "those that the page has shown"},
	{"docs/defects.md", "two columns", "of the table below"},
	{"docs/conjecture.md", "28 algorithms", "those of its table; TestConjectures counts them"},
	{"docs/design.md", "two algorithms", "any two"},
	{"docs/experiments.md", "five topologies", "of one sweep"},
	{"docs/exports.md", "eight algorithms", "that make exports runs"},
	{"docs/performance.md", "five more commands", "that came with one change"},
	{"docs/performance.md", "four packages", "that came with one change"},
	{"docs/performance.md", "hundred packages", "of a start, with those of others: more than that were counted"},
	{"docs/faults.md", "250,066 settings", "drawn on one day, which the page names"},
	{"docs/results.md", "three columns", "for each check"},
	{"docs/results.md", "two places", "of one token"},
	{"docs/results.md", "two sweeps", "in a picture"},
	{"docs/runs.md", "two algorithms", "any two"},
	{"docs/runs.md", "80 columns", "of a terminal"},
	{"docs/runs.md", "100 columns", "of a terminal"},
	{"docs/runs.md", "120 columns", "of a terminal"},
	{"docs/spec.md", "2 algorithms", "of an example"},
	{"docs/spec.md", "100 conditions", "the most of exclude or only, maxConditions"},
	{"docs/spec.md", "two figures", "of one name"},
	{"docs/statistics.md", "two algorithms", "any two"},
	{"docs/sweeps.md", "two conditions", "any two"},
	{"docs/tests.md", "4 axes", "of a small form"},
	{"docs/tests.md", "two sweeps", "of one page"},
	{"docs/topologies.md", "twelve algorithms", "in a figure"},
}

// A number in a page is that of the program, or listed with its reason.
func TestCountsOfPages(t *testing.T) {
	p := theProgram(t)
	texts := map[string]string{"README.md": prose(t, "README.md"), "CONTRIBUTING.md": prose(t, "CONTRIBUTING.md")}
	for _, page := range p.files("docs/*.md") {
		texts[page] = prose(t, page)
	}
	for file, source := range p.sources() {
		comment, _, _ := strings.Cut("\n"+source, "\npackage ")
		texts[file] = strings.Join(strings.Fields(strings.ReplaceAll(comment, "\n//", "\n")), " ")
	}
	used := map[int]bool{}
	for _, file := range slices.Sorted(maps.Keys(texts)) {
		words := strings.Fields(texts[file])
		for k, word := range words {
			n := number(word)
			if n < 2 {
				continue
			}
			next := strings.Join(words[k+1:min(k+5, len(words))], " ")
			for _, c := range counted {
				things := regexp.MustCompile(`^(?:(?:other|more|new|such|built-in|different) )?(?:` + c.words + `)\b`).FindString(next)
				text := word + " " + things
				if things == "" {
					continue
				}
				if i := slices.IndexFunc(partial, func(x phrase) bool { return x.file == file && x.text == text }); i >= 0 {
					used[i] = true
				} else if c.count == nil || n != c.count(p) {
					t.Errorf("%s says %q: this is not the number of all that there are; say so in partial, and why", file, text)
				}
			}
		}
	}
	for i, x := range partial {
		if !used[i] {
			t.Errorf("partial has %q of %s, which does not say it any more", x.text, x.file)
		}
	}
}

// number reads a number in words or in figures; 0 is no number.
func number(text string) int {
	text = strings.ToLower(strings.Trim(text, "(*[_"))
	if i := slices.Index(strings.Fields("one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty"), text); i >= 0 {
		return i + 1
	}
	if i := slices.Index(strings.Fields("thirty forty fifty sixty seventy eighty ninety hundred"), text); i >= 0 {
		return 10 * (i + 3)
	}
	n, _ := strconv.Atoi(strings.ReplaceAll(text, ",", ""))
	return n
}
