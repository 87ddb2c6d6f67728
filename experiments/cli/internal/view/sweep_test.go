package view

import (
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"bullring/experiments/campaign/cluster"
	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/sweep"
	"bullring/experiments/campaign/verify"
	"bullring/internal/build"
)

// demo is a sweep with a figure.
func demo(t *testing.T, replicates string) *sweep.Sweep {
	t.Helper()
	text := "name: demo\ntitle: A demonstration\nreplicates: " + replicates + "\nalgorithms: [lcr]\naxes: {n: [3, 4]}\nfigures: {y: messages}\n"
	s, err := results.ParseSpec(registry, "demo.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return &sweep.Sweep{Source: sweep.Source{Registry: registry, Spec: s}, Dir: "out/demo"}
}

const untilPrecise = "{min: 2, max: 40, half_width: 5%}"

func TestEstimates(t *testing.T) {
	probed := sweep.EntryEstimate{
		Label: "lcr", Cells: 4, Trials: 400, Time: 90 * time.Second,
		Axes: []sweep.AxisCells{{Name: "n", Values: []string{"3", "4"}}, {Name: "delay", Values: []string{"1ms"}}, {Name: "fault", Values: []string{"", "at 1ms crash 1\nat 2ms restart 1", strings.Repeat("long ", 10)}}},
	}
	var g golden
	add := func(name string, sw *sweep.Sweep, e sweep.Estimate, exists bool) {
		t.Helper()
		g.heading(name)
		e.Cells, e.Trials, e.Workers = 1500, 15_000, 2
		if err := eighty.Print(&g, func(w io.Writer) error { return Estimate(w, sw, &e, exists) }); err != nil {
			t.Error(err)
		}
	}
	fixed := func(e sweep.Estimate) sweep.Estimate { e.Fixed = true; return e }
	add("of a new folder", demo(t, "10"), fixed(sweep.Estimate{Probed: 2, Tried: 20, Took: 1234 * time.Millisecond, Time: 125 * time.Minute, Entries: []sweep.EntryEstimate{probed}}), false)
	add("every cell probed", demo(t, "10"), fixed(sweep.Estimate{Probed: 1500, Tried: 1500, Time: 150 * time.Second, Entries: []sweep.EntryEstimate{{Label: "lcr", Cells: 1, Trials: 1}}}), true)
	add("half is there", demo(t, untilPrecise), sweep.Estimate{Stored: 7500, Time: time.Second}, true)
	add("cut off", demo(t, untilPrecise), sweep.Estimate{AtLeast: true, Time: 3 * time.Hour, Entries: []sweep.EntryEstimate{probed}}, true)
	add("complete", demo(t, "10"), fixed(sweep.Estimate{Complete: true, Stored: 15_000}), true)
	add("of an earlier version", demo(t, "10"), fixed(sweep.Estimate{Complete: true, Outdated: true}), true)
	add("grows", demo(t, "10"), fixed(sweep.Estimate{Stored: 5000, Time: time.Second, Growth: &sweep.Growth{Kept: 5000, Again: 30, Lacking: []string{"leaderless"}, Dropped: 1}}), true)
	add("refused", demo(t, "10"), fixed(sweep.Estimate{Refused: errors.New("another sweep")}), true)
	again, shard := demo(t, "10"), demo(t, "10")
	again.Again, shard.Shard = true, sweep.Shard{Index: 1, Of: 3}
	add("again", again, fixed(sweep.Estimate{}), true)
	add("a shard", shard, fixed(sweep.Estimate{}), false)
	g.compare(t, "estimates")

	var many strings.Builder
	if err := eighty.Print(&many, func(w io.Writer) error {
		return Estimate(w, demo(t, "10"), &sweep.Estimate{Entries: make([]sweep.EntryEstimate, listedEntries+3)}, true)
	}); err != nil || !strings.HasSuffix(many.String(), "\nand 3 more\n") {
		t.Errorf("%v, %s", err, &many)
	}
}

func TestSweeps(t *testing.T) {
	var g golden
	add := func(name string, sw *sweep.Sweep, r sweep.Report, drawn ...string) {
		t.Helper()
		g.heading(name)
		r.Cells, r.Trials = 15, 1500
		if err := eighty.Print(&g, func(w io.Writer) error { return Sweep(w, sw, &r, drawn) }); err != nil {
			t.Error(err)
		}
	}
	outcomes := []sweep.Count{{Name: "elected", Times: 1499}, {Name: "unfinished", Times: 1}}
	checks := []sweep.CheckCount{{Name: "E1", Holds: 1500}, {Name: "E2", Holds: 1400, Violated: 98, Undecided: 2, NotPromised: 7}}
	add("new, drawn", demo(t, "10"), sweep.Report{Done: 1500, Outside: 3, Outcomes: outcomes, Checks: checks, Files: []string{"results.csv", "summary.csv"}}, "figures/a.png", "figures/a.svg", "figures/b.png")
	add("resumed, stopped early", demo(t, untilPrecise), sweep.Report{Done: 900, Stored: 300, Outcomes: outcomes[:1]})
	add("complete before", demo(t, "10"), sweep.Report{Done: 1500, Already: true, Files: []string{"results.csv"}})
	add("of an earlier version", demo(t, "10"), sweep.Report{Done: 1500, Already: true, Outdated: true})
	add("grown", demo(t, "10"), sweep.Report{Done: 1500, Stored: 1100, Growth: &sweep.Growth{Kept: 1100}})
	add("grown, resumed, with trials run again and dropped", demo(t, "10"), sweep.Report{
		Done: 1500, Stored: 1200, Growth: &sweep.Growth{Kept: 1100, Again: 30, Lacking: []string{"leaderless", "terms"}, Dropped: 1},
	})
	shard := demo(t, "10")
	shard.Shard = sweep.Shard{Index: 1, Of: 3}
	add("a shard", shard, sweep.Report{Done: 500})
	g.compare(t, "sweeps")
}

func TestStatus(t *testing.T) {
	at := time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
	shards := []sweep.Part{{Index: 0, State: sweep.Complete, Trials: 25, Done: 25, Path: "out/shard-0-of-3.journal"}, {Index: 1, State: sweep.Stopped, Trials: 25, Done: 8, Path: "out/shard-1-of-3.journal"}}
	parts := &sweep.Status{
		Name: "demo", Title: "A demonstration", Paths: []string{"out"}, State: sweep.Stopped, Trials: 75, Fixed: true, Done: 33, Of: 3, Shards: shards, Missing: "1-2",
		Start: at, Version: "v1", Epoch: 1, Written: at.Add(time.Minute), Damage: []string{"out/shard-1-of-3.journal ends in the middle of a record"},
	}
	unknown := &sweep.Status{Paths: []string{"a", "b"}, State: sweep.UnderWay, Trials: 4000, Done: 1234, Written: at}
	v := Status{Sweeps: []*sweep.Status{parts, unknown}, Now: at.Add(100 * time.Second)}
	var g golden
	g.add(t, "two sweeps", v)
	g.addJSON(t, "two sweeps", v)
	g.compare(t, "status")

	p := Progress(parts)
	if p.State != "not complete: 33 of 75 (44%) trials" || len(p.Tables) != 1 || len(p.Tables[0].Rows) != 2 || p.Damage[0] != "shard-1-of-3.journal ends in the middle of a record" {
		t.Errorf("%+v", p)
	}
	parts.Complete = true
	if p := Progress(parts); p.State != "the shards are not joined: bullring merge joins them" || len(p.Tables) != 1 {
		t.Errorf("%+v", p)
	}
}

func TestSlurm(t *testing.T) {
	var g golden
	for _, c := range []struct {
		name   string
		plan   cluster.Plan
		submit bool
		jobs   *cluster.Jobs
	}{
		{"written", cluster.Plan{Name: "demo", Array: "0-3", Shards: 4, Tasks: 4, Dir: "/it's/slurm"}, false, nil},
		{"submitted", cluster.Plan{Name: "demo", Array: "2", Shards: 1, Tasks: 4, Dir: "/out/slurm"}, true, &cluster.Jobs{Array: "101", Merge: "102"}},
		{"all shards are there", cluster.Plan{Name: "demo", Tasks: 4, Dir: "/out/slurm"}, false, nil},
		{"joined", cluster.Plan{Name: "demo", Merged: true}, true, nil},
	} {
		g.heading(c.name)
		if err := eighty.Print(&g, func(w io.Writer) error { return Slurm(w, "bullring", "it's", &c.plan, c.submit, c.jobs) }); err != nil {
			t.Error(err)
		}
	}
	g.compare(t, "slurm")
}

func TestVerifications(t *testing.T) {
	row := verify.Difference{Row: 1, Cell: "lcr n=4", What: `leader is "3" in results.csv, but "4" now`}
	var g golden
	for _, c := range []struct {
		name string
		verify.Report
	}{
		{"identical", verify.Report{Trials: 75, Again: 20, Files: []string{"results.csv", "README.md"}, Own: []string{"CITATION.cff"}, Tables: []string{"summary.csv", "growth.csv"}, Documents: 6, Drawn: 6}},
		{"identical so far", verify.Report{Trials: 75, Again: 3, Stopped: true}},
		{"a figure", verify.Report{Figure: "demo", Trials: 75, Again: 75}},
		{"not run, not compared", verify.Report{Trials: 4, Again: 2, NotRun: 2, Unrun: &verify.Difference{Cell: "lcr n=4", First: 1, What: "its programs may not start"}, Changed: []string{"README.md"}, Unmade: []string{"figures/f.svg"}, Writer: "v0"}},
		{"other trials", verify.Report{Trials: 75, Again: 75, Differ: 3, First: []verify.Difference{row}, Damage: []string{"results.csv was changed"}}},
		{"other trials behind a figure", verify.Report{Figure: "demo", Beside: "out", Trials: 75, Again: 75, Differ: 3, First: []verify.Difference{{Cell: "lcr n=4", First: 1, Last: 3, What: "messages"}}}},
		{"other files", verify.Report{Trials: 75, Again: 20, Partial: "5 trials are missing", Damage: []string{"results.csv was changed", "README.md is gone"}}},
	} {
		v := Verification{Program: "bullring", Path: "it's", Report: &c.Report}
		g.add(t, c.name, v)
		got := fields(t, v)
		if got["answer"] != string(v.Answer()) || got["identical"] != v.Identical() || got["trials"] != float64(v.Trials) || len(got["differences"].([]any)) != len(v.First) ||
			(got["first_not_run"] == nil) != (v.Unrun == nil) || (got["figure"] == nil) != (v.Figure == "") {
			t.Errorf("%s: %v", c.name, got)
		}
		g.heading(c.name + ", in a line")
		g.WriteString(v.Difference() + "|" + v.Unknown() + "\n")
	}
	g.compare(t, "verifications")

	var made strings.Builder
	Write(&made, Verification{Path: "out", Report: &verify.Report{Trials: 4, NotRun: 4, Made: "v0"}}, false, eighty)
	if want := "\nout was made by version v0, this is " + build.ThisProgram().String() + "\n"; !strings.HasSuffix(made.String(), want) {
		t.Errorf("%s lacks %s", &made, want)
	}
}

func TestVerifiedRuns(t *testing.T) {
	for _, c := range []struct {
		v      VerifiedRuns
		answer verify.Answer
		want   string
	}{
		{VerifiedRuns{Kind: "page", Runs: 1, Again: 1}, verify.Same, "identical: the run of the page, made again here\n"},
		{VerifiedRuns{Kind: "page", Runs: 2, Again: 2}, verify.Same, "identical: 2 of 2 runs of the page, made again here\n"},
		{VerifiedRuns{Kind: "diagram", Runs: 1, Again: 1, Differ: []string{"Seed", "Fingerprint"}}, verify.Differs, "different: Seed, Fingerprint; compared was the run of the diagram, made again\nhere\n"},
		{VerifiedRuns{Kind: "data", Runs: 1, NotRun: []string{"it names no command"}}, verify.NotCompared, "not run: it names no command\n"},
		{VerifiedRuns{Kind: "page", Runs: 1, Again: 1, NotCompared: []string{"title"}}, verify.NotCompared, "not compared: title; the rest is identical: the run of the page, made again here\n"},
	} {
		var text strings.Builder
		if err := Write(&text, &c.v, false, eighty); err != nil || text.String() != c.want || c.v.Answer() != c.answer {
			t.Errorf("%v: %s, %v; want %s, %v", c.v, &text, c.v.Answer(), c.want, c.answer)
		}
		if got := fields(t, &c.v); got["answer"] != string(c.answer) || got["identical"] != (c.answer == verify.Same) || got["not_run"] == nil {
			t.Errorf("%v", got)
		}
	}
}
