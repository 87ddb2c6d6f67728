package cli

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// The program is a node of Maelstrom with the flags of the system.
func TestMaelstrom(t *testing.T) {
	const init = `{"src":"c0","dest":"n1","body":{"type":"init","msg_id":1,"node_id":"n1","node_ids":["n0","n1","n2"]}}` + "\n"
	const read = `{"src":"c1","dest":"n1","body":{"type":"read","msg_id":2}}` + "\n"
	for _, c := range []struct {
		args, in string
		status   int
		says     []string
	}{
		{"lcr --ids 4,7,5", init + read, 0, []string{`"type":"probe"`, `"ID":7`, `"status":"undecided"`}},
		{"lcr --wait", init, 0, []string{`"init_ok"`}},
		{"bully --initiators 1 --dead 2", init, 0, []string{`"dest":"n2","body":{"type":"election"`}},
		{"lcr --transport reliable(20ms) --outside-model", init + read, 0, []string{`"Inner"`, `"status":"undecided"`}},
		{"maekawa", init + read, 0, []string{`"state":{`}},
		{"lcr --ids 4,7", init, 1, []string{`"code":13`}},
		{"lcr --n 4", init, 1, []string{"--n is 4, and init names 3 nodes"}},
	} {
		cmd := exec.CommandContext(t.Context(), os.Args[0], append([]string{"node", "--maelstrom"}, words(c.args)...)...)
		cmd.Stdin = strings.NewReader(c.in)
		out, _ := cmd.CombinedOutput()
		for _, says := range c.says {
			if cmd.ProcessState.ExitCode() != c.status || !strings.Contains(string(out), says) {
				t.Errorf("%s: %v, want status %d and %q\n%s", c.args, cmd.ProcessState, c.status, says, out)
			}
		}
	}
}
