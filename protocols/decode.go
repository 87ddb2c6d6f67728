package protocols

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// Decoder is an optional extension of Process for messages that JSON alone cannot restore.
// The messages of a wrapper are such: the process inside knows the type of what they hold.
type Decoder[M any] interface {
	// Decode is the inverse of Encode for the messages that the process receives.
	Decode(text []byte) (M, error)
}

// Encode returns a message as JSON. A message that makes its own JSON stays as it is: no character is
// escaped beside those that JSON demands.
func Encode(message any) ([]byte, error) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(message); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n")), nil
}

// Decode restores a message that a process may receive from its JSON text. An unknown field, an
// unknown kind and text behind the message are errors; a missing field is zero.
func Decode[M Message](p Process[M], text []byte) (m M, err error) {
	if d, ok := p.(Decoder[M]); ok {
		return d.Decode(text)
	}
	if err := Unmarshal(text, &m); err != nil {
		return m, err
	}
	if kind, kinds := m.Kind(), m.Kinds(); kind < 0 || kind >= len(kinds) {
		return m, fmt.Errorf("a message of kind %d; the kinds are 0 to %d, %v", kind, len(kinds)-1, kinds)
	}
	return m, nil
}

// Unmarshal is json.Unmarshal that refuses null, and fields which the message does not have.
func Unmarshal(text []byte, message any) error {
	if text = bytes.TrimSpace(text); len(text) == 0 || string(text) == "null" {
		return errors.New("there is no message")
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(message); err != nil {
		return err
	}
	if rest := bytes.TrimSpace(text[d.InputOffset():]); len(rest) > 0 {
		return fmt.Errorf("%.20q stands behind the message", rest)
	}
	return nil
}
