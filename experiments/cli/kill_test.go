//go:build unix

package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"bullring/experiments/campaign/journal"
	"bullring/experiments/catalog"
)

// killed is a sweep of some 600 ms on one processor.
const killed = `name: killed
replicates: 250
algorithms:
  - {algorithm: lcr, placement: random}
  - {algorithm: bully, dead: last, initiators: "random:2"}
  - {algorithm: hirschbergsinclair, placement: random}
axes:
  n: [4, 32, 48]
  delay: [1ms, "uniform(0,2ms)"]
figures: {y: messages, where: {delay: 1ms}}
`

// asProcess starts the command as a process of its own.
func asProcess(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, os.Args[0], args...)
	cmd.Env = append(os.Environ(), asProgram+"=1")
	return cmd
}

// inOneGo runs the sweep without a kill, and tells how long it took.
func inOneGo(t *testing.T) (time.Duration, map[string]string) {
	t.Helper()
	inDir(t, killed)
	start := time.Now()
	if out, err := asProcess(t.Context(), "sweep", "demo.yaml", "-o", "whole").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return time.Since(start), outcomeOf(t, "whole")
}

// sound is the part of a journal that is whole.
func sound(t *testing.T, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		return nil // none yet, or complete
	}
	damage, err := journal.Scan(path, func(int64, []byte) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	if damage.Bytes != damage.Tail {
		t.Fatalf("a kill damaged the journal: %v", damage)
	}
	return content[:int64(len(content))-damage.Tail]
}

// A sweep that is killed at a hundred instants (ten in the short form) by a signal that no
// program can catch writes the same files, and runs no trial twice: the journal keeps its
// trials, and a journal with a trial twice is refused.
func TestKilledAHundredTimes(t *testing.T) {
	enough := 100
	if testing.Short() {
		enough = 10
	}
	whole, want := inOneGo(t)
	chance := rand.New(rand.NewPCG(6, 100))
	kills, sweeps, inVain := 0, 0, 0
	window := int64(whole) / 3
	for kills < enough {
		sweeps++
		dir := filepath.Join(t.TempDir(), "out")
		path := filepath.Join(dir, "sweep.journal")
		var before []byte
		for {
			if !killedWithin(t, time.Duration(chance.Int64N(window)), "demo.yaml", dir) {
				break
			}
			kills++
			after := sound(t, path)
			if after != nil && !bytes.HasPrefix(after, before) {
				t.Fatal("the journal has lost what it held")
			}
			if len(after) == len(before) {
				if inVain++; inVain%20 == 0 {
					window += window / 2 // the machine has more to do than it had
				}
			}
			before = after
		}
		sameFiles(t, outcomeOf(t, dir), want)
	}
	t.Logf("%d kills in %d sweeps; %d of them before anything more was kept", kills, sweeps, inVain)
}

