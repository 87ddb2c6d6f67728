package grade

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"bullring/internal/regular"
)

// Submission is a program that is to be graded.
type Submission struct {
	Name    string // of its file without the extension, or of its folder
	Program string // the command that starts it
	SHA256  string // of its files
}

// library is the name of the files of the libraries for programs, without their extensions. They lie
// beside submissions, and are none.
const library = "bullring"

// mostBytes is the size of the largest file of a submission.
const mostBytes = 64 << 20

// Find returns the submissions that paths name, in order, and what it passed over. A file is a
// submission. In a folder each file and each folder is one. The program of a folder is its only file
// that the assignment can start, or the one of them that is called main.
func (a *Assignment) Find(paths []string) (found []Submission, passed []string, err error) {
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, nil, err
		}
		entries := []string{path}
		if info.IsDir() {
			if entries, err = visible(path); err != nil {
				return nil, nil, err
			}
		}
		for _, entry := range entries {
			s, err := a.submission(entry)
			switch {
			case err != nil:
				return nil, nil, err
			case s != nil:
				found = append(found, *s)
			case !info.IsDir():
				return nil, nil, fmt.Errorf("%s: no command of the assignment starts such a file", path)
			default:
				passed = append(passed, entry)
			}
		}
	}
	if len(found) == 0 {
		return nil, nil, fmt.Errorf("no submission in %s", strings.Join(paths, ", "))
	}
	return found, passed, distinct(found)
}

// distinct refuses names that are the same where files ignore case, and those that cannot name a file
// or stand in a table.
func distinct(found []Submission) error {
	seen := map[string]string{}
	for _, s := range found {
		if formula(s.Name) || strings.ContainsFunc(s.Name, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			return fmt.Errorf("a submission is named %q, which a spreadsheet would compute or a table cannot show: rename it", s.Name)
		}
		key := strings.ToLower(s.Name)
		if other, twice := seen[key]; twice {
			return fmt.Errorf("two submissions are named %s: %s and %s", s.Name, other, s.Program)
		}
		seen[key] = s.Program
	}
	return nil
}

// visible are the entries of a folder that are not hidden.
func visible(folder string) (paths []string, err error) {
	entries, err := os.ReadDir(folder)
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") && e.Name() != "__pycache__" {
			paths = append(paths, filepath.Join(folder, e.Name()))
		}
	}
	return paths, err
}

// submission is that of a file or a folder, nil if it is none.
func (a *Assignment) submission(path string) (*Submission, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	name, file := filepath.Base(path), path
	if !info.IsDir() {
		if name = stem(path); name == library || a.command(path) == "" {
			return nil, nil
		}
	} else if file, err = a.program(path); err != nil || file == "" {
		return nil, err
	}
	s := &Submission{Name: name, Program: a.command(file)}
	s.SHA256, err = hashOf(path)
	return s, err
}

// program is the file of a folder that is started, "" if there is none.
func (a *Assignment) program(folder string) (string, error) {
	paths, err := visible(folder)
	if err != nil {
		return "", err
	}
	able := slices.DeleteFunc(paths, func(path string) bool {
		info, err := os.Stat(path)
		return err != nil || !info.Mode().IsRegular() || stem(path) == library || a.command(path) == ""
	})
	mains := slices.DeleteFunc(slices.Clone(able), func(path string) bool { return stem(path) != "main" })
	switch {
	case len(able) == 0:
		return "", nil
	case len(able) == 1:
		return able[0], nil
	case len(mains) == 1:
		return mains[0], nil
	}
	return "", fmt.Errorf("%s has several programs: %s; the one to start is to be called main", folder, strings.Join(able, ", "))
}

// stem is the name of a file without its extension.
func stem(path string) string {
	return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
}

// hashOf is the SHA-256 of a file, or of the names and files of a folder.
func hashOf(path string) (string, error) {
	sum := sha256.New()
	err := filepath.WalkDir(path, func(file string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := regular.Read(file, mostBytes)
		if file != path {
			name, _ := filepath.Rel(path, file)
			fmt.Fprintf(sum, "%q %d\n", filepath.ToSlash(name), len(text))
		}
		sum.Write(text)
		return err
	})
	return hex.EncodeToString(sum.Sum(nil)), err
}
