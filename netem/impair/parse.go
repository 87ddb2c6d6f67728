package impair

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"bullring/internal/suggest"
)

// Parse reads a line. The files that it names are read by read; if that is nil,
// files are refused. An error tells the clause, the word and its column, and what
// is allowed there.
func Parse(text string, read func(name string) ([]byte, error)) (*Line, error) {
	w := split(text)
	w.skipCommand()
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
		c := clauses[i]
		if given[c.name] {
			return nil, fmt.Errorf("%s (column %d) stands twice", c.name, at.column)
		}
		given[c.name] = true
		w.list, w.clause = w.list[1:], c.name
		if err := c.parse(l, w, read); err != nil {
			return nil, err
		}
	}
	if l.reorder.given && !l.HasDelay() {
		return nil, errors.New("reorder: without a delay there is nothing to overtake; add a delay, as in delay 10ms reorder 25%")
	}
	return l, nil
}

// skipCommand leaves out what stands before the line in a command for tc, as in tc qdisc
// add dev eth0 root netem delay 20ms.
func (w *words) skipCommand() {
	first := w.list
	if len(first) > 0 && first[0].text == "sudo" {
		first = first[1:]
	}
	if len(first) == 0 || first[0].text != "tc" {
		return
	}
	if i := slices.IndexFunc(first, func(at word) bool { return at.text == "netem" }); i >= 0 {
		w.list = first[i+1:]
	}
}

// clause is a clause of the grammar.
type clause struct {
	name, usage string
	parse       func(l *Line, w *words, read func(string) ([]byte, error)) error
	print       func(l *Line) string // "" if the line has no such clause
}

// clauses are in the order in which they are printed.
var clauses []clause

func init() { // not a composite literal, since the parsers speak of the table
	clauses = []clause{
		{"delay", "delay TIME [JITTER [CORRELATION]] [distribution NAME], delay EXPRESSION or delay trace FILE", parseDelay, printDelay},
		{"loss", "loss [random] P [CORRELATION], loss state P13 [P31 [P32 [P23 [P14]]]], loss gemodel P [R [1-H [1-K]]], loss time GOOD BAD [1-H [1-K]] or loss burst RATE LENGTH", parseLoss, printLoss},
		{"duplicate", "duplicate P [CORRELATION]", parseDuplicate, printDuplicate},
		{"reorder", "reorder P [CORRELATION] [gap DISTANCE]", parseReorder, printReorder},
		{"corrupt", "corrupt P [CORRELATION] [altered]", parseCorrupt, printCorrupt},
		{"rate", "rate RATE [OVERHEAD [CELLSIZE [CELLOVERHEAD]]]", parseRate, printRate},
		{"limit", "limit MESSAGES", parseLimit, printLimit},
		{"slot", "slot MIN [MAX] [packets N] [bytes B] or slot distribution NAME DELAY JITTER [packets N] [bytes B]", parseSlot, printSlot},
	}
}

// ClauseNames are the words that clauses begin with.
func ClauseNames() []string {
	names := make([]string, len(clauses))
	for i, c := range clauses {
		names[i] = c.name
	}
	return names
}

func usage(name string) string {
	i := slices.IndexFunc(clauses, func(c clause) bool { return c.name == name })
	return clauses[i].usage
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

// misplaced says of words that begin no clause where they belong.
var misplaced = map[string]string{
	"distribution": "belongs behind the times of delay, as in delay 20ms 5ms distribution normal, or of slot",
	"gap":          "belongs behind reorder, as in reorder 25% gap 5",
	"altered":      "belongs behind corrupt, as in corrupt 1% altered",
	"packets":      "belongs behind slot, as in slot 10ms packets 5",
	"bytes":        "belongs behind slot, as in slot 10ms bytes 1500",
	"ecn":          "asks for congestion marks, and there are none here: a message arrives or is lost",
	"seed":         "does not belong to a line: all chance comes from the seed of the run",
	"random":       "belongs behind loss, as in loss random 5%",
	"gemodel":      "belongs behind loss, as in loss gemodel 1% 10%",
	"state":        "belongs behind loss, as in loss state 1% 10%",
	"burst":        "belongs behind loss, as in loss burst 1% 4",
	"trace":        "belongs behind delay, as in delay trace rtt.txt",
}

// unknown words the error of a word that begins no clause.
func (w *words) unknown(at word) error {
	place := fmt.Sprintf("%q (column %d)", at.text, at.column)
	if why, ok := misplaced[at.text]; ok {
		return fmt.Errorf("%s %s", place, why)
	}
	if findPreset(at.text) != nil {
		return fmt.Errorf("%s is a preset, which stands first", place)
	}
	if w.number() && w.clause != "" {
		return fmt.Errorf("%s: %s is a word too many; it is written %s", w.clause, place, usage(w.clause))
	}
	names := ClauseNames()
	allowed := fmt.Sprintf("allowed are %s", strings.Join(names, ", "))
	known := names
	for name := range misplaced {
		known = append(known, name)
	}
	slices.Sort(known[len(names):])
	if w.clause == "" {
		allowed += fmt.Sprintf(", or first a preset: %s", strings.Join(PresetNames(), ", "))
		known = append(known, PresetNames()...)
	}
	return fmt.Errorf("%s begins no clause%s; %s", place, suggest.DidYouMean(at.text, known), allowed)
}
