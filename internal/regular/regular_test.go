package regular

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, []byte("12345"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, read := range []func(string, int64) ([]byte, error){Read, ReadStream} {
		if text, err := read(path, 5); string(text) != "12345" || err != nil {
			t.Errorf("%q, %v", text, err)
		}
		if _, err := read(path, 4); err == nil || !strings.Contains(err.Error(), "more than 4 bytes") {
			t.Errorf("a file that is too large: %v", err)
		}
		if _, err := read(path+"none", 4); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("a file that is not there: %v", err)
		}
		if _, err := read(filepath.Dir(path), 4); err == nil || !strings.Contains(err.Error(), "is a directory") {
			t.Errorf("a directory: %v", err)
		}
	}
}

// A file may hold more than its size says.
func TestReadOfGrowingFile(t *testing.T) {
	const path = "/proc/self/maps" // regular, of size 0
	if _, err := os.Stat(path); err != nil {
		t.Skip(err)
	}
	if _, err := Read(path, 10); err == nil || !strings.Contains(err.Error(), "more than 10 bytes") {
		t.Error(err)
	}
}
