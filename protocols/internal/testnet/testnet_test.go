package testnet_test

import (
	"strings"
	"testing"
	"time"

	"bullring/internal/golden"
	"bullring/protocols"
	"bullring/protocols/internal/testnet"
)

const ms = time.Millisecond

type word string

func (word) Kind() int       { return 0 }
func (word) Kinds() []string { return []string{"WORD"} }
func (word) Bits() int       { return 8 }

// echo answers the first word, and sets its timer again with every one.
type echo struct{ life int }

func (e *echo) Start(n protocols.Node[word]) {
	n.SetTimer(1, 3*ms)
	n.SetTimer(2, 2*ms)
	n.Send(n.Neighbor(0), "ping")
	n.Send(n.Neighbor(0), "again")
}

func (e *echo) Receive(n protocols.Node[word], from protocols.ID, m word) {
	if m == "ping" {
		n.Send(from, "pong")
	}
	n.StopTimer(1)
	n.SetTimer(1, 3*ms)
}

func (e *echo) Timeout(n protocols.Node[word], t protocols.Timer) {
	if t == 2 {
		n.Send(n.Neighbor(0), "late")
	}
}

func (e *echo) Recover(n protocols.Node[word])              { n.Send(n.Neighbor(0), "ping") }
func (e *echo) Restore(crashed protocols.Process[word])     { e.life = crashed.(*echo).life + 1 }
func (e *echo) Boot(n protocols.Node[word])                 { n.SetTimer(0, ms/2) }
func twice(from, _ protocols.ID, k int) (d []time.Duration) { return fates[from][min(k, 3)] }

// The second message of 0 is lost, its third arrives twice.
var fates = [2][4][]time.Duration{
	{{ms}, {}, {ms, 4 * ms}, {ms}},
	{{ms}, {ms}, {ms}, {ms}},
}

func TestTrace(t *testing.T) {
	var trace strings.Builder
	net := testnet.New(2, twice, func(protocols.ID) protocols.Process[word] { return &echo{} })
	net.Trace = &trace
	net.At(0, func() { net.Start(0) })
	net.At(4*ms, func() { net.Crash(1) })
	net.At(5*ms, func() { net.Restart(1) })
	net.At(8*ms, func() { net.Crash(0) })
	if !net.Settle(time.Second) {
		t.Error("the run did not come to rest")
	}
	if life := net.Process(1).(*echo).life; life != 1 || net.Sent[0] != 6 {
		t.Errorf("life %d of process 1, %d words sent; want 1 and 6", life, net.Sent[0])
	}
	golden.Check(t, "trace.txt", []byte(trace.String()))
}
