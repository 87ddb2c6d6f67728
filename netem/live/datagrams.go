package live

import (
	"bufio"
	"bytes"
	"crypto/subtle"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"bullring/netem"
	"bullring/protocols"
)

// datagrams connects the nodes of one OS process over UDP on the loopback interface: a socket a
// node, and a datagram a message. It begins with the token of the run and a number of its own: a
// network may deliver a datagram twice, and the second one is dropped. What does not fit into the
// buffer of a socket is lost.
type datagrams struct {
	token   Token
	numbers atomic.Uint64
	away    sync.Map // the numbers of the datagrams that have not arrived
	sockets []*net.UDPConn
	ports   []netip.AddrPort
	reading sync.WaitGroup
}

// mostDatagram is the most that a datagram over IPv4 carries.
const mostDatagram = 65507

func newDatagrams(nodes []*node) (*datagrams, error) {
	d := &datagrams{token: NewToken()}
	for range nodes {
		socket, err := net.ListenUDP("udp4", net.UDPAddrFromAddrPort(netip.MustParseAddrPort("127.0.0.1:0")))
		if err != nil {
			d.close()
			return nil, err
		}
		d.sockets = append(d.sockets, socket)
		d.ports = append(d.ports, socket.LocalAddr().(*net.UDPAddr).AddrPort())
	}
	for i, n := range nodes {
		d.reading.Go(func() { d.read(d.sockets[i], n) })
	}
	return d, nil
}

// read hands what arrives at a socket to its node, until the socket is closed. A datagram without
// the token, or with something that is no frame, is dropped.
func (d *datagrams) read(socket *net.UDPConn, n *node) {
	buffer := make([]byte, 1<<16)
	for {
		size, _, err := socket.ReadFromUDPAddrPort(buffer)
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			time.Sleep(time.Millisecond) // such as: an earlier datagram found no receiver
			continue
		}
		text, ok := d.token.cut(buffer[:size])
		if !ok || len(text) < 8 {
			continue
		}
		if _, first := d.away.LoadAndDelete(binary.BigEndian.Uint64(text)); !first {
			continue
		}
		text = text[8:]
		if f, err := readFrame(bufio.NewReader(bytes.NewReader(text))); err == nil {
			n.inbox.put(item{frame: f})
		}
	}
}

// cut returns the text after the token. ok is false if a text does not begin with it.
func (t *Token) cut(text []byte) (rest []byte, ok bool) {
	if len(text) < len(t) || subtle.ConstantTimeCompare(text[:len(t)], t[:]) == 0 {
		return nil, false
	}
	return text[len(t):], true
}

// put sends a frame. A datagram that the kernel refuses, because a buffer is full, is lost.
func (d *datagrams) put(to protocols.ID, f frame) error {
	number := d.numbers.Add(1)
	text := binary.BigEndian.AppendUint64(d.token[:len(d.token):len(d.token)], number)
	text = appendFrame(text, &f)
	if len(text) > mostDatagram {
		return fmt.Errorf("a message of %d bytes is too long for a datagram, which carries %d", len(text), mostDatagram)
	}
	d.away.Store(number, nil)
	d.sockets[f.from].WriteToUDPAddrPort(text, d.ports[to])
	return nil
}

func (d *datagrams) flush([]netem.Sent) {}

func (d *datagrams) close() {
	for _, s := range d.sockets {
		s.Close()
	}
	d.reading.Wait()
}
