package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/big"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"bullring/experiments/campaign/conjecture"
	"bullring/experiments/catalog"
	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
)

// sample is a command that finds a form, and larger sizes at which the form is checked.
type sample struct {
	command string
	bound   string // that of the catalogue which the form is; "" for none
	larger  []int64
	slow    bool // for the long form only
}

// recovered are bounds of the catalogue that conjecture finds without being told.
var recovered = []sample{
	{"lcr --case best --n 2..8", "best", []int64{20, 50}, false},
	{"lcr --case worst --n 2..8", "worst", []int64{20, 50}, false},
	{"lcr --case mean --n 2..8", "mean", []int64{20, 50}, false},
	{"lcr --variant all-terminate --case best --n 2..7", "best", []int64{20, 50}, false},
	{"lcr --variant all-terminate --case worst --n 2..7", "worst", []int64{20, 50}, false},
	{"lcr --variant all-terminate --case mean --n 2..7", "mean", []int64{20, 50}, false},
	{"lcr --metric elected_time --n 2..12", "elected", []int64{20, 50}, false},
	{"lcr --variant all-terminate --metric time --n 2..12", "quiet", []int64{20, 50}, false},
	{"changroberts --over ids --case best --n 2..7", "best", []int64{20, 50}, false},
	{"changroberts --over ids --case worst --n 2..7", "worst", []int64{20, 50}, false},
	{"changroberts --over ids --case mean --n 2..7", "mean", []int64{20, 50}, false},
	{"changroberts --initiators random:1 --case best --n 2..7", "best", []int64{20, 50}, false},
	{"changroberts --initiators random:1 --case worst --n 2..7", "worst", []int64{20, 50}, false},
	{"changroberts --initiators random:1 --case mean --n 2..7", "mean", []int64{20, 50}, false},
	{"changroberts --variant tel --placement decreasing --let k=1..4 --initiators random:{k} --over initiators --case worst --n 4..9 --terms 4", "worst", []int64{10, 13}, true},
	{"lelann --let k=1..4 --initiators random:{k} --n 4..9", "exact", []int64{20, 50}, false},
	{"franklin --over ids --case best --n 3..8", "best", []int64{20, 50}, false},
	{"franklin --over ids --case worst --n 3..8", "worst", []int64{20, 50}, false},
	{"franklin --variant all-terminate --over ids --case worst --n 3..8", "worst", []int64{20, 50}, false},
	{"peterson --over ids --case best --n 3..8", "best", []int64{20, 50}, false},
	{"peterson --over ids --case worst --n 3..8", "worst", []int64{20, 50}, false},
	{"peterson --variant improved --over ids --case best --n 3..8", "best", []int64{20, 50}, false},
	{"hirschbergsinclair --metric time --n 3..12", "quiet", []int64{20, 50}, false},
	{"timeslice --n 2..9", "exact", []int64{20, 50}, false},
	{"ringlist --let k=1..3 --initiators random:{k} --n 4..8", "exact", []int64{20, 50}, false},
	{"modifiedring --let k=1..3 --initiators random:{k} --n 4..8", "exact", []int64{20, 50}, false},
	{"bully --variant A --dead last --initiators random:1 --over initiators --case best --n 3..10", "best", []int64{20, 50}, false},
	{"bully --variant A --dead last --initiators random:1 --over initiators --case worst --n 3..10", "worst", []int64{20, 50}, false},
	{"bully --variant A --dead last --initiators random:1 --over initiators --case mean --n 3..10", "mean", []int64{20, 50}, false},
	{"bully --variant B --dead last --initiators random:1 --over initiators --case worst --n 3..10", "worst", []int64{20, 50}, false},
	{"bully --variant B --dead last --initiators random:1 --over initiators --case mean --n 3..10", "mean", []int64{20, 50}, false},
	{"bully --variant C --dead last --initiators random:1 --over initiators --case worst --n 3..10", "worst", []int64{20, 50}, false},
	{"bully --variant C --dead last --initiators random:1 --over initiators --case mean --n 3..10", "mean", []int64{20, 50}, false},
	{"counting --n 3..10", "exact", []int64{20, 50}, false},
	{"floodmax --topology grid --in m,D --n 4,6,8,9,10,12,15,16", "exact", []int64{36, 50}, false},
	{"floodset --let f=1..3 --f {f} --n 5..10 --terms 4", "exact", []int64{20, 30}, true},
	{"phaseking --n 5..13", "exact", []int64{20, 30}, false},
	{"bracha --n 4..12", "exact", []int64{20, 30}, false},
	{"eager --n 3..10", "exact", []int64{20, 30}, false},
	{"besteffort --n 3..10", "exact", []int64{20, 50}, false},
	{"twophase --n 3..10", "exact", []int64{20, 50}, false},
	{"threephase --n 3..10", "exact", []int64{20, 50}, false},
	{"tree --topology line --n 3..10", "exact", []int64{20, 50}, false},
	{"tarry --topology complete --in E --n 3..10", "exact", []int64{20, 30}, false},
	{"awerbuch --topology complete --in E --n 3..10", "exact", []int64{20, 30}, false},
	{"awerbuch --topology line --metric decided_time --n 3..10", "decided", []int64{20, 50}, false},
	{"phase --topology grid --in E,D --n 4,6,8,9,10,12,15,16", "exact", []int64{36, 50}, false},
	{"chandratoueg --n 3..12", "exact", []int64{20, 50}, false},
	{"lamport --n 3..10", "exact", []int64{20, 30}, false},
	{"ricartagrawala --n 3..10", "exact", []int64{20, 30}, false},
	{"suzukikasami --n 3..10", "exact", []int64{20, 30}, false},
	{"tokenring --initiators random:1 --over initiators --case mean --n 3..10", "mean", []int64{20, 30}, false},
}

