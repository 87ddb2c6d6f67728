package live

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"bullring/netem"
	"bullring/protocols"
)

// loopback connects the nodes of one OS process over TCP on the loopback interface. There is one
// listener, and one connection to each node, which all senders share: so n nodes need 2n+1
// descriptors, whatever the topology. TCP keeps the order, so the links are FIFO.
type loopback struct {
	listener net.Listener
	token    token
	lines    []*line // by receiver
	reading  sync.WaitGroup
}

// line is the connection to a receiver.
type line struct {
	mutex sync.Mutex
	conn  net.Conn
	out   []byte // frames that have not left
}

// greeting is what a connection begins with: the token of the run, and the receiver.
const greeting = 16 + 4

func newLoopback(nodes []*node) (l *loopback, err error) {
	l = &loopback{token: newToken(), lines: make([]*line, len(nodes))}
	if l.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		return nil, err
	}
	l.reading.Go(func() { l.accept(nodes) })
	for i := range l.lines {
		conn, err := net.Dial("tcp", l.listener.Addr().String())
		if err == nil {
			l.lines[i] = &line{conn: conn}
			_, err = conn.Write(binary.BigEndian.AppendUint32(l.token[:], uint32(i)))
		}
		if err != nil {
			l.close()
			return nil, err
		}
	}
	return l, nil
}

// accept takes connections until the listener is closed.
func (l *loopback) accept(nodes []*node) {
	for {
		conn, err := l.listener.Accept()
		if err != nil {
			if errors.Is(err, net.ErrClosed) {
				return
			}
			time.Sleep(time.Millisecond) // such as: no descriptor is free at the moment
			continue
		}
		l.reading.Go(func() {
			defer conn.Close()
			l.read(conn, nodes)
		})
	}
}

// patience is how long a connection may take to show the token.
const patience = 5 * time.Second

// read hands the frames of a connection to its node. A connection without the token, or with
// something that is no frame, is closed; the run goes on.
func (l *loopback) read(conn net.Conn, nodes []*node) {
	var hello [greeting]byte
	conn.SetReadDeadline(time.Now().Add(patience))
	if _, err := io.ReadFull(conn, hello[:]); err != nil {
		return
	}
	rest, ok := l.token.cut(hello[:])
	if !ok || int64(binary.BigEndian.Uint32(rest)) >= int64(len(nodes)) {
		return
	}
	n := nodes[binary.BigEndian.Uint32(rest)]
	conn.SetReadDeadline(time.Time{})
	in := bufio.NewReaderSize(conn, 1<<15)
	for {
		f, err := readFrame(in)
		if err != nil {
			return
		}
		n.inbox.put(item{frame: f})
	}
}

func (l *loopback) put(to protocols.ID, f frame) error {
	if size := frameHeader + len(f.body); size > mostFrame {
		return fmt.Errorf("a message of %d bytes is too long; the longest frame has %d", size, mostFrame)
	}
	k := l.lines[to]
	k.mutex.Lock()
	k.out = appendFrame(k.out, &f)
	k.mutex.Unlock()
	return nil
}

func (l *loopback) flush(sent []netem.Sent) {
	for i := range sent {
		k := l.lines[sent[i].To]
		k.mutex.Lock()
		if len(k.out) > 0 {
			k.conn.Write(k.out) // an error means that the run is over
			k.out = k.out[:0]
		}
		k.mutex.Unlock()
	}
}

func (l *loopback) close() {
	l.listener.Close()
	for _, k := range l.lines {
		if k != nil {
			k.conn.Close()
		}
	}
	l.reading.Wait()
}
