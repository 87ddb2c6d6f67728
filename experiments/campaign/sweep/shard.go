package sweep

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/spec"
)

// Shard is one of the equal parts of a sweep. Parts can run on different machines. The zero
// Shard is the whole sweep. Trials are dealt in turn, so that long and short ones spread
// evenly. With a stopping rule, which decides the number of trials of a cell, whole cells
// are dealt.
type Shard struct {
	Index int // from 0
	Of    int // 0 or 1: the shard is the whole sweep
}

// MaxShards is the largest number of shards.
const MaxShards = 100_000

// ParseShard reads i/N with i from 0 to N-1, or auto/N. With auto, a variable of the batch
// system tells i.
func ParseShard(text string) (Shard, error) {
	const takes = "it takes i/N with i from 0 to N-1, such as 3/64, or auto/N"
	first, second, ok := strings.Cut(text, "/")
	of, err := strconv.Atoi(second)
	if !ok || err != nil || of < 1 || of > MaxShards {
		return Shard{}, fmt.Errorf("shard %q: %s, and N from 1 to %d", text, takes, MaxShards)
	}
	if first == "auto" {
		return shardOfTask(of)
	}
	index, err := strconv.Atoi(first)
	if err != nil || index < 0 || index >= of {
		return Shard{}, fmt.Errorf("shard %q: %s", text, takes)
	}
	return Shard{index, of}, nil
}

// arrays are the variables in which batch systems tell a task its number, and the number of
// the first task.
var arrays = []struct {
	variable string
	first    int
}{
	{"SLURM_ARRAY_TASK_ID", 0},
	{"JOB_COMPLETION_INDEX", 0}, // Kubernetes
	{"AWS_BATCH_JOB_ARRAY_INDEX", 0},
	{"PBS_ARRAY_INDEX", 0},
	{"SGE_TASK_ID", 1},
	{"LSB_JOBINDEX", 1},
	{"PARALLEL_SEQ", 1}, // GNU parallel
}

// shardOfTask finds the number of this task in the environment.
func shardOfTask(of int) (Shard, error) {
	var names []string
	for _, a := range arrays {
		names = append(names, a.variable)
		text := os.Getenv(a.variable)
		if text == "" || text == "undefined" { // the value of Grid Engine outside an array
			continue
		}
		index, err := strconv.Atoi(text)
		if index -= a.first; err != nil || index < 0 || index >= of {
			return Shard{}, fmt.Errorf("shard auto/%d: %s is %q; it takes a whole number from %d to %d", of, a.variable, text, a.first, of-1+a.first)
		}
		return Shard{index, of}, nil
	}
	return Shard{}, fmt.Errorf("shard auto/%d: the number of this task is not known: none of %s is set", of, strings.Join(names, ", "))
}

// String prints i/N.
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.count()) }

// check returns an error if a shard that was read cannot exist.
func (s Shard) check() error {
	if s.Of < 0 || s.Of > MaxShards || s.Index < 0 || s.Index >= s.count() {
		return fmt.Errorf("there is no shard %d of %d: a sweep has up to %d, numbered from 0", s.Index, s.Of, MaxShards)
	}
	return nil
}

// partial reports whether there are other shards.
func (s Shard) partial() bool { return s.Of > 1 }

func (s Shard) count() int { return max(s.Of, 1) }

// deal tells which trials belong to a shard. A trial has a place in its cell, counted from
// 0, and a number among the trials of the cell that belong to the shard.
type deal struct {
	replicates int  // of a cell, at most
	cells      bool // whole cells are dealt
}

func dealOf(s *spec.Spec) deal { return deal{s.Replicates, s.Until != nil} }

// first is the place of the shard's first trial in a cell.
func (d deal) first(s Shard, cell int) int {
	if d.cells {
		return 0
	}
	n := int64(s.count())
	return int(((int64(s.Index)-int64(cell)*int64(d.replicates))%n + n) % n)
}

// step is the distance between the places of the shard's trials.
func (d deal) step(s Shard) int {
	if d.cells {
		return 1
	}
	return s.count()
}