// studyOf is the study of a command, and the largest number of terms.
func studyOf(t *testing.T, registry *trial.Registry, command string) (conjecture.Study, int) {
	t.Helper()
	f, cmd := usualConjecture(), &cobra.Command{}
	f.register(cmd, registry)
	if err := cmd.ParseFlags(words(command)); err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	f.setting.Algorithm = cmd.Flags().Args()[0]
	s, err := f.study()
	if err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	return s, int(f.terms)
}

// unpublished are forms of costs for which the catalogue has no bound that is attained.
var unpublished = []sample{
	{"echo --over ids --case best --n 1..8", "", []int64{9}, true},
	{"echo --over ids --case worst --n 1..8", "", []int64{9}, true},
	{"echo --topology star --over ids --case worst --n 2..7", "", []int64{8, 9}, true},
	{"echo --topology star --initiators random:1 --over initiators --case mean --metric time --n 3..10", "", []int64{20, 50}, false},
	{"echo --topology line --initiators random:1 --over initiators --case mean --metric time --n 3..12", "", []int64{21, 50}, false},
	{"echo --topology line --initiators random:1 --over initiators --case worst --metric time --n 3..10", "", []int64{21, 50}, false},
	{"afekgafni --over ids --case best --n 2..7", "", []int64{8, 9}, true},
	{"afekgafni --over ids --case worst --metric time --n 2..7", "", []int64{8, 9}, true},
	{"finn --topology line --initiators random:1 --over initiators --case best --n 3..10", "", []int64{20, 50}, false},
	{"finn --topology line --initiators random:1 --over initiators --case worst --n 3..10", "", []int64{20, 50}, false},
	{"finn --topology biring --initiators random:1 --n 3..12 --terms 4", "", []int64{21, 50}, true},
	{"awerbuch --topology line --initiators random:1 --over initiators --case mean --metric time --n 3..10", "", []int64{20, 50}, false},
	{"phase --topology line --initiators random:1 --over initiators --case mean --metric time --n 3..12", "", []int64{21, 50}, false},
	{"electiontree --topology line --initiators random:1 --over initiators --case mean --metric time --n 3..12", "", []int64{21, 50}, false},
}

