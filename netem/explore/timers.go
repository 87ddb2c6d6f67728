package explore

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"time"

	"bullring/protocols"
)

// timerSet is the timers that a process has armed, by label.
type timerSet struct {
	timers []armed
	hash   hash
	urgent bool // one of them must expire now
}

type armed struct {
	label uint32
	left  uint32 // steps of time
}

// timerSets are the sets of timers of processes, by number.
type timerSets struct {
	*store
	interned[string, timerSet]
	settings interned[string, []arming]
	labels   interned[protocols.Timer, protocols.Timer]
}

// timerSetting numbers the changes that a handler makes to timers.
func (ts *timerSets) timerSetting(a []arming) uint32 {
	text := fmt.Sprint(a)
	i, fresh := ts.settings.number(text, func() []arming { return a })
	if fresh {
		ts.keeps(24*len(a) + len(text))
	}
	return i
}

// set applies a timer setting to a set of timers.
func (ts *timerSets) set(timers, setting uint32) uint32 {
	if setting == 0 {
		return timers
	}
	return ts.changed(timers, opSet, uint64(setting), func() uint32 {
		set := slices.Clone(ts.at(timers).timers)
		for _, a := range *ts.settings.at(setting) {
			label := ts.labelNumber(a.label)
			set = slices.DeleteFunc(set, func(t armed) bool { return t.label == label })
			if !a.stop {
				set = append(set, armed{label, ts.steps(a.after)})
			}
		}
		return ts.timerNumber(set)
	})
}

// steps is a duration in steps of time, 0 without a Bound.
func (ts *timerSets) steps(d time.Duration) uint32 {
	if ts.Bound == 0 {
		return 0
	}
	if d%ts.Step != 0 {
		ts.fail(fmt.Errorf("a timer of %v is no multiple of %v, the step of time; shorter steps are needed", d, ts.Step))
	}
	return uint32(min(d/ts.Step, math.MaxUint32))
}

// fire removes a timer from a set.
func (ts *timerSets) fire(timers, label uint32) uint32 {
	return ts.changed(timers, opFire, uint64(label), func() uint32 {
		return ts.timerNumber(slices.DeleteFunc(slices.Clone(ts.at(timers).timers), func(t armed) bool { return t.label == label }))
	})
}

// age lets a step of time pass for timers.
func (ts *timerSets) age(timers uint32) uint32 {
	return ts.changed(timers, opAgeTimers, 0, func() uint32 {
		set := slices.Clone(ts.at(timers).timers)
		for i := range set {
			set[i].left--
		}
		return ts.timerNumber(set)
	})
}

// timerNumber is the number of a set of timers.
func (ts *timerSets) timerNumber(set []armed) uint32 {
	label := func(t armed) int64 { return int64(*ts.labels.at(t.label)) }
	slices.SortFunc(set, func(a, b armed) int { return int(label(a) - label(b)) })
	var text []byte
	urgent := false
	for _, t := range set {
		text = binary.AppendVarint(text, label(t))
		text = binary.AppendUvarint(text, uint64(t.left))
		urgent = urgent || ts.Bound > 0 && t.left == 0
	}
	ts.lock.Lock()
	defer ts.lock.Unlock()
	i, fresh := ts.number(string(text), func() timerSet { return timerSet{set, digest(text), urgent} })
	if fresh {
		ts.keeps(8*len(set) + len(text))
	}
	return ts.limited(i, "sets of timers")
}

func (ts *timerSets) labelNumber(label protocols.Timer) uint32 {
	ts.lock.Lock()
	defer ts.lock.Unlock()
	i, _ := ts.labels.number(label, func() protocols.Timer { return label })
	return i
}
