package experiments

import (
	"fmt"
	"strconv"
	"strings"

	"bullring/internal/build"
	"bullring/netem"
	"bullring/plots"
)

// Pictured reports why runs of an instance have no picture, nil if they have one.
func (r *Registry) Pictured(in *Instance) error {
	if in.Algorithm.Pictured != nil {
		return in.Algorithm.Pictured(in)
	}
	var have []string
	for _, a := range r.All() {
		if a.Pictured != nil {
			have = append(have, a.Name)
		}
	}
	if len(have) == 0 {
		have = []string{"none"}
	}
	return fmt.Errorf("runs of %s have no picture; those that have one: %s", in.Algorithm.Name, strings.Join(have, ", "))
}

// Picture is a drawing of the run; ok is false if the run has none: see
// Registry.Pictured.
func (r *Result) Picture() (f *plots.Figure, ok bool) {
	p, ok := r.Judge.(Picturer)
	if !ok || r.Instance.Algorithm.Pictured(r.Instance) != nil {
		return nil, false
	}
	s := &r.Instance.Setting
	f = p.Picture()
	f.Name = s.Algorithm
	f.Meta = []plots.Meta{
		{Key: "Software", Value: "bullring " + build.ThisProgram().String()},
		{Key: "Epoch", Value: strconv.Itoa(netem.Epoch)},
		{Key: "Algorithm", Value: s.Algorithm},
		{Key: "Processes", Value: strconv.Itoa(s.N)},
		{Key: "Seed", Value: strconv.FormatUint(s.Seed, 10)},
		{Key: "Fingerprint", Value: fmt.Sprintf("%016x", r.Fingerprint)},
	}
	return f, true
}
