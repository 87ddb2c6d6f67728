package main

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var allLanguages = flag.Bool("nodes", false, "fail where the languages of docs/nodes are not there")

// The examples of docs/nodes have the fingerprints of the catalogue.
func TestNodes(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := shell(t, root)
	build := exec.Command("go", "build", "-C", filepath.Join(root, "docs/nodes/go"), "-o", filepath.Join(dir, "lcr"), "./lcr")
	build.Env = append(os.Environ(), "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	const floodSetDies = " --n 6 --f 2 --delay 'uniform(0,1ms)' --fault 'crash 2 after 3 sends' --fault 'at 1500us crash 4' --seed 3"
	const benOrDies = " --n 7 --f 3 --delay 'exp(1ms)' --fault 'crash 2 after 3 sends' --fault 'at 1500us crash 4' --seed 3"
	const paxosDies = " --n 5 --f 2 --initiators all --delay 'uniform(0,1ms)' --fault 'crash 2 after 3 sends' --fault 'at 15ms restart 2'" +
		" --fault 'at 2ms crash 0' --fault 'at 20ms restart 0' --seed 4"
	const reacting = " --n 4 --delay 'exp(1ms)' --param requests=3,reactions=2 --seed 3"
	const asking = " --n 5 --delay 'exp(1ms)' --param requests=3,cs=2ms --initiators 0,2,3,4 --seed 3"
	const bullyDies = " --n 5 --dead last --initiators 0,1 --fault 'at 2ms crash 3' --fault 'at 20ms restart 3'"
	for _, c := range []struct{ node, like, flags string }{
		{"python3 docs/nodes/lcr.py", "lcr", ""},
		{"node docs/nodes/lcr.mjs", "lcr", ""},
		{"./lcr", "lcr", ""},
		{"python3 docs/nodes/changroberts.py", "changroberts", " --initiators 0,2"},
		{"python3 docs/nodes/itairodeh.py", "itairodeh", ""},
		{"python3 docs/nodes/floodset.py", "floodset", floodSetDies},
		{"python3 docs/nodes/safra.py", "safra", ""},
		{"python3 docs/nodes/bully.py", "bully", bullyDies},
		{"python3 docs/nodes/benor.py", "benor", benOrDies},
		{"python3 docs/nodes/paxos.py", "paxos", paxosDies},
		{"python3 docs/nodes/causal.py", "causal", reacting},
		{"python3 docs/nodes/ricartagrawala.py", "ricartagrawala", asking},
	} {
		t.Run(c.node, func(t *testing.T) {
			program, _, _ := strings.Cut(c.node, " ")
			if _, err := exec.LookPath(program); err != nil && program != "./lcr" {
				if *allLanguages {
					t.Fatal(err)
				}
				t.Skip("NOT RUN:", err)
			}
			flags := c.flags
			if !strings.Contains(flags, "--n ") {
				flags += " --n 6 --placement random --delay 'exp(1ms)' --seed 3"
			}
			want := fingerprint.FindString(run(t, dir, "bullring run "+c.like+flags))
			out := run(t, dir, "bullring run --node '"+c.node+"' --like "+c.like+flags)
			if got := fingerprint.FindString(out); got == "" || got != want || !strings.Contains(out, "agrees with "+c.like) {
				t.Errorf("the fingerprint of %s is %q:\n%s", c.like, want, out)
			}
		})
	}
}

// fingerprint matches the fingerprint of a run.
var fingerprint = regexp.MustCompile(`(?m)^fingerprint .*`)
