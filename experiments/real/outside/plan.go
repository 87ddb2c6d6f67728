package outside

import (
	"fmt"
	"strings"

	"bullring/faults"
	"bullring/netem"
	"bullring/netem/impair"
	"bullring/protocols"
)

// ParsePlan reads a plan for n processes of any algorithm, and draws its random lines, and shares
// of the links between all processes, from the seed.
func ParsePlan(text string, n int, seed uint64, read func(name string) ([]byte, error)) (faults.Plan, error) {
	plan, err := faults.Parse(text)
	if err != nil {
		return nil, err
	}
	words := faults.Words{
		Kinds:     []string{"ELECTION"}, // some kind, and those that the plan names
		Line:      func(text string) error { _, err := impair.Parse(text, read); return err },
		Forgeable: true,
	}
	for _, f := range plan {
		if f.Message != "" {
			words.Kinds = append(words.Kinds, f.Message)
		}
	}
	if err := plan.Check(n, words); err != nil {
		return nil, err
	}
	if plan, err = plan.DrawLinks(netem.Complete(n), seed); err != nil {
		return nil, err
	}
	return plan.Expand(n, nil, []protocols.ID{0}, seed), nil
}

// Command returns a command of tc that gives an interface the line, with how to undo it and the
// notes as comments. It is "" if tc can say nothing of the line.
func Command(line *impair.Line, mode impair.Mode, device string) (text string, notes impair.Notes) {
	words, notes := line.TC(mode)
	if words == "" {
		return "", notes
	}
	return fmt.Sprintf("tc qdisc add dev %[1]s root netem %[2]s\n# undo: tc qdisc del dev %[1]s root\n", device, words) + comments(notes), notes
}

// comments are notes as comments of a shell script.
func comments(n impair.Notes) string {
	var b strings.Builder
	for _, list := range []struct {
		name  string
		notes []string
	}{{"not exported", n.Missing}, {"rounded", n.Rounded}, {"differs", n.Differs}} {
		for _, note := range list.notes {
			fmt.Fprintf(&b, "# %s: %s\n", list.name, note)
		}
	}
	return b.String()
}
