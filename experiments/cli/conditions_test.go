package cli

import (
	"encoding/csv"
	"os"
	"slices"
	"strings"
	"testing"

	"bullring/experiments/setting"
)

// conditionSamples are a value of each condition that is not the default, and what else a
// sweep over it needs. A new condition has to have one.
var conditionSamples = map[string]struct{ value, algorithm, also string }{
	"variant":    {"A", "bully", ""},
	"n":          {"5", "bully", ""},
	"placement":  {"decreasing", "bully", ""},
	"initiators": {"0,2", "bully", ""},
	"dead":       {"1", "bully", ""},
	"topology":   {"biring", "lcr", ""},
	"delay":      {"exp(1ms)", "lcr", ""},
	"link":       {"delay 2ms 1ms", "lcr", ""},
	"link_mode":  {"compat", "lcr", "link: delay 2ms 1ms 30%"},
	"delta":      {"2ms", "bully", ""},
	"gst":        {"5ms", "bully", "delta: 2ms"},
	"transport":  {"reliable(5ms,0)", "bully", ""},
	"detector":   {"heartbeat(10ms,30ms)", "bully", ""},
	"assume":     {"3ms", "bully", ""},
	"max_time":   {"3ms", "bully", ""},
	"until":      {"20ms", "bully", "detector: heartbeat(10ms,30ms)"},
	"fifo":       {"false", "bully", ""},
	"fault":      {"at 1ms crash 2", "bully", ""},
	"param":      {"requests=2", "maekawa", ""},
}

// A value of a condition is the same wherever it passes: from the axis of a sweep to the
// column of its results, to the setting of the row, to the flag of the command that
// repeats the run, and back: the command has the run with the row's fingerprint.
func TestConditionsRoundTrip(t *testing.T) {
	t.Chdir(t.TempDir())
	for i := range setting.Conditions {
		c := &setting.Conditions[i]
		sample, known := conditionSamples[c.Name]
		if !known {
			t.Errorf("the table of samples has no value of %s", c.Name)
			continue
		}
		row := sweptRow(t, c.Name, sample.algorithm, sample.value, sample.also)
		if row[c.Name] != sample.value {
			t.Errorf("%s: the column has %q, want %q", c.Name, row[c.Name], sample.value)
		}
		again := commandOf(t, bullring(t, "replay", c.Name, "1"))
		flags := words(again)[2:]
		if !slices.Contains(flags, "--"+c.FlagName()+"="+sample.value) &&
			flags[slices.Index(flags, "--"+c.FlagName())+1] != sample.value {
			t.Errorf("%s: the run is repeated by %s", c.Name, again)
		}
		run := bullring(t, words(again)[1:]...)
		if commandOf(t, run) != again || !strings.Contains(run.out, row["fingerprint"]) {
			t.Errorf("%s: %s is not the run of the row, of fingerprint %s:\n%s%s", c.Name, again, row["fingerprint"], run.out, run.errors)
		}
	}
}

// sweptRow sweeps over one value of a condition, into a folder of its name, and returns
// the row of the trial by column.
func sweptRow(t *testing.T, name, algorithm, value, also string) map[string]string {
	t.Helper()
	axes := "  n: 4\n"
	if name == "n" {
		axes = ""
	}
	axes += "  " + name + ": " + value + "\n"
	if also != "" {
		axes += "  " + also + "\n"
	}
	text := "name: a\noutside_model: true\nalgorithms: " + algorithm + "\naxes:\n" + axes
	if err := os.WriteFile(name+".yaml", []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := bullring(t, "sweep", name+".yaml", "-o", name, "--progress", "off"); got.status != 0 {
		t.Fatalf("%s: status %d, %s%s", text, got.status, got.out, got.errors)
	}
	table, err := csv.NewReader(strings.NewReader(string(read(t, name+"/results.csv")))).ReadAll()
	if err != nil || len(table) != 2 {
		t.Fatalf("%s has %d rows: %v", name, len(table), err)
	}
	row := map[string]string{}
	for i, column := range table[0] {
		row[column] = table[1][i]
	}
	return row
}

// commandOf is the command that a run says repeats it.
func commandOf(t *testing.T, run outcome) string {
	t.Helper()
	_, again, _ := strings.Cut(run.out, "\nagain: ")
	again, _, found := strings.Cut(again, "\n")
	if !found {
		t.Fatalf("the run says no command: status %d, %s%s", run.status, run.out, run.errors)
	}
	return again
}
