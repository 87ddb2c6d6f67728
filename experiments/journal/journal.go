// Package journal is a file of records that survives whatever happens to the
// program that writes it: a record is appended whole, carries its length and a
// checksum, and is there again after a kill at any instant, after a power failure
// a second later or more, and beside damage elsewhere in the file.
//
// A record is a marker of four bytes, the length of its body, a CRC-32C of length
// and body, and the body; numbers are little-endian. What is no such record is
// never trusted: a reader looks for the next one behind it and tells how much it
// passed over. A torn end is cut off when the next record is appended.
//
// One process writes at a time: the file is locked while it is open. A file that is
// no journal is not written, nor is one behind a symbolic link.
package journal

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"sync"
	"time"

	"bullring/internal/regular"
)

// MaxBody is the longest body of a record, in bytes. It keeps a damaged length
// from being believed.
const MaxBody = 1 << 28

const headerSize = 12 // marker, length, checksum

var (
	marker     = [4]byte{0xb5, 'b', 'r', '\n'}
	castagnoli = crc32.MakeTable(crc32.Castagnoli)
)

// syncAfter is how long a record may wait until it is given to the disk: how much work
// a power failure may cost.
const syncAfter = time.Second

// ErrLocked says that another process has the journal open.
var ErrLocked = errors.New("another process is writing it")

// ErrForeign says that a file of the journal's name is no journal.
var ErrForeign = errors.New("it is no journal of bullring, and is left as it is: move it away")

// Journal is an open file of records. Its methods may be called by several
// goroutines.
type Journal struct {
	path string
	file disk

	mu     sync.Mutex
	end    int64 // of the last record
	torn   bool  // something stands behind it
	record []byte
	due    *time.Timer // gives the last records to the disk; nil if all are there
	broken error       // of an append or a sync that failed: nothing is appended after it
}

// disk is what a journal needs of its file. That of the tests loses its power.
type disk interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	Name() string
	Stat() (fs.FileInfo, error)
	Sync() error
	Truncate(size int64) error
}

// Damage is what a reader passed over.
type Damage struct {
	Bytes int64 // in all
	At    int64 // where the first of it begins
	Tail  int64 // of it, bytes at the end of the file
}

// String says so in words, "" for none.
func (d Damage) String() string {
	switch {
	case d.Bytes == 0:
		return ""
	case d.Tail == d.Bytes:
		return fmt.Sprintf("the last %d bytes were torn or damaged and are cut off", d.Bytes)
	}
	return fmt.Sprintf("%d bytes, from byte %d on, are damaged and left out", d.Bytes, d.At)
}

// Open opens a journal to append to it, and makes it if need be. It calls each
// with the place and the body of every record, in order; the body is good for the
// call. Nothing in the file is changed before the first Append. If another process has
// the journal open, the error is [ErrLocked]; of a file that is no journal, it is
// [ErrForeign].
func Open(path string, each func(at int64, body []byte) error) (*Journal, Damage, error) {
	file, err := openLocked(path)
	if err != nil {
		return nil, Damage{}, err
	}
	return load(path, file, each)
}

func load(path string, file disk, each func(int64, []byte) error) (*Journal, Damage, error) {
	damage, end, err := scan(file, each)
	if err == nil && end == 0 && damage.Bytes > 0 && !isTorn(file, damage.Bytes) {
		err = fmt.Errorf("%s: %w", path, ErrForeign)
	}
	if err != nil {
		return nil, damage, errors.Join(err, file.Close())
	}
	return &Journal{path: path, file: file, end: end, torn: damage.Tail > 0}, damage, nil
}

// isTorn reports whether a file of so many bytes can be the beginning of a record.
func isTorn(file io.ReaderAt, size int64) bool {
	header := make([]byte, min(size, headerSize))
	if _, err := file.ReadAt(header, 0); err != nil {
		return false
	}
	if len(header) < headerSize {
		return begins(header)
	}
	length := int64(binary.LittleEndian.Uint32(header[4:]))
	return begins(header) && length <= MaxBody && length > size-headerSize
}

// begins reports whether a file with this beginning may be a journal.
func begins(header []byte) bool {
	length := min(len(header), len(marker))
	return bytes.Equal(header[:length], marker[:length])
}

