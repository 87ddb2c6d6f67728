package results

import (
	"fmt"
	"path/filepath"
	"strings"

	"bullring/des"
	"bullring/experiments"
	"bullring/experiments/setting"
	"bullring/experiments/spec"
	"bullring/internal/regular"
	"bullring/plots"
)

// ParseSpec reads a sweep whose words are those of this registry. The name of
// the file is for positions, and for the directory that an included file is in.
func ParseSpec(r *experiments.Registry, file string, text []byte) (*spec.Spec, error) {
	check := specChecker(r, includeBeside(file))
	check.Text = plots.CheckText
	return spec.Parse(file, text, check)
}

// ParseKept reads a sweep that results keep, whose included file is taken from
// somewhere. Its trials have run, so a label that cannot be drawn is no error here.
func ParseKept(r *experiments.Registry, file string, text []byte, include func(name string) ([]byte, error)) (*spec.Spec, error) {
	return spec.Parse(file, text, specChecker(r, include))
}

// specChecker knows the words of the registry.
func specChecker(r *experiments.Registry, include func(name string) ([]byte, error)) spec.Checker {
	return spec.Checker{
		Algorithm: func(name string) error { _, err := r.Find(name); return err },
		Variant: func(algorithm, variant string) error {
			a, err := r.Find(algorithm)
			if err != nil {
				return nil // the unknown name was reported where it stands
			}
			_, err = a.Variant(variant)
			return err
		},
		Value:   experiments.CheckCondition,
		Bound:   func(algorithm, name string) error { return checkBound(r, algorithm, name) },
		Include: include,
		Metric:  func(name string) error { _, err := r.Metric(name); return err },
		Timed:   func(name string) bool { m, err := r.Metric(name); return err == nil && m.InTime() },
		Formula: func(m *spec.Metric) (bool, error) {
			d, err := Derive(r, m)
			return err == nil && d.InTime(), err
		},
		Algorithms: r.Names(),
		Metrics:    r.Metrics(),
	}
}

// includeBeside reads files that stand beside a sweep.
func includeBeside(file string) func(name string) ([]byte, error) {
	return func(name string) ([]byte, error) { return readIncluded(filepath.Dir(file), name) }
}

// readIncluded reads a file that a sweep includes.
func readIncluded(dir, name string) ([]byte, error) {
	if strings.EqualFold(name, SpecFile) { // some file systems take them for one
		return nil, fmt.Errorf("%s is the name under which results keep the sweep itself; name the file otherwise", name)
	}
	return regular.Read(filepath.Join(dir, name), spec.MaxFile)
}

func checkBound(r *experiments.Registry, algorithm, name string) error {
	a, err := r.Find(algorithm)
	if err != nil {
		return nil // the unknown name was reported where it stands
	}
	_, err = a.Bound(name)
	return err
}

// SettingOf is the setting of a trial of the cell.
func SettingOf(c *spec.Cell, seed uint64) experiments.Setting {
	s := c.Setting
	s.Seed = seed
	return s
}

// TrialSeed is the seed of a trial. It depends on the conditions of the cell,
// but neither on the algorithm, so that algorithms meet the same delays and
// placements, nor on what else the sweep holds. Replicates count from 1.
func TrialSeed(seed uint64, key string, replicate int) uint64 {
	s := des.NewStream(seed, "trial "+key, uint64(replicate))
	return s.Uint64()
}

// SourceLine returns the line of a sweep, or of the file that it includes.
func SourceLine(s *spec.Spec, text []byte, at spec.Pos) string {
	if in := s.Included; in != nil && at.File == in.File {
		text = in.Text
	}
	lines := strings.Split(string(text), "\n")
	if at.Line < 1 || at.Line > len(lines) {
		return ""
	}
	return strings.TrimRight(lines[at.Line-1], "\r")
}

// InstanceOf is a trial of a cell.
func InstanceOf(r *experiments.Registry, c *spec.Cell, seed uint64, outside bool) (*experiments.Instance, error) {
	set := SettingOf(c, seed)
	set.OutsideModel = outside
	return r.Instance(set)
}

// CellName names a cell in errors.
func CellName(c *spec.Cell) string {
	words := []string{c.Algorithm}
	for _, a := range namedOrder {
		if v := a.Get(&c.Setting); v != a.Usual {
			words = append(words, a.Name+"="+v)
		}
	}
	return strings.Join(words, " ")
}

// namedOrder is the order in which errors name the conditions of a cell.
var namedOrder = setting.InOrder("variant", "n", "placement", "initiators", "dead", "topology", "delay", "fifo",
	"link", "link_mode", "delta", "gst", "transport", "detector", "assume", "until", "max_time", "fault", "param")
