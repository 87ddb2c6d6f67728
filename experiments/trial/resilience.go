package trial

import (
	"fmt"
	"slices"
	"strconv"

	"bullring/experiments/trial/setting"
)

// Resilience is the assumption of an algorithm that knows how many processes may fail, f.
type Resilience struct {
	Words string          // what n and f satisfy, such as n > 3f
	Most  func(n int) int // the largest such f
	// Limit, if not nil, returns why the processes have no room for so many, inside the model or not.
	Limit func(n, f int) error
}

// readResilience reads how many processes the algorithm lets fail.
func readResilience(in *Instance, s *Setting) error {
	if in.Algorithm.Assumes.Resilience == nil {
		if s.F != "" {
			return fmt.Errorf("f %q: %s does not count the processes that fail", s.F, in.Algorithm.Name)
		}
		return nil
	}
	if s.F == "" {
		s.F = setting.Find("f").Default
		if in.Algorithm.Assumes.Resilience.Most(in.N) < 1 {
			s.F = "0"
		}
	}
	f, err := countF(s.F)
	in.F = f
	if limit := in.Algorithm.Assumes.Resilience.Limit; err == nil && limit != nil {
		err = limit(in.N, f)
	}
	return err
}

// countF reads a value of f.
func countF(text string) (int, error) {
	f, err := strconv.Atoi(text)
	if err != nil || f < 0 || f > MaxN {
		return 0, fmt.Errorf("f %q: it is the number of processes that may fail, from 0 to %d", text, MaxN)
	}
	return f, nil
}

// unresilient names what the resilience of the algorithm rules out in a run.
func unresilient(in *Instance) (broken []string) {
	r := in.Algorithm.Assumes.Resilience
	if r == nil {
		return nil
	}
	if in.F > r.Most(in.N) {
		broken = append(broken, fmt.Sprintf("n is %d and f is %d, and not %s", in.N, in.F, r.Words))
	}
	if what := fail(in, 0); what != "" {
		broken = append(broken, what)
	}
	return broken
}

// fail says that more processes can fail than the algorithm lets: those that are dead or Byzantine,
// those that the plan crashes, and so many others; or returns "".
func fail(in *Instance, others int) string {
	liars := in.LyingProcesses()
	failing := len(in.Dead) + len(liars) + in.Drawn.Crashing(slices.Concat(in.Dead, liars)) + others
	if in.Algorithm.Assumes.Resilience == nil || failing <= in.F {
		return ""
	}
	return fmt.Sprintf("up to %d processes fail, and f is %d", failing, in.F)
}
