package grade

import (
	"context"
	"fmt"
	"strings"

	"bullring/experiments/campaign/spec"
	"bullring/experiments/real/foreign"
	"bullring/experiments/show/reason"
	"bullring/experiments/trial"
	"bullring/internal/build"
)

// Grader grades submissions.
type Grader struct {
	*Assignment
	Registry *trial.Registry // whose nodes are those of package foreign
	Words    Words
	Folder   *Folder // nil: nothing is written
	// Progress, if not nil, is called before each part.
	Progress func(submission, part string, done, all int)
}

// Words write down for a page what the command line prints.
type Words struct {
	Line    func(words []string) string        // a command
	Command func(*trial.Instance) string       // that repeats a run
	Like    func(*trial.Instance) string       // that compares it with its algorithm
	Case    func(file string) string           // that explains the run of a case
	Reasons func(*reason.Explanation) []string // why a check does not hold
	Parting func(*foreign.Comparison) string   // where two runs part
}

// Grade grades submissions in order. When ctx ends, the report has those that were done by then. An
// error is a mistake in the assignment or in the folder; the programs can cause none.
func (g *Grader) Grade(ctx context.Context, submissions []Submission) (*Grades, error) {
	nodes := g.Registry.Nodes.(*foreign.Nodes)
	nodes.Allowed, nodes.Wait, nodes.Limit = true, g.Limits.Answer, g.Limits.Run
	if err := g.check(g.Registry, submissions[0].Program); err != nil {
		return nil, err
	}
	report := &Grades{Format: format, Title: g.Title, Assignment: g.SHA256, Program: build.ThisProgram().String(), Graded: []Graded{}}
	if nodes.Sandbox == nil {
		report.Sandbox = "no sandbox was asked for"
	} else {
		report.Sandbox = nodes.Sandbox.Missing()
	}
	for _, p := range g.Parts {
		report.Parts = append(report.Parts, Worth{p.Name, p.Kind, p.Points})
	}
	for i, s := range submissions {
		graded, kept := g.Folder.kept(report, s)
		if !kept {
			graded = g.submission(ctx, s, i, len(submissions))
			nodes.Close()
		}
		if ctx.Err() != nil {
			break
		}
		report.Graded = append(report.Graded, graded)
		if err := g.Folder.add(report, &report.Graded[i], kept); err != nil {
			return nil, err
		}
	}
	return report, g.Folder.end(report)
}

// submission grades a submission.
func (g *Grader) submission(ctx context.Context, s Submission, i, all int) Graded {
	limited, cancel := context.WithTimeout(ctx, g.Limits.Submission)
	defer cancel()
	graded := Graded{Name: s.Name, Command: s.Program, SHA256: s.SHA256}
	for k := range g.Parts {
		p := &g.Parts[k]
		if g.Progress != nil {
			g.Progress(s.Name, p.Name, i, all)
		}
		m := Mark{Part: p.Name, Of: p.Points}
		(&grading{g, limited, p, s, k + 1}).grade(&m)
		m.close(p)
		graded.Points += m.Points
		graded.Of += m.Of
		graded.Inconclusive = graded.Inconclusive || m.Verdict == Inconclusive
		graded.Marks = append(graded.Marks, m)
	}
	return graded
}

// close computes the points from the verdict and the runs.
func (m *Mark) close(p *spec.Part) {
	m.Why = strings.NewReplacer("(--node-timeout)", "(limits: answer)", "(--node-limit)", "(limits: run)").Replace(m.Why)
	switch {
	case m.Verdict == Inconclusive:
		m.Why = "grade it again: " + m.Why
	case m.Verdict == "":
		m.Verdict, m.Points = Right, p.Points
	case p.Partial && m.Held > 0:
		m.Verdict, m.Points = Partly, share(p.Points, m.Held, m.Runs)
		m.Why = fmt.Sprintf("%d of %d runs hold; the first that does not: %s", m.Held, m.Runs, m.Why)
	}
}
