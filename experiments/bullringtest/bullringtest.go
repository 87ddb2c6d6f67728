// Package bullringtest tests an algorithm of one's own in a Go test:
//
//	func TestAllround(t *testing.T) { bullringtest.Run(t, allround(), bullringtest.Options{}) }
//
// It looks for what bullring check, explore and hunt look for, and a failure prints what they print: the
// smallest run that was found, the reason why it fails, and the command that repeats it.
package bullringtest

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"bullring/experiments/cli"
	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
	"bullring/netem/explore"
	"bullring/protocols"
)

// Options say how much is tested. What is 0 has its default.
type Options struct {
	Largest  int    // number of processes whose runs are explored, from 2 on; default 4
	States   uint64 // at which the exploration of a system ends; default 20,000
	Settings uint64 // that are drawn at random; default 1,000
	Seed     uint64 // of these; default 1
}

// Run tests an algorithm, in a subtest each: "conduct", whether its program keeps the rules of a process;
// "explore/...", every run of small systems, for each variant, without faults and with one of those that
// its model allows; "hunt", random settings inside its model. What is larger than Options.States is no
// failure, and is logged.
func Run(t *testing.T, a trial.Algorithm, o Options) {
	s, err := newSubject(a, o.filled())
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range s.tests(t.Context()) {
		t.Run(name, func(t *testing.T) {
			r := test()
			t.Log(r.log)
			if r.failed {
				t.Fail()
			}
		})
	}
}

// filled returns the options with their defaults.
func (o Options) filled() Options {
	return Options{cmp.Or(o.Largest, 4), cmp.Or(o.States, 20_000), cmp.Or(o.Settings, 1_000), cmp.Or(o.Seed, 1)}
}

// subject is an algorithm that is tested.
type subject struct {
	Options
	registry *trial.Registry
	*trial.Algorithm
}

// newSubject returns an algorithm as a registry knows it.
func newSubject(a trial.Algorithm, o Options) (s *subject, err error) {
	defer func() {
		if wrong := recover(); wrong != nil { // a mistake in the declaration
			err = fmt.Errorf("%v", wrong)
		}
	}()
	s = &subject{Options: o, registry: &trial.Registry{}}
	s.registry.Register(a)
	s.Algorithm, err = s.registry.Find(a.Name)
	return s, err
}

// result is that of a test.
type result struct {
	failed bool
	log    string
}

// tests yields the tests by name.
func (s *subject) tests(ctx context.Context) iter.Seq2[string, func() result] {
	return func(yield func(string, func() result) bool) {
		seed := fmt.Sprint(s.Seed)
		if !yield("conduct", func() result { return s.command(ctx, "check", s.Name, "--seed", seed) }) {
			return
		}
		for _, variant := range s.variants() {
			name := strings.Trim("explore/"+variant, "/")
			if !yield(name, func() result { return s.explored(ctx, variant) }) {
				return
			}
		}
		yield("hunt", func() result {
			return s.command(ctx, "hunt", s.Name, "--seed", seed, "--settings", fmt.Sprint(s.Settings), "--failures", "3")
		})
	}
}

// command performs a command of bullring. To be undecided is no failure.
func (s *subject) command(ctx context.Context, args ...string) result {
	var out, errs bytes.Buffer
	status := cli.Run(ctx, s.registry, args, &out, &errs)
	return result{status != 0 && status != cli.Undecided, "bullring " + strings.Join(args, " ") + "\n" + out.String() + errs.String()}
}

// variants are all choices of a word of each group.
func (s *subject) variants() []string {
	variants := []string{""}
	for _, group := range s.Variants {
		var longer []string
		for _, text := range variants {
			for _, word := range group {
				longer = append(longer, strings.Trim(text+","+word, ","))
			}
		}
		variants = longer
	}
	return variants
}

// budgets are the faults of explorations: none, or one.
var budgets = []explore.Budget{{}, {Crashes: 1}, {Crashes: 1, Restarts: 1}, {Losses: 1}, {Duplicates: 1}}

// explored explores a variant with each budget, from two processes on as far as all is looked at. It ends
// with the first failure.
func (s *subject) explored(ctx context.Context, variant string) (r result) {
	for _, b := range budgets {
		for n, further := 2, true; further && n <= s.Largest && !r.failed; n++ {
			further = s.system(variant, n, b).explored(ctx, &r)
		}
	}
	if r.log == "" {
		r.log = "outside of the model\n"
	}
	return r
}

// system is a variant with some processes and faults, to be explored.
type system struct {
	*subject
	setting trial.Setting
	budget  explore.Budget
	args    []string // of the command that explores it
}

// system returns a system with every placement, every vector of inputs and every set of initiators, where the
// algorithm has a choice.
func (s *subject) system(variant string, n int, b explore.Budget) system {
	y := system{s, trial.Setting{Algorithm: s.Name, Variant: variant, N: n}, b, []string{"explore", s.Name, "--n", fmt.Sprint(n)}}
	y.with("variant", variant)
	if !s.Assumes.Anonymous {
		y.setting.Placement = search.Every
		y.with("placement", search.Every)
	}
	if !s.Assumes.AllInitiate && !s.Assumes.OneInitiates {
		y.setting.Initiators = search.Every
		y.with("initiators", search.Every)
	}
	if s.Inputs != nil {
		y.setting.Inputs = search.Every
		y.with("inputs", search.Every)
	}
	y.withCount("crash", b.Crashes)
	y.withCount("restart", b.Restarts)
	y.withCount("loss", b.Losses)
	y.withCount("duplicate", b.Duplicates)
	y.with("max-states", fmt.Sprint(s.States))
	return y
}

// with adds a flag, unless its value is empty.
func (y *system) with(flag, value string) {
	if value != "" {
		y.args = append(y.args, "--"+flag, value)
	}
}

// withCount adds a flag, unless its value is 0.
func (y *system) withCount(flag string, value int) {
	if value != 0 {
		y.with(flag, fmt.Sprint(value))
	}
}

// explored explores a system, and adds what comes of it to r. It reports whether larger ones are worth
// a look. Of what is outside of the model it says nothing.
func (y system) explored(ctx context.Context, r *result) (further bool) {
	plain := y.setting
	plain.Placement, plain.Initiators, plain.Inputs, plain.OutsideModel = "", "", "", true
	if _, err := y.registry.Instance(plain); err != nil { // no hypercube has three processes
		r.log += fmt.Sprintf("n %d: %v\n", y.setting.N, err)
		return true
	}
	e, err := search.Explore(ctx, y.registry, search.Search{
		Setting: y.setting, Budget: y.budget, Options: explore.Options{MaxStates: y.States, Reduce: true},
	})
	switch what := strings.Join(y.args, " "); {
	case err == nil && len(e.Outside) > 0:
		return false
	case err != nil || slices.ContainsFunc(e.Properties, violated):
		found := y.command(ctx, y.args...)
		r.failed, r.log = true, r.log+found.log
		return false
	case e.Complete:
		r.log += fmt.Sprintf("%s: holds, %d states\n", what, e.States)
		return true
	default:
		r.log += fmt.Sprintf("%s: not decided, %v\n", what, e.Stopped)
		return false
	}
}

func violated(p explore.Judged) bool { return p.Verdict == protocols.Violated }
