package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The status of a hunt says whether it has found something.
func TestHuntStatus(t *testing.T) {
	for _, c := range []struct {
		args   string
		status int
		says   string
	}{
		{"lcr --settings 200", 0, "NOTHING FOUND: none of"},
		{"bully --outside-model --of partitions --n 4 --settings 300", 0, "\nneeds     partition"},
		{"maekawa --variant naive --settings 1500", statusFailed, "inside the model: ME2: "},
		{"lcr --for 1ms", 0, "NOTHING FOUND"},
		{"bully --of nonsense", statusUsage, `there is no class of faults "nonsense"`},
		{"bully --of crashes --fault 'drop every message'", statusUsage, "one of them is enough"},
		{"bully --settings 0", statusUsage, "a whole number from 1"},
		{"bully --for soon", statusUsage, "it takes a duration"},
		{"nothing", statusUsage, "unknown algorithm"},
	} {
		expect(t, c.status, c.says, words("hunt "+c.args)...)
	}
}

// What the flags set does not vary, and the same hunt prints the same.
func TestHuntIsTheSame(t *testing.T) {
	hunt := words("hunt bully --outside-model --n 5 --delay exp(1ms) --fault 'at 2ms crash 0' --failures 3 --settings 500 --json --workers")
	one, three := expect(t, 0, "", append(hunt, "1")...), expect(t, 0, "", append(hunt, "3")...)
	if one.out != three.out {
		t.Errorf("with one worker\n%s\nwith three\n%s", one.out, three.out)
	}
	var report struct {
		Faults map[string]int
		Found  []struct{ Command, Why string }
	}
	if err := json.Unmarshal([]byte(one.out), &report); err != nil {
		t.Fatal(err)
	}
	if len(report.Faults) != 1 || report.Faults["crash"] == 0 {
		t.Errorf("the fault is fixed, and runs had %v", report.Faults)
	}
	for _, f := range report.Found {
		expect(t, 0, "violated", words(f.Command)[1:]...)
	}
}

// A hunt keeps what it finds; the next one begins with it, finds it again at once, and leaves
// every file as it is.
func TestHuntedCases(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "hunted")
	hunt := []string{"hunt", "bully", "--outside-model", "--of", "partitions", "--n", "4", "--settings", "300", "--cases", dir}
	expect(t, 0, "FOUND in setting", hunt...)
	file := filepath.Join(dir, "bully-E1-1.json")
	kept, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, 0, "agrees with", "replay", file)
	again := expect(t, 0, "begun with 1 case\n", hunt...)
	if !strings.Contains(again.out, "FOUND in setting 1, outside the model: E1") || !strings.Contains(again.out, file) {
		t.Errorf("the second hunt\n%s", again.out)
	}
	if after, err := os.ReadFile(file); err != nil || string(after) != string(kept) {
		t.Errorf("the case has changed: %v", err)
	}
	if files, _ := os.ReadDir(dir); len(files) != 1 {
		t.Errorf("there are %d files", len(files))
	}
	if err := os.WriteFile(file, []byte("{}"), 0o666); err != nil {
		t.Fatal(err)
	}
	expect(t, statusUsage, "is no case", hunt...)
	expect(t, statusUsage, "is no folder", append(hunt[:len(hunt)-1], file)...)
}
