package experiments

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

// wholeFile is a file that appears under its name whole or not at all.
type wholeFile struct {
	path string
	temp *os.File
	out  *bufio.Writer
	hash hash.Hash
	size int64
}

func createWhole(path string) (*wholeFile, error) {
	temp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.tmp")
	if err != nil {
		return nil, err
	}
	return &wholeFile{path: path, temp: temp, out: bufio.NewWriterSize(temp, 1<<16), hash: sha256.New()}, nil
}

// writeWhole writes a file at once.
func writeWhole(path string, content []byte) (FileInfo, error) {
	f, err := createWhole(path)
	if err != nil {
		return FileInfo{}, err
	}
	defer f.discard()
	if _, err := f.Write(content); err != nil {
		return FileInfo{}, err
	}
	return f.commit()
}

func (f *wholeFile) Write(p []byte) (int, error) {
	f.hash.Write(p)
	f.size += int64(len(p))
	return f.out.Write(p)
}

// commit gives the file its name.
func (f *wholeFile) commit() (FileInfo, error) {
	if err := f.out.Flush(); err != nil {
		return FileInfo{}, err
	}
	if err := f.temp.Chmod(0o644); err != nil { // what was made is meant to be read
		return FileInfo{}, err
	}
	if err := f.temp.Sync(); err != nil {
		return FileInfo{}, err
	}
	if err := f.temp.Close(); err != nil {
		return FileInfo{}, err
	}
	if err := os.Rename(f.temp.Name(), f.path); err != nil {
		return FileInfo{}, err
	}
	f.temp = nil
	return FileInfo{Name: filepath.Base(f.path), Bytes: f.size, SHA256: hex.EncodeToString(f.hash.Sum(nil))}, nil
}

// wholeName is the file of which a name is that of the temporary one.
func wholeName(temporary string) (name string, ok bool) {
	rest, hidden := strings.CutPrefix(temporary, ".")
	rest, marked := strings.CutSuffix(rest, ".tmp")
	dot := strings.LastIndexByte(rest, '.')
	if !hidden || !marked || dot < 1 {
		return "", false
	}
	_, err := strconv.ParseUint(rest[dot+1:], 10, 64)
	return rest[:dot], err == nil
}

// discard removes what was not committed.
func (f *wholeFile) discard() {
	if f.temp == nil {
		return
	}
	f.temp.Close()
	os.Remove(f.temp.Name())
	f.temp = nil
}

// fileInfo describes a file that is there, however large.
func fileInfo(path string) (FileInfo, error) {
	f, err := regular.Open(path)
	if err != nil {
		return FileInfo{}, err
	}
	defer f.Close()
	sum := sha256.New()
	size, err := io.Copy(sum, f)
	return FileInfo{Name: filepath.Base(path), Bytes: size, SHA256: hex.EncodeToString(sum.Sum(nil))}, err
}
