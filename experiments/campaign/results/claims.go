package results

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"bullring/experiments/campaign/journal"
	"bullring/internal/wholefile"
)

// ClaimsFile lists the files that bullring has written to a folder. It is never removed.
const ClaimsFile = ".bullring"

// Claims are the files of a folder that belong to bullring. Bullring replaces or removes no
// other files, and replaces its own only as it left them. While a process holds the claims,
// no other process writes to the folder, except shards: each writes its own journal.
//
// A file of its author that was changed stays: see [Editables].
//
// Claims are kept in a journal. A record is a JSON list of the files that are written next.
// An empty list says that all files are written, and are as the manifest lists them.
type Claims struct {
	Replace bool // replaces files that were changed, too

	dir    string
	list   *journal.Journal
	own    map[string]bool   // by path within the folder, with slashes
	open   map[string]bool   // of these, those that were being written: the manifest may not describe them
	hashes map[string]string // that the manifest lists, by path
	kept   []string          // files that their author has changed, and that stay
}

// OpenClaims takes the folder for this process. A folder of an earlier version has no list
// yet: there, adopt names the files that belong to bullring.
func OpenClaims(dir string, adopt []string) (*Claims, error) {
	c := newClaims(dir)
	known := false
	var err error
	c.list, _, err = journal.Open(filepath.Join(dir, ClaimsFile), func(_ int64, body []byte) error {
		known = true
		return c.enter(body)
	})
	if errors.Is(err, journal.ErrLocked) {
		return nil, fmt.Errorf("%s is being written by another bullring: wait until it has finished, or give another directory", dir)
	}
	if err != nil {
		return nil, err
	}
	c.readManifest()
	if !known {
		if err := c.begin(adopt); err != nil {
			return nil, errors.Join(err, c.Close())
		}
	}
	return c, nil
}

func newClaims(dir string) *Claims {
	return &Claims{dir: dir, own: map[string]bool{}, open: map[string]bool{}, hashes: map[string]string{}}
}

// Claimed reports whether bullring has claimed a file of the folder. It takes no lock.
func Claimed(dir string) bool {
	c := newClaims(dir)
	_, err := journal.Scan(filepath.Join(dir, ClaimsFile), func(_ int64, body []byte) error { return c.enter(body) })
	return err == nil && len(c.own) > 0
}

// readManifest reads the hashes of written files from the manifest, if it is there and
// sound.
func (c *Claims) readManifest() {
	clear(c.hashes)
	m, err := ReadManifest(c.dir)
	if err != nil {
		return
	}
	for _, f := range append(slices.Concat(m.Files, m.Documents, m.Shown()), FileInfo{Info: wholefile.Info{Name: ManifestFile}}) {
		c.own[f.Name], c.hashes[f.Name] = true, f.SHA256
	}
}

// begin writes the first records of a folder that has no list yet.
func (c *Claims) begin(adopt []string) error {
	listed := slices.Sorted(maps.Keys(c.hashes))
	err := errors.Join(c.add(listed), c.add(nil))
	if len(adopt) > 0 {
		err = errors.Join(err, c.add(adopt))
	}
	return err
}

// enter reads a record.
func (c *Claims) enter(body []byte) error {
	var names []string
	if err := json.Unmarshal(body, &names); err != nil {
		return fmt.Errorf("%s: %w", filepath.Join(c.dir, ClaimsFile), err)
	}
	if len(names) == 0 {
		clear(c.open)
	}
	for _, name := range names {
		c.own[name], c.open[name] = true, true
	}
	return nil
}

// add appends a record.
func (c *Claims) add(names []string) error {
	body, err := json.Marshal(append([]string{}, names...)) // never null
	if err != nil {
		return err
	}
	if _, err := c.list.Append(body); err != nil {
		return err
	}
	return errors.Join(c.list.Sync(), c.enter(body))
}

