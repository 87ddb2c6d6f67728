package search_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bullring/experiments/catalog"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/experiments/trial/search"
	"bullring/faults"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/lcr"
)

// failing are runs that go wrong, by name.
func failing() map[string]trial.Setting {
	return map[string]trial.Setting{
		"every word a process has": {
			Algorithm: "bully", N: 7, IDs: "70,10,50,20,60,30,40", Attr: "random:3", Initiators: "random:2", Dead: "random:1",
			Delay: "uniform(0,2ms)", Link: "loss 1%; 5->6: delay 3ms", Fault: "omit receives of 2\nat 3ms partition {0 1 2 | 3 4 5 6} for 5ms\ncut 4->5 for 1ms",
			Assume: "1ms", Seed: 4,
		},
		"a swarm": {Algorithm: "lcr", N: 10, Placement: "random", Fault: "random swarm of loss, crashes, cuts until 9ms", Seed: 2},
		"shares":  {Algorithm: "bully", N: 6, Fault: "cut 20% of *", Link: "40% of *: delay 9ms", Assume: "1ms", Seed: 3},
		"motion":  {Algorithm: "echo", N: 6, Delay: "1s", Motion: "walk(1000mx1000m, 500m, 20m/s, 20s)", MaxTime: "1m", OutsideModel: true, Seed: 3},
		"links":   {Algorithm: "changroberts", N: 8, Placement: "random", Link: "loss 20%", Delay: "exp(700us)", Seed: 5},
	}
}

func TestShrink(t *testing.T) {
	registry := catalog.New()
	for name, s := range failing() {
		t.Run(name, func(t *testing.T) {
			found, err := search.Shrink(t.Context(), registry, s, "", nil)
			if err != nil {
				t.Fatal(err)
			}
			if !found.Failure.Shows(found.Result) || found.Result.Instance.N > s.N/2 {
				t.Errorf("%d processes are left, and the run shows %q: %v", found.Setting.N, found.Failure, found.Failure.Shows(found.Result))
			}
			again, err := search.Shrink(t.Context(), registry, s, "", nil)
			if err != nil || again.Setting != found.Setting || again.Runs != found.Runs {
				t.Errorf("it is %+v the first time, and %+v, %v the second", found.Setting, again, err)
			}
			minimal(t, registry, found)
			// The run that is kept is the one that the setting says.
			if err := replayed(t, search.NewCase(found.Result, found.Failure, "note")); err != nil {
				t.Error(err)
			}
		})
	}
}

