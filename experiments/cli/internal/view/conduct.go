package view

import (
	"fmt"
	"io"

	"bullring/experiments/trial"
	"bullring/internal/counts"
	"bullring/protocols/conduct"
)

// Conduct is the result of checking whether an algorithm keeps the rules of a process.
type Conduct struct{ *trial.Conduct }

// Text implements View.
func (v Conduct) Text(w io.Writer) error {
	c, in := v.Conduct, v.Instance
	fmt.Fprintf(w, "%s\n%s\n\n", title(in), byCommas(Scene(in)))
	if len(c.Findings) == 0 {
		fmt.Fprintf(w, "NOTHING FOUND in %s, seeds from %d on, of three runs each, with %s of handlers.\n",
			counts.Several(c.Trials, "trial"), in.Setting.Seed, counts.Several(c.Calls, "call"))
	}
	for i := range c.Findings {
		f := &c.Findings[i]
		fmt.Fprintf(w, "%s (seed %d)\n  %s\n", f.Rule, f.Seed, f.Text)
	}
	if c.Cut {
		fmt.Fprintln(w, "Not all calls were compared: runs were long, or cut off at --max-events.")
	}
	return nil
}

// conductReport is a Conduct as JSON.
type conductReport struct {
	Algorithm string               `json:"algorithm"`
	Variant   string               `json:"variant"`
	N         int                  `json:"n"`
	Trials    int                  `json:"trials"`
	Calls     int                  `json:"calls"`
	Cut       bool                 `json:"cut"`
	Findings  list[conductFinding] `json:"findings"`
}

type conductFinding struct {
	Rule conduct.Rule `json:"rule"`
	Seed uint64       `json:"seed"`
	Text string       `json:"text"`
}

// JSON implements View.
func (v Conduct) JSON() any {
	c := v.Conduct
	s := &c.Instance.Setting
	r := conductReport{Algorithm: s.Algorithm, Variant: s.Variant, N: c.Instance.N, Trials: c.Trials, Calls: c.Calls, Cut: c.Cut}
	for _, f := range c.Findings {
		r.Findings = append(r.Findings, conductFinding{f.Rule, f.Seed, f.Text})
	}
	return r
}
