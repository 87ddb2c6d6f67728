package main

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"bullring/experiments/catalog"
	"bullring/experiments/trial"
	"bullring/experiments/trial/setting"
)

// described is the program that pages describe. It answers what is in it.
type described struct {
	*testing.T
	dir      string // in which bullring is a command
	registry *trial.Registry
}

func theProgram(t *testing.T) described {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return described{t, shell(t, root), catalog.New()}
}

// read returns a file of the project.
func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../..", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// commands are the subcommands.
func (p described) commands() (names []string) {
	command := regexp.MustCompile(`(?m)^  ([a-z]+)  +[A-Z]`)
	for _, m := range command.FindAllStringSubmatch(run(p.T, p.dir, "bullring --help"), -1) {
		if name := m[1]; name != "help" && name != "completion" { // which are cobra's
			names = append(names, name)
		}
	}
	return names
}

// with are the subcommands that have a flag.
func with(flag string) func(described) []string {
	return func(p described) []string {
		return slices.DeleteFunc(p.commands(), func(name string) bool {
			_, flags, _ := strings.Cut(run(p.T, p.dir, "bullring "+name+" --help"), "\nFlags")
			return !regexp.MustCompile(`(?m)^ +--` + flag + ` `).MatchString(flags)
		})
	}
}

// events are the fields of an event of a trace, as their schema has them.
func (p described) events() []string {
	var schema struct {
		Defs struct {
			Event struct{ Properties map[string]any }
		} `json:"$defs"`
	}
	if err := json.Unmarshal([]byte(run(p.T, p.dir, "bullring schema trace")), &schema); err != nil {
		p.Fatal(err)
	}
	return slices.Collect(maps.Keys(schema.Defs.Event.Properties))
}

// conditions are the names of the axes for which which holds.
func conditions(which func(setting.Condition) bool) func(described) []string {
	return func(described) (names []string) {
		for _, c := range setting.Conditions {
			if which(c) {
				names = append(names, c.Name)
			}
		}
		return names
	}
}

func anyCondition(setting.Condition) bool { return true }

// kinds are the kinds of figures, as the schema of sweeps has them.
func (p described) kinds() (names []string) {
	for _, list := range regexp.MustCompile(`\[[^\[\]]*"heatmap"[^\[\]]*\]`).FindAllString(run(p.T, p.dir, "bullring schema"), -1) {
		var some []string // those for which a rule holds, or all of them
		if err := json.Unmarshal([]byte(list), &some); err != nil {
			p.Fatal(err, list)
		}
		if len(some) > len(names) {
			names = some
		}
	}
	return names
}

// metrics are those of an election.
func (p described) metrics() (names []string) {
	a, err := p.registry.Find("lcr")
	if err != nil {
		p.Fatal(err)
	}
	for _, m := range a.Metrics {
		names = append(names, m.Name)
	}
	return names
}

// columns returns the columns of results.csv in a sweep of all algorithms, without checks. A column that exists
// once for each kind or bound has the name that the page gives it, such as sent_KIND.
func (p described) columns() []string {
	var algorithms []string
	for _, a := range p.registry.All() {
		algorithms = append(algorithms, a.Name)
	}
	columns := slices.Concat(conditions(func(c setting.Condition) bool { return c.Column.Optional })(p), p.registry.Metrics())
	checks := p.checks()
	for _, name := range p.header("algorithms: [" + strings.Join(algorithms, ", ") + "]") {
		for _, many := range []string{"sent_KIND", "bound_NAME", "ratio_NAME"} {
			if prefix := strings.TrimRight(many, "KINDAME"); strings.HasPrefix(name, prefix) {
				name = many
			}
		}
		if !slices.Contains(checks, name) && !strings.HasPrefix(name, "ME") {
			columns = append(columns, name)
		}
	}
	return columns
}

