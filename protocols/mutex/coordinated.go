package mutex

import "bullring/protocols"

// Coordinated is a lock with a coordinator that can be replaced.
type Coordinated[M any] interface {
	Lock[M]
	protocols.Coordinated[M]
}

// CoordinatedClient is a client with such a lock.
type CoordinatedClient[M any] struct {
	*Client[M]
	lock   Coordinated[M]
	before int `explore:"-"` // for reports
}

// NewCoordinatedClient returns the process with that lock. It panics as [NewClient]
// does.
func NewCoordinatedClient[M any](lock Coordinated[M], work Workload) *CoordinatedClient[M] {
	return &CoordinatedClient[M]{Client: NewClient[M](lock, work), lock: lock}
}

// Coordinator tells the lock which process coordinates from now on.
func (c *CoordinatedClient[M]) Coordinator(n protocols.Node[M], who protocols.ID, term int) {
	c.before = c.usage.Entered
	c.lock.Coordinator(n, who, term)
	c.look(n)
}

// Before is the number of entries of the client when a coordinator was named last.
func (c *CoordinatedClient[M]) Before() int { return c.before }

// Waits reports whether the process waits for another.
func (c *CoordinatedClient[M]) Waits() bool { return c.lock.Waits() }
