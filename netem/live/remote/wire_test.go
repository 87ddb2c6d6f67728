package remote

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"bullring/netem/live"
)

// proxy stands between a host and its coordinator, and keeps what they say. hand hands on a line of
// one of them, k lines after the handshake.
type proxy struct {
	t     *testing.T
	to    string // the address of the coordinator
	mutex sync.Mutex
	heard []byte
	hand  func(fromHost bool, k int, line []byte, to io.Writer)
}

// open returns the address of the proxy, for one host.
func (p *proxy) open() string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		p.t.Fatal(err)
	}
	go func() {
		defer l.Close()
		host, err := l.Accept()
		if err != nil {
			p.t.Error(err)
			return
		}
		coordinator, err := net.Dial("tcp", p.to)
		if err != nil {
			p.t.Error(err)
			return
		}
		go p.carry(true, host, coordinator)
		p.carry(false, coordinator, host)
	}()
	return l.Addr().String()
}

// carry hands on what one end says: the version, then a nonce and a proof, and lines.
func (p *proxy) carry(fromHost bool, from, to net.Conn) {
	defer to.Close()
	in := bufio.NewReaderSize(io.TeeReader(from, p), 1<<16)
	version, err := in.ReadBytes('\n')
	if err != nil {
		return
	}
	to.Write(version)
	if _, err := io.CopyN(to, in, 64); err != nil {
		return
	}
	for k := 0; ; k++ {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		p.hand(fromHost, k, line, to)
	}
}

func (p *proxy) Write(text []byte) (int, error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.heard = append(p.heard, text...)
	return len(text), nil
}

// TestNoSecretOnTheWire: what a coordinator and a host say to each other in a run does not have the token in it.
// A line between them that was altered, left out, repeated or put in ends the run.
func TestNoSecretOnTheWire(t *testing.T) {
	const whole = "whole"
	strikes := map[string]func(line []byte, to io.Writer){
		whole: func(line []byte, to io.Writer) { to.Write(line) },
		"altered": func(line []byte, to io.Writer) {
			line[len(line)-3] ^= 1
			to.Write(line)
		},
		"left out": func([]byte, io.Writer) {},
		"repeated": func(line []byte, to io.Writer) { to.Write(bytes.Repeat(line, 2)) },
		"put in":   func(line []byte, to io.Writer) { to.Write(append([]byte(`{"What":"spawn","Who":1}`+"\n"), line...)) },
	}
	for strike, hand := range strikes {
		for _, ofHost := range []bool{true, false} {
			t.Run(map[bool]string{true: "host ", false: "coordinator "}[ofHost]+strike, func(t *testing.T) {
				t.Parallel()
				c := configure(t, setting{"lcr", 3})
				addr := c.serve(t, "127.0.0.1")
				c.Quiet, c.Launch = 50*time.Millisecond, patience
				p := &proxy{t: t, hand: func(fromHost bool, k int, line []byte, to io.Writer) {
					if fromHost == ofHost && k == 1 { // the first line after the host has joined
						hand(line, to)
					} else {
						to.Write(line)
					}
				}}
				left := make(chan error, 1)
				go func() {
					p.to = <-addr
					left <- Host{Token: c.Token, Listen: "127.0.0.1", Command: asProgram}.Join(t.Context(), p.open())
				}()
				rec, err := Run(t.Context(), c)
				why := <-left
				if strike != whole {
					if err == nil && rec.End == live.Rest || !ofHost && !errors.Is(why, errSeal) {
						t.Errorf("%v, %v; the host left with %v", rec, err, why)
					}
					return
				}
				if err != nil || rec.End != live.Rest || why != nil {
					t.Errorf("%v, %v; the host left with %v", rec, err, why)
				}
				p.mutex.Lock()
				defer p.mutex.Unlock()
				if !strings.Contains(string(p.heard), `"What":"spawn"`) || !strings.Contains(string(p.heard), `"What":"started"`) {
					t.Error("the proxy has not heard the run")
				}
				for _, secret := range secretsOf(c.Token) {
					if bytes.Contains(p.heard, secret) {
						t.Errorf("the token is on the wire, as %q", secret)
					}
				}
			})
		}
	}
}

