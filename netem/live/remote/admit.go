package remote

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	"bullring/netem/live"
)

// guest is a host that has joined.
type guest struct {
	conn net.Conn
	out  *writer
	next func() (*news, error)
}

// follow hands on what a guest says, as that of a number.
func (g *guest) follow(number int, mail *mailbox[event]) {
	for {
		n, err := g.next()
		if err != nil {
			mail.put(event{guest: number})
			return
		}
		mail.put(event{guest: number, news: n})
	}
}

// applicant is a connection that wants to join.
type applicant struct {
	guest
	addr    string
	program string
	err     error // it has not shown that it may
}

// admit waits until all hosts have joined, and returns them in the order of the configuration; with
// an error, those that have joined. What they say goes to mail. It closes connections that do not
// prove in time that they know the token. local tells why the host of this machine could not join.
func admit(ctx context.Context, l net.Listener, c *Config, mail *mailbox[event], local <-chan error) ([]*guest, error) {
	own, err := program()
	if err != nil {
		return nil, err
	}
	came := make(chan *applicant)
	go accept(ctx, l, c.Token, came)
	guests := make([]*guest, len(c.Hosts))
	late := time.After(c.Launch)
	warned := map[string]bool{} // addresses
	for missing := len(guests); missing > 0; {
		select {
		case <-ctx.Done():
			return guests, fmt.Errorf("interrupted before all hosts had joined; missing: %s", absent(c.Hosts, guests))
		case <-late:
			return guests, fmt.Errorf("after %v not all hosts have joined; missing: %s", c.Launch, absent(c.Hosts, guests))
		case err := <-local:
			return guests, fmt.Errorf("the host of this machine: %w", cmp.Or(ctx.Err(), err))
		case <-mail.some:
			for _, e := range mail.take() {
				if e.news == nil { // it may join again
					guests[e.guest].conn.Close()
					guests[e.guest] = nil
					missing++
					c.Tell(fmt.Sprintf("%s has left; missing: %s", c.Hosts[e.guest], absent(c.Hosts, guests)))
				}
			}
		case a := <-came:
			seat := freeSeat(c.Hosts, guests, a.addr)
			if a.err != nil {
				if seat >= 0 && !warned[a.addr] {
					warned[a.addr] = true
					c.Tell(fmt.Sprintf("%s may not join: %v; copy the token file of this run to it", a.addr, a.err))
				}
				continue
			}
			why := ""
			switch {
			case a.program != own:
				why = "this is another build of the program; copy one program to all hosts"
			case seat < 0:
				why = fmt.Sprintf("it waits for no further host that connects from %s; it was given %s", a.addr, strings.Join(c.Hosts, ", "))
			}
			if why != "" {
				a.out.write(order{What: "refuse", Why: why})
				a.conn.Close()
				c.Tell(fmt.Sprintf("%s may not join: %s", a.addr, why))
				continue
			}
			a.out.write(order{What: "welcome", Files: c.Files})
			guests[seat] = &a.guest
			go a.follow(seat, mail)
			if missing--; missing == 0 {
				c.Tell(c.Hosts[seat] + " has joined")
			} else {
				c.Tell(fmt.Sprintf("%s has joined; missing: %s", c.Hosts[seat], absent(c.Hosts, guests)))
			}
		}
	}
	return guests, nil
}

// absent names the hosts that have not joined.
func absent(hosts []string, guests []*guest) string {
	var names []string
	for i, g := range guests {
		if g == nil {
			names = append(names, hosts[i])
		}
	}
	return strings.Join(names, ", ")
}

// freeSeat is the place of a host that joins from an address, -1 if there is none.
func freeSeat(hosts []string, guests []*guest, addr string) int {
	for i, g := range guests {
		if g == nil && hosts[i] == addr {
			return i
		}
	}
	return -1
}

// accept takes connections until the listener is closed.
func accept(ctx context.Context, l net.Listener, t live.Token, came chan<- *applicant) {
	for {
		conn, err := l.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			time.Sleep(time.Millisecond) // such as: no descriptor is free at the moment
			continue
		}
		go func() {
			a := listen(conn, t)
			if a == nil || a.err != nil {
				conn.Close()
			}
			if a == nil {
				return
			}
			select {
			case came <- a:
			case <-ctx.Done():
				conn.Close()
			}
		}()
	}
}

// hostPatience is how long the coordinator waits for a host that does not read. A host always
// does, unless it was stopped or cannot be reached.
const hostPatience = 10 * time.Second

// mostHello is the longest hello.
const mostHello = 256

// listen lets a connection begin. It returns nil if that is not the beginning of a host.
func listen(conn net.Conn, t live.Token) *applicant {
	host, _, err := net.SplitHostPort(conn.RemoteAddr().String())
	if err != nil {
		return nil
	}
	keys, err := t.Accepted(conn, live.Hosting)
	if errors.Is(err, live.ErrOtherToken) {
		return &applicant{addr: host, err: err}
	}
	if err != nil {
		return nil
	}
	in := &seal{key: keys.In}
	conn.SetReadDeadline(time.Now().Add(live.Patience))
	first, err := lines[hello](io.LimitReader(conn, mostHello), in)()
	if err != nil {
		return nil
	}
	conn.SetReadDeadline(time.Time{})
	out := &writer{w: impatient{conn, hostPatience}, seal: &seal{key: keys.Out}}
	return &applicant{guest: guest{conn, out, lines[news](conn, in)}, addr: host, program: first.Program}
}

// impatient closes a connection whose other end does not read for so long: then a host is gone.
type impatient struct {
	net.Conn
	patience time.Duration
}

func (c impatient) Write(text []byte) (int, error) {
	c.SetWriteDeadline(time.Now().Add(c.patience))
	n, err := c.Conn.Write(text)
	if err != nil {
		c.Close()
	}
	return n, err
}
