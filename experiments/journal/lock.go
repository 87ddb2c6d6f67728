package journal

import (
	"errors"
	"os"
	"time"
)

// Whoever asks whether a journal is being written has its lock for an instant. A
// writer that comes just then tries again.
const (
	lockPatience = 100 * time.Millisecond
	lockPause    = 5 * time.Millisecond
)

// errNoLocks is what tryLock says of a file system, or an operating system, that has
// no lock which a kill is sure to release.
var errNoLocks = errors.New("there are no locks here")

// lock takes the file for this process, until it is closed or the process ends,
// however it ends. Where there are no locks it does nothing.
func lock(file *os.File) error {
	err := tryLock(file, true)
	for waited := time.Duration(0); errors.Is(err, ErrLocked) && waited < lockPatience; waited += lockPause {
		time.Sleep(lockPause)
		err = tryLock(file, true)
	}
	if errors.Is(err, errNoLocks) {
		return nil
	}
	return err
}

// locked reports whether somebody has the file, and whether that can be told.
func locked(file *os.File) (held, known bool, err error) {
	err = tryLock(file, false)
	switch {
	case errors.Is(err, ErrLocked):
		return true, true, nil
	case errors.Is(err, errNoLocks):
		return false, false, nil
	case err != nil:
		return false, false, err
	}
	return false, true, unlock(file)
}
