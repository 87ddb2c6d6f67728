package journal

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// volatile is a file on a disk that loses its power: bytes that were not synced are lost.
// It has limited room, and can be made to fail in Sync.
type volatile struct {
	mu        sync.Mutex
	now, kept []byte
	room      int
	failing   error // of Sync
	stuck     error // of Truncate
}

func (v *volatile) ReadAt(p []byte, at int64) (int, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if at >= int64(len(v.now)) {
		return 0, io.EOF
	}
	n := copy(p, v.now[at:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

var errFull = errors.New("no room is left")

func (v *volatile) WriteAt(p []byte, at int64) (n int, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if left := v.room - int(at); len(p) > left {
		p, err = p[:max(0, left)], errFull
	}
	end := int(at) + len(p)
	v.now = append(v.now, make([]byte, max(0, end-len(v.now)))...)
	return copy(v.now[at:], p), err
}

func (v *volatile) Truncate(size int64) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.stuck == nil {
		v.now = slices.Clone(v.now[:size])
	}
	return v.stuck
}

func (v *volatile) Sync() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.failing == nil {
		v.kept = slices.Clone(v.now)
	}
	return v.failing
}

func (v *volatile) Close() error               { return nil }
func (v *volatile) Name() string               { return "volatile" }
func (v *volatile) Stat() (fs.FileInfo, error) { return sizeOf{size: int64(len(v.now))}, nil }

// sizeOf is a regular file of that size.
type sizeOf struct {
	fs.FileInfo
	size int64
}

func (s sizeOf) Size() int64       { return s.size }
func (s sizeOf) Mode() fs.FileMode { return 0o644 }

// open opens the journal on the disk and returns its records.
func (v *volatile) open(t *testing.T) (*Journal, []string, Damage) {
	t.Helper()
	var records []string
	j, damage, err := load("volatile", v, func(_ int64, body []byte) error {
		records = append(records, string(body))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return j, records, damage
}

// Records that were appended at least a second before a power failure survive it, even if
// none was appended since; so do all records of a closed journal.
func TestPowerFailure(t *testing.T) {
	chance := rand.New(rand.NewPCG(13, 1))
	for range 300 {
		synctest.Test(t, func(t *testing.T) {
			disk := &volatile{room: 1 << 20}
			j, _, _ := disk.open(t)
			var wrote []string
			var at []time.Time
			for i := range 1 + chance.IntN(8) {
				wrote, at = append(wrote, fmt.Sprint("record ", i)), append(at, time.Now())
				if _, err := j.Append([]byte(wrote[i])); err != nil {
					t.Fatal(err)
				}
				time.Sleep(time.Duration(chance.Int64N(int64(1500 * time.Millisecond))))
				synctest.Wait()
			}
			closed := chance.IntN(3) == 0
			if closed {
				if err := j.Close(); err != nil {
					t.Fatal(err)
				}
			}
			due := len(wrote)
			for !closed && due > 0 && time.Since(at[due-1]) < time.Second {
				due--
			}
			_, records, damage := (&volatile{now: disk.kept}).open(t)
			if len(records) < due || !slices.Equal(records, wrote[:len(records)]) || damage.Bytes != 0 {
				t.Fatalf("of %q, %d a second ago or before, closed %v, there are left %q, damage %v", wrote, due, closed, records, damage)
			}
			j.stop()
		})
	}
}

// A record that does not fit leaves no bytes, and the journal takes no more records.
func TestAppendToAFullDisk(t *testing.T) {
	for room := range 4 * headerSize {
		disk := &volatile{room: room}
		j, _, _ := disk.open(t)
		var wrote []string
		var err error
		for err == nil && len(wrote) <= room {
			wrote = append(wrote, "rec"+strings.Repeat("x", len(wrote)))
			_, err = j.Append([]byte(wrote[len(wrote)-1]))
		}
		disk.room = 1 << 20
		if _, again := j.Append([]byte("after")); !errors.Is(err, errFull) || !errors.Is(again, errFull) {
			t.Errorf("%v, and then %v", err, again)
		}
		j.Close()
		if _, records, damage := (&volatile{now: disk.kept}).open(t); damage.Bytes != 0 || !slices.Equal(records, wrote[:len(wrote)-1]) {
			t.Errorf("with room for %d bytes there are %q, damage %v", room, records, damage)
		}
	}
}

// A failed sync is reported by the next call.
func TestSyncFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := &volatile{room: 1 << 20, failing: errFull}
		j, _, _ := disk.open(t)
		if _, err := j.Append([]byte("a")); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if _, err := j.Append([]byte("b")); !errors.Is(err, errFull) {
			t.Errorf("after a sync that failed: %v", err)
		}
	})
}

