package results

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"bullring/des"
	"bullring/experiments"
	"bullring/experiments/spec"
	"bullring/faults"
	"bullring/internal/regular"
	"bullring/netem"
	"bullring/netem/impair"
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
		Value:   checkValue,
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

// checkValue checks what can be told of a value without its cell.
func checkValue(axis, value string) error {
	var err error
	switch axis {
	case "placement":
		_, err = experiments.Place(value, 1, 0)
	case "delay":
		_, err = des.ParseDistribution(value)
	case "topology":
		if experiments.IsGraphFile(value) {
			err = experiments.CheckGraphFile(value)
		} else if value != "" {
			err = netem.CheckTopology(value)
		}
	case "fault":
		_, err = faults.Parse(value)
	case "link":
		_, err = experiments.ParseLinks(value)
	case "link_mode":
		_, err = impair.ParseMode(value)
	case "detector":
		_, err = experiments.ParseDetector(value)
	case "transport":
		_, err = experiments.ParseTransport(value)
	case "assume":
		err = experiments.CheckAssumed(value)
	case "delta", "gst", "until", "max_time":
		var d time.Duration
		err = experiments.ReadDuration(axis, value, &d)
	case "param":
		_, err = experiments.SplitParams(value)
	case "initiators", "dead":
		err = checkAddresses(axis, value)
	}
	return err
}

// checkAddresses checks the words; whether there are such processes depends on
// n.
func checkAddresses(axis, value string) error {
	if value == "" || axis == "initiators" && value == "all" || axis == "dead" && value == "none" {
		return nil
	}
	if k, ok := strings.CutPrefix(value, "random:"); ok {
		if count, err := strconv.Atoi(k); err != nil || count < 1 {
			return fmt.Errorf("%q: random:K takes a positive number", value)
		}
		return nil
	}
	_, err := experiments.ListedAddresses(axis, value, experiments.MaxN)
	return err
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
	return experiments.Setting{
		Algorithm: c.Algorithm, Variant: c.Variant, Param: c.Param, N: c.N, Placement: c.Placement,
		Initiators: c.Initiators, Dead: c.Dead, Topology: c.Topology, Delay: c.Delay,
		Link: c.Link, LinkMode: c.LinkMode, Delta: c.Delta, GST: c.GST, Transport: c.Transport,
		Detector: c.Detector, Assume: c.Assume, Until: c.Until, MaxTime: c.MaxTime,
		Unordered: !c.FIFO, Fault: c.Fault, Seed: seed,
	}
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
	for _, w := range []struct{ name, value, usual string }{
		{"variant", c.Variant, ""},
		{"n", strconv.Itoa(c.N), ""},
		{"placement", c.Placement, "increasing"},
		{"initiators", c.Initiators, ""},
		{"dead", c.Dead, "none"},
		{"topology", c.Topology, ""},
		{"delay", c.Delay, experiments.DefaultDelay},
		{"fifo", strconv.FormatBool(c.FIFO), "true"},
		{"link", c.Link, ""},
		{"link_mode", c.LinkMode, ""},
		{"delta", c.Delta, ""},
		{"gst", c.GST, ""},
		{"transport", c.Transport, ""},
		{"detector", c.Detector, ""},
		{"assume", c.Assume, ""},
		{"until", c.Until, ""},
		{"max_time", c.MaxTime, ""},
		{"fault", c.Fault, ""},
		{"param", c.Param, ""},
	} {
		if w.value != w.usual {
			words = append(words, fmt.Sprintf("%s=%s", w.name, w.value))
		}
	}
	return strings.Join(words, " ")
}
