// Package bullringtest tests an algorithm of one's own in a Go test:
//
//	func TestAllround(t *testing.T) { bullringtest.Run(t, allround(), bullringtest.Options{}) }
//
// It looks for what bullring judge looks for, and logs what that prints: what was tried and, of a failure, the
// smallest run that was found, the reason why it fails, and the command that repeats it.
package bullringtest

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"strings"
	"testing"

	"bullring/experiments/campaign/judge"
	"bullring/experiments/cli"
	"bullring/experiments/trial"
	"bullring/experiments/trial/search"
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
	return Options{cmp.Or(o.Largest, 4), cmp.Or(o.States, judge.DefaultStates), cmp.Or(o.Settings, judge.DefaultSettings), cmp.Or(o.Seed, 1)}
}

// subject is an algorithm that is tested.
type subject struct {
	judge.Case
	algorithm *trial.Algorithm
}

// newSubject returns an algorithm as a registry knows it.
func newSubject(a trial.Algorithm, o Options) (s *subject, err error) {
	defer func() {
		if wrong := recover(); wrong != nil { // a mistake in the declaration
			err = fmt.Errorf("%v", wrong)
		}
	}()
	r := &trial.Registry{}
	r.Register(a)
	s = &subject{Case: judge.Case{Registry: r, Setting: trial.Setting{Algorithm: a.Name}, States: o.States, Settings: o.Settings, Seed: o.Seed}}
	for n := 2; n <= o.Largest; n++ {
		s.Sizes = append(s.Sizes, n)
	}
	s.algorithm, err = r.Find(a.Name)
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
		if !yield("conduct", func() result { return s.judged(ctx, judge.Conduct, search.Every) }) {
			return
		}
		for _, variant := range s.algorithm.VariantChoices() {
			name := strings.Trim("explore/"+variant, "/")
			if !yield(name, func() result { return s.judged(ctx, judge.Explore, variant) }) {
				return
			}
		}
		yield("hunt", func() result { return s.judged(ctx, judge.Hunt, search.Every) })
	}
}

// judged goes through one stage. To be inconclusive is no failure.
func (s *subject) judged(ctx context.Context, stage judge.Stage, variant string) result {
	c := s.Case
	c.Stages, c.Setting.Variant = []judge.Stage{stage}, variant
	r, err := c.Run(ctx)
	if err != nil {
		return result{true, err.Error()}
	}
	var log strings.Builder
	if err := cli.WriteVerdict(ctx, &log, c.Registry, r); err != nil {
		return result{true, err.Error()}
	}
	return result{r.Verdict == judge.Refuted, log.String()}
}