// count returns how many trials of a cell belong to the shard, at most.
func (d deal) count(s Shard, cell int) int {
	if d.cells {
		if cell%s.count() == s.Index {
			return d.replicates
		}
		return 0
	}
	first, step := d.first(s, cell), d.step(s)
	if first >= d.replicates {
		return 0
	}
	return (d.replicates-1-first)/step + 1
}

// owner returns which of the shards has the trial at a place of a cell, and the number of
// the trial there.
func (d deal) owner(of, cell, place int) (shard, number int) {
	if d.cells {
		return cell % of, place
	}
	shard = int((int64(cell)*int64(d.replicates) + int64(place)) % int64(of))
	return shard, place / of
}

// MissingShards returns the shards that are missing or not complete. joined reports whether
// the sweep is complete already.
func (s *Sweep) MissingShards(of int) (missing []int, joined bool, err error) {
	cells, l, err := s.resolve()
	if err != nil {
		return nil, false, err
	}
	to := s.target()
	if err := to.claim(); err != nil {
		return nil, false, err
	}
	self := s.attempt(results.NewRowWriter(l).Header(), s.clock().Now())
	if grown, err := growthOf(s, &self, cells, l); err != nil {
		return nil, false, err
	} else if grown == nil {
		if report, err := to.completed(cells, l); report != nil || err != nil {
			return nil, report != nil, err
		}
	}
	files, err := shardFiles(s.Dir)
	if err != nil {
		return nil, false, err
	}
	part := *s
	complete := make([]bool, of)
	for _, file := range files {
		if first := beginningOf(file); first != nil && to.joined(first, self.Header) {
			continue
		}
		part.Shard, _ = shardOfFile(filepath.Base(file))
		if part.Shard.Of != of {
			return nil, false, fmt.Errorf("%s is one of %d shards, and here are %d tasks; give --tasks %d, another directory, or remove that file", file, part.Shard.Of, of, part.Shard.Of)
		}
		held, err := readJournal(file)
		if err != nil {
			return nil, false, err
		}
		if err := held.fits(s.Registry, part.attempt(self.Header, self.Start), len(cells), dealOf(s.Spec)); err != nil {
			return nil, false, err
		}
		complete[part.Shard.Index] = held.complete()
	}
	return falseAt(complete), false, nil
}

// journalFile is the name of the shard's journal.
func (s Shard) journalFile() string {
	if !s.partial() {
		return JournalFile
	}
	return fmt.Sprintf("shard-%d-of-%d.journal", s.Index, s.Of)
}

// shardOfFile returns the shard whose journal has that name.
func shardOfFile(name string) (s Shard, ok bool) {
	if _, err := fmt.Sscanf(name, "shard-%d-of-%d.journal", &s.Index, &s.Of); err != nil {
		return s, false
	}
	return s, s.partial() && s.check() == nil && s.journalFile() == name
}

// shardFiles are the journals of shards in a folder, by number.
func shardFiles(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if _, ok := shardOfFile(e.Name()); ok {
			names = append(names, filepath.Join(dir, e.Name()))
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		x, _ := shardOfFile(filepath.Base(a))
		y, _ := shardOfFile(filepath.Base(b))
		return x.Index - y.Index
	})
	return names, nil
}

// total returns how many trials of all cells belong to the shard, at most.
func (d deal) total(s Shard, cells int) int {
	all := cells
	if !d.cells {
		all *= d.replicates
	}
	mine := 0
	if s.Index < all {
		mine = (all-1-s.Index)/s.count() + 1
	}
	if d.cells {
		mine *= d.replicates
	}
	return mine
}

// falseAt returns the indices of the values that are false.
func falseAt(is []bool) []int {
	var places []int
	for i, yes := range is {
		if !yes {
			places = append(places, i)
		}
	}
	return places
}

// Ranges prints ascending numbers as Slurm takes them, such as 0-3,7.
func Ranges(numbers []int) string {
	var parts []string
	for i := 0; i < len(numbers); {
		j := i
		for j+1 < len(numbers) && numbers[j+1] == numbers[j]+1 {
			j++
		}
		part := strconv.Itoa(numbers[i])
		if j > i {
			part += "-" + strconv.Itoa(numbers[j])
		}
		parts = append(parts, part)
		i = j + 1
	}
	return strings.Join(parts, ",")
}
