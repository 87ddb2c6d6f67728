package remote

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os/exec"
	"sync"

	"bullring/netem/live"
	"bullring/protocols"
)

// Host is a machine that runs nodes of a coordinator.
type Host struct {
	Token  live.Token
	Listen string // the address of this machine where its nodes take connections
	// Command returns a command that calls Node.
	Command func() *exec.Cmd
}

// host is a Host that has joined.
type host struct {
	Host
	files   map[string][]byte
	out     *writer
	nodes   map[protocols.ID]*child
	running sync.WaitGroup
}

// child is the OS process of a node.
type child struct {
	cmd      *exec.Cmd
	in       io.WriteCloser // its standard input
	commands *mailbox[*command]
	ended    chan struct{}
}

// speak writes the commands to a node until it has ended. A node that was stopped does not
// read; it does not hold up the other nodes of the host.
func (c *child) speak() {
	defer c.in.Close()
	w := &writer{w: c.in}
	for {
		select {
		case <-c.ended:
			return
		case <-c.commands.some:
		}
		for _, line := range c.commands.take() {
			if w.write(line) != nil {
				return // it has ended
			}
		}
	}
}

// Join joins the run of the coordinator at an address, and runs nodes until the coordinator ends
// the run or is gone. Then it kills the nodes.
func (h Host) Join(ctx context.Context, addr string) error {
	conn, err := (&net.Dialer{Timeout: live.Patience}).DialContext(ctx, "tcp", addr)
	if err != nil {
		return err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	program, err := program()
	if err != nil {
		return err
	}
	keys, err := h.Token.Dialled(conn, live.Hosting)
	if err != nil {
		return fmt.Errorf("what listens at %s has not proven that it knows the token of this machine; copy the token file of the run: %w", addr, err)
	}
	own := &host{Host: h, out: &writer{w: conn, seal: &seal{key: keys.Out}}, nodes: map[protocols.ID]*child{}}
	if err := own.out.write(hello{program}); err != nil {
		return err
	}
	next := lines[order](conn, &seal{key: keys.In})
	first, err := next()
	switch {
	case err != nil:
		return fmt.Errorf("the run of the coordinator at %s is over, or has begun without this host: %w", addr, err)
	case first.What == "refuse":
		return errors.New("the coordinator at " + addr + " refuses: " + first.Why)
	}
	own.files = first.Files
	defer own.end()
	var failed error // to start a node, which the coordinator is told and ends the run
	for {
		o, err := next()
		if errors.Is(err, errSeal) {
			return fmt.Errorf("the connection to the coordinator at %s: %w", addr, err)
		}
		if err != nil {
			return failed // the run is over
		}
		// A connection that ends with orders unread may lose what the coordinator was told last.
		switch err := own.obey(o); {
		case err != nil && o.What == "spawn":
			failed = cmp.Or(failed, err)
		case err != nil:
			return cmp.Or(failed, err)
		}
	}
}

// end kills all nodes.
func (h *host) end() {
	for _, c := range h.nodes {
		c.cmd.Process.Kill()
	}
	h.running.Wait()
}

// obey carries out an order.
func (h *host) obey(o *order) error {
	switch c := h.nodes[o.Who]; {
	case o.What == "spawn":
		err := h.spawn(o.Who)
		if err != nil {
			h.out.write(news{Who: o.Who, Line: &report{What: "failed", Why: err.Error()}})
		}
		return err
	case c == nil:
		return fmt.Errorf("the coordinator speaks of node %d, which is not here", o.Who)
	case o.What == "kill":
		c.cmd.Process.Kill()
	default:
		if o.Line.Job != nil {
			o.Line.Job.given = given{h.files, h.Listen, h.Token.String()}
		}
		c.commands.put(o.Line)
	}
	return nil
}

// spawn starts the OS process of a node.
func (h *host) spawn(who protocols.ID) error {
	cmd := h.Command()
	stderr := &tail{}
	cmd.Stderr = stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	c := &child{cmd, in, newMailbox[*command](), make(chan struct{})}
	h.nodes[who] = c
	h.running.Go(c.speak)
	h.running.Go(func() {
		defer close(c.ended)
		h.follow(who, out)
		end := news{Who: who, Ended: true}
		if err := cmd.Wait(); err != nil {
			end.Killed = cmd.ProcessState.ExitCode() < 0
			end.Why = fmt.Sprintf("%v\n%s", err, stderr)
		}
		h.out.write(end)
	})
	return nil
}

// follow hands on what a node reports until it has ended. It reads all that the node has written,
// also if it was killed.
func (h *host) follow(who protocols.ID, out io.Reader) {
	next := lines[report](out, nil)
	for {
		r, err := next()
		if err == io.EOF {
			return
		}
		if err != nil {
			h.out.write(news{Who: who, Line: &report{What: "failed", Why: err.Error()}})
			io.Copy(io.Discard, out)
			return
		}
		h.out.write(news{Who: who, Line: r})
	}
}

// tail is the end of what a node prints on its standard error.
type tail struct{ text []byte }

func (t *tail) Write(p []byte) (int, error) {
	t.text = append(t.text, p...)
	t.text = t.text[max(0, len(t.text)-1<<12):]
	return len(p), nil
}

func (t *tail) String() string { return string(bytes.TrimSpace(t.text)) }
