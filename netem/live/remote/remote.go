package remote

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os/exec"
	"time"

	"bullring/netem/live"
	"bullring/protocols"
)

// Config says what to run, and where.
type Config struct {
	// Of the configuration, the coordinator uses Topology, Boot, Initiators, Dead, Limit and
	// MaxSteps. If a host vanishes, the run ends in silence after Quiet.
	live.Config
	Setting json.RawMessage   // from it, Build of each host makes the same configuration
	Files   map[string][]byte // that the setting names, by name
	Faults  []Fault

	Token live.Token
	// Listen is the address, with a port, where the coordinator takes hosts. Hosts are the
	// addresses from which hosts join; node i runs on host i modulo their number. Without Hosts,
	// all nodes run on this machine, and Listen is not used.
	Listen  string
	Hosts   []string
	Command func() *exec.Cmd // calls Node; for this machine
	// Listening is told the address of the coordinator, and Tell in a sentence who joins and who
	// may not. They may be nil.
	Listening func(addr net.Addr)
	Tell      func(what string)
	// Launch is the longest time until all hosts have joined, and then again until all nodes have
	// started. 0 is defaultLaunch.
	Launch time.Duration
}

// Fault is a crash, or a restart of a process that has crashed.
type Fault struct {
	Who     protocols.ID
	At      time.Duration // the instant, since the run began; a crash at 0 is before it begins
	Restart bool
	Doom    *Doom // the process crashes in the middle of a step instead
}

// defaultQuiet is far above the time that a message takes between machines.
const defaultQuiet = 2 * time.Second

// defaultLaunch leaves time to walk to the hosts.
const defaultLaunch = 5 * time.Minute

// Run runs the processes until they rest or a limit is reached. The error says why the run could
// not begin.
func Run(ctx context.Context, c Config) (*live.Recording, error) {
	c.Quiet, c.Launch = cmp.Or(c.Quiet, defaultQuiet), cmp.Or(c.Launch, defaultLaunch)
	if c.Listen == "" || len(c.Hosts) == 0 {
		c.Listen = "127.0.0.1:0"
	}
	l, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return nil, fmt.Errorf("remote: %w", err)
	}
	defer l.Close()
	if c.Tell == nil {
		c.Tell = func(string) {}
	}
	if c.Listening != nil {
		c.Listening(l.Addr())
	}
	hosting, cancel := context.WithCancel(ctx)
	local := make(chan error, 1)
	if len(c.Hosts) == 0 {
		c.Hosts = []string{"127.0.0.1"}
		go func() {
			defer close(local)
			local <- Host{Token: c.Token, Listen: "127.0.0.1", Command: c.Command}.Join(hosting, l.Addr().String())
		}()
		defer func() { <-local }() // its nodes have ended
	}
	defer cancel()
	mail := newMailbox[event]()
	members, err := admit(hosting, l, &c, mail, local)
	defer func() {
		for _, g := range members {
			if g != nil {
				g.conn.Close()
			}
		}
	}()
	if err != nil {
		return nil, fmt.Errorf("remote: %w", err)
	}
	return newCoordinator(c, members, mail).run(hosting)
}
