package explore

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"bullring/netem"
	"bullring/protocols"
)

// A step is read as it was printed, and its parts may stand in any order.
func TestStepsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		who := rapid.Map(rapid.IntRange(0, 1<<24), func(k int) protocols.ID { return protocols.ID(k) })
		s := Step{What: StepKind(rapid.IntRange(0, len(stepNames)-1).Draw(t, "what")), Sends: -1}
		switch s.What {
		case Tick:
		case Up, Down, LinkUp, LinkDown:
			s.From = who.Filter(func(p protocols.ID) bool { return p > 0 }).Draw(t, "other")
		case Deliver, Lose, Duplicate:
			s.From, s.Message = who.Draw(t, "from"), rapid.StringMatching(`[A-Z]+\([0-9]+(, [0-9]+)*\)`).Draw(t, "message")
		case Timeout:
			s.Timer = protocols.Timer(rapid.IntRange(-1<<31, 1<<31-1).Draw(t, "timer"))
		}
		if s.What != Tick {
			s.Who = who.Draw(t, "who")
		}
		if linked := s.What >= Up; linked && s.Who == s.From {
			s.Who = 0
		}
		if s.What.handled() {
			suspicion := rapid.Custom(func(t *rapid.T) netem.Suspicion {
				return netem.Suspicion{Who: who.Draw(t, "suspect"), Yes: rapid.Bool().Draw(t, "yes")}
			})
			s.Choices = someOf(t, "choices", rapid.IntRange(0, 1<<30))
			s.Reads = someOf(t, "reads", rapid.Map(rapid.Int64(), func(k int64) time.Duration { return time.Duration(k) }))
			s.Suspected = someOf(t, "suspected", suspicion)
			s.Sends = rapid.IntRange(-1, 100).Draw(t, "sends")
		}
		line := s.String()
		words := []string{", choose ", ", reads ", ", suspects ", ", crash after "}
		cut := len(line)
		for _, w := range words {
			if i := strings.Index(line, w); i >= 0 {
				cut = min(cut, i)
			}
		}
		parts := strings.Split(line[cut:], ", ")
		if len(parts) > 1 {
			line = line[:cut] + ", " + strings.Join(rapid.Permutation(parts[1:]).Draw(t, "order"), ", ")
		}
		if read, err := ParseStep(line); err != nil || !reflect.DeepEqual(read, s) {
			t.Fatalf("%q is read as %+v, %v", line, read, err)
		}
	})
}

// someOf draws a list. An empty one is nil, as in a step.
func someOf[T any](t *rapid.T, label string, of *rapid.Generator[T]) []T {
	if all := rapid.SliceOfN(of, 0, 4).Draw(t, label); len(all) > 0 {
		return all
	}
	return nil
}
