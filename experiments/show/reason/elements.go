package reason

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"bullring/des"
	"bullring/experiments/show/history"
	"bullring/experiments/trial"
	"bullring/faults"
	"bullring/netem"
	"bullring/protocols"
)

// collector finds the elements of a run.
type collector struct {
	in      *trial.Instance
	h       *history.History
	v       *Violation
	fates   map[netem.MessageKey]netem.Fate // of the messages that reached a link
	allowed allowed
	found   []*Element
}

// allowed is what the model allows messages.
type allowed struct {
	bound, least time.Duration
	assumed      bool // the algorithm assumes the bound
}

// allowedBy returns what the model of an instance allows. An algorithm that assumes no bound
// gets the longest delay of its links instead, or the mean if there is no longest.
func allowedBy(in *trial.Instance) allowed {
	least, longest, bounded := in.Delay.Bounds()
	switch {
	case in.Algorithm.Assumes.BoundedDelay:
		return allowed{in.Assumed, min(least, in.Assumed), true}
	case bounded:
		return allowed{longest, least, false}
	}
	return allowed{in.Delay.Mean(), least, false}
}

// delays are those that repair a message, the mildest first.
func (a allowed) delays() []time.Duration {
	if a.least < a.bound {
		return []time.Duration{a.bound, a.least}
	}
	return []time.Duration{a.bound}
}

// elementsOf returns the elements of a run up to its violation: the abnormal ones first, by
// their classes, and the latest of a class first.
func elementsOf(in *trial.Instance, h *history.History, v *Violation, fates map[netem.MessageKey]netem.Fate) []*Element {
	c := &collector{in: in, h: h, v: v, fates: fates, allowed: allowedBy(in)}
	c.faults()
	c.messages()
	c.coins()
	slices.SortStableFunc(c.found, func(a, b *Element) int {
		return cmp.Or(cmp.Compare(a.Class.group(), b.Class.group()), cmp.Compare(b.order, a.order))
	})
	return c.found
}

// group is the place of a class in the order of the search.
func (c Class) group() int {
	if c == Lost {
		return int(Late) // both are of links
	}
	return int(c)
}

// mends are the kinds of faults that end others, or never happen. They are no elements.
var mends = []faults.Kind{faults.Heal, faults.HealAll, faults.Resume, faults.Restart, faults.Start, faults.Join, faults.Never}

func (c *collector) faults() {
	for i, f := range c.in.Drawn {
		if slices.Contains(mends, f.Kind) || f.When.On == faults.Instant && f.When.At > c.v.At {
			continue
		}
		c.found = append(c.found, &Element{Class: Fault, Fault: i, Name: f.String(), Sent: f.When.At, Came: des.MaxTime})
	}
}

// coins adds the numbers that the processes of an election drew. Those of other families draw
// their workload, too, such as how long they think.
func (c *collector) coins() {
	if _, leads := c.h.Result.Judge.(trial.Leading); !leads {
		return
	}
	count := map[protocols.ID]int{}
	for i := range c.h.Events[:c.v.last(c.h)] {
		e := &c.h.Events[i]
		for _, drew := range e.Choices {
			count[e.Who]++
			key := netem.CoinKey{Who: e.Who, Nth: count[e.Who]}
			c.found = append(c.found, &Element{Class: Coin, Coin: key, drew: drew, Sent: e.At, order: e.Order,
				Name: fmt.Sprintf("draw %d of process %d, at %v", key.Nth, key.Who, e.At)})
		}
	}
}

// passage is a message of the run with what became of it.
type passage struct {
	key      netem.MessageKey
	number   uint64
	content  string
	name     string // the content with the link
	sent     des.Time
	order    int
	arrivals []des.Time
	lost     string // what the record of its loss is called
	with     string // the link with which it was lost, in words; "" if with none
}

// passages returns the messages of a run in the order of their sending.
func (c *collector) passages() (list []*passage) {
	byNumber, count := map[uint64]*passage{}, map[netem.MessageKey]int{}
	for i := range c.h.Events {
		e := &c.h.Events[i]
		for _, s := range e.Sent {
			key := netem.MessageKey{From: e.Who, To: s.To, Kind: s.Message.(protocols.Message).Kind()}
			count[key]++
			key.Nth = count[key]
			p := &passage{key: key, number: s.Number, content: fmt.Sprint(s.Message), name: fmt.Sprintf("%v from %d to %d", s.Message, e.Who, s.To), sent: e.At, order: e.Order}
			byNumber[s.Number] = p
			if _, handed := c.fates[key]; handed {
				list = append(list, p)
			}
		}
		if p := byNumber[e.Number]; p != nil {
			switch e.What {
			case "deliver", "lost": // at a process that has crashed
				p.arrivals = append(p.arrivals, e.At)
			case "lose", "cut", "damaged":
				p.lost, p.with = e.What, c.h.WithLink(e)
			}
		}
	}
	return list
}

func (c *collector) messages() {
	foremost := map[[2]protocols.ID]*passage{} // that of a link which arrives last so far
	for _, p := range c.passages() {
		if c.v.Event > 0 && p.order >= c.v.Event {
			continue
		}
		link := [2]protocols.ID{p.key.From, p.key.To}
		if e := c.element(p, foremost[link]); len(e.delays) > 0 {
			c.found = append(c.found, e)
		}
		if len(p.arrivals) > 0 && (foremost[link] == nil || p.arrivals[0] > foremost[link].arrivals[0]) {
			foremost[link] = p
		}
	}
}

// element is the element of a message. before is the message of its link that arrives last of
// those sent before it, nil if there is none.
func (c *collector) element(p, before *passage) *Element {
	e := &Element{Class: Order, Key: p.key, number: p.number, Content: p.content, Name: p.name, Sent: p.sent, Came: des.MaxTime, order: p.order, delays: c.allowed.delays(), with: p.with}
	if len(p.arrivals) > 0 {
		e.Came = p.arrivals[0]
	}
	due := p.sent.After(c.allowed.bound)
	switch {
	case p.with != "" && c.in.Algorithm.Assumes.Moving: // the model allows it
		e.delays = nil
	case len(p.arrivals) == 0 && p.lost == "cut":
		e.Class = Cut
	case len(p.arrivals) == 0 && p.lost != "":
		e.Class = Lost
	case len(p.arrivals) > 1:
		e.Class, e.again, e.delays = Twice, p.arrivals[1], []time.Duration{e.Came.Sub(p.sent)}
	case c.allowed.assumed && e.Came > due, e.Came == des.MaxTime && c.end() > due:
		e.Class = Late
	case before != nil && before.arrivals[0] > e.Came:
		e.Class, e.before, e.delays = Overtaken, before.name, []time.Duration{before.arrivals[0].Sub(p.sent)}
		if !c.in.Algorithm.Assumes.FIFO {
			e.Class = Order
		}
	default:
		e.delays = slices.DeleteFunc(e.delays, func(d time.Duration) bool { return p.sent.After(d) == e.Came })
	}
	return e
}

// end is the time of the last event.
func (c *collector) end() des.Time { return c.h.Events[len(c.h.Events)-1].At }
