package search_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"bullring/experiments/catalog"
	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
	"bullring/netem/explore"
)

// A search on disk says of each algorithm what one in memory says: of two processes or three, with and without a
// crash, stopped half-way and gone on with by the same command.
func TestOnDiskSaysTheSame(t *testing.T) {
	registry, compared, violated := catalog.New(), 0, 0
	sizes, least := []int{2, 3}, 150
	if testing.Short() {
		sizes, least = sizes[:1], 50
	}
	for _, a := range registry.All() {
		for _, n := range sizes {
			for _, crashes := range []int{0, 1} {
				s := search.Search{
					Setting: trial.Setting{Algorithm: a.Name, N: n}, Budget: explore.Budget{Crashes: crashes}, Limits: explore.Limits{Timeouts: 2},
					Full: true, Options: explore.Options{Safety: true, MaxStates: 3000},
				}
				memory, err := search.Explore(t.Context(), registry, s)
				if err != nil || memory.Stopped != nil {
					continue
				}
				name := fmt.Sprintf("%s, n = %d, up to %d crashes", a.Name, n, crashes)
				s.Folder = filepath.Join(t.TempDir(), "states")
				s.Options.MaxStates = max(memory.States/2, 1)
				if _, err := search.Explore(t.Context(), registry, s); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				s.Options.MaxStates = 0
				disk, err := search.Explore(t.Context(), registry, s)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if got, want := saysOf(disk), saysOf(memory); got != want {
					t.Errorf("%s:\n%s\nin memory:\n%s", name, got, want)
				}
				compared++
				if memory.Counterexample != nil {
					violated++
				}
			}
		}
	}
	t.Logf("%d searches, %d of them with a counterexample", compared, violated)
	if compared < least || violated < least/10 {
		t.Errorf("%d searches, %d of them with a counterexample; there is little to compare", compared, violated)
	}
}

// saysOf prints what a search found, for comparison.
func saysOf(e *search.Exploration) string {
	text := fmt.Sprintln(e.States, e.Transitions, e.Depth, e.Rests, e.Cut, e.Complete, e.Endless, e.Stopped)
	for _, p := range e.Properties {
		text += fmt.Sprintln(p.Name, p.Verdict, p.Excused)
	}
	if e.Counterexample != nil {
		text += fmt.Sprintln(e.Counterexample.Root, e.Counterexample.Steps)
	}
	return text
}