// secretsOf has forms of a token.
func secretsOf(t live.Token) (forms [][]byte) {
	for _, form := range []string{string(t[:]), hex.EncodeToString(t[:]), base64.RawStdEncoding.EncodeToString(t[:])[:20]} {
		forms = append(forms, []byte(form))
	}
	return forms
}

// TestImpostorCoordinator: one that does not know the token learns a nonce, and starts nothing.
func TestImpostorCoordinator(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	heard := make(chan []byte, 1)
	go func() {
		conn, err := l.Accept()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		text := make([]byte, 16)
		if _, err := io.ReadFull(conn, text); err != nil {
			t.Error(err)
		}
		go func() { // what the host said, a proof of nothing, and orders
			conn.Write(append(text, make([]byte, 64)...))
			w := &writer{w: conn}
			w.write(order{What: "welcome"})
			w.write(order{What: "spawn"})
			w.write(order{What: "tell", Line: &command{What: "job", Job: &job{Setting: json.RawMessage(`{"topology":"file:/etc/passwd"}`)}}})
		}()
		rest, _ := io.ReadAll(conn)
		heard <- append(text, rest...)
	}()
	h := Host{Token: live.NewToken(), Listen: "127.0.0.1", Command: func() *exec.Cmd {
		t.Error("a node is started")
		return asProgram()
	}}
	if err := h.Join(t.Context(), l.Addr().String()); !errors.Is(err, live.ErrOtherToken) {
		t.Errorf("the host left with %v", err)
	}
	text := <-heard
	if len(text) != 16+32 || bytes.Contains(text, h.Token[:]) {
		t.Errorf("the impostor learned %q", text)
	}
}

// TestHostJoinsAgain: a host that leaves before all have joined may join again.
func TestHostJoinsAgain(t *testing.T) {
	c := configure(t, setting{"lcr", 3})
	joins := c.serve(t, "127.0.0.1", "127.0.0.1")
	told := make(chan string, 10)
	c.Tell = func(what string) { told <- what }
	go func() {
		addr := <-joins
		h := Host{Token: c.Token, Listen: "127.0.0.1", Command: asProgram}
		ctx, leave := context.WithCancel(t.Context())
		go h.Join(ctx, addr)
		<-told
		leave()
		if left := <-told; !strings.Contains(left, "127.0.0.1 has left") {
			t.Errorf("the user is told %q", left)
		}
		for range 2 {
			go h.Join(t.Context(), addr)
		}
	}()
	if rec, err := Run(t.Context(), c); err != nil || rec.End != live.Rest {
		t.Errorf("%v, %v", rec, err)
	}
}

// TestStuckNodeEndsWithItsHost: a node ends when its host is gone, also while a command waits, such
// as for a peer that does not read.
func TestStuckNodeEndsWithItsHost(t *testing.T) {
	cmd := asProgram()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w := &writer{w: in}
	j := &job{Setting: json.RawMessage(`{"Toy":"stuck","N":2}`), given: given{Listen: "127.0.0.1", Token: live.NewToken().String()}}
	for _, c := range []command{{What: "job", Job: j}, {What: "start", Begin: time.Now().UnixNano(), Initiator: true}} {
		if err := w.write(c); err != nil {
			t.Fatal(err)
		}
	}
	if line, err := bufio.NewReader(stderr).ReadString('\n'); line != "stuck\n" {
		t.Fatalf("%q, %v", line, err)
	}
	in.Close()
	stuck := time.AfterFunc(patience, func() { cmd.Process.Kill() })
	if err := cmd.Wait(); err != nil || !stuck.Stop() {
		t.Errorf("the node goes on without its host: %v", err)
	}
}
