package results_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"bullring/experiments/campaign/results"
	"bullring/experiments/internal/sweeptest"
	"bullring/experiments/trial"
)

// opened runs a small sweep and opens its folder.
func opened(t *testing.T) *results.Folder {
	t.Helper()
	s := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), sweeptest.Tiny)
	sweeptest.Run(t, s)
	folder, err := results.Open(s.Registry, s.Dir)
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

// A row holds what makes its trial again, and the result agrees with it.
func TestRowsAreTrials(t *testing.T) {
	folder := opened(t)
	var worker trial.Worker
	for number := 1; number <= 8; number++ {
		r, err := folder.Row(number)
		if err != nil {
			t.Fatal(err)
		}
		if clone := r.Clone(); clone.Where != r.Where || &clone.Fields[0] == &r.Fields[0] {
			t.Errorf("%s is copied as %s", r.Where, clone.Where)
		}
		in, err := folder.Instance(r)
		if err != nil {
			t.Fatal(err)
		}
		result := worker.Run(t.Context(), in, nil)
		if got := r.Parted(result); got != "the events are the same, only the record differs" {
			t.Errorf("%s: %s", r.Where, got)
		}
		if unit, err := r.Unit(); err != nil || unit != (results.RowUnit{Length: time.Millisecond, Constant: true}) {
			t.Errorf("%s: a unit is %v, %v", r.Where, unit, err)
		}
		metric, _ := in.Algorithm.Metric("messages")
		messages, _ := result.Metric("messages")
		if text, err := r.Text(metric); err != nil || text != strconv.Itoa(int(messages)) {
			t.Errorf("%s: %s messages, %v; again %v", r.Where, text, err, messages)
		}
	}
	for _, number := range []int{-1, 0, 9} {
		if _, err := folder.Row(number); err == nil || !strings.Contains(err.Error(), "has rows 1 to 8") {
			t.Errorf("row %d: %v", number, err)
		}
	}
	if err := folder.OtherVersion(); err != nil {
		t.Errorf("it is of this version: %v", err)
	}
}

// A row that was changed is named, with what is wrong with it.
func TestChangedRows(t *testing.T) {
	folder := opened(t)
	path := filepath.Join(folder.Dir, results.ResultsFile)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(content), "\n")
	columns := strings.Split(strings.TrimSpace(lines[0]), ",")
	l, err := results.LayoutOf(folder.Registry, folder.Spec)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ column, text, want string }{
		{"row", "3", `results.csv:3: the row is numbered "3", but it is number 2`},
		{"replicate", "3", `row 2 is replicate "3" of its cell, and the one before was 1`},
		{"replicate", "1", `row 2 has n "2", but spec.yaml asks for "3" there`},
		{"n", "3", `row 2 has n "3", but spec.yaml asks for "2" there`},
		{"label", "bird", `row 2 has label "bird", but spec.yaml asks for "ring" there`},
		{"outcome", "wedding", `results.csv:3: a row has the outcome "wedding", which the sweep does not have`},
		{"E1", "well", `results.csv:3: the check E1 came out as "well", which is no verdict`},
		{"messages", "many", `results.csv:3: strconv.ParseFloat: parsing "many"`},
		{"seed", "-1", `results.csv:3: column seed holds "-1", which is not a whole number`},
		{"fifo", "maybe", `results.csv:3: column fifo holds "maybe", which is not `},
		{"delay", "uniform(0,2ms)", `results.csv:3: column delay holds "uniform(0,2ms)", which is not the constant delay`},
		{"time_unit", "h", `results.csv:3: column time_unit holds "h", which is not delay or s`},
	} {
		i := 0
		for results.ColumnName(columns[i]) != c.column {
			i++
		}
		fields := strings.Split(strings.TrimSpace(lines[2]), ",")
		if fields[i] = c.text; strings.Contains(c.text, ",") {
			fields[i] = `"` + c.text + `"`
		}
		changed := strings.Join(lines[:2], "") + strings.Join(fields, ",") + "\n" + strings.Join(lines[3:], "")
		write(t, path, changed)
		err := folder.Samples(l, func(r *results.Record, _ *results.Sample) error {
			if _, err := r.Setting(); err != nil {
				return err
			}
			_, err := r.Unit()
			return err
		})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s is %s: %v, want %q", c.column, c.text, err, c.want)
		}
		if _, err := folder.Tabulate(false, t.TempDir()); err == nil && strings.Contains("row replicate n label outcome E1 messages", c.column) {
			t.Errorf("%s is %s: there are tables", c.column, c.text)
		}
	}
	for text, want := range map[string]string{
		"":                                  "reading the header",
		lines[0] + "1,\"2\n":                "after row 0",
		strings.Join(lines[:9], "") + "9\n": "after row 8",
		strings.Replace(lines[0]+lines[1], "replicate", "replica", 1): `the results have no column "replicate"`,
	} {
		write(t, path, text)
		if _, err := folder.Rows(func(*results.Record) (bool, error) { return true, nil }); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.30q: %v, want %q", text, err, want)
		}
	}
}

