package families

import (
	"fmt"

	"bullring/experiments/trial"
	"bullring/protocols/consensus"
	"bullring/protocols/election"
	"bullring/protocols/termination"
)

// decide is what a program says when it decides.
const decide = "decide"

// ElectionEar hears decisions of an election. It is an [election.Elector].
type ElectionEar struct{ decision election.Decision }

// Decision implements [election.Elector].
func (e *ElectionEar) Decision() election.Decision { return e.decision }

// Hear implements [trial.Ear]: decide, with the leader's identity, and whether that is the process itself.
func (e *ElectionEar) Hear(word string, field func(string, any) error) (known bool, err error) {
	if word != decide {
		return false, nil
	}
	var leader int64
	var elected bool
	if err := fieldsOf(field, "leader", &leader, "elected", &elected); err != nil {
		return true, err
	}
	e.decision = election.Decision{Status: election.Follower, Leader: election.Identity(leader)}
	if elected {
		e.decision.Status = election.Leader
	}
	return true, nil
}

// consensusEar hears decisions of a consensus. It is a [consensus.Decider]. Who comes back after a
// crash has said what it said.
type consensusEar struct{ decision consensus.Decision }

func newConsensusEar(crashed trial.Ear) trial.Ear {
	if crashed != nil {
		return crashed
	}
	return &consensusEar{}
}

// Decision implements [consensus.Decider].
func (e *consensusEar) Decision() consensus.Decision { return e.decision }

// Hear implements [trial.Ear]: decide, with a value.
func (e *consensusEar) Hear(word string, field func(string, any) error) (known bool, err error) {
	if word != decide {
		return false, nil
	}
	var value int
	if err := fieldsOf(field, "value", &value); err != nil {
		return true, err
	}
	e.decision = consensus.Decision{Made: true, Value: value}
	return true, nil
}

// terminationEar hears what a process says of the computation. It is a [termination.Detector]. A process
// that comes back is passive, and has announced nothing.
type terminationEar struct{ status termination.Status }

func newTerminationEar(trial.Ear) trial.Ear { return &terminationEar{} }

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

// fieldsOf reads the fields of a decision: names and where the values go, in turn.
func fieldsOf(field func(string, any) error, pairs ...any) error {
	for i := 0; i < len(pairs); i += 2 {
		if err := field(pairs[i].(string), pairs[i+1]); err != nil {
			return fmt.Errorf("a decision, but %w", err)
		}
	}
	return nil
}
