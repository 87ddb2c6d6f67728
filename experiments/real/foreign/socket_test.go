package foreign

import (
	"testing"

	"bullring/experiments/trial"
	"bullring/protocols"
	"bullring/protocols/box"
	"bullring/protocols/reliable"
)

// A message that crosses a socket is the one that was sent: its text and its size, also behind a reliable link.
func TestMessagesCrossSockets(t *testing.T) {
	s := &setup{in: &trial.Instance{System: trial.System{N: 3}}, kinds: openKinds(nil), command: command{text: "program"}}
	for _, body := range []string{`{"type":"probe","rank":3}`, `{"type":"Probe","text":"<&>\u2028 \u00e9"}`, `{"rank":1e400,"type":"other","list":[{}]}`} {
		kind, err := s.kinds.of(map[bool]string{true: "other", false: "probe"}[body[2] == 'r'])
		if err != nil {
			t.Fatal(err)
		}
		sent := message{kinds: s.kinds.itself, kind: kind, body: body}
		for _, behind := range []func(protocols.Process[box.Message]) protocols.Process[box.Message]{
			func(p protocols.Process[box.Message]) protocols.Process[box.Message] { return p },
			func(p protocols.Process[box.Message]) protocols.Process[box.Message] {
				return box.Wrap(reliable.Wrap(p, reliable.Config{RTO: 1}))
			},
		} {
			p := &process{role: role{setup: func() *setup { return s }}}
			receiver := behind(box.Wrap(p))
			m := box.Message{Inside: sent}
			if _, plain := protocols.Sample(receiver).Inside.(message); !plain {
				m = box.Message{Inside: reliable.Message[box.Message]{Inner: m, Type: reliable.Retry, Number: 12, From: 1, First: true}}
			}
			text, err := protocols.Encode(m)
			if err != nil {
				t.Fatal(err)
			}
			got, err := box.Decode(receiver, text)
			if err != nil || got.String() != m.String() || got.Bits() != m.Bits() {
				t.Errorf("%s: %v of %d bits, %v; want %v, %d", body, got, got.Bits(), err, m, m.Bits())
			}
		}
	}
}

// What is no message of a program is refused, and of those with an algorithm what has none of its kinds.
func TestForeignMessagesAreRefused(t *testing.T) {
	s := &setup{in: &trial.Instance{System: trial.System{N: 3}}, kinds: newKinds([]string{"PROBE"}), command: command{text: "program"}}
	p := box.Wrap(&process{role: role{setup: func() *setup { return s }}})
	for _, text := range []string{`{}`, `[]`, `{"type":3}`, `{"type":"gossip"}`, `null`} {
		if m, err := box.Decode(p, []byte(text)); err == nil {
			t.Errorf("%s is %v; want an error", text, m)
		}
	}
}
