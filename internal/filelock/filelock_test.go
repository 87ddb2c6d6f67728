package filelock

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// Two who ask whether a file is locked do not take each other for one that has locked it; one that has is recognised,
// and keeps others out until its file is closed.
func TestAskersShareTheLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	open := func() *os.File {
		file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { file.Close() })
		return file
	}
	for _, alone := range []bool{false, true} {
		first := open()
		if err := tryLock(first, alone); errors.Is(err, errNoLocks) {
			t.Skip(err)
		} else if err != nil {
			t.Fatal(err)
		}
		if held, known, err := Held(open()); held != alone || !known || err != nil {
			t.Errorf("alone %v: held %v, known %v, %v", alone, held, known, err)
		}
		if err := Lock(open()); !errors.Is(err, ErrHeld) {
			t.Errorf("alone %v: a second lock: %v", alone, err)
		}
		first.Close()
		again := open()
		if err := Lock(again); err != nil {
			t.Errorf("alone %v: closed, and still locked: %v", alone, err)
		}
		again.Close()
	}
}
