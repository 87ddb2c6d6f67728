// Package catalog is the registry of the built-in algorithms, with their papers and the
// comments of their packages. The rooms below it declare what they assume, and the bounds
// that every run of them is held to.
package catalog

import (
	"slices"

	"bullring/experiments/catalog/broadcast"
	"bullring/experiments/catalog/commit"
	"bullring/experiments/catalog/consensus"
	"bullring/experiments/catalog/elections"
	"bullring/experiments/catalog/mutex"
	"bullring/experiments/catalog/services"
	"bullring/experiments/catalog/termination"
	"bullring/experiments/catalog/waves"
	"bullring/experiments/trial"
)

// New returns a registry of the built-in algorithms, by family.
func New() *trial.Registry {
	r := &trial.Registry{Bibliography: bibliography()}
	r.Register(documented(elections.All())...)
	r.Register(documented(consensus.All())...)
	r.Register(documented(broadcast.All())...)
	r.Register(documented(commit.All())...)
	r.Register(documented(waves.All())...)
	r.Register(documented(termination.All())...)
	r.Register(documented(slices.Concat(mutex.All(r), services.All(r)))...) // any election can replace their coordinators
	return r
}
