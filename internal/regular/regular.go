// Package regular reads files whose names come from outside, such as a command line or a folder of
// another person. It reads only regular files, because a device may never end and a pipe may never
// begin, and only files up to a size that the caller gives.
package regular

import (
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Open opens a regular file for reading. It returns an error for any other file and does not open
// it: opening a pipe waits for its writer, and opening a device may have an effect.
func Open(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is %s; it takes a regular file", path, kind(info.Mode()))
	}
	return os.Open(path)
}

// Read reads a regular file of at most so many bytes.
func Read(path string, most int64) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	return readAll(f, path, most)
}

// MaxInput is the size of the largest input file, such as a table of measured delays, a
// case or a row of a table, in bytes.
const MaxInput = 16 << 20

// ReadInput reads a regular file of at most MaxInput bytes.
func ReadInput(path string) ([]byte, error) { return Read(path, MaxInput) }

// ReadStream is [Read] for a regular file or a pipe, as in bullring sweep <(generate). It waits for
// the writer of the pipe.
func ReadStream(path string, most int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Mode().Type() != fs.ModeNamedPipe {
		return Read(path, most)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return readAll(f, path, most)
}

// readAll reads a file to its end, and closes it.
func readAll(f *os.File, path string, most int64) ([]byte, error) {
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() > most {
		return nil, tooLarge(path, most)
	}
	text, err := io.ReadAll(io.LimitReader(f, most+1)) // the file may grow meanwhile
	if err != nil {
		return nil, err
	}
	if int64(len(text)) > most {
		return nil, tooLarge(path, most)
	}
	return text, nil
}

func tooLarge(path string, most int64) error {
	return fmt.Errorf("%s has more than %d bytes, the largest size that is read", path, most)
}

// kind is the kind of a file that is not regular, in words.
func kind(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a directory"
	case mode&fs.ModeNamedPipe != 0:
		return "a pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "not a regular file"
}
