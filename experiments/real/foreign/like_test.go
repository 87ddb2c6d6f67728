package foreign

import (
	"testing"

	"bullring/des"
	"bullring/netem"
)

// word is a message of some kind.
type word struct{ kind, content int }

func (w word) Kind() int { return w.kind }

// TestDeed: what is compared of an act is when, who, what it says, and what it sends but for the
// contents; what woke the process is not.
func TestDeed(t *testing.T) {
	event := func(change func(*netem.Record)) string {
		r := netem.Record{
			What: "deliver", At: 7, Who: 2, From: 1, Timer: 3, Message: word{1, 5},
			Sent: []netem.Sent{{To: 3, Message: word{1, 5}}, {To: 4, Message: word{0, 5}}},
		}
		change(&r)
		return deedOf(r, r.Note)
	}
	as := event(func(*netem.Record) {})
	for name, change := range map[string]func(*netem.Record){
		"when":                func(r *netem.Record) { r.At = des.Time(8) },
		"to whom":             func(r *netem.Record) { r.Who = 3 },
		"what it says":        func(r *netem.Record) { r.Note = "is the leader" },
		"to whom it sends":    func(r *netem.Record) { r.Sent[1].To = 0 },
		"the kind it sends":   func(r *netem.Record) { r.Sent[1].Message = word{1, 5} },
		"it sends nothing":    func(r *netem.Record) { r.Sent = nil },
		"it sends less":       func(r *netem.Record) { r.Sent = r.Sent[:1] },
		"the order of sends":  func(r *netem.Record) { r.Sent[0], r.Sent[1] = r.Sent[1], r.Sent[0] },
		"it sends once more":  func(r *netem.Record) { r.Sent = append(r.Sent, r.Sent[1]) },
		"other destinations ": func(r *netem.Record) { r.Sent[0].To, r.Sent[1].To = 4, 3 },
	} {
		if event(change) == as {
			t.Errorf("another act is the same: %s", name)
		}
	}
	for name, change := range map[string]func(*netem.Record){
		"arrives":      func(r *netem.Record) { r.Message = word{1, 6} },
		"is sent":      func(r *netem.Record) { r.Sent[0].Message = word{1, 6} },
		"what happens": func(r *netem.Record) { r.What = "duplicate" },
		"from whom":    func(r *netem.Record) { r.From = 0 },
		"the timer":    func(r *netem.Record) { r.Timer = 4 },
	} {
		if event(change) != as {
			t.Errorf("another act, though only this differs: %s", name)
		}
	}
}
