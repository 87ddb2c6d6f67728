package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// testdata/earlier holds what a version before this one's first release wrote, of the
// same epoch: a complete folder, and two shards of the same sweep.
const earlier = "testdata/earlier"

// copied is a copy of a folder of testdata/earlier, in a directory that becomes current.
func copied(t *testing.T, name string) {
	t.Helper()
	from, err := filepath.Abs(earlier)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.CopyFS(name, os.DirFS(filepath.Join(from, name))); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("earlier.yaml", read(t, filepath.Join(from, "earlier.yaml")), 0o666); err != nil {
		t.Fatal(err)
	}
}

// What an earlier version has written is read, verified, drawn again and left alone.
// Messages that overtook others were not counted everywhere then.
func TestFolderOfAnEarlierVersion(t *testing.T) {
	copied(t, "complete")
	before := outcomeOf(t, "complete")
	for _, c := range []struct {
		args   string
		status int
		want   string
	}{
		{"status complete", 0, "complete"},
		{"verify complete --progress off", 0, "identical: 20 of 64 trials, run again here\n"},
		{"verify complete --all --progress off", statusUndecided, "not compared: columns of results.csv in manifest.json, columns of summary.csv in manifest.json, summary.tex and 8 more; identical are all 64 trials, run again here\n"},
		{"verify complete/figures/earlier.svg --all --progress off", 0, "identical: all 64 trials behind the figure, run again here\n"},
		{"replay complete 64", 0, "The run agrees with row 64 of complete."},
		{"sweep earlier.yaml -o complete --progress off", 0, "complete already, nothing was run"},
	} {
		if got := bullring(t, strings.Fields(c.args)...); got.status != c.status || !strings.Contains(got.out, c.want) {
			t.Errorf("%s: status %d, %s%s; want %q", c.args, got.status, got.out, got.errors, c.want)
		}
	}
	sameFiles(t, outcomeOf(t, "complete"), before)
	if got := bullring(t, "plot", "complete"); got.status != 0 {
		t.Errorf("plot: status %d, %s", got.status, got.errors)
	}
	if got := bullring(t, "verify", "complete", "--all", "--progress", "off"); got.status != statusUndecided || !strings.Contains(got.out, ", 7 documents, 6 files of figures\n") {
		t.Errorf("verify of new figures: status %d, %s%s", got.status, got.out, got.errors)
	}

	// A change of an old folder is found.
	table := read(t, "complete/results.csv")
	if err := os.WriteFile("complete/results.csv", []byte(strings.Replace(string(table), ",elected,", ",no leader,", 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := bullring(t, "verify", "complete", "--all", "--progress", "off"); got.status != 1 || !strings.Contains(got.out, "outcome is") {
		t.Errorf("verify of another outcome: status %d, %s%s", got.status, got.out, got.errors)
	}
}

// Shards of an earlier version are joined, and the missing trials of a sweep are run, with
// the same rows.
func TestShardsOfAnEarlierVersion(t *testing.T) {
	whole := read(t, filepath.Join(earlier, "complete", "results.csv"))
	copied(t, "shards")
	if err := os.Remove("shards/shard-1-of-2.journal"); err != nil {
		t.Fatal(err)
	}
	if got := bullring(t, "sweep", "earlier.yaml", "-o", "shards", "--shard", "1/2", "--progress", "off"); got.status != 0 {
		t.Fatalf("shard 1: status %d, %s", got.status, got.errors)
	}
	if got := bullring(t, "merge", "shards", "--no-plot", "--progress", "off"); got.status != 0 {
		t.Fatalf("merge: status %d, %s", got.status, got.errors)
	}
	now := strings.Split(string(read(t, "shards/results.csv")), "\n")
	for i, line := range strings.Split(string(whole), "\n") {
		if i >= len(now) || now[i] != line && !strings.Contains(line, ",false,") {
			t.Errorf("line %d is not that of the earlier version", i+1)
		}
	}
}
