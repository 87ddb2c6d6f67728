package remote

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"bullring/netem"
	"bullring/netem/live"
	"bullring/protocols"
	"bullring/protocols/box"
	"bullring/protocols/election"
	"bullring/protocols/election/lcr"
)

// These make the test binary behave as a node, or as a coordinator of an endless run.
const (
	asNode        = "BULLRING_TEST_AS_NODE"
	asCoordinator = "BULLRING_TEST_AS_COORDINATOR"
)

// coordinate prints the numbers of the OS processes of the nodes, and waits to be killed.
func coordinate() {
	os.Unsetenv(asCoordinator)
	text := []byte(`{"Toy":"endless","N":3}`)
	own, _ := build(text, nil)
	own.Limit = 0
	Run(context.Background(), Config{Config: own, Setting: text, Token: live.NewToken(), Command: func() *exec.Cmd {
		cmd := exec.Command("sh", "-c", `echo $$ >&3; exec "$0"`, os.Args[0])
		cmd.ExtraFiles = []*os.File{os.Stdout}
		cmd.Env = append(os.Environ(), asNode+"=1")
		return cmd
	}})
}

func TestMain(m *testing.M) {
	switch {
	case os.Getenv(asCoordinator) != "":
		coordinate()
	case os.Getenv(asNode) == "":
		os.Exit(m.Run())
	}
	if err := Node(os.Stdin, os.Stdout, build); err != nil {
		os.Exit(1)
	}
}

func asProgram() *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), asNode+"=1")
	return cmd
}

// setting is the setting of the tests.
type setting struct {
	Toy string
	N   int
}

func build(text json.RawMessage, _ map[string][]byte) (c live.Config, err error) {
	var s setting
	if err := json.Unmarshal(text, &s); err != nil {
		return c, err
	}
	c = live.Config{Topology: netem.Ring(s.N), Limit: time.Minute}
	switch s.Toy {
	case "lcr":
		for i := range s.N {
			c.Initiators = append(c.Initiators, protocols.ID(i))
		}
		c.Boot = func(p protocols.ID) protocols.Process[box.Message] {
			return box.Wrap(lcr.New(election.Rank{ID: election.Identity(s.N - int(p))}, lcr.Config{}))
		}
	case "cannot":
		return c, errors.New("no such toy")
	case "exits":
		os.Exit(3)
	case "hangs":
		time.Sleep(time.Hour)
	case "garbage":
		fmt.Println("hello")
		fallthrough
	default:
		c.Initiators = []protocols.ID{0}
		c.Boot = func(p protocols.ID) protocols.Process[box.Message] {
			if after, dies := strings.CutPrefix(s.Toy, "dies after "); dies && p == 1 && os.Getenv(asNode) != "" {
				go die(after)
			}
			return box.Wrap(&walker{toy: s.Toy})
		}
	}
	return c, nil
}

// die kills this OS process after a time.
func die(after string) {
	d, err := time.ParseDuration(after)
	if err != nil {
		panic(err)
	}
	time.Sleep(d)
	self, _ := os.FindProcess(os.Getpid())
	self.Kill()
}

// configure returns a run on this machine.
func configure(t *testing.T, s setting) Config {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	own, err := build(text, nil)
	if err != nil {
		t.Fatal(err)
	}
	return Config{Config: own, Setting: text, Token: live.NewToken(), Command: asProgram}
}

// TestCountsOfLCR: with identities that decrease it sends n(n+1)/2 messages, in all schedules.
func TestCountsOfLCR(t *testing.T) {
	rec, err := Run(t.Context(), configure(t, setting{"lcr", 5}))
	if err != nil {
		t.Fatal(err)
	}
	sent := 0
	for _, s := range rec.Steps {
		sent += len(s.Sent)
	}
	if handled := len(rec.Latencies()); rec.End != live.Rest || sent != 15 || handled != 15 {
		t.Errorf("%v after %d messages, and %d were handled; want rest after 15", rec.End, sent, handled)
	}
}

// balanced reports what of a run at rest is not as it must be: each message was sent, and then it
// was received or lost once.
func balanced(t *testing.T, rec *live.Recording) {
	t.Helper()
	if rec.End != live.Rest {
		t.Errorf("%v (%v), not rest", rec.End, rec.Failed)
	}
	way := map[uint64]bool{}
	for _, s := range rec.Steps {
		if s.Message != nil {
			if !way[s.Number] {
				t.Errorf("message %d was not on its way at %s %d->%d, clock %d", s.Number, s.What, s.From, s.Who, s.Clock)
			}
			delete(way, s.Number)
		}
		for _, m := range s.Sent {
			way[m.Number] = true
		}
	}
	if len(way) > 0 {
		t.Errorf("%d messages were neither received nor lost: %v", len(way), way)
	}
}

