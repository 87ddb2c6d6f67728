package predicate

import (
	"math"
	"strconv"
	"strings"
	"testing"
)

type role int

func (r role) String() string { return []string{"follower", "leader"}[r] }

// peer has a field of each kind that predicates look at.
type peer struct {
	term   int
	share  float64
	role   role
	leader int
	vote   *int // none
	best   int
	holds  bool
	log    []int
}

func peers() []any {
	return []any{
		&peer{term: 1, share: 0.1, vote: nil, best: math.MaxInt},
		&peer{term: 3, share: 0.2, role: 1, leader: 1, best: 2, holds: true, log: []int{1, 2}},
		&peer{term: 2, share: 0.3, role: 0, leader: 1, best: 2},
	}
}

// Process 2 has crashed.
func TestHolds(t *testing.T) {
	for text, want := range map[string]bool{
		"all(term <= 3)": true, "all(term < 3)": false, "any(term == 3)": true, "any(term == 2)": false,
		"count(role == leader) == 1":                              false, // leader is a field: see below
		`count(role == "leader") == 1`:                            true,
		"count(role == follower) == 1":                            true,
		"count(follower == role) == 1":                            true,
		"max(term) - min(term) == 2":                              true,
		"sum(term) == 4":                                          true,
		"sum(share) == 0.3":                                       true, // numbers are exact: with floats it is 0.30000000000000004
		"all(term <= max(term))":                                  true,
		"any(term == max(term) and role == \"leader\")":           true,
		"p1.term > p0.term":                                       true,
		"p2.crashed and not p0.crashed":                           true,
		"p2.term == 2":                                            false,
		"p2.term != 2":                                            false,
		"not p2.term == 2":                                        true,
		"p2.role != follower":                                     false,
		"any(holds)":                                              true,
		"all(holds)":                                              false,
		"all(not holds) or any(holds == true)":                    true,
		"all(vote == none)":                                       true,
		"any(vote < 5) or any(vote >= 5)":                         false,
		"p0.best == 9223372036854775807 and p0.best > p1.best":    true,
		`p0.best == "infinite"`:                                   true,
		`p1.log == "[1 2]"`:                                       true,
		"-p0.term + 2 == 1 && !(1 > 2) || 2 < 1":                  true,
		"not 1 == 2 and 1 == 1":                                   true,
		"1 == 2 or 1 == 1 and 2 == 2":                             true,
		`"and" == p0.role or p0.role == "or" or p0.role != "not"`: true,
		"max(vote) == 1 or max(vote) != 1":                        false,
	} {
		r := NewReader(peers(), nil)
		p, err := r.Parse(text)
		if text == "count(role == leader) == 1" {
			if err == nil || !strings.Contains(err.Error(), "stands in quotes") {
				t.Errorf("%s: %v", text, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		values := [][]string{r.Values(peers()[0]), r.Values(peers()[1]), nil}
		if got := p.Holds(values, nil); got != want {
			t.Errorf("%s: %v", text, got)
		}
		if p.NamesProcess() != (strings.Contains(text, "p0.") || strings.Contains(text, "p1.") || strings.Contains(text, "p2.")) {
			t.Errorf("%s: names a process: %v", text, p.NamesProcess())
		}
	}
}

// All holds of no process, and any of none.
// Process 2 has crashed. A call within another is that of the whole system.
func TestNumbers(t *testing.T) {
	for text, want := range map[string]string{
		"max(term)": "3", "count(term < 3)": "1", "p0.term": "1", "p0.term - max(term) - 0.5": "-3", "sum(share)": "0", "p0.term - p1.term + sum(share)": "-2",
		"count(term == max(term) and count(term > 0) == 2)": "1", "max(term) + max(term) - min(term)": "5", "p0.best": "9223372036854775807",
		"p2.term": "none", "p0.term + p2.term": "none", "max(leader)": "1", "p0.best + 1": "none",
	} {
		r := NewReader(peers(), nil)
		n, err := r.ParseNumber(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		values := [][]string{r.Values(peers()[0]), r.Values(peers()[1]), nil}
		got := "none"
		if v, ok := n.Value(values); ok {
			got = strconv.FormatInt(v, 10)
		}
		if again, _ := n.Value(values); got != want || got != "none" && strconv.FormatInt(again, 10) != got {
			t.Errorf("%s is %s, then %d; want %s", text, got, again, want)
		}
	}
	for text, want := range map[string]string{
		"term": "column 1: each process has its term", "max(term) < 2": "column 11: this is a condition, and a number is expected",
		"max(tern)": `column 5: "tern" is no field`, "leaders": `column 1: "leaders" is no field`, "p7.term": "there is no process 7", "max(": "it cannot be read",
	} {
		if _, err := NewReader(peers(), nil).ParseNumber(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %s", text, err, want)
		}
	}
}

// What was measured of a run is exact as it is printed, and may be unknown. Of a state there is none.
func TestMeasures(t *testing.T) {
	values := map[string]float64{"messages": 8, "ratio": 0.3}
	measured := func(name string) (float64, bool) { v, ok := values[name]; return v, ok }
	for text, want := range map[string][2]bool{
		"run.messages <= 8 and run.ratio == 0.3": {true, false}, "run.messages < 8": {false, false}, "run.term < 8 or run.term >= 8": {false, false},
		"run.messages == 2 * 4": {}, "all(term < run.messages)": {true, false}, "run.messages > max(term) + 5 or p1.holds": {true, true},
		"run.messages - run.ratio == 7.7": {true, false},
	} {
		r := NewReader(peers(), []string{"messages", "ratio", "term"})
		p, err := r.Parse(text)
		if err != nil {
			if !strings.Contains(text, "*") {
				t.Errorf("%s: %v", text, err)
			}
			continue
		}
		state := [][]string{r.Values(peers()[0]), r.Values(peers()[1]), nil}
		if got := [2]bool{p.Holds(state, measured), p.Holds(state, nil)}; got != want || len(p.Measures()) == 0 {
			t.Errorf("%s: of a run and of a state %v; want %v", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"run.mesages < 8": `column 5: "mesages" is not measured of a run (did you mean "messages"?)`, "all(run.messages)": "this is a number, and a condition is expected",
	} {
		if _, err := NewReader(peers(), []string{"messages"}).Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %s", text, err, want)
		}
	}
	if _, err := NewReader(peers(), nil).Parse("run.messages < 8"); err == nil || !strings.Contains(err.Error(), "of a whole run, and a moment of it is looked at here") {
		t.Error(err)
	}
}

func TestNoProcessIsAlive(t *testing.T) {
	r := NewReader(peers(), nil)
	for text, want := range map[string]bool{
		"all(term > 9)": true, "any(term < 9)": false, "count(term < 9) == 0": true, "sum(term) == 0": true, "max(term) < 9": false, "not max(term) >= 9": true,
	} {
		p, err := r.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if p.Holds(make([][]string, 3), nil) != want {
			t.Errorf("%s is not %v", text, want)
		}
	}
}

// A text that was cut off when it was printed is no value: two of them may differ.
func TestCutTextsHaveNoValue(t *testing.T) {
	long := &peer{log: make([]int, 1000)}
	r := NewReader([]any{long, long}, nil)
	p, err := r.Parse("p0.log == p1.log or p0.log != p1.log")
	if err != nil {
		t.Fatal(err)
	}
	if p.Holds([][]string{r.Values(long), r.Values(long)}, nil) {
		t.Error("it has a value")
	}
}

func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                     "column 1: it cannot be read",
		"all(trem < 2)":        `column 5: "trem" is no field of a process (did you mean "term"?)`,
		"all(x < 2)":           `column 5: "x" is no field of a process; allowed are term, share, role, leader, vote, best, holds, log`,
		"all(a == b)":          `column 5: "a" and "b" are both no field`,
		"term < 2":             "column 1: each process has its term; say all(term ...)",
		"p3.term < 2":          "column 1: there is no process 3; allowed are p0 to p2",
		"p0.tern < 2":          `column 4: "tern" is no field of a process (did you mean "term"?)`,
		"all(role < 2)":        `column 5: role of process 0 is "follower" at first, and no number`,
		"all(role == 2)":       `column 5: role of process 0 is "follower" at first, and no number`,
		"all(term == big)":     `column 13: term of process 0 is 1 at first, a number, and "big" is none`,
		"all(role == leader)":  `column 13: role of process 0 is "follower" at first, and leader is a number; a word that is the name of a field, too, stands in quotes: "leader"`,
		"all(leader == role)":  "stands in quotes",
		"all(term)":            `column 5: term of process 0 is 1 at first, and no flag`,
		"max(term)":            "column 1: this is a number, and a condition is expected",
		"all(1)":               "column 5: this is a number",
		"all(any)":             `column 5: "any" is no field`,
		"max(term < 2) > 1":    "column 10: this is a condition, and a number is expected",
		"alle(term < 2)":       `column 1: "alle" is no function (did you mean "all"?)`,
		"all(term < 2, 3 < 4)": "column 1: all takes one argument; given are 2",
		"all()":                "given are 0",
		"all(term = 2)":        "column 10: it cannot be read",
		"all(term < 1 < 2)":    "column 10: this is a condition",
		"all(term * 2 < 3)":    "column 10: * is no operator here",
		"all(term < 0x1F)":     "column 12: 0x1F is no plain number",
		"all(term < 2ms)":      "column 13: it cannot be read",
		"1 < 2 // really":      `column 7: "//" is no operator`,
		"ä(term)":              `column 1: "ä" is no function`,
		`any(role == "ä") x`:   "column 18: it cannot be read",
		"all(f().x < 2)":       "column 5: a dot stands in names only",
		"all(a.b < 2)":         `"a.b" is no field`,
		"all(log[1] < 2)":      "column 5: a property takes",
		"all(term << 2 < 3)":   "<< is no operator here",
		"^1 < 2":               "^ is no operator here",
		"a < all(term < 2)":    `"a" is no field`,
	} {
		_, err := NewReader(peers(), nil).Parse(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s:\n%v, want\n%s", text, err, want)
		}
	}
}

// FuzzParse: what is parsed can be judged, whoever is alive.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"all(term < 2)", "not p0.crashed or count(holds) - 1 > max(term)", `p1.role == "x"`, "\xff", "((", "all(all(any(holds)))", "p99999999999999999999.term < 1"} {
		f.Add(seed)
	}
	f.Fuzz(func(_ *testing.T, text string) {
		r := NewReader(peers(), nil)
		n, err := r.ParseNumber(text)
		if err == nil {
			n.Value(make([][]string, 3))
		}
		p, err := r.Parse(text)
		if err != nil {
			return
		}
		for alive := range 8 {
			values := make([][]string, 3)
			for i, process := range peers() {
				if alive>>i&1 == 1 {
					values[i] = r.Values(process)
				}
			}
			p.Holds(values, nil)
		}
	})
}
