package view

import (
	"fmt"
	"io"
	"strings"

	"bullring/experiments/campaign/verify"
)

// VerifiedRuns is the comparison of a page or a diagram with the runs in it, made again.
type VerifiedRuns struct {
	Kind        string       `json:"kind"` // page, data or diagram
	Runs        int          `json:"runs"`
	Again       int          `json:"again"`
	Differ      list[string] `json:"differ"`       // what is not as in the file
	NotRun      list[string] `json:"not_run"`      // why runs were not made again
	NotCompared list[string] `json:"not_compared"` // what only the version that wrote the file makes the same
}

// Answer is the weakest answer about anything in the file.
func (v *VerifiedRuns) Answer() verify.Answer {
	switch {
	case len(v.Differ) > 0:
		return verify.Differs
	case len(v.NotRun) > 0 || len(v.NotCompared) > 0:
		return verify.NotCompared
	}
	return verify.Same
}

// Summary tells in a line what is not the same.
func (v *VerifiedRuns) Summary() string {
	var parts []string
	for _, p := range []struct {
		what string
		list []string
	}{{"different", v.Differ}, {"not run", v.NotRun}, {"not compared", v.NotCompared}} {
		if len(p.list) > 0 {
			parts = append(parts, p.what+": "+strings.Join(p.list, ", "))
		}
	}
	return strings.Join(parts, "; ")
}

// verifiedRunsReport is a VerifiedRuns as JSON.
type verifiedRunsReport struct {
	Answer    verify.Answer `json:"answer"`
	Identical bool          `json:"identical"`
	VerifiedRuns
}

// JSON implements View.
func (v *VerifiedRuns) JSON() any {
	return verifiedRunsReport{v.Answer(), v.Answer() == verify.Same, *v}
}

// Text implements View.
func (v *VerifiedRuns) Text(w io.Writer) error {
	again := fmt.Sprintf("%d of %d runs of the %s, made again here", v.Again, v.Runs, v.Kind)
	if v.Runs == 1 && v.Again == 1 {
		again = "the run of the " + v.Kind + ", made again here"
	}
	line := "identical: " + again
	switch {
	case v.Answer() == verify.Differs:
		line = strings.Replace(v.Summary(), "different:", bad("different:"), 1) + "; compared was " + again
	case v.Answer() == verify.NotCompared && v.Again == 0:
		line = v.Summary()
	case v.Answer() == verify.NotCompared:
		line = v.Summary() + "; the rest is identical: " + again
	}
	_, err := fmt.Fprintln(w, line)
	return err
}
