package cli

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jonboulle/clockwork"

	"bullring/experiments/catalog"
	"bullring/internal/wholefile"
)

// reported returns the page that a command writes into a file.
func reported(t *testing.T, file string, args ...string) string {
	t.Helper()
	if got := bullring(t, append([]string{"report", "-o", file}, args...)...); got.status != 0 || !strings.HasPrefix(got.out, file+": ") {
		t.Fatalf("status %d, %s%s", got.status, got.out, got.errors)
	}
	return string(read(t, file))
}

// A page of a folder of folders has a section for each sweep, and says of a sweep that is
// not complete how far it is.
func TestReportOfFolders(t *testing.T) {
	inDir(t, sampleSpec(catalog.New()))
	for _, args := range []string{"-o out/whole", "-o out/deep/parts --shard 0/3"} {
		if got := bullring(t, append([]string{"sweep", "demo.yaml", "--progress", "off"}, strings.Fields(args)...)...); got.status != 0 {
			t.Fatal(got.errors)
		}
	}
	page := reported(t, "out/all.html", "out")
	for _, want := range []string{
		`href="./whole/figures/demo.svg"`, "bullring verify whole --all", "Not complete: 25 of 75 (33%) trials.", "1 of 3 complete, 2 missing", "--array=1-2",
		"1 figure, 100 trials; 1 of 2 sweeps not complete",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if here, _ := os.Getwd(); strings.Contains(page, here) {
		t.Error("the page holds the path of the folder")
	}
	t.Chdir("out/whole")
	if own := string(read(t, "report.html")); own != reported(t, "../whole/page.html", ".") {
		t.Error("the page in the folder of a sweep is not the page of the folder")
	}
	t.Chdir("../..")
	if again := reported(t, "out/all.html", "out/deep/parts", "out/whole"); strings.Index(again, "Not complete") > strings.Index(again, "<figcaption") {
		t.Error("the sweeps are not in the order of the command")
	}
	embedded := reported(t, "demo.html", "out/whole", "--embed")
	if strings.Contains(embedded, `href="./`) || !strings.Contains(embedded, "data:image/png;base64,") {
		t.Error("a page with embedded figures has links to files, or no figure")
	}
}

// The page of a status tells how far the sweep is, as the text does. While it is written
// again, browsers are told to read it again.
func TestStatusPage(t *testing.T) {
	inDir(t, `name: late
replicates: 6
outside_model: true
algorithms: [bully]
axes: {n: [3, 4], initiators: first, dead: last, delay: "uniform(0,3ms)", assume: 1ms}
`)
	if got := bullring(t, "sweep", "demo.yaml", "-o", "out", "--shard", "0/2", "--progress", "off"); got.status != 0 {
		t.Fatal(got.errors)
	}
	page := func(args ...string) string {
		t.Helper()
		got := bullring(t, append([]string{"status", "out", "--html", "status.html"}, args...)...)
		if got.status != statusMissing || !strings.Contains(got.out, "6 of 12 (50%)") {
			t.Fatalf("%v: status %d, %s%s", args, got.status, got.out, got.errors)
		}
		return string(read(t, "status.html"))
	}
	text := page()
	for _, want := range []string{"Not complete: 6 of 12 (50%) trials.", ` max="12" value="6"`, "--array=1"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(text, `http-equiv="refresh"`) {
		t.Error("the page is to be read again, and is not written again")
	}
	for _, args := range [][]string{{"--every", "10s"}, {"--every", "500ms", "--html", "status.html"}} {
		if got := bullring(t, append([]string{"status", "out"}, args...)...); got.status != statusUsage {
			t.Errorf("%v: status %d", args, got.status)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	clock := clockwork.NewFakeClock()
	ended := make(chan int)
	go func() {
		root := newCommand(catalog.New(), clock)
		root.SetArgs([]string{"status", "out", "--html", "status.html", "--every", "10s"})
		root.SetOut(io.Discard)
		root.SetErr(io.Discard)
		ended <- execute(ctx, root)
	}()
	if err := clock.BlockUntilContext(ctx, 1); err != nil {
		t.Fatal(err)
	}
	if text := string(read(t, "status.html")); !strings.Contains(text, `<meta http-equiv="refresh" content="10" />`) {
		t.Error("the page is not to be read again, and is written again")
	}
	stop()
	if status := <-ended; status != statusMissing || strings.Contains(string(read(t, "status.html")), `http-equiv="refresh"`) {
		t.Errorf("status %d, or the last page is to be read again", status)
	}
}

// What is no folder of results, was changed, or lies elsewhere is refused, and so is a
// file that is not a page of bullring's.
func TestReportRefuses(t *testing.T) {
	inDir(t, sampleSpec(catalog.New()))
	if got := bullring(t, "sweep", "demo.yaml", "--progress", "off"); got.status != 0 {
		t.Fatal(got.errors)
	}
	for _, dir := range []string{"empty", "beside"} {
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile("mine.html", []byte("<html></html>"), 0o666); err != nil {
		t.Fatal(err)
	}
	refused := func(want string, args ...string) {
		t.Helper()
		got := bullring(t, append([]string{"report"}, args...)...)
		if got.status != statusUsage || !strings.Contains(got.errors, want) {
			t.Errorf("%v: status %d, %s; want %q", args, got.status, got.errors, want)
		}
	}
	refused("empty holds no results of a sweep, and no folder in it does", "empty")
	refused("missing", "missing")
	refused("give the folder of the results: out/demo", filepath.Join("out", "demo", "results.csv"))
	refused("takes one DIR or more")
	refused("is not below the folder of beside/page.html", "out", "-o", "beside/page.html")
	refused("mine.html is there, and is not a report that bullring wrote", "out", "-o", "mine.html")
	refused("belongs to the sweep in out/demo", "out", "-o", "out/demo/report.html")
	refused("none", "out", "-o", "none/page.html")
	if string(read(t, "mine.html")) != "<html></html>" {
		t.Error("mine.html was changed")
	}
	if _, err := wholefile.Write("out/demo/summary.csv", []byte("cell\n1\n")); err != nil {
		t.Fatal(err)
	}
	refused("summary.csv was changed since", "out")
}