// A sweep that grows in three steps, and is killed at many instants of each, leaves the files
// of a sweep that ran in one go. A version with a journal is left half-way for the next one.
func TestGrowsWhileItIsKilled(t *testing.T) {
	enough := 10
	if testing.Short() {
		enough = 2
	}
	whole, want := inOneGo(t)
	second := strings.Replace(killed, `, "uniform(0,2ms)"`, "", 1)
	first := strings.NewReplacer("replicates: 250", "replicates: 90", "n: [4, 32, 48]", "n: [48, 4]").Replace(second)
	for i, text := range []string{first, second} {
		if err := os.WriteFile(fmt.Sprintf("step%d.yaml", i), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	chance := rand.New(rand.NewPCG(26, 100))
	kills, left, sweeps := 0, 0, 0
	for left < enough {
		sweeps++
		dir, window := filepath.Join(t.TempDir(), "out"), int64(whole)/3
		for step := range 3 {
			file := fmt.Sprintf("step%d.yaml", step)
			if step == 2 {
				file = "demo.yaml"
			}
			for killedWithin(t, time.Duration(chance.Int64N(window)), file, dir) {
				kills++
				window += window / 10 // so that a sweep ends, whatever else the machine has to do
				if len(sound(t, filepath.Join(dir, "sweep.journal"))) > 0 && step < 2 {
					left++
					break // the next version takes what is there
				}
			}
		}
		sameFiles(t, outcomeOf(t, dir), want)
	}
	t.Logf("%d kills in %d sweeps; %d versions were left half-way", kills, sweeps, left)
}

// A merge of two folders that overlap, killed at many instants, leaves the files of a sweep that ran in
// one go when it is given again, and the two folders as they were.
func TestMergeIsKilled(t *testing.T) {
	enough := 30
	if testing.Short() {
		enough = 5
	}
	whole, want := inOneGo(t)
	for name, values := range map[string]string{"small": "[4, 32]", "large": "[32, 48]"} {
		text := strings.Replace(killed, "[4, 32, 48]", values, 1)
		if err := os.WriteFile(name+".yaml", []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if out, err := asProcess(t.Context(), "sweep", name+".yaml", "-o", name).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	small, large := outcomeOf(t, "small"), outcomeOf(t, "large")
	chance := rand.New(rand.NewPCG(26, 4))
	kills, journals := 0, 0
	for kills < enough {
		dir, window := filepath.Join(t.TempDir(), "out"), int64(whole)/2
		for killedAfter(t, time.Duration(chance.Int64N(window)), "merge", "small", "large", "--spec", "demo.yaml", "-o", dir, "--progress", "off") {
			kills++
			window += window / 10 // so that it ends, whatever else the machine has to do
			if len(sound(t, filepath.Join(dir, "sweep.journal"))) > 0 {
				journals++
			}
		}
		sameFiles(t, outcomeOf(t, dir), want)
	}
	sameFiles(t, outcomeOf(t, "small"), small)
	sameFiles(t, outcomeOf(t, "large"), large)
	t.Logf("%d kills, %d of them with a whole journal", kills, journals)
}

// A sweep that keeps a summary, killed at many instants, leaves the files of one that ran in one go.
func TestSummaryIsKilled(t *testing.T) {
	enough := 20
	if testing.Short() {
		enough = 3
	}
	inDir(t, strings.Replace(killed, "figures: {y: messages, where: {delay: 1ms}}", "keep: {rows: [extremes, 1 in 100]}", 1))
	start := time.Now()
	if out, err := asProcess(t.Context(), "sweep", "demo.yaml", "-o", "whole").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	window, want := int64(time.Since(start)), outcomeOf(t, "whole")
	digests := string(read(t, "whole/digests.jsonl"))
	chance := rand.New(rand.NewPCG(26, 8))
	kills, kept := 0, 0
	for kept < enough {
		dir := filepath.Join(t.TempDir(), "out")
		for killedWithin(t, time.Duration(chance.Int64N(window)), "demo.yaml", dir) {
			if kills++; kills%20 == 0 {
				window += window / 10 // the machine has more to do than it had
			}
			if len(sound(t, filepath.Join(dir, "sweep.journal"))) > 0 {
				kept++
			}
		}
		sameFiles(t, outcomeOf(t, dir), want)
		if string(read(t, filepath.Join(dir, "digests.jsonl"))) != digests {
			t.Fatal("the digests differ")
		}
	}
	t.Logf("%d kills, %d of them with a journal", kills, kept)
}

// Killed, and then bits flipped in the tail of the journal or bytes cut from it.
func TestKilledAndDamaged(t *testing.T) {
	enough := 12
	if testing.Short() {
		enough = 2
	}
	whole, want := inOneGo(t)
	chance := rand.New(rand.NewPCG(6, 200))
	for damaged := 0; damaged < enough; {
		dir := filepath.Join(t.TempDir(), "out")
		path := filepath.Join(dir, "sweep.journal")
		cmd := asProcess(t.Context(), "sweep", "demo.yaml", "-o", dir)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(whole/4 + time.Duration(chance.Int64N(int64(whole)/2)))
		cmd.Process.Kill()
		cmd.Wait()
		content, err := os.ReadFile(path)
		if errors.Is(err, os.ErrNotExist) {
			continue // it was quicker
		}
		if err != nil {
			t.Fatal(err)
		}
		tail := max(len(content)/3, 1)
		if damaged%2 == 0 {
			content = content[:len(content)-chance.IntN(tail)-1]
		} else {
			content[len(content)-1-chance.IntN(tail)] ^= 1 << chance.IntN(8)
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
		damaged++
		out, err := asProcess(t.Context(), "sweep", "demo.yaml", "-o", dir).CombinedOutput()
		// Killed when all was written, it does not need its journal any more.
		complete := strings.Contains(string(out), "complete already")
		if err != nil || !complete && !strings.Contains(string(out), "the journal is damaged") {
			t.Fatalf("%v: %s", err, out)
		}
		sameFiles(t, outcomeOf(t, dir), want)
	}
}

// A signal has the trials in hand finished, and the sweep goes on from there.
func TestSweepIsInterrupted(t *testing.T) {
	inDir(t, strings.Replace(killed, "replicates: 250", "replicates: 4000", 1))
	for _, signal := range []os.Signal{syscall.SIGINT, syscall.SIGTERM} {
		dir := signal.String()
		cmd := asProcess(t.Context(), "sweep", "demo.yaml", "-o", dir)
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for path := filepath.Join(dir, "sweep.journal"); ; time.Sleep(5 * time.Millisecond) {
			if info, err := os.Stat(path); err == nil && info.Size() > 1<<16 {
				break
			}
		}
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		err := cmd.Wait()
		if e, ok := errors.AsType[*exec.ExitError](err); !ok || e.ExitCode() != statusInterrupted {
			t.Errorf("%v: %v: %s", signal, err, &out)
		}
		if text := out.String(); !strings.Contains(text, "the trials in hand have 5s to finish") || !strings.Contains(text, "run the same command again to resume") {
			t.Errorf("%v: %s", signal, text)
		}
		if held := sound(t, filepath.Join(dir, "sweep.journal")); len(held) < 1<<16 {
			t.Errorf("%v: the journal holds %d bytes", signal, len(held))
		}
	}
}

// Of processes that write one folder at once, one works and the others say so, figures
// and all.
func TestProcessesAtOnce(t *testing.T) {
	inDir(t, sampleSpec(catalog.New()))
	for _, shard := range []string{"0/2", "1/2"} {
		if got := bullring(t, "sweep", "demo.yaml", "-o", "parts", "--shard", shard); got.status != 0 {
			t.Fatal(got.errors)
		}
	}
	for _, args := range [][]string{{"sweep", "demo.yaml", "--again", "-o", "out"}, {"merge", "parts", "-o", "out"}} {
		var group sync.WaitGroup
		var worked atomic.Int64
		for range 3 {
			group.Go(func() {
				text, err := asProcess(t.Context(), args...).CombinedOutput()
				if err == nil {
					worked.Add(1)
				} else if !strings.Contains(string(text), "out is being written by another bullring: wait until it has finished") {
					t.Errorf("%v: %v: %s", args, err, text)
				}
			})
		}
		group.Wait()
		if worked.Load() == 0 {
			t.Errorf("%v: none worked", args)
		}
		if got := bullring(t, "verify", "out"); got.status != 0 || !strings.HasPrefix(got.out, "identical") {
			t.Errorf("%v: %s%s", args, got.out, got.errors)
		}
	}
}

// Two processes at once, and folders that cannot be written.
func TestSweepRefusals(t *testing.T) {
	inDir(t, killed)
	held, _, err := journal.Open("held.journal", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	if err := os.Mkdir("busy", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename("held.journal", "busy/sweep.journal"); err != nil {
		t.Fatal(err)
	}
	if got := bullring(t, "sweep", "demo.yaml", "-o", "busy"); got.status != statusUsage || !strings.Contains(got.errors, "is being written by another bullring") {
		t.Errorf("two processes: status %d, %s", got.status, got.errors)
	}
	if os.Geteuid() == 0 {
		return // root writes everywhere
	}
	if err := os.Mkdir("closed", 0o555); err != nil {
		t.Fatal(err)
	}
	if got := bullring(t, "sweep", "demo.yaml", "-o", "closed"); got.status != statusUsage || !strings.Contains(got.errors, "permission denied") {
		t.Errorf("a folder that is read-only: status %d, %s", got.status, got.errors)
	}
}

// A search on disk that is killed again and again goes on from its last checkpoint, and prints what one prints that
// was not.
func TestSearchOnDiskIsKilled(t *testing.T) {
	command := words("explore bully --n 4 --crash 1 --safety --disk")
	if !testing.Short() {
		command = words("explore bully --n 4 --crash 1 --grain 2 --safety --disk")
	}
	t.Chdir(t.TempDir())
	begin := time.Now()
	want := bullring(t, append(command, "whole")...)
	while := time.Since(begin)
	if want.status != 0 || !strings.Contains(want.out, "PROVEN") {
		t.Fatal(want.out, want.errors)
	}
	kills, kept := 0, 0
	for part := time.Duration(1); killedAfter(t, while*part/5, append(command, "killed")...); part++ {
		kills++
		if _, err := os.Stat("killed/search.json"); err == nil {
			kept++
		}
	}
	if got := bullring(t, append(command, "killed")...); got.out != want.out {
		t.Errorf("after it had ended:\n%s\nwant\n%s", got.out, want.out)
	}
	t.Logf("%d kills, %d of them with a checkpoint", kills, kept)
	if kills == 0 || kept == 0 && !testing.Short() {
		t.Error("no search was killed, or none had a checkpoint: nothing is shown")
	}
}

// killedWithin runs a sweep into a folder and kills it after a while. It reports whether the kill
// came before the end.
func killedWithin(t *testing.T, while time.Duration, file, dir string) bool {
	t.Helper()
	return killedAfter(t, while, "sweep", file, "-o", dir, "--progress", "off")
}

// killedAfter runs a command and kills it after a while. It reports whether the kill came before
// the end.
func killedAfter(t *testing.T, while time.Duration, args ...string) bool {
	t.Helper()
	cmd := asProcess(t.Context(), args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	killer := time.AfterFunc(while, func() { cmd.Process.Kill() })
	err := cmd.Wait()
	killer.Stop()
	if err == nil {
		return false
	}
	if state, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || !state.Signaled() {
		t.Fatalf("%s: %v: %s", args, err, &out)
	}
	return true
}
