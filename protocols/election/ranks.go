package election

import (
	"iter"

	"bullring/protocols"
)

// Ranks are the ranks of the processes of an election, by address. They are listed, or they
// are computed when asked for and take no memory.
type Ranks struct {
	listed   []Rank     // nil if all are computed
	computed *Placement `explore:"-"` // nil if only listed
}

// Placement computes which identity stands at which of N addresses.
type Placement struct {
	N        int
	Identity func(protocols.ID) Identity
	// Address is the inverse; -1 if no process has the identity.
	Address func(Identity) protocols.ID
}

// Listed returns these ranks.
func Listed(ranks []Rank) Ranks { return Ranks{listed: ranks} }

// Placed returns the ranks of a placement, without attributes.
func Placed(p *Placement) Ranks { return Ranks{computed: p} }

// With returns the ranks with an attribute for each address.
func (r Ranks) With(attribute func(protocols.ID) float64) Ranks {
	r.listed = r.List()
	for p := range r.listed {
		r.listed[p].Attr = attribute(protocols.ID(p))
	}
	return r
}

// Len is the number of processes.
func (r Ranks) Len() int {
	if r.listed == nil && r.computed != nil {
		return r.computed.N
	}
	return len(r.listed)
}

// At is the rank of the process at an address.
func (r Ranks) At(p protocols.ID) Rank {
	if r.listed == nil && r.computed != nil {
		return Rank{ID: r.computed.Identity(p)}
	}
	return r.listed[p]
}

// All are the addresses with their ranks, ascending.
func (r Ranks) All() iter.Seq2[protocols.ID, Rank] {
	return func(yield func(protocols.ID, Rank) bool) {
		for p := range protocols.ID(r.Len()) {
			if !yield(p, r.At(p)) {
				return
			}
		}
	}
}

// List is a new list of all ranks, by address.
func (r Ranks) List() []Rank {
	list := make([]Rank, 0, r.Len())
	for _, rank := range r.All() {
		list = append(list, rank)
	}
	return list
}

// Address is the address of an identity, -1 if no process has it.
func (r Ranks) Address(id Identity) protocols.ID {
	if r.computed != nil {
		return r.computed.Address(id)
	}
	for p, rank := range r.listed {
		if rank.ID == id {
			return protocols.ID(p)
		}
	}
	return -1
}
