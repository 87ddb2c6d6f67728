package sweep

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"bullring/experiments/campaign/journal"
	"bullring/experiments/campaign/results"
	"bullring/experiments/trial"
)

// Status says how far a sweep is: one that is complete, one that has a journal, or one
// whose shards are found.
type Status struct {
	Name     string    `json:"name"`
	Title    string    `json:"title"`
	Paths    []string  `json:"paths"` // folders, and journals of shards
	Complete bool      `json:"complete"`
	State    State     `json:"state"`  // of all shards together
	Trials   int       `json:"trials"` // that the sweep asks for; at most, unless Fixed
	Fixed    bool      `json:"fixed"`
	Done     int       `json:"done"`
	Of       int       `json:"of,omitempty"` // number of shards; 0 without shards
	Shards   []Part    `json:"shards,omitempty"`
	Missing  string    `json:"missing,omitempty"` // shards that are not complete, as 0-3,7
	Start    time.Time `json:"start"`             // of the last attempt
	Version  string    `json:"version"`           // of the program of that attempt
	Epoch    int       `json:"epoch"`
	Written  time.Time `json:"written"` // time of the last write
	Damage   []string  `json:"damage,omitempty"`
}

// Part is a shard of a sweep, as its journal shows it.
type Part struct {
	Index  int    `json:"index"`
	State  State  `json:"state"`
	Trials int    `json:"trials"` // at most
	Done   int    `json:"done"`
	Path   string `json:"path,omitempty"`
}

// State says how far a sweep or a shard is.
type State string

// The states.
const (
	Complete State = "complete"  // all trials are there
	UnderWay State = "under way" // a process is writing it
	Stopped  State = "stopped"   // begun, and no process is writing it
	Begun    State = "begun"     // begun, and the file system has no locks that tell whether a process is writing it
	Missing  State = "missing"   // not begun
)