// Begun reports whether a file is empty or begins as a journal does. It reads no more.
func Begun(path string) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	file, err := regular.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	header := make([]byte, len(marker))
	n, err := io.ReadFull(file, header)
	return begins(header[:n]) && (err == nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF))
}

// Scan reads a journal without opening it for writing, even while somebody else
// does: a record that is being appended counts as damage.
func Scan(path string, each func(at int64, body []byte) error) (Damage, error) {
	file, err := regular.Open(path)
	if err != nil {
		return Damage{}, err
	}
	defer file.Close()
	damage, _, err := scan(file, each)
	return damage, err
}

// Written reports whether a process has the journal open to write it, and whether
// that can be told: some file systems have no locks, and on others a lock does not
// reach from machine to machine. It has the lock itself for an instant.
func Written(path string) (now, known bool, err error) {
	file, err := regular.Open(path)
	if err != nil {
		return false, false, err
	}
	defer file.Close()
	return locked(file)
}

// Reader reads single records of a journal.
type Reader struct{ file disk }

// NewReader opens a journal to read records whose places are known from [Scan].
func NewReader(path string) (*Reader, error) {
	file, err := regular.Open(path)
	if err != nil {
		return nil, err
	}
	return &Reader{file}, nil
}

// Reader reads records of the journal that is open.
func (j *Journal) Reader() *Reader { return &Reader{j.file} }

// Close closes a reader of [NewReader].
func (r *Reader) Close() error { return r.file.Close() }

// Read returns the body of the record at a place, in the buffer if it fits. A
// record that is not sound is an error.
func (r *Reader) Read(at int64, buffer []byte) ([]byte, error) {
	var header [headerSize]byte
	if _, err := r.file.ReadAt(header[:], at); err != nil {
		return nil, fmt.Errorf("%s: the record at byte %d: %w", r.file.Name(), at, err)
	}
	said := binary.LittleEndian.Uint32(header[4:]) // it may be above the largest int
	if [4]byte(header[:4]) != marker || said > MaxBody {
		return nil, fmt.Errorf("%s: no record begins at byte %d", r.file.Name(), at)
	}
	length := int(said)
	if cap(buffer) < length {
		buffer = make([]byte, length)
	}
	body := buffer[:length]
	if _, err := r.file.ReadAt(body, at+headerSize); err != nil {
		return nil, fmt.Errorf("%s: the record at byte %d: %w", r.file.Name(), at, err)
	}
	if checksum(header[4:8], body) != binary.LittleEndian.Uint32(header[8:]) {
		return nil, fmt.Errorf("%s: the record at byte %d is damaged", r.file.Name(), at)
	}
	return body, nil
}

// Append writes a record and returns its place. Within a second it is given to the
// disk. When Append fails, as on a full disk, the journal is as it was before, and
// takes no more.
func (j *Journal) Append(body []byte) (at int64, err error) {
	if len(body) > MaxBody {
		return 0, fmt.Errorf("%s: a record of %d bytes; it takes %d at most", j.path, len(body), MaxBody)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.broken != nil {
		return 0, j.broken
	}
	if at, err = j.write(body); err != nil {
		j.broken = err
		return 0, err
	}
	if j.due == nil {
		j.due = time.AfterFunc(syncAfter, j.sync)
	}
	return at, nil
}

func (j *Journal) write(body []byte) (at int64, err error) {
	if j.torn {
		if err := j.file.Truncate(j.end); err != nil {
			return 0, err
		}
		j.torn = false
	}
	length := binary.LittleEndian.AppendUint32(nil, uint32(len(body)))
	j.record = append(j.record[:0], marker[:]...)
	j.record = append(j.record, length...)
	j.record = binary.LittleEndian.AppendUint32(j.record, checksum(length, body))
	j.record = append(j.record, body...)
	if _, err := j.file.WriteAt(j.record, j.end); err != nil {
		return 0, errors.Join(err, j.file.Truncate(j.end))
	}
	at = j.end
	j.end += int64(len(j.record))
	return at, nil
}

// sync is Sync a while after the first record that waits for it.
func (j *Journal) sync() {
	j.mu.Lock()
	j.due = nil
	j.mu.Unlock()
	j.Sync() // the next Append returns its error
}

// Sync gives to the disk what was appended. Others go on appending meanwhile. What a
// disk did not take may be lost: then the journal takes no more.
func (j *Journal) Sync() error {
	err := j.file.Sync()
	if err != nil {
		j.mu.Lock()
		j.broken = errors.Join(j.broken, err)
		j.mu.Unlock()
	}
	return err
}

// Clear forgets all records.
func (j *Journal) Clear() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.end, j.torn = 0, false
	return j.file.Truncate(0)
}