// estimated returns the columns that results.csv has besides in a sweep with rare.
func (p described) estimated() []string {
	plain := p.header("algorithms: [itairodeh]")
	return slices.DeleteFunc(p.header("algorithms: [itairodeh]\nrare: {level: draws, until: 4, effort: 2, repetitions: 2}"), func(name string) bool {
		return slices.Contains(plain, name)
	})
}

// header returns the names of the columns of a sweep over four processes.
func (p described) header(of string) (names []string) {
	write(p.T, p.dir, "columns.yaml", "name: columns\naxes: {n: 4}\n"+of+"\n")
	out := run(p.T, p.dir, "rm -rf out/columns && bullring sweep columns.yaml --no-plot --progress off && head -1 out/columns/results.csv")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	for name := range strings.SplitSeq(lines[len(lines)-1], ",") {
		name, _, _ = strings.Cut(name, "[")
		names = append(names, name)
	}
	return names
}

// checks are those that results.md explains: elections and mutual exclusion have theirs in model.md.
func (p described) checks() (names []string) {
	for _, a := range p.registry.All() {
		if a.Family != "election" && a.Family != "mutex" {
			names = append(names, a.Checks...)
		}
	}
	return names
}

// bands are the conditions that diagrams show.
func (p described) bands() []string {
	names := []string{trial.Down.Name}
	for _, a := range p.registry.All() {
		for _, b := range a.Bands {
			if !slices.Contains(names, b.Name) {
				names = append(names, b.Name)
			}
		}
	}
	return names
}

// heard are the families that judge programs by what they say.
func (p described) heard() (names []string) {
	for _, a := range p.registry.All() {
		if a.Hears() && !slices.Contains(names, a.Family) {
			names = append(names, a.Family)
		}
	}
	return names
}

// assumptions are the words for what algorithms assume, beside their topologies.
func (p described) assumptions() (words []string) {
	for _, a := range p.registry.All() {
		alike := strings.NewReplacer(" or ", " ", ", ", " ") // how it lists topologies
		for _, word := range a.Assumes.Words() {
			if alike.Replace(word) != alike.Replace(a.Assumes.Topology()) && !slices.Contains(words, word) {
				words = append(words, word)
			}
		}
	}
	return words
}

// rooms are the packages that a contributor looks for: all but algorithms, what only tests
// use, and the small ones below internal.
func (p described) rooms() (places []string) {
	err := filepath.WalkDir("../..", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		place, _ := filepath.Rel("../..", name)
		place = filepath.ToSlash(place)
		files, err := filepath.Glob(filepath.Join(name, "*.go"))
		files = slices.DeleteFunc(files, func(f string) bool { return strings.HasSuffix(f, "_test.go") })
		switch {
		case strings.HasPrefix(d.Name(), ".") && place != ".", place == "cmd", place == "docs", place == "internal", d.Name() == "internal" && place != "experiments/cli/internal", place == "des/yardstick", place == "des/peers":
			return fs.SkipDir
		case slices.ContainsFunc(p.registry.All(), func(a *trial.Algorithm) bool { return place == "protocols/"+a.Family }):
			return fs.SkipDir // its algorithms
		case len(files) > 0:
			places = append(places, place)
		}
		return err
	})
	if err != nil {
		p.Fatal(err)
	}
	return append(places, "protocols/election/lcr", "experiments/specs") // an example; the sweeps
}

// notModelled is that section of the model.
func notModelled(t *testing.T) string {
	_, section, _ := strings.Cut(read(t, "docs/model.md"), "\n## Not modelled\n")
	return section
}

// absent lists the rows of "not modelled" in the model.
func (p described) absent() (names []string) {
	for _, m := range regexp.MustCompile(`(?m)^\| \*\*(.*?)\*\* \|`).FindAllStringSubmatch(notModelled(p.T), -1) {
		names = append(names, m[1])
	}
	return names
}

var (
	code  = regexp.MustCompile("`([A-Za-z0-9_ >-]+)`")
	bold  = regexp.MustCompile(`\*\*([^*]+)\*\*`)
	links = regexp.MustCompile(`\]\(([a-z/]+)\)`)
	first = regexp.MustCompile(`(?m)^\| (.*?) \|`)
)

