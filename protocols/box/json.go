package box

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"

	"bullring/protocols"
)

// MarshalJSON implements [json.Marshaler]: the text is that of the message inside.
func (b Message) MarshalJSON() ([]byte, error) { return protocols.Encode(b.Inside) }

// Decode returns the message of a JSON text that the process may receive.
func Decode(p protocols.Process[Message], text []byte) (Message, error) {
	return protocols.Decode(p, text)
}

// Decode implements [protocols.Decoder].
func (p *process[M]) Decode(text []byte) (Message, error) {
	if !p.decodes {
		if err := lossless(reflect.TypeFor[M](), map[reflect.Type]bool{}); err != nil {
			return Message{}, err
		}
		p.decodes = true
	}
	m, err := protocols.Decode(p.Inner, text)
	if err != nil {
		return Message{}, err
	}
	return p.put(m), nil
}

// lossless reports a part of a message that JSON would lose. A field that is not exported must
// have the tag explore:"-", so it is no part of the message, or be an embedded struct. A type
// that makes its own JSON is trusted.
func lossless(t reflect.Type, seen map[reflect.Type]bool) error {
	if seen[t] || t.Implements(reflect.TypeFor[json.Marshaler]()) || t.Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
		return nil
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return lossless(t.Elem(), seen)
	case reflect.Interface:
		return fmt.Errorf("a message has a part of type %v; JSON does not tell which type is inside", t)
	case reflect.Struct:
		for f := range t.Fields() {
			if f.Tag.Get("explore") == "-" || f.Name == "_" {
				continue
			}
			if embedded := f.Anonymous && f.Type.Kind() == reflect.Struct; !f.IsExported() && !embedded {
				return fmt.Errorf("field %s of %v is lost in JSON, because it is not exported", f.Name, t)
			}
			if err := lossless(f.Type, seen); err != nil {
				return err
			}
		}
	}
	return nil
}
