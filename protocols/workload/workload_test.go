package workload_test

import (
	"slices"
	"testing"
	"time"

	"bullring/protocols"
	"bullring/protocols/workload"
)

const ms = time.Millisecond

// node notes the timers that are set.
type node struct{ said []string }

func (n *node) SetTimer(t protocols.Timer, after time.Duration) {
	if t != workload.Next {
		panic("another timer")
	}
	n.said = append(n.said, "wait "+after.String())
}

func (n *node) Intn(int) int { return 0 }

// now notes a request that comes up.
func (n *node) now(comes bool) {
	if comes {
		n.said = append(n.said, "now")
	}
}

func TestClient(t *testing.T) {
	for _, c := range []struct {
		name string
		work workload.Work
		then func(c *workload.Client, n *node)
		want []string
	}{
		{"closed", workload.Work{Requests: 2, Think: workload.Pause{Mean: ms}}, func(c *workload.Client, n *node) {
			n.now(c.Starts(n))
			n.now(c.Starts(n))
			n.now(c.Done(n))
			c.Expired(n)
			n.now(c.Done(n))
		}, []string{"now", "wait 1ms"}},
		{"closed, without a pause", workload.Work{Requests: 3}, func(c *workload.Client, n *node) {
			for n.now(c.Starts(n)); c.Done(n); {
				n.now(true)
			}
		}, []string{"now", "now", "now"}},
		{"open", workload.Work{Requests: 2, Think: workload.Pause{Mean: ms}, Open: true}, func(c *workload.Client, n *node) {
			n.now(c.Starts(n))
			c.Expired(n)
			n.now(c.Done(n))
			c.Expired(n)
		}, []string{"wait 1ms", "wait 1ms"}},
		{"reactions", workload.Work{Requests: 1, Reactions: 2}, func(c *workload.Client, n *node) {
			for range 5 {
				n.now(c.Reacts())
			}
		}, []string{"now", "now"}},
	} {
		client, n := workload.New(c.work), &node{}
		c.then(&client, n)
		if !slices.Equal(n.said, c.want) {
			t.Errorf("%s: %q, want %q", c.name, n.said, c.want)
		}
	}
}

func TestNoWork(t *testing.T) {
	for _, work := range []workload.Work{{}, {Requests: 1, Think: workload.Pause{Mean: -1}}, {Requests: 1, Reactions: -1}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%+v was taken", work)
				}
			}()
			workload.New(work)
		}()
	}
}
