package view

import (
	"fmt"
	"io"
	"strconv"

	"bullring/experiments/show/reason"
	"bullring/internal/counts"
	"bullring/protocols"
)

// Repairs is what comes of a violated run if its abnormal messages are repaired, one at a time.
type Repairs struct {
	*reason.Repairs
	All bool // list the messages whose repair changes nothing, too
}

// repairsReport is a Repairs as JSON.
type repairsReport struct {
	Algorithm string                         `json:"algorithm"`
	Strike    repairStrike                   `json:"strike"`
	Violation violationReport                `json:"violation"`
	Messages  int                            `json:"messages"` // to which something happened
	Effects   dict[word[reason.Effect], int] `json:"effects"`
	Cases     list[repairCase]               `json:"cases"`
}

// repairStrike is the name of the strike that repairs.
type repairStrike string

const repair repairStrike = "repair"

// repairCase is the run with one message repaired.
type repairCase struct {
	Number   uint64              `json:"number"`
	At       string              `json:"at"` // when it was sent
	From     protocols.ID        `json:"from"`
	To       protocols.ID        `json:"to"`
	Message  string              `json:"message"`
	Happened word[reason.Class]  `json:"happened"` // lost, cut, late, twice or overtaken
	Change   string              `json:"change"`
	Effect   word[reason.Effect] `json:"effect"`
	Then     *string             `json:"then"`  // the violation that follows instead
	Fault    *string             `json:"fault"` // added to the plan; the run repeats with it. Null if the plan alone gives another run
}

// cases are the runs.
func (v Repairs) cases() (cases []repairCase) {
	for _, r := range v.Cases {
		c := r.Changes[0]
		one := repairCase{
			Number: r.Number, At: c.Sent.String(), From: c.Key.From, To: c.Key.To, Message: c.Content, Happened: wordOf(c.Class),
			Change: c.String(), Effect: wordOf(r.Effect),
		}
		if r.Then != "" && r.Effect != reason.Same {
			one.Then = &r.Then
		}
		if r.Again != nil {
			plan := r.Again.Plan
			fault := plan[len(plan)-1].String()
			one.Fault = &fault
		}
		cases = append(cases, one)
	}
	return cases
}

// effects is how many repairs have each effect.
func (v Repairs) effects() dict[word[reason.Effect], int] {
	effects := dict[word[reason.Effect], int]{}
	for e := reason.Same; e <= reason.Holds; e++ {
		effects[wordOf(e)] = 0
	}
	for _, r := range v.Cases {
		effects[wordOf(r.Effect)]++
	}
	return effects
}

// JSON implements View.
func (v Repairs) JSON() any {
	return repairsReport{
		Algorithm: v.Real.Result.Instance.Algorithm.Name, Strike: repair, Violation: *newViolationReport(v.Real, v.Violation),
		Messages: len(v.Cases), Effects: v.effects(), Cases: v.cases(),
	}
}

// Text implements View.
func (v Repairs) Text(w io.Writer) error {
	in := v.Real.Result.Instance
	fmt.Fprintf(w, "%s\n%s\nas it is: %s\n", title(in), byCommas(Scene(in)), v.Real.What)
	if len(v.Cases) == 0 {
		fmt.Fprintln(w, "\nno message was lost, cut, late, doubled or out of order")
		return nil
	}
	fmt.Fprintln(w)
	effects, t := v.effects(), newTable(w)
	t.row("EFFECT OF REPAIR", "MESSAGES")
	for e := reason.Same; e <= reason.Holds; e++ {
		if n := effects[wordOf(e)]; n > 0 {
			t.row(e.String(), counts.Grouped(n))
		}
	}
	fmt.Fprintln(w)
	t.row("MESSAGE", "SENT AT", "LINK", "CONTENT", "HAPPENED", "EFFECT", "FAULT")
	for _, c := range v.cases() {
		fault := "not by a plan alone"
		if c.Fault != nil {
			fault = *c.Fault
		}
		if v.All || c.Effect != wordOf(reason.Same) {
			t.row(strconv.FormatUint(c.Number, 10), c.At, fmt.Sprintf("%d->%d", c.From, c.To), c.Message, string(c.Happened), string(c.Effect), fault)
		}
	}
	return nil
}
