package trial_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"bullring/experiments/trial"
	"bullring/netem"
	"bullring/protocols"
)

// at returns a record with messages that process who sends to 1, numbered from first.
func at(what string, who protocols.ID, first uint64, sends ...string) *netem.Record {
	r := &netem.Record{What: what, Who: who}
	for i, text := range sends {
		r.Sent = append(r.Sent, netem.Sent{To: 1, Message: text, Number: first + uint64(i)})
	}
	return r
}

// comes returns a record of a message from process 0 to process 1.
func comes(what, text string, number uint64) *netem.Record {
	return &netem.Record{What: what, Who: 1, From: 0, Message: text, Number: number}
}

// link returns a record of the link between 0 and 1, which goes down.
func link(what string, who protocols.ID) *netem.Record {
	return &netem.Record{What: what, Who: who, From: 1, Note: "down 0-1"}
}

func TestScheduleOf(t *testing.T) {
	amid := at("crash", 0, 0)
	amid.Amid = true
	reads := at("timeout", 2, 0)
	reads.Timer, reads.Reads = -3, []time.Duration{time.Millisecond, 2 * time.Millisecond}
	asks := at("boot", 2, 0)
	asks.Suspected, asks.Choices = []netem.Suspicion{{Who: 1, Yes: true}, {Who: 3, Yes: true}}, []int{4}
	told := at("boot", 2, 0)
	told.Suspected = []netem.Suspicion{{Who: 1}, {Who: 3, Yes: true}}

	shouts := at("start", 0, 1, "A", "A")
	shouts.Left = 1

	for name, c := range map[string]struct {
		records []*netem.Record
		want    string
	}{
		"clocks":            {[]*netem.Record{reads}, "timers free, clocks; timeout 2 timer -3, reads 1ms 2ms"},
		"a mistaken answer": {[]*netem.Record{asks}, "timers free, clocks; boot 2, choose 4, suspects 1:yes 3:yes"},
		"the right answers": {[]*netem.Record{told}, "timers free; boot 2"}, // process 3 is dead from the start
		"dead from the start": {[]*netem.Record{at("crash", 3, 0), at("start", 0, 0), at("crash", 2, 0)},
			"timers free; start 0; crash 2"},
		"a crash in the middle, and what was lost of its messages": {
			[]*netem.Record{at("start", 0, 1, "A", "B"), comes("lose", "B", 2), amid, comes("deliver", "A", 1)},
			"timers free; start 0, crash after 2 sends; lose 0->1 B; deliver 0->1 A"},
		"copies": {[]*netem.Record{at("start", 0, 1, "A"), comes("deliver", "A", 1), comes("deliver", "A", 1), comes("lose", "A", 1)},
			"timers free; start 0; duplicate 0->1 A; deliver 0->1 A; deliver 0->1 A"},
		"the later of two equal messages is lost": {
			[]*netem.Record{at("start", 0, 1, "A", "B", "A"), comes("lose", "A", 3), comes("deliver", "A", 1), at("start", 2, 0), comes("deliver", "B", 2)},
			"timers free; start 0; deliver 0->1 A; lose 0->1 A; start 2; deliver 0->1 B"},
		"lost until the end": {[]*netem.Record{at("start", 0, 1, "A", "A"), comes("cut", "A", 2)}, "timers free; start 0; lose 0->1 A"},
		"to a crashed process": {[]*netem.Record{at("start", 0, 1, "A"), at("crash", 1, 0), comes("lost", "A", 1), comes("damaged", "A", 1)},
			"timers free; start 0; crash 1"},
		"a crash after a broadcast": {[]*netem.Record{shouts, amid}, "timers free; start 0, crash after 1 sends"},
		"a link that changes, and what was under way on it": {
			[]*netem.Record{at("start", 0, 1, "A"), link("fault", 0), link("linkdown", 0), comes("cut", "A", 1), at("start", 2, 2, "B"), comes("deliver", "B", 2)},
			"timers free; start 0; down 0-1; linkdown 0-1; start 2; deliver 0->1 B"},
		"to a crashed process that comes back": {[]*netem.Record{at("start", 0, 1, "A"), at("crash", 1, 0), comes("lost", "A", 1), at("restart", 1, 0)},
			"timers free, restarts; start 0; crash 1; deliver 0->1 A; restart 1"},
	} {
		got := trial.ScheduleOf(slices.Values(c.records), 3)
		if lines := strings.Join(got.Lines(), "; "); lines != c.want {
			t.Errorf("%s:\n%s; want\n%s", name, lines, c.want)
		}
	}
}
