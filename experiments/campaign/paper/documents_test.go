package paper

import (
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/spec"
	"bullring/experiments/catalog"
)

var update = flag.Bool("update", false, "rewrite the golden script in testdata; read the diff")

// opened is a copy of the folder of an earlier version, with its manifest.
func opened(t *testing.T) (*results.Folder, *results.Manifest) {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../cli/testdata/earlier/complete")); err != nil {
		t.Fatal(err)
	}
	f, err := results.Open(catalog.New(), dir)
	if err != nil {
		t.Fatal(err)
	}
	m, err := results.ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	return f, m
}

// Each document of a folder is written and listed. One that is kept stays as it is, and what the
// author has put into another stays in it.
func TestDocuments(t *testing.T) {
	f, m := opened(t)
	path := func(name string) string { return filepath.Join(f.Dir, name) }
	if err := WriteDocuments(f, m, nil, nil); err != nil {
		t.Fatal(err)
	}
	written, err := os.ReadFile(path(results.CitationFile))
	if err != nil {
		t.Fatal(err)
	}
	signed := strings.Replace(string(written), `  - name: "the authors of this study"`, "  - family-names: Chang\n    given-names: Ernest", 1)
	for name, text := range map[string]string{results.CitationFile: signed, results.ReadmeFile: "mine"} {
		if err := os.WriteFile(path(name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := WriteDocuments(f, m, nil, []string{results.ReadmeFile}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{results.CitationFile: signed, results.ReadmeFile: "mine"} {
		if got, err := os.ReadFile(path(name)); err != nil || string(got) != want || signed == string(written) {
			t.Errorf("%s is %s, %v", name, got, err)
		}
	}
	read, err := results.ReadManifest(f.Dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, d := range read.Documents {
		names = append(names, d.Name)
		if _, err := os.Stat(path(d.Name)); err != nil {
			t.Error(err)
		}
	}
	want := []string{results.TableFile, results.PapersFile, results.CitationFile, results.ReproduceFile, results.ReadmeFile, results.ColumnsFile, results.ReportFile}
	if !slices.Equal(names, want) || read.Writer == nil || len(read.Figures) != 0 {
		t.Errorf("the manifest lists %q, want %q", names, want)
	}
	if info, err := os.Stat(path(results.ReproduceFile)); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o755 {
		t.Errorf("the script has the mode %v, %v", info.Mode(), err)
	}
}

// The script of a plain sweep, and the lines of one that is outside the model, starts programs
// and reads graphs.
func TestScript(t *testing.T) {
	f, m := opened(t)
	cells, err := f.Overview()
	if err != nil {
		t.Fatal(err)
	}
	got := reproduce(f, m, cells)
	const file = "testdata/reproduce.txt"
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(file); err != nil || got != string(want) {
		t.Errorf("%v, the script is\n%s\nwant\n%s", err, got, want)
	}

	m.Outside = true
	hash := strings.Repeat("0a", 32)
	cells = &results.Overview{Columns: []string{"n", "node", "topology"}, Fields: [][]string{
		{"3", "python3 it's.py # sha256 it's.py " + hash, "ring"}, {"4", "/bin/lcr # sha256 /bin/lcr " + hash, "file:net.txt@0a0b"}, {"5", "", "file:net.txt@0a0b"},
	}}
	text, err := results.ParseSpec(catalog.New(), "s.yaml", []byte("name: s\nalgorithms: [lcr]\naxes: {n: 3, node: [none, python3 it.py]}\n"))
	if err != nil {
		t.Fatal(err)
	}
	got = reproduce(&results.Folder{Spec: text}, m, cells)
	for _, want := range []string{
		"--allow-nodes             start the programs that the sweep names", `-o "$out" --outside-model $nodes`,
		`	if [ -f "$place"/'it'\''s.py' ] && [ -f "$place"/'net.txt' ]; then`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\nlacks %s", got, want)
		}
	}
	if one := nodesUsage(&results.Folder{Spec: &spec.Spec{}}); one != "" {
		t.Errorf("a sweep without programs says %s", one)
	}
}

func TestPlural(t *testing.T) {
	if Plural(1, "trial") != "trial" || Plural(0, "trial") != "trials" || Plural(2, "trial") != "trials" {
		t.Error("the plural of trial")
	}
}
