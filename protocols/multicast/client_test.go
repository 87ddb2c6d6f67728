package multicast_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"bullring/protocols"
	"bullring/protocols/multicast"
)

// echo is the service of a process that is alone: it notes what it is asked for.
type echo struct {
	member
	asked []string
}

func (e *echo) Multicast(_ protocols.Node[int], payload int64) {
	e.multicasts++
	e.asked = append(e.asked, fmt.Sprintf("multicast %d", payload))
}
func (e *echo) Receive(protocols.Node[int], protocols.ID, int) {}
func (e *echo) Timeout(_ protocols.Node[int], t protocols.Timer) {
	e.asked = append(e.asked, fmt.Sprintf("timer %d", t))
}

// node notes the timers that are set.
type node struct {
	protocols.Node[int]
	*echo
}

func (n node) SetTimer(t protocols.Timer, after time.Duration) {
	if t != multicast.ClientTimers {
		panic("a timer of the service")
	}
	n.asked = append(n.asked, "wait "+after.String())
}

func TestClient(t *testing.T) {
	for _, c := range []struct {
		name   string
		work   multicast.Workload
		happen func(c *multicast.Client[int], n node)
		want   []string
	}{
		{"all at once", multicast.Workload{Items: 3}, func(c *multicast.Client[int], n node) { c.Start(n) }, []string{"multicast 1", "multicast 2", "multicast 3"}},
		{"it starts once", multicast.Workload{Items: 1}, func(c *multicast.Client[int], n node) { c.Start(n); c.Start(n) }, []string{"multicast 1"}},
		{"with pauses", multicast.Workload{Items: 2, Pause: ms}, func(c *multicast.Client[int], n node) {
			c.Start(n)
			c.Timeout(n, multicast.ClientTimers-1)
			c.Timeout(n, multicast.ClientTimers)
		}, []string{"multicast 1", "wait 1ms", fmt.Sprintf("timer %d", multicast.ClientTimers-1), "multicast 2"}},
	} {
		service := &echo{}
		c.happen(multicast.NewClient(service, c.work), node{echo: service})
		if !slices.Equal(service.asked, c.want) {
			t.Errorf("%s: %q, want %q", c.name, service.asked, c.want)
		}
	}
}

func TestNoWorkload(t *testing.T) {
	for _, work := range []multicast.Workload{{}, {Items: -1}, {Items: 1, Pause: -1}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%+v was taken", work)
				}
			}()
			multicast.NewClient(&echo{}, work)
		}()
	}
}
