package catalog_test

import (
	"fmt"
	"strconv"
	"strings"
	"text/template"
)

// line is the line of a defect in its table.
func (r row) line() string {
	cells := []string{r.algorithm, fmt.Sprintf("**%s**: %s", r.name, r.says)}
	switch r.By {
	case byRuns:
		cells = append(cells, "runs: "+r.where(), r.Breaks, "run "+commas(r.At+1), "", "", "")
	case byExploration:
		cells = append(cells, r.where(), r.Breaks, commas(r.States)+" states", r.trace(), drawnIn(r.Walks), drawnIn(r.PCT))
	}
	if r.Endless > 0 && r.By != byNothing {
		cells[4] += fmt.Sprintf("; searches cut off before it: %d", r.Endless)
	}
	return "| " + strings.Join(cells, " | ") + " |"
}

// trace is the length of the shortest run that breaks the property.
func (r row) trace() string {
	switch {
	case r.Cycle > 0:
		return fmt.Sprintf("%d, the last %d for ever", r.Steps, r.Cycle)
	case r.Steps == 0:
		return ""
	}
	return strconv.Itoa(r.Steps)
}

func drawnIn(runs int) string {
	if runs == 0 {
		return "none"
	}
	return commas(runs)
}

// commas prints a number with a comma before every three digits.
func commas[N int | uint64](k N) string {
	if k < 1000 {
		return fmt.Sprint(k)
	}
	return fmt.Sprintf("%s,%03d", commas(k/1000), k%1000)
}

// page is docs/defects.md.
var page = template.Must(template.New("defects").Parse(`# Seeded defects

An explorer that finds nothing and a check that holds say little unless they can fail. Each line below is a small
programming error, put into the source of an algorithm of the catalogue, and the first thing that catches it: an
exhaustive exploration if one does, else a run. In the same exploration, or the same run, nothing is wrong with the
algorithm as it is, and all of it lies inside the algorithm's model.

This page is written by ` + "`go test ./experiments/catalog -run TestDefects -update-defects`" + `, and ` + "`make defects`" + ` holds it to
what comes out; the tests do so for one defect of each algorithm whenever they are run.

**How it is done.** A defect is a text that stands once in a source file, and another one in its place. The go command
compiles the file so (` + "`-overlay`" + `), and the defects are those of the present code, while no wrong code is in any
program. The binary goes through the explorations of each algorithm (` + "`searches`" + ` in
` + "`experiments/catalog/defects_hunt_test.go`" + `), small ones first and those without a crash before those with one, every
order of events in each; and then, where none of them is violated, through runs (` + "`runs`" + `), which are held to the
bounds as well.

**To add one**, add it to the table in ` + "`experiments/catalog/defects_table_test.go`" + ` and write this page anew. If the
source has changed so that the text is not there any more, or more than once, the test says so.

**What it proves**: that each property, check or bound in the fourth column can be violated, in a system as small as
the one in the third, by an error that people make. **What it does not**: that an error that is not here would be
caught. The errors were thought of by people who knew the checks.

Of {{.Defects}} defects {{.Explored}} are caught by exploration and {{.Run}} by runs only. Of the {{.Explored}}, uniform random walks find
{{.Walks}} and PCT {{.PCT}} within {{.Drawn}} runs.

## Caught

` + "`E1`" + `: nobody elects a process worse than one that lives. ` + "`E2`" + `: every live process decides, or what else is promised;
a run that goes on for ever without it has a cycle at the end of its trace. ` + "`rest`" + `: every run comes to rest.
` + "`ME1`" + `: at most one process at a time is inside. ` + "`ME2`" + `: every request of a process that lives is granted.
` + "`no-panic`" + `: no handler panics. The states are those of the exploration up to the end of the level on which the violation lies; the trace is the shortest one, in
steps. A run is counted from the first of the algorithm's. An exploration of more than {{.States}} states is cut off.

The last two columns are for the same exploration: which run is the first to show the violation if runs are drawn, step
by step or by priorities (PCT, bugs of depth 3), from seed {{.Seed}}. *None* is none of {{.Drawn}} runs of at most {{.Steps}} steps; no
drawn run shows a cycle.

| algorithm | defect | found in | violated | after | trace | random walks | PCT |
|---|---|---|---|---|---|---|---|
{{range .Seen}}{{.}}
{{end}}
`))

// pageOf is the page of all defects, algorithm by algorithm.
func pageOf(rows []row) string {
	p := struct {
		Defects, Explored, Run, Walks, PCT int
		Drawn, Seed, Steps, States         string
		Seen                               []string
	}{Defects: len(rows), Drawn: commas(drawnRuns), Seed: commas(drawnSeed), Steps: commas(drawnSteps), States: commas(mostStates)}
	for _, r := range rows {
		switch r.By {
		case byRuns:
			p.Run++
		case byExploration:
			p.Explored++
		}
		p.Seen = append(p.Seen, r.line())
		p.Walks += min(r.Walks, 1)
		p.PCT += min(r.PCT, 1)
	}
	var b strings.Builder
	if err := page.Execute(&b, p); err != nil {
		panic(err)
	}
	return b.String()
}