// StatusOf tells how far the sweeps in some folders are, in the order of the paths. A path
// may also be the journal of a shard. Shards of one division of one sweep are reported
// together, wherever they are. Other processes may write while StatusOf reads. A folder
// without a sweep is an error.
func StatusOf(r *trial.Registry, paths []string) ([]*Status, error) {
	var all []*Status
	divisions := map[string]*division{}
	for _, path := range paths {
		found, err := statusOf(r, path, divisions)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	for _, d := range divisions {
		if err := countTrials(r, d); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// Holds reports whether a folder holds something of a sweep.
func Holds(dir string) bool {
	for _, name := range []string{results.ManifestFile, JournalFile} {
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil && info.Mode().IsRegular() {
			return true
		}
	}
	files, _ := shardFiles(dir)
	return len(files) > 0
}

// division is a sweep that is divided into shards.
type division struct {
	*Status
	of   attempt // the first attempt that was read
	seen map[string]bool
}

// statusOf reads a folder, or the journal of a shard. It adds shards to their division.
func statusOf(r *trial.Registry, path string, divisions map[string]*division) ([]*Status, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return shardStatus(r, path, []string{path}, divisions)
	}
	files, err := shardFiles(path)
	if err != nil {
		return nil, err
	}
	whole, err := wholeStatus(r, path)
	if err != nil {
		return nil, err
	}
	if whole != nil && whole.Complete { // the shards are joined, or no longer needed
		growing := growingShards(r, path, files)
		if growing == nil {
			return []*Status{whole}, nil
		}
		files = growing
	}
	found, err := shardStatus(r, path, files, divisions)
	if err != nil {
		return nil, err
	}
	if whole != nil && (len(files) == 0 || whole.Done > 0) { // otherwise a join is running
		found = append(found, whole)
	}
	if len(files) == 0 && whole == nil {
		return nil, fmt.Errorf("%s holds nothing of a sweep: no %s, no %s, no files named %s", path, results.ManifestFile, JournalFile, Shard{3, 64}.journalFile())
	}
	return found, nil
}

// growingShards returns the shards of a version of a sweep that the complete tables in the
// folder are not of.
func growingShards(r *trial.Registry, dir string, files []string) []string {
	m, err := results.ReadManifest(dir)
	if err != nil || m.Hash == "" {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(files), func(file string) bool {
		first := beginningOf(file)
		return first == nil || describes(m, trialsOf(r, first), first.Header)
	})
}

// wholeStatus returns the status of a sweep without shards; nil if there is none. It reads
// the journal first: when the journal of a complete sweep is removed, the manifest is
// there.
func wholeStatus(r *trial.Registry, dir string) (*Status, error) {
	path := filepath.Join(dir, JournalFile)
	held, err := readJournal(path)
	if held == nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	m, manifestErr := results.ReadManifest(dir)
	if manifestErr != nil && !errors.Is(manifestErr, fs.ErrNotExist) {
		return nil, manifestErr
	}
	switch {
	case m != nil && (held == nil || m.Complete && !grows(r, held, m)):
		return manifestStatus(dir, m), nil
	case held == nil:
		return nil, nil
	}
	s := &Status{Paths: []string{dir}}
	s.State, err = s.look(held, err)
	if err != nil || len(held.attempts) == 0 {
		return s, err
	}
	sweep, err := attemptSweep(r, &held.attempts[0])
	if err != nil {
		return nil, err
	}
	s.Done = held.trials
	s.describe(sweep)
	return s, nil
}

// grows reports whether a journal belongs to another version of a sweep than the tables that
// a manifest describes.
func grows(r *trial.Registry, held *contents, m *results.Manifest) bool {
	return len(held.attempts) > 0 && !describes(m, trialsOf(r, &held.attempts[0]), held.attempts[0].Header)
}

// manifestStatus returns the status of a sweep whose tables are written.
func manifestStatus(dir string, m *results.Manifest) *Status {
	s := &Status{
		Name: m.Name, Title: m.Title, Paths: []string{dir}, State: Stopped, Complete: m.Complete,
		Trials: m.Trials, Fixed: m.Done() == m.Trials, Done: m.Done(),
		Start: m.Start, Version: m.Program.String(), Epoch: m.Epoch, Written: m.End,
	}
	if last := len(m.Attempts) - 1; last >= 0 {
		s.Start = m.Attempts[last].Start
	}
	for _, f := range slices.Concat(m.Files, m.Documents, m.Figures) {
		path := filepath.Join(dir, f.Name)
		info, err := os.Stat(path)
		switch {
		case err != nil:
			s.Damage = append(s.Damage, err.Error())
		case info.Size() != f.Bytes && !results.OfAuthor(f.Name) && !sizeAsWritten(dir, f):
			s.Damage = append(s.Damage, fmt.Sprintf("%s has %d bytes, and %s says %d", path, info.Size(), results.ManifestFile, f.Bytes))
		}
	}
	s.Complete = m.Complete && s.Damage == nil
	if m.Complete {
		s.State = Complete
	}
	return s
}

// sizeAsWritten reports whether a file has the size that the manifest says, without what its
// author has put in.
func sizeAsWritten(dir string, f results.FileInfo) bool {
	info, _, err := results.StatAsWritten(dir, f.Name, f.SHA256)
	return err == nil && info.Bytes == f.Bytes
}

// shardStatus adds shards to their divisions, and returns the new divisions. A journal may
// lack its beginning, because its task was killed at once: then its name decides, and it
// joins other shards of its folder.
func shardStatus(r *trial.Registry, path string, files []string, divisions map[string]*division) ([]*Status, error) {
	var found []*Status
	var headless []*contents      // journals that lack their beginning
	beside := map[int]*division{} // by the number of shards
	for _, file := range files {
		held, err := readJournal(file)
		if held == nil {
			return nil, err
		}
		if len(held.attempts) == 0 {
			headless = append(headless, held)
			continue
		}
		of := held.attempts[0]
		shard := of.Shard
		of.Shard, of.Trials = Shard{0, shard.Of}, trialsOf(r, &of)
		id := of.id()
		d := divisions[string(id[:])]
		if d == nil {
			d = newDivision(of)
			divisions[string(id[:])] = d
			found = append(found, d.Status)
		}
		beside[shard.Of] = d
		if err := d.add(path, shard, held, err); err != nil {
			return nil, err
		}
	}
	for _, held := range headless {
		shard, ok := shardOfFile(filepath.Base(held.path))
		if !ok {
			return nil, fmt.Errorf("%s is no journal of a sweep", held.path)
		}
		d := beside[shard.Of]
		if d == nil {
			d = newDivision(attempt{Shard: shard})
			divisions[held.path], beside[shard.Of] = d, d
			found = append(found, d.Status)
		}
		if err := d.add(path, shard, held, nil); err != nil {
			return nil, err
		}
	}
	return found, nil
}

func newDivision(of attempt) *division {
	return &division{Status: &Status{Of: of.Shard.count()}, of: of, seen: map[string]bool{}}
}

// add adds a shard, once. wrong is the error of reading it.
func (d *division) add(path string, shard Shard, held *contents, wrong error) error {
	if d.seen[filepath.Clean(held.path)] {
		return nil
	}
	d.seen[filepath.Clean(held.path)] = true
	state, err := d.look(held, wrong)
	if err != nil {
		return err
	}
	d.Shards = append(d.Shards, Part{Index: shard.Index, State: state, Done: held.trials, Path: held.path})
	if !slices.Contains(d.Paths, path) {
		d.Paths = append(d.Paths, path)
	}
	return nil
}

// look reads the attempts and the damage of a journal. wrong is the error of reading it.
func (s *Status) look(held *contents, wrong error) (State, error) {
	info, err := os.Stat(held.path)
	if err != nil {
		return Missing, err
	}
	beingWritten, known, err := journal.Written(held.path)
	if err != nil {
		return Missing, err
	}
	if written := info.ModTime().UTC().Truncate(time.Second); written.After(s.Written) {
		s.Written = written
	}
	for _, attempt := range held.attempts {
		if !attempt.Start.Before(s.Start) {
			s.Start, s.Version, s.Epoch = attempt.Start, attempt.Program.String(), attempt.Epoch
		}
	}
	torn := held.damage.Bytes == held.damage.Tail // a record may be half written
	switch text := held.damage.String(); {
	case wrong != nil:
		s.Damage = append(s.Damage, wrong.Error())
	case len(held.attempts) == 0 && !beingWritten:
		s.Damage = append(s.Damage, held.path+": nothing of its beginning is left")
	case text != "" && (!torn || !beingWritten):
		s.Damage = append(s.Damage, held.path+": "+text)
	}
	switch {
	case wrong == nil && held.complete():
		return Complete, nil
	case beingWritten:
		return UnderWay, nil
	case !known:
		return Begun, nil
	}
	return Stopped, nil
}

// describe enters what the sweep asks for.
func (s *Status) describe(sweep *Sweep) {
	s.Name, s.Title = sweep.Spec.Name, sweep.Spec.Title
	s.Trials, s.Fixed = len(sweep.Spec.Cells())*sweep.Spec.Replicates, sweep.Spec.Until == nil
}

// countTrials adds up the shards of a division, and lists those that are missing.
func countTrials(r *trial.Registry, d *division) error {
	d.State = Stopped
	slices.SortStableFunc(d.Shards, func(a, b Part) int { return a.Index - b.Index })
	cells, deal := 0, deal{}
	if d.of.Spec != "" {
		sweep, err := attemptSweep(r, &d.of)
		if err != nil {
			return err
		}
		d.describe(sweep)
		cells, deal = len(sweep.Spec.Cells()), dealOf(sweep.Spec)
	}
	complete := make([]bool, d.Of)
	for i := range d.Shards {
		p := &d.Shards[i]
		p.Trials = deal.total(Shard{p.Index, d.Of}, cells)
		switch {
		case i > 0 && d.Shards[i-1].Index == p.Index:
			d.Damage = append(d.Damage, fmt.Sprintf("shard %v is in %s and in %s", Shard{p.Index, d.Of}, d.Shards[i-1].Path, p.Path))
		default:
			d.Done += p.Done
		}
		complete[p.Index] = complete[p.Index] || p.State == Complete
		if p.State == UnderWay || p.State == Begun && d.State == Stopped {
			d.State = p.State
		}
	}
	missing := falseAt(complete)
	d.Missing = Ranges(missing)
	if d.Complete = len(missing) == 0; d.Complete {
		d.State = Complete
	}
	return nil
}
