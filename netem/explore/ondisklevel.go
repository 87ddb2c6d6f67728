package explore

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"os"
	"path/filepath"

	"bullring/internal/regular"
)

// A level has three files. The first has its candidates in full, until they are expanded: of each a hash and a row.
// The second says how each was found: by which move of which state of the level before. The third has a bit for each
// candidate that is new; the others were visited before, or found twice in the level.

func levelFile(kind string, level int) string { return fmt.Sprintf("%s-%05d", kind, level) }

const fileBuffer = 1 << 16

// levelWriter writes a level. It keeps its first error until it is closed.
type levelWriter struct {
	level         int
	size          int // words of a row
	states, steps *os.File
	out, how      *bufio.Writer
	candidates    uint64
	last          uint64 // the state by which the last candidate was found
	bytes         uint64 // of the states
	stepsBytes    uint64
	err           error
}

func (d *onDisk) newLevel(level int) (*levelWriter, error) {
	states, err := os.Create(d.path(levelFile("states", level)))
	if err != nil {
		return nil, err
	}
	steps, err := os.Create(d.path(levelFile("steps", level)))
	if err != nil {
		states.Close()
		return nil, err
	}
	return &levelWriter{
		level: level, size: d.layout.size, states: states, steps: steps,
		out: bufio.NewWriterSize(states, fileBuffer), how: bufio.NewWriterSize(steps, fileBuffer),
	}, nil
}

func (d *onDisk) path(file string) string { return filepath.Join(d.disk.Folder, file) }

// add adds a candidate, found by a move of a state of the level before. Candidates come in the order of these
// states.
func (w *levelWriter) add(parent uint64, nth uint32, text []byte) {
	_, err := w.out.Write(text)
	w.err = cmp.Or(w.err, err)
	how := binary.AppendUvarint(make([]byte, 0, 2*binary.MaxVarintLen64), parent-w.last)
	how = binary.AppendUvarint(how, uint64(nth))
	_, err = w.how.Write(how)
	w.err = cmp.Or(w.err, err)
	w.last = parent
	w.candidates++
	w.bytes += uint64(len(text))
	w.stepsBytes += uint64(len(how))
}

// close ends the level, of which those candidates are new, and returns a reader of these.
func (w *levelWriter) close(fresh []uint64) (*levelReader, error) {
	text := make([]byte, 0, 8*len(fresh))
	for _, word := range fresh {
		text = binary.LittleEndian.AppendUint64(text, word)
	}
	err := cmp.Or(w.err, w.out.Flush(), w.how.Flush(), w.steps.Close(),
		os.WriteFile(filepath.Join(filepath.Dir(w.states.Name()), levelFile("new", w.level)), text, 0o644))
	if err == nil {
		_, err = w.states.Seek(0, io.SeekStart)
	}
	if err != nil {
		w.states.Close()
		return nil, err
	}
	return newLevelReader(w.states, w.level, w.size, w.candidates, fresh), nil
}

// levelReader reads the new states of a level.
type levelReader struct {
	level      int
	file       *os.File
	in         *bufio.Reader
	most       int // bytes of a state
	candidates uint64
	done       uint64 // candidates that were read
	bits       []uint64
	fresh      uint64                   // how many are new
	translate  func(row []uint32) error // to the numbers of this search; nil if they are
}

func newLevelReader(file *os.File, level, size int, candidates uint64, fresh []uint64) *levelReader {
	r := &levelReader{
		level: level, file: file, in: bufio.NewReaderSize(file, fileBuffer), most: hashBytes + size/8 + 1 + binary.MaxVarintLen32*size,
		candidates: candidates, bits: fresh,
	}
	for _, word := range fresh {
		r.fresh += uint64(bits.OnesCount64(word))
	}
	return r
}

// hashBytes is the size of a hash.
const hashBytes = 16

// read reads the next new state, and reports whether there is one.
func (r *levelReader) read(st *state) (bool, error) {
	for r.done < r.candidates {
		text, err := r.in.Peek(r.most) // at the end there is less
		size := readState(text, st)
		if size == 0 {
			if err == nil || errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return false, fmt.Errorf("%s: %w", r.file.Name(), err)
		}
		r.in.Discard(size) // that much is in its buffer
		i := r.done
		r.done++
		if r.bits[i/64]>>(i%64)&1 == 1 {
			if r.translate != nil {
				return true, r.translate(st.words)
			}
			return true, nil
		}
	}
	return false, nil
}

// readState reads a state, and returns the bytes that it takes, or 0 if the text ends before.
func readState(text []byte, st *state) int {
	if len(text) < hashBytes {
		return 0
	}
	st.print = hash{binary.LittleEndian.Uint64(text), binary.LittleEndian.Uint64(text[8:])}
	size := readRow(text[hashBytes:], st.words)
	if size == 0 {
		return 0
	}
	return hashBytes + size
}

// howFound says by which state of the level before, and by which of its moves, the new state with that number was
// found.
func (d *onDisk) howFound(level int, number uint64) (parent, nth uint64, err error) {
	fresh, err := readBits(d.path(levelFile("new", level)))
	if err != nil {
		return 0, 0, err
	}
	file, err := regular.Open(d.path(levelFile("steps", level)))
	if err != nil {
		return 0, 0, err
	}
	defer file.Close()
	in := bufio.NewReaderSize(file, fileBuffer)
	for i, seen := uint64(0), uint64(0); ; i++ {
		more, err := binary.ReadUvarint(in)
		if err == nil {
			nth, err = binary.ReadUvarint(in)
		}
		if err != nil {
			return 0, 0, fmt.Errorf("%s, of state %d: %w", file.Name(), number, err)
		}
		parent += more
		if fresh[i/64]>>(i%64)&1 == 1 {
			if seen == number {
				return parent, nth, nil
			}
			seen++
		}
	}
}

// mostBits is the size in bytes of the largest file of bits.
const mostBits = 1 << 38

func readBits(path string) ([]uint64, error) {
	text, err := regular.Read(path, mostBits)
	if err != nil {
		return nil, err
	}
	words := make([]uint64, len(text)/8)
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(text[8*i:])
	}
	return words, nil
}

// appendState appends a state as it stands in a file.
func appendState(text []byte, st *state) []byte { return appendRow(st.print.append(text), st.words) }

// The words of a row that are not 0 are few: they follow a bit for each word.

func appendRow(text []byte, words []uint32) []byte {
	at := len(text)
	text = append(text, make([]byte, (len(words)+7)/8)...)
	for i, w := range words {
		if w != 0 {
			text[at+i/8] |= 1 << (i % 8)
			text = binary.AppendUvarint(text, uint64(w))
		}
	}
	return text
}

// readRow reads a row, and returns the bytes that it takes, or 0 if the text ends before.
func readRow(text []byte, words []uint32) int {
	clear(words)
	at := (len(words) + 7) / 8
	if len(text) < at {
		return 0
	}
	for i, set := range text[:at] {
		for ; set != 0; set &= set - 1 {
			w, size := binary.Uvarint(text[at:])
			if size <= 0 || 8*i+bits.TrailingZeros8(set) >= len(words) {
				return 0
			}
			words[8*i+bits.TrailingZeros8(set)] = uint32(w)
			at += size
		}
	}
	return at
}
