package reason

import (
	"fmt"
	"strings"
	"time"

	"bullring/des"
	"bullring/netem"
)

// Class is a kind of element.
type Class uint8

// The classes. Those from Order on are normal: the model allows them.
const (
	Fault     Class = iota // a fault of the plan
	Late                   // a message that took longer than the bound, or did not arrive by the end
	Lost                   // a message that a link lost
	Cut                    // a message that a fault lost
	Twice                  // a message that arrived more than once
	Overtaken              // a message that overtook another on a link that keeps the order
	Order                  // a message that the model allows to arrive at another time
	Coin                   // a number that a process drew
	Step                   // a step of the schedule that the run follows
)

// Classes are the names of the classes.
var Classes = []string{"fault", "late", "lost", "cut", "twice", "overtaken", "order", "coin", "step"}

// String names the class.
func (c Class) String() string { return Classes[c] }

// Normal reports whether the model allows elements of the class.
func (c Class) Normal() bool { return c >= Order }

// Element is a thing that could have been otherwise, of the real run unless it is Foreign.
type Element struct {
	Class   Class
	Fault   int              // its place in the drawn plan, if Class is Fault
	Key     netem.MessageKey // of a message
	Coin    netem.CoinKey    // of a coin
	Content string           // of a message
	Name    string           // the fault as in a plan, the message with its link, or the coin
	Sent    des.Time         // when the fault began, the message was sent or the coin was drawn
	Came    des.Time         // when the message arrived first; des.MaxTime if it did not
	Foreign bool             // it is a message that the real run lacks: it is sent in a run with the other changes

	again  des.Time // when it arrived once more, if Class is Twice
	before string   // the message that it overtook
	with   string   // the link with which it was lost, in words
	drew   int
	order  int             // the number of its event
	number uint64          // of the message in the real run; 0 for none, and if it is Foreign
	delays []time.Duration // that repair a message, the mildest first
}

// Change is an element with what is done about it.
type Change struct {
	*Element
	Delay time.Duration // of the one copy of a message
	Face  int           // of a coin

	step *moved // of a step
}

// mostFaces is the number of values that are tried of a coin.
const mostFaces = 4

// repairs are the changes of an element, in the order in which they are tried.
func (e *Element) repairs() (changes []Change) {
	switch e.Class {
	case Fault:
		return []Change{{Element: e}}
	case Coin:
		for face := range mostFaces {
			if face != e.drew {
				changes = append(changes, Change{Element: e, Face: face})
			}
		}
		return changes
	}
	for _, d := range e.delays {
		changes = append(changes, Change{Element: e, Delay: d})
	}
	return changes
}

// strongest is the last repair of an element.
func (e *Element) strongest() Change {
	repairs := e.repairs()
	return repairs[len(repairs)-1]
}

// Happened says what the element was in the real run or, if it is Foreign, what it is with the other
// changes.
func (e *Element) Happened() string {
	if e.Foreign {
		return fmt.Sprintf("%s, which the real run lacks: with the other changes it is sent at %v, and %s", e.Name, e.Sent, e.happens())
	}
	sent := fmt.Sprintf("%s, sent at %v,", e.Name, e.Sent)
	switch e.Class {
	case Fault:
		return fmt.Sprintf("the fault %q", e.Name)
	case Coin:
		return fmt.Sprintf("%s gave %d", e.Name, e.drew)
	case Step:
		return e.Name
	case Lost, Cut:
		return strings.TrimSpace(sent + " was lost " + e.with)
	case Twice:
		return fmt.Sprintf("%s arrived at %v and again at %v", sent, e.Came, e.again)
	case Overtaken:
		return fmt.Sprintf("%s overtook %s and arrived at %v", sent, e.before, e.Came)
	}
	if e.Came == des.MaxTime {
		return sent + " had not arrived at the end"
	}
	return fmt.Sprintf("%s arrived at %v", sent, e.Came)
}

// happens says what becomes of a message that the real run lacks.
func (e *Element) happens() string {
	switch e.Class {
	case Lost, Cut:
		return strings.TrimSpace("lost " + e.with)
	case Twice:
		return fmt.Sprintf("arrives at %v and again at %v", e.Came, e.again)
	case Overtaken:
		return fmt.Sprintf("overtakes %s and arrives at %v", e.before, e.Came)
	}
	if e.Came == des.MaxTime {
		return "has not arrived at the end"
	}
	return fmt.Sprintf("arrives at %v", e.Came)
}

// Happened says what the element was in the real run; of a step, with the one that it came
// before or after.
func (c Change) Happened() string {
	if c.step != nil {
		return c.step.happened
	}
	return c.Element.Happened()
}

// InOrder says how a step could have come instead.
func (c Change) InOrder() string { return c.step.order }

// IsFault reports whether a step is a fault that is left out.
func (c Change) IsFault() bool { return c.step.distance == 0 }

// Still is the step from which on clocks stand still in the changed run, 0 if none does.
func (c Change) Still() int { return c.step.still }

// String says what is otherwise in the changed run.
func (c Change) String() string {
	switch c.Class {
	case Step:
		return c.step.becomes
	case Fault:
		return fmt.Sprintf("the fault %q never begins", c.Name)
	case Coin:
		return fmt.Sprintf("%s gives %d", c.Name, c.Face)
	}
	return fmt.Sprintf("%s, sent at %v, arrives once, after %v", c.Name, c.Sent, c.Delay)
}
