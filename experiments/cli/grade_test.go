package cli

import (
	"os"
	"strings"
	"testing"
)

// The status of grade says whether all points are known, not how many there are; and what it would
// overwrite, and bad input, are refused before anything runs.
func TestGrade(t *testing.T) {
	programs(t)
	slow := strings.Replace(sampleAssignment, "parts:", "limits: {answer: 2s}\nparts:", 1)
	slow = strings.Replace(slow, "n: 2", "n: 3", 1)
	for file, text := range map[string]string{"a.yaml": sampleAssignment, "slow.yaml": slow, "mine/x.txt": "mine"} {
		os.Mkdir("mine", 0o777)
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args   string
		status int
		says   string // in the output or the errors
	}{
		{"grade a.yaml lcr.py dies.py --out graded", 0, "dies 1 n 2: node n"},
		{"grade a.yaml lcr.py dies.py --out graded", 0, "written to graded"},
		{"grade slow.yaml hangs.py", statusUndecided, "did not answer for 2s (limits: answer)"},
		{"grade a.yaml lcr.py --out mine", statusUsage, "mine holds x.txt"},
		{"grade a.yaml none.py", statusUsage, "none.py"},
		{"grade lcr.py lcr.py", statusUsage, "lcr.py:2:1: this is not YAML"},
		{"grade a.yaml lcr.py --sandbox off", 0, "no sandbox was asked for"},
	} {
		got := bullring(t, strings.Fields(c.args)...)
		if text := strings.Join(strings.Fields(got.out+got.errors), " "); got.status != c.status || !strings.Contains(text, c.says) {
			t.Errorf("%s: status %d, %s", c.args, got.status, text)
		}
	}
}