// What a link loses by chance becomes faults: the smallest run says which messages, and
// does not depend on the seed.
func TestShrinkNamesLosses(t *testing.T) {
	registry := catalog.New()
	for _, s := range []trial.Setting{
		{Algorithm: "lcr", N: 12, Placement: "random", Link: "loss 15%", Seed: 2},
		{Algorithm: "changroberts", N: 6, Initiators: "0", Link: "loss burst 20% 3", Seed: 4},
		{Algorithm: "modifiedring", N: 5, Initiators: "0", Link: "delay 1ms 500us loss 30%", Variant: "no-watchdog", Seed: 1},
	} {
		found, err := search.Shrink(t.Context(), registry, s, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(found.Setting.Link, "loss") || !strings.Contains(found.Setting.Fault, "drop ") || found.Setting.Seed != 1 {
			t.Errorf("%s with %s: links %q, faults %q, seed %d", s.Algorithm, s.Link, found.Setting.Link, found.Setting.Fault, found.Setting.Seed)
		}
		minimal(t, registry, found)
	}
}

// minimal checks that shrinking finds nothing more, and that no plan with a fault
// less fails.
func minimal(t *testing.T, registry *trial.Registry, found *search.Shrunk) {
	t.Helper()
	if more, err := search.Shrink(t.Context(), registry, found.Setting, found.Failure, nil); err != nil || more.Setting != found.Setting {
		t.Errorf("%+v is shrunk again to %+v, %v", found.Setting, more, err)
	}
	plan, err := faults.Parse(found.Setting.Fault)
	if err != nil {
		t.Fatal(err)
	}
	for k := range plan {
		s := found.Setting
		s.Fault = append(append(faults.Plan{}, plan[:k]...), plan[k+1:]...).String()
		in, err := registry.Instance(s)
		if err != nil {
			t.Fatal(err)
		}
		if found.Failure.Shows(new(trial.Worker).Run(t.Context(), in, nil)) {
			t.Errorf("without fault %d of %q it fails too", k, found.Setting.Fault)
		}
	}
}

// divided is an election that fails in one way among three processes or more, where
// every process takes itself for the leader, and in another among fewer, where no
// process decides.
type divided struct {
	*lcr.Process
	self election.Decision
}

// Start implements protocols.Process.
func (d *divided) Start(protocols.Node[lcr.Message]) {}

// Decision implements election.Elector.
func (d *divided) Decision() election.Decision { return d.self }

func dividedRegistry() *trial.Registry {
	registry := &trial.Registry{}
	registry.Register(families.Election(trial.Algorithm{
		Name: "divided", Title: "two failures", Assumes: trial.Assumptions{Topologies: []string{"ring"}},
	}, func(*trial.Instance) election.Promise { return election.Promise{} },
		func(in *trial.Instance) func(protocols.ID) election.Process[lcr.Message] {
			return func(p protocols.ID) election.Process[lcr.Message] {
				made := &divided{Process: lcr.New(in.Ranks.At(p), lcr.Config{})}
				if id := in.Ranks.At(p).ID; in.N >= 3 {
					made.self = election.Decide(id, id)
				}
				return made
			}
		}))
	return registry
}

// What is shrunk fails in the same way to the end. A smaller setting that fails in
// another way is not a smaller case of this failure.
func TestShrinkKeepsTheFailure(t *testing.T) {
	registry := dividedRegistry()
	for _, c := range []struct {
		failure   search.Failure
		from, to  int
		otherwise search.Failure // with one process less
	}{
		{"E1", 5, 3, "E2"}, {"", 5, 3, "E2"}, {"E2", 2, 1, ""},
	} {
		found, err := search.Shrink(t.Context(), registry, trial.Setting{Algorithm: "divided", N: c.from}, c.failure, nil)
		if err != nil {
			t.Fatalf("%q: %v", c.failure, err)
		}
		if found.Setting.N != c.to || !found.Failure.Shows(found.Result) {
			t.Errorf("%q: %d processes are left, want %d; it shows %q: %v", c.failure, found.Setting.N, c.to, found.Failure, found.Failure.Shows(found.Result))
		}
		if c.otherwise == "" {
			continue
		}
		in, err := registry.Instance(trial.Setting{Algorithm: "divided", N: c.to - 1})
		if err != nil {
			t.Fatal(err)
		}
		if got := search.FailureOf(new(trial.Worker).Run(t.Context(), in, nil)); got != c.otherwise {
			t.Errorf("%q: with a process less it shows %q, want %q", c.failure, got, c.otherwise)
		}
	}
}

// The smaller system of a counterexample violates the same property.
func TestSmallestKeepsTheProperty(t *testing.T) {
	registry := dividedRegistry()
	for from, c := range map[int]struct {
		property string
		to       int
	}{5: {"E1", 3}, 2: {"E2", 1}} {
		e, err := search.Explore(t.Context(), registry, search.Search{Setting: trial.Setting{Algorithm: "divided", N: from}})
		if err != nil {
			t.Fatal(err)
		}
		least := e.Smallest(t.Context(), registry)
		if name := least.Properties[least.Counterexample.Property].Name; name != c.property || least.Instances[0].N != c.to {
			t.Errorf("from %d processes: %s among %d, want %s among %d", from, name, least.Instances[0].N, c.property, c.to)
		}
	}
}

func TestNothingToShrink(t *testing.T) {
	registry := catalog.New()
	if _, err := search.Shrink(t.Context(), registry, trial.Setting{Algorithm: "lcr", N: 4}, "", nil); !errors.Is(err, search.ErrSound) {
		t.Errorf("of a run that is right: %v", err)
	}
	if _, err := search.Shrink(t.Context(), registry, failing()["links"], "several leaders", nil); !errors.Is(err, search.ErrSound) {
		t.Errorf("of a run that fails otherwise: %v", err)
	}
}

// What was found before the interruption is returned with it.
func TestShrinkIsInterrupted(t *testing.T) {
	for after := range 6 {
		ctx, cancel := context.WithCancelCause(t.Context())
		told := 0
		stop := errors.New("enough")
		found, err := search.Shrink(ctx, catalog.New(), failing()["links"], "", func(search.Shrunk) {
			if told++; told > after {
				cancel(stop)
			}
		})
		if !errors.Is(err, stop) || told != after+1 || found == nil || !found.Failure.Shows(found.Result) {
			t.Fatalf("after %d successes: %+v, %v", told, found, err)
		}
		if err := replayed(t, search.NewCase(found.Result, found.Failure, "")); err != nil {
			t.Error(err)
		}
	}
}

// A run that does not end within the limit of shrinking itself shows nothing: here,
// each that is still alive sends a million heartbeats.
func TestShrinkDoesNotMistakeItsOwnLimit(t *testing.T) {
	found, err := search.Shrink(t.Context(), catalog.New(), trial.Setting{
		Algorithm: "bully", N: 3, Initiators: "0", Detector: "heartbeat(10us,30us)", Until: "5s", Fault: "crash 0\ncrash 1\ncrash 2",
	}, search.Incorrect, nil)
	if err != nil || found.Result.End != netem.Quiescent || found.Setting.Fault == "" {
		t.Errorf("%+v, %v", found, err)
	}
}

// replayed writes a case, reads it and runs it again.
func replayed(t *testing.T, c search.Case) error {
	t.Helper()
	file := filepath.Join(t.TempDir(), "case.json")
	if err := c.Write(file); err != nil {
		t.Fatal(err)
	}
	read, err := search.ReadCase(file)
	if err != nil || read != c {
		t.Fatalf("%+v is read as %+v, %v", c, read, err)
	}
	_, err = read.Replay(t.Context(), catalog.New(), nil)
	return err
}

func TestCasesThatDoNotRepeat(t *testing.T) {
	in, err := catalog.New().Instance(trial.Setting{Algorithm: "lcr", N: 4, Fault: "drop 4th PROBE", OutsideModel: true})
	if err != nil {
		t.Fatal(err)
	}
	good := search.NewCase(new(trial.Worker).Run(t.Context(), in, nil), "E2", "")
	if err := replayed(t, good); err != nil {
		t.Fatal(err)
	}
	for says, change := range map[string]func(*search.Case){
		`the fingerprint was 0123, and is `:                     func(c *search.Case) { c.Fingerprint = "0123" },
		`the outcome was "elected", and is "no leader" now`:     func(c *search.Case) { c.Outcome = "elected" },
		`the run does not fail any more: it showed "E1"`:        func(c *search.Case) { c.Failure = "E1" },
		`there is no failure "E9"; there are E1, E2, incorrect`: func(c *search.Case) { c.Failure = "E9" },
		`the case is of epoch 99, this program's runs of epoch`: func(c *search.Case) { c.Epoch, c.Outcome = 99, "elected" },
		`unknown algorithm "lrc"`:                               func(c *search.Case) { c.Setting.Algorithm = "lrc" },
		`the outcome was "no leader", and is "elected" now`:     func(c *search.Case) { c.Setting.Fault = "" },
		`there is no process 9; addresses are 0..3`:             func(c *search.Case) { c.Setting.Fault = "crash 9" },
	} {
		c := good
		change(&c)
		if err := replayed(t, c); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v; want %q", err, says)
		}
	}
	// Fingerprints of different epochs are not compared.
	other := good
	other.Epoch, other.Fingerprint = 99, "0123"
	if err := replayed(t, other); err != nil {
		t.Errorf("of another epoch: %v", err)
	}
}

