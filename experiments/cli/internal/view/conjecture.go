package view

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"bullring/experiments/campaign/conjecture"
	"bullring/experiments/trial"
	"bullring/internal/counts"
)

// Conjecture is a closed form of exact values at sizes.
type Conjecture struct {
	Study    *conjecture.Study // nil for a table
	Measured *conjecture.Measured
	File     string // of a table
	Value    string // the name of the value
	Data     conjecture.Data
	Terms    int                // the largest number of terms that was asked for
	Answer   *conjecture.Answer // nil if the study was interrupted
}

// conjectureReport is a Conjecture as JSON.
type conjectureReport struct {
	Algorithm *string                `json:"algorithm"` // null for a table
	Variant   *string                `json:"variant"`
	File      *string                `json:"file"`
	Value     string                 `json:"value"`
	Case      *string                `json:"case"`
	Sizes     list[string]           `json:"sizes"` // their names
	Points    list[pointReport]      `json:"points"`
	Terms     int                    `json:"terms"` // the largest number of terms that was tried
	Tried     int                    `json:"tried"`
	Forms     list[formReport]       `json:"forms"` // all that are exact at every point
	Theory    list[comparisonOfForm] `json:"theory"`
}

// pointReport is a point as JSON.
type pointReport struct {
	Size  list[int64] `json:"size"`
	Value string      `json:"value"` // a fraction or an integer
	Cases *int        `json:"cases"` // null for a table
}

// formReport is a form as JSON. Solved and held out are indices of points.
type formReport struct {
	Formula string           `json:"formula"`
	Terms   list[termReport] `json:"terms"`
	Solved  list[int]        `json:"solved"`
	HeldOut list[int]        `json:"held_out"`
}

// termReport is a term as JSON.
type termReport struct {
	Coefficient string `json:"coefficient"` // a fraction or an integer
	Function    string `json:"function"`
}

// comparisonOfForm compares a bound with the points.
type comparisonOfForm struct {
	Name     string         `json:"name"`
	Relation trial.Relation `json:"relation"`
	Formula  string         `json:"formula"`
	Differs  list[int]      `json:"differs"` // the points at which it has another value
}

// JSON implements View.
func (v Conjecture) JSON() any {
	r := conjectureReport{File: orNull(v.File), Value: v.Value, Sizes: v.Data.Names}
	if in := v.last(); in != nil {
		r.Algorithm, r.Variant, r.Case = new(in.Algorithm.Name), orNull(in.Setting.Variant), new(v.Study.Case)
		for _, c := range v.Measured.Theory(*v.Study) {
			r.Theory = append(r.Theory, comparisonOfForm{c.Bound.Name, c.Bound.Relation, c.Bound.Formula, c.Differs})
		}
	}
	for i, p := range v.Data.Points {
		point := pointReport{Size: p.X, Value: p.Y.RatString()}
		if v.Measured != nil {
			point.Cases = new(v.Measured.Cases[i])
		}
		r.Points = append(r.Points, point)
	}
	if v.Answer == nil {
		return r
	}
	r.Terms, r.Tried = v.Answer.Terms, v.Answer.Tried
	for _, f := range v.Answer.Forms {
		form := formReport{Formula: f.String(), Solved: f.Solved, HeldOut: f.HeldOut}
		for _, t := range f.Terms {
			form.Terms = append(form.Terms, termReport{t.Coefficient.RatString(), t.Function.String()})
		}
		r.Forms = append(r.Forms, form)
	}
	return r
}

// last is the instance of the last size, nil for a table.
func (v Conjecture) last() *trial.Instance {
	if v.Measured == nil || len(v.Measured.Instances) == 0 {
		return nil
	}
	return v.Measured.Instances[len(v.Measured.Instances)-1]
}

