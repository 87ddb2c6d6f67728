package remote

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
)

// seal marks the lines that go one way over a connection between hosts. A line begins with an HMAC
// over its number and its text, under a key of the connection. So it is noticed if a line is altered, put
// in, left out or repeated on its way. Lines are not encrypted.
type seal struct {
	key    []byte
	number uint64 // of the next line
}

var errSeal = errors.New("a line was altered on its way, or is not from the other end of this connection")

// sealSize is the length of an HMAC in base64.
var sealSize = base64.StdEncoding.EncodedLen(sha256.Size)

// close returns the next line as it goes over the wire.
func (s *seal) close(text []byte) []byte {
	return append(append(s.next(text), ' '), text...)
}

// open returns the text of the next line.
func (s *seal) open(line []byte) ([]byte, error) {
	mark, text, found := bytes.Cut(line, []byte{' '})
	if !found || !hmac.Equal(mark, s.next(text)) {
		return nil, errSeal
	}
	return text, nil
}

// next is the mark of a text as that of the next line.
func (s *seal) next(text []byte) []byte {
	m := hmac.New(sha256.New, s.key)
	m.Write(binary.BigEndian.AppendUint64(nil, s.number))
	m.Write(text)
	s.number++
	return base64.StdEncoding.AppendEncode(make([]byte, 0, sealSize+1+len(text)+1), m.Sum(nil))
}
