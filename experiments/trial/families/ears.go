package families

import (
	"errors"
	"fmt"

	"bullring/experiments/trial"
	"bullring/protocols"
	"bullring/protocols/broadcast"
	"bullring/protocols/commit"
	"bullring/protocols/consensus"
	"bullring/protocols/election"
	"bullring/protocols/multicast"
	"bullring/protocols/mutex"
	"bullring/protocols/termination"
	"bullring/protocols/wave"
)

// decide is what a program says when it decides, deliver when it delivers an item.
const (
	decide  = "decide"
	deliver = "deliver"
)

// electionEar hears decisions of an election. It is an [election.Elector].
type electionEar struct{ decision election.Decision }

// NewElectionEar returns the [trial.Family].Ear of elections. A process that comes back follows nobody.
func NewElectionEar(*trial.Instance, protocols.ID, trial.Ear) trial.Ear { return &electionEar{} }

// Decision implements [election.Elector].
func (e *electionEar) Decision() election.Decision { return e.decision }

// Hear implements [trial.Ear]: decide, with the leader's identity, whether that is the process itself, and the term
// in an election that has terms; withdraw, when it follows nobody any more, with its last term if it has given up.
func (e *electionEar) Hear(word string, field func(string, any) error) (known bool, err error) {
	var now election.Decision
	switch word {
	case decide:
		var leader int64
		var elected bool
		if err := fieldsOf(word, field, "leader", &leader, "elected", &elected); err != nil {
			return true, err
		}
		now.Status, now.Leader = election.Follower, election.Identity(leader)
		if elected {
			now.Status = election.Leader
		}
	case "withdraw":
	default:
		return false, nil
	}
	if field("term", &now.Term) != nil {
		now.Term = 0
	}
	e.decision = now
	return true, nil
}

// consensusEar hears decisions of a consensus. It is a [consensus.Decider]. A process that comes
// back has said what it said before.
type consensusEar struct{ decision consensus.Decision }

func newConsensusEar(_ *trial.Instance, _ protocols.ID, crashed trial.Ear) trial.Ear {
	if crashed != nil {
		return crashed
	}
	return &consensusEar{}
}

// Decision implements [consensus.Decider].
func (e *consensusEar) Decision() consensus.Decision { return e.decision }

// Hear implements [trial.Ear]: decide, with a value and, of an algorithm with rounds, the round.
func (e *consensusEar) Hear(word string, field func(string, any) error) (known bool, err error) {
	if word != decide {
		return false, nil
	}
	decision := consensus.Decision{Made: true}
	if err := fieldsOf(word, field, "value", &decision.Value); err != nil {
		return true, err
	}
	if field("round", &decision.Round) != nil {
		decision.Round = 0 // it tells none
	}
	if e.decision.Made && e.decision.Value != decision.Value {
		return true, fmt.Errorf("the word decide with the value %d, but it has decided %d, and that holds for ever", decision.Value, e.decision.Value)
	}
	if !e.decision.Made {
		e.decision = decision
	}
	return true, nil
}

// terminationEar hears what a process says of the computation. It is a [termination.Detector]. A process
// that comes back is passive, and has announced nothing.
type terminationEar struct{ status termination.Status }

func newTerminationEar(*trial.Instance, protocols.ID, trial.Ear) trial.Ear { return &terminationEar{} }

// Status implements [termination.Detector].
func (e *terminationEar) Status() termination.Status { return e.status }

// Hear implements [trial.Ear]: active, passive (after a piece of work) and announce, without fields.
func (e *terminationEar) Hear(word string, _ func(string, any) error) (known bool, err error) {
	switch word {
	case "active":
		e.status.Active = true
	case "passive":
		e.status.Active = false
		e.status.Pieces++
	case "announce":
		e.status.Announced = true
	default:
		return false, nil
	}
	return true, nil
}

// commitEar hears votes and decisions of an atomic commitment. It is a [commit.Participant]. A process
// that comes back has said what it said before.
type commitEar struct{ said commit.Said }

func newCommitEar(_ *trial.Instance, _ protocols.ID, crashed trial.Ear) trial.Ear {
	if crashed != nil {
		return crashed
	}
	return &commitEar{}
}

// Said implements [commit.Participant].
func (e *commitEar) Said() commit.Said { return e.said }

// Hear implements [trial.Ear]: vote, with whether it is yes, and commit and abort without fields.
func (e *commitEar) Hear(word string, field func(string, any) error) (known bool, err error) {
	switch word {
	case "vote":
		return true, fieldsOf(word, field, "yes", &e.said.Yes)
	case "commit":
		return true, e.decide(word, commit.Commit)
	case "abort":
		return true, e.decide(word, commit.Abort)
	default:
		return false, nil
	}
}

// decide notes a decision, which holds for ever.
func (e *commitEar) decide(word string, d commit.Decision) error {
	if made := e.said.Decision; made != commit.Undecided && made != d {
		return fmt.Errorf("the word %s, but it has decided otherwise, and that holds for ever", word)
	}
	e.said.Decision = d
	return nil
}

// mutexEar hears the client of a lock. It is a [mutex.User]. A process that comes back wants nothing.
type mutexEar struct {
	usage   mutex.Usage
	entered bool `explore:"-"` // in this step
}

func newMutexEar(*trial.Instance, protocols.ID, trial.Ear) trial.Ear { return &mutexEar{} }

