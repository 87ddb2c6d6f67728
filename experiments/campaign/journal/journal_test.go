package journal_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"bullring/experiments/campaign/journal"
)

// open opens a journal and returns its records.
func open(t rapid.TB, path string) (*journal.Journal, []string, journal.Damage) {
	t.Helper()
	j, records, damage, err := opened(path)
	if err != nil {
		t.Fatal(err)
	}
	return j, records, damage
}

func opened(path string) (j *journal.Journal, records []string, damage journal.Damage, err error) {
	j, damage, err = journal.Open(path, func(_ int64, body []byte) error {
		records = append(records, string(body))
		return nil
	})
	return j, records, damage, err
}

func record(i int) string { return fmt.Sprintf("record %d %s", i, strings.Repeat("x", i*7%50)) }

// filled is a journal of that many records with their places.
func filled(t rapid.TB, path string, count int) []int64 {
	t.Helper()
	j, _, _ := open(t, path)
	var places []int64
	for i := range count {
		at, err := j.Append([]byte(record(i)))
		if err != nil {
			t.Fatal(err)
		}
		places = append(places, at)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	return places
}

func TestRecordsAreThereAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	places := filled(t, path, 20)
	j, records, damage := open(t, path)
	if len(records) != 20 || damage.Bytes != 0 || damage.String() != "" {
		t.Fatalf("%d records, damage %v", len(records), damage)
	}
	for i, at := range places {
		body, err := j.Reader().Read(at, nil)
		if err != nil || string(body) != record(i) || records[i] != record(i) {
			t.Errorf("record %d at %d is %q, %v", i, at, body, err)
		}
	}
	if _, err := j.Reader().Read(places[3]+1, nil); err == nil {
		t.Error("a record was read where none begins")
	}
	if _, err := j.Append([]byte("more")); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	j, records, _ = open(t, path)
	if len(records) != 21 || records[20] != "more" {
		t.Errorf("after another, there are %q", records)
	}
	if err := j.Remove(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it was removed, but: %v", err)
	}
}

// Bytes are cut off the end or flipped anywhere. Then all records that are read were
// written, in order; at most the damaged ones are missing; and a new record is found again.
func TestDamage(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		path := filepath.Join(dir, "j")
		os.Remove(path)
		const count = 12
		places := filled(t, path, count)
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		touched := map[int]bool{}
		at := func(place int64) int { // the record there
			i := 0
			for i+1 < count && places[i+1] <= place {
				i++
			}
			return i
		}
		for range rapid.IntRange(0, 3).Draw(t, "flips") {
			place := rapid.Int64Range(0, int64(len(content)-1)).Draw(t, "place")
			content[place] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
			touched[at(place)] = true
		}
		if cut := rapid.IntRange(0, len(content)).Draw(t, "cut"); cut < len(content) {
			for i := at(int64(cut)); i < count; i++ {
				touched[i] = true
			}
			content = content[:cut]
		}
		content = append(content, rapid.SliceOfN(rapid.Byte(), 0, 30).Draw(t, "tail")...)
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}

		j, records, damage, err := opened(path)
		if errors.Is(err, journal.ErrForeign) { // nothing in it tells that it is a journal
			after, _ := os.ReadFile(path)
			if len(touched) < count || !bytes.Equal(after, content) {
				t.Fatalf("%d of %d records were touched, and it is refused; changed: %v", len(touched), count, !bytes.Equal(after, content))
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		position := 0
		for _, got := range records {
			for position < count && record(position) != got {
				if !touched[position] {
					t.Fatalf("record %d is lacking, which nobody touched: %q, damage %v", position, records, damage)
				}
				position++
			}
			if position == count {
				t.Fatalf("%q was never written there", got)
			}
			position++
		}
		for ; position < count; position++ {
			if !touched[position] {
				t.Fatalf("record %d is lacking, which nobody touched", position)
			}
		}
		if _, err := j.Append([]byte("after")); err != nil {
			t.Fatal(err)
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		j, again, left := open(t, path)
		if len(again) != len(records)+1 || again[len(records)] != "after" || left.Tail != 0 {
			t.Fatalf("%d records and one more, but %d are found, damage %v", len(records), len(again), left)
		}
		j.Close()
	})
}

