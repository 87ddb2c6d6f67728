package live

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"bullring/netem"
)

// lingering is the time that handlers have to return when the run is over.
const lingering = time.Second

// returned waits until the goroutines of a run have ended, but not longer than lingering: a
// handler may never return.
func returned(working *sync.WaitGroup) bool {
	ended := make(chan struct{})
	go func() {
		working.Wait()
		close(ended)
	}()
	select {
	case <-ended:
		return true
	case <-time.After(lingering):
		return false
	}
}

// hand is the step whose handler a node runs, for other goroutines; nil between two steps.
type hand struct {
	atomic.Pointer[netem.Record]
	vain atomic.Pointer[string] // for what the handler has waited in vain; nil for nothing
}

// waited notes that the handler has waited in vain. It is the last one of the node.
func (h *hand) waited(text string) { h.vain.Store(&text) }

// late reports whether a handler of the node has waited in vain.
func (h *hand) late() bool { return h.vain.Load() != nil }

// text names the handler, or is "" between two steps.
func (h *hand) text() string {
	r := h.Load()
	if r == nil {
		return ""
	}
	if text := h.vain.Load(); text != nil {
		return *text
	}
	handler := map[string]string{"start": "Start", "boot": "Boot", "restart": "its restart"}[r.What]
	switch r.What {
	case "deliver":
		handler = fmt.Sprintf("Receive(%v from %d)", r.Message, r.From)
	case "timeout":
		handler = fmt.Sprintf("Timeout(%d)", r.Timer)
	}
	return fmt.Sprintf("process %d does not return from %s", r.Who, handler)
}

// stuck names the handlers of nodes that have not returned, or have waited in vain.
func stuck(nodes []*node) (all []string) {
	for _, n := range nodes {
		if text := n.hand.text(); text != "" {
			all = append(all, text)
		}
	}
	return all
}
