package live

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"io"
	"net"
	"sync"
	"testing"
)

// outcome is how a handshake ended for one end.
type outcome struct {
	keys Keys
	err  error
}

// shake lets two ends shake hands. An end leaves if it refuses the other one.
func shake(dials, listens func(net.Conn) (Keys, error)) (dialled, accepted outcome) {
	near, far := net.Pipe()
	var both sync.WaitGroup
	both.Go(func() {
		dialled.keys, dialled.err = dials(near)
		near.Close()
	})
	both.Go(func() {
		accepted.keys, accepted.err = listens(far)
		if accepted.err != nil {
			far.Close()
		}
	})
	both.Wait()
	return dialled, accepted
}

func (t Token) dials(p Purpose) func(net.Conn) (Keys, error) {
	return func(conn net.Conn) (Keys, error) { return t.Dialled(conn, p) }
}

func (t Token) listens(p Purpose) func(net.Conn) (Keys, error) {
	return func(conn net.Conn) (Keys, error) { return t.Accepted(conn, p) }
}

// says is an end that says something, whatever it hears, and then hears until the other end leaves.
func says(text []byte, heard *[]byte) func(net.Conn) (Keys, error) {
	return func(conn net.Conn) (Keys, error) {
		go conn.Write(text)
		var err error
		*heard, err = io.ReadAll(conn)
		return Keys{}, err
	}
}

func TestHandshake(t *testing.T) {
	token, other := NewToken(), NewToken()
	d, a := shake(token.dials(Hosting), token.listens(Hosting))
	if d.err != nil || a.err != nil || !bytes.Equal(d.keys.Out, a.keys.In) || !bytes.Equal(d.keys.In, a.keys.Out) || bytes.Equal(d.keys.In, d.keys.Out) {
		t.Errorf("%v, %v, keys %x and %x", d.err, a.err, d.keys, a.keys)
	}
	if again, _ := shake(token.dials(Hosting), token.listens(Hosting)); bytes.Equal(again.keys.Out, d.keys.Out) {
		t.Error("two connections have one key")
	}
	for name, end := range map[string]func(net.Conn) (Keys, error){"token": other.listens(Hosting), "purpose": token.listens(messaging)} {
		if d, a := shake(token.dials(Hosting), end); !errors.Is(d.err, ErrOtherToken) || !errors.Is(a.err, ErrOtherToken) {
			t.Errorf("another %s: %v, %v", name, d.err, a.err)
		}
	}
	var heard []byte
	if d, _ := shake(token.dials(Hosting), says(make([]byte, 200), &heard)); !errors.Is(d.err, errOtherProtocol) {
		t.Errorf("zeros: %v", d.err)
	}
}

// isIn reports whether a text has the token in it, in some form.
func (t Token) isIn(text []byte) bool {
	for _, form := range []string{string(t[:]), hex.EncodeToString(t[:]), base64.RawStdEncoding.EncodeToString(t[:])[:20]} {
		if bytes.Contains(text, []byte(form)) {
			return true
		}
	}
	return false
}

// recorder records what an end says.
type recorder struct {
	net.Conn
	said []byte
}

func (r *recorder) Write(text []byte) (int, error) {
	r.said = append(r.said, text...)
	return r.Conn.Write(text)
}

// TestImpostors: an impostor learns no more than a nonce from the end that dials, and is let in
// neither with what it recorded before nor with what the end itself has said.
func TestImpostors(t *testing.T) {
	token := NewToken()
	var dialled, listened recorder
	d, a := shake(func(conn net.Conn) (Keys, error) { dialled.Conn = conn; return token.Dialled(&dialled, messaging) },
		func(conn net.Conn) (Keys, error) { listened.Conn = conn; return token.Accepted(&listened, messaging) })
	if d.err != nil || a.err != nil || token.isIn(dialled.said) || token.isIn(listened.said) {
		t.Fatalf("%v, %v; the token is on the wire: %x, %x", d.err, a.err, dialled.said, listened.said)
	}
	var heard []byte
	d, _ = shake(token.dials(messaging), says(listened.said, &heard))
	if !errors.Is(d.err, ErrOtherToken) || len(heard) != len(version)+nonceSize {
		t.Errorf("a replay to the end that dials: %v; it said %x", d.err, heard)
	}
	_, a = shake(says(dialled.said, &heard), token.listens(messaging))
	if !errors.Is(a.err, ErrOtherToken) || token.isIn(heard) {
		t.Errorf("a replay to the end that listens: %v; it said %x", a.err, heard)
	}
	greeting := len(version) + nonceSize
	_, a = shake(func(conn net.Conn) (Keys, error) {
		go conn.Write(dialled.said[:greeting])
		back := make([]byte, greeting+proofSize)
		if _, err := io.ReadFull(conn, back); err != nil {
			return Keys{}, err
		}
		_, err := conn.Write(back[greeting:])
		return Keys{}, err
	}, token.listens(messaging))
	if !errors.Is(a.err, ErrOtherToken) {
		t.Errorf("a reflection to the end that listens: %v", a.err)
	}
	d, _ = shake(token.dials(messaging), func(conn net.Conn) (Keys, error) {
		back := make([]byte, greeting)
		if _, err := io.ReadFull(conn, back); err != nil {
			return Keys{}, err
		}
		var heard []byte
		return says(append(back, listened.said[greeting:]...), &heard)(conn)
	})
	if !errors.Is(d.err, ErrOtherToken) {
		t.Errorf("a reflection to the end that dials: %v", d.err)
	}
}