// The forms that conjecture finds are bounds of the catalogue, also at two larger sizes. The others are
// exact at larger sizes, too. docs/conjecture.md has the tables.
func TestConjectures(t *testing.T) {
	bounds, algorithms := map[string]bool{}, map[string]bool{}
	for _, c := range recovered {
		name := words(c.command)[0]
		bounds[name+" "+c.bound], algorithms[name] = true, true
	}
	if len(bounds) != 39 || len(algorithms) != 28 {
		t.Errorf("%d bounds of %d algorithms are recovered; docs/conjecture.md and CHANGELOG.md say otherwise", len(bounds), len(algorithms))
	}
	registry := catalog.New()
	for _, s := range []struct{ name, head string }{
		{"recovered", "| `bullring conjecture` ... | found | theory | solved | exact | then checked |\n|---|---|---|---|---|---|\n"},
		{"unpublished", "| `bullring conjecture` ... | conjecture | solved | exact | then checked |\n|---|---|---|---|---|\n"},
	} {
		samples, table := recovered, s.head
		if s.name == "unpublished" {
			samples = unpublished
		}
		for _, c := range samples {
			switch {
			case !c.slow || !testing.Short():
				table += c.row(t, registry)
			case !strings.Contains(string(read(t, conjecturesPage)), "| `"+c.command+"` | "):
				t.Errorf("the page lacks %s", c.command)
			}
		}
		compareSection(t, s.name, table, testing.Short())
	}
}

// fewCases is the number of cases up to which a larger size is run: 9!, and a few more.
const fewCases = 400_000

// row checks a sample, and is its row of the table.
func (c sample) row(t *testing.T, registry *trial.Registry) string {
	t.Helper()
	s, terms := studyOf(t, registry, c.command)
	m, err := s.Measure(t.Context(), registry)
	if err != nil {
		t.Fatalf("%s: %v", c.command, err)
	}
	a, err := conjecture.Find(t.Context(), m.Data, terms)
	if err != nil || len(a.Forms) != 1 {
		t.Fatalf("%s: %v, %+v of %+v", c.command, err, a, m.Data)
	}
	form, found := a.Forms[0], attained(m.Theory(s))
	cells := []string{"`" + c.command + "`", form.String()}
	var b *trial.Bound
	switch {
	case c.bound == "" && len(found) > 0:
		t.Errorf("%s: %v is the bound %s", c.command, form, found[0].Formula)
	case c.bound != "":
		i := slices.IndexFunc(found, func(b *trial.Bound) bool { return b.Name == c.bound })
		if i < 0 {
			t.Fatalf("%s: %v is not the bound %s", c.command, form, c.bound)
		}
		b = found[i]
		cells = append(cells, b.Formula)
	}
	cells = append(cells, pointsText(m.Data, form.Solved), pointsText(m.Data, form.HeldOut), c.check(t, registry, s, form, b))
	return "| " + strings.Join(cells, " | ") + " |\n"
}

// attained are the bounds that have the measured value at every size.
func attained(theory []conjecture.Comparison) (all []*trial.Bound) {
	for _, c := range theory {
		if len(c.Differs) == 0 {
			all = append(all, c.Bound)
		}
	}
	return all
}

// check holds a form to runs of larger sizes, if these have few cases, and to a bound. It tells what was done.
func (c sample) check(t *testing.T, registry *trial.Registry, s conjecture.Study, form conjecture.Form, b *trial.Bound) string {
	t.Helper()
	s.Variables = slices.Clone(s.Variables)
	s.Variables[0].Values, s.Hunt.Budget = c.larger, fewCases
	sizes := "n = " + strings.Trim(strings.Join(strings.Fields(fmt.Sprint(c.larger)), ", "), "[]")
	m, err := s.Measure(t.Context(), registry)
	if _, tooMany := errors.AsType[*search.BudgetError](err); tooMany && b != nil {
		for _, n := range c.larger {
			in, err := registry.Instance(s.Setting([]int64{n}))
			if err != nil {
				t.Fatal(err)
			}
			v, ok := form.At([]int64{n})
			if bound, applies := conjecture.BoundOf(b, s.Case, in); !ok || !applies || !conjecture.Agrees(v, bound) {
				t.Errorf("%s: at n = %d %v is %v, and the bound %v", c.command, n, form, v, bound)
			}
		}
		return sizes + ", by the bound"
	}
	if err != nil {
		t.Fatalf("%s: %v", c.command, err)
	}
	for _, p := range m.Data.Points {
		if v, ok := form.At(p.X); !ok || v.Cmp(p.Y) != 0 {
			t.Errorf("%s: at %s %v is %v, and it costs %v", c.command, m.Data.At(p), form, v, p.Y)
		}
	}
	if b == nil {
		return sizes + ", run"
	}
	if !slices.Contains(attained(m.Theory(s)), b) {
		t.Errorf("%s: the bound is not attained at larger sizes", c.command)
	}
	return sizes + ", run and by the bound"
}

