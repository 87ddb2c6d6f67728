package faults_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"bullring/faults"
	"bullring/protocols"
)

func mustParse(t testing.TB, text string) faults.Plan {
	t.Helper()
	plan, err := faults.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// canonical are faults as they print, one of each form.
var canonical = []string{
	"at 5ms crash 3",
	"at 8ms restart 3",
	"at 0s crash 0",
	"crash 0",
	"at 5ms crash 3 for 2ms",
	"at 5ms crash 3 after 2 sends of COORDINATOR",
	"crash 3 after 0 sends",
	"crash 3 after 1 send of ANSWER for 1m0s",
	"at event 17 start 4",
	"when leader crash leader",
	"when 2nd leader crash leader after 3 sends for 5ms",
	"when 11th election pause 2 for 3ms",
	"at 1h0m0.5s resume 2",
	"slow 1 by 2ms",
	"at 10ms partition {0 1 | 2..4} for 5ms",
	"partition {0..2 | 2..4} flapping 1ms 2ms for 20ms",
	"partition {0 1 -> 2 3}",
	"partition {*}",
	"cut 0->1 flapping 1ms 500µs",
	"cut {0 1}<->{2 3} for 2ms",
	"clog *->3 for 2ms",
	"clog {0->1 2->{3 4}}",
	"down 0<->1",
	"at 9ms up {0 1}<->4",
	"at 1ms down 10% of *<->*",
	"at 2ms down {0 1}<->2 for 5ms",
	"when 2nd leader down 0<->1 for 5ms",
	"cut 10% of *<->* flapping 1ms 2ms",
	"at 5ms link 0.5% of {0->* 1->2} delay exp(50ms) for 9ms",
	"at 50ms heal",
	"at 50ms heal everything",
	"at 5ms link 0->1 loss 50%",
	"link * delay 1ms 200us distribution normal for 5ms",
	"at 5ms crash 3 with 1/120 for 1µs",
	"when leader crash leader after 2 sends of COORDINATOR with 50%",
	"fail 3 mttf exp(50ms) mttr uniform(1ms,9ms) until 200ms",
	"at 5ms fail 0 mttf 3ms mttr 1ms until 1s",
	"when leader fail leader mttf weibull(50ms,20ms) mttr 10ms until 200ms",
	"omit sends of 3 with 25%",
	"at 1ms omit receives of 0 for 1ms",
	"drop 2nd ELECTION from 4 to 5",
	"drop 17th message",
	"drop every message from 0 with 0.5%",
	"when leader drop 1st COORDINATOR from leader to 3",
	"delay every ANSWER by 3ms",
	"delay 22nd ANSWER to 2 by 3ms with 1/3 for 9ms",
	"duplicate 1st COORDINATOR",
	"duplicate every message for 12h0m0s",
	"carry 2nd ANSWER from 2 to 1 in 1ms",
	"at 2ms carry every message to 3 in 0s with 1/3 for 9ms",
	"clock 2 offset -5ms",
	"clock 2 step 1ms for 3ms",
	"clock 0 drift 100ppm",
	"clock 0 drift -0.5ppm",
	"at 4ms leave 2 for 3ms",
	"at 4ms join 2",
	"lie 2 as -17",
	"equivocate 2 for 8ms",
	"byzantine 0 3 as two-faced",
	"byzantine 2..4 as silent",
	"never byzantine 1 as random",
	"never crash 3",
	"never at 1ms partition {0 1 | 2..4} for 20ms",
	"never when 2nd leader drop every ELECTION from leader with 5%",
	"random crashes 2 in 0s..20ms",
	"random crashes 2 in 1ms..20ms sparing {3..5}",
	"random failures mttf exp(50ms) mttr exp(10ms) until 200ms",
	"random failures mttf weibull(50ms,20ms) mttr uniform(1ms,2ms) at most 2 down sparing {0 4} until 200ms",
	"random partitions mttf exp(50ms) mttr exp(10ms) lasting 3ms of halves, isolations, one-ways, bridges, rings until 200ms",
	"random swarm until 50ms",
	"random swarm of crashes, restarts, partial-broadcasts at most 1 down sparing {0} until 50ms then heal",
}

func TestCanonicalTextPrintsAsItIs(t *testing.T) {
	text := strings.Join(canonical, "; ")
	plan := mustParse(t, text)
	if plan.String() != text {
		for i, f := range plan {
			if f.String() != canonical[i] {
				t.Errorf("%q prints as %q", canonical[i], f)
			}
		}
	}
	if again := mustParse(t, plan.Text()); !reflect.DeepEqual(again, plan) {
		t.Errorf("one a line, the plan reads as\n%v", again)
	}
}

func TestEveryKindHasACanonicalText(t *testing.T) {
	seen := map[faults.Kind]bool{}
	for _, f := range mustParse(t, strings.Join(canonical, ";")) {
		seen[f.Kind] = true
	}
	for k := faults.Crash; k <= faults.RandomSwarm; k++ {
		if !seen[k] {
			t.Errorf("none for %v", k)
		}
	}
}

func TestParseIsGenerous(t *testing.T) {
	for text, want := range map[string]string{
		"at 5ms crash 3 # the coordinator\n\n at 8ms restart 3;":    "at 5ms crash 3; at 8ms restart 3",
		"drop ELECTION to 5 from 4":                                 "drop every ELECTION from 4 to 5",
		"when 1st leader crash leader":                              "when leader crash leader",
		"partition {  1 0|2 }":                                      "partition {0 1 | 2}",
		"partition {1->0 2}":                                        "partition {1 -> 0 2}",
		"crash 3 after 1 sends of X":                                "crash 3 after 1 send of X",
		"crash 3 after 2 send":                                      "crash 3 after 2 sends",
		"drop message with 0.05":                                    "drop every message with 5%",
		"drop message with 100%":                                    "drop every message",
		"clock 1 drift -0ppm":                                       "clock 1 drift 0ppm",
		"clock 1 drift 1.50ppm":                                     "clock 1 drift 1.5ppm",
		"link   0->1    loss   5%":                                  "link 0->1 loss 5%",
		"random crashes 1 in 0s..0s sparing 3":                      "random crashes 1 in 0s..0s sparing {3}",
		"random swarm sparing 3 of crashes at most 2 down until 1s": "random swarm of crashes at most 2 down sparing {3} until 1s",
		" \n;;# nothing":                                            "",
	} {
		if plan := mustParse(t, text); plan.String() != want {
			t.Errorf("Parse(%q) is %q; want %q", text, plan, want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"at 5 crash 3":                           `line 1, column 4: "5" is not an instant`,
		"at -5ms crash 3":                        `column 4: "-5ms" is not an instant`,
		"at 99h crash 3":                         `column 4: "99h" is later than 12h`,
		"at":                                     `column 3: the end of the fault is not an instant`,
		"at 5ms":                                 `column 7: the end of the fault is no fault; allowed are crash, fail, restart,`,
		"at 5ms explode 3":                       `column 8: "explode" is no fault; allowed are`,
		"at 5ms carsh 3":                         `did you mean "crash"?`,
		"at 5ms crash me":                        `column 14: "me" is not the address`,
		"carry 1st ANSWER":                       `column 17: the end of the fault stands where "in" and a time should, as in "carry`,
		"carry 1st ANSWER in -1ms":               `column 21: "-1ms" is not a duration such as 0s, 5ms`,
		"carry 1st ANSWER in 1ms in 0s":          `column 25: "in" stands there twice`,
		"carry 1st ANSWER by 1ms":                `column 18: "by" stands where "in" and a time should`,
		"drop in":                                `column 6: "in" stands where a kind of messages should`,
		"drop ANSWER in 1ms":                     `column 13: "in" follows the fault "drop every ANSWER"`,
		"at 5ms never crash 3":                   `column 8: "never" stands in front of the whole fault`,
		"never":                                  `column 6: the end of the fault is no fault; allowed are crash,`,
		"never never crash 3":                    `column 7: "never" is not allowed behind "never"`,
		"never random swarm until 1ms":           `column 7: "random" is not allowed behind "never"`,
		"never at 5ms carsh 3":                   `did you mean "crash"?`,
		"never crash 3; at":                      `column 18: the end of the fault is not an instant`,
		"at 5ms crash 3 with":                    `column 20: the end of the fault is not a probability`,
		"crash 3 with 0%":                        `column 14: "0%" is not`,
		"fail 3":                                 `column 7: the end of the fault stands where "mttf" should, as in "fail 3 mttf exp(50ms) mttr exp(10ms) until 200ms"`,
		"fail 3 mttf 0s":                         `column 13: "0s" has the mean 0`,
		"fail 3 mttf 1s mttr 1s":                 `stands where "until" should`,
		"fail 3 mttf 1s mttr 1s until 2s for 1s": `column 33: "for" is not allowed: "fail" has no end`,
		"crash 3 for 1ms with 5%":                `column 17: "with" follows the fault "crash 3 for 1ms"`,
		"restart 3 with 5%":                      `column 11: "with" follows the fault "restart 3"`,
		"never heal for 3ms":                     `column 12: "for" is not allowed: "heal" has no end`,
		"crash -1":                               `column 7: "-1" is not the address`,
		"crash 1e99":                             `"1e99" is not the address`,
		"at 5ms crash 3 4":                       `column 16: "4" follows the fault "at 5ms crash 3"`,
		"crash 3 fro 2ms":                        `column 9: "fro" follows the fault "crash 3"; a semicolon begins another; did you mean "for"?`,
		"crash 3\n  boom 4":                      `line 2, column 3: "boom" is no fault`,
		"heal; crash x":                          `line 1, column 13: "x" is not`,
		"crash 3; ééé":                           `line 1, column 10: "ééé" is no fault`,

		"at event 0 crash 3":                            `column 10: "0" is not a whole number from 1 on`,
		"when leder crash 3":                            `did you mean "leader"?`,
		"when 2st leader crash 3":                       `"2st" is written 2nd`,
		"when 0th leader crash 3":                       `"0th" is not an ordinal`,
		"when 2 leader crash 3":                         `"2" is written 2nd`,
		"crash leader":                                  `column 7: "leader" is not allowed: at the beginning there is none`,
		"restart 3 for 2ms":                             `column 11: "for" is not allowed: "restart" has no end`,
		"crash 3 for 0s":                                `"0s" is not a duration above 0`,
		"crash 3 for 13h":                               `"13h" is longer than 12h`,
		"crash 3 after x sends":                         `"x" is not a whole number from 0 on`,
		"crash 3 after 2 sneds":                         `"sneds" stands where "sends" should, as in "crash 3 after 2 sends"; did you mean "sends"?`,
		"crash 3 after 2 sends of":                      `the end of the fault stands where a kind of messages should`,
		"slow 3 2ms":                                    `"2ms" stands where "by" should`,
		"partition 0 1":                                 `"0" is not a partition`,
		"partition {0 x | 1}":                           `column 14: "x" is not an address`,
		"partition {0 -> 1 -> 2}":                       `has 3 groups`,
		"partition {0 | }":                              `is not an address`,
		"partition {" + strings.Repeat("0|", 64) + "0}": `has 65 groups; a partition has at most 64`,
		"cut":                        `the end of the fault is not an end of a link`,
		"cut 0% of *":                `column 5: "0%" is not a share of links; allowed are percentages above 0% up to 100%`,
		"cut 10% *":                  `column 9: "*" stands where "of" should, as in "cut 10% of *"`,
		"cut 10% of 10% of *":        `column 12: "10%" is a share of a share or in a list`,
		"cut 10% of {0->1 2% of *}":  `column 18: "2%" is a share of a share or in a list`,
		"cut 10% of":                 `the end of the fault is not an end of a link`,
		"cut 0-1":                    `column 6: "-" is not an arrow`,
		"cut {0 1}->{2 x}":           `column 15: "x" is not an address`,
		"cut 0->1 flapping 1ms":      `the end of the fault is not a duration above 0`,
		"link 0->1":                  `the end of the fault stands where the line should`,
		"omit 3":                     `"3" stands where "sends" should`,
		"omit sends 3":               `"3" stands where "of" should`,
		"omit sends of 3 with 0":     `"0" is not a probability above 0`,
		"drop from 3":                `"from" stands where a kind of messages should`,
		"drop A from 3 from 4":       `"from" stands there twice`,
		"drop A with 200%":           `"200%" is not a probability`,
		"drop A by 3ms":              `"by" follows the fault`,
		"delay A":                    `a delay needs "by"`,
		"clock 3 forward 5ms":        `"forward" is no change of a clock; allowed are offset, step and drift`,
		"clock 3 drift 5":            `"5" is not a drift`,
		"clock 3 drift 0.0001ppm":    `"0.0001ppm" is not a drift`,
		"clock 3 drift 500001ppm":    `"500001ppm" is not a drift`,
		"lie 3 as me":                `"me" is not an identity`,
		"at 5ms random swarm":        `column 8: "random" cannot have a trigger`,
		"random chaos":               `"chaos" is no generator; allowed are crashes, failures, partitions and swarm`,
		"random crashes 2 in 3ms":    `"3ms" is not a range of instants`,
		"random crashes 2 in 3s..1s": `"3s..1s" is not a range`,
		"random failures mttf 0s mttr 1ms until 1s":            `"0s" has the mean 0`,
		"random failures mttf exp(x) mttr 1ms until 1s":        `"exp(x)" is not a distribution`,
		"random failures mttf 1ms mttr 1ms":                    `the end of the fault stands where "until" should`,
		"random swarm of crashs until 1s":                      `"crashs" is no class of faults; allowed are`,
		"random swarm of crashes restarts until 1s":            `"restarts" stands where "until" should`,
		"random swarm sparing {0 x} until 1s":                  `column 25: "x" is not an address`,
		"random swarm sparing x until 1s":                      `column 22: "x" is not an address`,
		"random swarm at most 0 down until 1s":                 `"0" is not a whole number from 1`,
		"random partitions mttf 1s mttr 1s of thirds until 1s": `"thirds" is no shape; allowed are halves`,
		"random partitions mttf 1s mttr 1s sparing 0 until 1s": `"sparing" stands where "until" should`,
	} {
		plan, err := faults.Parse(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q) is %v, %v; want %s", text, plan, err, want)
		}
		if e := (*faults.SyntaxError)(nil); err != nil && !errors.As(err, &e) {
			t.Errorf("Parse(%q) fails with a %T", text, err)
		}
	}
}

var words = faults.Words{
	Kinds: []string{"ELECTION", "ANSWER", "COORDINATOR"},
	Line: func(text string) error {
		if text == "bogus" {
			return fmt.Errorf("no line %q", text)
		}
		return nil
	},
	Forgeable: true, Strategies: []string{"silent", "two-faced"},
}

func TestCheck(t *testing.T) {
	bare := faults.Words{}
	for _, c := range []struct {
		text  string
		words faults.Words
		want  string // empty: the plan passes
	}{
		{"crash 3; drop 2nd ELECTION from 2 to 3; cut {0 1}->3; partition {0..2 | 3}; link 0->3 loss 5%; lie 3 as 9", words, ""},
		{"random swarm until 1s; random crashes 3 in 0s..1ms sparing 2; at event 3 heal; when election heal", words, ""},
		{"random swarm of links, lies until 1s", words, ""},
		{"byzantine 0 3 as silent", words, ""},
		{"byzantine 0 4 as silent", words, "no process 4"},
		{"byzantine 0 as silnt", words, `there is no strategy "silnt"; the algorithm has silent and two-faced (did you mean "silent"?)`},
		{"byzantine 0 as silent", bare, "declares no strategies"},
		{"crash 0; crash 4", words, `fault "crash 4": there is no process 4; addresses are 0..3`},
		{"drop every message from 4", words, "no process 4"},
		{"drop every message to 5", words, "no process 5"},
		{"cut 0->{1 7}", words, "no process 7"},
		{"partition {0 | 1..9}", words, "no process 9"},
		{"random swarm sparing 6 until 1s", words, "no process 6"},
		{"drop ELECTOIN", words, `no kind of messages "ELECTOIN"; the algorithm has ELECTION, ANSWER and COORDINATOR; did you mean "ELECTION"?`},
		{"crash 3 after 1 send of X", words, `no kind of messages "X"`},
		{"drop X", bare, "the algorithm has none"},
		{"drop X", faults.Words{Kinds: []string{"TOKEN"}}, "the algorithm has TOKEN"},
		{"when election heal", bare, "no messages that show the beginning"},
		{"link 0->1 bogus", words, `no line "bogus"`},
		{"link 0->1 loss 5%", bare, "cannot be changed"},
		{"lie 0 as 3", bare, "no identities"},
		{"equivocate 0", bare, "no identities"},
		{"random swarm of lies until 1s", bare, "no identities"},
		{"random swarm of links until 1s", bare, "cannot be changed"},
		{"random crashes 4 in 0s..1s sparing 0", words, "4 processes cannot crash; only 3 may"},
		{"random failures mttf 1ns mttr 1ns until 1s", words, "more than 100000 until 1s"},
		{"random partitions mttf 1ns mttr 1ns until 1s", words, "more than 100000 until 1s"},
		{"random partitions mttf 1s mttr 1s of rings until 1s", words, ""},
	} {
		err := mustParse(t, c.text).Check(4, c.words)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("Check of %q: %v; want %q", c.text, err, c.want)
		}
	}
	if err := mustParse(t, "random partitions mttf 1s mttr 1s of rings until 1s").Check(3, words); err == nil {
		t.Error("a ring of majorities divides three processes")
	}
}

func TestSimple(t *testing.T) {
	for text, want := range map[string]bool{
		"":                                  true,
		"at 5ms crash 3; crash 2; start 1":  true,
		"at 5ms crash 3 for 2ms; restart 2": true,
		"at 5ms crash 3 after 2 sends":      false,
		"at 5ms crash leader":               false,
		"at event 3 crash 1":                false,
		"at 5ms down 0<->1 for 2ms; up *":   true,
		"when leader down *":                false,
		"crash 1; pause 2":                  false,
		"crash 1; never pause 2":            true,
		"carry 1st A in 1ms":                false,
		"random crashes 1 in 0s..1s":        false,
	} {
		if got := mustParse(t, text).Simple(); got != want {
			t.Errorf("%q is simple: %v", text, got)
		}
	}
}

func TestEffects(t *testing.T) {
	for text, want := range map[string]faults.Effects{
		"":                                                 {},
		"at 0s crash 1":                                    {DeadFromStart: true, Gone: true},
		"crash 1 for 2ms":                                  {DeadFromStart: true, Restarts: true},
		"at 1ns crash 1":                                   {Crashes: true, Gone: true},
		"at event 1 crash 1":                               {Crashes: true, Gone: true},
		"crash 1 after 2 sends":                            {Crashes: true, Partial: true, Gone: true},
		"crash 1 after 2 sends for 1ms":                    {Crashes: true, Partial: true, Restarts: true},
		"crash 1 after 2 sends; at 1s restart 1":           {Crashes: true, Partial: true, Gone: true, Restarts: true},
		"at 1ms crash 1; at 2ms restart 1":                 {Crashes: true, Restarts: true},
		"at 2ms crash 1; at 1ms restart 1":                 {Crashes: true, Gone: true, Restarts: true},
		"at 1ms crash 1; at 2ms restart 2":                 {Crashes: true, Gone: true, Restarts: true},
		"at 1ms crash 1; at 2ms heal everything":           {Crashes: true, Gone: true},
		"restart 1":                                        {Restarts: true},
		"never at 1ms crash 1 after 2 sends":               {},
		"pause 1; never resume 1":                          {Pauses: true, Stalls: true},
		"carry 2nd A in 0s; carry B in 3ms":                {Carries: true, Carried: 3 * time.Millisecond},
		"start 1":                                          {Starts: true},
		"join 1":                                           {Restarts: true, Starts: true},
		"at 1ms leave 1":                                   {Crashes: true, Gone: true, Loses: true},
		"at 1ms leave 1 for 1ms":                           {Crashes: true, Loses: true, Restarts: true, Starts: true},
		"pause 1; resume 1":                                {Pauses: true},
		"pause 1":                                          {Pauses: true, Stalls: true},
		"pause 1 for 1ms":                                  {Pauses: true},
		"pause 1; resume 0; heal":                          {Pauses: true, Stalls: true},
		"resume 1; pause 1":                                {Pauses: true, Stalls: true},
		"at 2ms pause 1; at 1ms heal everything":           {Pauses: true, Stalls: true},
		"when leader pause leader; at 1ms resume 1":        {Pauses: true, Stalls: true},
		"when leader pause leader; at 1ms heal everything": {Pauses: true},
		"pause 1; when leader resume 1":                    {Pauses: true, Stalls: true},
		"slow 1 by 1ms":                                    {Pauses: true},
		"partition {0 | 1}; heal":                          {Loses: true},
		"cut *":                                            {Loses: true},
		"omit sends of 1":                                  {Loses: true},
		"omit receives of 1":                               {Loses: true},
		"drop message":                                     {Loses: true},
		"clog *":                                           {Delays: true, Loses: true},
		"clog * for 1ms":                                   {Delays: true},
		"down 0<->1":                                       {Moves: true},
		"up 0<->1":                                         {Moves: true},
		"clog *; at 1ms heal":                              {Delays: true},
		"clog *; at 1ms resume 1":                          {Delays: true, Loses: true},
		"delay message by 1ms":                             {Delays: true},
		"duplicate message":                                {Duplicates: true},
		"clock 1 drift 1ppm":                               {Clocks: true},
		"clock 1 step 1ms":                                 {Clocks: true},
		"clock 1 offset 1ms":                               {Clocks: true},
		"link * loss 1%":                                   {Links: true},
		"lie 1 as 2":                                       {Lies: true},
		"equivocate 1":                                     {Lies: true},
		"random crashes 1 in 0s..1s":                       {Crashes: true, Gone: true},
		"random failures mttf 1s mttr 1s until 1s":         {Crashes: true, Restarts: true},
		"fail 1 mttf 1s mttr 1s until 1s":                  {Crashes: true, Restarts: true},
		"random partitions mttf 1s mttr 1s until 1s":       {Loses: true},
		"random swarm of lies, links until 1s":             {Lies: true, Links: true},
		"random swarm of pauses until 1s then heal":        {Pauses: true, Starts: true},
		"random swarm of clogs until 1s":                   {Delays: true, Loses: true},
	} {
		if got := mustParse(t, text).Effects(); got != want {
			t.Errorf("effects of %q: %+v; want %+v", text, got, want)
		}
	}
}

// possible are the canonical faults that five processes with words can have.
func possible() (texts []string) {
	for _, text := range canonical {
		if plan, err := faults.Parse(text); err == nil && plan.Check(5, words) == nil {
			texts = append(texts, text)
		}
	}
	return texts
}

// drawPlan draws a plan of some of these faults and a swarm of everything.
func drawPlan(t *rapid.T, from []string) faults.Plan {
	lines := rapid.SliceOfN(rapid.SampledFrom(from), 0, 4).Draw(t, "lines")
	lines = append(lines, "random swarm of crashes, restarts, partial-broadcasts, leader-crashes, churn, pauses, slowness, partitions, "+
		"cuts, clogs, omissions, loss, delays, duplicates, clocks, links, lies until 20ms")
	plan, err := faults.Parse(strings.Join(lines, "\n"))
	if err != nil {
		t.Fatal(err)
	}
	return plan.Expand(5, words.Kinds, []protocols.ID{0, 2}, rapid.Uint64().Draw(t, "seed"))
}

func TestParseInvertsPrint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plan := drawPlan(t, canonical)
		again, err := faults.Parse(plan.String())
		if err != nil || !reflect.DeepEqual(again, plan) {
			t.Errorf("%q reads as %q, %v", plan, again, err)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, text := range canonical {
		f.Add(text)
	}
	f.Add("at 1h0.5s crash 0\n# nothing; drop every A(b c) from 3")
	f.Fuzz(func(t *testing.T, text string) {
		plan, err := faults.Parse(text)
		if err != nil {
			return
		}
		again, err := faults.Parse(plan.String())
		if err != nil || again.String() != plan.String() || len(again) != len(plan) {
			t.Errorf("%q prints as %q, which reads as %v, %v", text, plan, again, err)
		}
		_ = plan.Effects()
		_ = plan.Check(5, words)
	})
}

func TestWithout(t *testing.T) {
	for _, c := range []struct{ plan, want string }{
		{"at 5ms crash 2", ""},
		{"at 5ms crash 3; at 6ms restart 1", "at 5ms crash 2; at 6ms restart 1"},
		{"drop 2nd ELECTION from 4 to 5", "drop 2nd ELECTION from 3 to 4"},
		{"drop 2nd ELECTION from 2 to 5", ""},
		{"drop every ELECTION", "drop every ELECTION"},
		{"partition {0 1 | 2 3}", "partition {0 1 | 2}"},
		{"partition {0 1 | 2}", ""},
		{"partition {2 -> 3}", ""},
		{"at 1ms cut {1 2}->4", "at 1ms cut 1->3"},
		{"at 1ms cut 2->4", ""},
		{"when leader crash leader", "when leader crash leader"},
		{"heal", "heal"},
		{"carry 2nd A from 3 to 4 in 1ms", "carry 2nd A from 2 to 3 in 1ms"},
		{"never crash 3", "never crash 2"},
		{"cut 10% of {0->1 2->3 4->*}", "cut 10% of {0->1 3->*}"},
		{"clog 5% of 2->*", ""},
		{"never crash 2", ""},
	} {
		plan, err := faults.Parse(c.plan)
		if err != nil {
			t.Fatal(err)
		}
		want, err := faults.Parse(c.want)
		if err != nil {
			t.Fatal(err)
		}
		if got := plan.Without(2).String(); got != want.String() {
			t.Errorf("%q without 2 is %q, want %q", c.plan, got, want)
		}
		if again := mustParse(t, c.plan); !reflect.DeepEqual(again, plan) {
			t.Errorf("%q has changed into %q", again, plan)
		}
	}
}