func TestFilesThatAreNoCases(t *testing.T) {
	whole, err := json.Marshal(search.Case{Setting: trial.Setting{Algorithm: "lcr", N: 3}})
	if err != nil {
		t.Fatal(err)
	}
	for text, says := range map[string]string{
		"":                           "it is empty",
		"{}":                         "names no algorithm",
		string(whole) + "{}":         "something follows",
		string(whole[:len(whole)-1]): "unexpected EOF",
		`{"setting":{"algorithm":"lcr","colour":1}}`: `unknown field "colour"`,
		`{"setting":{"algorithm":"lcr","n":"3"}}`:    "cannot unmarshal",
	} {
		file := filepath.Join(t.TempDir(), "case.json")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := search.ReadCase(file); err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), file) {
			t.Errorf("%q: %v; want %q", text, err, says)
		}
	}
	if _, err := search.ReadCase("/dev/zero"); err == nil || !strings.Contains(err.Error(), "it takes a regular file") {
		t.Errorf("a file without an end: %v", err)
	}
}

// Drawn inputs are written out, go with their processes, and become the least value where they may.
func TestShrinkInputs(t *testing.T) {
	setting := trial.Setting{Algorithm: "floodset", N: 6, F: "0", Inputs: "one 0", Fault: "crash 0 after 3 sends", OutsideModel: true}
	shrunk, err := search.Shrink(t.Context(), catalog.New(), setting, "agreement", nil)
	if err != nil {
		t.Fatal(err)
	}
	if s := shrunk.Setting; s.N != 3 || strings.Count(s.Inputs, ",") != 2 || s.Inputs == "0,0,0" || shrunk.Result.Verdict("agreement") != protocols.Violated {
		t.Errorf("%+v", s)
	}
}
