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

// applicant is a connection that has shown the token.
type applicant struct {
	guest
	addr    string
	program string
}

// admit waits until all hosts have joined, and returns them in the order of the configuration; with
// an error, those that have joined. It closes connections that do not show the token in time. local
// tells why the host of this machine could not join.
func admit(ctx context.Context, l net.Listener, c *Config, local <-chan error) ([]*guest, error) {
	own, err := program()
	if err != nil {
		return nil, err
	}
	came := make(chan *applicant)
	go accept(ctx, l, c.Token, came)
	guests := make([]*guest, len(c.Hosts))
	late := time.After(c.Launch)
	for missing := len(guests); missing > 0; {
		select {
		case <-ctx.Done():
			return guests, fmt.Errorf("interrupted before all hosts had joined; missing: %s", absent(c.Hosts, guests))
		case <-late:
			return guests, fmt.Errorf("after %v not all hosts have joined; missing: %s", c.Launch, absent(c.Hosts, guests))
		case err := <-local:
			return guests, fmt.Errorf("the host of this machine: %w", cmp.Or(ctx.Err(), err))
		case a := <-came:
			seat := freeSeat(c.Hosts, guests, a.addr)
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
				continue
			}
			a.out.write(order{What: "welcome"})
			guests[seat] = &a.guest
			missing--
			c.Joined(c.Hosts[seat], missing)
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
			if a == nil {
				conn.Close()
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

// listen reads how a connection begins. It returns nil if that is not the beginning of a host.
func listen(conn net.Conn, t live.Token) *applicant {
	conn.SetReadDeadline(time.Now().Add(live.Patience))
	shown := make([]byte, len(t))
	if _, err := io.ReadFull(conn, shown); err != nil {
		return nil
	}
	if _, ok := t.Cut(shown); !ok {
		return nil
	}
	first, err := lines[hello](io.LimitReader(conn, mostHello))()
	if err != nil {
		return nil
	}
	conn.SetReadDeadline(time.Time{})
	host, _, err := net.SplitHostPort(conn.RemoteAddr().String())
	if err != nil {
		return nil
	}
	return &applicant{guest{conn, &writer{w: impatient{conn, hostPatience}}, lines[news](conn)}, host, first.Program}
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
