//go:build unix

package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"bullring/experiments/catalog"
)

// What is not as the manifest says is not drawn: of rows whose cells are other ones
// the figure would lie.
func TestPlotOfWhatWasChanged(t *testing.T) {
	for _, c := range []struct{ file, before, after string }{
		{"spec.yaml", "[increasing, decreasing, random]", "[increasing, random, decreasing]"},
		{"results.csv", "elected", "Elected"},
		{"summary.csv", "cell", "Cell"},
	} {
		inDir(t, sampleSpec(catalog.New()))
		if got := bullring(t, "sweep", "demo.yaml"); got.status != 0 {
			t.Fatal(got.errors)
		}
		edited(t, filepath.Join("out/demo", c.file), c.before, c.after)
		got := bullring(t, "plot", "out/demo")
		if got.status != statusFailed && got.status != 2 || !strings.Contains(got.errors, c.file+" was changed since: its hash is not the one in manifest.json; bullring verify tells more") {
			t.Errorf("%s: status %d, %s", c.file, got.status, got.errors)
		}
	}
}

// The figures of a complete sweep are left as they are, and drawn if one is lacking.
func TestFiguresAreDrawnOnce(t *testing.T) {
	inDir(t, sampleSpec(catalog.New()))
	figure := "out/demo/figures/demo.png"
	first := bullring(t, "sweep", "demo.yaml")
	before, err := os.Stat(figure)
	if first.status != 0 || err != nil {
		t.Fatal(first.errors, err)
	}
	again := bullring(t, "sweep", "demo.yaml")
	after, err := os.Stat(figure)
	if again.status != 0 || err != nil || !after.ModTime().Equal(before.ModTime()) || !os.SameFile(before, after) {
		t.Errorf("status %d, %v: drawn at %v, and again at %v", again.status, err, before.ModTime(), after.ModTime())
	}
	_, line, _ := strings.Cut(first.out, "figures ")
	if line, _, _ = strings.Cut(line, "\n"); line == "" || !strings.Contains(again.out, line) {
		t.Errorf("it does not tell of the figures:\n%s", again.out)
	}
	if err := os.Remove(figure); err != nil {
		t.Fatal(err)
	}
	if got := bullring(t, "status", "out/demo"); got.status != 4 || !strings.Contains(got.out, "demo.png") {
		t.Errorf("status of a folder without a figure: %d, %s", got.status, got.out)
	}
	if got := bullring(t, "sweep", "demo.yaml"); got.status != 0 {
		t.Error(got.errors)
	}
	if _, err := os.Stat(figure); err != nil {
		t.Error(err)
	}
}

// Rows that were removed are still on record.
func TestVerifyOfRowsThatAreGone(t *testing.T) {
	inDir(t, sampleSpec(catalog.New()))
	if got := bullring(t, "sweep", "demo.yaml", "--no-plot"); got.status != 0 {
		t.Fatal(got.errors)
	}
	if err := os.Truncate("out/demo/results.csv", 0); err != nil {
		t.Fatal(err)
	}
	if got := bullring(t, "verify", "out/demo", "--all"); got.status != 1 || !strings.HasPrefix(got.out, "different: the files; identical are 0 of 75 trials") {
		t.Errorf("status %d, %s", got.status, got.out)
	}
	if err := os.WriteFile("out/demo/manifest.json", []byte("{}"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"verify", "status", "plot"} {
		if got := bullring(t, command, "out/demo"); got.status != 2 || !strings.Contains(got.errors, "manifest.json is damaged: it has no epoch or no files; bullring sweep --again writes it anew") {
			t.Errorf("%s: status %d, %s", command, got.status, got.errors)
		}
	}
}

// The script of a folder makes it again, into the folder that its caller names, and
// compares. Trials may have ended at a limit, as the recorded ones did.
func TestReproduce(t *testing.T) {
	inDir(t, "name: short\nreplicates: 3\nalgorithms: changroberts\naxes: {n: [4, 8], max_time: 6ms}\n")
	if got := bullring(t, "sweep", "demo.yaml"); got.status != statusUndecided {
		t.Fatalf("status %d, %s", got.status, got.errors)
	}
	run := func(args ...string) string {
		cmd := exec.Command("sh", append([]string{"out/short/reproduce.sh"}, args...)...)
		cmd.Env = append(os.Environ(), asProgram+"=1", "BULLRING="+os.Args[0])
		text, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%v: %v\n%s", args, err, text)
		}
		return string(text)
	}
	for _, args := range [][]string{{"again"}, nil} {
		if text := run(args...); !strings.Contains(text, "same       results.csv\n") || !strings.Contains(text, "same       summary.csv\n") {
			t.Errorf("%v: %s", args, text)
		}
	}
	for _, dir := range []string{"again", "out/short-again"} {
		if _, err := os.Stat(filepath.Join(dir, "results.csv")); err != nil {
			t.Error(err)
		}
	}
	if text := run("--smoke"); !strings.Contains(text, "\nidentical: all 6 trials") {
		t.Error(text)
	}
}

