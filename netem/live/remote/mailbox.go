package remote

import "sync"

// mailbox is a queue without a limit: if the coordinator could let a host wait, and the host a
// node, and the node the coordinator, none of them would go on.
type mailbox struct {
	mutex sync.Mutex
	all   []event
	some  chan struct{} // has room for one
}

// event is news for the coordinator.
type event struct {
	guest int
	news  *news  // nil if the host is gone
	fault *Fault // that is due
}

func (m *mailbox) put(e event) {
	m.mutex.Lock()
	m.all = append(m.all, e)
	m.mutex.Unlock()
	select {
	case m.some <- struct{}{}:
	default:
	}
}

// take takes all that came.
func (m *mailbox) take() []event {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	all := m.all
	m.all = nil
	return all
}
