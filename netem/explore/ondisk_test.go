package explore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"bullring/protocols"
)

// diskCase is a system with options to search it on disk.
type diskCase struct {
	name    string
	explore func(ctx context.Context, o Options) (*Result, error)
}

func on[M protocols.Message](name string, s func() *System[M]) diskCase {
	return diskCase{name, func(ctx context.Context, o Options) (*Result, error) { return Explore(ctx, s(), o) }}
}

func diskCases() []diskCase {
	ms := time.Millisecond
	faulty := Network{Bound: 1, Step: ms, FIFO: true, Budget: Budget{Crashes: 1, Losses: 1}}
	return []diskCase{
		on("faults", func() *System[toyMessage] { return toySystem(3, faulty, 0) }),
		on("restarts", func() *System[toyMessage] {
			return toySystem(2, Network{FIFO: true, Budget: Budget{Crashes: 1, Restarts: 1}}, 0)
		}),
		on("out of order", func() *System[toyMessage] { return toySystem(3, Network{Budget: Budget{Duplicates: 1}}, 0) }),
		on("rotations", func() *System[count] {
			s := counting(4, 6, countWatch{never: 100}, Network{FIFO: true, Rotations: true})
			s.Roots[0].Watch = &turned{countWatch{never: 100}}
			for p := protocols.ID(1); p < 3; p++ {
				s.Roots = append(s.Roots, s.Roots[0])
				s.Roots[p].Initiators = []protocols.ID{p, 3}
			}
			return s
		}),
		on("violated", func() *System[count] { return counting(3, 9, countWatch{never: 5}, Network{FIFO: true}) }),
		on("endless", func() *System[count] {
			return calling(0, callWatch{never: 9, want: 99}, Network{FIFO: true, Limits: Limits{Timeouts: 6}})
		}),
		on("cyclic", waiting),
	}
}

// turned is a watch to which addresses make no difference.
type turned struct{ countWatch }

func (*turned) Rotate() {}

// waiting is a system with runs that go on for ever.
func waiting() *System[count] {
	return &System[count]{
		Topology: toySystem(2, Network{}).Topology, Network: Network{FIFO: true},
		Properties: []Property{{"done", Eventually, ""}},
		Roots: []Root[count]{{
			Boot: func(protocols.ID) protocols.Process[count] { return &waiter{} }, Initiators: []protocols.ID{0, 1}, Watch: &waitWatch{},
		}},
	}
}

// inMemory is the result of a case without a disk.
func inMemory(t *testing.T, c diskCase) *Result {
	t.Helper()
	r, err := c.explore(t.Context(), Options{Safety: true})
	if err != nil {
		t.Fatalf("%s: %v", c.name, err)
	}
	return r
}

// sameResult compares all but the memory that was taken, and what only a search on disk tells.
func sameResult(r, want *Result) bool {
	a, b := *r, *want
	a.Memory, a.OnDisk, a.best, a.Most = 0, nil, 0, 0
	b.Memory, b.OnDisk, b.best, b.Most = 0, nil, 0, 0
	return reflect.DeepEqual(a, b)
}

// A search on disk finds what one in memory finds, and the same run that violates a property; with any number of
// workers, and whether its table has room for all states, for some, or for few, so that most are spilt. It leaves
// no file behind.
func TestDiskByComparison(t *testing.T) {
	for _, c := range diskCases() {
		want := inMemory(t, c)
		for _, k := range []struct {
			workers int
			table   uint64
		}{{1, 0}, {3, 1000}, {2, 100}} {
			folder := filepath.Join(t.TempDir(), "states")
			r, err := c.explore(t.Context(), Options{Safety: true, Workers: k.workers, Disk: &Disk{Folder: folder, table: k.table}})
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			if !sameResult(r, want) {
				t.Errorf("%s, a table of %d states, %d workers:\n%+v\nwant\n%+v", c.name, k.table, k.workers, r, want)
			}
			if files, _ := os.ReadDir(folder); len(files) > 0 {
				t.Errorf("%s: %d files are left", c.name, len(files))
			}
		}
	}
}

// A search that is stopped at any time, or killed, so that its files are as they were at some time, goes on from its
// last checkpoint and finds the same.
func TestDiskGoesOn(t *testing.T) {
	for _, c := range diskCases() {
		want := inMemory(t, c)
		for _, killed := range []bool{false, true} {
			folder, copied := filepath.Join(t.TempDir(), "states"), filepath.Join(t.TempDir(), "copy")
			stops := 0
			for round := 0; ; round++ {
				ctx, stop := context.WithCancel(t.Context())
				rounds := 0
				o := Options{Safety: true, Disk: &Disk{Folder: folder, Of: c.name, Checkpoint: 1, table: 300}, Progress: func(Progress) {
					if rounds++; rounds == 1+round%3 {
						if killed {
							copyFiles(t, folder, copied)
						}
						stop()
					}
				}}
				r, err := c.explore(ctx, o)
				if err != nil {
					t.Fatalf("%s: %v", c.name, err)
				}
				if r.Stopped == nil {
					if !sameResult(r, want) {
						t.Errorf("%s, stopped %d times, killed %v:\n%+v\nwant\n%+v", c.name, stops, killed, r, want)
					}
					break
				}
				if stops++; stops > 1000 {
					t.Fatalf("%s: no end", c.name)
				}
				if killed {
					os.RemoveAll(folder)
					os.Rename(copied, folder)
				}
				if stops%2 == 0 && round%3 == 0 {
					round++ // so that a round is not stopped for ever where a level has few
				}
			}
		}
	}
}

