// Package filelock locks files among processes. A lock ends with its process, however that ends.
package filelock

import (
	"errors"
	"os"
	"time"
)

// Held takes the lock for an instant. Who comes just then tries again.
const (
	lockPatience = 100 * time.Millisecond
	lockPause    = 5 * time.Millisecond
)

// ErrHeld says that another process has the lock.
var ErrHeld = errors.New("another process has locked the file")

// errNoLocks is the error of tryLock on a system without locks that a kill releases.
var errNoLocks = errors.New("there are no locks here")

// Lock locks the file for this process until it is closed or the process ends in any way.
// Without locks it does nothing. The error is ErrHeld if another process has the lock.
func Lock(file *os.File) error {
	err := tryLock(file, true)
	for waited := time.Duration(0); errors.Is(err, ErrHeld) && waited < lockPatience; waited += lockPause {
		time.Sleep(lockPause)
		err = tryLock(file, true)
	}
	if errors.Is(err, errNoLocks) {
		return nil
	}
	return err
}

// Held reports whether another process has locked the file; known is false without
// locks.
func Held(file *os.File) (held, known bool, err error) {
	err = tryLock(file, false)
	switch {
	case errors.Is(err, ErrHeld):
		return true, true, nil
	case errors.Is(err, errNoLocks):
		return false, false, nil
	case err != nil:
		return false, false, err
	}
	return false, true, unlock(file)
}
