package faults_test

import (
	"errors"
	"fmt"
	"slices"

	"bullring/faults"
)

// A plan is text, and prints as text that can be parsed again.
func ExampleParse() {
	plan, err := faults.Parse(`
		at 5ms crash 3 for 20ms   # process 3 is back at 25ms
		drop 2nd ELECTION from 4; partition {0 1|2 3 4} for 5ms
	`)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(plan.Text())

	_, err = faults.Parse("at 5ms crsh 3")
	fmt.Println(err)
	// Output:
	// at 5ms crash 3 for 20ms
	// drop 2nd ELECTION from 4
	// partition {0 1 | 2..4} for 5ms
	// faults, line 1, column 8: "crsh" is no fault; allowed are crash, fail, restart, start, leave, join, pause, resume, slow, partition, cut, clog, down, up, heal, link, omit, drop, delay, duplicate, carry, clock, lie, equivocate, byzantine, never and random; did you mean "crash"?
}

// Check compares a plan with the system that it is for.
func ExamplePlan_Check() {
	words := faults.Words{Kinds: []string{"ELECTION", "ELECTED"}}
	for _, text := range []string{"crash 5", "drop 1st ELECTON"} {
		plan, err := faults.Parse(text)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(plan.Check(5, words))
	}
	// Output:
	// fault "crash 5": there is no process 5; addresses are 0..4
	// fault "drop 1st ELECTON": there is no kind of messages "ELECTON"; the algorithm has ELECTION and ELECTED; did you mean "ELECTION"?
}

// Random lines are drawn from the seed of a trial: the same seed gives the same faults.
func ExamplePlan_Expand() {
	plan, err := faults.Parse("random crashes 2 in 10ms..20ms sparing 0")
	if err != nil {
		fmt.Println(err)
		return
	}
	explicit := plan.Expand(5, nil, nil, 1)
	fmt.Print(explicit.Text())
	fmt.Println(explicit.Text() == plan.Expand(5, nil, nil, 1).Text())
	// Output:
	// at 11.740573ms crash 1
	// at 12.222885ms crash 2
	// true
}

// A run fails under a plan; Shrink finds the faults that matter.
func ExampleShrink() {
	plan, err := faults.Parse("at 7ms pause 1 for 3ms; at 12.3ms crash 2 for 5ms; drop every ELECTED from 2")
	if err != nil {
		fmt.Println(err)
		return
	}
	fails := func(p faults.Plan) bool { // in practice: run the algorithm, and judge the run
		return slices.ContainsFunc(p, func(f faults.Fault) bool { return f.Kind == faults.Crash && f.Process == 2 })
	}
	fmt.Println(faults.Shrink(plan, fails))
	// Output: crash 2
}

// A plan can be made of values, too: this one crashes the second leader.
func ExamplePlan() {
	plan := faults.Plan{{
		When:    faults.Trigger{On: faults.Leaders, Count: 2},
		Kind:    faults.Crash,
		Process: faults.Leader,
	}}
	fmt.Println(plan)
	// Output: when 2nd leader crash leader
}

// A mistake in the text has a line and a column.
func ExampleSyntaxError() {
	_, err := faults.Parse("crash 1\nat noon crash 2")
	if e, ok := errors.AsType[*faults.SyntaxError](err); ok {
		fmt.Println(e.Line, e.Column, e.Word)
	}
	// Output: 2 4 noon
}

// Each of these faults is one step simpler.
func ExampleSimpler() {
	plan, err := faults.Parse("at 5ms drop 2nd ELECTION to 3")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range faults.Simpler(plan[0]) {
		fmt.Println(f)
	}
	// Output:
	// drop 2nd ELECTION to 3
	// at 5ms drop 2nd message to 3
	// at 5ms drop 2nd ELECTION
	// at 5ms drop 1st ELECTION to 3
}
