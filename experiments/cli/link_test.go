package cli

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// A line is one argument or several, and flags say what the sample is.
func TestLink(t *testing.T) {
	got := bullring(t, "link", "delay", "20ms", "5ms", "25%", "loss", "gemodel", "1%", "25%", "--samples", "2000")
	if got.status != 0 || got.errors != "" {
		t.Fatalf("status %d, %s", got.status, got.errors)
	}
	if want := "link: delay 20ms 5ms 25% loss gemodel 1% 25% 100% 0%\n2,000 messages of 128 bits, one each 10ms, mode exact, not FIFO, seed 1\n"; !strings.HasPrefix(got.out, want) {
		t.Errorf("%s; want %s", got.out, want)
	}
	again := bullring(t, "link", "delay 20ms 5ms 25% loss gemodel 1% 25%", "--samples", "2000")
	if again.out != got.out {
		t.Errorf("the same line in quotes prints something else:\n%s", again.out)
	}
	if silent := bullring(t, "link", "loss 100%", "--samples", "10", "--fifo"); silent.status != 0 || !strings.Contains(silent.out, ", FIFO, seed 1") {
		t.Errorf("status %d\n%s%s", silent.status, silent.out, silent.errors)
	}
}

func TestLinkJSON(t *testing.T) {
	report, status := object(t, "link", "loss 5% 25% delay exp(1ms)", "--link-mode", "compat", "--samples", "50", "--seed", "7", "--json")
	for name, want := range map[string]any{"line": "delay exp(1ms) loss 5% 25%", "link_mode": "compat", "samples": 50., "seed": 7., "interval": 0.01} {
		if status != 0 || report[name] != want {
			t.Errorf("status %d: %s is %v, want %v", status, name, report[name], want)
		}
	}
}

func TestLinkPresets(t *testing.T) {
	if got := bullring(t, "link", "--presets"); got.status != 0 || !strings.Contains(got.out, "lossy      delay 75ms loss burst 5% 2\n") {
		t.Errorf("status %d, %s%s", got.status, got.out, got.errors)
	}
}

// Files of delays are read where the command runs.
func TestLinkFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("rtt.txt", []byte("1ms\n3ms\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	got := bullring(t, "link", "delay trace rtt.txt", "--samples", "1000")
	if got.status != 0 || !strings.Contains(got.out, "delay trace rtt.txt@") || !strings.Contains(got.out, "delay lag1      -1.000    -1.000") {
		t.Errorf("status %d\n%s%s", got.status, got.out, got.errors)
	}
}

// A shell takes the exported words of a line. What tc cannot say stands beside them.
func TestLinkAs(t *testing.T) {
	const words, undo = "tc qdisc add dev eth1 root netem loss 5% 25% limit 2147483647\n", "# undo: tc qdisc del dev eth1 root\n"
	const missing, differs = "# not exported: delay exp(1ms): tc takes a time", "# differs: loss 5% 25%: Linux's correlation changes the share of the packets; without --as, --link-mode compat measures it\n"
	got := bullring(t, "link", "delay exp(1ms) loss 5% 25%", "--as", "tc", "--dev", "eth1")
	if got.status != 0 || got.errors != "" || !strings.HasPrefix(got.out, words+undo+missing) || !strings.HasSuffix(got.out, differs) {
		t.Errorf("status %d\n%s%s", got.status, got.out, got.errors)
	}
	if got = bullring(t, "link", "loss 5% 25%", "--as", "tc", "--link-mode", "compat", "--dev", "eth1"); got.out != words+undo {
		t.Errorf("in mode compat:\n%s", got.out)
	}
	var report struct {
		As, Script string
		Missing    []string `json:"not_exported"`
	}
	got = bullring(t, "link", "--fault", "at 1ms crash 2; clog 0->1", "--n", "3", "--as", "tc", "--json")
	if err := json.Unmarshal([]byte(got.out), &report); err != nil || got.status != 0 {
		t.Fatalf("status %d, %v\n%s%s", got.status, err, got.out, got.errors)
	}
	if report.As != "tc" || !strings.HasPrefix(report.Script, "#!/bin/sh\n# A fault plan for 3 processes") || !strings.Contains(report.Script, "\ncrash 2\n") ||
		len(report.Missing) != 1 || report.Missing[0] != "clog 0->1: iptables only drops packets" {
		t.Errorf("%+v", report)
	}
	for _, args := range [][]string{{"delay exp(1ms)", "--as", "tc"}, {"--fault", "clog *", "--as", "tc"}} {
		got := bullring(t, append([]string{"link"}, args...)...)
		if got.status != statusFailed || got.out != "" || !strings.Contains(got.errors, "nothing can be exported to "+args[len(args)-1]+":\n  ") {
			t.Errorf("%q: status %d, %q, %q", args, got.status, got.out, got.errors)
		}
	}
}

func TestLinkErrors(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "link takes a LINE, such as 'delay 20ms 5ms loss 1%'; --presets lists lines with a name"},
		{[]string{"los 5%"}, `link "los 5%": "los" (column 1) does not begin a clause (did you mean "loss"?)`},
		{[]string{"delay", "20"}, `link "delay 20": delay: "20" (column 7) is not a valid time: it lacks a unit, as in 20ms`},
		{[]string{"delay trace gone.txt"}, `delay: "gone.txt" (column 13) cannot be read: no such file or directory`},
		{[]string{"--presets", "wan"}, `link takes no argument; given is ["wan"]`},
		{[]string{"wan", "--link-mode", "linux"}, `--link-mode "linux": allowed are exact, compat`},
		{[]string{"wan", "--samples", "0"}, `--samples "0": it takes a whole number from 1 to 10000000`},
		{[]string{"wan", "--interval", "5"}, `--interval "5": it takes a duration from 0s to 12h0m0s, such as 10ms`},
		{[]string{"wan", "--samples", "1000000", "--interval", "12h"}, "take longer than virtual time lasts"},
		{[]string{"wan", "--as", "nftables"}, `--as "nftables": allowed are tc`},
		{[]string{"wan", "--dev", "eth1"}, "--dev needs --as"},
		{[]string{"--fault", "crash 1"}, "--fault needs --as"},
		{[]string{"wan", "--as", "tc", "--samples", "5"}, "--samples does not go with --as tc"},
		{[]string{"wan", "--as", "tc", "--dev", "eth0; reboot"}, `--dev "eth0; reboot": it takes the name of an interface, such as eth0`},
		{[]string{"wan", "--as", "tc", "--fault", "crash 9"}, `fault "crash 9": there is no process 9; addresses are 0..4`},
	} {
		got := bullring(t, append([]string{"link"}, c.args...)...)
		if got.status != statusUsage || got.out != "" || !strings.Contains(got.errors, c.want) {
			t.Errorf("%q: status %d, %q, %q; want %s", c.args, got.status, got.out, got.errors, c.want)
		}
	}
}