// lists are the lists of pages that the program decides. A list is what item matches between
// two texts of the page; where cells is true only the first cells of a table count.
var lists = []struct {
	page, from, to string
	item           *regexp.Regexp
	cells          bool
	want           func(described) []string
}{
	{"docs/trace.md", "as one JSON object: ", " have it", code, false, with("json")},
	{"docs/trace.md", "| field | type | meaning |", "`bullring export SUBJECT", code, true, described.events},
	{"docs/nodes.md", "These commands take a program: ", ". `shrink` looks", code, false, with("node-timeout")},
	{"docs/nodes.md", "| family | word | fields | means |", "The judges of superpeers", regexp.MustCompile("(?m)^\\| ([a-z]+) \\| `"), false, described.heard},
	{"docs/sweeps.md", "and the conditions: ", ". It does not depend", code, false, conditions(func(c setting.Condition) bool { return c.Seed != setting.Apart })},
	{"docs/sweeps.md", "on the algorithm, its variant, ", ". Trials that differ", code, false, conditions(func(c setting.Condition) bool { return c.Seed == setting.Apart && c.Name != "variant" })},
	{"docs/spec.md", "in what is\nnot a condition (", ")", code, false, conditions(func(c setting.Condition) bool { return c.Seed == setting.Apart })},
	{"docs/spec.md", "| axis | values |", "A range is", code, true, conditions(anyCondition)},
	{"docs/spec.md", "| `kind` | ", " |", code, false, described.kinds},
	{"docs/sweeps.md", "    kind: ", "\n", regexp.MustCompile(`(?:^|or )([a-z]+)`), false, described.kinds},
	{"docs/sweeps.md", "**Metrics**: ", " ([what they are]", code, false, described.metrics},
	{"docs/results.md", "| column | unit | meaning |", "Their outcomes, beside", code, true, described.columns},
	{"docs/results.md", "| column | unit | of the estimate |", "## summary.csv", code, true, described.estimated},
	{"docs/results.md", "| check | says |", "### Columns of estimates", code, true, described.checks},
	{"docs/diagrams.md", "| family | band |", "```console", code, false, described.bands},
	{"docs/model.md", "| assumption | broken by |", "The words are", code, true, described.assumptions},
	{"CONTRIBUTING.md", "| to change | look in |", "## Test what you changed", links, false, described.rooms},
	{"README.md", "## What is not there", "[The model]", bold, false, described.absent},
}

// A list of a page has what there is, and nothing else.
func TestListsOfPages(t *testing.T) {
	p := theProgram(t)
	for _, l := range lists {
		_, after, begins := strings.Cut(read(t, l.page), l.from)
		text, _, ends := strings.Cut(after, l.to)
		if !begins || !ends {
			t.Errorf("%s has no list between %q and %q", l.page, l.from, l.to)
			continue
		}
		if l.cells {
			var cells []string
			for _, m := range first.FindAllStringSubmatch(text, -1) {
				cells = append(cells, m[1])
			}
			text = strings.Join(cells, "\n")
		}
		var listed []string
		for _, m := range l.item.FindAllStringSubmatch(text, -1) {
			listed = append(listed, strings.Join(strings.Fields(m[1]), " "))
		}
		want := l.want(p)
		if len(want) < 2 {
			t.Errorf("%s, %q: the program has %v", l.page, l.from, want)
		}
		for _, name := range want {
			if !slices.Contains(listed, name) {
				t.Errorf("%s lacks %s after %q", l.page, name, l.from)
			}
		}
		for _, name := range listed {
			if !slices.Contains(want, name) {
				t.Errorf("%s has %s after %q, which is not there", l.page, name, l.from)
			}
		}
	}
}

