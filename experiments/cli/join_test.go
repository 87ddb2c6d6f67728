package cli

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"bullring/netem/live"
)

// Nodes in OS processes of their own are killed and restarted, and the case of the run is
// replayed. Counts that hold for each order of events are those of the emulator.
func TestProcesses(t *testing.T) {
	t.Chdir(t.TempDir())
	for command, messages := range map[string]any{
		"lcr --n 5 --placement decreasing": 15.0,
		"bully --n 4 --initiators 0 --fault 'at 30ms crash 1 for 10ms' --outside-model --seed 1":                nil,
		"modifiedring --n 4 --fault 'crash 2 after 2 sends for 5ms' --outside-model --seed 1 --assume 5ms":      nil,
		"raft --n 3 --fault 'crash 1 after 1 sends of VOTE for 20ms' --outside-model --seed 1 --assume 20ms":    nil,
		"lcr --n 3 --transport reliable(20ms) --detector heartbeat(20ms,5s) --outside-model --placement random": nil,
	} {
		got, status := object(t, append([]string{"live", "--processes", "--json", "-o", "case.json"}, words(command)...)...)
		live, run := got["live"].(map[string]any), got["run"].(map[string]any)
		if status != 0 || live["end"] != "rest" || live["wrong"] != nil || messages != nil && run["messages"] != messages {
			t.Errorf("%q: status %d, %v, %v", command, status, live, run)
			continue
		}
		again, status := object(t, "run", "--schedule", "case.json", "--json")
		if status != 0 || again["fingerprint"] != run["fingerprint"] {
			t.Errorf("%q: status %d, fingerprint %v, not %v", command, status, again["fingerprint"], run["fingerprint"])
		}
	}
}

// Hosts join a run, and the nodes are dealt to them. What does not know the token is let go. The
// port is the one that the run prints, and the file of the topology is where the run is made alone.
func TestHosts(t *testing.T) {
	t.Chdir(t.TempDir())
	hosts := t.TempDir()
	for file, text := range map[string]string{"net.txt": "0 1\n1 2\n2 3\n3 4\n4 0\n", "other": strings.Repeat("00", 16)} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := exec.CommandContext(t.Context(), os.Args[0], words("live echo --topology file:net.txt --initiators 0 --hosts 127.0.0.1,127.0.0.1 --token-file token --listen 127.0.0.1:0")...)
	var out bytes.Buffer
	run.Stdout = &out
	stderr, err := run.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	said := bufio.NewReader(stderr)
	line, err := said.ReadString('\n')
	_, at, found := strings.Cut(line, "node --join ")
	if at, _, _ = strings.Cut(at, " "); err != nil || !found || strings.HasSuffix(at, ":0") {
		t.Fatalf("%q, %v", line, err)
	}
	conn, err := net.Dial("tcp", at)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(conn, "GET / HTTP/1.1\r\n\r\n")
	conn.Close()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	join := func(tokenFile string) *exec.Cmd {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "node", "--join", at, "--token-file", filepath.Join(here, tokenFile))
		cmd.Dir = hosts
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return cmd
	}
	if stranger := join("other"); stranger.Wait() == nil {
		t.Error("a host with another token joined")
	}
	first, second := join("token"), join("token")
	errors, _ := io.ReadAll(said)
	if err := run.Wait(); err != nil || !strings.Contains(out.String(), "one OS process a node, on 2 hosts, at rest") || !strings.Contains(out.String(), "messages 20  =   20") {
		t.Errorf("%v, %s%s", err, &out, errors)
	}
	if want := "127.0.0.1 may not join: the other end does not know the token"; !strings.Contains(string(errors), want) {
		t.Errorf("%s; want %q", errors, want)
	}
	for _, host := range []*exec.Cmd{first, second} {
		if err := host.Wait(); err != nil {
			t.Errorf("a host ended with %v", err)
		}
	}
}

