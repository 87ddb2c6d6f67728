package protocols

import "fmt"

// NoTimers is embedded in a process, with messages of type M, that never sets a timer. It
// is the handler that is never called.
type NoTimers[M any] struct{}

// Timeout panics.
func (NoTimers[M]) Timeout(_ Node[M], t Timer) {
	panic(fmt.Sprintf("a process that never sets a timer is told that timer %d expired", t))
}