// pointsText names some points: all of one size, and how many of several.
func pointsText(d conjecture.Data, points []int) string {
	if len(d.Names) > 1 {
		return fmt.Sprintf("%d of (%s)", len(points), strings.Join(d.Names, ","))
	}
	var sizes []string
	for _, p := range points {
		sizes = append(sizes, fmt.Sprint(d.Points[p].X[0]))
	}
	return d.Names[0] + " = " + strings.Join(sizes, ", ")
}

// The mean number of messages of echo over all placements, all initiating, on a complete graph, as the page has
// it: from the counts of the command, and with a function that it does not try.
func TestMeanOfEcho(t *testing.T) {
	registry := catalog.New()
	s, _ := studyOf(t, registry, "echo --over ids --case mean --n 1..7")
	m, err := s.Measure(t.Context(), registry)
	if err != nil {
		t.Fatal(err)
	}
	h := new(big.Rat)
	for _, p := range m.Data.Points {
		n := p.X[0]
		h.Add(h, big.NewRat(1, n))
		want := new(big.Rat).Mul(h, big.NewRat(n*n-2*n, 1))
		if want.Add(want, big.NewRat(n*n+n-1, 1)); want.Cmp(p.Y) != 0 {
			t.Errorf("n = %d: the mean is %v, want %v", n, p.Y, want)
		}
	}
}

