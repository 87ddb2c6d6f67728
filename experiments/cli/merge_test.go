package cli

import (
	"os"
	"strings"
	"testing"

	"bullring/experiments/catalog"
)

// Folders of results are joined into that of a sweep that is given, or of one of them. What cannot be
// joined, and how, is said.
func TestMergeResults(t *testing.T) {
	spec := sampleSpec(catalog.New())
	inDir(t, spec)
	for name, values := range map[string]string{"small": "4", "large": "[4, 8, 16, 32, 64]"} {
		text := strings.Replace(spec, "{from: 4, to: 64, factor: 2}", values, 1)
		if err := os.WriteFile(name+".yaml", []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		bullring(t, "sweep", name+".yaml", "-o", name, "--no-plot", "--progress", "off")
	}
	bullring(t, "sweep", "small.yaml", "-o", "parts", "--shard", "0/2", "--progress", "off")
	more := strings.Replace(spec, "replicates: 5", "replicates: 6", 1)
	if err := os.WriteFile("more.yaml", []byte(more), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   string
		status int
		want   string
	}{
		{"small large -o union", 0, "75 of 75, in 15 cells; 75 had run before"},
		{"small large -o union", 0, "complete already, nothing was run"},
		{"small large -o union2 --spec demo.yaml", 0, "75 of 75"},
		{"small large -o more --spec more.yaml", statusMissing, "15 of 90 trials are missing: 1 of lcr"},
		{"small large", statusUsage, "a folder that --out DIR gives"},
		{"small parts -o union3", statusUsage, "small holds results, and parts does not; if that one holds shards, merge them first"},
		{"parts -o union3 --spec demo.yaml", statusUsage, "parts holds no results of a sweep, and --spec goes with such; if it holds shards, merge them first"},
		{"large -o union3 --spec small.yaml", statusUsage, "large has trials that the sweep of the union does not have, and 60 trials would be lost: 5 of lcr"},
		{"large -o union3 --spec small.yaml --drop", 0, "15 of 15"},
	} {
		got := bullring(t, append([]string{"merge", "--progress", "off", "--no-plot"}, strings.Fields(c.args)...)...)
		if text := strings.Join(strings.Fields(got.out+got.errors), " "); got.status != c.status || !strings.Contains(text, c.want) {
			t.Errorf("merge %s: status %d, %s", c.args, got.status, text)
		}
	}
	for _, name := range []string{"results.csv", "summary.csv", "growth.csv", "README.md"} {
		if string(read(t, "union/"+name)) != string(read(t, "large/"+name)) {
			t.Errorf("%s differs", name)
		}
		if string(read(t, "union3/"+name)) != string(read(t, "small/"+name)) {
			t.Errorf("%s differs from that of the small sweep", name)
		}
	}
	if got := bullring(t, "sweep", "more.yaml", "-o", "more", "--no-plot", "--progress", "off"); got.status != 0 || !strings.Contains(got.out, "75 had run before") {
		t.Errorf("status %d, %s%s", got.status, got.out, got.errors)
	}
}
