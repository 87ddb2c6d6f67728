package view

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"bullring/des"
	"bullring/experiments/trial"
	"bullring/netem"
	"bullring/protocols"
	"bullring/protocols/election"
)

// drawn returns the lanes of records, without the heading.
func drawn(n, columns int, plain bool, records ...netem.Record) string {
	ranks := make([]election.Rank, n)
	for p := range ranks {
		ranks[p].ID = election.Identity(p + 1)
	}
	var text strings.Builder
	var news string
	l := NewLanes(&text, &trial.Instance{System: trial.System{N: n, Ranks: election.Listed(ranks)}}, columns, plain, func(protocols.ID) string { return news })
	heading := text.Len()
	for _, r := range records {
		news = ""
		if r.Message == "LONGER(123)" {
			news = "is the leader"
		}
		l.Record(r)
	}
	return text.String()[heading:]
}

func TestLanesOfEveryEvent(t *testing.T) {
	ms := des.Time(time.Millisecond)
	records := []netem.Record{
		{What: "fault", Note: "partition {0 | 1 2}"},
		{What: "start", Who: 0, Choices: []int{4, 2}},
		{What: "boot", Who: 1},
		{At: ms, What: "deliver", From: 0, Who: 1, Message: "A"},
		{At: ms, What: "deliver", From: 2, Who: 0, Message: "B(7)"},
		{At: ms, What: "deliver", From: 1, Who: 1, Message: "SELF"},
		{At: ms, What: "deliver", From: 0, Who: 1, Message: "LONGER(123)"},
		{At: ms, What: "deliver", From: 0, Who: 1, Message: "FITS()"},
		{At: ms, What: "deliver", From: 1, Who: 0, Message: "FITSNOT"},
		{At: ms, What: "lose", From: 1, Who: 2, Message: "C"},
		{At: ms, What: "cut", From: 2, Who: 0, Message: "D"},
		{At: ms, What: "damaged", From: 0, Who: 2, Message: "E"},
		{At: ms, What: "collide", From: 0, Who: 1, Message: "H", Met: &netem.Met{From: 2, At: 1}},
		{At: 2 * ms, What: "crash", Who: 1},
		{At: 2 * ms, What: "lost", From: 0, Who: 1, Message: "F"},
		{At: 2 * ms, What: "deliver", From: 0, Who: 2, Message: "G", Panics: true},
		{At: 100*des.Time(time.Hour) + 1, What: "restart", Who: 1},
		{At: -1, Step: 7, What: "timeout", Who: 1, Timer: 3},
		*netem.ChangeRecord(netem.Change{At: 3 * ms, A: 2, B: 1}),
		{At: 3 * ms, What: "linkdown", From: 2, Who: 1},
	}
	want := `
          0s  |.........|.........|   partition {0 | 1 2}
              ^         |         |   chooses 4 2
              |         ^         |
         1ms  |-A------>o         |
              o<--------+----B(7)-|
              |         o         |   SELF
              |-------->o         |   LONGER(123); is the
              |         |         |   leader
              |-FITS()->o         |
              o<--------|         |   FITSNOT
              |         |-C--x    |   lost by the link
              |         |x------D-|   lost by a fault
              |-E-------+-------->x   lost, damaged
              |-H------>x         |   collided with a message
              |         |         |   of 2 at 1ns
         2ms  |         X         |
              |-F------>x         |   lost, receiver down
              |-G-------+-------->o   PANICS
100h0m0.000000001s
              |         A         |
      step 7  |         #         |   timer 3
         3ms  |         |.........|   down 2-1
              |         o         |   linkdown 2
`
	if got := "\n" + drawn(3, 62, true, records...); got != want {
		t.Errorf("drawn:%s\nwant:%s", got, want)
	}
}

// Whatever the texts are: the first and the last lane stand in their columns, and no row is
// wider than the terminal unless a word is.
func TestLanesStayInTheirColumns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "n")
		columns := rapid.IntRange(LanesColumns(n), 160).Draw(t, "columns")
		process := rapid.Int32Range(0, int32(n-1))
		record := netem.Record{
			What: rapid.SampledFrom([]string{"deliver", "lost", "lose", "cut", "damaged"}).Draw(t, "what"),
			From: protocols.ID(process.Draw(t, "from")), Who: protocols.ID(process.Draw(t, "to")),
			Message: rapid.StringOfN(rapid.SampledFrom([]rune("ab 界字é́́\n\t☃🦉→")), 0, 30, -1).Draw(t, "message"),
		}
		text := drawn(n, columns, false, record)
		pitch := min(mostPitch, max(leastPitch, (columns-timeColumn-3-gap-max(leastBeside, columns/3))/max(1, n-1)))
		for line := range strings.Lines(text) {
			letters := row{}
			for _, letter := range strings.TrimSuffix(line, "\n") {
				switch w := width(string(letter)); w {
				case 0:
				default:
					letters = append(append(letters, string(letter)), make([]string, w-1)...)
				}
			}
			for _, p := range []int{0, n - 1} {
				at := timeColumn + 2 + p*pitch
				if !strings.Contains("│├┤●╳┼", letters[at]) || letters[at] == "" {
					t.Fatalf("%d columns, no lane in column %d:\n%s", columns, at, text)
				}
			}
			if words := strings.Fields(line); len(letters) > columns && width(words[len(words)-1]) < leastBeside {
				t.Fatalf("%d columns are too many for %d:\n%s", len(letters), columns, text)
			}
		}
	})
}

func TestLanesOfATerminal(t *testing.T) {
	for _, c := range []struct{ columns, most int }{{80, 10}, {120, 20}} {
		if LanesColumns(c.most) > c.columns || LanesColumns(c.most+1) <= c.columns {
			t.Errorf("%d processes need %d columns; %d columns are for %d", c.most, LanesColumns(c.most), c.columns, c.most)
		}
	}
}

func TestWidthInATerminal(t *testing.T) {
	for text, want := range map[string]int{"": 0, "ELECTION(3)": 11, "é": 1, "e\u0301": 1, "界": 2, "字é": 3, "ｗ": 2, "🦉": 2, "→": 1} {
		if got := width(text); got != want {
			t.Errorf("%q takes %d columns; want %d", text, got, want)
		}
	}
}
