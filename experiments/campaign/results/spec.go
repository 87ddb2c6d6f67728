package results

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"bullring/experiments/campaign/spec"
	"bullring/experiments/trial"
	"bullring/internal/regular"
	"bullring/plots"
)

// ParseSpec reads a sweep over this registry. The name of the file is for messages, and its
// directory is that of the included file.
func ParseSpec(r *trial.Registry, file string, text []byte) (*spec.Spec, error) {
	check := specChecker(r, includeBeside(file))
	check.Text = plots.CheckText
	return spec.Parse(file, text, check)
}

// ParseKept reads a sweep that results keep. include returns the included file. The trials
// have run already, so a label that cannot be drawn is no error here.
func ParseKept(r *trial.Registry, file string, text []byte, include func(name string) ([]byte, error)) (*spec.Spec, error) {
	return spec.Parse(file, text, specChecker(r, include))
}

// specChecker checks the words of a sweep against the registry.
func specChecker(r *trial.Registry, include func(name string) ([]byte, error)) spec.Checker {
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
		Value:   trial.CheckCondition,
		Bound:   func(algorithm, name string) error { return checkBound(r, algorithm, name) },
		Include: include,
		Metric: func(name string) error {
			if IsEstimate(name) {
				return nil
			}
			_, err := r.Metric(name)
			return err
		},
		Reach:     checkReach,
		Estimated: IsEstimate,
		Timed:     func(name string) bool { m, err := r.Metric(name); return err == nil && m.InTime() },
		Formula: func(m *spec.Metric) (bool, error) {
			d, err := ownMetric(r, m)
			return err == nil && d.InTime(), err
		},
		Algorithms: r.Names(),
		Metrics:    slices.Concat(r.Metrics(), estimateNames()),
	}
}

// includeBeside returns a function that reads files in the directory of a sweep.
func includeBeside(file string) func(name string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		if strings.EqualFold(name, SpecFile) { // some file systems ignore case
			return nil, fmt.Errorf("%s is the name under which results keep the sweep itself; name the file otherwise", name)
		}
		return regular.Read(filepath.Join(filepath.Dir(file), name), spec.MaxFile)
	}
}

func checkBound(r *trial.Registry, algorithm, name string) error {
	a, err := r.Find(algorithm)
	if err != nil {
		return nil // the unknown name was reported where it stands
	}
	b, err := a.Bound(name)
	if err == nil && b.Of != nil && b.Curve == nil {
		return fmt.Errorf("%s of %s compares two measures of one run, so it has no value where nothing ran: draw the metric %s%s", name, a.Name, trial.RatioPrefix, name)
	}
	return err
}

// SourceLine returns a line of a sweep, or of the file that it includes.
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

// Schema returns the grammar of sweeps as JSON Schema, for editors: see [spec.Schema]. Its
// words are the algorithms, variants and metrics of the registry.
func Schema(r *trial.Registry) ([]byte, error) {
	o := spec.SchemaOptions{Algorithms: r.Names(), Metrics: slices.Concat(r.Metrics(), estimateNames())}
	add := func(list *[]string, word string) {
		if !slices.Contains(*list, word) {
			*list = append(*list, word)
		}
	}
	for _, a := range r.All() {
		for _, word := range slices.Concat(a.Variants...) {
			add(&o.Variants, word)
		}
		for _, d := range a.Declarations() {
			for _, kind := range d.Kinds {
				add(&o.Metrics, trial.SentPrefix+kind)
			}
			for i := range d.Bounds {
				add(&o.Metrics, trial.RatioPrefix+d.Bounds[i].Name)
			}
		}
	}
	return spec.Schema(o)
}

// ParseAssignment reads an assignment over this registry. The name of the file is for messages.
func ParseAssignment(r *trial.Registry, file string, text []byte) (*spec.Assignment, error) {
	return spec.ParseAssignment(file, text, specChecker(r, nil))
}
