package sweeptest

import (
	"os"
	"path/filepath"
	"testing"
)

// Slurm is a folder with programs that stand for those of Slurm. They write down how they
// are called, and files in the folder say how they answer.
type Slurm struct{ dir string }

// FakeSlurm puts the programs into the PATH. They are scripts for a shell.
func FakeSlurm(t *testing.T) Slurm {
	t.Helper()
	s := Slurm{t.TempDir()}
	for name, script := range map[string]string{
		"sbatch": `
if [ -s refuse ] && grep -q -e "$(cat refuse)" "$last"; then echo "sbatch: error: invalid partition specified" >&2; exit 1; fi
if [ -s answer ]; then cat answer; exit; fi
echo x >>jobs
echo "$((100 + $(wc -l <jobs)));cluster"`,
		"squeue":   `cat queue 2>/dev/null`,
		"scontrol": `echo "LaunchParameters = (null)"; echo "MaxArraySize            = 1001"`,
	} {
		text := "#!/bin/sh\nfor last; do :; done\ncd '" + s.dir + "' || exit\necho " + name + ` "$@" >>asked` + "\n" + script + "\n"
		if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", s.dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	return s
}

// Put writes a file: sbatch refuses a script that contains the text of refuse, and prints
// that of answer in place of a number; squeue prints that of queue.
func (s Slurm) Put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// Asked returns how the programs were called since the last time.
func (s Slurm) Asked(t *testing.T) string {
	t.Helper()
	path := filepath.Join(s.dir, "asked")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	return string(text)
}