func TestFlagsOfProcesses(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("short", []byte("abc"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("right", []byte(strings.Repeat("00", 16)), 0o600); err != nil {
		t.Fatal(err)
	}
	for command, want := range map[string]string{
		"live lcr --n 3 --processes --delay 1ms":                                           "no --delay and no --link",
		"live lcr --n 3 --processes --sockets udp":                                         "only --sockets tcp",
		"live bully --n 3 --processes --outside-model --fault 'cut 0->1'":                  "can crash at an instant",
		"node --join 127.0.0.1:1 --token-file right --listen 192.0.2.1":                    "nodes cannot take connections at 192.0.2.1",
		"node --join 127.0.0.1:1 --token-file right --listen 0.0.0.0":                      "other machines cannot reach that",
		"live lcr --n 3 --token-file t":                                                    "go with --hosts",
		"live lcr --n 3 --hosts 10.0.0.1":                                                  "needs --listen",
		"live lcr --n 3 --hosts 10.0.0.1,nowhere --listen 127.0.0.1:0 --token-file t":      `"nowhere" is no IP address`,
		"live lcr --n 3 --hosts , --listen 127.0.0.1:0 --token-file t":                     "names no host",
		"live lcr --n 3 --hosts missing --listen 127.0.0.1:0 --token-file t":               "no list of IP addresses, and no file",
		"live lcr --n 3 --hosts short --listen 127.0.0.1:0 --token-file t":                 `"abc" is no IP address`,
		"live lcr --n 3 --hosts 127.0.0.1 --listen 127.0.0.1:0 --token-file short":         "32 hexadecimal digits",
		"live lcr --n 3 --runs 2 --hosts 127.0.0.1 --listen 127.0.0.1:0 --token-file none": "--hosts is for one run",
		"node":                                       "needs --join",
		"node --maelstrom nothing":                   "--maelstrom: ",
		"node --maelstrom lcr --join 1.1.1.1:1":      "two kinds of nodes",
		"node --wait":                                "goes with --maelstrom",
		"node --n 3 --join 1.1.1.1:1":                "goes with --maelstrom",
		"node --maelstrom lcr --node cat":            "takes no --node",
		"node --join 127.0.0.1:1 --token-file short": "32 hexadecimal digits",
	} {
		if got := bullring(t, words(command)...); got.status != 2 || !strings.Contains(got.errors, want) {
			t.Errorf("%s: status %d, %s; want %q", command, got.status, got.errors, want)
		}
	}
}

// A token that others can read is refused, and one that is written is for its owner.
func TestTokenFiles(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no modes")
	}
	t.Chdir(t.TempDir())
	for _, mode := range []os.FileMode{0o640, 0o604, 0o620} {
		if err := os.WriteFile("token", []byte(strings.Repeat("0a", 16)), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod("token", mode); err != nil {
			t.Fatal(err)
		}
		for _, command := range []string{"node --join 127.0.0.1:1 --token-file token", "live lcr --n 3 --hosts 127.0.0.1 --listen 127.0.0.1:0 --token-file token"} {
			if got := bullring(t, words(command)...); got.status != 2 || !strings.Contains(got.errors, "chmod 600 token") {
				t.Errorf("%s, mode %#o: status %d, %s", command, mode, got.status, got.errors)
			}
		}
	}
	if err := writeToken("new", live.NewToken()); err != nil {
		t.Fatal(err)
	}
	if _, err := readToken("new"); err != nil {
		t.Error(err)
	}
	if err := writeToken("token", live.NewToken()); err == nil {
		t.Error("a file was overwritten")
	}
}

// Where hosts join is an address that they can use.
func TestJoinAt(t *testing.T) {
	real := &net.TCPAddr{IP: net.IPv6zero, Port: 4711}
	for given, want := range map[string]string{
		"10.0.0.1:0": "10.0.0.1:4711", "lab:4711": "lab:4711", "[::1]:0": "[::1]:4711",
		":0": "ADDRESS-OF-THIS-MACHINE:4711", "0.0.0.0:0": "ADDRESS-OF-THIS-MACHINE:4711", "[::]:0": "ADDRESS-OF-THIS-MACHINE:4711",
	} {
		if got := joinAt(given, real); got != want {
			t.Errorf("%s: %s, not %s", given, got, want)
		}
	}
}
