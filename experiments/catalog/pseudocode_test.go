package catalog_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"bullring/experiments/trial"
	"bullring/netem"
	"bullring/protocols"
)

// A text is short enough for a page of a paper, and a line for a panel beside a picture.
const mostLines, mostWidth = 50, 72

func TestPseudocodeIsShort(t *testing.T) {
	for _, a := range registry.All() {
		if a.Pseudocode == "" {
			t.Errorf("%s has no pseudocode", a.Name)
		}
		lines := strings.Split(strings.TrimRight(a.Pseudocode, "\n"), "\n")
		if len(lines) > mostLines {
			t.Errorf("the pseudocode of %s has %d lines; at most %d are allowed", a.Name, len(lines), mostLines)
		}
		for _, line := range lines {
			if len(line) > mostWidth || strings.TrimRight(line, " ") != line || strings.Contains(line, "\t") {
				t.Errorf("%s: %q has %d columns, the most are %d, or blanks at its end, or a tab", a.Name, line, len(line), mostWidth)
			}
		}
	}
}

// Every kind of message has a block. Of each group of variants all words but one are
// mentioned.
func TestPseudocodeIsComplete(t *testing.T) {
	for _, a := range registry.All() {
		for _, d := range a.Declarations() {
			for _, kind := range d.Kinds {
				if len(blocksOf(a.Handlers(), "deliver "+kind)) != 1 {
					t.Errorf("%s has no block for %s", a.Name, kind)
				}
			}
		}
		for _, group := range a.Variants {
			said := slices.DeleteFunc(slices.Clone(group), func(word string) bool { return !strings.Contains(a.Pseudocode, word+":") })
			if len(said) < len(group)-1 && !slices.Contains(group, "max") {
				t.Errorf("%s: of the variants %q the pseudocode has only %q", a.Name, group, said)
			}
		}
	}
}

// Every event that a process handles has one block, which names the messages that the process
// sends. Every block is of an event that happens.
func TestPseudocodeIsTrueOfRuns(t *testing.T) {
	var worker trial.Worker
	for _, a := range registry.All() {
		follows := followed{name: a.Name, handlers: a.Handlers(), seen: map[string]bool{}, wrong: map[string]bool{}}
		for _, s := range settingsWithBlocks(a) {
			in, err := registry.Instance(s)
			if err != nil {
				t.Fatal(err)
			}
			worker.Run(t.Context(), in, func(run *trial.Traced) netem.Tracer {
				follows.run = run
				return &follows
			})
		}
		for what := range follows.wrong {
			t.Errorf("%s: %s", a.Name, what)
		}
		for _, h := range follows.handlers {
			for _, on := range h.On {
				if !follows.seen[on] && !slices.Contains(never[a.Name], on) {
					t.Errorf("%s has a block for %q, which did not happen in any run", a.Name, on)
				}
			}
		}
	}
}

// settingsWithBlocks are settings of an algorithm, with and without faults. They are without
// wrappers, which have messages and timers of their own.
func settingsWithBlocks(a *trial.Algorithm) (all []trial.Setting) {
	for _, s := range settingsWithTimers(a) {
		if s.Transport != "" {
			continue
		}
		switch a.Name {
		case "repelling":
			s.Param = "tokens=5" // so many that one is refused
		case "threephase":
			unasked := s
			unasked.N, unasked.Dead, unasked.Fault = 5, "0", ""
			all = append(all, unasked)
		}
		if a.Name == "paxos" {
			s.Param = "least=1,width=1" // so short that some expire
		}
		plans := []string{"", "at 1ms crash 4; at 3ms restart 4", "at 3ms crash 0", "at 2ms crash 4", "at 40ms crash 3; at 40ms crash 4; at 80ms restart 3"}
		if a.Assumes.Moving {
			s.Topology = "line"
			plans = append(plans, "at 20ms down 0<->1; at 60ms up 0<->1", "at 3ms down 2<->3")
		}
		for _, fault := range plans {
			for _, n := range []int{5, 16} {
				s.Fault, s.N, s.MaxEvents = fault, n, 3_000
				if s.Inputs = ""; a.Inputs != nil && n == 16 {
					s.Inputs = trial.RandomInputs
				}
				all = append(all, s)
			}
		}
	}
	return all
}

