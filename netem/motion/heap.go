package motion

import "cmp"

// event is a link that changes, or the end of what is known of a process.
type event struct {
	at   int64
	ends bool // it is no link; links of an instant come first
	a, b int32
	up   bool
}

func (e event) before(f event) bool {
	if e.ends != f.ends && e.at == f.at {
		return f.ends
	}
	return cmp.Or(cmp.Compare(e.at, f.at), cmp.Compare(e.a, f.a), cmp.Compare(e.b, f.b)) < 0
}

// heap has the earliest event at its root.
type heap []event

func (h *heap) push(e event) {
	q := append(*h, e)
	*h = q
	i := len(q) - 1
	for i > 0 && e.before(q[(i-1)/2]) {
		q[i] = q[(i-1)/2]
		i = (i - 1) / 2
	}
	q[i] = e
}

func (h *heap) pop() event {
	q := *h
	root, last := q[0], q[len(q)-1]
	q = q[:len(q)-1]
	*h = q
	if len(q) == 0 {
		return root
	}
	i := 0
	for {
		child := 2*i + 1
		if child+1 < len(q) && q[child+1].before(q[child]) {
			child++
		}
		if child >= len(q) || !q[child].before(last) {
			break
		}
		q[i] = q[child]
		i = child
	}
	q[i] = last
	return root
}
