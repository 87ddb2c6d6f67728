package filelock

import (
	"errors"
	"io"
	"os"

	"golang.org/x/sys/windows"
)

// lockedByte is far behind the end of every journal: other processes cannot read locked
// bytes.
func lockedByte() *windows.Overlapped { return &windows.Overlapped{OffsetHigh: 1 << 30} }

// tryLock locks a file, exclusively or shared. It does not wait: the error is ErrHeld if
// another process has the lock.
func tryLock(file *os.File, alone bool) error {
	how := uint32(windows.LOCKFILE_FAIL_IMMEDIATELY)
	if alone {
		how |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	err := windows.LockFileEx(windows.Handle(file.Fd()), how, 0, 1, 0, lockedByte())
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return ErrHeld
	}
	return err
}

func unlock(file *os.File) error {
	return windows.UnlockFileEx(windows.Handle(file.Fd()), 0, 1, 0, lockedByte())
}

// Remove closes the file first: Windows does not remove an open file.
func Remove(file io.Closer, path string) error { return errors.Join(file.Close(), os.Remove(path)) }