// never are the events that never happen: these messages are sent when a coordinator is
// replaced.
var never = map[string][]string{"sequencer": {"deliver SYNC", "deliver STATE"}}

// elsewhere are algorithms whose handlers may send what only the block of another event says: a
// message that waited is tried again, one to itself is handled at once, the first one wakes a
// process, or one is of a coordinator that has crashed.
var elsewhere = []string{"ghs", "centralized", "centralized-failover", "sequencer-failover", "peterson"}

// followed is a tracer that looks for the block of each event that a process handles.
type followed struct {
	name     string
	handlers []trial.Handler
	run      *trial.Traced
	seen     map[string]bool // the events of blocks
	wrong    map[string]bool // what is wrong
}

func (f *followed) Record(r netem.Record) {
	event, needed := r.What, true
	switch r.What {
	case "start":
	case "boot", "restart", "linkup", "linkdown":
		needed = handles(f.run.Process(r.Who), r.What)
	case "deliver":
		event = "deliver " + kindOf(r.Message)
	case "timeout":
		event = "timeout " + r.Name
	default:
		return
	}
	blocks := blocksOf(f.handlers, event)
	if len(blocks) > 1 || needed && len(blocks) == 0 {
		f.wrong[fmt.Sprintf("%d blocks for %q", len(blocks), event)] = true
	}
	for _, block := range blocks {
		for _, on := range block.On {
			f.seen[on] = f.seen[on] || fits(on, event)
		}
		for _, sent := range r.Sent {
			if kind := kindOf(sent.Message); !f.says(block, kind, nil) && !slices.Contains(elsewhere, f.name) {
				f.wrong[fmt.Sprintf("a process sends %s on %q, and the block does not say so: %q", kind, event, block.Lines)] = true
			}
		}
	}
}

// says reports whether a block, or one to which it refers, has a word. A block refers to "to take
// the token:" if it has the word take.
func (f *followed) says(block trial.Handler, word string, referring []string) bool {
	text := strings.Join(block.Lines, "\n")
	if strings.Contains(text, word) {
		return true
	}
	return slices.ContainsFunc(f.handlers, func(h trial.Handler) bool {
		title, procedure := strings.CutPrefix(h.Lines[0], "to ")
		verb, _, _ := strings.Cut(strings.TrimSuffix(title, ":"), " ")
		return procedure && !slices.Contains(referring, verb) && strings.Contains(text, verb) && f.says(h, word, append(referring, verb))
	})
}

func kindOf(message any) string {
	m := message.(protocols.Message)
	return m.Kinds()[m.Kind()]
}

// blocksOf are the blocks for an event.
func blocksOf(handlers []trial.Handler, event string) (blocks []trial.Handler) {
	for _, h := range handlers {
		if slices.ContainsFunc(h.On, func(on string) bool { return fits(on, event) }) {
			blocks = append(blocks, h)
		}
	}
	return blocks
}

// fits reports whether a block is of an event. A timer may have a name with more words: those
// of an election inside are "contest run" and the like.
func fits(on, event string) bool {
	return on == event || strings.HasPrefix(on, "timeout ") && strings.HasPrefix(event, on+" ")
}

// handles reports whether a process, or the lock inside a client, has a handler. A client itself
// has all, for the sake of locks that need them.
func handles(process any, what string) bool {
	typ := reflect.TypeOf(process)
	if v := reflect.Indirect(reflect.ValueOf(process)); v.Kind() == reflect.Struct {
		if lock := v.FieldByName("lock"); lock.IsValid() {
			typ = lock.Elem().Type()
		}
	}
	_, has := typ.MethodByName(map[string]string{"boot": "Boot", "restart": "Recover", "linkup": "LinkUp", "linkdown": "LinkDown"}[what])
	return has
}
