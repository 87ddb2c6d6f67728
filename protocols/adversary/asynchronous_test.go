package adversary_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"bullring/protocols"
	"bullring/protocols/adversary"
)

// node notes what a process does. It draws what it is told to.
type node struct {
	protocols.Node[int]
	draws []int
	did   []string
}

func (n *node) Send(to protocols.ID, m int) { n.did = append(n.did, fmt.Sprintf("%d to %v", m, to)) }
func (n *node) SetTimer(t protocols.Timer, _ time.Duration) {
	n.did = append(n.did, fmt.Sprintf("set %d", t))
}
func (n *node) StopTimer(t protocols.Timer) { n.did = append(n.did, fmt.Sprintf("stop %d", t)) }
func (n *node) Intn(of int) int {
	k := n.draws[0]
	n.draws = n.draws[1:]
	return k % of
}

// teller tells its value to 1 and 2 when it starts, and to the sender and on a timeout once more.
type teller struct{ value int }

func (p *teller) Start(n protocols.Node[int]) {
	n.Send(1, p.value)
	n.Send(2, p.value)
	n.SetTimer(3, time.Second)
}
func (p *teller) Receive(n protocols.Node[int], from protocols.ID, m int) { n.Send(from, p.value+m) }
func (p *teller) Timeout(n protocols.Node[int], t protocols.Timer) {
	n.StopTimer(t)
	n.Send(1, 10*p.value)
}

func TestAsynchronousStrategies(t *testing.T) {
	of := adversary.Asynchronous[int]{
		Honest:   func() protocols.Process[int] { return &teller{5} },
		Second:   func() protocols.Process[int] { return &teller{6} },
		First:    func(to protocols.ID) bool { return to == 1 },
		Versions: func(m int) []int { return []int{m, -m} },
		Told: func(_ int, first bool) int {
			if first {
				return 0
			}
			return 1
		},
	}
	for _, c := range []struct {
		strategy string
		did      []string
	}{
		{"", []string{"5 to 1", "5 to 2", "set 3", "6 to 2", "stop 3", "50 to 1"}},
		{"silent", []string{"set 3", "stop 3"}},
		{"random", []string{"-5 to 1", "set 3", "6 to 2", "stop 3", "-50 to 1"}},
		{"two-faced", []string{"5 to 1", "set 3", "6 to 2", "set -4", "7 to 2", "stop 3", "50 to 1", "stop -4"}},
		{"split", []string{"0 to 1", "1 to 2", "set 3", "1 to 2", "stop 3", "0 to 1"}},
	} {
		n, p := &node{draws: []int{1, 2, 0, 1}}, of.Lying(c.strategy)
		p.Start(n)
		p.Receive(n, 2, 1)
		p.Timeout(n, 3)
		if c.strategy == "two-faced" {
			p.Timeout(n, ^protocols.Timer(3))
		}
		if !slices.Equal(n.did, c.did) {
			t.Errorf("%q: %q, want %q", c.strategy, n.did, c.did)
		}
	}
	for _, s := range adversary.Asynchronously {
		if p, honest := of.Lying(s.Name).(*teller); honest {
			t.Errorf("%s: %v follows the algorithm", s.Name, p)
		}
	}
}

func TestOpposed(t *testing.T) {
	n, p := &node{}, adversary.Opposed[int](&teller{5}, func(m int) int { return -m })
	p.Start(n)
	p.Receive(n, 2, 1)
	p.Timeout(n, 3)
	if want := []string{"-5 to 1", "-5 to 2", "set 3", "-6 to 2", "stop 3", "-50 to 1"}; !slices.Equal(n.did, want) {
		t.Errorf("%q, want %q", n.did, want)
	}
}