// The shards of a folder belong to one sweep, divided into one number of shards. A shard
// of another sweep or division is refused before anything runs.
func TestShardsBesideOthers(t *testing.T) {
	inDir(t, sampleSpec(catalog.New()))
	if got := bullring(t, "sweep", "demo.yaml", "-o", "parts", "--shard", "1/3"); got.status != 0 {
		t.Fatal(got.errors)
	}
	for _, args := range [][]string{{"--shard", "0/3"}, {"--shard", "0/3", "--dry-run"}, {"--shard", "1/3"}, nil} {
		if got := bullring(t, append([]string{"sweep", "demo.yaml", "-o", "parts", "--no-plot"}, args...)...); got.status != 0 {
			t.Errorf("%v: %s", args, got.errors)
		}
	}
	if err := os.Rename("parts", "whole"); err != nil {
		t.Fatal(err)
	}
	if got := bullring(t, "sweep", "demo.yaml", "-o", "parts", "--shard", "1/3"); got.status != 0 {
		t.Fatal(got.errors)
	}
	refused := func(want string, args ...string) {
		t.Helper()
		ways := [][]string{nil, {"--dry-run"}, {"--again"}}
		if testing.Short() && args == nil { // a dry run tries trials for seconds
			ways = ways[:1]
		}
		for _, more := range ways {
			got := bullring(t, append(append([]string{"sweep", "demo.yaml", "-o", "parts"}, args...), more...)...)
			if got.status != 2 || !strings.Contains(got.errors, want) || !strings.Contains(got.errors, "give another directory, or remove the shards that are there") {
				t.Errorf("%v %v: status %d, %s", args, more, got.status, got.errors)
			}
		}
		if files, _ := os.ReadDir("parts"); len(files) != 1 {
			t.Errorf("%v: %d files", args, len(files))
		}
	}
	refused("parts/shard-1-of-3.journal is a part of 3, and shard 0/7 is not", "--shard", "0/7")
	edited(t, "demo.yaml", "replicates: 5", "replicates: 6")
	refused("parts/shard-1-of-3.journal is there, but belongs to another sweep, or to a version of demo.yaml with other trials", "--shard", "0/3")
	refused("parts/shard-1-of-3.journal is there, but belongs to another sweep, or to a version of demo.yaml with other trials")
}

// An edited figure is drawn from the rows, by sweep and by plot; a trial that was
// changed is refused.
func TestEditedFigures(t *testing.T) {
	inDir(t, sampleSpec(catalog.New()))
	bullring(t, "sweep", "demo.yaml", "--progress", "off")
	rows, err := os.ReadFile("out/demo/results.csv")
	if err != nil {
		t.Fatal(err)
	}
	edited(t, "demo.yaml", "series: [placement]", "series: [placement]\n  - {name: bits, y: bits}")
	if got := bullring(t, "sweep", "demo.yaml", "--dry-run"); !strings.Contains(got.out, "nothing would run, all files would be written anew") {
		t.Errorf("status %d, %s%s", got.status, got.out, got.errors)
	}
	if got := bullring(t, "sweep", "demo.yaml", "--progress", "off"); got.status != 0 || !strings.Contains(got.out, "nothing was run (--again runs it again), and all files were written anew") || !strings.Contains(got.out, "demo, bits as PNG") {
		t.Errorf("status %d, %s%s", got.status, got.out, got.errors)
	}
	edited(t, "demo.yaml", "name: bits", "name: size")
	if got := bullring(t, "plot", "out/demo", "--spec", "demo.yaml"); got.status != 0 || !strings.Contains(got.out, "figures/size.png") {
		t.Errorf("status %d, %s%s", got.status, got.out, got.errors)
	}
	if now, err := os.ReadFile("out/demo/results.csv"); err != nil || !bytes.Equal(now, rows) {
		t.Errorf("the rows have changed, %v", err)
	}
	edited(t, "demo.yaml", "replicates: 5", "replicates: 6")
	if got := bullring(t, "plot", "out/demo", "--spec", "demo.yaml"); got.status != 2 || !strings.Contains(got.errors, "demo.yaml asks for other trials than those in out/demo: of the latter, it has 5 replicates, and not 6") {
		t.Errorf("status %d, %s%s", got.status, got.out, got.errors)
	}
}