// What the command says of what it finds, of what it does not find, and of what it cannot do.
func TestConjectureStatuses(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"squares.csv": "n,k,cost\n1,1,3\n2,1,6\n3,2,12\n4,2,21\n5,3,31\n6,3,46\n7,4,62\n8,4,83\n",
		"powers.csv":  "n,cost\n2,8\n4,16\n8,32\n16,64\n",
		"wrong.csv":   "n,cost\n2,x\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		command string
		status  int
		says    string
	}{
		{"lcr --case worst", 0, "conjecture  messages = n^2/2 + n/2\nsolved      at n = 2, 3\nexact       at n = 4, 5, 6, 7\ntried       "},
		{"lcr --case worst", 0, "theory      worst <= n(n+1)/2 (+ n): the same at all these sizes"},
		{"lcr --case mean --n 2..5", 0, "5  137/12    24"},
		{"lcr --case worst --over ids,schedule --n 2..7 --max-states 100000", 0, "messages = n^2/2 + n/2"},
		{"echo --case worst --over ids --n 1..6", statusUndecided, "8 sizes allow 3 terms"},
		{"ghs --topology line --n 3..10", statusUndecided, "834 forms with up to 3 terms were tried, and none is exact at all sizes"},
		{"tree --topology ba(1) --n 4..9 --seed 7", 0, "for seed 7, which decides the topology"},
		{"peterson --n 2,4,8,16", 0, "ambiguous   3 forms are exact at all these sizes; they differ first at n = 3"},
		{"lelann --let k=1..3 --initiators random:{k} --n 4..6", 0, "messages = n*k"},
		{"--data squares.csv --value cost --in n", statusUndecided, "no form"},
		{"--data powers.csv", 0, "cost = 4n"},
		{"--data powers.csv --terms 2", 0, "cost of powers.csv\n\nn   cost\n2   8\n"},
		{"--data wrong.csv", statusUsage, `line 2: "x": a value is a number such as 25/6 or 3.5`},
		{"--data none.csv", statusUsage, "no such file"},
		{"--data powers.csv --n 3..8", statusUsage, "--n goes with an ALGORITHM"},
		{"lcr --data powers.csv", statusUsage, "conjecture takes no argument"},
		{"", statusUsage, "conjecture takes an algorithm; allowed are lcr, "},
		{"lcr --n 2..4", statusUsage, "3 sizes; a form needs at least 4"},
		{"lcr --n 4..2", statusUsage, `--n "4..2": "4..2": it takes integers from 0 and ranges`},
		{"lcr --n 0..5", statusUsage, "at n = 0: n is 0"},
		{"lcr --case worst --n 5..11", statusUsage, "at n = 10: there are 362880 cases, more than the budget of 200000"},
		{"lcr --case mean --over ids,schedule", statusUsage, "at n = 2: over schedule the mean case is not looked for; the worst case is"},
		{"lcr --over ids", statusUsage, "the case given is one run"},
		{"lcr --ids 1,2", statusUsage, "--placement says where identities sit"},
		{"lcr --value cost", statusUsage, "--value is a column of --data"},
		{"lcr --let n=1..4", statusUsage, "the variable n is given twice"},
		{"lcr --let k", statusUsage, `--let "k": it takes a name of letters and values, as in k=1..4`},
		{"lcr --in n,q", statusUsage, "sizes n,q: each is one of n, m, E, D"},
		{"lcr --metric mesages", statusUsage, `(did you mean "messages"?)`},
		{"lcr --case wurst", statusUsage, `allowed are given, best, worst, mean (did you mean "worst"?)`},
		{"itairodeh --n 3..6", statusUsage, "runs of itairodeh draw random numbers"},
		{"lcr --n 997..1001", statusUsage, "at n = 1001: n is 1001; the worst case is looked for among up to 1000 processes"},
	} {
		got := bullring(t, append([]string{"conjecture"}, words(c.command)...)...)
		if got.status != c.status || !strings.Contains(got.out+strings.ReplaceAll(got.errors, "\n  ", " "), c.says) {
			t.Errorf("%s: status %d, want %d and %s\n%s%s", c.command, got.status, c.status, c.says, got.out, got.errors)
		}
	}
	if got := perform(t.Context(), wrongRegistry(), "conjecture", "restless", "--n", "2..5"); got.status != statusUndecided || !strings.Contains(got.errors, "undecided: at n = 2: a run did not come to rest") {
		t.Errorf("restless: status %d, %s", got.status, got.errors)
	}
}

// Interrupted, the command prints the costs that it knows.
func TestConjectureInterrupted(t *testing.T) {
	ctx, stop := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer stop()
	got := perform(ctx, catalog.New(), "conjecture", "lcr", "--case", "worst", "--n", "2..11", "--budget", "100000000")
	if got.status != statusInterrupted || !strings.Contains(got.out, "4  10        6") || !strings.Contains(got.out, "interrupted: no form was looked for") {
		t.Errorf("status %d\n%s%s", got.status, got.out, got.errors)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if got := perform(stopped, catalog.New(), "conjecture", "lcr"); got.status != statusInterrupted || got.out != "" {
		t.Errorf("status %d\n%s%s", got.status, got.out, got.errors)
	}
}

const conjecturesPage = "../../docs/conjecture.md"

// compareSection compares a table with the section of the page that has a name, or writes it there. The table
// may have some of the rows only.
func compareSection(t *testing.T, name, table string, some bool) {
	t.Helper()
	begin, end := "<!-- "+name+" -->\n\n", "\n<!-- the end of the section -->"
	before, rest, found := strings.Cut(string(read(t, conjecturesPage)), begin)
	was, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatalf("%s has no section %q", conjecturesPage, name)
	}
	switch {
	case some:
		for line := range strings.Lines(table) {
			if !strings.Contains(was, line) {
				t.Errorf("%s lacks, under %s:\n%s", conjecturesPage, name, line)
			}
		}
	case flag.Lookup("update").Value.String() == "true":
		if err := os.WriteFile(conjecturesPage, []byte(before+begin+table+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
	case was != table:
		t.Errorf("%s is to have, under %s:\n%s", conjecturesPage, name, table)
	}
}
