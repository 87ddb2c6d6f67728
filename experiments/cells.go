package experiments

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"bullring/des"
	"bullring/experiments/spec"
	"bullring/faults"
	"bullring/internal/regular"
	"bullring/internal/suggest"
	"bullring/netem"
	"bullring/netem/impair"
	"bullring/plots"
)

// ParseSpec reads a sweep whose words are those of this registry. The name of
// the file is for positions, and for the directory that an included file is in.
func (r *Registry) ParseSpec(file string, text []byte) (*spec.Spec, error) {
	check := r.specChecker(includeBeside(file))
	check.Text = plots.CheckText
	return spec.Parse(file, text, check)
}

// parseKept reads a sweep that results keep, whose included file is taken from
// somewhere. Its trials have run, so a label that cannot be drawn is no error here.
func (r *Registry) parseKept(file string, text []byte, include func(name string) ([]byte, error)) (*spec.Spec, error) {
	return spec.Parse(file, text, r.specChecker(include))
}

// specChecker knows the words of the registry.
func (r *Registry) specChecker(include func(name string) ([]byte, error)) spec.Checker {
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
		Bound:   r.checkBound,
		Include: include,
		Metric:  func(name string) error { _, err := r.Metric(name); return err },
		Timed:   func(name string) bool { m, err := r.Metric(name); return err == nil && m.inTime() },
		Formula: func(m *spec.Metric) (bool, error) {
			d, err := r.derive(m)
			return err == nil && d.inTime(), err
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
		_, err = Place(value, 1, 0)
	case "delay":
		_, err = des.ParseDistribution(value)
	case "topology":
		if isGraphFile(value) {
			err = checkGraphFile(value)
		} else if value != "" {
			err = netem.CheckTopology(value)
		}
	case "fault":
		_, err = faults.Parse(value)
	case "link":
		_, err = ParseLinks(value)
	case "link_mode":
		_, err = impair.ParseMode(value)
	case "detector":
		_, err = parseDetector(value)
	case "transport":
		_, err = parseTransport(value)
	case "assume":
		err = checkAssumed(value)
	case "delta", "gst", "until", "max_time":
		var d time.Duration
		err = readDuration(axis, value, &d)
	case "param":
		_, err = splitParams(value)
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
	_, err := listedAddresses(axis, value, MaxN)
	return err
}

func (r *Registry) checkBound(algorithm, name string) error {
	a, err := r.Find(algorithm)
	if err != nil {
		return nil // the unknown name was reported where it stands
	}
	_, err = a.bound(name)
	return err
}

// bound returns the bound of that name.
func (a *Algorithm) bound(name string) (*Bound, error) {
	var names []string
	for _, d := range a.Declarations() {
		for i := range d.Bounds {
			if d.Bounds[i].Name == name {
				return &d.Bounds[i], nil
			}
			if !slices.Contains(names, d.Bounds[i].Name) {
				names = append(names, d.Bounds[i].Name)
			}
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s declares no bounds", a.Name)
	}
	return nil, fmt.Errorf("%s has no bound %q%s; it has %s", a.Name, name, suggest.DidYouMean(name, names), strings.Join(names, ", "))
}

// setting is the setting of a trial of the cell.
func setting(c *spec.Cell, seed uint64) Setting {
	return Setting{
		Algorithm: c.Algorithm, Variant: c.Variant, Param: c.Param, N: c.N, Placement: c.Placement,
		Initiators: c.Initiators, Dead: c.Dead, Topology: c.Topology, Delay: c.Delay,
		Link: c.Link, LinkMode: c.LinkMode, Delta: c.Delta, GST: c.GST, Transport: c.Transport,
		Detector: c.Detector, Assume: c.Assume, Until: c.Until, MaxTime: c.MaxTime,
		Unordered: !c.FIFO, Fault: c.Fault, Seed: seed,
	}
}

// trialSeed is the seed of a trial. It depends on the conditions of the cell,
// but neither on the algorithm, so that algorithms meet the same delays and
// placements, nor on what else the sweep holds. Replicates count from 1.
func trialSeed(seed uint64, key string, replicate int) uint64 {
	s := des.NewStream(seed, "trial "+key, uint64(replicate))
	return s.Uint64()
}

// maxResolveErrors is how many cells are reported that cannot run.
const maxResolveErrors = 20

// resolve returns the cells, and what their tables have. The error tells what keeps
// cells from running, or their results from being written and drawn, at its place in
// the file.
func (s *Sweep) resolve() ([]spec.Cell, layout, error) {
	if s.join == nil { // else it has run
		if err := s.checkFormulas(); err != nil {
			return nil, layout{}, err
		}
	}
	cells := s.Spec.Cells()
	if err := s.resolveCells(cells); err != nil {
		return nil, layout{}, err
	}
	l, err := s.Registry.layout(s.Spec)
	if err == nil && s.join == nil { // of a join the trials have run: its figures can be mended
		err = s.checkDrawn(cells, l)
	}
	return cells, l, err
}

func (s *Sweep) resolveCells(cells []spec.Cell) error {
	var found spec.Errors
	seen := map[spec.Error]bool{}
	for i := range cells {
		err := s.resolveCell(&cells[i])
		if err == nil {
			continue
		}
		e := spec.Error{Pos: s.Spec.Entries[cells[i].Entry].Pos, Message: err.Error()}
		if seen[e] { // for another n, most often
			continue
		}
		seen[e] = true
		e.Message, e.Cause = fmt.Sprintf("%s: %v", cellName(&cells[i]), err), err
		e.Source = sourceLine(s.Spec, s.Text, e.Pos)
		if found = append(found, e); len(found) == maxResolveErrors {
			break
		}
	}
	if len(found) == 0 {
		return nil
	}
	return found
}

// sourceLine returns the line of a sweep, or of the file that it includes.
func sourceLine(s *spec.Spec, text []byte, at spec.Pos) string {
	if in := s.Included; in != nil && at.File == in.File {
		text = in.Text
	}
	lines := strings.Split(string(text), "\n")
	if at.Line < 1 || at.Line > len(lines) {
		return ""
	}
	return strings.TrimRight(lines[at.Line-1], "\r")
}

// resolveCell reads the settings of a cell: of one trial, unless chance could
// let an initiator be dead in another, or draw faults outside the model.
func (s *Sweep) resolveCell(c *spec.Cell) error {
	replicates := 1
	if strings.HasPrefix(c.Dead, "random:") || strings.Contains(c.Fault, "random") {
		replicates = s.Spec.Replicates
	}
	key := c.Key()
	for k := 1; k <= replicates; k++ {
		if _, err := s.instance(c, trialSeed(s.Spec.Seed, key, k)); err != nil {
			return err
		}
	}
	return nil
}

func (s *Sweep) instance(c *spec.Cell, seed uint64) (*Instance, error) {
	return s.Registry.instance(c, seed, s.outsideModel())
}

// instance is a trial of a cell.
func (r *Registry) instance(c *spec.Cell, seed uint64, outside bool) (*Instance, error) {
	set := setting(c, seed)
	set.OutsideModel = outside
	return r.Instance(set)
}

// cellName names a cell in errors.
func cellName(c *spec.Cell) string {
	words := []string{c.Algorithm}
	for _, w := range []struct{ name, value, usual string }{
		{"variant", c.Variant, ""},
		{"n", strconv.Itoa(c.N), ""},
		{"placement", c.Placement, "increasing"},
		{"initiators", c.Initiators, ""},
		{"dead", c.Dead, "none"},
		{"topology", c.Topology, ""},
		{"delay", c.Delay, DefaultDelay},
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
