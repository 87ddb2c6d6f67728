package figures

import (
	"bullring/internal/wholefile"
	"bullring/plots"
)

// CheckPictureFile reports why a picture is not written into a file: its name does not
// say of which format, there is a file of that name which is no picture of bullring's,
// or the folder is not there.
func CheckPictureFile(path string) error {
	if err := plots.CheckPicture(path); err != nil {
		return err
	}
	return wholefile.CheckOutput(path, "a picture that bullring drew", func() error {
		_, err := plots.ReadMeta(path)
		return err
	})
}