// Close gives the journal to the disk and to other processes.
func (j *Journal) Close() error {
	j.stop()
	return errors.Join(j.file.Sync(), j.file.Close())
}

func (j *Journal) stop() {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.due != nil {
		j.due.Stop()
	}
}

// There reports whether the journal is still where it was opened: somebody may have
// moved or removed it since.
func (j *Journal) There() bool { return isAt(j.file, j.path) }

// Remove closes the journal and removes it. What was put in its place since stays.
func (j *Journal) Remove() error {
	j.stop()
	if !j.There() {
		return j.file.Close()
	}
	return remove(j.file, j.path)
}

func checksum(length, body []byte) uint32 {
	return crc32.Update(crc32.Checksum(length, castagnoli), castagnoli, body)
}

// scan reads the records of a file. end is behind the last of them.
func scan(file disk, each func(int64, []byte) error) (damage Damage, end int64, err error) {
	info, err := file.Stat()
	if err != nil {
		return damage, 0, err
	}
	if !info.Mode().IsRegular() {
		return damage, 0, fmt.Errorf("%s is no regular file", file.Name())
	}
	size := info.Size()
	var body []byte
	in := bufio.NewReaderSize(nil, 1<<18)
	in.Reset(io.NewSectionReader(file, 0, size))
	for at := int64(0); at < size; {
		var ok bool
		if body, ok, err = next(in, size-at, body); err != nil {
			return damage, end, err
		}
		if !ok {
			found, err := search(file, at+1, size)
			if err != nil {
				return damage, end, err
			}
			damage.pass(at, found, size)
			at = found
			in.Reset(io.NewSectionReader(file, at, size-at))
			continue
		}
		if err := each(at, body); err != nil {
			return damage, end, err
		}
		at += int64(headerSize + len(body))
		end = at
	}
	return damage, end, nil
}

func (d *Damage) pass(from, to, size int64) {
	if d.Bytes == 0 {
		d.At = from
	}
	d.Bytes += to - from
	if to == size {
		d.Tail = to - from
	}
}

// next reads the record that begins at the reader, if a sound one does. left is
// how much of the file there is.
func next(in *bufio.Reader, left int64, buffer []byte) (body []byte, ok bool, err error) {
	var header [headerSize]byte
	if left < headerSize {
		return buffer, false, nil
	}
	if _, err := io.ReadFull(in, header[:]); err != nil {
		return buffer, false, err
	}
	length := int64(binary.LittleEndian.Uint32(header[4:]))
	if [4]byte(header[:4]) != marker || length > MaxBody || length > left-headerSize {
		return buffer, false, nil
	}
	if int64(cap(buffer)) < length {
		buffer = make([]byte, length)
	}
	body = buffer[:length]
	if _, err := io.ReadFull(in, body); err != nil {
		return buffer, false, err
	}
	return body, checksum(header[4:8], body) == binary.LittleEndian.Uint32(header[8:]), nil
}

// search returns where the next marker stands, from a place on; size without one.
func search(file io.ReaderAt, from, size int64) (int64, error) {
	buffer := make([]byte, 1<<16)
	for from < size {
		n, err := file.ReadAt(buffer[:min(int64(len(buffer)), size-from)], from)
		if err != nil && err != io.EOF {
			return 0, err
		}
		if i := bytes.Index(buffer[:n], marker[:]); i >= 0 {
			return from + int64(i), nil
		}
		if int64(n) == size-from {
			break
		}
		from += int64(n - len(marker) + 1) // a marker may lie across
	}
	return size, nil
}
