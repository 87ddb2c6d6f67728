package spec

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the expected errors in testdata; read the diff")

// strict is a checker such as the command line's, over a small catalog.
var strict = Checker{
	Algorithms: []string{"lcr", "bully", "hs"},
	Metrics:    []string{"messages", "bits", "time"},
	Variant: func(algorithm, variant string) error {
		if algorithm != "bully" || variant != "A" && variant != "B" {
			return fmt.Errorf("%s has no variant %q", algorithm, variant)
		}
		return nil
	},
	Value: func(axis, value string) error {
		switch {
		case axis == "placement" && !slices.Contains([]string{"increasing", "decreasing", "random"}, value):
			return fmt.Errorf("%q is no placement", value)
		case axis == "delay" && !strings.HasSuffix(strings.TrimSuffix(value, ")"), "ms"):
			return fmt.Errorf("%q is no delay: write 1ms, uniform(0,2ms) or exp(1ms)", value)
		}
		return nil
	},
	Timed: func(metric string) bool { return metric == "time" },
	Bound: func(algorithm, bound string) error {
		if bound != "worst" {
			return fmt.Errorf("%s declares no bound %q", algorithm, bound)
		}
		return nil
	},
	Include: func(name string) ([]byte, error) { return os.ReadFile(filepath.Join("testdata", "included", name)) },
}

// Each testdata/*.yaml is a sweep, and the *.err beside it has its errors. A sweep without
// one is right.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no sweeps in testdata: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if _, err := Parse(filepath.Base(file), data, strict); err != nil {
				got = err.Error() + "\n"
			}
			compare(t, strings.TrimSuffix(file, ".yaml")+".err", got)
		})
	}
}

// compare compares the text with the file, which does not exist if there is no text.
func compare(t *testing.T, golden, got string) {
	t.Helper()
	if *update {
		rewrite(t, golden, got)
	}
	want, err := os.ReadFile(golden)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("errors are\n%s\nwant\n%s", got, want)
	}
}

func rewrite(t *testing.T, golden, got string) {
	t.Helper()
	if got == "" {
		if err := os.Remove(golden); err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		return
	}
	if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
		t.Fatal(err)
	}
}
