package failover

import (
	"encoding/json"
	"fmt"
	"slices"

	"bullring/protocols"
	"bullring/protocols/box"
)

// Type tells the messages apart.
type Type uint8

// The three types.
const (
	Serve       Type = iota // a message of the service
	Elect                   // a message of an election
	Coordinator             // the sender has won the election
)

// own are the kinds of this package, in the order of their types.
var own = []string{"ELECT", "COORDINATOR"}

// Message is a message of the service or of an election.
type Message[S protocols.Message] struct {
	Type    Type
	Epoch   int
	Members uint64      // Elect: the fingerprint of the members
	Service S           // Serve: the message of the service
	Ballot  box.Message // Elect: the message of the election
}

// Kind implements [protocols.Message]: the kinds of the service, then ELECT for all
// messages of elections, and COORDINATOR.
func (m Message[S]) Kind() int {
	if m.Type == Serve {
		return m.Service.Kind()
	}
	return len(m.Service.Kinds()) + int(m.Type-Elect)
}

// Kinds implements [protocols.Message]. Each call makes the slice anew: it is for the
// beginning of a run, not for every message.
func (m Message[S]) Kinds() []string { return slices.Concat(m.Service.Kinds(), own) }

// Bits implements [protocols.Message]: 64 for the epoch beyond the message of the
// service. A message of an election has 8 for its own kind, 64 for the epoch and 64 for
// the members beyond the message inside.
func (m Message[S]) Bits() int {
	switch m.Type {
	case Serve:
		return m.Service.Bits() + 64
	case Elect:
		return 8 + 64 + 64 + m.Ballot.Bits()
	}
	return 8 + 64
}

// Overhead implements [protocols.Overhead]: all but the messages of the service.
func (m Message[S]) Overhead(kind int) bool { return kind >= len(m.Service.Kinds()) }

// String prints the message as a trace shows it: that of the service, ELECT with the
// message inside, or COORDINATOR. Behind @ are the number of the dead, the term of the
// election if it has terms, and four digits that stand for the members: ELECT VOTE@2.1:b3f0.
func (m Message[S]) String() string {
	text := "COORDINATOR"
	switch m.Type {
	case Serve:
		text = fmt.Sprint(m.Service)
	case Elect:
		text = fmt.Sprintf("ELECT %v", m.Ballot)
	}
	if m.Epoch > 0 {
		text += fmt.Sprintf("@%d", m.Epoch/terms)
	}
	if term := m.Epoch % terms; term > 0 {
		text += fmt.Sprintf(".%d", term)
	}
	if m.Type == Elect {
		text += fmt.Sprintf(":%04x", uint16(m.Members))
	}
	return text
}

// Decode implements [protocols.Decoder].
func (p *Process[S]) Decode(text []byte) (m Message[S], err error) {
	form := struct {
		*Message[S]
		Service, Ballot json.RawMessage // hide those of the message
	}{Message: &m}
	if err := protocols.Unmarshal(text, &form); err != nil {
		return m, err
	}
	switch m.Type {
	case Serve:
		m.Service, err = protocols.Decode[S](p.service, form.Service)
	case Elect:
		m.Ballot, err = protocols.Decode(p.candidate(), form.Ballot)
	case Coordinator:
	default:
		err = fmt.Errorf("type %d of a service whose coordinator is replaced; the last is %d", m.Type, Coordinator)
	}
	return m, err
}

// candidate is a process of an election. It knows what the messages of any election are.
func (p *Process[S]) candidate() protocols.Process[box.Message] {
	if p.contest.Process != nil {
		return p.contest.Process
	}
	return p.cfg.Elect(0, []protocols.ID{0, 1}).Process
}
