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

// member is a host that has joined.
type member struct {
	conn net.Conn
	out  *writer
	next func() (*news, error)
}

// follow hands on what a member says, as that of a number.
func (g *member) follow(number int, mail *mailbox[event]) {
	for {
		n, err := g.next()
		if err != nil {
			mail.put(event{member: number})
			return
		}
		mail.put(event{member: number, news: n})
	}
}

// applicant is a connection that wants to join.
type applicant struct {
	member
	addr    string
	program string
	err     error // it has not shown that it may
}

// admit waits until all hosts have joined, and returns them in the order of the configuration; with
// an error, those that have joined. What they say goes to mail. It closes connections that do not
// prove in time that they know the token. local tells why the host of this machine could not join.
func admit(ctx context.Context, l net.Listener, c *Config, mail *mailbox[event], local <-chan error) ([]*member, error) {
	own, err := program()
	if err != nil {
		return nil, err
	}
	came := make(chan *applicant)
	go accept(ctx, l, c.Token, came)
	members := make([]*member, len(c.Hosts))
	late := time.After(c.Launch)
	warned := map[string]bool{} // addresses
	for missing := len(members); missing > 0; {
		select {
		case <-ctx.Done():
			return members, fmt.Errorf("interrupted before all hosts had joined; missing: %s", absent(c.Hosts, members))
		case <-late:
			return members, fmt.Errorf("after %v not all hosts have joined; missing: %s", c.Launch, absent(c.Hosts, members))
		case err := <-local:
			return members, fmt.Errorf("the host of this machine: %w", cmp.Or(ctx.Err(), err))
		case <-mail.some:
			for _, e := range mail.take() {
				if e.news == nil { // it may join again
					members[e.member].conn.Close()
					members[e.member] = nil
					missing++
					c.Tell(fmt.Sprintf("%s has left; missing: %s", c.Hosts[e.member], absent(c.Hosts, members)))
				}
			}
		case a := <-came:
			place := freePlace(c.Hosts, members, a.addr)
			if a.err != nil {
				if place >= 0 && !warned[a.addr] {
					warned[a.addr] = true
					c.Tell(fmt.Sprintf("%s may not join: %v; copy the token file of this run to it", a.addr, a.err))
				}
				continue
			}
			why := ""
			switch {
			case a.program != own:
				why = "this is another build of the program; copy one program to all hosts"
			case place < 0:
				why = fmt.Sprintf("it waits for no further host that connects from %s; it was given %s", a.addr, strings.Join(c.Hosts, ", "))
			}
			if why != "" {
				a.out.write(order{What: "refuse", Why: why})
				a.conn.Close()
				c.Tell(fmt.Sprintf("%s may not join: %s", a.addr, why))
				continue
			}
			a.out.write(order{What: "welcome", Files: c.Files})
			members[place] = &a.member
			go a.follow(place, mail)
			if missing--; missing == 0 {
				c.Tell(c.Hosts[place] + " has joined")
			} else {
				c.Tell(fmt.Sprintf("%s has joined; missing: %s", c.Hosts[place], absent(c.Hosts, members)))
			}
		}
	}
	return members, nil
}

// absent names the hosts that have not joined.
func absent(hosts []string, members []*member) string {
	var names []string
	for i, g := range members {
		if g == nil {
			names = append(names, hosts[i])
		}
	}
	return strings.Join(names, ", ")
}

// freePlace is the place of a host that joins from an address, -1 if there is none.
func freePlace(hosts []string, members []*member, addr string) int {
	for i, g := range members {
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
	return &applicant{member: member{conn, out, lines[news](conn, in)}, addr: host, program: first.Program}
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
