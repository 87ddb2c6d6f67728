package explore

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// content is the content of a channel: the messages in the order in which they were sent
// or, without FIFO, of their hashes.
type content struct {
	items  []item
	hash   hash
	urgent bool // one of them must arrive now
	counts tally
}

// item is a message on its way with the time that it still has.
type item struct {
	message uint32
	left    uint32
}

// contents are the contents of channels, by number.
type contents struct {
	*store
	interned[string, content]
	tallied []string // the kinds that are counted
}

// push puts a message on a channel.
func (cs *contents) push(on, message uint32) uint32 {
	return cs.changed(on, opPush, uint64(message), func() uint32 {
		return cs.contentNumber(slices.Concat(cs.at(on).items, []item{{message, uint32(cs.Bound)}}))
	})
}

// take takes the i-th message from a channel.
func (cs *contents) take(on uint32, i int) uint32 {
	return cs.changed(on, opTake, uint64(i), func() uint32 {
		return cs.contentNumber(slices.Delete(slices.Clone(cs.at(on).items), i, i+1))
	})
}

// double inserts a copy of the i-th message after it.
func (cs *contents) double(on uint32, i int) uint32 {
	return cs.changed(on, opDouble, uint64(i), func() uint32 {
		items := cs.at(on).items
		return cs.contentNumber(slices.Insert(slices.Clone(items), i, items[i]))
	})
}

// age lets a step of time pass on a channel.
func (cs *contents) age(on uint32) uint32 {
	return cs.changed(on, opAge, 0, func() uint32 {
		items := slices.Clone(cs.at(on).items)
		for i := range items {
			items[i].left--
		}
		return cs.contentNumber(items)
	})
}

// contentNumber is the number of a content.
func (cs *contents) contentNumber(items []item) uint32 {
	if !cs.FIFO {
		slices.SortFunc(items, cs.compare)
	}
	var text []byte
	urgent := false
	var counts tally
	for _, it := range items {
		counts.count(cs, it.message)
		text = cs.handlers.messageHash(it.message).append(text)
		text = binary.AppendUvarint(text, uint64(it.left))
		urgent = urgent || cs.Bound > 0 && it.left == 0
	}
	cs.lock.Lock()
	defer cs.lock.Unlock()
	i, fresh := cs.number(string(text), func() content { return content{items, digest(text), urgent, counts} })
	if fresh {
		cs.keeps(8*len(items) + len(text))
	}
	return cs.limited(i, "contents of channels")
}

// compare orders messages on their way by their hashes. Their numbers depend on which
// worker came first.
func (cs *contents) compare(a, b item) int {
	g, h := cs.handlers.messageHash(a.message), cs.handlers.messageHash(b.message)
	return cmp.Or(cmp.Compare(g.first, h.first), cmp.Compare(g.second, h.second), cmp.Compare(a.left, b.left))
}
