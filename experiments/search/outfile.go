package search

import "bullring/internal/wholefile"

// CheckCaseFile reports why a case is not written into a file: there is one of that
// name which is no case, or the folder is not there.
func CheckCaseFile(path string) error {
	return wholefile.CheckOutput(path, "a case that bullring wrote", func() error {
		_, err := ReadCase(path)
		return err
	})
}
