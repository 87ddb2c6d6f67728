package multicast

import "bullring/protocols"

// Coordinated is an algorithm for multicast with a coordinator that can be replaced.
type Coordinated[M any] interface {
	Service[M]
	protocols.Coordinated[M]
}

// CoordinatedClient is a client with such an algorithm.
type CoordinatedClient[M any] struct {
	*Client[M]
	service Coordinated[M]
	before  int `explore:"-"` // for reports
}

// NewCoordinatedClient returns the process with that service, as [NewClient] does.
func NewCoordinatedClient[M any](service Coordinated[M], work Workload) *CoordinatedClient[M] {
	return &CoordinatedClient[M]{Client: NewClient[M](service, work), service: service}
}

// Coordinator names the coordinator of a term to the service.
func (c *CoordinatedClient[M]) Coordinator(n protocols.Node[M], who protocols.ID, term int) {
	c.before = len(c.Delivered())
	c.service.Coordinator(n, who, term)
}

// Before is the number of items delivered when a coordinator was named last.
func (c *CoordinatedClient[M]) Before() int { return c.before }

// Waits reports whether the process waits for another.
func (c *CoordinatedClient[M]) Waits() bool { return c.service.Waits() }
