package cli

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"bullring/experiments/internal/sweeptest"
	"bullring/experiments/trial/setting"
)

// A value of a condition is the same wherever it passes: from the axis of a sweep to the
// column of its results, to the setting of the row, to the flag of the command that
// repeats the run, and back: the command has the run with the row's fingerprint.
func TestConditionsRoundTrip(t *testing.T) {
	t.Chdir(t.TempDir())
	for i := range setting.Conditions {
		c := &setting.Conditions[i]
		sample := sweeptest.SampleOf(t, c.Name)
		row := sweptRow(t, c.Name, sample)
		if row[c.Name] != sample.Value {
			t.Errorf("%s: the column has %q, want %q", c.Name, row[c.Name], sample.Value)
		}
		again := commandOf(t, bullring(t, "replay", c.Name, "1"))
		flags := words(again)[2:]
		if !slices.Contains(flags, "--"+c.FlagName()+"="+sample.Value) &&
			flags[slices.Index(flags, "--"+c.FlagName())+1] != sample.Value {
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
func sweptRow(t *testing.T, name string, sample sweeptest.Sample) map[string]string {
	t.Helper()
	n := "n: 4, "
	if name == "n" {
		n = ""
	}
	text := fmt.Sprintf("name: a\noutside_model: true\nalgorithms: %s\naxes: {%s%s}\n", sample.Algorithm, n, sample.Axes(name))
	if err := os.WriteFile(name+".yaml", []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := bullring(t, "sweep", name+".yaml", "-o", name, "--progress", "off"); got.status != 0 {
		t.Fatalf("%s: status %d, %s%s", text, got.status, got.out, got.errors)
	}
	rows := sweeptest.Rows(t, read(t, name+"/results.csv"))
	if len(rows) != 1 {
		t.Fatalf("%s has %d rows, want one", name, len(rows))
	}
	return rows[0]
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
