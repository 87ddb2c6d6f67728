package sweep

import (
	"fmt"
	"strings"

	"bullring/experiments/results"
	"bullring/experiments/spec"
)

// checkFormulas refuses labels that a spreadsheet takes for formulas, which may do
// anything when somebody opens a table: a label stands there as it is. A folder that has
// such labels is still read.
func (s *Sweep) checkFormulas() error {
	var found spec.Errors
	check := func(at spec.Pos, label string) {
		if text := strings.TrimSpace(label); text != "" && strings.ContainsAny(text[:1], "=+-@") {
			message := fmt.Sprintf("the label %q begins as a formula does, and a spreadsheet that opens the tables would compute it; begin it with a letter", label)
			found = append(found, spec.Error{Pos: at, Message: message, Source: results.SourceLine(s.Spec, s.Text, at)})
		}
	}
	for i := range s.Spec.Entries {
		check(s.Spec.Entries[i].Pos, s.Spec.Entries[i].Label)
	}
	for i := range s.Spec.Figures {
		for _, c := range s.Spec.Figures[i].Curves {
			check(c.Pos, c.Label)
		}
	}
	if len(found) == 0 {
		return nil
	}
	return found
}
