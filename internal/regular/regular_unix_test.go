//go:build unix

package regular

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A pipe without a writer and a device without an end are refused at once.
func TestNoRegularFile(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Fatal(err)
	}
	for path, kind := range map[string]string{pipe: "is a pipe", "/dev/zero": "is a device"} {
		if _, err := Read(path, 1<<30); err == nil || !strings.Contains(err.Error(), kind) {
			t.Errorf("%s: %v", path, err)
		}
		if _, err := Open(path); err == nil || !strings.Contains(err.Error(), kind) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := ReadStream("/dev/zero", 1<<30); err == nil || !strings.Contains(err.Error(), "is a device") {
		t.Error(err)
	}
}

func TestReadStreamTakesAPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Fatal(err)
	}
	written := make(chan error, 1)
	go func() { written <- os.WriteFile(pipe, []byte("name: a\n"), 0) }()
	if text, err := ReadStream(pipe, 8); string(text) != "name: a\n" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	if err := <-written; err != nil {
		t.Error(err)
	}
}
