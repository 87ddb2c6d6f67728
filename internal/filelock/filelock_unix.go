//go:build unix && !solaris && !aix

package filelock

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// tryLock locks a file, exclusively or shared. It does not wait: the error is ErrHeld if
// another process has the lock.
func tryLock(file *os.File, alone bool) error {
	how := syscall.LOCK_SH
	if alone {
		how = syscall.LOCK_EX
	}
	err := syscall.Flock(int(file.Fd()), how|syscall.LOCK_NB)
	switch {
	case errors.Is(err, syscall.EWOULDBLOCK):
		return ErrHeld
	case errors.Is(err, syscall.ENOLCK), errors.Is(err, syscall.ENOTSUP), errors.Is(err, syscall.ENOSYS):
		return errNoLocks // as on some file systems of clusters
	}
	return err
}

func unlock(file *os.File) error { return syscall.Flock(int(file.Fd()), syscall.LOCK_UN) }

// Remove removes the file while it is locked: no process can take it in between.
func Remove(file io.Closer, path string) error { return errors.Join(os.Remove(path), file.Close()) }
