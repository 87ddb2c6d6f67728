package cli

import (
	"os"
	"strings"
	"testing"

	"bullring/plots"
)

// metaOf are the metadata of a picture, by key.
func metaOf(t *testing.T, file string) map[string]string {
	t.Helper()
	entries, err := plots.ReadMeta(file)
	if err != nil {
		t.Fatal(err)
	}
	meta := map[string]string{}
	for _, m := range entries {
		meta[m.Key] = m.Value
	}
	return meta
}

// A diagram is drawn in each format, and says how to make its run again.
func TestDiagram(t *testing.T) {
	t.Chdir(t.TempDir())
	subject := words("bully --n 5 --initiators 0 --dead last --seed 7")
	want := result(t, strings.Join(subject, " "))["fingerprint"]
	for _, file := range []string{"a.svg", "a.pdf", "a.png", "a.tikz", "a.tex", "a.svg"} {
		got := bullring(t, append([]string{"diagram", "-o", file}, subject...)...)
		if got.status != 0 || !strings.HasPrefix(got.out, "written to "+file) {
			t.Fatalf("%s: %+v", file, got)
		}
		meta := metaOf(t, file)
		if meta["Fingerprint"] != want || meta["Command"] != "bullring run bully --n 5 --initiators 0 --dead last --seed 7" || meta["Software"] == "" {
			t.Errorf("%s: %v; the fingerprint is %v", file, meta, want)
		}
	}
}

// A case and a schedule are drawn, too; without a command, the picture has the case.
func TestDiagramOfCase(t *testing.T) {
	t.Chdir(t.TempDir())
	if got := bullring(t, words("explore peterson --ids 4,2,3,1 --loss 1 --shrink=false -o found.json")...); got.status != 1 {
		t.Fatalf("%+v", got)
	}
	if got := bullring(t, words("diagram found.json --why --axis steps -o found.svg")...); got.status != 0 {
		t.Fatalf("%+v", got)
	}
	meta := metaOf(t, "found.svg")
	if meta["Command"] != "" || !strings.Contains(meta["Case"], `"schedule":`) {
		t.Errorf("%v", meta)
	}
	if err := os.WriteFile("again.json", []byte(meta["Case"]), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := bullring(t, words("replay again.json")...); got.status != 0 {
		t.Errorf("the case of the picture: %+v", got)
	}
}

func TestDiagramOptions(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, options := range []string{
		"--axis gaps", "--axis steps --from 3 --to 9", "--from 1ms --to 2ms", "--why", "--states", "--processes 0..2 --kinds ELECTION,ANSWER",
		"--width 8.4", "--title *n*=5", "--raster", "--raster --axis steps",
	} {
		if got := bullring(t, append(words("diagram bully --n 5 -o x.svg"), words(options)...)...); got.status != 0 {
			t.Errorf("%s: %+v", options, got)
		}
	}
}

func TestDiagramRefuses(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("mine.svg", []byte("<svg/>"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args, want string
		status     int
	}{
		{"lcr", "where to? -o FILE", statusUsage},
		{"lcr -o x.jpg", "has to end in .svg, .pdf, .png, .tikz or .tex", statusUsage},
		{"lcr -o mine.svg", "mine.svg is there, and is not a picture that bullring drew", statusUsage},
		{"lcr -o none/x.svg", "none", statusUsage},
		{"lcr -o x.svg --raster --why", "--why and --states are about single ones", statusUsage},
		{"lcr -o x.svg --raster --axis gaps", "--axis gaps", statusUsage},
		{"lcr -o x.svg --axis log", "allowed are time, gaps, steps", statusUsage},
		{"lcr -o x.svg --width 1", "from 6 to 100", statusUsage},
		{"lcr -o x.svg --processes a", "--processes: ", statusUsage},
		{"lcr -o x.svg --kinds VOTE", `kind "VOTE": the run has PROBE`, statusFailed},
		{"lcr -o x.svg --from 1h", "no event is left", statusFailed},
		{"lcr --n 40 -o x.svg", "40 lanes and 79 messages; up to 24 and 400 can be read on a page; cut it with --from, --to, --processes or --kinds, or count its events with --raster", statusFailed},
		{"none.json -o x.svg", "there is no file of that name", statusUsage},
	} {
		got := bullring(t, append([]string{"diagram"}, words(c.args)...)...)
		if got.status != c.status || !strings.Contains(got.errors, c.want) || got.out != "" {
			t.Errorf("%s: %+v; want %q", c.args, got, c.want)
		}
	}
	if _, err := os.Stat("x.svg"); err == nil {
		t.Error("a refused command wrote x.svg")
	}
}

// What has no room is said.
func TestDiagramCountsLabels(t *testing.T) {
	t.Chdir(t.TempDir())
	got := bullring(t, words("diagram ghs --n 8 -o x.svg")...)
	if got.status != 0 || !strings.Contains(got.out, " of ") || !strings.HasSuffix(got.out, " labels left out for want of room\n") {
		t.Errorf("%+v", got)
	}
}
