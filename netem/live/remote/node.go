package remote

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"bullring/netem"
	"bullring/netem/live"
	"bullring/protocols"
	"bullring/protocols/box"
)

// Build makes the configuration of a run from its setting.
//
// It opens no file: files are those that the setting names, by name.
type Build func(setting json.RawMessage, files map[string][]byte) (live.Config, error)

// Doom is a crash in the middle of a step: right after the Sends-th message of the kind, or right
// before the first if Sends is 0.
type Doom struct {
	Kind  int // -1 for every kind
	Sends uint64
	For   time.Duration `json:",omitempty"` // until the restart; 0 is never
	sent  uint64
}

// node is the node of this OS process.
type node struct {
	out     *writer
	build   Build
	process protocols.Process[box.Message] // decodes messages
	single  *live.Single
	dooms   []Doom        // that have not struck
	back    time.Duration // For of that which strikes now
}

// Node is the life of an OS process with one node. It takes commands from a host and reports to
// it. It returns when in has ended, so no node outlives its host.
func Node(in io.Reader, out io.Writer, build Build) error {
	signal.Ignore(os.Interrupt, syscall.SIGTERM) // they are for the coordinator, which ends the nodes
	n := &node{out: &writer{w: out}, build: build}
	commands, ended := newMailbox[*command](), make(chan error, 2)
	go func() {
		for next := lines[command](in, nil); ; {
			c, err := next()
			if err != nil {
				ended <- err
				return
			}
			commands.put(c)
		}
	}()
	go func() { ended <- n.obey(commands) }()
	err := <-ended // also if a command waits, such as for a peer that does not read
	if err == io.EOF {
		return nil
	}
	n.out.write(report{What: "failed", Why: err.Error()})
	return err
}

// obey carries out commands until it cannot.
func (n *node) obey(commands *mailbox[*command]) error {
	for range commands.some {
		for _, c := range commands.take() {
			if err := n.do(c); err != nil {
				return err
			}
		}
	}
	return nil
}

// do carries out a command.
func (n *node) do(c *command) error {
	switch c.What {
	case "job":
		return n.take(c.Job)
	case "log":
		return n.again(c.Step)
	case "listen":
		return n.out.write(report{What: "listens", Addr: n.single.Addr()})
	case "peer":
		go n.connect(c.Who, c.Addr)
	case "start":
		n.single.Start(time.Unix(0, c.Begin), c.Down, c.Initiator)
		return n.out.write(report{What: "started"})
	case "restart":
		n.single.Restart(time.Unix(0, c.Begin), c.Floor, c.Down)
	case "go":
		go func() {
			n.out.write(report{What: "failed", Why: fmt.Sprint(n.single.Work(c.Floor).Value)})
		}()
	case "crashed", "back":
		n.single.Tell(c.Who, c.What == "crashed", c.Floor)
	default:
		return fmt.Errorf("no command %q is known", c.What)
	}
	return nil
}

// connect connects to the present life of a peer. It gives up after a while: the peer has crashed,
// or cannot be reached.
func (n *node) connect(peer protocols.ID, addr string) {
	r := report{What: "linked", Who: peer, Addr: addr}
	for end := time.Now().Add(live.Patience); ; time.Sleep(10 * time.Millisecond) {
		err := n.single.Connect(peer, addr, func() { n.out.write(r) })
		if err == nil {
			return
		}
		if time.Now().After(end) {
			r.What, r.Why = "unlinked", err.Error()
			n.out.write(r)
			return
		}
	}
}

func (n *node) take(j *job) error {
	token, err := live.ParseToken(j.Token)
	if err != nil {
		return err
	}
	config, err := n.build(j.Setting, j.Files)
	if err != nil {
		return err
	}
	n.dooms, n.process = j.Dooms, config.Boot(j.Who)
	n.single, err = live.NewSingle(config, j.Who, j.Listen, token, n)
	return err
}

// again takes a step of an earlier life again.
func (n *node) again(text json.RawMessage) error {
	s, err := live.UnmarshalStep(n.process, text)
	if err != nil {
		return err
	}
	return n.single.Again(s)
}

// Strikes implements [live.Supervisor], as the methods below do.
func (n *node) Strikes(s *live.Step) bool {
	return s.Strike(func(m *netem.Sent) (leaves, crashes bool) { return n.strikes(m.Message.(box.Message).Kind()) })
}

// strikes reports whether a message that is about to leave does, and whether the process crashes
// then.
func (n *node) strikes(kind int) (leaves, crashes bool) {
	struck := -1
	for i := range n.dooms {
		d := &n.dooms[i]
		if d.Kind >= 0 && d.Kind != kind {
			continue
		}
		if d.Sends == 0 {
			struck, leaves = i, false
			break
		}
		if d.sent++; d.sent == d.Sends && struck < 0 {
			struck, leaves = i, true
		}
	}
	if struck < 0 {
		return true, false
	}
	n.back = n.dooms[struck].For
	n.dooms = slices.Delete(n.dooms, struck, struck+1)
	return leaves, true
}

func (n *node) Record(s *live.Step, armed int, crashes bool) {
	text, err := live.MarshalStep(s)
	if err != nil {
		n.out.write(report{What: "failed", Why: err.Error()})
		select {} // the step is not recorded, so its messages do not leave
	}
	n.out.write(report{What: "step", Step: text, Armed: armed, Amid: crashes, Back: n.back})
}

// Die kills this OS process. What has left stays on its way: the kernel has it.
func (n *node) Die() {
	self, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = self.Kill()
	}
	panic(fmt.Sprint("this OS process cannot kill itself: ", err)) // or is killed before
}

func (n *node) Gone(peer protocols.ID) { n.out.write(report{What: "gone", Who: peer}) }
