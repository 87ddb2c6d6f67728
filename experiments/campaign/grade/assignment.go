package grade

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"bullring/experiments/campaign/results"
	"bullring/experiments/campaign/spec"
	"bullring/experiments/trial"
	"bullring/internal/regular"
)

// Assignment is an assignment that was read from a file.
type Assignment struct {
	*spec.Assignment
	SHA256 string
	file   string
	lines  []string
}

// Open reads an assignment. The error has all mistakes of the file that do not depend on submissions.
func Open(r *trial.Registry, file string) (*Assignment, error) {
	text, err := regular.Read(file, spec.MaxFile)
	if err != nil {
		return nil, err
	}
	read, err := results.ParseAssignment(r, file, text)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	a := &Assignment{Assignment: read, SHA256: hex.EncodeToString(sum[:]), file: file, lines: strings.Split(string(text), "\n")}
	for i := range a.Parts {
		if name := a.Parts[i].Name; formula(name) {
			return nil, a.refuse(&a.Parts[i], fmt.Errorf("the name %q begins as a formula does, and a spreadsheet would compute it; begin it with a letter", name))
		}
	}
	return a, nil
}

// formula reports whether a spreadsheet would compute a text.
func formula(text string) bool { return text != "" && strings.ContainsAny(text[:1], "=+-@") }

// refuse is an error at a part.
func (a *Assignment) refuse(p *spec.Part, err error) error {
	return spec.Errors{{Pos: p.Pos, Message: fmt.Sprintf("part %q: %v", p.Name, err), Source: strings.TrimRight(a.lines[p.Pos.Line-1], "\r"), Cause: err}}
}

// command is how the program in a file starts; "" if no command of the assignment starts such a file.
func (a *Assignment) command(file string) string {
	for _, c := range a.Commands {
		if c.Extension == "" || "."+c.Extension == filepath.Ext(file) {
			words := strings.NewReplacer("{file}", quoted(file), "{dir}", filepath.Dir(a.file))
			return words.Replace(c.Text)
		}
	}
	return ""
}

// quoted is a path as a word of a command.
func quoted(path string) string {
	if strings.ContainsAny(path, " \t'") {
		return `"` + path + `"`
	}
	return path
}

// settings are the runs of a part, with a program.
func (a *Assignment) settings(p *spec.Part, program string) []trial.Setting {
	var all []trial.Setting
	for i := range p.Cells {
		c := &p.Cells[i]
		for k := 1; k <= p.Seeds; k++ {
			s := results.SettingOf(c, results.TrialSeed(a.Seed, c.Key(), k))
			s.Node, s.MaxEvents = program, a.Limits.Events
			all = append(all, s)
		}
	}
	return all
}

// check draws each run of the assignment with a program, which it does not start.
func (a *Assignment) check(r *trial.Registry, program string) error {
	for i := range a.Parts {
		p := &a.Parts[i]
		for _, s := range a.settings(p, program) {
			in, err := r.Instance(s)
			if err == nil {
				err = checkCost(r, p, in)
			}
			if err != nil {
				return a.refuse(p, err)
			}
		}
	}
	return nil
}

// checkCost returns what is wrong with the costs of a part.
func checkCost(r *trial.Registry, p *spec.Part, in *trial.Instance) error {
	if p.Bound && len(in.Algorithm.Bounds) == 0 {
		return fmt.Errorf("%s declares no bounds", in.Algorithm.Name)
	}
	if p.Holds == nil {
		return nil
	}
	for _, name := range p.Holds.Names() {
		if _, known := given(in, name); known {
			continue
		}
		if _, err := r.Metric(name); err != nil {
			return fmt.Errorf("holds %q: %s is neither n nor f, nor a parameter of %s that is a number, nor a metric: %w", p.Holds, name, in.Algorithm.Name, err)
		}
	}
	return nil
}

// given is the value of a name in a cost that is known before the run.
func given(in *trial.Instance, name string) (float64, bool) {
	switch {
	case name == "n":
		return float64(in.N), true
	case name == "f":
		return float64(in.F), true
	case slices.Contains(in.Algorithm.ParamNames(), name):
		v, err := strconv.ParseFloat(in.Param(name), 64)
		return v, err == nil
	}
	return 0, false
}
