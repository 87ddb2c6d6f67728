package spec

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Assignment is what the programs of a class are graded by.
type Assignment struct {
	Title     string
	Algorithm string // or family
	Seed      uint64
	Commands  []Command
	Limits    Limits
	Parts     []Part
}

// Command is how a submission starts.
type Command struct {
	Extension string // of its file, without the dot; "" for any
	Text      string // with {file}, and perhaps {dir}, the folder of the assignment
}

// Limits are those of each submission. The number of events decides points; the others do not.
type Limits struct {
	Events     uint64        // of a run
	Answer     time.Duration // of a program
	Run        time.Duration
	Submission time.Duration
	Memory     uint64 // MiB of the address space of each process
	Processes  uint64 // of a program
	File       uint64 // KiB that a program writes to a file
}

// Part is a part of an assignment, with points.
type Part struct {
	Name    string
	Points  float64
	Partial bool   // points for the share of the runs that hold
	Kind    string // one of PartKinds
	Cells   []Cell // the settings: of judge one
	Seeds   int    // runs of a setting

	Like  string // of a cost: the algorithm whose sends and sayings a run has to have; "" for none
	Bound bool   // of a cost: the bounds of the algorithm
	Holds *Costs // of a cost; nil is none

	Sizes    []int  // of judge: numbers of processes whose every run is explored
	States   uint64 // of judge: at which an exploration ends
	Settings uint64 // of judge: random ones

	Pos Pos
}

// The kinds of parts.
const (
	RunsPart  = "runs"
	CostPart  = "cost"
	JudgePart = "judge"
)

// partKinds are the kinds of parts, and what reads them.
func (r assignmentReader) partKinds(p *Part) []field {
	return []field{
		{RunsPart, false, nil, func(n *node) { r.runs(n, p, nil) }},
		{CostPart, false, nil, func(n *node) { r.cost(n, p) }},
		{JudgePart, false, nil, func(n *node) { r.judge(n, p) }},
	}
}

// ParseAssignment reads an assignment. The error, if any, is of type Errors and has all mistakes of the file.
func ParseAssignment(file string, data []byte, check Checker) (*Assignment, error) {
	errors := newReport(file, data)
	root := yamlReader{errors}.document(data, "an assignment has a title, a command, an algorithm and parts")
	if root == nil {
		return nil, errors.errors()
	}
	a := &Assignment{Seed: 1, Limits: Limits{
		Events: 100_000, Answer: 5 * time.Second, Run: time.Minute, Submission: 10 * time.Minute, Memory: 4 << 10, Processes: 64, File: 1 << 10,
	}}
	r := assignmentReader{newReader(errors, &check), a}
	r.mapping(root, "an assignment", r.fields())
	if err := errors.errors(); err != nil {
		return nil, err
	}
	return a, nil
}

// assignmentReader decodes an assignment.
type assignmentReader struct {
	*reader
	of *Assignment
}

// fields are the keys of an assignment. The algorithm comes before the parts.
func (r assignmentReader) fields() []field {
	a := r.of
	return []field{
		{"title", true, nil, func(n *node) { a.Title = r.line(n, "title") }},
		{"algorithm", true, nil, func(n *node) { a.Algorithm = r.algorithm(n) }},
		{"seed", false, nil, func(n *node) { a.Seed = r.integer(n, "seed", 0, 1<<63) }},
		{"command", true, nil, r.commands},
		{"limits", false, nil, func(n *node) { r.mapping(n, "limits", r.limits(&a.Limits)) }},
		{"parts", true, nil, func(n *node) { r.each(n, "parts", r.part) }},
	}
}

// commands reads a command, or one for each extension.
func (r assignmentReader) commands(n *node) {
	if n.kind != mapping {
		r.of.Commands = append(r.of.Commands, r.command(n, ""))
		return
	}
	var extensions []string
	for _, p := range n.pairs {
		extensions = append(extensions, p.key.text)
	}
	var fields []field
	for _, ext := range slices.Compact(slices.Sorted(slices.Values(extensions))) {
		fields = append(fields, field{ext, false, nil, func(n *node) { r.of.Commands = append(r.of.Commands, r.command(n, ext)) }})
	}
	r.mapping(n, "command", fields)
}

func (r assignmentReader) command(n *node, extension string) Command {
	text := r.line(n, "command")
	if text != "" && !strings.Contains(text, "{file}") {
		r.errorf(n.pos, "command is %q; {file} stands for the file of a submission, as in python3 {file}", shorten(text))
	}
	return Command{extension, text}
}

// limits are the keys of limits.
func (r assignmentReader) limits(l *Limits) []field {
	whole := func(key string, most uint64, value *uint64) field {
		return field{key, false, nil, func(n *node) { *value = r.integer(n, key, 1, most) }}
	}
	span := func(key string, value *time.Duration) field {
		return field{key, false, nil, func(n *node) {
			if text := r.line(n, key); text != "" {
				d, err := time.ParseDuration(text)
				if *value = d; err != nil || d <= 0 {
					r.errorf(n.pos, "%s is %q; it takes a time above 0, such as 30s or 10m", key, shorten(text))
				}
			}
		}}
	}
	return []field{
		whole("events", 1e9, &l.Events), span("answer", &l.Answer), span("run", &l.Run), span("submission", &l.Submission),
		whole("memory_mib", 1<<20, &l.Memory), whole("processes", 1<<16, &l.Processes), whole("file_kib", 1<<30, &l.File),
	}
}

