package impair

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"bullring/internal/suggest"
)

// Parse reads a line. The function read reads the files that the line names; if it is nil,
// files are refused. An error names the clause, the word and its column, and what is
// allowed there.
func Parse(text string, read func(name string) ([]byte, error)) (*Line, error) {
	w := &words{list: withoutCommand(split(text)), end: utf8.RuneCountInString(text) + 1, read: read}
	if len(w.list) == 0 {
		return nil, fmt.Errorf("the line is empty; it takes clauses such as delay 20ms 5ms, or a preset: %s", strings.Join(PresetNames(), ", "))
	}
	l := new(Line)
	var err error
	if p := findPreset(w.list[0].text); p != nil {
		if l, err = Parse(p.Line, nil); err != nil {
			return nil, err
		}
		w.list = w.list[1:]
	}
	given := map[string]bool{}
	for len(w.list) > 0 {
		at := w.list[0]
		i := slices.IndexFunc(clauses, func(c clause) bool { return c.name == at.text })
		if i < 0 {
			return nil, w.unknown(at)
		}
		if given[at.text] {
			return nil, fmt.Errorf("%s (column %d) is given twice", at.text, at.column)
		}
		given[at.text] = true
		w.list, w.clause = w.list[1:], &clauses[i]
		if err := w.clause.parse(l, w); err != nil {
			return nil, err
		}
	}
	if l.reorder.given && !l.HasDelay() {
		return nil, errors.New("reorder: without a delay no message can be overtaken; add a delay, as in delay 10ms reorder 25%")
	}
	return l, nil
}

// withoutCommand leaves out the words before the line in a command of tc, such as tc qdisc
// add dev eth0 root netem delay 20ms.
func withoutCommand(list []word) []word {
	command := list
	if len(command) > 0 && command[0].text == "sudo" {
		command = command[1:]
	}
	if len(command) > 0 && command[0].text == "tc" {
		if i := slices.IndexFunc(command, func(at word) bool { return at.text == "netem" }); i >= 0 {
			return command[i+1:]
		}
	}
	return list
}

// clause is a clause of the grammar.
type clause struct {
	name, usage string
	parse       func(l *Line, w *words) error
	print       func(l *Line) string // "" if the line has no such clause
}

// clauses are in the order in which they are printed.
var clauses = []clause{
	{"delay", "delay TIME [JITTER [CORRELATION]] [distribution NAME], delay EXPRESSION or delay trace FILE", parseDelay, printDelay},
	{"loss", "loss [random] P [CORRELATION], loss state P13 [P31 [P32 [P23 [P14]]]], loss gemodel P [R [1-H [1-K]]], loss time GOOD BAD [1-H [1-K]] or loss burst RATE LENGTH", parseLoss, printLoss},
	{"duplicate", "duplicate P [CORRELATION]", parseDuplicate, printDuplicate},
	{"reorder", "reorder P [CORRELATION] [gap DISTANCE]", parseReorder, printReorder},
	{"corrupt", "corrupt P [CORRELATION] [altered]", parseCorrupt, printCorrupt},
	{"rate", "rate RATE [OVERHEAD [CELLSIZE [CELLOVERHEAD]]]", parseRate, printRate},
	{"limit", "limit MESSAGES", parseLimit, printLimit},
	{"slot", "slot MIN [MAX] [packets N] [bytes B] or slot distribution NAME DELAY JITTER [packets N] [bytes B]", parseSlot, printSlot},
}

// ClauseNames are the words that begin a clause.
func ClauseNames() []string {
	names := make([]string, len(clauses))
	for i, c := range clauses {
		names[i] = c.name
	}
	return names
}

// String prints the line as Parse reads it, the clauses in a fixed order.
func (l *Line) String() string {
	var parts []string
	for _, c := range clauses {
		if text := c.print(l); text != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, " ")
}

// misplaced explains words that do not begin a clause.
var misplaced = map[string]string{
	"distribution": "belongs after the times of delay, as in delay 20ms 5ms distribution normal, or of slot",
	"gap":          "belongs after reorder, as in reorder 25% gap 5",
	"altered":      "belongs after corrupt, as in corrupt 1% altered",
	"packets":      "belongs after slot, as in slot 10ms packets 5",
	"bytes":        "belongs after slot, as in slot 10ms bytes 1500",
	"ecn":          "asks for congestion marks, which do not exist here: a message arrives or is lost",
	"seed":         "does not belong to a line: the seed of the run decides everything random",
	"random":       "belongs after loss, as in loss random 5%",
	"gemodel":      "belongs after loss, as in loss gemodel 1% 10%",
	"state":        "belongs after loss, as in loss state 1% 10%",
	"burst":        "belongs after loss, as in loss burst 1% 4",
	"trace":        "belongs after delay, as in delay trace rtt.txt",
}

// unknown returns the error of a word that does not begin a clause.
func (w *words) unknown(at word) error {
	place := fmt.Sprintf("%q (column %d)", at.text, at.column)
	if why, ok := misplaced[at.text]; ok {
		return fmt.Errorf("%s %s", place, why)
	}
	if findPreset(at.text) != nil {
		return fmt.Errorf("%s is a preset, which comes first", place)
	}
	if w.number() && w.clause != nil {
		return fmt.Errorf("%s: %s is one word too many; the clause is %s", w.clause.name, place, w.clause.usage)
	}
	known := ClauseNames()
	allowed := fmt.Sprintf("allowed are %s", strings.Join(known, ", "))
	for name := range misplaced {
		known = append(known, name)
	}
	slices.Sort(known[len(clauses):])
	if w.clause == nil {
		allowed += fmt.Sprintf(", or first a preset: %s", strings.Join(PresetNames(), ", "))
		known = append(known, PresetNames()...)
	}
	return fmt.Errorf("%s does not begin a clause%s; %s", place, suggest.DidYouMean(at.text, known), allowed)
}