// Usage implements [mutex.User].
func (e *mutexEar) Usage() mutex.Usage { return e.usage }

// Begins implements [trial.Stepper].
func (e *mutexEar) Begins() { e.entered = false }

// Hear implements [trial.Ear]: ask, enter and leave in turn, without fields. A visit that takes no time excludes nobody.
func (e *mutexEar) Hear(word string, _ func(string, any) error) (known bool, err error) {
	u := &e.usage
	waits, inside := u.Waits(), u.Inside()
	switch {
	case word == "ask" && !waits && !inside:
		u.Arrived++
		u.Asked++
	case word == "ask":
		return true, errors.New("the word ask, but it has not left since it asked before")
	case word == "enter" && waits:
		u.Entered++
		e.entered = true
	case word == "enter":
		return true, errors.New("the word enter, but it has not asked since it entered before")
	case word == "leave" && e.entered:
		return true, errors.New("the word leave, but it entered in this step; it stays inside until a timer or a message")
	case word == "leave" && inside:
		u.Left++
	case word == "leave":
		return true, errors.New("the word leave, but it is not inside")
	default:
		return false, nil
	}
	return true, nil
}

// broadcastEar hears broadcasts and deliveries. It is a [broadcast.Member]. A process that comes back has
// delivered nothing.
type broadcastEar struct {
	since     []int
	delivered []broadcast.Item
}

func newBroadcastEar(*trial.Instance, protocols.ID, trial.Ear) trial.Ear { return &broadcastEar{} }

// Broadcasts implements [broadcast.Member].
func (e *broadcastEar) Broadcasts() []int { return e.since }

// Delivered implements [broadcast.Member].
func (e *broadcastEar) Delivered() []broadcast.Item { return e.delivered }

// Hear implements [trial.Ear]: broadcast for the next item of its own, and deliver with the origin of an
// item and its number there.
func (e *broadcastEar) Hear(word string, field func(string, any) error) (known bool, err error) {
	switch word {
	case "broadcast":
		e.since = append(e.since, len(e.delivered))
		return true, nil
	case deliver:
		var item broadcast.Item
		if err := fieldsOf(word, field, "origin", &item.Origin, "number", &item.Number); err != nil {
			return true, err
		}
		e.delivered = append(e.delivered, item)
		return true, nil
	}
	return false, nil
}

// multicastEar hears multicasts and deliveries. It is a [multicast.Member]. A process that comes back
// has delivered nothing.
type multicastEar struct {
	multicasts int
	delivered  []multicast.Item
}

func newMulticastEar(*trial.Instance, protocols.ID, trial.Ear) trial.Ear { return &multicastEar{} }

// Multicasts implements [multicast.Member].
func (e *multicastEar) Multicasts() int { return e.multicasts }

// Delivered implements [multicast.Member].
func (e *multicastEar) Delivered() []multicast.Item { return e.delivered }

// Hear implements [trial.Ear]: multicast for the next item of its own, and deliver as in a broadcast.
func (e *multicastEar) Hear(word string, field func(string, any) error) (known bool, err error) {
	switch word {
	case "multicast":
		e.multicasts++
		return true, nil
	case deliver:
		var item multicast.Item
		if err := fieldsOf(word, field, "origin", &item.Sender, "number", &item.Number); err != nil {
			return true, err
		}
		e.delivered = append(e.delivered, item)
		return true, nil
	}
	return false, nil
}

// waveEar hears a process of a wave, and knows on which processes it depends. It is a [wave.Member] and,
// as [wave.Witness] does for processes in Go, has each message carry its past.
type waveEar struct {
	n     int
	past  wave.Set
	state wave.State
}

func newWaveEar(in *trial.Instance, p protocols.ID, _ trial.Ear) trial.Ear {
	var past wave.Set
	return &waveEar{in.N, past.With(p), wave.State{Said: wave.Said{Father: wave.Nobody}, Misses: wave.Nobody}}
}

// State implements [wave.Member].
func (e *waveEar) State() wave.State { return e.state }

// Carried implements [trial.Carrier].
func (e *waveEar) Carried(protocols.ID, string) any { return e.past }

// Takes implements [trial.Carrier].
func (e *waveEar) Takes(_ protocols.ID, _ string, carried any) {
	if past, known := carried.(wave.Set); known { // in a live run it is not, and its replay is judged
		e.past = e.past.And(past)
	}
}

// Hear implements [trial.Ear]: root for the process that has the token first, child with the father of
// one that gets it later, and decide.
func (e *waveEar) Hear(word string, field func(string, any) error) (known bool, err error) {
	switch word {
	case "root":
		e.state.Visited = true
	case "child":
		e.state.Visited = true
		return true, fieldsOf(word, field, "of", &e.state.Father)
	case decide:
		if !e.state.Decided {
			e.state.Decided, e.state.Misses = true, e.past.Lacks(e.n)
		}
	default:
		return false, nil
	}
	return true, nil
}

// fieldsOf reads the fields of a word: names and where the values go, in turn.
func fieldsOf(word string, field func(string, any) error, pairs ...any) error {
	for i := 0; i < len(pairs); i += 2 {
		if err := field(pairs[i].(string), pairs[i+1]); err != nil {
			return fmt.Errorf("the word %s, but %w", word, err)
		}
	}
	return nil
}
