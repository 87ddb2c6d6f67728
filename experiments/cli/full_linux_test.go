package cli

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// On a disk that is full a sweep ends with what it has, says so, and goes on when
// there is room.
func TestSweepOnAFullDisk(t *testing.T) {
	inDir(t, killed)
	if got := bullring(t, "sweep", "demo.yaml", "-o", "whole", "--no-plot"); got.status != 0 {
		t.Fatal(got.errors)
	}
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=400k"); err != nil {
		t.Skipf("no small disk can be made here: %v", err)
	}
	defer syscall.Unmount(disk, 0)
	dir := filepath.Join(disk, "out")
	got := bullring(t, "sweep", "demo.yaml", "-o", dir, "--no-plot")
	if got.status != statusFailed || !strings.Contains(got.errors, "no space left on device") || !strings.Contains(got.errors, "the same command goes on from there") {
		t.Errorf("status %d, %s", got.status, got.errors)
	}
	if strings.Contains(got.out, "manifest.json") {
		t.Errorf("it tells of files that it could not write:\n%s", got.out)
	}
	if info, err := os.Stat(filepath.Join(dir, "sweep.journal")); err != nil || info.Size() < 1<<17 {
		t.Errorf("what had run was not kept: %v", err)
	}
	if err := syscall.Mount("tmpfs", disk, "tmpfs", syscall.MS_REMOUNT, "size=80m"); err != nil {
		t.Fatal(err)
	}
	if got = bullring(t, "sweep", "demo.yaml", "-o", dir, "--no-plot"); got.status != 0 || !strings.Contains(got.out, " had run before") {
		t.Errorf("status %d, %s%s", got.status, got.out, got.errors)
	}
	sameFiles(t, outcomeOf(t, dir), outcomeOf(t, "whole"))
}
