package trial_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/verify"
	"bullring/experiments/catalog"
	"bullring/experiments/internal/sweeptest"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/lcr"
)

// greeter sends one message over each of its links, and decides nothing.
type greeter struct{ *lcr.Process }

// Start implements protocols.Process.
func (g greeter) Start(n protocols.Node[lcr.Message]) {
	for port := range n.Degree() {
		n.Send(n.Neighbor(port), lcr.Message{})
	}
}

// Receive implements protocols.Process.
func (g greeter) Receive(protocols.Node[lcr.Message], protocols.ID, lcr.Message) {}

// greeters is a registry of greeters that accept these topologies, by name.
func greeters(accept map[string][]string) *trial.Registry {
	r := &trial.Registry{}
	for _, name := range []string{"greet", "tree", "flood", "rings"} {
		if accept[name] == nil {
			continue
		}
		r.Register(families.Election(trial.Algorithm{
			Name: name, Title: "greets its neighbours", Assumes: trial.Assumptions{Topologies: accept[name]},
			Bounds: []trial.Bound{{
				Name: "exact", Metric: "messages", Formula: "m", Convention: "all initiate", Relation: trial.Exactly,
				Value: func(in *trial.Instance) (float64, bool) { return float64(in.Graph().Links()), true },
			}},
		}, func(*trial.Instance) election.Promise { return election.Promise{} },
			func(in *trial.Instance) func(protocols.ID) election.Process[lcr.Message] {
				return func(p protocols.ID) election.Process[lcr.Message] {
					return greeter{lcr.New(in.Ranks.At(p), lcr.Config{})}
				}
			}))
	}
	return r
}

var accepting = map[string][]string{
	"greet": {"line", trial.Connected},
	"tree":  {"star", trial.AnyTree},
	"flood": {"ring", "biring", trial.StronglyConnected},
	"rings": {"ring", "grid(2x2)"},
}

// file writes a file and returns its name as that of a topology.
func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return trial.GraphFile + path
}

// A topology is accepted if its family is declared, or if it has the property of a
// class that is.
func TestAcceptedTopologies(t *testing.T) {
	r := greeters(accepting)
	triangle := file(t, "triangle", "0 1\n1 2\n2 0\n")
	circle := file(t, "circle", "directed\n0 1\n1 2\n2 0\n")
	oneWay := file(t, "one way", "directed\n0 1\n1 2\n0 2\n")
	both := file(t, "both", "directed\n0 1\n1 2\n2 1\n1 0\n")
	apart := file(t, "apart", "0 1\n2 3\n")
	path := file(t, "path", "2 0\n0 1\n")
	for _, c := range []struct {
		algorithm, topology string
		n                   int
		transport           string
		want                string // of the error; "" is accepted
	}{
		{"greet", "", 5, "", ""}, {"greet", "biring", 5, "", ""}, {"greet", "complete", 5, "", ""}, {"greet", "complete", 1, "", ""},
		{"greet", "er(0.5)", 9, "", ""}, {"greet", "tree(3)", 9, "", ""}, {"greet", triangle, 0, "", ""}, {"greet", both, 0, "", ""}, {"greet", path, 0, "", ""},
		{"greet", "ring", 5, "", `topology "ring": not every link has one back; greet runs on any connected graph`},
		{"greet", "ring", 2, "", "not every link has one back"}, // which is so for any other n
		{"greet", "digraph(1)", 5, "", "not every link has one back"},
		{"greet", "biring", 2, "", `topology "biring": with n = 2, two of its links have the same ends; greet runs on`},
		{"greet", circle, 0, "", "not every link has one back; greet runs on any connected graph"},
		{"greet", apart, 0, "", "it is not connected; greet runs on any connected graph"},
		{"tree", "", 5, "", ""}, {"tree", "line", 5, "", ""}, {"tree", "tree(4)", 50, "", ""}, {"tree", "ba(1)", 50, "", ""}, {"tree", path, 0, "", ""}, {"tree", "grid(1x5)", 5, "", ""},
		{"tree", "biring", 5, "", "it is no tree; tree runs on any tree"}, {"tree", triangle, 0, "", "it is no tree"}, {"tree", apart, 0, "", "it is no tree"}, {"tree", "ring", 2, "", "tree runs on any tree"},
		{"flood", "", 5, "", ""}, {"flood", "ring", 1, "", ""}, {"flood", "biring", 1, "", ""}, {"flood", "digraph(0.6)", 6, "", ""}, {"flood", circle, 0, "", ""}, {"flood", triangle, 0, "", ""}, {"flood", "star", 3, "", ""},
		{"flood", oneWay, 0, "", "it is not strongly connected; flood runs on any strongly connected graph, directed or not"},
		{"rings", "", 5, "", ""}, {"rings", "grid", 6, "", ""}, {"rings", "grid(2x3)", 6, "", ""},
		{"rings", "er(0.1)", 20, "", `topology "er(0.1)": rings runs on ring, grid`}, {"rings", triangle, 0, "", "rings runs on ring, grid"},
		{"flood", "", 5, "reliable(5ms,0)", ""}, {"flood", "star", 5, "reliable(5ms,0)", ""}, {"flood", both, 0, "reliable(5ms,0)", ""},
		{"flood", "ring", 5, "reliable(5ms,0)", "need a link back for every link; allowed is biring"},
		{"flood", circle, 0, "reliable(5ms,0)", "need a link back for every link"},
		{"rings", "ring", 5, "reliable(5ms,0)", "allowed is topologies with links in both directions"},
		{"rings", "", 4, "reliable(5ms,0)", ""},
		{"greet", triangle, 4, "", "it has 3 processes, and n is 4"},
	} {
		in, err := r.Instance(trial.Setting{Algorithm: c.algorithm, Topology: c.topology, N: c.n, Transport: c.transport, Seed: 2})
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s on %q of %d: %v", c.algorithm, c.topology, c.n, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s on %q of %d: %v; want %q", c.algorithm, c.topology, c.n, err, c.want)
		case err == nil && c.transport == "":
			if result := new(trial.Worker).Run(t.Context(), in, nil); result.BrokenBound() != nil {
				t.Errorf("%s on %q of %d: %v", c.algorithm, c.topology, c.n, result.BrokenBound())
			}
		}
	}
}

