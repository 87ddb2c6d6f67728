package cli

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
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

// free is a free port of this machine.
func free(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// Hosts join a run, and the nodes are dealt to them. What does not know the token is let go.
func TestHosts(t *testing.T) {
	t.Chdir(t.TempDir())
	at := free(t)
	ran := make(chan outcome, 1)
	go func() {
		ran <- bullring(t, words("live lcr --n 5 --placement decreasing --hosts 127.0.0.1,127.0.0.1 --token-file token --listen "+at)...)
	}()
	join := func(tokenFile string) *exec.Cmd {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "node", "--join", at, "--token-file", tokenFile)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return cmd
	}
	for { // until the run waits
		if conn, err := net.Dial("tcp", at); err == nil {
			fmt.Fprintf(conn, "GET / HTTP/1.1\r\n\r\n")
			conn.Close()
			break
		}
		time.Sleep(time.Millisecond)
	}
	if err := os.WriteFile("other", []byte(strings.Repeat("00", 16)), 0o600); err != nil {
		t.Fatal(err)
	}
	if stranger := join("other"); stranger.Wait() == nil {
		t.Error("a host with another token joined")
	}
	first, second := join("token"), join("token")
	got := <-ran
	if got.status != 0 || !strings.Contains(got.out, "one OS process a node, on 2 hosts, at rest") || !strings.Contains(got.out, "exact  messages 15  =   15") {
		t.Errorf("status %d, %s%s", got.status, got.out, got.errors)
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
