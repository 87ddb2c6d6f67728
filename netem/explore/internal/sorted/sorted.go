// Package sorted keeps sets of hashes on disk, as sorted runs. A set never answers whether it has one hash; it is
// merged with many at once, and tells which of them are new. So its files are only read and written from their
// beginning to their end (Stern & Dill, "Using magnetic disk instead of main memory in the Murphi verifier",
// CAV 1998).
package sorted

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"os"
	"path/filepath"
	"slices"
)

// Key is 96 bits of a hash.
type Key struct {
	First uint64
	More  uint32
}

// Compare is the order of a run.
func (k Key) Compare(l Key) int {
	return cmp.Or(cmp.Compare(k.First, l.First), cmp.Compare(k.More, l.More))
}

// Entry is a hash to be merged with a set, and the number by which it is known to the caller.
type Entry struct {
	Key
	Number uint64
}

// Run is a file of hashes in ascending order.
type Run struct {
	File  string `json:"file"`
	Count uint64 `json:"count"`
}

// Set is a set of hashes in a folder. Its zero value, with a folder and a name, is empty. Runs is all that has to
// be kept of it, with their files, to go on with the set later.
type Set struct {
	Folder string
	Name   string // of its files, with a number behind it
	Runs   []Run
	next   int   // the number of the next file
	spilt  []Run // entries that wait to be merged
	unused []string
}

// Spill puts entries on disk until the set is merged. Their keys ascend.
func (s *Set) Spill(entries iter.Seq[Entry]) error {
	w := s.create()
	for e := range entries {
		w.entry(e)
	}
	run, err := w.close()
	if run.Count > 0 {
		s.spilt = append(s.spilt, run)
	}
	return err
}

// Merge adds entries, and those that were spilt, to the set. The keys of entries ascend. Merge calls fresh with the
// number of each entry that is new to the set; of entries with the same key, with the least number. It returns how
// many different keys the set had before. whole says that it had none: then no file is read but those that were
// spilt.
func (s *Set) Merge(entries iter.Seq[Entry], whole bool, fresh func(number uint64)) (had uint64, err error) {
	w := s.create()
	var known []*reader
	if !whole {
		known, err = s.open(s.Runs, keyBytes)
	}
	defer func() { closeAll(known) }()
	if err == nil {
		err = s.each(entries, func(e Entry) error {
			has, err := has(known, e.Key)
			if has {
				had++
			} else if err == nil {
				w.key(e.Key)
				fresh(e.Number)
			}
			return err
		})
	}
	run, closed := w.close()
	if err = cmp.Or(err, closed); err != nil {
		return had, err
	}
	for _, spilt := range s.spilt {
		s.unused = append(s.unused, spilt.File)
	}
	s.spilt = nil
	if run.Count == 0 {
		return had, nil
	}
	s.Runs = append(s.Runs, run)
	return had, s.compact()
}

// each yields the entries and the spilt ones in the order of their keys; of those with the same key, the one with
// the least number.
func (s *Set) each(entries iter.Seq[Entry], do func(Entry) error) error {
	spilt, err := s.open(s.spilt, entryBytes)
	defer func() { closeAll(spilt) }()
	if err != nil {
		return err
	}
	next, stop := iter.Pull(entries)
	defer stop()
	in, more := next()
	for {
		least := Entry{Number: math.MaxUint64}
		found := more
		if more {
			least = in
		}
		for _, r := range spilt {
			if !r.ended && (!found || before(r.now, least)) {
				least, found = r.now, true
			}
		}
		if !found {
			return nil
		}
		if err := do(least); err != nil {
			return err
		}
		for more && in.Key == least.Key {
			in, more = next()
		}
		for _, r := range spilt {
			for !r.ended && r.now.Key == least.Key {
				if err := r.advance(); err != nil {
					return err
				}
			}
		}
	}
}

func before(e, f Entry) bool {
	return cmp.Or(e.Key.Compare(f.Key), cmp.Compare(e.Number, f.Number)) < 0
}

// has goes on to a key in all runs, and reports whether one of them has it. Keys that are asked for ascend.
func has(known []*reader, k Key) (found bool, err error) {
	for _, r := range known {
		for !r.ended && r.now.Key.Compare(k) < 0 {
			if err := r.advance(); err != nil {
				return false, err
			}
		}
		found = found || !r.ended && r.now.Key == k
	}
	return found, nil
}

// growth is how many times as long as the next a run has to be, or the two are merged. So there are as many runs as
// the logarithm of the number of hashes, and each hash is written about as often.
const growth = 2

// compact merges the last runs.
func (s *Set) compact() error {
	for k := len(s.Runs); k >= 2 && s.Runs[k-2].Count < growth*s.Runs[k-1].Count; k = len(s.Runs) {
		one, err := s.union(s.Runs[k-2:])
		if err != nil {
			return err
		}
		for _, r := range s.Runs[k-2:] {
			s.unused = append(s.unused, r.File)
		}
		s.Runs = append(slices.Clone(s.Runs[:k-2]), one)
	}
	return nil
}

// union is the run of two that have nothing in common.
func (s *Set) union(two []Run) (Run, error) {
	from, err := s.open(two, keyBytes)
	defer func() { closeAll(from) }()
	if err != nil {
		return Run{}, err
	}
	w := s.create()
	for a, b := from[0], from[1]; !a.ended || !b.ended; {
		least := a
		if a.ended || !b.ended && b.now.Key.Compare(a.now.Key) < 0 {
			least = b
		}
		w.key(least.now.Key)
		if err := least.advance(); err != nil {
			w.close()
			return Run{}, err
		}
	}
	return w.close()
}

// Tidy removes the files that are of no use any more. They may be in a list of runs that was kept: tidy up when a
// newer one was.
func (s *Set) Tidy() error {
	for _, name := range s.unused {
		if err := os.Remove(filepath.Join(s.Folder, name)); err != nil {
			return err
		}
	}
	s.unused = nil
	return nil
}

// Bytes is the size of the runs.
func (s *Set) Bytes() (bytes uint64) {
	for _, r := range s.Runs {
		bytes += r.Count * keyBytes
	}
	return bytes
}

// Resume goes on with a set. Its runs were kept.
func (s *Set) Resume(runs []Run) error {
	s.Runs = runs
	for _, r := range runs {
		var number int
		if _, err := fmt.Sscanf(r.File, s.Name+"-%d", &number); err != nil {
			return fmt.Errorf("%q is no run of %s", r.File, s.Name)
		}
		s.next = max(s.next, number+1)
		info, err := os.Stat(filepath.Join(s.Folder, r.File))
		if err != nil {
			return err
		}
		if want := r.Count * keyBytes; uint64(info.Size()) != want {
			return fmt.Errorf("%s has %d bytes, and should have %d", info.Name(), info.Size(), want)
		}
	}
	return nil
}
