package foreign

import (
	"testing"

	"bullring/des"
	"bullring/netem"
)

// word is a message of some kind.
type word struct{ kind, content int }

func (w word) Kind() int { return w.kind }

// TestKeys: of an act it is compared when it is, who acts, what it says, and what it sends; of an event also what
// woke the process. The contents of messages are not compared.
func TestKeys(t *testing.T) {
	changed := func(change func(r *netem.Record, says *string)) (key, deed string) {
		r, says := netem.Record{
			What: "deliver", At: 7, Who: 2, From: 1, Timer: 3, Message: word{1, 5},
			Sent: []netem.Sent{{To: 3, Message: word{1, 5}}, {To: 4, Message: word{0, 5}}},
		}, "is a follower"
		change(&r, &says)
		return keyOf(r, says), deedOf(r, says)
	}
	key, deed := changed(func(*netem.Record, *string) {})
	for _, c := range []struct {
		name        string
		event, acts bool // are others
		change      func(r *netem.Record, says *string)
	}{
		{"when", true, true, func(r *netem.Record, _ *string) { r.At = des.Time(8) }},
		{"to whom", true, true, func(r *netem.Record, _ *string) { r.Who = 3 }},
		{"what it says", true, true, func(_ *netem.Record, says *string) { *says = "is the leader" }},
		{"to whom it sends", true, true, func(r *netem.Record, _ *string) { r.Sent[1].To = 0 }},
		{"the kind it sends", true, true, func(r *netem.Record, _ *string) { r.Sent[1].Message = word{1, 5} }},
		{"it sends nothing", true, true, func(r *netem.Record, _ *string) { r.Sent = nil }},
		{"it sends less", true, true, func(r *netem.Record, _ *string) { r.Sent = r.Sent[:1] }},
		{"the order of sends", true, true, func(r *netem.Record, _ *string) { r.Sent[0], r.Sent[1] = r.Sent[1], r.Sent[0] }},
		{"it sends once more", true, true, func(r *netem.Record, _ *string) { r.Sent = append(r.Sent, r.Sent[1]) }},
		{"other destinations", true, true, func(r *netem.Record, _ *string) { r.Sent[0].To, r.Sent[1].To = 4, 3 }},
		{"what happens", true, false, func(r *netem.Record, _ *string) { r.What = "duplicate" }},
		{"from whom", true, false, func(r *netem.Record, _ *string) { r.From = 0 }},
		{"the timer", true, false, func(r *netem.Record, _ *string) { r.Timer = 4 }},
		{"the kind", true, false, func(r *netem.Record, _ *string) { r.Message = word{0, 5} }},
		{"no message", true, false, func(r *netem.Record, _ *string) { r.Message = nil }},
		{"the note", true, false, func(r *netem.Record, _ *string) { r.Note = "partition" }},
		{"the content that arrives", false, false, func(r *netem.Record, _ *string) { r.Message = word{1, 6} }},
		{"the content that is sent", false, false, func(r *netem.Record, _ *string) { r.Sent[0].Message = word{1, 6} }},
	} {
		if k, d := changed(c.change); (k != key) != c.event || (d != deed) != c.acts {
			t.Errorf("%s: another event %v, another act %v; want %v, %v", c.name, k != key, d != deed, c.event, c.acts)
		}
	}
}