// Text implements View.
func (v Conjecture) Text(w io.Writer) error {
	if in := v.last(); in != nil {
		fmt.Fprintf(w, "%s\n%s; at the last size: %s\n", title(in), v.what(), byCommas(Scene(in)))
		if decided := in.Seeded(); decided != "" {
			fmt.Fprintf(w, "for seed %d, which decides the %s\n", in.Setting.Seed, decided)
		}
		writeOutside(w, in.Outside)
	} else {
		fmt.Fprintf(w, "%s of %s\n", v.Value, v.File)
	}
	fmt.Fprintln(w)
	v.writePoints(w)
	fmt.Fprintln(w)
	v.writeForms(w)
	if v.Measured == nil {
		return nil
	}
	t := newTable(w)
	for _, c := range v.Measured.Theory(*v.Study) {
		says := "the same at all these sizes"
		if len(c.Differs) > 0 {
			says = "another value at " + v.at(c.Differs)
		}
		name := c.Bound.Name + " " + c.Bound.Relation.String()
		if c.Bound.Relation == trial.Mean {
			name = c.Bound.Name
		}
		t.rowf("theory", "%s %s: %s", name, c.Bound.Formula, says)
	}
	return nil
}

// what says what the value is.
func (v Conjecture) what() string {
	switch over := strings.Join(v.Measured.Over, ","); v.Study.Case {
	case conjecture.Given:
		return v.Value + " of the run"
	case conjecture.Mean:
		return "mean " + v.Value + " over " + over
	default:
		return fmt.Sprintf("%s in the %s case over %s", v.Value, v.Study.Case, over)
	}
}

// writePoints writes the table of the values.
func (v Conjecture) writePoints(w io.Writer) {
	t := newTable(w)
	head := append(append([]string{}, v.Data.Names...), v.Value)
	if v.Measured != nil {
		head = append(head, "cases")
	}
	t.row(head...)
	for i, p := range v.Data.Points {
		var cells []string
		for _, x := range p.X {
			cells = append(cells, strconv.FormatInt(x, 10))
		}
		cells = append(cells, p.Y.RatString())
		if v.Measured != nil {
			cells = append(cells, counts.Grouped(v.Measured.Cases[i]))
		}
		t.row(cells...)
	}
}

// writeForms writes what was found.
func (v Conjecture) writeForms(w io.Writer) {
	a, t := v.Answer, newTable(w)
	if a == nil {
		fmt.Fprintln(w, "interrupted: no form was looked for")
		return
	}
	tried := fmt.Sprintf("%s with up to %s", counts.Several(a.Tried, "form"), counts.Several(a.Terms, "term"))
	if len(a.Forms) == 0 {
		note := ""
		if a.Terms < v.Terms {
			note = fmt.Sprintf("; %d sizes allow %d terms", conjecture.Needed(a.Terms+1), a.Terms+1)
		}
		t.row("no form", tried+" were tried, and none is exact at all sizes"+note)
		return
	}
	const most = 10
	for _, f := range a.Forms[:min(len(a.Forms), most)] {
		t.row("conjecture", v.Value+" = "+f.String())
		if len(f.Solved) > 0 {
			t.row("solved", "at "+v.at(f.Solved))
		}
		t.row("exact", "at "+v.at(f.HeldOut))
	}
	t.row("tried", tried)
	if len(a.Forms) == 1 {
		return
	}
	note := fmt.Sprintf("%d forms are exact at all these sizes", len(a.Forms))
	if len(a.Forms) > most {
		note += fmt.Sprintf(", of which %d are printed", most)
	}
	if len(v.Data.Names) == 1 {
		if x, parted := a.Parted(); parted {
			note += fmt.Sprintf("; they differ first at %s = %d", v.Data.Names[0], x)
		} else {
			note += "; they do not differ below 1,000 either"
		}
	}
	t.row("ambiguous", note)
}

// at lists the sizes of points.
func (v Conjecture) at(points []int) string {
	const most = 12
	var sizes []string
	for i, p := range points {
		if i == most {
			sizes = append(sizes, fmt.Sprintf("%d more", len(points)-most))
			break
		}
		size := strings.Trim(strings.ReplaceAll(fmt.Sprint(v.Data.Points[p].X), " ", ","), "[]")
		if len(v.Data.Names) > 1 {
			size = "(" + size + ")"
		}
		sizes = append(sizes, size)
	}
	names := strings.Join(v.Data.Names, ",")
	if len(v.Data.Names) > 1 {
		names = "(" + names + ")"
	}
	return names + " = " + strings.Join(sizes, ", ")
}
