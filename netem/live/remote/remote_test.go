package remote

import (
	"encoding/json"
	"os"
	"os/exec"
	"testing"
	"time"

	"bullring/netem"
	"bullring/netem/live"
	"bullring/protocols"
	"bullring/protocols/box"
	"bullring/protocols/election"
	"bullring/protocols/election/lcr"
)

// asNode makes the test binary behave as a node.
const asNode = "BULLRING_TEST_AS_NODE"

func TestMain(m *testing.M) {
	if os.Getenv(asNode) == "" {
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

// setting is what the tests run.
type setting struct {
	Toy string
	N   int
}

func build(text json.RawMessage) (c live.Config, err error) {
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
	default:
		c.Initiators = []protocols.ID{0}
		c.Boot = func(protocols.ID) protocols.Process[box.Message] { return box.Wrap(&walker{}) }
	}
	return c, nil
}

// configure returns a run on this machine.
func configure(t *testing.T, s setting) Config {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	own, err := build(text)
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
		t.Errorf("%v after %d messages, of which %d were handled; want rest after 15", rec.End, sent, handled)
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

// TestKilledAndRestarted: an OS process is killed at an instant, and the next one has what it kept.
func TestKilledAndRestarted(t *testing.T) {
	for name, faults := range map[string][]Fault{
		"at an instant":  {{Who: 1, At: 10 * time.Millisecond}, {Who: 1, At: 11 * time.Millisecond, Restart: true}},
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
					seen[s.Who] = s.Message.(box.Message).Inside.(step).Hop
				case "restart":
					if m := s.Sent[0].Message.(box.Message).Inside.(step); m.Hop != seen[s.Who]+1 {
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
