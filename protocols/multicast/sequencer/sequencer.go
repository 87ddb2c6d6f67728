// Package sequencer is totally ordered multicast by a fixed sequencer: one process numbers
// the items of all, and every process delivers them by their numbers.
//
// Paper: M. F. Kaashoek, A. S. Tanenbaum, S. F. Hummel and H. E. Bal, "An Efficient
// Reliable Broadcast Protocol", ACM Operating Systems Review 23(4), 1989, method PB
// (the sender sends to the sequencer, which broadcasts); G. Coulouris, J. Dollimore,
// T. Kindberg and G. Blair, "Distributed Systems: Concepts and Design", 5th edition,
// section 15.4.3.
//
// Model: asynchronous complete graph, reliable links, FIFO or not; the sequencer is
// known. If processes crash, another sequencer must be named from outside, and a failure
// detector without mistakes must say which processes have crashed.
//
// Cost, n processes, on any schedule:
//
//	an item    REQUEST to the sequencer and DATA to all others: n messages; n-1
//	           if the sequencer multicasts itself
//	all of n   n^2 - 1 messages if every process multicasts one item
//	time       2 with unit delays; 1 for an item of the sequencer
//	a change   of sequencers, s processes live: s-1 SYNC and 2(s-1) STATE, a DATA for
//	           each item that one of them has and another has not, and a REQUEST for
//	           each that is not ordered
//
// Invariants: in a term one process numbers. A process has delivered the items 1 to k
// for some k. Of two live processes the one with fewer items has the beginning of the
// sequence of the other.
//
// A change of sequencers. A new sequencer begins a term, with a larger number than the one
// before. It asks all live processes for the items beyond those that it has delivered
// itself (SYNC). A process that answers (STATE) takes no DATA of former terms any more,
// drops the items that it holds back, and repeats its REQUESTs. When all have answered, the
// sequencer has delivered every item that any live process has. It sends each the missing
// items, tells it that the change is over (STATE), and goes on numbering. Until then a
// process waits as it does for its own items: should this sequencer crash as well, a
// process may lack an item that another has, and no other process would look.
//
// Deviations from the papers: (1) Links are reliable, so there are no negative
// acknowledgements and no history buffer at the sequencer. All processes keep the items
// that they have delivered, and a change of sequencers uses these. (2) A process numbers
// its own items; if FIFO order is wanted, the sequencer delays items that have overtaken
// others.
package sequencer

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"bullring/protocols"
	"bullring/protocols/multicast"
)

// Config chooses the variant.
type Config struct {
	// Sequencer numbers the items in term 0.
	Sequencer protocols.ID
	// FIFO: the items of one sender are delivered in its order, even over links that are
	// not FIFO.
	FIFO bool
}

// Process is one process of the group.
type Process struct {
	protocols.NoTimers[Message]

	self       protocols.ID
	cfg        Config
	sequencer  protocols.ID
	term       int
	multicasts int
	changing   bool             // a change of sequencers is under way
	pending    []multicast.Item // its own items that are not delivered
	log        []multicast.Item // the delivered items: number k+1 at index k
	held       []held           // items that arrived before their turn, by number

	// As the sequencer.
	waiting []multicast.Item // items that cannot be ordered yet
	asked   []answer         // the answers to SYNC, by address; nil outside of a change
}

// held is an item that waits for items with smaller numbers.
type held struct {
	number int
	item   multicast.Item
}

// String prints the item with its number: 2: 0.1.
func (h held) String() string { return fmt.Sprintf("%d: %v", h.number, h.item) }

// answer is the answer of a process to SYNC.
type answer struct {
	given bool
	count int // of its delivered items
}

// String is the number of items, or none.
func (a answer) String() string {
	if !a.given {
		return "none"
	}
	return strconv.Itoa(a.count)
}

var _ multicast.Coordinated[Message] = (*Process)(nil)

// New returns the process at address self.
func New(self protocols.ID, cfg Config) *Process {
	return &Process{self: self, cfg: cfg, sequencer: cfg.Sequencer}
}

// Multicasts implements [multicast.Member].
func (p *Process) Multicasts() int { return p.multicasts }

// Delivered implements [multicast.Member].
func (p *Process) Delivered() []multicast.Item { return p.log }

// Sequencer is the sequencer that the process knows, and its term.
func (p *Process) Sequencer() (sequencer protocols.ID, term int) { return p.sequencer, p.term }

// Multicast implements [multicast.Service].
func (p *Process) Multicast(n protocols.Node[Message], payload int64) {
	p.multicasts++
	item := multicast.Item{Sender: p.self, Number: p.multicasts, Payload: payload}
	p.pending = append(p.pending, item)
	p.request(n, item)
}

// Waits implements [multicast.Coordinated]: for an item of its own, or for the end of a
// change of sequencers.
func (p *Process) Waits() bool { return len(p.pending) > 0 || p.changing }

// Coordinator implements [multicast.Coordinated]: it names the sequencer of a term. The
// sequencer itself must be told. A call again in its term makes it look again which
// processes are suspected: it does not wait for their answers.
func (p *Process) Coordinator(n protocols.Node[Message], sequencer protocols.ID, term int) {
	switch {
	case term == p.term && sequencer == p.self:
		p.conclude(n)
	case term > p.term:
		p.follow(sequencer, term)
		if sequencer == p.self {
			p.takeOver(n)
		}
	}
}

