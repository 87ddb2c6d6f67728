// Package journal is a file of records that survives its writer. A record is appended
// whole, with its length and a checksum. It can be read again after a kill at any instant,
// after a power failure at least a second later, and beside damage elsewhere in the file.
//
// The way of a record: [Journal.Append] writes a marker of four bytes, the length of the
// body, a CRC-32C of length and body, and the body; numbers are little-endian. Within a
// second the disk has it. After a crash [Open] or [Scan] reads all sound records in order.
// Between them it skips damage: it looks for the next marker, and reports in [Damage] how
// many bytes it skipped. The next Append cuts off a torn end.
//
// One process writes at a time: the file is locked while it is open. The package never
// trusts bytes without a right checksum, never knows what a body means, and never writes
// to a file that is no journal or that is behind a symbolic link.
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

	"bullring/internal/filelock"
	"bullring/internal/regular"
)

// MaxBody is the longest body of a record, in bytes. A longer length is damage.
const MaxBody = 1 << 28

const headerSize = 12 // marker, length, checksum

var marker = [4]byte{0xb5, 'b', 'r', '\n'}

// syncAfter is the longest time that a record waits for the disk: the work that a power
// failure may cost.
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
	torn   bool  // there are bytes behind it
	record []byte
	due    *time.Timer // gives the last records to the disk; nil if all are there
	broken error       // of a failed append or sync: nothing is appended after it
}

// disk is the part of *os.File that a journal needs. In tests it loses its power.
type disk interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	Name() string
	Stat() (fs.FileInfo, error)
	Sync() error
	Truncate(size int64) error
}

// Damage describes the bytes that a reader skipped.
type Damage struct {
	Bytes int64 // in all
	At    int64 // the place of the first of them
	Tail  int64 // those at the end of the file
}

// String describes the damage in words, "" for none.
func (d Damage) String() string {
	switch {
	case d.Bytes == 0:
		return ""
	case d.Tail == d.Bytes:
		return fmt.Sprintf("the last %d bytes were torn or damaged and are cut off", d.Bytes)
	}
	return fmt.Sprintf("%d bytes, from byte %d on, are damaged and left out", d.Bytes, d.At)
}

// Open opens a journal to append to it, or creates it. It calls each with the place and
// the body of every record, in order; the body is valid during the call. The file does not
// change before the first Append. The error is [ErrLocked] if another process has the
// journal open, and [ErrForeign] if the file is no journal.
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

// isTorn reports whether a file of that size can be the beginning of a record.
func isTorn(file io.ReaderAt, size int64) bool {
	header := make([]byte, min(size, headerSize))
	if _, err := file.ReadAt(header, 0); err != nil {
		return false
	}
	if len(header) < headerSize {
		return begins(header)
	}
	length, ok := bodyLength(header)
	return ok && length > size-headerSize
}

// bodyLength is the length in a header; false if it is no header of a record.
func bodyLength(header []byte) (length int64, ok bool) {
	length = int64(binary.LittleEndian.Uint32(header[4:]))
	return length, begins(header) && length <= MaxBody
}

// begins reports whether a file with this beginning may be a journal.
func begins(header []byte) bool {
	length := min(len(header), len(marker))
	return bytes.Equal(header[:length], marker[:length])
}

// Begun reports whether a file is empty or begins like a journal. It reads no more.
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

// Scan reads a journal that another process may be writing. A record that is being
// appended counts as damage.
func Scan(path string, each func(at int64, body []byte) error) (Damage, error) {
	file, err := regular.Open(path)
	if err != nil {
		return Damage{}, err
	}
	defer file.Close()
	damage, _, err := scan(file, each)
	return damage, err
}

// Written reports whether a process has the journal open to write it. known is false on
// file systems without locks; on some file systems a lock does not reach from machine to
// machine. Written itself takes the lock for an instant.
func Written(path string) (now, known bool, err error) {
	file, err := regular.Open(path)
	if err != nil {
		return false, false, err
	}
	defer file.Close()
	return filelock.Held(file)
}

