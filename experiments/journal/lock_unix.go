//go:build unix && !solaris && !aix

package journal

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// Whoever asks whether a journal is being written has its lock for an instant. A
// writer that comes just then tries again.
const (
	lockPatience = 100 * time.Millisecond
	lockPause    = 5 * time.Millisecond
)

// lock takes the file for this process, until it is closed or the process ends,
// however it ends.
func lock(file *os.File) error {
	err := flock(file, syscall.LOCK_EX)
	for waited := time.Duration(0); errors.Is(err, syscall.EWOULDBLOCK) && waited < lockPatience; waited += lockPause {
		time.Sleep(lockPause)
		err = flock(file, syscall.LOCK_EX)
	}
	switch {
	case errors.Is(err, syscall.EWOULDBLOCK):
		return ErrLocked
	case noLocks(err):
		return nil
	}
	return err
}

// locked reports whether somebody has the file, and whether that can be told.
func locked(file *os.File) (held, known bool, err error) {
	err = flock(file, syscall.LOCK_SH)
	switch {
	case errors.Is(err, syscall.EWOULDBLOCK):
		return true, true, nil
	case noLocks(err):
		return false, false, nil
	case err != nil:
		return false, false, err
	}
	return false, true, flock(file, syscall.LOCK_UN)
}

func flock(file *os.File, how int) error { return syscall.Flock(int(file.Fd()), how|syscall.LOCK_NB) }

// noLocks tells a file system of a cluster that has no locks.
func noLocks(err error) bool {
	return errors.Is(err, syscall.ENOLCK) || errors.Is(err, syscall.ENOTSUP) || errors.Is(err, syscall.ENOSYS)
}