func TestOneProcessAtATime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	first, _, _ := open(t, path)
	_, _, err := journal.Open(path, nil)
	if !errors.Is(err, journal.ErrLocked) || !strings.Contains(err.Error(), path) {
		t.Errorf("opened twice: %v", err)
	}
	if now, known, err := journal.Written(path); now != known || err != nil {
		t.Errorf("of one that is open: written %v, known %v, %v", now, known, err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if now, _, err := journal.Written(path); now || err != nil {
		t.Errorf("of one that is closed: written %v, %v", now, err)
	}
	second, _, _ := open(t, path)
	second.Close()
	if _, _, err := journal.Written(path + "none"); err == nil {
		t.Error("nobody is said to write a file that is not there")
	}
}

// Written does not keep a writer away.
func TestAskingIsNotWriting(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	filled(t, path, 1)
	stop := make(chan struct{})
	var group sync.WaitGroup
	for range 2 {
		group.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					if _, _, err := journal.Written(path); err != nil {
						t.Error(err)
						return
					}
					time.Sleep(time.Millisecond)
				}
			}
		})
	}
	for range 50 {
		j, _, err := journal.Open(path, func(int64, []byte) error { return nil })
		if err != nil {
			t.Fatal(err)
		}
		j.Close()
	}
	close(stop)
	group.Wait()
}

func TestManyAppend(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	j, _, _ := open(t, path)
	var group sync.WaitGroup
	for w := range 8 {
		group.Go(func() {
			for i := range 100 {
				body := bytes.Repeat([]byte{byte(w)}, i)
				at, err := j.Append(body)
				if err != nil {
					t.Error(err)
				}
				if got, err := j.Reader().Read(at, nil); err != nil || !bytes.Equal(got, body) {
					t.Errorf("worker %d, %d: %q, %v", w, i, got, err)
				}
			}
		})
	}
	group.Wait()
	j.Close()
	j, records, damage := open(t, path)
	defer j.Close()
	if len(records) != 800 || damage.Bytes > 0 {
		t.Errorf("%d records, damage %v", len(records), damage)
	}
}

// On a full disk the record that does not fit is missing; the others are there.
func TestFullDisk(t *testing.T) {
	if _, _, err := journal.Open("/dev/full", nil); err == nil {
		t.Error("a device was taken for a journal")
	}
	path := filepath.Join(t.TempDir(), "j")
	filled(t, path, 3)
	j, _, _ := open(t, path)
	if _, err := j.Append(make([]byte, journal.MaxBody+1)); err == nil || !strings.Contains(err.Error(), "at most") {
		t.Errorf("a record that is too long: %v", err)
	}
	j.Close()
	j, records, _ := open(t, path)
	defer j.Close()
	if len(records) != 3 {
		t.Errorf("there are %d records", len(records))
	}
}

// The cost of a record of 400 bytes, to compare with the millisecond of a trial: see
// docs/performance.md.
func BenchmarkAppend(b *testing.B) {
	j, _, _ := open(b, filepath.Join(b.TempDir(), "j"))
	defer j.Close()
	body := bytes.Repeat([]byte("0123456789"), 40)
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		if _, err := j.Append(body); err != nil {
			b.Fatal(err)
		}
	}
}

// A folder may be moved away while its journal is written.
func TestThere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	j, _, _ := open(t, path)
	defer j.Close()
	if !j.There() {
		t.Error("it is not where it was opened")
	}
	if err := os.Rename(path, path+"2"); err != nil {
		t.Fatal(err)
	}
	if j.There() {
		t.Error("it was moved")
	}
	if err := os.WriteFile(path, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if j.There() {
		t.Error("another file is taken for it")
	}
	if err := j.Remove(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Errorf("what was put in its place was removed: %v", err)
	}
}
