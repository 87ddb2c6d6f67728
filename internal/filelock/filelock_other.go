//go:build !windows && (!unix || solaris || aix)

package filelock

import (
	"errors"
	"io"
	"os"
)

func tryLock(*os.File, bool) error { return errNoLocks }

func unlock(*os.File) error { return nil }

func Remove(file io.Closer, path string) error { return errors.Join(os.Remove(path), file.Close()) }
