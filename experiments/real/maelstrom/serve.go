package maelstrom

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"bullring/experiments/trial"
	"bullring/protocols"
)

// Config says what a node runs.
type Config struct {
	// Instance returns the instance of a run with n processes.
	Instance func(n int) (*trial.Instance, error)
	// Wait: an initiator starts when a client asks for it, and not after init.
	Wait bool
}

// Limits of what comes from outside.
const (
	longestLine = 1 << 20 // bytes
	mostEarly   = 1 << 24 // bytes of messages that come before init
	mostShown   = 200     // bytes of a line on the log
)

// Codes of errors of Maelstrom.
const (
	notSupported = 10
	unavailable  = 11
	malformed    = 12
	crashed      = 13
)

// server reads lines and writes lines.
type server struct {
	Config
	out     *bufio.Writer
	log     io.Writer
	node    *node    // nil before init
	early   [][]byte // lines that came before init
	waiting int      // bytes of early
	expired chan expiry
	closed  <-chan struct{}
}

// expiry is a timer that has expired.
type expiry struct {
	timer *time.Timer
	label protocols.Timer
}

// Serve is a node until its input ends, or the context. What it cannot use it reports on log. The
// error says why the node could not go on.
func Serve(ctx context.Context, in io.Reader, out, log io.Writer, c Config) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &server{Config: c, out: bufio.NewWriter(out), log: log, expired: make(chan expiry), closed: ctx.Done()}
	lines, failed := make(chan []byte), make(chan error, 1)
	go func() {
		failed <- s.read(in, lines)
		close(lines)
	}()
	for {
		var err error
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case line, more := <-lines:
			if !more {
				return <-failed
			}
			err = s.guard(func() error { return s.hear(line) })
		case e := <-s.expired:
			err = s.guard(func() error { s.node.expire(e.timer, e.label); return nil })
		}
		if err := errors.Join(err, s.out.Flush()); err != nil {
			return err
		}
	}
}

// read reads the lines of the input.
func (s *server) read(in io.Reader, lines chan<- []byte) error {
	scanner := bufio.NewScanner(in)
	scanner.Buffer(nil, longestLine)
	for scanner.Scan() {
		select {
		case lines <- slices.Clone(scanner.Bytes()):
		case <-s.closed:
			return nil
		}
	}
	if errors.Is(scanner.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("a line of the input has more than %d bytes", longestLine)
	}
	return scanner.Err()
}

// guard returns the panic of a handler as an error.
func (s *server) guard(handler func() error) (err error) {
	defer func() {
		if x := recover(); x != nil {
			err = fmt.Errorf("the process panicked: %v", x)
		}
	}()
	return handler()
}

// packet is a line.
type packet struct {
	Src  string          `json:"src"`
	Dest string          `json:"dest"`
	Body json.RawMessage `json:"body"`
}

// request is the body of a line.
type request struct {
	letter
	ID      *int64   `json:"msg_id"`
	NodeID  string   `json:"node_id"`
	NodeIDs []string `json:"node_ids"`
}

// hear handles a line. The error ends the node.
func (s *server) hear(line []byte) error {
	var p packet
	var r request
	if json.Unmarshal(line, &p) != nil || json.Unmarshal(p.Body, &r) != nil || r.Type == "" {
		s.ignore(line, errors.New("it is no JSON object with src, dest, and a body with a type"))
		return nil
	}
	switch {
	case s.node == nil && r.Type == "init":
		return s.init(p, r)
	case s.node == nil && r.ID == nil:
		if s.waiting += len(line); s.waiting > mostEarly {
			s.ignore(line, fmt.Errorf("more than %d bytes have come before init", mostEarly))
			return nil
		}
		s.early = append(s.early, line)
		return nil
	case s.node == nil:
		s.fail(p, r, unavailable, "init has not come yet")
		return nil
	}
	if from := slices.Index(s.node.names, p.Src); from >= 0 {
		s.receive(line, protocols.ID(from), r.letter)
	} else {
		s.serve(p, r)
	}
	return nil
}

// init begins the life of the process.
func (s *server) init(p packet, r request) error {
	id := slices.Index(r.NodeIDs, r.NodeID)
	if id < 0 {
		s.fail(p, r, malformed, "node_id is none of node_ids")
		return nil
	}
	if named := slices.Compact(slices.Sorted(slices.Values(r.NodeIDs))); len(named) < len(r.NodeIDs) {
		s.fail(p, r, malformed, "node_ids has a name twice")
		return nil
	}
	in, err := s.Instance(len(r.NodeIDs))
	if err != nil {
		s.fail(p, r, crashed, err.Error())
		return err
	}
	s.node = newNode(in, protocols.ID(id), r.NodeIDs)
	s.node.write = func(dest string, body any) { s.write(r.NodeID, dest, body) }
	s.node.expired = func(t *time.Timer, label protocols.Timer) {
		select {
		case s.expired <- expiry{t, label}:
		case <-s.closed:
		}
	}
	s.reply(p, r, map[string]any{"type": "init_ok"})
	if !in.IsDead(s.node.id) {
		s.node.boot()
		if in.Initiators.Has(s.node.id) && !s.Wait {
			s.node.process.Start(s.node)
		}
	}
	for _, line := range s.early {
		if err := s.hear(line); err != nil {
			return err
		}
	}
	s.early = nil
	return nil
}

// receive hands a message to the process. A dead one takes none.
func (s *server) receive(line []byte, from protocols.ID, l letter) {
	m, err := s.node.open(from, l)
	switch {
	case err != nil:
		s.ignore(line, err)
	case !s.node.in.IsDead(s.node.id):
		s.node.process.Receive(s.node, from, m)
	}
}

// serve handles what a client says.
func (s *server) serve(p packet, r request) {
	switch {
	case r.Type == "start" && s.node.in.IsDead(s.node.id):
		s.fail(p, r, unavailable, "the process is dead")
	case r.Type == "start":
		s.reply(p, r, map[string]any{"type": "start_ok"})
		s.node.process.Start(s.node)
	case r.Type == "read":
		s.reply(p, r, s.node.answer())
	case r.Type == "init":
		s.fail(p, r, malformed, "init has come already")
	default:
		s.fail(p, r, notSupported, fmt.Sprintf("a node knows init, start and read, and not %.40q", r.Type))
	}
}

// reply answers a request. What has no msg_id wants no answer.
func (s *server) reply(p packet, r request, body map[string]any) {
	if r.ID != nil {
		body["in_reply_to"] = *r.ID
		s.write(p.Dest, p.Src, body)
	}
}

func (s *server) fail(p packet, r request, code int, text string) {
	s.reply(p, r, map[string]any{"type": "error", "code": code, "text": text})
}

// write writes a line. An error comes back when the output is flushed.
func (s *server) write(src, dest string, body any) {
	text, err := json.Marshal(body)
	if err == nil {
		text, err = json.Marshal(packet{src, dest, text})
	}
	if err != nil {
		panic(err) // texts, numbers and messages that were made of JSON
	}
	s.out.Write(append(text, '\n'))
}

// ignore reports a line that is left alone.
func (s *server) ignore(line []byte, why error) {
	fmt.Fprintf(s.log, "ignored: %v: %.*q\n", why, mostShown, line)
}
