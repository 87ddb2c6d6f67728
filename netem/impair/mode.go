package impair

import (
	"fmt"
	"slices"

	"bullring/internal/suggest"
)

// Mode is the way in which a line is understood.
type Mode uint8

const (
	// Exact: a probability is the share of messages that it hits, a jitter is a standard
	// deviation, and a correlation is that of the delays, or fates, of successive messages.
	Exact Mode = iota
	// Compat: as Linux computes it, with the side effects of that.
	Compat
)

// Modes are the names of the modes, the default first.
var Modes = []string{"exact", "compat"}

// String names the mode.
func (m Mode) String() string { return Modes[m] }

// ParseMode reads the name of a mode.
func ParseMode(text string) (Mode, error) {
	if i := slices.Index(Modes, text); i >= 0 {
		return Mode(i), nil
	}
	return Exact, fmt.Errorf("unknown mode %q%s; allowed are exact and compat", text, suggest.DidYouMean(text, Modes))
}
