package cli

import (
	"os"
	"strings"
	"testing"
)

// A file that the user names for output is written if it is not there or is one of its
// kind that bullring wrote; any other stays, and that is said before anything runs.
func TestOutputFiles(t *testing.T) {
	inDir(t, "")
	const mine = "mine"
	failing := []string{"bully", "--n", "3", "--initiators", "0", "--dead", "last", "--delay", "uniform(0,3ms)", "--assume-delay", "1ms"}
	for _, c := range []struct {
		flag, file string
		command    []string
		status     int
	}{
		{"-o", "case.json", append([]string{"shrink"}, failing...), 0},
		{"-o", "worst.json", []string{"worst", "lcr", "--n", "3"}, 0},
		{"-o", "found.json", []string{"explore", "peterson", "--ids", "4,2,3,1", "--loss", "1", "--shrink=false"}, 1},
		{"--picture", "run.svg", []string{"run", "repelling", "--n", "60", "--seed", "2"}, 0},
	} {
		command := append(c.command, c.flag)
		write := func(file, mine string) outcome {
			t.Helper()
			got := bullring(t, append(command, file)...)
			if mine == "" {
				return got
			}
			if got.status != statusUsage || !strings.Contains(got.errors, file+" is there, and is n") {
				t.Errorf("%v %s: status %d, %s", command, file, got.status, got.errors)
			}
			if text, err := os.ReadFile(file); err != nil || string(text) != mine {
				t.Errorf("%v: %s is now %q, %v", command, file, text, err)
			}
			return got
		}
		for _, content := range []string{"mine", "{}", "\x89PNG"} {
			if err := os.WriteFile(c.file, []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
			write(c.file, content)
		}
		extension := c.file[strings.Index(c.file, "."):]
		if err := os.WriteFile("target", []byte(mine), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink("target", "link"+extension); err == nil {
			write("link"+extension, mine)
			os.Remove("link" + extension)
		}
		if got := write("none/x"+extension, ""); got.status != statusUsage || !strings.Contains(got.errors, "none") {
			t.Errorf("%v, a folder that is not there: status %d, %s", command, got.status, got.errors)
		}
		if err := os.Remove(c.file); err != nil {
			t.Fatal(err)
		}
		for range 2 { // and then over its own
			if got := write(c.file, ""); got.status != c.status {
				t.Errorf("%v: status %d, %s", command, got.status, got.errors)
			}
		}
		if text, err := os.ReadFile(c.file); err != nil || string(text) == mine {
			t.Errorf("%v wrote %q, %v", command, text, err)
		}
	}
}
