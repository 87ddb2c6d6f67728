package remote

import "sync"

// mailbox is a queue without a limit: if the coordinator could let a host wait, and the host a
// node, and the node the coordinator, none of them would go on.
type mailbox[T any] struct {
	mutex sync.Mutex
	all   []T
	some  chan struct{} // has room for one
}

func newMailbox[T any]() *mailbox[T] { return &mailbox[T]{some: make(chan struct{}, 1)} }

func (m *mailbox[T]) put(one T) {
	m.mutex.Lock()
	m.all = append(m.all, one)
	m.mutex.Unlock()
	select {
	case m.some <- struct{}{}:
	default:
	}
}

// take takes all that came.
func (m *mailbox[T]) take() []T {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	all := m.all
	m.all = nil
	return all
}
