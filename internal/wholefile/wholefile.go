// Package wholefile writes files that appear under their name whole or not at all, and
// describes files by their hash.
package wholefile

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"bullring/internal/regular"
)

// Info describes a file.
type Info struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// InfoOf describes a file by its name and content.
func InfoOf(name string, content []byte) Info {
	return Info{Name: name, Bytes: int64(len(content)), SHA256: Hash(content)}
}

// File is a file that appears under its name with all of its content, or not at all.
type File struct {
	path string
	temp *os.File
	out  *bufio.Writer // to the file and the hash, a block at a time
	sum  hash.Hash
	size int64
}

// Create begins a file. Commit gives it its name.
func Create(path string) (*File, error) {
	temp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.tmp")
	if err != nil {
		return nil, err
	}
	sum := sha256.New()
	return &File{path: path, temp: temp, out: bufio.NewWriterSize(io.MultiWriter(temp, sum), 1<<16), sum: sum}, nil
}

// Write writes a file in one step.
func Write(path string, content []byte) (Info, error) {
	f, err := Create(path)
	if err != nil {
		return Info{}, err
	}
	defer f.Discard()
	if _, err := f.Write(content); err != nil {
		return Info{}, err
	}
	return f.Commit()
}

func (f *File) Write(p []byte) (int, error) {
	f.size += int64(len(p))
	return f.out.Write(p)
}

// Hash is the SHA-256 of what was written so far.
func (f *File) Hash() (string, error) {
	err := f.out.Flush()
	return hex.EncodeToString(f.sum.Sum(nil)), err
}

// Commit gives the file its name.
func (f *File) Commit() (Info, error) {
	sum, err := f.Hash()
	if err != nil {
		return Info{}, err
	}
	if err := f.temp.Chmod(0o644); err != nil { // results are for others to read
		return Info{}, err
	}
	if err := f.temp.Sync(); err != nil {
		return Info{}, err
	}
	if err := f.temp.Close(); err != nil {
		return Info{}, err
	}
	if err := os.Rename(f.temp.Name(), f.path); err != nil {
		return Info{}, err
	}
	f.temp = nil
	return Info{Name: filepath.Base(f.path), Bytes: f.size, SHA256: sum}, nil
}

// NameOf returns the name of the file for which a temporary file was made. ok is false if
// the name is not that of a temporary file.
func NameOf(temporary string) (name string, ok bool) {
	rest, hidden := strings.CutPrefix(temporary, ".")
	rest, marked := strings.CutSuffix(rest, ".tmp")
	dot := strings.LastIndexByte(rest, '.')
	if !hidden || !marked || dot < 1 {
		return "", false
	}
	_, err := strconv.ParseUint(rest[dot+1:], 10, 64)
	return rest[:dot], err == nil
}

// Discard removes the file, unless it was committed.
func (f *File) Discard() {
	if f.temp == nil {
		return
	}
	f.temp.Close()
	os.Remove(f.temp.Name())
	f.temp = nil
}

// Stat describes a file on disk, of any size.
func Stat(path string) (Info, error) {
	f, err := regular.Open(path)
	if err != nil {
		return Info{}, err
	}
	defer f.Close()
	sum := sha256.New()
	size, err := io.Copy(sum, f)
	return Info{Name: filepath.Base(path), Bytes: size, SHA256: hex.EncodeToString(sum.Sum(nil))}, err
}

// Hash is the SHA-256 of a file's content, in hexadecimal digits.
func Hash(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}
