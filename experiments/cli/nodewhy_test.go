package cli

import (
	"os"
	"strings"
	"testing"
)

// The runs of programs are explained as those of algorithms are, if the programs do the same again.
// A command that is about something else does not start them many times.
func TestWhyOfPrograms(t *testing.T) {
	programs(t)
	moody := strings.NewReplacer("rank = None, None, None\n", "rank = None, None, None\nruns = 0\n",
		`        send(next_, {"type": "probe", "rank": rank})`, "        runs += 1\n        if runs > 1 or rank < 4:\n            send(next_, {\"type\": \"probe\", \"rank\": rank})")
	if err := os.WriteFile("moody.py", []byte(moody.Replace(string(read(t, "lcr.py")))), 0o666); err != nil {
		t.Fatal(err)
	}
	lost := []string{"--n", "4", "--outside-model"}
	for _, c := range []struct {
		args []string
		says []string
	}{
		{[]string{"why", "lcr", "--node", "python3 lcr.py", "--fault", "drop 4th message"}, []string{
			"E2 is violated: 0 leaders\nbecause PROBE{\"rank\":4} from 3 to 0, sent at 0s, was lost.\n  Had it arrived at 1ms, E2 would hold.\n",
			"4ms deliver 2 -> 3 PROBE{\"rank\":4},", "[2 elements, 8 runs]\n", "--fault 'carry 1st PROBE from 3 to 0 in 1ms'",
		}},
		{[]string{"why", "lcr", "--node", "python3 moody.py", "--fault", "drop 1st message"}, []string{
			"E2 is violated: 0 leaders\nno change was tried: the programs did not do the same again, so that nothing follows from a run with changes; this is what the violation follows from:\n", "\nview: ",
		}},
		{[]string{"shrink", "lcr", "--node", "python3 lcr.py", "--fault", "drop 4th message"}, []string{
			"E2 is violated: 0 leaders\nNo reason is known here: the processes are programs, and a search starts them many times.\nwhy: bullring why lcr --n 2 ",
		}},
		{[]string{"why", "--node", "python3 lcr.py", "--fault", "drop 4th message"}, []string{"the outcome is: at rest\nthis is what it follows from:\n"}},
	} {
		got := bullring(t, append(c.args, lost...)...)
		for _, says := range c.says {
			if got.status != 0 || !strings.Contains(got.out, says) {
				t.Errorf("%q: status %d, want %q in\n%s%s", c.args, got.status, says, got.out, got.errors)
			}
		}
	}
}
