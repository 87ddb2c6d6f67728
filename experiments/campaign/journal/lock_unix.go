//go:build unix && !solaris && !aix

package journal

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// tryLock locks a file, exclusively or shared. It does not wait: the error is ErrLocked if
// another process has the lock.
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

// remove removes the file while it is locked: no process can take it in between.
func remove(file io.Closer, path string) error { return errors.Join(os.Remove(path), file.Close()) }
