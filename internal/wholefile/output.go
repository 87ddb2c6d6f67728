package wholefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// CheckOutput returns an error if a file that a user named must not be written. An existing
// file is replaced only if bullring wrote one of its kind: then read returns no error.
func CheckOutput(path, kind string, read func() error) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		folder, err := os.Stat(filepath.Dir(path))
		if err == nil && !folder.IsDir() {
			err = fmt.Errorf("%s is no folder", filepath.Dir(path))
		}
		return err
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is there, and is no regular file: give another name", path)
	case read() != nil:
		return fmt.Errorf("%s is there, and is not %s: it is not replaced; remove it, or give another name", path, kind)
	}
	return nil
}
