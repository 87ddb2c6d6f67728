package foreign

import (
	"cmp"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strconv"
	"strings"

	"bullring/experiments/trial"
)

// A program may know more than it tells: in a global variable, or in a field that its state lacks. It may draw
// numbers of its own. Then it may do something else than it was seen to do. So some questions are asked again,
// chosen by a hash: a process goes the whole way to the state by itself, from init and event by event.

// How many questions are asked again.
const (
	askedAgain = 100 // one in so many
	leastAgain = 256 // but so many, if there are as many
	freshly    = 4   // so many times a program is started for it; the last one goes on
	wandering  = 8   // the steps before it that are drawn
	settling   = 32  // to tell chance from what a state lacks, a question is asked so many times
)

// audit asks some questions again, and returns how many.
func (o *oracle) audit() (again uint64, err error) {
	keys := slices.SortedFunc(maps.Keys(o.asked), func(a, b string) int {
		return cmp.Or(cmp.Compare(hashed(a), hashed(b)), cmp.Compare(a, b))
	})
	for i, key := range keys[:min(len(keys), max(leastAgain, len(keys)/askedAgain))] {
		if i < freshly {
			o.end()
		}
		if err := o.again(o.asked[key]); err != nil {
			return again, err
		}
		again++
	}
	return again, nil
}

func hashed(text string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(text))
	return h.Sum64()
}

// way is a way of a process from init to a question: some steps before it are any that lead there, and
// those before them are the first that did.
func (o *oracle) way(last asked) []asked {
	way := []asked{last}
	for at := last; at.state != ""; {
		ways, i := o.ways[question{who: at.who, state: at.state}.key(nil)], 0
		if len(way) <= wandering {
			sorted := slices.Sorted(slices.Values(ways))
			i = slices.Index(ways, sorted[hashed(last.key(last.answers)+strconv.Itoa(len(way)))%uint64(len(ways))])
		}
		at = o.asked[ways[i]]
		way = append(way, at)
	}
	slices.Reverse(way)
	return way
}

// again asks a question again, of a process that comes to the state by itself.
func (o *oracle) again(last asked) error {
	var p *process
	for i, at := range o.way(last) {
		var known, again *reaction
		err := caught(func() {
			if i == 0 {
				p = o.process(at.question)
			}
			p.told(at.question)
			p.react(at.answers, func(r *reaction) {
				if was := o.reactions[at.key(p.answers)]; again == nil && (was == nil || was.text() != r.text()) {
					known, again = was, r
				}
			})
		})
		switch {
		case inconclusive(err):
			return err
		case err != nil:
			known, again = o.reactions[at.key(at.answers)], &reaction{failed: err}
		}
		if again != nil {
			return o.doubt(at, known, again)
		}
	}
	if last.state == "" {
		return nil
	}
	now := ""
	err := caught(func() {
		p.request("load", `,"state":`+last.state)
		now = p.state()
	})
	if err == nil && now != last.state {
		err = &trial.Misbehaviour{Where: p.where("the request load"), Opaque: true, Text: fmt.Sprintf("has a state that is incomplete: set to %s, it is %s", last.state, now)}
	}
	return err
}

// doubt says why a process that came to a state by itself does something else than one that was set to it: the
// state lacks something, if a new program that is set to it does the same again and again. Else the program
// depends on more than states.
func (o *oracle) doubt(at asked, known, again *reaction) error {
	why := "has a state that is incomplete: what it does depends on something that the answer to state does not tell, or that load does not set"
	o.end()
	steady, err := o.settled(at)
	if err != nil {
		return err
	}
	if !steady {
		why = unsteady
	}
	did, instead := known.unlike(again)
	p := role{id: at.who, setup: func() *setup { return o.setup }}
	return &trial.Misbehaviour{Where: p.where(at.event()), Unsteady: !steady, Opaque: steady, Text: fmt.Sprintf("%s. In the state %s it %s. A process that came to this state by itself %s", why, cmp.Or(cut(at.state), "before init"), did, instead)}
}

// settled reports whether the program does what is known whenever it is set to the state. The error is that of a
// program that is late.
func (o *oracle) settled(at asked) (same bool, err error) {
	if at.state == "" {
		return false, nil
	}
	same = true
	err = caught(func() {
		for range settling {
			p := o.process(at.question)
			p.set(at.question)
			p.react(at.answers, func(r *reaction) { same = same && o.reactions[at.key(p.answers)].text() == r.text() })
		}
	})
	if _, late := err.(*trial.LateError); late {
		return false, err
	}
	return same && err == nil, nil
}

// unlike says in what two reactions differ: in the lines or, if these are the same, in the state.
func (r *reaction) unlike(s *reaction) (first, second string) {
	if first, second = r.wrote(), s.wrote(); first != second {
		return first, second
	}
	return r.text(), s.text()
}

// text says what a process did, and what it was then.
func (r *reaction) text() string {
	text := r.wrote()
	if r != nil && r.state != "" {
		text += ", and was then " + r.state
	}
	return text
}

// wrote says what a process did.
func (r *reaction) wrote() string {
	switch {
	case r == nil:
		return "did not ask so many questions"
	case r.failed != nil:
		return "failed: " + r.failed.Error()
	case len(r.lines) == 0:
		return "wrote nothing"
	}
	var did []string
	for _, s := range r.lines {
		fields := map[string]json.RawMessage{}
		if json.Unmarshal(s.Body, &fields) == nil && !isNode(s.Dest) {
			delete(fields, "msg_id") // of a question: no state has it
		}
		body, _ := json.Marshal(fields)
		did = append(did, fmt.Sprintf("%s to %s", body, s.Dest))
	}
	return "wrote " + strings.Join(did, ", ")
}
