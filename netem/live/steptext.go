package live

import (
	"encoding/json"
	"time"

	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/box"
)

// stepText is a step as JSON: its own fields stand before those of the record with their names.
type stepText struct {
	netem.Record
	Message json.RawMessage `json:",omitempty"`
	Sent    []sentText      `json:",omitempty"`
	Clock   uint64
	Wall    time.Duration
	Latency time.Duration `json:",omitempty"`
}

type sentText struct {
	To      protocols.ID
	Message json.RawMessage
	Number  uint64
	Same    bool `json:",omitempty"`
}

// MarshalStep returns a step as JSON, in one line.
func MarshalStep(s *Step) (text []byte, err error) {
	t := stepText{Record: s.Record, Clock: s.Clock, Wall: s.Wall, Latency: s.Latency}
	t.Record.Message, t.Record.Sent = nil, nil
	if s.Message != nil {
		if t.Message, err = json.Marshal(s.Message); err != nil {
			return nil, err
		}
	}
	for _, m := range s.Sent {
		body, err := json.Marshal(m.Message)
		if err != nil {
			return nil, err
		}
		t.Sent = append(t.Sent, sentText{m.To, body, m.Number, m.Same})
	}
	return json.Marshal(t)
}

// UnmarshalStep returns the step of a text of MarshalStep. The process decodes the messages.
func UnmarshalStep(p protocols.Process[box.Message], text []byte) (*Step, error) {
	var t stepText
	if err := json.Unmarshal(text, &t); err != nil {
		return nil, err
	}
	s := &Step{Record: t.Record, Clock: t.Clock, Wall: t.Wall, Latency: t.Latency}
	if t.Message != nil {
		m, err := box.Decode(p, t.Message)
		if err != nil {
			return nil, err
		}
		s.Message = m
	}
	for _, one := range t.Sent {
		m, err := box.Decode(p, one.Message)
		if err != nil {
			return nil, err
		}
		s.Sent = append(s.Sent, netem.Sent{To: one.To, Message: m, Number: one.Number, Same: one.Same})
	}
	return s, nil
}
