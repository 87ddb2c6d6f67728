package export

import (
	"bullring/des"
	"bullring/experiments/show/history"
	"bullring/experiments/trial"
	"bullring/internal/value"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/election"
)

// hostileTexts are texts that mean something in one format or another.
var hostileTexts = []string{
	"plain", "a; b", `say "x"`, "#35;", "#", "a #b; c", "two\nlines", "cr\r\nlf", "\u2028separator", "-->>p1: x", "p1-xp0: y", "end", "note over p0: z",
	"%% comment", "%%{init: {}}%%", "wrap: w", "nowrap:w", "<b>bold</b>", "a<br/>b", "a&amp;b", "&lt;", "$$x^2$$", "`code`", `back\slash`, `\N\G\l`, `ends in \`,
	`{"p0":7}`, "{1 2}", " {p1 3}", "x {y}", "[[list]]", "a|b", "é 界 🦉 é", "tab\there", "zero\x00byte", "\x1b[31mred", "\u202eright to left",
	"]}", "];", "e1 -> e2;", "'single'", "", " ", "0x10", "null", "__proto__", `{"#bigint":"3"}`, "#map",
}

// hostile is a run whose messages, decisions, faults and fields have hostile texts: process 0
// sends each to process 1, where one copy arrives and one is lost. At the end
// process 2 panics.
func hostile() *history.History {
	ranks := election.Listed([]election.Rank{{ID: 3}, {ID: 1}, {ID: 2}})
	in := &trial.Instance{Algorithm: &trial.Algorithm{Name: `hostile "; #`}, System: trial.System{N: 3, Ranks: ranks}}
	h := &history.History{Result: &trial.Result{Instance: in}}
	add := func(e history.Event) int {
		e.Order = len(h.Events) + 1
		e.At = des.Time(len(h.Events))
		h.Events = append(h.Events, e)
		return e.Order
	}
	before := map[protocols.ID]int{}
	step := func(e history.Event, after ...int) int {
		if k := before[e.Who]; k > 0 {
			e.After = append(e.After, k)
		}
		e.After = append(e.After, after...)
		before[e.Who] = add(e)
		return before[e.Who]
	}
	for i, text := range hostileTexts {
		number := uint64(i + 1)
		add(history.Event{Record: netem.Record{What: "fault", Note: text}})
		what := "timeout"
		if i == 0 {
			what = "start"
		}
		sent := step(history.Event{
			Record:  netem.Record{What: what, Who: 0, Timer: 1, Name: text, Sent: []netem.Sent{{To: 1, Message: text, Number: number}}},
			Changed: []value.Field{{Name: text, Value: text}},
		})
		step(history.Event{Record: netem.Record{What: "deliver", Who: 1, From: 0, Message: text, Number: number}, News: text}, sent)
		add(history.Event{Record: netem.Record{What: "lose", Who: 1, From: 0, Message: text, Number: number}, Absent: true, After: []int{sent}})
	}
	step(history.Event{Record: netem.Record{What: "timeout", Who: 2, Panics: true, Sent: []netem.Sent{{To: 1, Message: "unsent"}}}})
	return h
}