// What is not modelled: each row of the page has a command that prints what the page says, or
// a test.
func TestNotModelled(t *testing.T) {
	p, rows := theProgram(t), 0
	table := notModelled(t)
	for _, m := range regexp.MustCompile("(?m)^\\| .*\\| `([a-z][^`]*)` \\| `([^`]*)` \\|$").FindAllStringSubmatch(table, -1) {
		rows++
		if out := strings.Join(strings.Fields(run(t, p.dir, "bullring "+m[1])), " "); !strings.Contains(out, m[2]) {
			t.Errorf("bullring %s does not print %q:\n%s", m[1], m[2], out)
		}
	}
	tests := len(regexp.MustCompile("(?m)^\\| .*\\| `Test\\w+` \\| \\|$").FindAllString(table, -1))
	if all := strings.Count(table, "\n| ") - 1; rows+tests != all || rows < 8 {
		t.Errorf("%d of %d rows were understood", rows+tests, all)
	}
}

// prose is the text of a page outside its fenced blocks, on one line.
func prose(t *testing.T, page string) string {
	var text strings.Builder
	for _, part := range split(read(t, page)) {
		if !part.fenced {
			text.WriteString(part.body)
		}
	}
	return strings.Join(strings.Fields(text.String()), " ")
}

// sources are the files of the program, without tests, with their texts.
func (p described) sources() map[string]string {
	texts := map[string]string{}
	for _, root := range []string{"cmd", "des", "netem", "faults", "plots", "protocols", "experiments", "internal"} {
		err := filepath.WalkDir(filepath.Join("../..", root), func(name string, _ fs.DirEntry, err error) error {
			if strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
				short := strings.TrimPrefix(filepath.ToSlash(name), "../../")
				texts[short] = read(p.T, short)
			}
			return err
		})
		if err != nil {
			p.Fatal(err)
		}
	}
	return texts
}

// drivers is the number of packages with a Node of their own. The Nodes of protocols are those of
// transformers.
func (p described) drivers() int {
	places := map[string]bool{}
	for file, source := range p.sources() {
		if !strings.HasPrefix(file, "protocols/") && strings.Contains(source, ") SetTimer(t protocols.Timer") || strings.Contains(source, ") SetTimer(label protocols.Timer") {
			places[filepath.Dir(file)] = true
		}
	}
	return len(places)
}

// families is the number of families.
func (p described) families() int {
	names := map[string]bool{}
	for _, a := range p.registry.All() {
		names[a.Family] = true
	}
	return len(names)
}

// files are the files of the project that match a pattern.
func (p described) files(pattern string) (names []string) {
	files, err := filepath.Glob(filepath.Join("../..", pattern))
	if err != nil || len(files) == 0 {
		p.Fatal(pattern, err)
	}
	for _, name := range files {
		names = append(names, filepath.ToSlash(strings.TrimPrefix(filepath.ToSlash(name), "../../")))
	}
	return names
}

// A flag that a page shows with a command is a flag of that command.
func TestFlagsOfPages(t *testing.T) {
	p, flags := theProgram(t), 0
	command := regexp.MustCompile("\\bbullring ([a-z]+)((?: [^`|&;\n]*)?)")
	flag := regexp.MustCompile(`(?:^| |\[)--([a-z][a-z-]*)`)
	helps := map[string]string{}
	for _, name := range p.commands() {
		_, helps[name], _ = strings.Cut(run(t, p.dir, "bullring "+name+" --help"), "\nUsage:")
	}
	for _, page := range append(p.files("docs/*.md"), "README.md", "CONTRIBUTING.md") {
		text := strings.ReplaceAll(read(t, page), "\\\n", " ") // a command of several lines
		for _, m := range command.FindAllStringSubmatch(text, -1) {
			for _, f := range flag.FindAllStringSubmatch(m[2], -1) {
				flags++
				if help, ok := helps[m[1]]; ok && !regexp.MustCompile(`(?m)^ +(?:-\w, )?--`+f[1]+`\b`).MatchString(help) {
					t.Errorf("%s: bullring %s has no flag --%s: %s", page, m[1], f[1], m[0])
				}
			}
		}
	}
	if flags < 200 {
		t.Errorf("found %d flags only", flags)
	}
}
