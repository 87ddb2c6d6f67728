package live

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/box"
)

// word is a message of the tests.
type word string

func (word) Kind() int       { return 0 }
func (word) Kinds() []string { return []string{"WORD"} }
func (w word) Bits() int     { return 8 * len(w) }

// talker sends a word to all its neighbours when it starts, and answers nothing.
type talker struct {
	protocols.NoTimers[word]
	says word
}

func (p talker) Start(n protocols.Node[word]) {
	for port := range n.Degree() {
		n.Send(n.Neighbor(port), p.says)
	}
}

func (talker) Receive(protocols.Node[word], protocols.ID, word) {}

// flood has n processes. The first says something to all others.
func flood(n int, says word) Config {
	return Config{
		Topology: netem.Complete(n), Initiators: []protocols.ID{0}, Limit: time.Minute,
		Boot: func(protocols.ID) protocols.Process[box.Message] { return box.Wrap(talker{says: says}) },
	}
}

func TestFramesAreBounded(t *testing.T) {
	for transport, most := range map[Transport]int{TCP: mostFrame, UDP: mostDatagram} {
		c := flood(2, word(strings.Repeat("x", most)))
		c.Transport = transport
		rec, err := Run(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		if rec.End != Panicked || !strings.Contains(rec.Failed.Error(), "too long") {
			t.Errorf("%v: %v, %v; want an error about a message that is too long", transport, rec.End, rec.Failed)
		}
	}
}

// TestGarbageOnThePort: what strangers send ends nothing, and is no message.
func TestGarbageOnThePort(t *testing.T) {
	nodes := []*node{{}, {}}
	l, err := newLoopback(nodes)
	if err != nil {
		t.Fatal(err)
	}
	good := appendFrame(nil, &frame{from: 1, body: []byte(`"good"`)})
	for garbage, knows := range map[string]bool{
		"": false, "GET / HTTP/1.1\r\n\r\n": false, strings.Repeat("x", 4096): false,
		string(newGreeting()): false, string(newGreeting()) + strings.Repeat("x", proofSize) + "\x00\x00\x00\x00" + string(good): false,
		"\xff\xff\xff\xff" + string(good): true, "\x00\x00\x00\x02" + string(good): true,
		"\x00\x00\x00\x00\xff\xff\xff\xff" + string(good): true, "\x00\x00\x00\x00\x00\x00\x00\x01" + string(good): true,
	} {
		conn, err := net.Dial("tcp", l.acceptor.listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		if knows {
			if _, err := l.acceptor.token.Dialled(conn, messaging); err != nil {
				t.Fatal(err)
			}
		}
		io.WriteString(conn, garbage)
		conn.Close()
	}
	slow, err := net.Dial("tcp", l.acceptor.listener.Addr().String()) // and says nothing
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close()
	if err := l.put(1, frame{from: 0, body: []byte(`"good"`)}); err != nil {
		t.Fatal(err)
	}
	l.flush([]netem.Sent{{To: 1}})
	if it, _ := nodes[1].inbox.take(); string(it.frame.body) != `"good"` {
		t.Errorf("the node was handed %q", it.frame.body)
	}
	if len(nodes[0].inbox.items)+len(nodes[1].inbox.items) > 1 {
		t.Error("garbage became a message")
	}
	begin := time.Now()
	l.close()
	if took := time.Since(begin); took > Patience*4/5 {
		t.Errorf("the end of the run took %v: it waited for a stranger who says nothing", took)
	}
}

// TestSecondDatagram: a datagram that the network delivers twice is one message. The count of
// messages under way would be wrong otherwise, and rest too early.
func TestSecondDatagram(t *testing.T) {
	nodes := []*node{{}, {}}
	d, err := newDatagrams(nodes)
	if err != nil {
		t.Fatal(err)
	}
	defer d.close()
	const number = 1 << 40
	d.away.Store(uint64(number), nil)
	text := binary.BigEndian.AppendUint64(d.token[:len(d.token):len(d.token)], number)
	text = appendFrame(text, &frame{body: []byte(`"twice"`)})
	for range 2 {
		if _, err := d.sockets[0].WriteToUDPAddrPort(text, d.ports[1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.put(1, frame{body: []byte(`"last"`)}); err != nil {
		t.Fatal(err)
	}
	var taken []string
	for len(taken) < 2 {
		it, _ := nodes[1].inbox.take()
		taken = append(taken, string(it.frame.body))
	}
	if taken[0] != `"twice"` || taken[1] != `"last"` {
		t.Errorf("the node was handed %q", taken)
	}
}

func TestGarbageInDatagrams(t *testing.T) {
	nodes := []*node{{}, {}}
	d, err := newDatagrams(nodes)
	if err != nil {
		t.Fatal(err)
	}
	defer d.close()
	stranger, err := net.Dial("udp", d.ports[1].String())
	if err != nil {
		t.Fatal(err)
	}
	defer stranger.Close()
	for _, garbage := range []string{"", "hello", string(make([]byte, 100)), string(d.token[:]), string(d.token[:]) + "\x00\x00\x00\x00"} {
		io.WriteString(stranger, garbage)
	}
	for { // a datagram may be lost
		if err := d.put(1, frame{from: 0, body: []byte(`"good"`)}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Millisecond)
		nodes[1].inbox.mutex.Lock()
		arrived := len(nodes[1].inbox.items) > 0
		nodes[1].inbox.mutex.Unlock()
		if arrived {
			break
		}
	}
	if it, _ := nodes[1].inbox.take(); string(it.frame.body) != `"good"` {
		t.Errorf("the node was handed %q", it.frame.body)
	}
}

// witness looks around when it has received a word.
type witness struct {
	talker
	look func()
}

func (w witness) Receive(protocols.Node[word], protocols.ID, word) { w.look() }

// TestDescriptors: a thousand nodes that all have links to each other need two descriptors each.
func TestDescriptors(t *testing.T) {
	open := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skip("NOT CHECKED here: descriptors are counted in /proc")
		}
		return len(entries)
	}
	const n = 1000
	var most atomic.Int64
	before := open()
	c := flood(n, "hello")
	c.Boot = func(p protocols.ID) protocols.Process[box.Message] {
		return box.Wrap(witness{talker{says: "hello"}, func() {
			if p == n-1 {
				most.Store(int64(open()))
			}
		}})
	}
	rec, err := Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if rec.End != Rest || len(rec.Steps) != n {
		t.Errorf("%v after %d steps, not rest after %d", rec.End, len(rec.Steps), n)
	}
	if grown := int(most.Load()) - before; grown > 2*n+20 {
		t.Errorf("%d nodes have %d descriptors", n, grown)
	}
	if after := open(); after > before+20 {
		t.Errorf("%d descriptors were open before the run, %d are after it", before, after)
	}
}

func FuzzReadFrame(f *testing.F) {
	f.Add(appendFrame(nil, &frame{from: 3, number: 1 << 40, clock: 7, sent: time.Second, body: []byte(`{"ID":3}`)}))
	f.Add([]byte{0, 0, 0, 28})
	f.Add([]byte{255, 255, 255, 255, 0})
	f.Fuzz(func(t *testing.T, text []byte) {
		in := bufio.NewReader(bytes.NewReader(text))
		var again []byte
		for {
			frame, err := readFrame(in)
			if err != nil {
				break
			}
			again = appendFrame(again, &frame)
		}
		if !bytes.HasPrefix(text, again) {
			t.Errorf("%x was read as %x", text, again)
		}
	})
}