// Receive handles the four messages.
func (p *Process) Receive(n protocols.Node[Message], from protocols.ID, m Message) {
	switch m.Type {
	case Request:
		if p.sequencer == p.self {
			p.order(n, m.Item)
		} // otherwise the sender repeats it when this process sends SYNC
	case Data:
		if m.Term == p.term {
			p.hold(m.Number, m.Item)
		}
	case Sync:
		if m.Term > p.term {
			p.follow(from, m.Term)
		}
		if m.Term == p.term {
			p.answer(n, m.Number)
		}
	case State:
		switch {
		case m.Term != p.term:
		case p.asked != nil:
			p.answered(n, from, m)
		case from == p.sequencer:
			p.changing = false
		}
	default:
		panic(protocols.Unknown(m))
	}
}

// request asks the sequencer to order an item.
func (p *Process) request(n protocols.Node[Message], item multicast.Item) {
	if p.sequencer == p.self {
		p.order(n, item)
	} else {
		n.Send(p.sequencer, Message{Type: Request, Item: item})
	}
}

// order gives an item the next number, unless it has one or must wait. Items that have
// waited for it follow.
func (p *Process) order(n protocols.Node[Message], item multicast.Item) {
	if slices.Contains(p.log, item) || slices.Contains(p.waiting, item) {
		return
	}
	p.waiting = append(p.waiting, item)
	if p.asked == nil {
		p.orderWaiting(n)
	}
}

func (p *Process) orderWaiting(n protocols.Node[Message]) {
	for {
		i := slices.IndexFunc(p.waiting, p.ready)
		if i < 0 {
			return
		}
		item := p.waiting[i]
		p.waiting = slices.Delete(p.waiting, i, i+1)
		p.deliver(item)
		for port := range n.Degree() {
			p.data(n, n.Neighbor(port), len(p.log))
		}
	}
}

// ready reports whether it is an item's turn.
func (p *Process) ready(item multicast.Item) bool {
	before := multicast.Item{Sender: item.Sender, Number: item.Number - 1}
	return !p.cfg.FIFO || before.Number == 0 || slices.ContainsFunc(p.log, func(i multicast.Item) bool {
		return i.Sender == before.Sender && i.Number == before.Number
	})
}

// data sends the item of a number.
func (p *Process) data(n protocols.Node[Message], to protocols.ID, number int) {
	n.Send(to, Message{Type: Data, Term: p.term, Number: number, Item: p.log[number-1]})
}

// hold keeps an item until its turn, and delivers all items whose turn it is.
func (p *Process) hold(number int, item multicast.Item) {
	i, known := slices.BinarySearchFunc(p.held, number, func(h held, number int) int { return cmp.Compare(h.number, number) })
	if known || number <= len(p.log) {
		return
	}
	p.held = slices.Insert(p.held, i, held{number, item})
	for len(p.held) > 0 && p.held[0].number == len(p.log)+1 {
		p.deliver(p.held[0].item)
		p.held = slices.Delete(p.held, 0, 1)
	}
}

func (p *Process) deliver(item multicast.Item) {
	p.log = append(p.log, item)
	p.pending = slices.DeleteFunc(p.pending, func(i multicast.Item) bool { return i == item })
}

// follow begins a term.
func (p *Process) follow(sequencer protocols.ID, term int) {
	p.sequencer, p.term, p.changing = sequencer, term, true
	p.held, p.waiting, p.asked = nil, nil, nil
}

// takeOver asks all live processes for the items that they have delivered.
func (p *Process) takeOver(n protocols.Node[Message]) {
	p.asked = make([]answer, n.Degree()+1)
	p.asked[p.self] = answer{given: true}
	p.waiting = slices.Clone(p.pending)
	for port := range n.Degree() {
		if q := n.Neighbor(port); !n.Suspects(q) {
			n.Send(q, Message{Type: Sync, Term: p.term, Number: len(p.log)})
		}
	}
	p.conclude(n)
}

// answer tells a new sequencer the items beyond a number, and repeats the requests for
// pending items.
func (p *Process) answer(n protocols.Node[Message], beyond int) {
	m := Message{Type: State, Term: p.term, Number: len(p.log)}
	if beyond < len(p.log) {
		m.Items = slices.Clone(p.log[beyond:])
	}
	n.Send(p.sequencer, m)
	for _, item := range p.pending {
		p.request(n, item)
	}
}

// answered delivers the items that another process has delivered already.
func (p *Process) answered(n protocols.Node[Message], from protocols.ID, m Message) {
	for i, item := range m.Items {
		if number := m.Number - len(m.Items) + 1 + i; number == len(p.log)+1 {
			p.deliver(item)
		}
	}
	p.asked[from] = answer{given: true, count: m.Number}
	p.conclude(n)
}

// conclude ends the change of sequencers when all live processes have answered. It sends
// them the missing items and tells them that the change is over. Then it orders the
// waiting items.
func (p *Process) conclude(n protocols.Node[Message]) {
	for q, a := range p.asked {
		if !a.given && !n.Suspects(protocols.ID(q)) {
			return
		}
	}
	for q, a := range p.asked {
		if !a.given || protocols.ID(q) == p.self {
			continue
		}
		for number := a.count + 1; number <= len(p.log); number++ {
			p.data(n, protocols.ID(q), number)
		}
		n.Send(protocols.ID(q), Message{Type: State, Term: p.term, Number: len(p.log)})
	}
	p.asked, p.changing = nil, false
	p.waiting = slices.DeleteFunc(p.waiting, func(i multicast.Item) bool { return slices.Contains(p.log, i) })
	p.orderWaiting(n)
}
