package impair

import (
	"fmt"
	"math"
	"math/bits"
	"time"
)

// slot is the slot clause: messages leave the link only in slots.
type slot struct {
	given          bool
	least, most    time.Duration // from one slot to the next, uniform
	spread         *spread       // or of this distribution
	packets, bytes int64         // the room of a slot, 0 without a limit
}

func parseSlot(l *Line, w *words) (err error) {
	l.slot = slot{given: true}
	s := &l.slot
	if w.take("distribution") {
		err = s.parseSpread(w)
	} else {
		err = s.parseRange(w)
	}
	for err == nil {
		switch {
		case w.take("packets"):
			s.packets, err = w.count("number of messages", 0, 1<<31-1)
		case w.take("bytes"):
			s.bytes, err = w.count("number of bytes", 0, 1<<31-1)
		default:
			return nil
		}
	}
	return err
}

func (s *slot) parseRange(w *words) (err error) {
	if s.least, err = w.duration("least time between slots"); err != nil {
		return err
	}
	s.most = s.least
	if w.number() {
		at := w.list[0]
		if s.most, err = w.duration("longest time between slots"); err != nil {
			return err
		}
		if s.most < s.least {
			return w.fail(at, "is below the least time between slots, %v", s.least)
		}
	}
	return mustPause(s.most, "slot 10ms")
}

func (s *slot) parseSpread(w *words) error {
	at, err := w.next("the name of a distribution")
	if err != nil {
		return err
	}
	// The times follow the name, or the file of a table. So the shape is read last.
	shape := *w
	if at.text == "table" {
		if _, err := w.next("the name of a file"); err != nil {
			return err
		}
	}
	mean, err := w.duration("delay")
	if err != nil {
		return err
	}
	jitter, err := w.duration("jitter")
	if err != nil {
		return err
	}
	if err := mustPause(mean+jitter, "slot distribution normal 10ms 1ms"); err != nil {
		return err
	}
	s.spread, err = parseSpread(&shape, at, mean, jitter)
	return err
}

func mustPause(longest time.Duration, example string) error {
	if longest == 0 {
		return fmt.Errorf("slot: there is no time between the slots; give one, as in %s", example)
	}
	return nil
}

func printSlot(l *Line) string {
	s := &l.slot
	var text string
	switch {
	case !s.given:
		return ""
	case s.spread != nil:
		text = fmt.Sprintf("slot distribution %s %v %v", s.spread.shape, s.spread.mean, s.spread.jitter)
	case s.most != s.least:
		text = fmt.Sprintf("slot %v %v", s.least, s.most)
	default:
		text = fmt.Sprintf("slot %v", s.least)
	}
	if s.packets > 0 {
		text += fmt.Sprintf(" packets %d", s.packets)
	}
	if s.bytes > 0 {
		text += fmt.Sprintf(" bytes %d", s.bytes)
	}
	return text
}

// longestWait is the longest time for which a message waits for its slot if at most limit
// messages wait. A message that is due leaves in the next slot. If slots have little room, it
// leaves after as many slots as those before it need; each slot takes at least one message.
func (s *slot) longestWait(limit int) (wait time.Duration, bounded bool) {
	if !s.given {
		return 0, true
	}
	longest := s.most
	if s.spread != nil {
		if _, longest, bounded = s.spread.law.Bounds(); !bounded {
			return 0, false
		}
	}
	slots := int64(1)
	if s.packets > 0 || s.bytes > 0 {
		if limit == 0 {
			return 0, false
		}
		per := max(1, s.packets)
		if s.bytes > 0 {
			per = 1
		}
		slots += int64(limit) / per
	}
	if hi, lo := bits.Mul64(uint64(slots), uint64(longest)); hi > 0 || lo > math.MaxInt64/2 {
		return 0, false
	}
	return time.Duration(slots) * longest, true
}
