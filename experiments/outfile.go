package experiments

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"bullring/plots"
)

// CheckCaseFile reports why a case is not written into a file: there is one of that
// name which is no case, or the folder is not there.
func CheckCaseFile(path string) error {
	return CheckOutput(path, "a case that bullring wrote", func() error {
		_, err := ReadCase(path)
		return err
	})
}

// CheckPictureFile reports why a picture is not written into a file: its name does not
// say of which format, there is a file of that name which is no picture of bullring's,
// or the folder is not there.
func CheckPictureFile(path string) error {
	if err := plots.CheckPicture(path); err != nil {
		return err
	}
	return CheckOutput(path, "a picture that bullring drew", func() error {
		_, err := plots.ReadMeta(path)
		return err
	})
}

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