func TestMaxSteps(t *testing.T) {
	c := configure(t, setting{"endless", 2})
	c.MaxSteps = 20
	rec, err := Run(t.Context(), c)
	if err != nil || rec.End != live.OutOfSteps || len(rec.Steps) > 20 || len(rec.Steps) < 10 {
		t.Errorf("%v, %v after %d steps", err, rec.End, len(rec.Steps))
	}
}

// TestKilledAndRestarted: an OS process is killed at an instant, and the next one has what it kept.
func TestKilledAndRestarted(t *testing.T) {
	for name, faults := range map[string][]Fault{
		"at an instant":  {{Who: 1, At: 10 * time.Millisecond}, {Who: 1, At: 11 * time.Millisecond, Restart: true}},
		"amid its start": {{Who: 0, Doom: &Doom{Kind: -1, Sends: 1, For: time.Millisecond}}},
		"amid a step":    {{Who: 1, Doom: &Doom{Kind: -1, Sends: 3, For: time.Millisecond}}},
		"before a send":  {{Who: 1, Doom: &Doom{Kind: 0, Sends: 0, For: time.Millisecond}}},
		"twice":          {{Who: 1, Doom: &Doom{Kind: 0, Sends: 2, For: time.Millisecond}}, {Who: 1, Doom: &Doom{Kind: 0, Sends: 5, For: time.Millisecond}}},
		"both":           {{Who: 1, Doom: &Doom{Kind: 0, Sends: 3, For: time.Millisecond}}, {Who: 0, Doom: &Doom{Kind: 0, Sends: 3, For: time.Millisecond}}},
		"from the start": {{Who: 1}, {Who: 1, At: time.Millisecond, Restart: true}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := configure(t, setting{"walker", 2})
			c.Faults = faults
			rec, err := Run(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			balanced(t, rec)
			seen := []int{0, 0}
			for _, s := range rec.Steps {
				switch s.What {
				case "deliver":
					seen[s.Who] = s.Message.(box.Message).Inside.(hop).Hop
				case "restart":
					if m := s.Sent[0].Message.(box.Message).Inside.(hop); m.Hop != seen[s.Who]+1 {
						t.Errorf("process %d had seen hop %d, and goes on with %d after its restart", s.Who, seen[s.Who], m.Hop)
					}
				}
			}
			crashes, restarts := 0, 0
			for _, s := range rec.Steps {
				switch s.What {
				case "crash":
					crashes++
				case "restart":
					restarts++
				}
			}
			if want := map[bool]int{true: 2, false: 1}[name == "twice" || name == "both"]; crashes != want || restarts != want {
				t.Errorf("%d crashes and %d restarts, not %d", crashes, restarts, want)
			}
		})
	}
}

// TestStrangers: what strangers send to the port of the coordinator ends nothing, nor does what is
// sent by a program that knows the token, and is no host. They may not stay.
func TestStrangers(t *testing.T) {
	c := configure(t, setting{"lcr", 3})
	joins := c.serve(t, "127.0.0.1")
	var told []string
	c.Tell = func(what string) { told = append(told, what) }
	end := make(chan live.End, 1)
	go func() {
		rec, err := Run(t.Context(), c)
		if err != nil {
			t.Error(err)
			rec = &live.Recording{End: live.Panicked}
		}
		end <- rec.End
	}()
	noise := make([]byte, 1000)
	rand.Read(noise)
	addr := <-joins
	for text, knows := range map[string]bool{
		"": false, "x": false, string(noise): false, strings.Repeat("\n", 1000): false,
		string(c.Token[:]) + "{}\n": false, string(noise) + "x": true, "{}\n": true, `{"Program":"` + strings.Repeat("x", 1<<20): true,
	} {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close() // the one that says too little may wait
		if knows {
			if _, err := c.Token.Dialled(conn, live.Hosting); err != nil {
				t.Fatal(err)
			}
		}
		conn.Write([]byte(text))
	}
	err := (Host{Token: live.NewToken(), Listen: "127.0.0.1", Command: asProgram}).Join(t.Context(), addr)
	if err == nil || !strings.Contains(err.Error(), "has not proven that it knows the token of this machine") {
		t.Errorf("a host with another token: %v", err)
	}
	if err := (Host{Token: c.Token, Listen: "127.0.0.1", Command: asProgram}).Join(t.Context(), addr); err != nil {
		t.Error(err)
	}
	if e := <-end; e != live.Rest {
		t.Errorf("%v, not rest", e)
	}
	if all := strings.Join(told, "\n"); !strings.Contains(all, "127.0.0.1 may not join: the other end does not know the token") || !strings.Contains(all, "127.0.0.1 has joined") {
		t.Errorf("the user is told %q", all)
	}
}