// Nothing is written behind a torn record that cannot be cut off.
func TestTornEndThatStays(t *testing.T) {
	disk := &volatile{room: 1 << 20}
	j, _, _ := disk.open(t)
	for _, body := range []string{"a", "b"} {
		if _, err := j.Append([]byte(body)); err != nil {
			t.Fatal(err)
		}
	}
	j.Close()
	torn := &volatile{room: 1 << 20, now: disk.kept[:len(disk.kept)-1], stuck: errFull}
	j, _, _ = torn.open(t)
	if _, err := j.Append([]byte("c")); !errors.Is(err, errFull) {
		t.Errorf("appended: %v", err)
	}
	if err := j.Clear(); !errors.Is(err, errFull) {
		t.Errorf("cleared: %v", err)
	}
}

// No bit of a record can be flipped unnoticed.
func TestEveryFlippedBitIsNoticed(t *testing.T) {
	disk := &volatile{room: 1 << 20}
	j, _, _ := disk.open(t)
	defer j.Close()
	at, err := j.Append([]byte("a record"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := j.Append([]byte("another")); err != nil {
		t.Fatal(err)
	}
	for bit := range 8 * (headerSize + len("a record")) {
		disk.now[bit/8] ^= 1 << (bit % 8)
		if body, err := j.Reader().Read(at, nil); err == nil {
			t.Errorf("with bit %d flipped it reads %q", bit, body)
		}
		var records []string
		if _, _, err := scan(disk, func(_ int64, body []byte) error {
			records = append(records, string(body))
			return nil
		}); err != nil || !slices.Equal(records, []string{"another"}) {
			t.Errorf("with bit %d flipped there are %q, %v", bit, records, err)
		}
		disk.now[bit/8] ^= 1 << (bit % 8)
	}
}

// A lock on a removed file keeps no process away: the path is then another file.
func TestLockOfARemovedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	all := func(int64, []byte) error { return nil }
	var group sync.WaitGroup
	var mu sync.Mutex
	inside, worked := 0, 0
	for range 8 {
		group.Go(func() {
			for range 40 {
				j, _, err := Open(path, all)
				if errors.Is(err, ErrLocked) {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				inside, worked = inside+1, worked+1
				if inside > 1 {
					t.Errorf("%d have the journal open at once", inside)
				}
				mu.Unlock()
				if !j.There() {
					t.Error("an open journal is not there")
				}
				mu.Lock()
				inside--
				mu.Unlock()
				if err := j.Remove(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if worked < 40 {
		t.Errorf("%d times one worked", worked)
	}
}

// A file that is no journal, and one behind a link, stays as it is.
func TestForeignFilesAreRefused(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{
		"text": "dear diary", "short": "de", "letter": "d", "zeros": "\x00\x00\x00\x00\x00", "almost": "\xb5br\r rest of it",
		"marked": string(marker[:]) + "\x02\x00\x00\x00____ and more",
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, _, err := Open(path, nil); !errors.Is(err, ErrForeign) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", name, err)
		}
		if after, _ := os.ReadFile(path); string(after) != content {
			t.Errorf("%s was changed to %q", name, after)
		}
		if begun := Begun(path); begun != (name == "marked") {
			t.Errorf("%s begins as a journal: %v", name, begun)
		}
	}
	sound, link := filepath.Join(dir, "sound"), filepath.Join(dir, "link")
	j, _, err := Open(sound, nil)
	if err != nil {
		t.Fatal(err)
	}
	j.Close()
	for _, target := range []string{"sound", "nothing"} {
		if err := os.Symlink(target, link); err != nil {
			t.Skip("no symbolic links here: ", err)
		}
		if _, _, err := Open(link, nil); err == nil || !strings.Contains(err.Error(), "no regular file") || Begun(link) {
			t.Errorf("a link to %s: %v", target, err)
		}
		os.Remove(link)
	}
	if _, err := os.Lstat(filepath.Join(dir, "nothing")); err == nil {
		t.Error("a file was made through a link")
	}
	if _, _, err := Open(filepath.Join(dir, "none", "j"), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that is not there: %v", err)
	}
}

// A torn end stays until the next Append.
func TestOpeningChangesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	j, _, err := Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	j.Append([]byte("first"))
	j.Append([]byte("second"))
	j.Close()
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for cut := range len(whole) {
		if err := os.WriteFile(path, whole[:cut], 0o644); err != nil {
			t.Fatal(err)
		}
		j, damage, err := Open(path, func(int64, []byte) error { return nil })
		if err != nil {
			t.Fatalf("cut to %d bytes: %v", cut, err)
		}
		if after, _ := os.ReadFile(path); string(after) != string(whole[:cut]) {
			t.Errorf("cut to %d bytes and opened, it has %d", cut, len(after))
		}
		if _, err := j.Append([]byte("more")); err != nil {
			t.Fatal(err)
		}
		j.file.Close() // it need not be given to the disk
		j.stop()
		after, err := Scan(path, func(int64, []byte) error { return nil })
		if err != nil || after.Bytes != 0 {
			t.Errorf("cut to %d bytes, damage %v, and after another record %v, %v", cut, damage, after, err)
		}
	}
}
