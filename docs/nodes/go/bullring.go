// Package bullring runs a process in Go, for `bullring run --node` and for Maelstrom. See
// docs/nodes.md.
package bullring

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// Body is the content of a message. It has a type.
type Body map[string]any

// Int is a field that is an integer.
func (b Body) Int(field string) int64 {
	i, err := b[field].(json.Number).Int64()
	must(err)
	return i
}

// Handlers has a function for each type of message that a process takes. "start" makes it an
// initiator, and "timeout" tells that a timer has expired. "link_up" and "link_down", which may be missing,
// tell that the link to a node has come up or gone down.
type Handlers map[string]func(source string, m Body)

// line is a line of the protocol.
type line struct {
	Src  string `json:"src"`
	Dest string `json:"dest"`
	Body Body   `json:"body"`
}

// Node is the process as its handlers see it.
type Node struct {
	Name             string
	Names, Neighbors []string
	Rank             int64
	Restarted        bool
	Init             Body // all that init tells, such as input, f, bound and params
	State            any  // for explore: a pointer to what else the process knows, in exported fields
	handlers         Handlers
}

var (
	in     = json.NewDecoder(os.Stdin)
	out    = bufio.NewWriter(os.Stdout)
	kept   []line // for later: they came while a handler waited for an answer
	number int
)

// Run runs processes, a new one at each init.
func Run(process func(*Node) Handlers) {
	in.UseNumber()
	for n := new(Node); ; {
		var l line
		if len(kept) > 0 {
			l, kept = kept[0], kept[1:]
		} else {
			l = read()
		}
		switch kind := l.Body["type"].(string); {
		case kind == "init":
			n = newNode(l.Body)
			n.handlers = process(n)
			n.Send(l.Src, Body{"type": "init_ok", "in_reply_to": l.Body["msg_id"], "reusable": true})
		case l.Src == "c0" && kind == "load":
			n = load(process, l.Body["state"].(map[string]any))
			n.Send(l.Src, Body{"type": "load_ok", "in_reply_to": l.Body["msg_id"]})
		case l.Src == "c0" && kind == "state":
			n.Send(l.Src, Body{"type": "state_ok", "in_reply_to": l.Body["msg_id"], "state": Body{"init": n.Init, "own": n.State}})
		case l.Src == "links" && n.handlers[kind] == nil: // it does not want to know
		case !n.refuse(l):
			n.handlers[kind](l.Src, l.Body)
		}
	}
}

// load makes the process whose state was told. What it says when it begins, it has said before.
func load(process func(*Node) Handlers, state Body) *Node {
	loud := out
	defer func() { out = loud }()
	out = bufio.NewWriter(io.Discard)
	n := newNode(state["init"].(map[string]any))
	n.handlers = process(n)
	if n.State != nil {
		own, err := json.Marshal(state["own"])
		must(err)
		must(json.Unmarshal(own, n.State))
	}
	return n
}

func newNode(init Body) *Node {
	n := &Node{Name: init["node_id"].(string), Names: texts(init["node_ids"]), Neighbors: texts(init["neighbors"])}
	here := slices.Index(n.Names, n.Name)
	if n.Rank = int64(here + 1); init["rank"] != nil {
		n.Rank = init.Int("rank")
	}
	if init["neighbors"] == nil {
		n.Neighbors = slices.Concat(n.Names[here+1:], n.Names[:here])
	}
	n.Restarted, n.Init = init["restarted"] == true, init
	return n
}

// Send sends a message to a node or a service.
func (n *Node) Send(dest string, m Body) { must(json.NewEncoder(out).Encode(line{n.Name, dest, m})) }

// SetTimer sets the timer of a label, which is not negative, to a duration such as "1.5ms".
func (n *Node) SetTimer(label int, after string) {
	n.Send("timer", Body{"type": "set", "label": label, "after": after})
}

// StopTimer stops the timer of a label.
func (n *Node) StopTimer(label int) { n.Send("timer", Body{"type": "stop", "label": label}) }

// Store stores what Init["stored"] is after a restart.
func (n *Node) Store(value Body) { n.Send("storage", Body{"type": "write", "value": value}) }

// Intn is a random number from 0 to most-1.
func (n *Node) Intn(most int) int64 {
	return n.ask("random", Body{"type": "intn", "n": most}).Int("value")
}

// Now is what the clock of the process shows, in nanoseconds.
func (n *Node) Now() int64 { return n.ask("clock", Body{"type": "now"}).Int("now") }

// Suspects reports whether the failure detector takes a node for dead.
func (n *Node) Suspects(name string) bool {
	return n.ask("detector", Body{"type": "suspects", "node": name})["suspects"] == true
}

// Near are the names of those to which there is a link now.
func (n *Node) Near() []string { return texts(n.ask("links", Body{"type": "neighbors"})["neighbors"]) }

// Broadcast sends one message to all of them.
func (n *Node) Broadcast(m Body) { n.Send("links", Body{"type": "broadcast", "message": m}) }

// Say tells the judge something, with a type such as "decide".
func (n *Node) Say(word Body) { n.Send("c0", word) }

// Log writes a line in the trace, as fmt.Println does.
func (n *Node) Log(words ...any) {
	n.Say(Body{"type": "log", "text": strings.TrimSuffix(fmt.Sprintln(words...), "\n")})
}

// Decide tells the leader's rank, and whether this process is the leader.
func (n *Node) Decide(leader int64, elected bool) {
	n.Say(Body{"type": "decide", "leader": leader, "elected": elected})
}

func (n *Node) ask(service string, m Body) Body {
	number++
	m["msg_id"] = number
	n.Send(service, m)
	for {
		l := read()
		if fmt.Sprint(l.Body["in_reply_to"]) == fmt.Sprint(number) {
			return l.Body
		}
		if !n.refuse(l) {
			kept = append(kept, l)
		}
	}
}

// refuse answers a request of an unknown type.
func (n *Node) refuse(l line) bool {
	if l.Body["msg_id"] == nil || n.handlers[l.Body["type"].(string)] != nil {
		return false
	}
	n.Send(l.Src, Body{"type": "error", "in_reply_to": l.Body["msg_id"], "code": 10, "text": "not supported"})
	return true
}

func read() (l line) {
	must(out.Flush())
	if err := in.Decode(&l); err == io.EOF {
		os.Exit(0)
	} else {
		must(err)
	}
	return l
}

func texts(list any) (all []string) {
	items, _ := list.([]any)
	for _, item := range items {
		all = append(all, item.(string))
	}
	return all
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
