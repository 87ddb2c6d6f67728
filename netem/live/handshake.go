package live

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net"
	"time"
)

// A connection begins with a handshake, in which each end proves that it knows the token. The token
// does not leave the machine:
//
//	the end that dialled   version, nonce A
//	the end that listens   version, nonce B, proof
//	the end that dialled   proof
//
// A proof is an HMAC, under the token, over the role of its end, the purpose of the connection and
// both nonces. Nonces are drawn anew for each connection, so a recorded proof is worth nothing in
// another one. The roles differ, so a proof that is sent back to its author is worth nothing
// either. The end that dialled proves nothing to an end that has not proven itself.
//
// A proof lets its reader try out tokens. A token is 128 random bits, which are too many for that.

// Purpose is what a connection is for. A proof for one purpose is worth nothing for another.
type Purpose string

// The purposes.
const (
	Hosting   Purpose = "hosting"   // of a host and the coordinator
	messaging Purpose = "messaging" // of nodes
)

// Keys are the keys of a connection: of what this end writes, and of what it reads.
type Keys struct{ Out, In []byte }

// What may be wrong with the other end of a connection.
var (
	ErrOtherToken    = errors.New("the other end does not know the token")
	errOtherProtocol = errors.New("the other end speaks another protocol, or another version of it")
)

const (
	version   = "bullring live 1\n"
	nonceSize = 32
	proofSize = sha256.Size
)

// Patience is how long a handshake may take.
const Patience = 5 * time.Second

// Dialled shakes hands over a connection that this end has dialled.
func (t Token) Dialled(conn net.Conn, p Purpose) (Keys, error) {
	conn.SetDeadline(time.Now().Add(Patience))
	defer conn.SetDeadline(time.Time{})
	greeting := newGreeting()
	if _, err := conn.Write(greeting); err != nil {
		return Keys{}, err
	}
	answer, err := readGreeting(conn)
	if err != nil {
		return Keys{}, err
	}
	s := shaken{t, p, append(greeting, answer...)}
	if err := s.demand(conn, "listens"); err != nil {
		return Keys{}, err
	}
	_, err = conn.Write(s.mac("dialled"))
	return Keys{Out: s.mac("key of dialled"), In: s.mac("key of listens")}, err
}

// Accepted shakes hands over a connection that this end has accepted.
func (t Token) Accepted(conn net.Conn, p Purpose) (Keys, error) {
	conn.SetDeadline(time.Now().Add(Patience))
	defer conn.SetDeadline(time.Time{})
	greeting, err := readGreeting(conn)
	if err != nil {
		return Keys{}, err
	}
	answer := newGreeting()
	s := shaken{t, p, append(greeting, answer...)}
	if _, err := conn.Write(append(answer, s.mac("listens")...)); err != nil {
		return Keys{}, err
	}
	return Keys{Out: s.mac("key of listens"), In: s.mac("key of dialled")}, s.demand(conn, "dialled")
}

// newGreeting is the version and a new nonce.
func newGreeting() []byte {
	g := append([]byte(version), make([]byte, nonceSize)...)
	rand.Read(g[len(version):])
	return g
}

func readGreeting(r io.Reader) ([]byte, error) {
	g := make([]byte, len(version)+nonceSize)
	if _, err := io.ReadFull(r, g); err != nil {
		return nil, err
	}
	if !bytes.HasPrefix(g, []byte(version)) {
		return nil, errOtherProtocol
	}
	return g, nil
}

// shaken is a handshake whose greetings are known: that of the end that dialled, and the other one.
type shaken struct {
	token     Token
	purpose   Purpose
	greetings []byte
}

// mac is an HMAC for a role. Greetings have a fixed size, so what is hashed can be read in one way.
func (s *shaken) mac(role string) []byte {
	m := hmac.New(sha256.New, s.token[:])
	m.Write(s.greetings)
	io.WriteString(m, string(s.purpose)+" "+role)
	return m.Sum(nil)
}

// demand reads the proof of the other end. An end that knows another token leaves instead.
func (s *shaken) demand(r io.Reader, role string) error {
	proof := make([]byte, proofSize)
	if _, err := io.ReadFull(r, proof); err != nil {
		return fmt.Errorf("%w, or has left", ErrOtherToken)
	}
	if !hmac.Equal(proof, s.mac(role)) {
		return ErrOtherToken
	}
	return nil
}