// What algorithms assume is said so that it can be read.
func TestTopologyWords(t *testing.T) {
	r := greeters(accepting)
	for name, want := range map[string]string{
		"greet": "any connected graph", "tree": "any tree", "flood": "any strongly connected graph, directed or not", "rings": "ring or grid",
	} {
		a, err := r.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		if words := a.Assumes.Words(); !slices.Contains(words, want) {
			t.Errorf("%s assumes %q; want %q among it", name, words, want)
		}
		offered := a.Topologies()
		if offered[0] != accepting[name][0] || slices.Contains(offered, trial.GraphFile) != (name != "rings") ||
			slices.Contains(offered, "digraph(0.3)") != (name == "flood") || slices.Contains(offered, "complete") != (name == "greet" || name == "flood") {
			t.Errorf("%s is offered %q", name, offered)
		}
	}
	for _, declared := range [][]string{{}, {trial.Connected}, {"rong"}, {"ring", "conected"}, {"ring", "file:x"}} {
		if got := panicOf(func() { greeters(map[string][]string{"greet": declared}) }); !strings.Contains(got, `algorithm "greet" declares`) {
			t.Errorf("topologies %q: %s", declared, got)
		}
	}
}

func panicOf(f func()) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprint(r)
		}
	}()
	f()
	return ""
}

// links lists the links of an instance, with weights.
func links(in *trial.Instance) string {
	var b strings.Builder
	g := in.Graph()
	for p := range protocols.ID(in.N) {
		for port := range g.Degree(p) {
			fmt.Fprintf(&b, "%d>%d:%d ", p, g.Neighbor(p, port), g.Weight(p, port))
		}
	}
	return strings.TrimSpace(b.String())
}

