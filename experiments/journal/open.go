package journal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// openTries is how often a journal is opened that others remove again and again.
const openTries = 100

// openLocked opens the file of a journal, which it makes if need be, and locks it.
// Another process may remove the file between the two, at the end of its work. A lock
// on a file without a name keeps no process away, so the file is then opened anew.
func openLocked(path string) (*os.File, error) {
	for range openTries {
		file, err := openRegular(path)
		if err != nil {
			return nil, err
		}
		if file == nil {
			continue
		}
		if err := lock(file); err != nil {
			return nil, errors.Join(fmt.Errorf("%s: %w", path, err), file.Close())
		}
		if isAt(file, path) {
			return file, nil
		}
		file.Close()
	}
	return nil, fmt.Errorf("%s: %w", path, ErrLocked)
}

// openRegular opens a regular file to write it, or makes it. It follows no symbolic
// link. The file is nil if another process made or removed it meanwhile.
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

// isAt reports whether an open file is the one of that name.
func isAt(file interface{ Stat() (fs.FileInfo, error) }, path string) bool {
	self, err := file.Stat()
	there, errThere := os.Lstat(path)
	return err == nil && errThere == nil && os.SameFile(self, there)
}
