package faults

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"bullring/internal/suggest"
	"bullring/protocols"
)

// Words are the names that a plan may use in a run.
type Words struct {
	// Kinds are the kinds of messages of the algorithm.
	Kinds []string
	// Line checks the line of a link. It is nil if the links of the run cannot be
	// changed.
	Line func(text string) error
	// Forgeable: messages have identities that can be forged.
	Forgeable bool
	// Strategies are what Byzantine processes of the algorithm can do.
	Strategies []string
}

// Check reports the first fault that is impossible in a system of n processes with these
// words.
func (p Plan) Check(n int, words Words) error {
	for i := range p {
		if err := p[i].check(n, words); err != nil {
			return fmt.Errorf("fault %q: %w", p[i], err)
		}
	}
	return nil
}

func (f *Fault) check(n int, words Words) error {
	if p := f.highest(); int(p) >= n {
		return fmt.Errorf("there is no process %d; addresses are 0..%d", p, n-1)
	}
	if f.Message != "" && !slices.Contains(words.Kinds, f.Message) {
		return unknownKind(f.Message, words.Kinds)
	}
	if f.When.On == Elections && len(words.Kinds) == 0 {
		return errors.New("the algorithm has no messages that show the beginning of an election")
	}
	switch f.Kind {
	case Link:
		return checkLine(f.Line, words)
	case Lie, Equivocate:
		return checkLies(words)
	case Byzantine:
		return checkStrategy(f.Strategy, words)
	case Never:
		return f.Spared.check(n, words)
	case Fail:
		return f.Renewal.check()
	case RandomCrashes, RandomFailures, RandomPartitions, RandomSwarm:
		return f.Random.check(f.Kind, n, words)
	}
	return nil
}

// highest is the largest address that the fault names.
func (f *Fault) highest() protocols.ID {
	highest := max(f.From, f.To, f.Links.Max())
	if kinds[f.Kind].who {
		highest = max(highest, f.Process)
	}
	for _, g := range f.Groups {
		highest = max(highest, g.Max())
	}
	if f.Random != nil && f.Random.Sparing != nil {
		highest = max(highest, f.Random.Sparing.Max())
	}
	return highest
}

func unknownKind(given string, kinds []string) error {
	if len(kinds) == 0 {
		return fmt.Errorf("there is no kind of messages %q; the algorithm has none", given)
	}
	text := fmt.Sprintf("there is no kind of messages %q; the algorithm has %s", given, listed(kinds))
	if best := suggest.Word(given, kinds); best != "" {
		text += fmt.Sprintf("; did you mean %q?", best)
	}
	return errors.New(text)
}

func checkLine(line string, words Words) error {
	if words.Line == nil {
		return errors.New("the links of this run cannot be changed")
	}
	return words.Line(line)
}

func checkLies(words Words) error {
	if !words.Forgeable {
		return errors.New("the messages of the algorithm have no identities that a process could lie about")
	}
	return nil
}

func checkStrategy(given string, words Words) error {
	switch {
	case len(words.Strategies) == 0:
		return errors.New("the algorithm declares no strategies of Byzantine processes, and a program has none")
	case !slices.Contains(words.Strategies, given):
		return fmt.Errorf("there is no strategy %q; the algorithm has %s%s", given, listed(words.Strategies), suggest.DidYouMean(given, words.Strategies))
	}
	return nil
}

// mostDrawn is about the largest number of faults that one line may stand for.
const mostDrawn = 100_000

func (r *Random) check(k Kind, n int, words Words) error {
	switch k {
	case RandomCrashes:
		if able := r.able(n); r.Number > len(able) {
			return fmt.Errorf("%d processes cannot crash; only %d may", r.Number, len(able))
		}
	case RandomFailures:
		if cycle := r.Up.Mean(); cycle < time.Duration(r.Until)/mostDrawn*time.Duration(n) {
			return fmt.Errorf("a failure every %v in each of %d processes makes more than %d until %v", cycle, n, mostDrawn, r.Until)
		}
	case RandomPartitions:
		if cycle := r.Up.Mean(); cycle < time.Duration(r.Until)/mostDrawn {
			return fmt.Errorf("a partition every %v makes more than %d until %v", cycle, mostDrawn, r.Until)
		}
		if len(possibleShapes(r.Of, n)) == 0 {
			return fmt.Errorf("no partition of such a shape divides %d processes", n)
		}
	case RandomSwarm:
		return r.checkClasses(words)
	}
	return nil
}

func (r *Random) checkClasses(words Words) error {
	if slices.Contains(r.Of, lies) {
		if err := checkLies(words); err != nil {
			return err
		}
	}
	if slices.Contains(r.Of, changedLinks) {
		for _, line := range swarmLines {
			if err := checkLine(line, words); err != nil {
				return err
			}
		}
	}
	return nil
}
