package house_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// denial matches sentences that deny something. Those after a word such as "if" are conditions.
var denial = regexp.MustCompile(`\b(?i:there (?:is|are) (?:no|nothing|neither|only)|nothing else|not supported|not implemented)\b`)

// A denied sentence of a page or of a package comment: a part of it that follows the words of
// denial, and the test that would fail if it were false, or what it is about if that is not
// the program as a whole.
type denied struct{ file, rest, held string }

var denials = []denied{
	{"README.md", "integers", "TestFamiliesAreTheSameOnEveryMachine"},
	{"docs/runs.md", "integers", "TestFamiliesAreTheSameOnEveryMachine"},
	{"docs/topologies.md", "floating point between seed", "TestGoldenGraphs"},
	{"docs/topologies.md", "a single row", "a grid with a prime number of processes"},
	{"docs/links.md", "congestion marks", "TestErrors"},
	{"docs/links.md", "closed form", "a condition"},
	{"docs/model.md", "switch or common bandwidth", "TestNotModelled"},
	{"docs/model.md", "TCP", "TestNotModelled"},
	{"docs/model.md", "second runtime", "package rounds, of which the sentence goes on to speak"},
	{"docs/model.md", "rounds, and times", "the sentence before it says where"},
	{"docs/model.md", "rounds nor bounds", "schedules"},
	{"docs/model.md", "is pending", "the end of a run"},
	{"docs/model.md", "goes on", "one draw"},
	{"docs/model.md", "happens: processes wait", "a condition"},
	{"docs/model.md", "so all that follows", "TestLoops"},
	{"docs/model.md", "leader, because", "one outcome"},
	{"docs/nodes.md", "perfect failure detector", "the node of package maelstrom suspects no process"},
	{"docs/nodes.md", "link |", "a message of a node"},
	{"docs/results.md", "host and no path", "TestManifestNamesNoHostAndNoFolder"},
	{"docs/view.md", "a topology from", "TestPagesNameNoFolder"},
	{"docs/sweeps.md", "curves. On a linear axis", "TestGolden"},
	{"docs/sweeps.md", "`series` nor `curves`", "TestGolden"},
	{"docs/spec.md", "value if one of", "a formula"},
	{"docs/verify.md", "that can be verified", "a condition"},
	{"docs/explore.md", "time. This", "free timers"},
	{"docs/design.md", "is pending", "the end of a run"},
	{"docs/faults.md", "leader:", "one run, which the page shows"},
	{"docs/faults.md", "difference.)", "one run, which the page shows"},
	{"docs/first-paper.md", "to estimate", "one cell, which the page shows"},
	{"docs/live.md", "to do", "a program in Go"},
	{"docs/own-family.md", "## The problem", "one registry, which the page shows"},
	{"docs/performance.md", "running on them", "a measurement"},
	{"docs/performance.md", "running)", "a measurement"},
	{"docs/performance.md", "cycle", "a search"},
	{"docs/rare.md", "and the exit status is 3", "TestRareStatus"},
	{"docs/worst.md", "temperature", "a design that was not taken"},
	{"experiments/trial/doc.go", "", "families are another package: Go hides the rest from it"},
	{"protocols/multicast/sequencer/sequencer.go", "negative acknowledgements", "the algorithm: explain has its messages"},
	{"protocols/reliable/reliable.go", "jitter", "TestBackOff"},
	{"protocols/mutex/majority/majority.go", "deadlock", "a paper"},
	{"protocols/mutex/majority/majority.go", "data", "the algorithm"},
	{"protocols/election/floodmax/floodmax.go", "", "the algorithm"},
	{"protocols/election/peterson/peterson.go", "variant in which", "the algorithm: explain has its variants"},
	{"docs/conjecture.md", "exact cost, and the command says so", "TestTallyErrors"},
	{"protocols/election/raft/raft.go", "log", "the algorithm: explain has its messages"},
	{"protocols/election/lelann/lelann.go", "", "a paper"},
}

// A sentence that denies something is listed, with the test that holds it: features come, and
// the sentence that says that they are not there stays.
func TestDenialsAreListed(t *testing.T) {
	texts := map[string]string{}
	for _, page := range pages(t) {
		if page != "CHANGELOG.md" && page != claimsPage {
			texts[page] = strings.Join(prose(t, page), "\n")
		}
	}
	for _, u := range units(t) {
		for _, name := range u.GoFiles {
			file := filepath.Join(u.Dir, name)
			if doc := parse(t, file).ast.Doc; doc != nil {
				texts[filepath.ToSlash(filepath.Join(u.place(), name))] = doc.Text()
			}
		}
	}
	used, known := map[denied]bool{}, knownTests(t)
	for file, text := range texts {
		text = strings.Join(strings.Fields(text), " ")
		for _, at := range denial.FindAllStringIndex(text, -1) {
			sentence := text[at[1]:min(at[1]+60, len(text))]
			i := slices.IndexFunc(denials, func(d denied) bool { return d.file == file && strings.Contains(sentence, d.rest) })
			if i < 0 {
				t.Errorf("%s denies: %q: list it in denials, with the test that would fail if it were false", file, text[at[0]:at[1]]+sentence)
				continue
			}
			used[denials[i]] = true
		}
	}
	for _, d := range denials {
		if !used[d] {
			t.Errorf("denials has %q of %s, which does not deny it any more", d.rest, d.file)
		}
		if strings.HasPrefix(d.held, "Test") && !known[d.held] {
			t.Errorf("there is no %s, which is to hold %q of %s", d.held, d.rest, d.file)
		}
	}
}

// A test that a page names is there.
func TestNamedTestsAreThere(t *testing.T) {
	known := knownTests(t)
	for _, page := range pages(t) {
		if page == "CHANGELOG.md" {
			continue
		}
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile("`(Test[A-Z]\\w+)`").FindAllStringSubmatch(string(text), -1) {
			if !known[m[1]] {
				t.Errorf("%s names %s, which is not there", page, m[1])
			}
		}
	}
}
