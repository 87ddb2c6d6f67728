package outside_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bullring/experiments/real/outside"
	"bullring/faults"
	"bullring/netem/impair"
)

func script(t *testing.T, n int, line, plan string, seed uint64) (*outside.Script, string, impair.Notes) {
	t.Helper()
	s := &outside.Script{N: n}
	var err error
	if s.Plan, err = outside.ParsePlan(plan, n, seed, nil); err != nil {
		t.Fatal(err)
	}
	if line != "" {
		if s.Line, err = impair.Parse(line, nil); err != nil {
			t.Fatal(err)
		}
	}
	text, notes, err := s.Text()
	if err != nil {
		t.Fatal(err)
	}
	return s, text, notes
}

// fakes are programs that note how they are called. Time stands still, so that a script sleeps
// until the instant itself. Process 3 is dead.
var fakes = map[string]string{
	"ip": `echo "$*" >>"$LOG"
case "$4 $5" in
"cat "*) echo "40$3" ;;
"kill -0") [ "$3" != p3 ] ;;
esac`,
	"sleep": `echo "sleep $*" >>"$LOG"`,
	"date":  `echo 0`,
}

// run runs a script among fakes, and returns their calls without the questions for numbers of
// processes.
func run(t *testing.T, text string, env ...string) []string {
	t.Helper()
	dir := t.TempDir()
	for name, body := range fakes {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+body+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	sh, log := exec.Command("sh", "-c", text+"\nwait\n"), filepath.Join(dir, "log")
	if out, err := exec.Command("sh", "-n", "-c", text).CombinedOutput(); err != nil {
		t.Fatalf("sh -n: %v\n%s\n%s", err, out, text)
	}
	sh.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "LOG="+log)
	sh.Env = append(sh.Env, env...)
	if out, err := sh.CombinedOutput(); err != nil || len(out) > 0 {
		t.Fatalf("%v\n%s\n%s", err, out, text)
	}
	calls, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(strings.Split(strings.TrimSpace(string(calls)), "\n"), func(call string) bool {
		return strings.Contains(call, " cat ") || strings.Contains(call, "kill -0")
	})
}

