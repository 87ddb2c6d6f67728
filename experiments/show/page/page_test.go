package page_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"bullring/experiments/catalog"
	"bullring/experiments/show/history"
	"bullring/experiments/show/page"
	"bullring/experiments/trial"
	"bullring/internal/golden"
)

var registry = catalog.New()

var words = page.Words{Scene: "a scene", Again: "a command"}

func historyOf(t *testing.T, s trial.Setting) *history.History {
	t.Helper()
	s.OutsideModel = true
	in, err := registry.Instance(s)
	if err != nil {
		t.Fatal(err)
	}
	return history.WithStates(t.Context(), in)
}

func dataOf(t *testing.T, s trial.Setting) page.Data {
	t.Helper()
	return newData(t, historyOf(t, s))
}

func newData(t *testing.T, h *history.History) page.Data {
	return page.New(h, words, page.BranchOf(t.Context(), registry, h))
}

func encoded(t *testing.T, d page.Data) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := d.WriteData(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// settings are runs of all sorts.
var settings = map[string]trial.Setting{
	"one process":    {Algorithm: "lcr", N: 1},
	"a ring":         {Algorithm: "lcr", N: 4, Placement: "random", Seed: 3},
	"no event":       {Algorithm: "lcr", N: 2, Schedule: "timers free"},
	"faults":         {Algorithm: "bully", N: 5, Initiators: "0", Dead: "last", Fault: "partition {0 1 | 2}; at 2ms crash 3; at 9ms restart 3"},
	"a bad link":     {Algorithm: "changroberts", N: 5, Link: "loss 20% duplicate 20% corrupt 10%", MaxTime: "1s"},
	"transformers":   {Algorithm: "bully", N: 3, Initiators: "0", Dead: "last", Transport: "reliable(5ms,3)", Detector: "heartbeat(5ms,20ms)", MaxTime: "100ms"},
	"a schedule":     {Algorithm: "lcr", N: 2, Schedule: "timers free\nstart 0\nstart 1\ncrash 1"},
	"mutex":          {Algorithm: "ricartagrawala", N: 4},
	"moving links":   {Algorithm: "echo", N: 4, Topology: "biring", Fault: "at 500us down 0<->1 for 1ms; at 3ms down 2<->*", Transport: "reliable(2ms,3)", MaxTime: "9ms"},
	"several rounds": {Algorithm: "bully", N: 5, Initiators: "0", Dead: "last"},
}

// What is written is read again, and is right to the schema.
func TestData(t *testing.T) {
	schema := schemaOf(t)
	for name, s := range settings {
		t.Run(name, func(t *testing.T) {
			h := historyOf(t, s)
			d := newData(t, h)
			text := encoded(t, d)
			doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(doc); err != nil {
				t.Error(err)
			}
			again, err := page.Read(text)
			if err != nil || len(again) != 1 || !bytes.Equal(encoded(t, again[0]), text) {
				t.Errorf("%v, %d runs, or another text", err, len(again))
			}
			if len(d.Events) != len(h.Events) || d.Fingerprint == "" || len(d.Checks) != len(h.Result.Checks) {
				t.Errorf("%d events of %d, %d checks, fingerprint %q", len(d.Events), len(h.Events), len(d.Checks), d.Fingerprint)
			}
			for _, c := range d.Checks {
				if c.Means == "" && c.Detail == "" {
					t.Errorf("%s means nothing", c.Name)
				}
			}
		})
	}
}

func schemaOf(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(page.Schema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("view.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("view.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The schema knows each field that the program writes, and no other.
func TestSchemaNamesTheFields(t *testing.T) {
	var schema struct {
		Properties map[string]struct {
			Properties map[string]any
			Items      struct{ Properties map[string]any }
		}
	}
	if err := json.Unmarshal([]byte(page.Schema), &schema); err != nil {
		t.Fatal(err)
	}
	same := func(what string, of any, known []string) {
		t.Helper()
		var fields []string
		for f := range reflect.TypeOf(of).Fields() {
			if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" {
				fields = append(fields, name)
			}
		}
		slices.Sort(fields)
		slices.Sort(known)
		if !slices.Equal(fields, known) {
			t.Errorf("%s: the program has the fields %q, the schema %q", what, fields, known)
		}
	}
	var top []string
	for name := range schema.Properties {
		top = append(top, name)
	}
	same("the data", page.Data{}, top)
	keys := func(m map[string]any) (names []string) {
		for name := range m {
			names = append(names, name)
		}
		return names
	}
	same("an event", page.Event{}, keys(schema.Properties["events"].Items.Properties))
	same("a check", page.Check{}, keys(schema.Properties["checks"].Items.Properties))
	same("a band", page.Band{}, keys(schema.Properties["bands"].Items.Properties))
	same("a span", page.Span{}, keys(schema.Properties["spans"].Items.Properties))
	same("a block", page.Block{}, keys(schema.Properties["pseudocode"].Items.Properties))
	same("a branch", page.Branch{}, keys(schema.Properties["branch"].Properties))
	same("a part", page.Cut{}, keys(schema.Properties["cut"].Properties))
	same("the ground", page.Ground{}, keys(schema.Properties["ground"].Properties))
	same("what was before", page.Before{}, keys(schema.Properties["before"].Items.Properties))
}

// kept are the runs in testdata, with which the model of the page is tested.
var kept = map[string]trial.Setting{
	"lcr":       {Algorithm: "lcr", N: 8, Placement: "random", Seed: 3},
	"lcr-async": {Algorithm: "lcr", N: 8, Placement: "random", Seed: 3, Delay: "exp(1ms)"},
	"bully":     {Algorithm: "bully", N: 5, Initiators: "0", Dead: "last", Fault: "at 2ms crash 3", Seed: 1},
	"split":     {Algorithm: "bully", N: 3, Initiators: "0", Fault: "partition {0 1 | 2}", Seed: 1},
	"links":     {Algorithm: "echo", N: 4, Topology: "biring", Fault: "at 500us down 0<->1 for 1ms; at 3ms down 2<->*"},
	"places":    {Algorithm: "ingram", N: 4, Motion: "walk(400mx300m, 150m, 20m/s, 5s)", Until: "20s", Seed: 2},
	"explored":  {Algorithm: "bully", N: 2, Initiators: "0", Schedule: "timers free\nstart 0\ndeliver 0->1 ELECTION(1)\ntimeout 0 timer 0"},
}

// The runs in testdata are those of this program. When the format changes, the old ones stay
// there beside the new: they have to be read.
func TestKeptRuns(t *testing.T) {
	for name, s := range kept {
		d := dataOf(t, s)
		d.MadeBy = "bullring v0"
		golden.Check(t, name+".json", encoded(t, d))
		file := filepath.Join("testdata", name+".json")
		if runs, err := page.ReadFile(file); err != nil || len(runs) != 1 {
			t.Errorf("%s: %v", file, err)
		}
	}
	old, err := filepath.Glob(filepath.Join("testdata", "format1-*.json"))
	if err != nil || len(old) == 0 {
		t.Fatalf("runs of format 1: %q, %v", old, err)
	}
	for _, file := range old {
		if runs, err := page.ReadFile(file); err != nil || len(runs) != 1 || runs[0].Format != 1 || runs[0].Bands != nil {
			t.Errorf("%s: %d runs, %v", file, len(runs), err)
		}
	}
}

// A page holds its runs once, and nothing in them ends the script or is another placeholder.
func TestPage(t *testing.T) {
	d := dataOf(t, trial.Setting{Algorithm: "lcr", N: 3})
	d.Title = `</title><script>alert("&")</script> RUNS /*SCRIPT*/`
	d.Events[0].Text = "</script><!-- \u2028 \U0001F600 TITLE"
	var b bytes.Buffer
	if err := page.Write(&b, d, d); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for mark, want := range map[string]int{
		"</script>": 2, "<script": 2, "</title>": 1, "<title>lcr: &lt;/title&gt;": 1, "alert(&#34;&amp;&#34;)": 1,
		"default-src 'none'": 1, "/*STYLE*/": 0, `\u003c!--`: 2,
	} {
		if got := strings.Count(text, mark); got != want {
			t.Errorf("%q occurs %d times; want %d", mark, got, want)
		}
	}
	runs, err := page.Read(b.Bytes())
	if err != nil || len(runs) != 2 || runs[1].Events[0].Text != d.Events[0].Text || runs[0].Title != d.Title {
		t.Errorf("%v, %d runs", err, len(runs))
	}
	start := strings.Index(text, "[{")
	if _, err := page.Read([]byte(text[:start] + "[]" + text[strings.LastIndex(text, "]</script>")+1:])); err == nil || !strings.Contains(err.Error(), "holds no run") {
		t.Errorf("a page without runs: %v", err)
	}
	if _, err := page.Read(b.Bytes()[:strings.Index(text, `id="runs"`)+900]); err == nil || !strings.Contains(err.Error(), "cut off") {
		t.Errorf("half a page: %v", err)
	}
}

// What is no run is refused, with the place.
func TestRead(t *testing.T) {
	good := string(encoded(t, dataOf(t, trial.Setting{Algorithm: "lcr", N: 3})))
	for _, c := range []struct{ text, want string }{
		{"", "end of JSON"},
		{"what is this", "line 1, column 1"},
		{"{\n \"format\": 1,\n \"n\": oops}", "line 3, column 7"},
		{`{"setting": {}}`, "neither data of bullring view --data nor a page"},
		{`{"format": 3, "n": 1}`, "format 3, and this program reads formats 1 to 2: a later bullring"},
		{`{"format": 0}`, "formats 1 to 2"},
		{good[:strings.Index(good, `"events":`)+20], "unexpected end of JSON"},
		{good + "{}", "after top-level value"},
		{strings.Replace(good, `"n":3`, `"n":0`, 1), "n is 0"},
		{strings.Replace(good, `"n":3,"ids":[1,2,3]`, `"n":2`, 1), "there is no process 2"},
		{strings.Replace(good, `"seed":`, `"sees":`, 1), `unknown field "sees"`},
		{strings.Replace(good, `"a":[1`, `"a":[99`, 1), "does not come before it"},
		{strings.Replace(good, `"targets":[`, `"targets":[99,`, 1), "there is no event 99"},
		{strings.Replace(good, `"on":[[2,`, `"on":[[7,`, 1), `band "leader": there is no process 7`},
		{strings.Replace(good, `"on":[[2,`, `"on":[[2,99`, 1), "there is no event 99"},
		{strings.Replace(good, `"s":[[`, `"s":[[7,`, 1), "[to, number, kind, text]"},
		{strings.Replace(good, `"s":[[1,`, `"s":[["one",`, 1), "cannot unmarshal string"},
	} {
		if c.text == good {
			t.Fatalf("nothing is wrong for %q", c.want)
		}
		if _, err := page.Read([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60q: %v; want %q", c.text, err, c.want)
		}
	}
}

// A file is read as a run if it is JSON with a format, of this program or of a later one.
func TestIsRead(t *testing.T) {
	dir := t.TempDir()
	for name, c := range map[string]struct {
		text string
		want bool
	}{
		"data": {string(encoded(t, dataOf(t, trial.Setting{Algorithm: "lcr", N: 2}))), true}, "later": {`{"format": 99}`, true},
		"case": {`{"setting": {}}`, false},
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := page.IsRead(path); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if page.IsRead(filepath.Join(dir, "nothing")) {
		t.Error("a file that is not there")
	}
}

// A page names no folder: neither that of a topology nor that of a table of a link, wherever
// the run prints them.
func TestNoFolders(t *testing.T) {
	dir := filepath.Join(t.TempDir(), `it's Alice's "odd" <folder>`)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Skip(err)
	}
	plain := t.TempDir()
	graph, table := filepath.Join(dir, "net.txt"), filepath.Join(plain, "trace.txt")
	for path, text := range map[string]string{graph: "0 1\n1 2\n2 0\n", table: "1ms\n2ms\n3ms\n"} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	h := historyOf(t, trial.Setting{Algorithm: "echo", Topology: "file:" + graph, Link: "delay trace " + table + " loss 1/3", Initiators: "0"})
	in := h.Result.Instance
	quoted := strings.ReplaceAll(in.Setting.Topology, "'", `'\''`)
	d := page.New(h, page.Words{Scene: in.Setting.Topology, Again: "bullring run '" + quoted + "' --link '" + in.Setting.Link + "'"}, page.Branch{})
	var b bytes.Buffer
	if err := page.Write(&b, d); err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{"Alice", filepath.Base(plain), filepath.Dir(plain)} {
		if at := strings.Index(b.String(), folder); at >= 0 {
			t.Errorf("%q: %s", folder, b.String()[max(0, at-80):at+40])
		}
	}
	if !strings.Contains(b.String(), "loss 1/3") {
		t.Error("a ratio is taken for the name of a file")
	}
	if !strings.Contains(b.String(), "file:net.txt@") || !strings.Contains(b.String(), "trace.txt@") {
		t.Error("the names of the files are gone, too")
	}
}

// A part of a run is numbered anew, and knows what came before.
func TestPart(t *testing.T) {
	d := dataOf(t, settings["faults"])
	schema := schemaOf(t)
	for _, c := range []struct {
		from, to    history.Moment
		first, last int
	}{
		{history.Moment{}, history.Moment{}, 1, len(d.Events)},
		{history.Moment{Event: 5}, history.Moment{}, 5, len(d.Events)},
		{history.Moment{Event: 5}, history.Moment{Event: 9}, 5, 9},
		{history.Moment{}, history.Moment{Timed: true, At: 2_000_000}, 1, lastUntil(d, 2_000_000)},
		{history.Moment{Timed: true, At: 2_000_001}, history.Moment{Event: 1 << 30}, lastUntil(d, 2_000_000) + 1, len(d.Events)},
	} {
		part, err := d.Part(c.from, c.to)
		if err != nil {
			t.Fatal(err)
		}
		if c.first == 1 && c.last == len(d.Events) {
			if part.Cut != nil {
				t.Errorf("the whole run is a part: %+v", part.Cut)
			}
			continue
		}
		if part.Cut == nil || part.Cut.From != c.first || part.Cut.Of != len(d.Events) || len(part.Events) != c.last-c.first+1 {
			t.Errorf("%v to %v: %+v, %d events", c.from, c.to, part.Cut, len(part.Events))
		}
		text := encoded(t, part)
		doc, _ := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err := schema.Validate(doc); err != nil {
			t.Error(err)
		}
		again, err := page.Read(text)
		if err != nil {
			t.Fatal(err)
		}
		for i, e := range again[0].Events {
			whole := d.Events[c.first-1+i]
			if e.Text != whole.Text || e.Time != whole.Time {
				t.Errorf("event %d is %+v; it was %+v", i+1, e, whole)
			}
			for _, k := range e.After {
				if !slices.Contains(whole.After, k+c.first-1) {
					t.Errorf("event %d follows from %d, and did not", i+1, k)
				}
			}
		}
	}
	crash := slices.IndexFunc(d.Events, func(e page.Event) bool { return e.What == "crash" && e.Process == 3 }) + 1
	part, err := d.Part(history.Moment{Event: crash + 1}, history.Moment{})
	if err != nil || !slices.ContainsFunc(part.Before, func(b page.Before) bool { return b.Process == 3 && b.Down }) || part.Branch.Refused == "" {
		t.Errorf("after the crash: %v, %+v", err, part.Before)
	}
	if _, err := d.Part(history.Moment{Event: 9}, history.Moment{Event: 5}); err == nil || !strings.Contains(err.Error(), "no event is left") {
		t.Error(err)
	}
	twice, err := part.Part(history.Moment{Event: 2}, history.Moment{})
	if err != nil || twice.Cut.From != crash+2 || twice.Cut.Of != len(d.Events) {
		t.Errorf("a part of a part: %v, %+v", err, twice.Cut)
	}
}

func lastUntil(d page.Data, t int64) (last int) {
	for i, e := range d.Events {
		if e.Time <= t {
			last = i + 1
		}
	}
	return last
}
