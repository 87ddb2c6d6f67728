package explore

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"bullring/internal/filelock"
	"bullring/internal/pattern"
	"bullring/internal/regular"
	"bullring/internal/wholefile"
	"bullring/netem/explore/internal/sorted"
)

// The files of a search: the lock, the last checkpoint, and what that names.
const (
	lockFile       = "search.lock"
	checkpointFile = "search.json"
)

var filesOfSearch = pattern.Of(`^(search\.(lock|json)|\.search\.json\.\d+\.tmp|(states|steps|new|parts|visited-\d\d)-\d+)$`)

// checkpoint is a search at the end of a level. The files that it names are on the disk.
type checkpoint struct {
	Format     int                        `json:"format"`
	Of         string                     `json:"of"`
	Level      int                        `json:"level"` // that is expanded next
	Candidates uint64                     `json:"candidates"`
	Parts      string                     `json:"parts"`
	PartsBytes int64                      `json:"parts_bytes"`
	Visited    [visitedParts][]sorted.Run `json:"visited"`

	States      uint64   `json:"states"`
	Transitions uint64   `json:"transitions"`
	Rests       uint64   `json:"rests"`
	Cut         uint64   `json:"cut"`
	Highest     uint32   `json:"highest"`
	Excused     []uint64 `json:"excused"` // by property
	Seen        uint64   `json:"seen"`
	Cyclic      bool     `json:"cyclic"`
}

const checkpointFormat = 1

// FolderError says that a folder cannot have the files of a search, or has them no more.
type FolderError struct {
	Folder string
	Err    error
}

func (e *FolderError) Error() string { return fmt.Sprintf("folder %s: %v", e.Folder, e.Err) }

func (e *FolderError) Unwrap() error { return e.Err }

// open takes the folder for this search, and goes on from its checkpoint if it has one. The lock has to be closed.
func (d *onDisk) open() (lock *os.File, err error) {
	defer func() {
		if err != nil {
			err = &FolderError{d.disk.Folder, err}
			if lock != nil {
				lock.Close()
			}
		}
	}()
	if err := os.Mkdir(d.disk.Folder, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	if err := d.ours(); err != nil {
		return nil, err
	}
	if lock, err = os.OpenFile(d.path(lockFile), os.O_RDWR|os.O_CREATE, 0o644); err != nil {
		return nil, err
	}
	if err := filelock.Lock(lock); errors.Is(err, filelock.ErrHeld) {
		return lock, errors.New("another process searches there")
	} else if err != nil {
		return lock, err
	}
	text, err := regular.ReadInput(d.path(checkpointFile))
	if errors.Is(err, fs.ErrNotExist) {
		return lock, d.removeAllBut(nil)
	}
	if err != nil {
		return lock, err
	}
	return lock, d.resume(text)
}

// ours returns an error if the folder has files that no search wrote.
func (d *onDisk) ours() error {
	entries, err := os.ReadDir(d.disk.Folder)
	if err != nil {
		return err
	}
	locked := slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == lockFile })
	for _, e := range entries {
		if !locked || !filesOfSearch().MatchString(e.Name()) || !e.Type().IsRegular() {
			return fmt.Errorf("it has %s, which no search wrote; give an empty folder, or the name of a new one", e.Name())
		}
	}
	return nil
}

// removeAllBut removes the files of a search but the lock and those.
func (d *onDisk) removeAllBut(kept []string) error {
	entries, err := os.ReadDir(d.disk.Folder)
	for _, e := range entries {
		if name := e.Name(); name != lockFile && filesOfSearch().MatchString(name) && !slices.Contains(kept, name) {
			err = cmp.Or(err, os.Remove(d.path(name)))
		}
	}
	return err
}

// resume goes on from a checkpoint.
func (d *onDisk) resume(text []byte) error {
	var c checkpoint
	in := json.NewDecoder(bytes.NewReader(text))
	in.DisallowUnknownFields()
	switch err := in.Decode(&c); {
	case err != nil:
		return fmt.Errorf("%s is no checkpoint of a search: %w", checkpointFile, err)
	case c.Format != checkpointFormat:
		return fmt.Errorf("%s has format %d; this program reads format %d", checkpointFile, c.Format, checkpointFormat)
	case c.Of != d.disk.Of:
		return fmt.Errorf("a search of another system was begun there:\n%s\nand not of\n%s\ngive another folder", c.Of, d.disk.Of)
	case len(c.Excused) != len(d.properties):
		return errOther
	}
	if err := d.removeAllBut(c.files()); err != nil {
		return err
	}
	for i, s := range d.sets {
		if err := s.Resume(c.Visited[i]); err != nil {
			return err
		}
	}
	if err := d.reopen(&c); err != nil {
		return err
	}
	r := d.result
	r.Depth, r.States, r.Transitions, r.Rests, r.Cut, r.Highest = c.Level, c.States, c.Transitions, c.Rests, c.Cut, c.Highest
	for i, n := range c.Excused {
		r.Properties[i].Excused = n
	}
	d.seen, d.cyclic, d.written, d.whole = c.Seen, c.Cyclic, c.Transitions, false
	return nil
}

