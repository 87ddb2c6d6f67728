// Package regular reads files whose names come from outside: from a command line, from
// a folder that somebody sent. It reads regular files, for a device never ends and a
// pipe may never begin, and no more of them than the caller has a use for.
package regular

import (
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Open opens a regular file to read it. Any other file is an error, and is not opened:
// to open a pipe waits for its writer, and to open a device may do something.
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

// ReadStream is [Read], and takes a pipe too: what a person names may come from another
// program, as in bullring sweep <(generate). It waits for the writer.
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
	text, err := io.ReadAll(io.LimitReader(f, most+1)) // it may grow meanwhile
	if err != nil {
		return nil, err
	}
	if int64(len(text)) > most {
		return nil, tooLarge(path, most)
	}
	return text, nil
}

func tooLarge(path string, most int64) error {
	return fmt.Errorf("%s has more than %d bytes, which is the most that is read of it", path, most)
}

// kind says in words what a file that is not regular is.
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
	return "no regular file"
}
