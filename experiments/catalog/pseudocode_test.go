package catalog_test

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"bullring/experiments"
	"bullring/netem"
	"bullring/protocols"
)

// Together the texts are small: they are in the program. A line is short enough for a panel
// beside a picture.
const mostText, mostWidth = 26 << 10, 72

func TestPseudocodeIsShort(t *testing.T) {
	total := 0
	for _, a := range registry.All() {
		if a.Pseudocode == "" {
			t.Errorf("%s has no pseudocode", a.Name)
		}
		for _, line := range strings.Split(a.Pseudocode, "\n") {
			if len(line) > mostWidth || strings.TrimRight(line, " ") != line || strings.Contains(line, "\t") {
				t.Errorf("%s: %q has %d columns, the most are %d, or blanks at its end, or a tab", a.Name, line, len(line), mostWidth)
			}
		}
	}
	files, err := filepath.Glob("pseudocode/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		total += int(info.Size())
	}
	if total == 0 || total > mostText {
		t.Errorf("the texts have %d bytes; at most %d are allowed", total, mostText)
	}
}

// Every kind of message has a block. Of each group of variants all words but one are
// mentioned.
func TestPseudocodeIsComplete(t *testing.T) {
	for _, a := range registry.All() {
		for _, d := range a.Declarations() {
			for _, kind := range d.Kinds {
				if blocksOf(a.Handlers(), "deliver "+kind) != 1 {
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

// Every event that a process handles has one block, and every block is of an event that
// happens.
func TestPseudocodeHasEveryEvent(t *testing.T) {
	var worker experiments.Worker
	for _, a := range registry.All() {
		handled := handledEvents{t: t, name: a.Name, handlers: a.Handlers(), seen: map[string]bool{}}
		for _, s := range settingsWithBlocks(a) {
			in, err := registry.Instance(s)
			if err != nil {
				t.Fatal(err)
			}
			worker.Run(t.Context(), in, func(run *experiments.Traced) netem.Tracer {
				handled.run = run
				return &handled
			})
		}
		for _, h := range handled.handlers {
			for _, on := range h.On {
				if !handled.seen[on] && !slices.Contains(never[a.Name], on) {
					t.Errorf("%s has a block for %q, which did not happen in any run", a.Name, on)
				}
			}
		}
	}
}

// settingsWithBlocks are settings of an algorithm, with and without faults. They are without
// wrappers, which have messages and timers of their own.
func settingsWithBlocks(a *experiments.Algorithm) (all []experiments.Setting) {
	for _, s := range settingsWithTimers(a) {
		if s.Transport != "" {
			continue
		}
		if a.Name == "repelling" {
			s.Param = "tokens=5" // so many that one is refused
		}
		for _, fault := range []string{"", "at 1ms crash 4; at 3ms restart 4", "at 3ms crash 0", "at 40ms crash 3; at 40ms crash 4; at 80ms restart 3"} {
			for _, n := range []int{5, 16} {
				s.Fault, s.N, s.MaxEvents = fault, n, 3_000
				all = append(all, s)
			}
		}
	}
	return all
}

// never are the events that never happen: these messages are sent when a coordinator is
// replaced.
var never = map[string][]string{"sequencer": {"deliver SYNC", "deliver STATE"}}

// handledEvents is a tracer that looks for the block of each event that a process handles.
type handledEvents struct {
	t        *testing.T
	name     string
	handlers []experiments.Handler
	run      *experiments.Traced
	seen     map[string]bool // the events of blocks
}

func (e *handledEvents) Record(r netem.Record) {
	event, least := r.What, 1
	switch r.What {
	case "start":
	case "boot", "restart":
		if !handles(e.run.Process(r.Who), r.What) {
			least = 0
		}
	case "deliver":
		m := r.Message.(protocols.Message)
		event = "deliver " + m.Kinds()[m.Kind()]
	case "timeout":
		event = "timeout " + r.Name
	default:
		return
	}
	for _, h := range e.handlers {
		for _, on := range h.On {
			e.seen[on] = e.seen[on] || fits(on, event)
		}
	}
	if k := blocksOf(e.handlers, event); k > 1 || k < least {
		e.t.Errorf("%s has %d blocks for %q", e.name, k, event)
	}
}

// blocksOf is the number of blocks for an event.
func blocksOf(handlers []experiments.Handler, event string) int {
	k := 0
	for _, h := range handlers {
		if slices.ContainsFunc(h.On, func(on string) bool { return fits(on, event) }) {
			k++
		}
	}
	return k
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
	_, has := typ.MethodByName(map[string]string{"boot": "Boot", "restart": "Recover"}[what])
	return has
}
