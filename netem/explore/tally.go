package explore

import (
	"fmt"
	"slices"

	"bullring/protocols"
)

// tally is how many messages of each kind that a Tally counts are under way.
type tally [mostTallied]uint8

const mostTallied = 4

// talliesOf are the kinds of messages that a watch counts, nil for one that counts none.
func talliesOf(w Watch) []string {
	t, counts := w.(Tally)
	if !counts {
		return nil
	}
	kinds := t.Tallies()
	if len(kinds) > mostTallied {
		panic(fmt.Sprintf("explore: a watch counts messages of %d kinds; allowed are %d", len(kinds), mostTallied))
	}
	return kinds
}

// count counts a message, if its kind is counted.
func (t *tally) count(cs *contents, message uint32) {
	if len(cs.tallied) == 0 {
		return
	}
	m := cs.handlers.message(message).(protocols.Message)
	if i := slices.Index(cs.tallied, m.Kinds()[m.Kind()]); i >= 0 {
		t.add(cs.store, i, 1)
	}
}

// add adds to the count of the i-th kind.
func (t *tally) add(st *store, i int, more uint8) {
	if t[i]+more < more {
		st.fail(fmt.Errorf("%w: more than 255 messages of a kind under way", errRoom))
	}
	t[i] += more
}

// number packs the counts into a number.
func (t *tally) number() (n uint64) {
	for i, count := range t {
		n |= uint64(count) << (8 * i)
	}
	return n
}

// tally tells the watch of the next state how many messages are under way, if it wants to know.
func (x *expander) tally() {
	kinds := len(x.contents.tallied)
	if kinds == 0 {
		return
	}
	var all tally
	words, l := x.next.words, x.layout
	for c, ch := range x.channels.list {
		on := words[l.channel+c]
		if on == 0 || words[l.crashed]>>ch.to&1 == 1 {
			continue
		}
		for i, count := range x.contents.at(on).counts[:kinds] {
			all.add(x.store, i, count)
		}
	}
	x.setWatch(x.watches.tallied(words[l.watch], all, kinds))
}
