package journal_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"bullring/experiments/campaign/journal"
)

// Damage in two places is reported at the first. The records behind it are found at any
// distance: beyond one buffer of the search, and with a marker across its end.
func TestDamageInTwoPlaces(t *testing.T) {
	const header, look = 12, 1 << 16
	for shift := range header + 2 {
		path := filepath.Join(t.TempDir(), "j")
		j, _, _ := open(t, path)
		var places []int64
		for _, length := range []int{3, look - header - 1 + shift, 3, 5, 3} {
			at, err := j.Append(bytes.Repeat([]byte{'x'}, length))
			if err != nil {
				t.Fatal(err)
			}
			places = append(places, at)
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		content[places[1]]++ // the marker
		content[places[3]]++
		if err := os.WriteFile(path, content, 0o666); err != nil {
			t.Fatal(err)
		}
		j, records, damage := open(t, path)
		want := journal.Damage{Bytes: places[2] - places[1] + places[4] - places[3], At: places[1]}
		if len(records) != 3 || damage != want {
			t.Errorf("shift %d: %d records, damage %+v; want 3, %+v", shift, len(records), damage, want)
		}
		j.Close()
	}
}

// Several callers of Written at the same time do not take each other for writers.
func TestAskersDoNotSeeEachOther(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	filled(t, path, 1)
	var group sync.WaitGroup
	var seen atomic.Int64
	for range 8 {
		group.Go(func() {
			for range 200 {
				if now, _, err := journal.Written(path); now || err != nil {
					seen.Add(1)
				}
			}
		})
	}
	group.Wait()
	if seen.Load() > 0 {
		t.Errorf("%d of 1600 times a writer was seen", seen.Load())
	}
}

// A missing journal is an error of all functions that do not create it.
func TestNoJournal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none", "j")
	if _, err := journal.Scan(path, nil); !os.IsNotExist(err) {
		t.Errorf("scanned: %v", err)
	}
	if _, err := journal.Scan(t.TempDir(), nil); err == nil || !strings.Contains(err.Error(), "regular file") {
		t.Errorf("scanned a folder: %v", err)
	}
	if journal.Begun(path) || journal.Begun(t.TempDir()) {
		t.Error("what is no file begins as a journal")
	}
	if _, err := journal.NewReader(path); !os.IsNotExist(err) {
		t.Errorf("read: %v", err)
	}
	if _, _, err := journal.Open(path, nil); !os.IsNotExist(err) {
		t.Errorf("opened: %v", err)
	}
}

// Scan finds the same records as Open, and a read behind the end is io.EOF.
func TestScan(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	places := filled(t, path, 5)
	var at []int64
	var records []string
	damage, err := journal.Scan(path, func(place int64, body []byte) error {
		at, records = append(at, place), append(records, string(body))
		return nil
	})
	if err != nil || damage.Bytes != 0 || !slices.Equal(at, places) || len(records) != 5 || records[4] != record(4) {
		t.Errorf("%q at %d, %+v, %v", records, at, damage, err)
	}
	r, err := journal.NewReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Read(info.Size(), nil); !errors.Is(err, io.EOF) {
		t.Errorf("behind the end: %v", err)
	}
}

// A cleared journal is like a new one.
func TestClear(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	filled(t, path, 3)
	j, _, _ := open(t, path)
	if err := j.Clear(); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Size() != 0 {
		t.Errorf("%v, %v", info, err)
	}
	at, err := j.Append([]byte("new"))
	if err != nil || at != 0 {
		t.Errorf("appended at %d, %v", at, err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	j, records, damage := open(t, path)
	defer j.Close()
	if len(records) != 1 || records[0] != "new" || damage.Bytes != 0 {
		t.Errorf("%q, %+v", records, damage)
	}
}
