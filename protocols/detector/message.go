package detector

import (
	"encoding/json"
	"fmt"
	"slices"

	"bullring/protocols"
)

// own is the kind of the detector.
var own = []string{"HEARTBEAT"}

// Message is a message of the algorithm or a heartbeat.
type Message[M protocols.Message] struct {
	Inner       M      // meaningless in a heartbeat
	Number      uint64 // of the heartbeat in this life of its sender, from 1; 0 in a message of the algorithm
	Incarnation uint32 // of the sender of a heartbeat
	kinds       uint16 `explore:"-"` // the number of kinds of the algorithm, in a heartbeat
}

// Kind implements [protocols.Message]: the kinds of the algorithm, then
// HEARTBEAT.
func (m Message[M]) Kind() int {
	if m.Number == 0 {
		return m.Inner.Kind()
	}
	return int(m.kinds)
}

// Kinds implements [protocols.Message]. Each call makes the slice anew: it is for the
// beginning of a run, not for every message.
func (m Message[M]) Kinds() []string { return slices.Concat(m.Inner.Kinds(), own) }

// Bits implements [protocols.Message]: 8 for the kind of a heartbeat, 64 for its number
// and 64 for the incarnation. Messages of the algorithm do not grow.
func (m Message[M]) Bits() int {
	if m.Number == 0 {
		return m.Inner.Bits()
	}
	return 8 + 64 + 64
}

// Overhead implements [protocols.Overhead].
func (m Message[M]) Overhead(kind int) bool {
	return kind >= len(m.Inner.Kinds()) || protocols.IsOverhead(m.Inner, kind)
}

// Background implements [protocols.Backgrounder]: heartbeats, and background messages of
// the algorithm.
func (m Message[M]) Background(kind int) bool {
	return kind >= len(m.Inner.Kinds()) || protocols.IsBackground(m.Inner, kind)
}

// Forge implements [protocols.Forgeable], as far as the message inside does.
func (m Message[M]) Forge(f func(identity int64) int64) Message[M] {
	if m.Number == 0 {
		m.Inner = protocols.Forge(m.Inner, f)
	}
	return m
}

// String prints the message as a trace shows it: that of the algorithm, HEARTBEAT #7, or
// HEARTBEAT #7 of life 2; the first life is 0.
func (m Message[M]) String() string {
	switch {
	case m.Number == 0:
		return fmt.Sprint(m.Inner)
	case m.Incarnation == 0:
		return fmt.Sprintf("HEARTBEAT #%d", m.Number)
	}
	return fmt.Sprintf("HEARTBEAT #%d of life %d", m.Number, m.Incarnation)
}

// Decode implements [protocols.Decoder].
func (p *Process[M]) Decode(text []byte) (m Message[M], err error) {
	form := struct {
		*Message[M]
		Inner json.RawMessage // hides that of the message
	}{Message: &m}
	if err := protocols.Unmarshal(text, &form); err != nil {
		return m, err
	}
	if m.Number == 0 {
		m.Inner, err = protocols.Decode(p.Inner, form.Inner)
	} else {
		m.kinds = p.heartbeat.kinds
	}
	return m, err
}
