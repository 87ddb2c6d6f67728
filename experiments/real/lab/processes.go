package lab

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"slices"

	"bullring/experiments/trial"
	"bullring/faults"
	"bullring/internal/regular"
	"bullring/netem/live"
	"bullring/netem/live/remote"
)

// Processes says that each node of a live run has an OS process of its own, and where.
type Processes struct {
	// Command returns a command that calls remote.Node with Build; for this machine.
	Command func() *exec.Cmd
	// Hosts are the addresses from which hosts join, at Listen, with the Token. Without them, all
	// is on this machine.
	Hosts  []string
	Listen string
	Token  live.Token
	// Listening is called with the address at which hosts join, Tell with a sentence about each
	// host that joins or is refused.
	Listening func(addr net.Addr)
	Tell      func(what string)
}

// String completes "over tcp".
func (p *Processes) String() string {
	if len(p.Hosts) == 0 {
		return "one OS process a node"
	}
	return fmt.Sprintf("one OS process a node, on %d hosts", len(p.Hosts))
}

// Over says what carries the messages of a live run, and between whom.
func (o Options) Over() string {
	if o.Processes == nil {
		return o.Sockets.String()
	}
	return o.Sockets.String() + ", " + o.Processes.String()
}

// Build returns what makes the configuration of a node in an OS process of its own. A setting comes
// from another machine: it starts no program, and opens no file of this one.
func Build(r *trial.Registry) remote.Build {
	return func(text json.RawMessage, files map[string][]byte) (c live.Config, err error) {
		var s trial.Setting
		if err := json.Unmarshal(text, &s); err != nil {
			return c, err
		}
		own := *r
		own.Nodes, own.Read = nil, func(name string) ([]byte, error) {
			content, ok := files[name]
			if !ok {
				return nil, fmt.Errorf("%s did not come with the run", name)
			}
			return content, nil
		}
		in, err := own.Instance(s)
		if err != nil {
			return c, err
		}
		c = configOf(in, Options{})
		c.Boot = trial.Stack(in)
		return c, nil
	}
}

// filesOf reads the files that a setting names.
func filesOf(r *trial.Registry, s trial.Setting) (map[string][]byte, error) {
	files, own := map[string][]byte{}, *r
	own.Read = func(name string) ([]byte, error) {
		content, err := regular.ReadInput(name)
		files[name] = content
		return content, err
	}
	_, err := own.Instance(s)
	return files, err
}

// runProcesses runs an instance with an OS process for each node.
func runProcesses(ctx context.Context, r *trial.Registry, in *trial.Instance, o Options) (*live.Recording, error) {
	p := o.Processes
	plan, err := killing(in)
	if err != nil {
		return nil, err
	}
	setting, err := json.Marshal(in.Setting)
	if err != nil {
		return nil, err
	}
	files, err := filesOf(r, in.Setting)
	if err != nil {
		return nil, err
	}
	c := remote.Config{
		Config: configOf(in, o), Setting: setting, Files: files, Faults: plan,
		Token: p.Token, Hosts: p.Hosts, Listen: p.Listen, Listening: p.Listening, Tell: p.Tell, Command: p.Command,
	}
	c.Boot = trial.Stack(in)
	return remote.Run(ctx, c)
}

// mostNodes is the most OS processes of nodes on a machine: each of 100 had 20 MB in memory.
const mostNodes = 1024

// refusedApart says what of an instance nodes in OS processes of their own cannot have.
func refusedApart(in *trial.Instance, o Options) error {
	if o.Processes == nil {
		return nil
	}
	if in.InPrograms() {
		return errors.New("--processes and --hosts go without --node: each program is an OS process already, which a crash kills, and hosts start no programs")
	}
	_, longest, bounded := in.Delay.Bounds()
	if !bounded || longest > 0 || len(in.Lines) > 0 {
		return errors.New("--processes: links are those of the sockets; there is no --delay and no --link")
	}
	if most := mostNodes * max(1, len(o.Processes.Hosts)); in.N > most {
		return fmt.Errorf("--processes: %d nodes; a machine runs at most %d OS processes, so this takes at most %d", in.N, mostNodes, most)
	}
	if o.Sockets != live.TCP {
		return errors.New("--processes: there is only --sockets tcp; with lost messages, no reports of OS processes say when a run is over")
	}
	_, err := killing(in)
	return err
}

// killing is the plan of an instance as one that kills and starts OS processes.
func killing(in *trial.Instance) (plan []remote.Fault, err error) {
	for _, f := range in.Drawn {
		if f.Kind == faults.Never || f.Kind == faults.Byzantine { // the program of a node, and no deed of its plan
			continue
		}
		known := f.When.On == faults.Beginning || f.When.On == faults.Instant
		one := remote.Fault{Who: f.Process, At: f.When.At.Sub(0), Restart: f.Kind == faults.Restart}
		switch {
		case f.Process < 0, !known, f.Kind != faults.Crash && f.Kind != faults.Restart, f.Amid && f.When.At > 0, f.With > 0:
			return nil, fmt.Errorf("--processes: %v: an OS process can crash at an instant or after so many sends, and restart", f)
		case f.Amid:
			one.Doom = &remote.Doom{Kind: slices.Index(in.Algorithm.Kinds, f.Message), Sends: f.Count, For: f.For}
		}
		plan = append(plan, one)
		if f.For > 0 && !f.Amid {
			plan = append(plan, remote.Fault{Who: f.Process, At: one.At + f.For, Restart: true})
		}
	}
	return plan, nil
}
