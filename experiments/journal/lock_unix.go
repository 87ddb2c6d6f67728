//go:build unix && !solaris && !aix

package journal

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// tryLock takes the lock of a file, for this process alone or together with others.
// It does not wait: the error is ErrLocked if somebody has it.
func tryLock(file *os.File, alone bool) error {
	how := syscall.LOCK_SH
	if alone {
		how = syscall.LOCK_EX
	}
	err := syscall.Flock(int(file.Fd()), how|syscall.LOCK_NB)
	switch {
	case errors.Is(err, syscall.EWOULDBLOCK):
		return ErrLocked
	case errors.Is(err, syscall.ENOLCK), errors.Is(err, syscall.ENOTSUP), errors.Is(err, syscall.ENOSYS):
		return errNoLocks // as on some file systems of clusters
	}
	return err
}

func unlock(file *os.File) error { return syscall.Flock(int(file.Fd()), syscall.LOCK_UN) }

// remove removes the file while it is locked, so that no other process takes it in
// between.
func remove(file io.Closer, path string) error { return errors.Join(os.Remove(path), file.Close()) }
