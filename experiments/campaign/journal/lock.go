package journal

import (
	"errors"
	"os"
	"time"
)

// Written takes the lock for an instant. A writer that comes just then tries again.
const (
	lockPatience = 100 * time.Millisecond
	lockPause    = 5 * time.Millisecond
)

// errNoLocks is the error of tryLock on a system without locks that a kill releases.
var errNoLocks = errors.New("there are no locks here")

// lock locks the file for this process until it is closed or the process ends in any way.
// Without locks it does nothing.
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

// locked reports whether another process has locked the file; known is false without
// locks.
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
