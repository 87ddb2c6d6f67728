package live

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"bullring/netem"
	"bullring/protocols"
)

// Transport is the protocol of the sockets.
type Transport uint8

// The transports.
const (
	TCP Transport = iota // reliable, and FIFO
	UDP                  // may lose messages, and deliver them out of order
)

var transportNames = [...]string{"tcp", "udp"}

// String is the word that ParseTransport reads.
func (t Transport) String() string { return transportNames[t] }

// ParseTransport reads the name of a transport.
func ParseTransport(text string) (Transport, error) {
	for i, name := range transportNames {
		if text == name {
			return Transport(i), nil
		}
	}
	return 0, fmt.Errorf("%q is none of tcp (reliable, FIFO) and udp (messages may be lost)", text)
}

// carrier carries frames between nodes. A frame that arrives goes into the inbox of its node.
type carrier interface {
	// put takes a frame for a node. Many senders call it at the same time.
	put(to protocols.ID, f frame) error
	// flush lets leave what was put for the receivers of some messages.
	flush(sent []netem.Sent)
	// close ends all reading and writing.
	close()
}

// newCarrier returns what carries the frames of a run within this OS process.
func newCarrier(t Transport, nodes []*node) (carrier, error) {
	if t == UDP {
		return newDatagrams(nodes)
	}
	return newLoopback(nodes)
}

// Token is the secret of a run, which peers have to know. So what strangers send to a port is
// no message.
type Token [16]byte

// NewToken draws a token.
func NewToken() (t Token) {
	rand.Read(t[:])
	return t
}

// String is the token in 32 hexadecimal digits.
func (t Token) String() string { return hex.EncodeToString(t[:]) }

// ParseToken reads what String prints.
func ParseToken(text string) (t Token, err error) {
	bytes, err := hex.DecodeString(strings.TrimSpace(text))
	if err != nil || len(bytes) != len(t) {
		return t, errors.New("a token has 32 hexadecimal digits")
	}
	return Token(bytes), nil
}