// What files say.
func TestGraphFiles(t *testing.T) {
	r := greeters(accepting)
	weighted := "0>1:5 0>2:-7 1>0:5 2>0:-7"
	for name, c := range map[string]struct{ text, want string }{
		"list":            {"0 1 5\n2 0 -7\n", weighted},
		"other order":     {"0 2 -7\n1 0 5", weighted},
		"comments":        {"# a tree\n\nundirected\n 0\t1 5 # the first\r\n\r\n2 0 -7\r\n", weighted},
		"mark":            {"\ufeff0 1 5\n2 0 -7\n", weighted},
		"directed":        {"# turns\ndirected\n0 1 4\n1 2 5\n2 0 6\n", "0>1:4 1>2:5 2>0:6"},
		"digraph.dot":     {"digraph { 0 -> 1 -> 2 -> 0 [weight=3] }", "0>1:3 1>2:3 2>0:3"},
		"numbers.gv":      {"graph { 2 -- 0 [weight=-7]; 1 -- 0 [weight=\"5\"] }", weighted},
		"names.dot":       {"graph net {\n a -- { b [color=red] c } [weight=2]\n}", "0>1:2 0>2:2 1>0:2 2>0:2"},
		"first appeared":  {"graph { z; \"0\"; a -- z [weight=4]; z -- 0 [weight=9] }", "0>1:9 0>2:4 1>0:9 2>0:4"},
		"default weights": {"strict graph { edge [weight=2] subgraph s { edge [weight=8] 0 -- 1 } 1 -- 2; 2 -- 1 [weight=3] }", "0>1:8 1>0:8 1>2:3 2>1:3"},
		"alone.dot":       {"graph { only }", ""},
	} {
		topology := file(t, name, c.text)
		in, err := r.Instance(trial.Setting{Algorithm: "flood", Topology: topology})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := links(in); got != c.want {
			t.Errorf("%s: %s; want %s", name, got, c.want)
		}
		given, hash, _ := strings.Cut(in.Setting.Topology, "@")
		if given != topology || len(hash) != 8 || in.Setting.N != in.N {
			t.Errorf("%s is %s of %d", topology, in.Setting.Topology, in.Setting.N)
		}
		if again, err := r.Instance(in.Setting); err != nil || again.Setting != in.Setting || links(again) != c.want {
			t.Errorf("%+v is normalised to %+v: %v", in.Setting, again, err)
		}
	}
}

// What is wrong with files is said with its place.
func TestGraphFileErrors(t *testing.T) {
	r := greeters(accepting)
	long := strings.Repeat("x", 1000)
	for name, c := range map[string]struct{ text, want string }{
		"empty":              {"", "/empty holds no graph: no link stands there"},
		"comments only":      {"# nothing\n\n", "holds no graph"},
		"loop":               {"0 1\n1 1\n", "/loop:2: process 1 has a link to itself"},
		"twice":              {"0 1\n1 2\n\n1 0\n", "/twice:4: the link from 1 to 0 stands there twice, first in line 1"},
		"directed twice":     {"directed\n0 1\n0 1\n", "/directed twice:3: the link from 0 to 1 stands there twice, first in line 2"},
		"negative":           {"0 1\n-1 0\n", `/negative:2: "-1" is not an address; allowed are 0 to 16777214`},
		"huge":               {"0 16777215\n", `/huge:1: "16777215" is not an address`},
		"beyond":             {"0 99999999999999999999\n", `is not an address`},
		"word":               {"a b\n", `/word:1: "a" is not an address`},
		"fraction":           {"0 1.5\n", `"1.5" is not an address`},
		"not a number":       {"0 1 NaN\n", `/not a number:1: the weight "NaN" is not a whole number of 64 bits`},
		"fractional weight":  {"0 1 0.5\n", `the weight "0.5" is not a whole number`},
		"large weight":       {"0 1 9223372036854775808\n", "is not a whole number of 64 bits"},
		"some weights":       {"0 1 3\n1 2\n", "/some weights:2: some edges have a weight and some have none"},
		"one":                {"0\n", `/one:1: "0" is no edge; a line is "u v" or "u v weight"`},
		"four":               {"0 1 2 3\n", `/four:1: "0 1 2 3" is no edge`},
		"late word":          {"0 1\ndirected\n", `/late word:2: "directed" is no edge`},
		"binary":             {"\x00\x01\xff\xfe\x00", `/binary:1: "\x00\x01\xff\xfe\x00" is no edge`},
		"long":               {long, `/long:1: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx..." is no edge`},
		"net.graphml":        {"<graphml/>", "net.graphml is GraphML, which is not read; write it as DOT"},
		"xml":                {"<?xml version=\"1.0\"?>", "/xml is GraphML"},
		"syntax.dot":         {"graph {\n a -- \n}", "/syntax.dot:3:1: error: expected"},
		"arrow.dot":          {"graph { a -> b }", "contains directed edge"},
		"two.dot":            {"graph { a -- b } graph { c -- d }", "/two.dot holds 2 graphs; it takes one"},
		"none.dot":           {"graph { }", "holds no graph"},
		"loop.dot":           {"graph { a -- b; b -- b }", `/loop.dot: between "b" and "b": process 1 has a link to itself`},
		"twice.dot":          {"graph { a -- b; b -- a }", `/twice.dot: between "b" and "a": the link from 1 to 0 stands there twice`},
		"weights.dot":        {"graph { a -- b [weight=1]; b -- c }", "some edges have a weight and some have none"},
		"weight.dot":         {"graph { a -- b [weight=0.5] }", `between "a" and "b": the weight "0.5" is not a whole number`},
		"far.dot":            {"graph { 0 -- 16777215 }", `"16777215" is not an address`},
		"nested.dot":         {"graph {\n" + strings.Repeat("{", 200) + " a -- b " + strings.Repeat("}", 200) + "}", "/nested.dot:2: subgraphs nest deeper than 100"},
		"comment.dot":        {"graph { /* \" */ " + strings.Repeat("{", 200), "/comment.dot:1: subgraphs nest deeper than 100"},
		"large.dot":          {"graph { a -- b }" + strings.Repeat(" ", 4<<20), "up to 4194304 are read: write a larger graph as a list of edges"},
		"isolated.dot":       {"graph { 0 -- 2 }", "it is not strongly connected"},
		"detected without a": {"strict digraph x{ a -> b", "error: expected"},
	} {
		_, err := r.Instance(trial.Setting{Algorithm: "flood", Topology: file(t, name, c.text)})
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\x00") {
			t.Errorf("%s: %v; want %q", name, err, c.want)
		}
	}
	for topology, want := range map[string]string{
		"file:":                               `topology "file:": the path of a file follows`,
		"file:/no/such/file":                  "no such file",
		"file:" + t.TempDir():                 "is a directory",
		file(t, "net", "0 1\n") + "@0":        "no such file",
		file(t, "net", "0 1\n") + "@00000000": "the file has changed: it is now file:",
	} {
		if _, err := r.Instance(trial.Setting{Algorithm: "flood", Topology: topology}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", topology, err, want)
		}
	}
	if _, err := r.Instance(trial.Setting{Algorithm: "flood", Topology: file(t, "net", "0 1\n"), IDs: "5,6,7"}); err == nil || !strings.Contains(err.Error(), "it has 2 processes, and n is 3") {
		t.Errorf("three identities for two processes: %v", err)
	}
}

