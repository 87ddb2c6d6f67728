//go:build unix && !solaris && !aix

package journal

import (
	"errors"
	"os"
	"syscall"
)

// lock takes the file for this process, until it is closed or the process ends,
// however it ends.
func lock(file *os.File) error {
	err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	switch {
	case errors.Is(err, syscall.EWOULDBLOCK):
		return ErrLocked
	case errors.Is(err, syscall.ENOLCK) || errors.Is(err, syscall.ENOTSUP) || errors.Is(err, syscall.ENOSYS):
		return nil // a file system of a cluster that has no locks
	}
	return err
}
