package wholefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// CheckOutput reports why a file that somebody named for output is not written. One that
// is there is replaced if bullring wrote one of its kind, which read finds out.
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
