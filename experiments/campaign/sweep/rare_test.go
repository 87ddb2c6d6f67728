package sweep_test

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"bullring/experiments/campaign/rare"
	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/sweep"
	"bullring/experiments/campaign/verify"
	"bullring/experiments/catalog"
	"bullring/experiments/internal/sweeptest"
	"bullring/experiments/trial"
)

// rounds is a sweep over the rounds of Itai and Rodeh, whose law is known: 2k draws have the probability 2^(1-k).
const rounds = `name: rounds
replicates: 2
rare: {level: draws, until: %s, effort: 60, repetitions: %d}
algorithms: [{algorithm: itairodeh, n: 2}]
`

func roundsOf(until string, repetitions int) string { return fmt.Sprintf(rounds, until, repetitions) }

func number(t *testing.T, row map[string]string, column string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(row[column], 64)
	if err != nil {
		t.Fatalf("%s: %v", column, err)
	}
	return v
}

// A row says what the command rare says of its setting and its seed, and most intervals have the truth.
func TestRareRows(t *testing.T) {
	for _, method := range rare.Methods {
		t.Run(method, func(t *testing.T) { rareRows(t, rare.Method(method)) })
	}
}

func rareRows(t *testing.T, method rare.Method) {
	s := inCatalog(t, "", strings.Replace(roundsOf("[2, 12, 22]", 10), "effort:", fmt.Sprintf("method: %s, effort:", method), 1))
	sweeptest.Run(t, s)
	within, all := 0, 0
	for _, row := range sweeptest.Rows(t, sweeptest.Read(t, s, results.ResultsFile)) {
		draws := number(t, row, "reach")
		seed, err := strconv.ParseUint(row["seed"], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		q := rare.Question{
			Registry: catalog.New(), Setting: trial.Setting{Algorithm: "itairodeh", N: 2, Seed: seed},
			Level: trial.LevelDraws, Reach: int64(draws), Method: method, Effort: 60, Repetitions: 10, Workers: 3,
		}
		r, err := q.Ask(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got, want := number(t, row, "probability"), r.Summary().Mean; got != want {
			t.Errorf("draws %v: probability %v; rare says %v", draws, got, want)
		}
		if found := r.Example.Instance.Setting; row["rare_seed"] != strconv.FormatUint(found.Seed, 10) || row["rare_forks"] != found.Forks {
			t.Errorf("draws %v: the run is %s with %q; rare has %d with %q", draws, row["rare_seed"], row["rare_forks"], found.Seed, found.Forks)
		}
		if runs, events := number(t, row, "rare_runs"), number(t, row, "rare_events"); runs != float64(r.Cost.Runs) || events != float64(r.Cost.Events) {
			t.Errorf("draws %v: %v runs and %v events; rare took %d and %d", draws, runs, events, r.Cost.Runs, r.Cost.Events)
		}
		truth := math.Exp2(1 - draws/2)
		if all++; number(t, row, "probability_low") <= truth && truth <= number(t, row, "probability_high") {
			within++
		}
	}
	if all != 6 || within < 5 {
		t.Errorf("%d of %d intervals have the truth", within, all)
	}
}

// The tables are the same for any number of workers, in shards, and stopped after each trial; and all rows
// verify.
func TestRareResumes(t *testing.T) {
	text := roundsOf("[4, 8, 14]", 3)
	whole := inCatalog(t, "", text)
	whole.Workers = 1
	sweeptest.Run(t, whole)
	want := contents(t, whole.Dir)

	stopped := inCatalog(t, "", text)
	stops := 0
	for done := 1; ; done++ {
		stopped.Workers = 1 + stops%3
		err := stopAfter(t, stopped, done)
		if err == nil {
			break
		}
		if _, ok := errors.AsType[*sweep.StoppedError](err); !ok {
			t.Fatal(err)
		}
		tearJournal(t, filepath.Join(stopped.Dir, sweep.JournalFile)) // as a kill does
		if stops++; stops == 4 {
			sweeptest.Run(t, stopped)
			break
		}
	}
	if got := contents(t, stopped.Dir); !maps.Equal(got, want) || stops == 0 {
		t.Errorf("after %d stops the tables are others", stops)
	}

	v := &verify.Verifier{Registry: catalog.New(), Path: stopped.Dir, All: true, Seed: 1, Workers: 2}
	if found, err := v.Run(t.Context()); err != nil || found.Answer() != verify.Same {
		t.Errorf("%v, %v", found, err)
	}
}

// A changed estimate is found, be it so small.
func TestRareTampering(t *testing.T) {
	s := inCatalog(t, "", roundsOf("[8]", 3))
	sweeptest.Run(t, s)
	path := filepath.Join(s.Dir, results.ResultsFile)
	content := string(sweeptest.Read(t, s, results.ResultsFile))
	row := sweeptest.Rows(t, []byte(content))[0]
	for _, column := range []string{"probability", "probability_high", "rare_runs", "rare_seed"} {
		changed := strings.Replace(content, ","+row[column]+",", ","+row[column]+"1,", 1)
		if changed == content {
			t.Fatalf("no %s %q", column, row[column])
		}
		if err := os.WriteFile(path, []byte(changed), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := verify.Replay(t.Context(), s.Registry, s.Dir, 1, nil)
		if e, ok := errors.AsType[*verify.DifferenceError](err); !ok || e.Column != column {
			t.Errorf("%s: %v", column, err)
		}
	}
}

// A sweep with more events keeps the estimates that it has; one with more repetitions keeps none.
func TestRareGrows(t *testing.T) {
	s := inCatalog(t, "", roundsOf("[4]", 3))
	sweeptest.Run(t, s)
	more := inCatalog(t, s.Dir, roundsOf("[4, 8]", 3))
	if g := sweeptest.Run(t, more).Growth; g == nil || g.Kept != 2 || g.Dropped != 0 {
		t.Errorf("%+v", g)
	}
	sameFolder(t, s.Dir, func() string {
		f := inCatalog(t, "", roundsOf("[4, 8]", 3))
		sweeptest.Run(t, f)
		return f.Dir
	}())
	other := inCatalog(t, s.Dir, roundsOf("[4, 8]", 4))
	other.Drop = true
	if g := sweeptest.Run(t, other).Growth; g == nil || g.Kept != 0 || g.Dropped != 4 {
		t.Errorf("%+v", g)
	}
}

// A violated check is an event, too; messages are lost on the way to it.
func TestRareCheck(t *testing.T) {
	s := inCatalog(t, "", `name: checks
outside_model: true
rare: {level: lost, check: E2, effort: 50, repetitions: 4}
algorithms: [{algorithm: lcr, n: 3, link: "loss 20%", transport: "reliable(5ms,2)"}]
`)
	sweeptest.Run(t, s)
	row := sweeptest.Rows(t, sweeptest.Read(t, s, results.ResultsFile))[0]
	if p := number(t, row, "probability"); p <= 0 || p >= 1 || row["reach"] != "" || row["rare_seed"] == "" {
		t.Errorf("%v", row)
	}
}

// What no trial could estimate is refused before the first one, at its place.
func TestRareIsCheckedBefore(t *testing.T) {
	for _, c := range []struct{ rare, axes, want string }{
		{"{level: drawz, until: 4}", "n: 2", `test.yaml:2:7: rare: itairodeh n=2: itairodeh has no level "drawz"; it has time, draws, lost, crashes, messages`},
		{"{level: draws, check: E9}", "n: 2", `test.yaml:2:7: rare: itairodeh n=2: itairodeh has no check "E9"; it has`},
		{"{level: draws, until: 4}", `n: 2, forks: "3:ab"`, `the setting has a schedule or forks`},
	} {
		s := inCatalog(t, "", "name: a\nrare: "+c.rare+"\nalgorithms: itairodeh\naxes: {"+c.axes+"}\n")
		for name, run := range map[string]func() error{
			"run":     func() error { _, err := s.Run(t.Context()); return err },
			"dry run": func() error { _, err := s.Estimate(t.Context(), 0); return err },
		} {
			err := run()
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s of %s: %v", name, c.rare, err)
			}
		}
		if _, err := os.Stat(filepath.Join(s.Dir, results.ResultsFile)); err == nil {
			t.Errorf("%s: there are results", c.rare)
		}
	}
}
