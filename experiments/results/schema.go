package results

import (
	"slices"

	"bullring/experiments"
	"bullring/experiments/spec"
)

// Schema returns the grammar of sweeps as JSON Schema, for editors: see [spec.Schema]. Its
// words are the algorithms, variants and metrics of the registry.
func Schema(r *experiments.Registry) ([]byte, error) {
	o := spec.SchemaOptions{Algorithms: r.Names(), Metrics: r.Metrics()}
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
			for i := range d.Bounds {
				add(&o.Metrics, experiments.RatioPrefix+d.Bounds[i].Name)
			}
		}
	}
	return spec.Schema(o)
}