// Without a file, weights are drawn: the same for everybody with this seed.
func TestDrawnWeights(t *testing.T) {
	r := greeters(accepting)
	weights := func(algorithm, topology string, seed uint64) string {
		in, err := r.Instance(trial.Setting{Algorithm: algorithm, Topology: topology, N: 5, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		return links(in)
	}
	if a, b := weights("greet", "line", 3), weights("tree", "line", 3); a != b || a == weights("greet", "line", 4) {
		t.Errorf("weights %s and %s", a, b)
	}
	if a, b := weights("greet", "er(0.5)", 3), weights("flood", "er(0.5)", 3); a != b || a == weights("greet", "er(0.5)", 4) {
		t.Errorf("graphs %s and %s", a, b)
	}
}

// A sweep draws a random graph anew for every replicate, the same for all algorithms,
// and holds each to the bounds of its own graph. Its rows can be replayed.
func TestSweepOverTopologies(t *testing.T) {
	net := file(t, "net.txt", "0 1\n1 2\n2 3\n3 0\n0 2\n1 3\n3 4\n4 5\n5 0\n")
	s := sweeptest.Sweep(t, greeters(accepting), fmt.Sprintf(`name: graphs
replicates: 5
algorithms: [greet, flood]
axes:
  n: 6
  topology: ["er(0.5)", "ws(2,0.5)", star, "grid(2x3)", %q]
`, net))
	sweeptest.Run(t, s)
	rows := sweeptest.Rows(t, sweeptest.Read(t, s, results.ResultsFile))
	if len(rows) != 50 {
		t.Fatalf("%d rows", len(rows))
	}
	messages := map[string]map[string]bool{}
	for i, row := range rows {
		topology := row["topology"]
		if messages[topology] == nil {
			messages[topology] = map[string]bool{}
		}
		messages[topology][row["messages"]] = true
		if other := rows[(i+25)%50]; other["topology"] != topology || other["messages"] != row["messages"] || other["seed"] != row["seed"] {
			t.Errorf("row %d: the algorithms have %s and %s messages on %s and %s", i+1, row["messages"], other["messages"], topology, other["topology"])
		}
	}
	for topology, random := range map[string]bool{"er(50%)": true, "star": false, "grid": false} {
		if got := len(messages[topology]); got == 0 || (got > 1) != random {
			t.Errorf("%s: messages %v", topology, messages[topology])
		}
	}
	if _, err := verify.RowSetting(s.Registry, s.Dir, 3); err != nil {
		t.Error(err)
	}
	for _, row := range []int{1, 6, 24, 50} {
		if _, err := verify.Replay(t.Context(), s.Registry, s.Dir, row, nil); err != nil {
			t.Errorf("row %d: %v", row, err)
		}
	}
	path := strings.TrimPrefix(net, trial.GraphFile)
	if err := os.WriteFile(path, []byte("0 1\n1 2\n2 3\n3 4\n4 5\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := verify.Replay(t.Context(), s.Registry, s.Dir, 25, nil); err == nil || !strings.Contains(err.Error(), "the file has changed") {
		t.Errorf("a row of a file that has changed: %v", err)
	}
}

// Names are checked where they stand in the sweep.
func TestTopologyAxis(t *testing.T) {
	for value, want := range map[string]string{
		"stra": `did you mean "star"`, "er(2)": "is above 1", "er": "it is written er(P)", "file:": "the path of a file follows",
	} {
		_, err := results.ParseSpec(catalog.New(), "x.yaml", []byte(fmt.Sprintf("name: a\nalgorithms: [lcr]\naxes: {n: 4, topology: [ring, %q]}\n", value)))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "x.yaml:3:") {
			t.Errorf("%q: %v; want %q", value, err, want)
		}
	}
}

// A chain takes memory and time in proportion to its length, and what is repeated has an
// end.
func TestLongDOT(t *testing.T) {
	r := greeters(accepting)
	path := filepath.Join(t.TempDir(), "net.dot")
	read := func(text string) error {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := r.Instance(trial.Setting{Algorithm: "flood", Topology: trial.GraphFile + path})
		return err
	}
	var chain strings.Builder
	chain.WriteString("graph { 0")
	for i := 1; i < 20_000; i++ {
		fmt.Fprintf(&chain, "--%d", i)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := read(chain.String() + "}"); err != nil {
		t.Error(err)
	}
	runtime.ReadMemStats(&after)
	if took := (after.TotalAlloc - before.TotalAlloc) >> 20; took > 200 { // in proportion to the square, 1,600
		t.Errorf("a chain of 20,000 took %d MB", took)
	}
	sides := [2]string{"{0", "{400"}
	for i := 1; i < 400; i++ {
		sides[0] += fmt.Sprintf(" %d", i)
		sides[1] += fmt.Sprintf(" %d", 400+i)
	}
	text := "strict graph { " + sides[0] + "}"
	for i := range 10 {
		text += "--" + sides[(i+1)%2] + "}"
	}
	if err := read(text + "}"); err == nil || !strings.Contains(err.Error(), "make 1120000 edges or more; of a file in the DOT language up to 1048576 are read") {
		t.Errorf("a product of 400 by 400, ten times: %v", err)
	}
	var many strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&many, " %d", i)
	}
	runtime.ReadMemStats(&before)
	if err := read("graph {{" + many.String() + "}--{" + many.String() + "}}"); err == nil || !strings.Contains(err.Error(), "make 400000000 edges or more") {
		t.Errorf("a product of 20,000 by 20,000: %v", err)
	}
	runtime.ReadMemStats(&after)
	if took := (after.TotalAlloc - before.TotalAlloc) >> 20; took > 200 {
		t.Errorf("a product of 20,000 by 20,000 took %d MB before it was refused", took)
	}
}

// FuzzGraphFile: no text makes the reader panic, and a graph that it reads is as large
// as it says.
func FuzzGraphFile(f *testing.F) {
	for _, text := range []string{"0 1 5\n2 0 -7\n", "directed\n0 1\n1 2 # x\n", "graph { a -- { b c } [weight=2] }", "strict digraph { a -> a; 3 }", "<graphml/>", "\ufeff0 1"} {
		f.Add(text)
	}
	r := greeters(accepting)
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(dir, "net")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		in, err := r.Instance(trial.Setting{Algorithm: "flood", Topology: trial.GraphFile + path})
		if err != nil {
			return
		}
		g := in.Graph()
		if g.Len() != in.N || !g.Simple() || !g.StronglyConnected() || g.Links() < g.Len()-1 {
			t.Errorf("%q is a graph of %d with %d links", text, g.Len(), g.Links())
		}
	})
}
