package live

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"time"

	"bullring/protocols"
)

// frame is a message on the wire: its length, a header of fixed size, and the message as JSON.
// Numbers are big-endian.
type frame struct {
	from   protocols.ID
	number uint64        // of the message in the run
	clock  uint64        // Lamport's, of the step that sent it
	sent   time.Duration // since the run began
	body   []byte
}

const (
	frameHeader = 4 + 8 + 8 + 8
	// mostFrame is the largest frame. A longer one is a mistake or garbage.
	mostFrame = 1 << 20
)

// appendFrame appends the frame as it goes over the wire.
func appendFrame(to []byte, f *frame) []byte {
	to = binary.BigEndian.AppendUint32(to, uint32(frameHeader+len(f.body)))
	to = binary.BigEndian.AppendUint32(to, uint32(f.from))
	to = binary.BigEndian.AppendUint64(to, f.number)
	to = binary.BigEndian.AppendUint64(to, f.clock)
	to = binary.BigEndian.AppendUint64(to, uint64(f.sent))
	return append(to, f.body...)
}

// readFrame reads a frame. The error is io.EOF at the end of the connection.
func readFrame(r *bufio.Reader) (f frame, err error) {
	var head [4 + frameHeader]byte
	if _, err := io.ReadFull(r, head[:4]); err != nil {
		return f, err
	}
	size := binary.BigEndian.Uint32(head[:])
	if size < frameHeader || size > mostFrame {
		return f, fmt.Errorf("a frame of %d bytes; frames have %d to %d", size, frameHeader, mostFrame)
	}
	if _, err := io.ReadFull(r, head[4:]); err != nil {
		return f, unexpected(err)
	}
	f.from = protocols.ID(int32(binary.BigEndian.Uint32(head[4:])))
	f.number = binary.BigEndian.Uint64(head[8:])
	f.clock = binary.BigEndian.Uint64(head[16:])
	f.sent = time.Duration(binary.BigEndian.Uint64(head[24:]))
	f.body = make([]byte, size-frameHeader)
	_, err = io.ReadFull(r, f.body)
	return f, unexpected(err)
}

// unexpected is the error of a connection that ends within a frame.
func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