// files are the files that a checkpoint names, and itself.
func (c *checkpoint) files() []string {
	names := []string{checkpointFile, c.Parts, levelFile("states", c.Level)}
	for level := range c.Level + 1 {
		names = append(names, levelFile("steps", level), levelFile("new", level))
	}
	for _, runs := range c.Visited {
		for _, r := range runs {
			names = append(names, r.File)
		}
	}
	return names
}

// reopen opens the level of a checkpoint. Its rows are translated to the numbers of this search.
func (d *onDisk) reopen(c *checkpoint) (err error) {
	if d.parts, err = newPartsFile(d.space, d.disk.Folder, c.Level+1); err != nil {
		return err
	}
	translated, err := d.parts.again(d.path(c.Parts), c.PartsBytes)
	if err != nil {
		return err
	}
	d.unused = append(d.unused, d.path(c.Parts))
	fresh, err := readBits(d.path(levelFile("new", c.Level)))
	if err != nil {
		return err
	}
	if uint64(len(fresh)) != c.Candidates/64+1 {
		return fmt.Errorf("%s has bits for %d states; there are %d", levelFile("new", c.Level), 64*len(fresh), c.Candidates)
	}
	file, err := regular.Open(d.path(levelFile("states", c.Level)))
	if err != nil {
		return err
	}
	d.from = newLevelReader(file, c.Level, d.layout.size, c.Candidates, fresh)
	d.from.translate = translated.row
	return nil
}

// mark notes what a search needs to go on from here, at the beginning of a level.
func (d *onDisk) mark() {
	r := d.result
	c := checkpoint{
		Format: checkpointFormat, Of: d.disk.Of, Level: d.from.level, Candidates: d.from.candidates,
		Parts: filepath.Base(d.parts.file.Name()), PartsBytes: d.parts.bytes,
		States: r.States, Transitions: r.Transitions, Rests: r.Rests, Cut: r.Cut, Highest: r.Highest, Seen: d.seen, Cyclic: d.cyclic,
	}
	for _, p := range r.Properties {
		c.Excused = append(c.Excused, p.Excused)
	}
	for i, s := range d.sets {
		c.Visited[i] = s.Runs
	}
	d.marked = &c
}

// checkpoint writes what was marked, and removes the files that only older checkpoints name.
func (d *onDisk) checkpoint() error {
	text, err := json.MarshalIndent(d.marked, "", "\t")
	if err = cmp.Or(err, d.parts.sync(), d.sync(d.marked)); err != nil {
		return err
	}
	if _, err := wholefile.Write(d.path(checkpointFile), append(text, '\n')); err != nil {
		return err
	}
	d.written = d.marked.Transitions
	d.marked = nil
	return d.tidy()
}

// sync writes the files that a checkpoint names through to the disk: those that a search goes on with.
func (d *onDisk) sync(c *checkpoint) error {
	for _, name := range c.files()[2:] {
		file, err := os.OpenFile(d.path(name), os.O_RDWR, 0)
		if err != nil {
			return err
		}
		if err := cmp.Or(file.Sync(), file.Close()); err != nil {
			return err
		}
	}
	return nil
}

// tidy removes the files that are of no use any more.
func (d *onDisk) tidy() error {
	for _, s := range d.sets {
		if err := s.Tidy(); err != nil {
			return err
		}
	}
	for _, path := range d.unused {
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	d.unused = nil
	return nil
}

// close closes the files, and removes them unless the search can go on with them. There is an answer, so it does not
// matter if one stays.
func (d *onDisk) close() {
	if d.from != nil {
		d.from.file.Close()
	}
	if d.to != nil {
		d.to.states.Close()
		d.to.steps.Close()
	}
	if d.parts != nil {
		d.parts.file.Close()
	}
	if d.result.Stopped == nil && d.removeAllBut(nil) == nil {
		os.Remove(d.path(lockFile))
	}
}