// serve lets the coordinator wait for hosts. It returns a channel with its address, for each of them.
func (c *Config) serve(t *testing.T, hosts ...string) <-chan string {
	t.Helper()
	addr := make(chan string, len(hosts))
	c.Listen, c.Hosts = "127.0.0.1:0", hosts
	c.Listening = func(a net.Addr) {
		for range hosts {
			addr <- a.String()
		}
	}
	return addr
}

// TestFailures: what ends in another way than by a crash of the plan is named.
func TestFailures(t *testing.T) {
	for toy, want := range map[string]string{
		"panics":  "process 1 panicked: on purpose",
		"exits":   "its OS process ended: exit status 3",
		"cannot":  "no such toy",
		"garbage": "no line of this protocol",
		"differs": "process 0 does not do the same again in its step start",
	} {
		t.Run(toy, func(t *testing.T) {
			t.Parallel()
			c := configure(t, setting{"walker", 2})
			c.Setting = json.RawMessage(`{"Toy":"` + toy + `","N":2}`)
			c.Faults = []Fault{{Who: 0, Doom: &Doom{Kind: 0, Sends: 3, For: time.Millisecond}}}
			rec, err := Run(t.Context(), c)
			if err == nil && rec.Failed != nil {
				err = rec.Failed
			}
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v; want %q", err, want)
			}
		})
	}
}

// TestLaunch: a node that hangs before it starts, and one whose program does not start, are named.
func TestLaunch(t *testing.T) {
	c := configure(t, setting{"walker", 2})
	c.Setting, c.Launch = json.RawMessage(`{"Toy":"hangs","N":2}`), 100*time.Millisecond
	_, err := Run(t.Context(), c)
	if want := "out of time before all nodes had started; nodes that do not take connections yet: 0 on 127.0.0.1, 1 on 127.0.0.1"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v; want %q", err, want)
	}
	c = configure(t, setting{"walker", 2})
	c.Command = func() *exec.Cmd { return exec.Command("/no/such/program") }
	if _, err = Run(t.Context(), c); err == nil || !strings.Contains(err.Error(), "/no/such/program") {
		t.Errorf("%v; want the name of the program", err)
	}
}

// TestUnreadLines: a node that does not read what it is told lets its host go on, and a host that
// does not read is gone for the coordinator.
func TestUnreadLines(t *testing.T) {
	h := &host{Host: Host{Command: asProgram}, out: &writer{w: io.Discard}, nodes: map[protocols.ID]*child{}}
	orders := []order{{What: "spawn"}, {What: "tell", Line: &command{What: "job", Job: &job{Setting: json.RawMessage(`{"Toy":"hangs"}`)}}}}
	for range 1000 {
		orders = append(orders, order{What: "tell", Line: &command{What: "log", Addr: strings.Repeat("x", 1000)}})
	}
	for i := range orders {
		if err := h.obey(&orders[i]); err != nil {
			t.Fatal(err)
		}
	}
	h.end()
	near, far := net.Pipe()
	out := &writer{w: impatient{near, time.Millisecond}}
	if err := out.write(order{What: "welcome"}); err == nil {
		t.Error("a line was written that was not read")
	}
	if _, err := far.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("the connection is not closed: %v", err)
	}
}

// TestMissingHost: a host that does not join is named, and one that has joined is let go.
func TestMissingHost(t *testing.T) {
	c := configure(t, setting{"walker", 2})
	addr := c.serve(t, "127.0.0.1", "127.0.0.2")
	c.Launch = time.Second
	left := make(chan error, 1)
	go func() {
		left <- Host{Token: c.Token, Listen: "127.0.0.1", Command: asProgram}.Join(t.Context(), <-addr)
	}()
	_, err := Run(t.Context(), c)
	if want := "not all hosts have joined; missing:"; err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "127.0.0.2") {
		t.Errorf("%v; want %q and 127.0.0.2", err, want)
	}
	select {
	case <-left: // also with an error, if it came too late
	case <-time.After(time.Minute):
		t.Error("a host that has joined is not let go")
	}
}

// TestHostVanishes: then the run does not come to rest, and what is recorded is a run that may have
// been.
func TestHostVanishes(t *testing.T) {
	c := configure(t, setting{"endless", 2})
	addr := c.serve(t, "127.0.0.1", "127.0.0.1")
	c.Quiet = 50 * time.Millisecond
	first, vanish := context.WithCancel(t.Context())
	for _, ctx := range []context.Context{first, t.Context()} {
		go func() {
			if err := (Host{Token: c.Token, Listen: "127.0.0.1", Command: asProgram}).Join(ctx, <-addr); err != nil {
				t.Error(err)
			}
		}()
	}
	time.AfterFunc(300*time.Millisecond, vanish)
	rec, err := Run(t.Context(), c)
	if err != nil {
		t.Skip("the host vanished before the run began: ", err)
	}
	if rec.End != live.Silence {
		t.Errorf("%v, not silence", rec.End)
	}
}