// part reads a part. Its name tells it apart from the others.
func (r assignmentReader) part(n *node) {
	p := Part{Pos: n.pos, Seeds: 1}
	kinds := r.partKinds(&p)
	given := r.mapping(n, "a part", append([]field{
		{"name", true, nil, func(n *node) { p.Name = r.line(n, "name") }},
		{"points", true, nil, func(n *node) {
			var ok bool
			if p.Points, ok = r.float(n, "points"); ok && (p.Points <= 0 || p.Points > 1e6) {
				r.errorf(n.pos, "points is %s; it takes a number above 0, up to a million", n.text)
			}
		}},
		{"partial", false, nil, func(n *node) { p.Partial = r.truth(n, "partial") }},
	}, kinds...))
	var names, of []string
	for _, k := range kinds {
		if names = append(names, k.key); given[k.key] != nil {
			of = append(of, k.key)
		}
	}
	switch {
	case given == nil:
	case len(of) != 1:
		r.errorf(n.pos, "a part takes one of the keys %s, and has %s", strings.Join(names, ", "), describeKeys(of))
	case slices.ContainsFunc(r.of.Parts, func(q Part) bool { return q.Name == p.Name }):
		r.errorf(given["name"].pos, "two parts are named %q", p.Name)
	case p.Partial && of[0] == JudgePart:
		r.errorf(given["partial"].pos, "partial is for runs that are counted; judge gives one verdict")
	default:
		p.Kind = of[0]
		r.of.Parts = append(r.of.Parts, p)
	}
}

func describeKeys(keys []string) string {
	if len(keys) == 0 {
		return "none"
	}
	return strings.Join(keys, ", ")
}

// runs reads settings: axes as in a sweep, and how many runs each has. The program is the submission.
func (r assignmentReader) runs(n *node, p *Part, more []field) {
	own := &level{}
	fields := slices.DeleteFunc(r.axisFields(own), func(f field) bool { return f.key == "node" })
	r.mapping(n, "the part", slices.Concat(more, []field{
		{"seeds", false, nil, func(n *node) { p.Seeds = int(r.integer(n, "seeds", 1, 10_000)) }},
	}, fields))
	e := Entry{Algorithm: cmp.Or(p.Like, r.of.Algorithm), Pos: n.pos}
	all := r.overlay(&level{values: defaults()}, own)
	e.values, e.groups = all.values, all.groups
	r.checkVariants(&e)
	s := Spec{Entries: []Entry{e}}
	r.haveN(&s)
	if r.fits(&s, n.pos) && r.clean() {
		p.Cells = s.Cells()
	}
}

// cost reads settings, and what runs may cost.
func (r assignmentReader) cost(n *node, p *Part) {
	r.runs(n, p, []field{
		{"like", false, nil, func(n *node) { p.Like = r.algorithm(n) }},
		{"bounds", false, nil, func(n *node) { p.Bound = r.truth(n, "bounds") }},
		{"holds", false, nil, func(n *node) {
			var err error
			if text := r.line(n, "holds"); text != "" {
				if p.Holds, err = parseCosts(text); err != nil {
					r.errorf(n.pos, "holds is %q: %v", shorten(text), err)
				}
			}
		}},
	})
	if r.clean() && p.Like == "" && !p.Bound && p.Holds == nil {
		r.errorf(n.pos, "a cost takes like: ALGORITHM, bounds: true, or holds, such as messages <= 2*(n-1)")
	}
}

// judge reads one setting, and how much of its runs is tried.
func (r assignmentReader) judge(n *node, p *Part) {
	p.States, p.Settings = 100_000, 100
	r.runs(n, p, []field{
		{"states", false, nil, func(n *node) { p.States = r.integer(n, "states", 1, 1e9) }},
		{"settings", false, nil, func(n *node) { p.Settings = r.integer(n, "settings", 1, 1e6) }},
	})
	for i, c := range p.Cells {
		p.Sizes = append(p.Sizes, c.N)
		if c.N = p.Cells[0].N; c != p.Cells[0] {
			r.errorf(n.pos, "judge takes one setting, and several n; this has also %s", describe(p.Cells[i]))
			return
		}
	}
	if slices.Sort(p.Sizes); len(p.Cells) > 0 {
		p.Cells = p.Cells[:1]
	}
}

// Costs are formulas of what a run measures, with < <= == >= > between them and && between comparisons.
type Costs struct {
	text     string
	compared []comparison
	names    *Claim
}

// parseCosts reads costs. The error is a *FormulaError.
func parseCosts(text string) (*Costs, error) {
	c := &Costs{text: text, names: &Claim{text: text, at: map[Drawn]int{}}}
	var err error
	c.compared, err = comparisons(text, c.names.operand)
	return c, err
}

// String returns the costs as they were written.
func (c *Costs) String() string { return c.text }

// Names are the names in the formulas. One with a place or a function is returned as it stands.
func (c *Costs) Names() (names []string) {
	for _, d := range c.names.drawn {
		name := d.Name
		if d.Statistic != "" || d.Place != "" {
			name = fmt.Sprintf("%s(%s%s)", d.Statistic, d.Name, d.Place)
		}
		names = append(names, name)
	}
	return names
}

// Hold reports whether the values of names hold the costs. If they do not, it returns the sides of the
// comparison that fails.
func (c *Costs) Hold(get func(name string) float64) (ok bool, left, right float64) {
	for _, one := range c.compared {
		ok, l, r := one.holds(func(d Drawn) Range {
			v := get(d.Name)
			return Range{v, v}
		})
		if !ok {
			return false, l.Lo, r.Lo
		}
	}
	return true, 0, 0
}