// Reader reads single records of a journal.
type Reader struct{ file disk }

// NewReader opens a journal to read records at places known from [Scan].
func NewReader(path string) (*Reader, error) {
	file, err := regular.Open(path)
	if err != nil {
		return nil, err
	}
	return &Reader{file}, nil
}

// Reader returns a reader of the open journal.
func (j *Journal) Reader() *Reader { return &Reader{j.file} }

// Close closes a reader of [NewReader].
func (r *Reader) Close() error { return r.file.Close() }

// Read returns the body of the record at a place, in the buffer if it fits. A damaged
// record is an error.
func (r *Reader) Read(at int64, buffer []byte) ([]byte, error) {
	var header [headerSize]byte
	if _, err := r.file.ReadAt(header[:], at); err != nil {
		return nil, fmt.Errorf("%s: the record at byte %d: %w", r.file.Name(), at, err)
	}
	length, ok := bodyLength(header[:])
	if !ok {
		return nil, fmt.Errorf("%s: no record begins at byte %d", r.file.Name(), at)
	}
	body := sized(buffer, length)
	if _, err := r.file.ReadAt(body, at+headerSize); err != nil {
		return nil, fmt.Errorf("%s: the record at byte %d: %w", r.file.Name(), at, err)
	}
	if checksum(header[4:8], body) != binary.LittleEndian.Uint32(header[8:]) {
		return nil, fmt.Errorf("%s: the record at byte %d is damaged", r.file.Name(), at)
	}
	return body, nil
}

// sized returns a buffer of that length: the given one if it is large enough.
func sized(buffer []byte, length int64) []byte {
	if int64(cap(buffer)) < length {
		return make([]byte, length)
	}
	return buffer[:length]
}

// Append writes a record and returns its place. Within a second the disk has it. If Append
// fails, as on a full disk, the journal is as it was before, and takes no more records.
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

// sync calls Sync some time after the first record that waits for it.
func (j *Journal) sync() {
	j.mu.Lock()
	j.due = nil
	j.mu.Unlock()
	j.Sync() // the next Append returns its error
}

// Sync gives all records to the disk. Goroutines may append meanwhile. If the disk fails,
// records may be lost, and the journal takes no more.
func (j *Journal) Sync() error {
	err := j.file.Sync()
	if err != nil {
		j.mu.Lock()
		j.broken = errors.Join(j.broken, err)
		j.mu.Unlock()
	}
	return err
}

// Clear removes all records.
func (j *Journal) Clear() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.end, j.torn = 0, false
	return j.file.Truncate(0)
}

// Close syncs the journal and unlocks it.
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

// There reports whether the journal still has its path: it may have been moved or removed.
func (j *Journal) There() bool { return isAt(j.file, j.path) }

// Remove closes the journal and removes it. Another file at its path stays.
func (j *Journal) Remove() error {
	j.stop()
	if !j.There() {
		return j.file.Close()
	}
	return filelock.Remove(j.file, j.path)
}

func checksum(length, body []byte) uint32 {
	castagnoli := crc32.MakeTable(crc32.Castagnoli) // made once, when first needed
	return crc32.Update(crc32.Checksum(length, castagnoli), castagnoli, body)
}

// scan reads the records of a file. end is the end of the last one.
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

// next reads the record at the reader; false if there is no sound one. left is the rest of
// the file in bytes.
func next(in *bufio.Reader, left int64, buffer []byte) (body []byte, ok bool, err error) {
	var header [headerSize]byte
	if left < headerSize {
		return buffer, false, nil
	}
	if _, err := io.ReadFull(in, header[:]); err != nil {
		return buffer, false, err
	}
	length, ok := bodyLength(header[:])
	if !ok || length > left-headerSize {
		return buffer, false, nil
	}
	body = sized(buffer, length)
	if _, err := io.ReadFull(in, body); err != nil {
		return buffer, false, err
	}
	return body, checksum(header[4:8], body) == binary.LittleEndian.Uint32(header[8:]), nil
}

// search returns the place of the next marker, or size.
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
