package experiments

import "slices"

// Effect is what a strike changes.
type Effect string

// The effects, from nothing to the worst. Those of a family stand between Slower and
// OtherOutcome.
const (
	Same         Effect = "same"          // the same outcome, at the same time or sooner
	Slower       Effect = "slower"        // the same, later
	OtherOutcome Effect = "other outcome" // the run came out otherwise
	Endless      Effect = "unfinished"    // the run did not come to rest
	Breaks       Effect = "panic"         // a handler panicked
)

// Effects are all effects, from nothing to the worst.
func (r *Registry) Effects() []Effect {
	effects := []Effect{Same, Slower}
	for _, a := range r.Algorithms {
		for _, e := range a.family.Effects {
			if !slices.Contains(effects, e) {
				effects = append(effects, e)
			}
		}
	}
	return append(effects, OtherOutcome, Endless, Breaks)
}