// Take claims files that are written next. Settle must follow when they are written. kept are
// the files among them that stay, since their author has changed them.
func (c *Claims) Take(names []string) (kept []string, err error) {
	if err := c.Free(names); err != nil {
		return nil, err
	}
	return c.kept, c.add(slices.DeleteFunc(slices.Clone(names), c.stays))
}

// stays reports whether a file stays, since its author has changed it.
func (c *Claims) stays(name string) bool { return slices.Contains(c.kept, name) }

// Settle records that all files are as the manifest lists them.
func (c *Claims) Settle() error {
	c.readManifest()
	return c.add(nil)
}

// Free returns an error that names what is in the way of files.
func (c *Claims) Free(names []string) error {
	var wrong []string
	c.kept = nil
	for _, name := range names {
		what, err := c.inTheWay(name)
		if err != nil {
			return err
		}
		if what != "" && !slices.Contains(wrong, what) {
			wrong = append(wrong, what)
		}
	}
	if wrong == nil {
		return nil
	}
	return fmt.Errorf("in %s bullring does not replace %s: move it away, or give another directory", c.dir, SomeOf(wrong))
}

// inTheWay names what is in the place of a file and must not be replaced; "" if the place
// is free.
func (c *Claims) inTheWay(name string) (what string, err error) {
	if folder, _, nested := strings.Cut(name, "/"); nested {
		info, err := os.Lstat(filepath.Join(c.dir, folder))
		if errors.Is(err, fs.ErrNotExist) {
			return "", nil
		}
		if err == nil && !info.IsDir() {
			return folder + " (not a folder)", nil
		}
	}
	path := filepath.Join(c.dir, filepath.FromSlash(name))
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return name + " (not a regular file)", nil
	case c.open[name]:
		return "", nil
	case !c.own[name]:
		return name + " (not written by bullring)", nil
	case c.hashes[name] == "" || c.Replace && !OfAuthor(name):
		return "", nil
	}
	now, _, err := StatAsWritten(c.dir, name, c.hashes[name])
	if err != nil || now.SHA256 == c.hashes[name] {
		return "", err
	}
	if OfAuthor(name) {
		c.kept = append(c.kept, name)
		return "", nil
	}
	return name + " (changed since bullring wrote it)", nil
}

// SomeOf joins the first few names of a list.
func SomeOf(names []string) string {
	const most = 3
	if len(names) <= most+1 {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// Close lets other processes write to the folder.
func (c *Claims) Close() error {
	if c == nil {
		return nil
	}
	return c.list.Close()
}

// RemoveStale removes temporary files that a killed process has left.
func (c *Claims) RemoveStale(names []string) error {
	var all error
	for _, path := range StaleFiles(c.dir, names) {
		all = errors.Join(all, os.Remove(path))
	}
	return all
}

// RemoveUnfinished removes tables and figures that a killed process was writing and that are
// not among these: an earlier version of the sweep had them.
func (c *Claims) RemoveUnfinished(names []string) error {
	var all error
	for _, name := range slices.Sorted(maps.Keys(c.open)) {
		folder, _, nested := strings.Cut(name, "/")
		path := filepath.Join(c.dir, filepath.FromSlash(name))
		info, err := os.Lstat(path)
		if slices.Contains(names, name) || nested && folder != FiguresDir && folder != TablesDir || err != nil || !info.Mode().IsRegular() {
			continue
		}
		all = errors.Join(all, os.Remove(path))
	}
	return all
}

// StaleFiles returns the temporary files of these files, which a killed process has left.
func StaleFiles(dir string, names []string) []string {
	var stale []string
	for _, sub := range []string{"", FiguresDir, TablesDir} {
		entries, _ := os.ReadDir(filepath.Join(dir, sub)) // a missing folder has none
		for _, e := range entries {
			if name, ok := wholefile.NameOf(e.Name()); ok && e.Type().IsRegular() && slices.Contains(names, strings.TrimPrefix(sub+"/"+name, "/")) {
				stale = append(stale, filepath.Join(dir, sub, e.Name()))
			}
		}
	}
	return stale
}