func same(t *testing.T, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("the calls are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A script does what the plan says, in its order, at its instants.
func TestScriptRunsInOrder(t *testing.T) {
	_, text, notes := script(t, 4, "wan", `
		at 20ms heal
		at 2ms crash 3 for 2s
		at 3ms pause 1 for 1s
		at 4ms pause 1 for 2ms
		at 1.5s drop every message from 2 to 0 with 25% for 1ms
		at 10ms partition {0 1 | 1 2 3}
	`, 1)
	if len(notes.Missing) > 0 {
		t.Errorf("missing: %q", notes.Missing)
	}
	same(t, run(t, text, "START=node"), []string{
		"netns exec p0 tc qdisc add dev eth0 root netem delay 75ms limit 2147483647",
		"netns exec p1 tc qdisc add dev eth0 root netem delay 75ms limit 2147483647",
		"netns exec p2 tc qdisc add dev eth0 root netem delay 75ms limit 2147483647",
		"netns exec p3 tc qdisc add dev eth0 root netem delay 75ms limit 2147483647",
		"sleep 0.002000000", "netns exec p3 kill -9 40p3",
		"sleep 0.003000000", "netns exec p1 kill -STOP 40p1",
		"sleep 0.004000000", "netns exec p1 kill -STOP 40p1",
		"sleep 0.006000000", // the first pause lasts
		"sleep 0.010000000",
		"netns exec p0 iptables -A INPUT -s 10.0.0.3 -j DROP",
		"netns exec p0 iptables -A INPUT -s 10.0.0.4 -j DROP",
		"netns exec p2 iptables -A INPUT -s 10.0.0.1 -j DROP",
		"netns exec p3 iptables -A INPUT -s 10.0.0.1 -j DROP",
		"sleep 0.020000000",
		"netns exec p0 iptables -D INPUT -s 10.0.0.3 -j DROP",
		"netns exec p0 iptables -D INPUT -s 10.0.0.4 -j DROP",
		"netns exec p2 iptables -D INPUT -s 10.0.0.1 -j DROP",
		"netns exec p3 iptables -D INPUT -s 10.0.0.1 -j DROP",
		"sleep 1.003000000", "netns exec p1 kill -CONT 40p1",
		"sleep 1.500000000", "netns exec p0 iptables -A INPUT -s 10.0.0.3 -m statistic --mode random --probability 0.250000000 -j DROP",
		"sleep 1.501000000", "netns exec p0 iptables -D INPUT -s 10.0.0.3 -m statistic --mode random --probability 0.250000000 -j DROP",
		"sleep 2.002000000", "netns exec p3 node 3",
	})
}

// A link has the line of the fault that began last, and then the one before.
func TestScriptShapesLinks(t *testing.T) {
	_, text, _ := script(t, 2, "delay 1ms", "at 1s link * loss 50% for 3s; at 2s link 0->1 loss 100% for 1s", 1)
	calls := run(t, text, "DEV=veth")
	first := slices.Index(calls, "sleep 1.000000000")
	if first < 0 {
		t.Fatalf("%q", calls)
	}
	const class, netem = "netns exec p0 tc class add dev veth parent 1: classid 1:11 htb rate 100gbit quantum 60000", "netns exec p0 tc qdisc add dev veth parent 1:11 netem "
	const del = "netns exec p0 tc qdisc del dev veth parent 1:11"
	if !slices.Contains(calls[:first], class) || !slices.Contains(calls[:first], netem+"delay 1ms limit 2147483647") {
		t.Errorf("the beginning is\n%s", strings.Join(calls[:first], "\n"))
	}
	same(t, slices.DeleteFunc(calls[first:], func(c string) bool { return strings.Contains(c, " p1 ") }), []string{
		"sleep 1.000000000", del, netem + "loss 50% limit 2147483647",
		"sleep 2.000000000", del, netem + "loss 100% limit 2147483647",
		"sleep 3.000000000", del, netem + "loss 50% limit 2147483647",
		"sleep 4.000000000", del, netem + "delay 1ms limit 2147483647",
	})
}

// heal gives links their own lines back. The end of a fault that comes after it changes nothing.
func TestScriptHealsLinks(t *testing.T) {
	for _, heal := range []string{"heal", "heal everything"} {
		_, text, _ := script(t, 2, "delay 1ms", "at 1s link 0->1 loss 50% for 9s; at 3s "+heal+"; at 4s cut 1->0", 1)
		calls := run(t, text)
		const del, netem = "netns exec p0 tc qdisc del dev eth0 parent 1:11", "netns exec p0 tc qdisc add dev eth0 parent 1:11 netem "
		same(t, calls[slices.Index(calls, "sleep 3.000000000"):], []string{
			"sleep 3.000000000", del, netem + "delay 1ms limit 2147483647",
			"sleep 4.000000000", "netns exec p0 iptables -A INPUT -s 10.0.0.2 -j DROP",
		})
	}
}

// A process that leaves is started where it comes back, and not because the network heals.
func TestScriptLeaves(t *testing.T) {
	const crash, start = "netns exec p3 kill -9 40p3", "netns exec p3 node 3"
	for _, c := range []struct {
		plan string
		want []string
	}{
		{"leave 3 for 1s", []string{crash, "sleep 1.000000000", start}},
		{"leave 3; at 2s join 3", []string{crash, "sleep 2.000000000", start}},
		{"leave 3 for 3s; at 2s join 3", []string{crash, "sleep 2.000000000", start}},
		{"leave 3 for 3s; at 2s heal everything", []string{crash, "sleep 2.000000000"}},
	} {
		_, text, _ := script(t, 4, "", c.plan, 1)
		calls := run(t, text, "START=node")
		same(t, slices.DeleteFunc(calls, func(call string) bool { return strings.Contains(call, "iptables") }), c.want)
	}
}

// A script has the functions that it calls, and no others.
func TestScriptHasItsFunctions(t *testing.T) {
	for plan, want := range map[string]string{
		"pause 1 for 1ms":                 "pid crash pause resume",
		"crash 1":                         "pid crash pause resume",
		"crash 1 for 1ms":                 "pid crash pause resume start",
		"cut 0->1":                        "drop",
		"leave 1":                         "pid crash pause resume drop",
		"link * delay 1ms":                "shape classes",
		"at 1ms restart 1; link 0->1 wan": "pid crash pause resume start shape classes",
	} {
		_, text, _ := script(t, 3, "", plan, 1)
		var got []string
		for line := range strings.Lines(text) {
			if name, _, is := strings.Cut(line, "() {"); is && !slices.Contains([]string{"on", "address", "at"}, name) {
				got = append(got, name)
			}
		}
		if got := strings.Join(got, " "); got != want {
			t.Errorf("%s: the functions are %s; want %s", plan, got, want)
		}
	}
}

// A fault that flaps is over when the network heals, whether it is up or down.
func TestScriptFlaps(t *testing.T) {
	for _, c := range []struct{ plan, want string }{
		{"cut 0->1 flapping 2ms 1ms for 7ms", "A 2 D 3 A 5 D 6 A 7 D"},
		{"cut 0->1 flapping 2ms 1ms for 1s; at 4ms heal", "A 2 D 3 A 4 D"},
		{"cut 0->1 flapping 2ms 1ms for 1s; at 5.5ms heal", "A 2 D 3 A 5 D"},
	} {
		_, text, _ := script(t, 2, "", c.plan, 1)
		var got []string
		for _, call := range run(t, text) {
			words := strings.Fields(call)
			if words[0] == "sleep" {
				got = append(got, strings.Trim(words[1], "0."))
			} else {
				got = append(got, words[4][1:])
			}
		}
		if got := strings.TrimSuffix(strings.Join(got, " "), " 55"); got != c.want {
			t.Errorf("%s is %s; want %s", c.plan, got, c.want)
		}
	}
}

// Each fault is a step of the script or is named, with a reason.
func TestScriptNamesTheRest(t *testing.T) {
	for _, plan := range []string{
		"when leader crash leader", "at event 7 crash 1", "when 2nd election pause 0", "at 1ms crash leader", "crash 1 after 2 sends", "crash 1 with 50%", "fail 1 mttf 1s mttr 1s until 9s",
		"start 1", "slow 1 by 1ms", "clog *", "delay every message by 1ms", "duplicate every message", "drop 2nd ELECTION", "drop every ANSWER", "carry 1st ANSWER in 1ms",
		"clock 1 offset 1ms", "lie 1 as 5", "equivocate 1", "link * delay exp(1ms)", "cut * flapping 1ms 1ms",
	} {
		_, text, notes := script(t, 3, "", plan+"; at 1ms crash 0", 1)
		if len(notes.Missing) == 0 || !strings.HasPrefix(notes.Missing[len(notes.Missing)-1], plan+": ") {
			t.Errorf("%s: missing is %q", plan, notes.Missing)
		}
		for _, note := range notes.Missing {
			if !strings.Contains(text, "\n# not exported: "+note+"\n") {
				t.Errorf("%q is not in\n%s", note, text)
			}
		}
		if _, text, _ := script(t, 3, "", plan, 1); text != "" {
			t.Errorf("%s alone is\n%s", plan, text)
		}
	}
}

// Whatever a swarm draws, the shell takes the script, each fault is in it or named, and after
// everything has healed no rule is left.
func TestScriptsOfSwarms(t *testing.T) {
	for seed := range uint64(10) {
		s, text, notes := script(t, 4, "delay 1ms", "random swarm of churn, cuts, clogs, links, loss, omissions, partitions, pauses, restarts, slowness until 100ms; at 200ms heal everything", seed)
		for _, f := range s.Plan {
			named := slices.ContainsFunc(notes.Missing, func(n string) bool { return strings.HasPrefix(n, f.String()+": ") })
			if said := strings.Contains(text, "\n# "+f.String()+"\n"); said == named {
				t.Errorf("seed %d: %v is said: %v, and named: %v", seed, f, said, named)
			}
		}
		rules, stopped := map[string]int{}, map[string]int{}
		lines := map[string]string{} // of links, by host and class
		for _, call := range run(t, text, "START=true") {
			words := strings.Fields(call)
			if words[0] == "sleep" {
				continue
			}
			rest := strings.Join(append([]string{words[2]}, words[5:]...), " ")
			switch words[3] + words[4] {
			case "iptables-A":
				rules[rest]++
			case "iptables-D":
				if rules[rest]--; rules[rest] < 0 {
					t.Errorf("seed %d: %s without a rule", seed, call)
				}
			case "tcqdisc":
				if link := words[2] + " " + words[9]; words[8] == "parent" {
					lines[link] = strings.Join(words[10:], " ")
				}
			case "kill-STOP":
				stopped[words[2]]++
			case "kill-CONT":
				stopped[words[2]] = 0
			}
		}
		for rest, left := range rules {
			if left != 0 {
				t.Errorf("seed %d: %s is left %d times", seed, rest, left)
			}
		}
		for link, line := range lines {
			if line != "netem delay 1ms limit 2147483647" {
				t.Errorf("seed %d: link %s is left with %q", seed, link, line)
			}
		}
		for p, left := range stopped {
			if left != 0 {
				t.Errorf("seed %d: %s stands still for ever", seed, p)
			}
		}
	}
}

// A lab of hosts says how to reach a process.
func TestScriptInALab(t *testing.T) {
	lab := filepath.Join(t.TempDir(), "lab.sh")
	if err := os.WriteFile(lab, []byte(`on() { host=$1; shift; ip via ssh "host$host" "$@"; }`+"\n"+`address() { echo "192.168.7.$1"; }`+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	_, text, _ := script(t, 2, "", "cut 0->1", 1)
	same(t, run(t, text, "LAB="+lab), []string{"via ssh host1 iptables -A INPUT -s 192.168.7.0 -j DROP"})
}

func TestParsePlan(t *testing.T) {
	if _, err := outside.ParsePlan("at 1ms crash 9", 3, 1, nil); err == nil || !strings.Contains(err.Error(), "there is no process 9") {
		t.Error(err)
	}
	shares, err := outside.ParsePlan("cut 50% of *<->* for 5ms", 3, 7, nil)
	if err != nil || strings.Count(shares.String(), "->") != 3 { // two pairs of three, from three senders
		t.Errorf("%v, %v", shares, err)
	}
	plan, err := outside.ParsePlan("random crashes 1 in 1ms..2ms", 3, 7, nil)
	if err != nil || len(plan) != 1 || plan[0].Kind != faults.Crash {
		t.Errorf("%v, %v", plan, err)
	}
}
