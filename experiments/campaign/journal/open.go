package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"bullring/internal/filelock"
)

// openTries limits the attempts to open a journal that other processes keep removing.
const openTries = 100

// openLocked opens or creates the file of a journal and locks it. In between another
// process may remove the file at the end of its work. A lock on a file without a name
// keeps no process away, so openLocked then opens the path again.
func openLocked(path string) (*os.File, error) {
	for range openTries {
		file, err := openRegular(path)
		if err != nil {
			return nil, err
		}
		if file == nil {
			continue
		}
		if err := filelock.Lock(file); err != nil {
			if errors.Is(err, filelock.ErrHeld) {
				err = ErrLocked
			}
			return nil, errors.Join(fmt.Errorf("%s: %w", path, err), file.Close())
		}
		if isAt(file, path) {
			return file, nil
		}
		file.Close()
	}
	return nil, fmt.Errorf("%s: %w", path, ErrLocked)
}

// openRegular opens or creates a regular file for writing. It follows no symbolic link.
// The file is nil if another process created or removed it meanwhile.
func openRegular(path string) (*os.File, error) {
	info, err := os.Lstat(path)
	meanwhile := fs.ErrNotExist
	flags := os.O_RDWR
	switch {
	case errors.Is(err, fs.ErrNotExist):
		meanwhile, flags = fs.ErrExist, os.O_RDWR|os.O_CREATE|os.O_EXCL
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no regular file, and nothing is written into it", path)
	}
	file, err := os.OpenFile(path, flags, 0o644)
	if errors.Is(err, meanwhile) {
		return nil, nil
	}
	return file, err
}

// isAt reports whether the path names the open file.
func isAt(file interface{ Stat() (fs.FileInfo, error) }, path string) bool {
	self, err := file.Stat()
	there, errThere := os.Lstat(path)
	return err == nil && errThere == nil && os.SameFile(self, there)
}
