package sorted

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"bullring/internal/regular"
)

// The bytes of a key, and of one with a number.
const (
	keyBytes   = 12
	entryBytes = keyBytes + 8
)

// blockBytes is how much is read or written at once.
const blockBytes = 1 << 15

// writer writes a run, and makes its file with the first record. It keeps its first error until it is closed.
type writer struct {
	path  string
	file  *os.File
	out   *bufio.Writer
	text  [entryBytes]byte
	count uint64
	err   error
}

func (s *Set) create() *writer {
	s.next++
	return &writer{path: filepath.Join(s.Folder, fmt.Sprintf("%s-%d", s.Name, s.next-1))}
}

func (w *writer) open() {
	if w.file, w.err = os.Create(w.path); w.err == nil {
		w.out = bufio.NewWriterSize(w.file, blockBytes)
	}
}

func (w *writer) key(k Key)     { w.put(Entry{Key: k}, keyBytes) }
func (w *writer) entry(e Entry) { w.put(e, entryBytes) }

func (w *writer) put(e Entry, size int) {
	if w.count++; w.count == 1 {
		w.open()
	}
	if w.err != nil {
		return
	}
	binary.LittleEndian.PutUint64(w.text[0:], e.First)
	binary.LittleEndian.PutUint32(w.text[8:], e.More)
	binary.LittleEndian.PutUint64(w.text[keyBytes:], e.Number)
	_, w.err = w.out.Write(w.text[:size])
}

// close returns the run that was written. An empty one has no file.
func (w *writer) close() (Run, error) {
	if w.file == nil {
		return Run{}, w.err
	}
	flushed := w.out.Flush()
	return Run{filepath.Base(w.path), w.count}, cmp.Or(w.err, flushed, w.file.Close())
}

// reader reads a run.
type reader struct {
	file  *os.File
	in    *bufio.Reader
	size  int
	left  uint64
	now   Entry
	ended bool
}

// open opens runs of records of that size. What it returns has to be closed, even with an error.
func (s *Set) open(runs []Run, size int) (all []*reader, err error) {
	for _, run := range runs {
		f, err := regular.Open(filepath.Join(s.Folder, run.File))
		if err != nil {
			return all, err
		}
		r := &reader{file: f, in: bufio.NewReaderSize(f, blockBytes), size: size, left: run.Count}
		all = append(all, r)
		if err := r.advance(); err != nil {
			return all, err
		}
	}
	return all, nil
}

// advance goes on to the next record.
func (r *reader) advance() error {
	if r.left == 0 {
		r.ended = true
		return nil
	}
	text, err := r.in.Peek(r.size)
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = fmt.Errorf("%s ends too early: %w", r.file.Name(), io.ErrUnexpectedEOF)
		}
		return err
	}
	r.now.First, r.now.More = binary.LittleEndian.Uint64(text), binary.LittleEndian.Uint32(text[8:])
	if r.size == entryBytes {
		r.now.Number = binary.LittleEndian.Uint64(text[keyBytes:])
	}
	r.left--
	_, err = r.in.Discard(r.size)
	return err
}

func closeAll(readers []*reader) {
	for _, r := range readers {
		r.file.Close()
	}
}