// A sound record of a journal need not hold sound rows.
func TestHostileRows(t *testing.T) {
	folder := opened(t)
	l, err := results.LayoutOf(folder.Registry, folder.Spec)
	if err != nil {
		t.Fatal(err)
	}
	rows := results.NewRowWriter(l)
	var columns []string
	for _, c := range rows.Columns() {
		columns = append(columns, c.Name)
	}
	reader, err := results.NewRowReader(l, columns)
	if err != nil {
		t.Fatal(err)
	}
	r, err := folder.Row(1)
	if err != nil {
		t.Fatal(err)
	}
	sound := string(rows.AppendFields(nil, r.Fields[1:]))
	read := func(text string, count int, algorithm string) (visited string, err error) {
		err = reader.Read([]byte(text), count, algorithm, func(text []byte, _ []string, _ results.Sample) error {
			visited += string(text)
			return nil
		})
		return visited, err
	}
	if visited, err := read(sound+sound, 2, "ring"); err != nil || visited != sound+sound {
		t.Errorf("two sound rows: %q, %v", visited, err)
	}
	for _, c := range []struct{ what, text, algorithm, want string }{
		{"one column", "lcr\n", "ring", "a row has 1 field"},
		{"no column", "", "ring", "EOF"},
		{"too many columns", strings.Repeat("lcr,", 400) + "\n", "ring", "a row has 401 fields"},
		{"two lines", sound + sound, "ring", "more than one line"},
		{"an open quote", `lcr,"`, "ring", "quote"},
		{"another outcome", strings.Replace(sound, ",elected,", ",wedding,", 1), "ring", `outcome "wedding"`},
		{"no algorithm of the sweep", strings.Replace(sound, "ring,", "bird,", 1), "bird", `of the algorithm "bird", which the sweep does not have`},
		{"another algorithm", sound, "bird", `of the algorithm "ring", and its cell of "bird"`},
	} {
		if _, err := read(c.text, 1, c.algorithm); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.what, err, c.want)
		}
	}
	if _, err := results.NewRowReader(l, columns[1:]); err == nil || !strings.Contains(err.Error(), "the rows have no column "+columns[0]) {
		t.Errorf("without the column %s: %v", columns[0], err)
	}
}

// A stopping rule ends a cell at the first look at which its interval is narrow enough.
func TestStoppingRule(t *testing.T) {
	const rule = "name: s\nreplicates: {min: 3, max: 9, half_width: 20%}\nalgorithms: ring\naxes: {n: [3], placement: random}\n"
	s := sweeptest.Sweep(t, sweeptest.Registry(sweeptest.Triangle), rule)
	sweeptest.Run(t, s)
	folder, err := results.Open(s.Registry, s.Dir)
	if err != nil {
		t.Fatal(err)
	}
	l, err := results.LayoutOf(s.Registry, folder.Spec)
	if err != nil {
		t.Fatal(err)
	}
	var kept []results.Sample
	if err := folder.Samples(l, func(_ *results.Record, s *results.Sample) error {
		kept = append(kept, *s)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if least := results.LeastTrials(folder.Spec); least != 3 || len(kept) <= least {
		t.Fatalf("%d trials, and the least is %d", len(kept), least)
	}
	for trials := range len(kept) + 1 {
		if trials >= 2 && l.Enough(folder.Spec, kept[:trials]) != (trials == len(kept)) {
			t.Errorf("%d of %d trials: enough is %v", trials, len(kept), trials != len(kept))
		}
	}
	if l.Enough(folder.Spec, append(slices.Clone(kept), kept[0])) {
		t.Errorf("a trial more than the %d is not too much", len(kept))
	}
	if next := l.Next(folder.Spec, kept[:3]); next <= 3 || next > len(kept) {
		t.Errorf("after 3 trials it asks for %d, of %d that ran", next, len(kept))
	}
}

// Package json passes over keys that it does not know, and takes the last of several.
func TestKeys(t *testing.T) {
	type inner struct{ A, B int }
	read := struct {
		A    int
		List []inner
	}{1, []inner{{1, 2}, {3, 4}}}
	got, err := results.KeysOf([]byte(`{"A": 0, "A": 1, "List": [{"A": 1, "B": 2, "C": 9}, {"A": 3}], "Other": [1, {"x": 2}]}`), read)
	if err != nil || strings.Join(got.Unknown, " ") != "List.C Other Other.x" || strings.Join(got.Missing, " ") != "List.B" || strings.Join(got.Doubled, " ") != "A" {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := results.KeysOf([]byte(`{"A": `), read); err == nil {
		t.Error("half a text has keys")
	}
}
