package live

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"bullring/protocols"
)

// acceptor takes the TCP connections of peers that know the token of the run.
type acceptor struct {
	listener net.Listener
	token    Token
	names    int // a peer says a number below it
	reading  sync.WaitGroup
	open     context.Context // until close
	shut     context.CancelFunc
}

func newAcceptor(host string, t Token, names int) (*acceptor, error) {
	l, err := net.Listen("tcp", net.JoinHostPort(host, "0"))
	if err != nil {
		return nil, err
	}
	d := &acceptor{listener: l, token: t, names: names}
	d.open, d.shut = context.WithCancel(context.Background())
	return d, nil
}

// Addr is the address that peers connect to.
func (d *acceptor) Addr() string { return d.listener.Addr().String() }

// serve takes connections until the acceptor is closed. It hands on each frame with the number of
// its connection, and then the end of the connection.
func (d *acceptor) serve(take func(protocols.ID, frame), ended func(protocols.ID)) {
	d.reading.Go(func() {
		for {
			conn, err := d.listener.Accept()
			if errors.Is(err, net.ErrClosed) {
				return
			}
			if err != nil {
				time.Sleep(time.Millisecond) // such as: no descriptor is free at the moment
				continue
			}
			d.reading.Go(func() {
				defer conn.Close()
				defer context.AfterFunc(d.open, func() { conn.Close() })()
				d.read(conn, take, ended)
			})
		}
	})
}

// close closes the listener and all connections that came, and waits for their readers.
func (d *acceptor) close() {
	d.listener.Close()
	d.shut()
	d.reading.Wait()
}

// read reads a connection: the handshake, the number of the kind that the acceptor asks for, and frames.
// One of a peer that does not know the token, or with something that is no frame, is closed; the run
// goes on.
func (d *acceptor) read(conn net.Conn, take func(protocols.ID, frame), ended func(protocols.ID)) {
	if _, err := d.token.Accepted(conn, messaging); err != nil {
		return
	}
	var number [4]byte
	conn.SetReadDeadline(time.Now().Add(Patience))
	if _, err := io.ReadFull(conn, number[:]); err != nil || int64(binary.BigEndian.Uint32(number[:])) >= int64(d.names) {
		return
	}
	name := protocols.ID(binary.BigEndian.Uint32(number[:]))
	defer ended(name)
	conn.SetReadDeadline(time.Time{})
	in := bufio.NewReaderSize(conn, 1<<15)
	for {
		f, err := readFrame(in)
		if err != nil {
			return
		}
		take(name, f)
	}
}

// line is a connection to an acceptor.
type line struct {
	mutex sync.Mutex
	conn  net.Conn
	out   []byte // frames that have not left
}

// dial connects to an acceptor, and says a number.
func (t Token) dial(addr string, name protocols.ID) (*line, error) {
	conn, err := net.DialTimeout("tcp", addr, Patience)
	if err != nil {
		return nil, err
	}
	if _, err = t.Dialled(conn, messaging); err == nil {
		_, err = conn.Write(binary.BigEndian.AppendUint32(nil, uint32(name)))
	}
	if err != nil {
		conn.Close()
		return nil, err
	}
	return &line{conn: conn}, nil
}

// put takes a frame.
func (k *line) put(f *frame) error {
	if size := frameHeader + len(f.body); size > mostFrame {
		return fmt.Errorf("a message of %d bytes is too long; the longest frame has %d", size, mostFrame)
	}
	k.mutex.Lock()
	k.out = appendFrame(k.out, f)
	k.mutex.Unlock()
	return nil
}

// flush lets leave what was put.
func (k *line) flush() {
	k.mutex.Lock()
	if len(k.out) > 0 {
		k.conn.Write(k.out) // an error means that the run is over, or that the receiver has crashed
		k.out = k.out[:0]
	}
	k.mutex.Unlock()
}
