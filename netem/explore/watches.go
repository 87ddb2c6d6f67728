package explore

import (
	"math/bits"
	"time"

	"bullring/internal/value"
	"bullring/netem"
	"bullring/protocols"
)

// watched is a state of a watch with its verdicts.
type watched struct {
	watch Watch
	hash  hash
	// A bit for each property: holds if it holds now; broken for an Always that is violated;
	// lacking for an Eventually that would be violated at rest; bad if an endless run among
	// states with that bit violates it; excused if it would be undecided at rest.
	holds, broken, lacking, bad, excused uint64
}

// watches are the states of watches, by number.
type watches struct {
	*store
	interned[hash, watched]
	properties []Property
	timed      bool // watches get the time
	notices    table
	relinks    table
}

// after looks up the watch after the step.
func (ws *watches) after(watch uint32, what StepKind, p protocols.ID, process, now uint32) uint32 {
	if what == Boot || what == LinkUp || what == LinkDown {
		what = Timeout // a watch does not tell them apart
	}
	if ws.timed {
		return ws.notified(watch, what, p, process, now)
	}
	return ws.lookUp(&ws.notices, uint64(watch)<<36|uint64(what)<<33|uint64(p)<<28|uint64(process), func() uint32 {
		return ws.notified(watch, what, p, process, 0)
	})
}

// tallied is the watch when it knows how many messages are under way.
func (ws *watches) tallied(watch uint32, counts tally, kinds int) uint32 {
	return ws.changed(watch, opTally, counts.number(), func() uint32 {
		w := value.Clone(ws.at(watch).watch)
		told := make([]int, kinds)
		for i := range told {
			told[i] = int(counts[i])
		}
		w.(Tally).UnderWay(told)
		return ws.watchNumber(w)
	})
}

// relinked is the watch that has been told of the change of the i-th link. down has a bit for each link that
// is down then, of those of near.
func (ws *watches) relinked(watch, down, now uint32, i int, k netem.Link, near func(protocols.ID) []protocols.ID) uint32 {
	work := func() uint32 {
		w := value.Clone(ws.at(watch).watch)
		w.(LinkWatch).Relinked(near, ws.watchTime(now), k.A, k.B)
		return ws.watchNumber(w)
	}
	_, looks := ws.at(watch).watch.(LinkWatch)
	switch {
	case !looks:
		return watch
	case ws.timed:
		return work()
	}
	return ws.lookUp(&ws.relinks, uint64(watch)<<36|uint64(i)<<mostLinks|uint64(down), work)
}

// notified is the watch after the step.
func (ws *watches) notified(watch uint32, what StepKind, p protocols.ID, process, now uint32) uint32 {
	w := value.Clone(ws.at(watch).watch)
	notify(w, what, p, ws.handlers.process(process), ws.watchTime(now))
	return ws.watchNumber(w)
}

// notify tells a watch of a step.
func notify(w Watch, what StepKind, p protocols.ID, process any, now time.Duration) {
	switch what {
	case Start:
		w.Started(p, process, now)
	case Deliver:
		w.Received(p, process, now)
	case Crash:
		w.Crashed(p, now)
	case Restart:
		w.Restarted(p, process, now)
	default:
		w.Expired(p, process, now)
	}
}

// watchNumber is the number of a state of a watch.
func (ws *watches) watchNumber(w Watch) uint32 {
	text := value.Append(make([]byte, 0, 256), &w)
	h := digest(text)
	ws.lock.Lock()
	defer ws.lock.Unlock()
	i, fresh := ws.number(h, func() watched { return ws.judged(w, h) })
	if fresh {
		ws.keeps(2 * len(text))
	}
	return ws.limited(i, "states of the properties")
}

// judged adds the verdicts of a watch. It does not judge NoPanic, the first property.
func (ws *watches) judged(w Watch, h hash) watched {
	is := watched{watch: w, hash: h}
	now, atRest := w.Verdicts(false), w.Verdicts(true)
	for i := 1; i < len(ws.properties); i++ {
		bit, kind := uint64(1)<<i, ws.properties[i].Kind
		if now[i-1] == protocols.Holds {
			is.holds |= bit
		}
		if kind == Always && now[i-1] == protocols.Violated {
			is.broken |= bit
		}
		if kind == Eventually && atRest[i-1] == protocols.Violated {
			is.lacking, is.bad = is.lacking|bit, is.bad|bit
		}
		if kind == Eventually && atRest[i-1] == protocols.Undecided {
			is.excused |= bit
		}
		if kind == Finally {
			is.bad |= bit
		}
	}
	return is
}

// first is the first property of a set, 0 if it is empty. NoPanic is in none.
func first(properties uint64) int {
	if properties == 0 {
		return 0
	}
	return bits.TrailingZeros64(properties)
}

// rotated is the watch rotated by one address.
func (ws *watches) rotated(watch uint32) uint32 {
	return ws.changed(watch, opRotate, 0, func() uint32 {
		w := value.Clone(ws.at(watch).watch)
		w.(Rotator).Rotate()
		return ws.watchNumber(w)
	})
}
