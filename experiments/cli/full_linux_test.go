package cli

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// smallDisk returns a folder on a disk of its own, of a size such as 400k.
func smallDisk(t *testing.T, size string) string {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("no small disk can be made here: %v", err)
	}
	t.Cleanup(func() { syscall.Unmount(disk, 0) })
	return disk
}

// On a disk that is full a sweep ends with what it has, says so, and goes on when
// there is room.
func TestSweepOnAFullDisk(t *testing.T) {
	inDir(t, killed)
	if got := bullring(t, "sweep", "demo.yaml", "-o", "whole", "--no-plot"); got.status != 0 {
		t.Fatal(got.errors)
	}
	disk := smallDisk(t, "400k")
	dir := filepath.Join(disk, "out")
	// Whichever file it is that has no room: on the smallest disk the journal can hardly
	// begin, on larger ones it or a table meets the end.
	sizes := []string{"8k", "12k", "100k", "400k", "900k", "1600k", "2400k", "2900k"}
	if testing.Short() {
		sizes = []string{"8k", "400k", "2400k"}
	}
	for _, size := range sizes {
		if err := syscall.Mount("tmpfs", disk, "tmpfs", syscall.MS_REMOUNT, "size="+size); err != nil {
			t.Fatal(size, err)
		}
		got := bullring(t, "sweep", "demo.yaml", "-o", dir, "--no-plot")
		if got.status != statusFailed || !strings.Contains(got.errors, "no space left on device") || strings.Count(got.errors, "run the same command again to resume") != 1 {
			t.Errorf("%s: status %d, %s", size, got.status, got.errors)
		}
		if strings.Contains(got.out, "manifest.json") {
			t.Errorf("%s: it tells of files that it could not write:\n%s", size, got.out)
		}
	}
	if info, err := os.Stat(filepath.Join(dir, "sweep.journal")); err != nil || info.Size() < 1<<17 {
		t.Errorf("what had run was not kept: %v", err)
	}
	if err := syscall.Mount("tmpfs", disk, "tmpfs", syscall.MS_REMOUNT, "size=80m"); err != nil {
		t.Fatal(err)
	}
	got := bullring(t, "sweep", "demo.yaml", "-o", dir, "--no-plot")
	if got.status != 0 || !strings.Contains(got.out, " had run before") {
		t.Errorf("status %d, %s%s", got.status, got.out, got.errors)
	}
	sameFiles(t, outcomeOf(t, dir), outcomeOf(t, "whole"))
}

// A shard writes a journal and no table. So no other error hides one of its journal.
func TestShardOnAFullDisk(t *testing.T) {
	inDir(t, killed)
	dir := filepath.Join(smallDisk(t, "100k"), "out")
	got := bullring(t, "sweep", "demo.yaml", "-o", dir, "--shard", "0/2")
	if got.status != statusFailed || !strings.Contains(got.errors, "shard-0-of-2.journal: no space left on device") {
		t.Errorf("status %d, %s%s", got.status, got.out, got.errors)
	}
}

// What was found is printed even if there is no room for the file it was to be written
// into.
func TestCaseOnAFullDisk(t *testing.T) {
	disk := smallDisk(t, "4k")
	if err := os.WriteFile(filepath.Join(disk, "full"), make([]byte, 4096), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ command, found string }{
		{"worst lcr --n 3", "messages"},
		{"shrink bully --n 3 --initiators 0 --dead last --delay uniform(0,3ms) --assume-delay 1ms", "the smallest run found"},
		{"explore peterson --ids 4,2,3,1 --loss 1 --shrink=false", "VIOLATED"},
	} {
		got := bullring(t, append(words(c.command), "-o", filepath.Join(disk, "case.json"))...)
		if got.status != statusFailed || !strings.Contains(got.errors, "no space left on device") || !strings.Contains(got.out, c.found) || strings.Contains(got.out, "written to") {
			t.Errorf("%s: status %d, %s%s", c.command, got.status, got.out, got.errors)
		}
	}
	if left, _ := os.ReadDir(disk); len(left) != 1 {
		t.Errorf("there is left %v", left)
	}
}