func copyFiles(t *testing.T, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

// A folder with other files is refused, and so is one of another search, or a damaged one.
func TestDiskFolders(t *testing.T) {
	c := diskCases()[0]
	begun := func(t *testing.T) string {
		folder := filepath.Join(t.TempDir(), "states")
		o := Options{Safety: true, MaxStates: 600, Disk: &Disk{Folder: folder, Of: "one", Checkpoint: 1}}
		r, err := c.explore(t.Context(), o)
		if err != nil || r.Stopped == nil {
			t.Fatal(r, err)
		}
		return folder
	}
	again := func(folder, of string) error {
		r, err := c.explore(t.Context(), Options{Safety: true, Disk: &Disk{Folder: folder, Of: of}})
		if err == nil {
			err = r.Stopped
		}
		return err
	}
	damage := func(pattern string, do func(path string) error) func(*testing.T) string {
		return func(t *testing.T) string {
			folder := begun(t)
			files, err := filepath.Glob(filepath.Join(folder, pattern))
			if err != nil || len(files) == 0 {
				t.Fatalf("no file %s: %v", pattern, err)
			}
			if err := do(files[len(files)-1]); err != nil {
				t.Fatal(err)
			}
			return folder
		}
	}
	shorten := func(path string) error {
		info, err := os.Stat(path)
		return errors.Join(err, os.Truncate(path, info.Size()/2))
	}
	zero := func(path string) error {
		text, err := os.ReadFile(path)
		clear(text[len(text)/2:])
		return errors.Join(err, os.WriteFile(path, text, 0o644))
	}
	for _, k := range []struct {
		name   string
		folder func(*testing.T) string
		of     string
		want   string
	}{
		{"as it was", begun, "one", ""},
		{"of another system", begun, "two", "a search of another system was begun there:\none\nand not of\ntwo"},
		{"no folder above", func(t *testing.T) string { return filepath.Join(t.TempDir(), "a", "b") }, "one", "no such file"},
		{"a file", func(t *testing.T) string {
			file := filepath.Join(t.TempDir(), "a")
			os.WriteFile(file, nil, 0o644)
			return file
		}, "one", "not a directory"},
		{"somebody's files", func(t *testing.T) string {
			folder := t.TempDir()
			os.WriteFile(filepath.Join(folder, "new-00001"), nil, 0o644)
			return folder
		}, "one", "it has new-00001, which no search wrote"},
		{"somebody's file among others", func(t *testing.T) string {
			folder := begun(t)
			os.WriteFile(filepath.Join(folder, "thesis.tex"), nil, 0o644)
			return folder
		}, "one", "it has thesis.tex, which no search wrote"},
		{"without states", damage("states-*", os.Remove), "one", "no such file"},
		{"a short run", damage("visited-03-*", shorten), "one", "bytes, and should have"},
		{"short states", damage("states-*", shorten), "one", "unexpected EOF"},
		{"short parts", damage("parts-*", shorten), "one", "unexpected EOF"},
		{"other parts", damage("parts-*", zero), "one", ""},
		{"a short checkpoint", damage("search.json", shorten), "one", "is no checkpoint of a search"},
	} {
		t.Run(k.name, func(t *testing.T) {
			folder := k.folder(t)
			err := again(folder, k.of)
			switch {
			case k.name == "other parts":
				if err == nil {
					t.Error("goes on with parts of another program")
				}
			case k.want == "" && err != nil, k.want != "" && (err == nil || !strings.Contains(err.Error(), k.want)):
				t.Errorf("%v, want %q", err, k.want)
			}
			if _, err := os.Stat(filepath.Join(folder, "thesis.tex")); strings.Contains(k.want, "thesis") && err != nil {
				t.Error(err)
			}
		})
	}
	t.Run("twice", func(t *testing.T) {
		folder := filepath.Join(t.TempDir(), "states")
		var second error
		o := Options{Safety: true, Disk: &Disk{Folder: folder}, Progress: func(Progress) {
			if second == nil {
				second = again(folder, "")
			}
		}}
		if _, err := c.explore(t.Context(), o); err != nil || second == nil || !strings.Contains(second.Error(), "another process searches there") {
			t.Errorf("%v, and the second %v", err, second)
		}
	})
}

// The bound on a missed state is the birthday bound of 96 bits: N(N-1)/2^97.
func TestMissed(t *testing.T) {
	for states, want := range map[uint64]string{0: "0", 1: "0", 2: "1.3e-29", 1e9: "6.3e-12", 1 << 48: "0.5"} {
		if got := fmt.Sprintf("%.2g", missed(states)); got != want {
			t.Errorf("%d states: %s, want %s", states, got, want)
		}
	}
}
