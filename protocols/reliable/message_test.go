package reliable_test

import (
	"fmt"
	"slices"
	"testing"

	"bullring/protocols"
	"bullring/protocols/reliable"
)

// envelopes notes what a process sends.
type envelopes struct {
	stub[envelope]
	sent []envelope
}

func (e *envelopes) Send(_ protocols.ID, m envelope) { e.sent = append(e.sent, m) }

// three is a DATA, a RETRY and an ACK of a link that sent 7.
func three() []envelope {
	n := &envelopes{}
	p := reliable.Wrap[note](&script{start: sends(7)}, stubborn)
	p.Start(n)
	p.Timeout(n, -1-1)
	p.Receive(n, 1, envelope{Inner: 8, Number: 1})
	return n.sent
}

func TestMessages(t *testing.T) {
	ms := three()
	if want := []string{"NOTE", "ACK", "RETRY"}; !slices.Equal(envelope{}.Kinds(), want) {
		t.Errorf("kinds %v; want %v", envelope{}.Kinds(), want)
	}
	for i, want := range []struct {
		kind, bits int
		text       string
	}{
		{0, 8 + 64 + 3*64 + 8, "7#1"},
		{2, 8 + 8 + 64 + 3*64 + 8, "RETRY 7#1"},
		{1, 8 + 3*64, "ACK #1"},
	} {
		m := ms[i]
		if m.Kind() != want.kind || m.Bits() != want.bits || m.String() != want.text {
			t.Errorf("%v is of kind %d and has %d bits; want %+v", m, m.Kind(), m.Bits(), want)
		}
		if own := want.kind > 0; (envelope{}).Overhead(want.kind) != own || (envelope{}).Background(want.kind) {
			t.Errorf("kind %d: overhead %v, background %v", want.kind, (envelope{}).Overhead(want.kind), (envelope{}).Background(want.kind))
		}
	}
	if got, want := fmt.Sprint(envelope{Inner: 7, Number: 3, From: 1}), "7#3 1->0"; got != want {
		t.Errorf("%q; want %q", got, want)
	}
}

// A link over another one: what is overhead or background inside is so outside.
func TestMessagesOfAnEnvelope(t *testing.T) {
	type outer = reliable.Message[service]
	if want := []string{"NOTE", "BEAT", "ACK", "RETRY"}; !slices.Equal(outer{}.Kinds(), want) {
		t.Errorf("kinds %v; want %v", outer{}.Kinds(), want)
	}
	for kind, want := range []struct{ overhead, background bool }{{false, false}, {true, true}, {true, false}, {true, false}} {
		if (outer{}).Overhead(kind) != want.overhead || (outer{}).Background(kind) != want.background {
			t.Errorf("kind %d: overhead %v, background %v; want %+v", kind, (outer{}).Overhead(kind), (outer{}).Background(kind), want)
		}
	}
}

// service is a message with kinds of its own that are overhead and background.
type service struct{ note }

func (service) Kinds() []string          { return []string{"NOTE", "BEAT"} }
func (service) Overhead(kind int) bool   { return kind == 1 }
func (service) Background(kind int) bool { return kind == 1 }

// named can be forged.
type named struct{ note }

func (m named) Forge(f func(int64) int64) named { return named{note(f(int64(m.note)))} }

func TestForge(t *testing.T) {
	double := func(identity int64) int64 { return 2 * identity }
	m := reliable.Message[named]{Inner: named{21}, Number: 1}
	if got := m.Forge(double); got.Inner.note != 42 || got.Number != 1 || m.Inner.note != 21 {
		t.Errorf("forged %v, was %v", got, m)
	}
	if got := (envelope{Inner: 21}).Forge(double); got.Inner != 21 {
		t.Errorf("%v was forged and has not opted in", got)
	}
}
