package families

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"bullring/experiments/trial"
	"bullring/protocols"
	"bullring/protocols/clocksync"
	"bullring/protocols/snapshot"
)

// snapshotEar hears what a process records. It is a [snapshot.Recorder]. It counts the messages of the
// application by itself, which are those of kind TRANSFER, so that the program need not. A process that comes
// back has recorded nothing.
type snapshotEar struct {
	recorded bool
	value    int64
	channels []snapshot.Channel // to and from each neighbour, in port order
}

// transfer is the kind of the messages of the application: that of package bank.
const transfer = "TRANSFER"

func newSnapshotEar(in *trial.Instance, p protocols.ID, _ trial.Ear) trial.Ear {
	e := &snapshotEar{}
	for port := range in.Topology.Degree(p) {
		if q := in.Topology.Neighbor(p, port); e.channel(q) == nil {
			e.channels = append(e.channels, snapshot.Channel{Peer: q})
		}
	}
	return e
}

// channel is the two channels between the process and a neighbour, or nil.
func (e *snapshotEar) channel(q protocols.ID) *snapshot.Channel {
	i := slices.IndexFunc(e.channels, func(c snapshot.Channel) bool { return c.Peer == q })
	if i < 0 {
		return nil
	}
	return &e.channels[i]
}

// Progress implements [snapshot.Recorder].
func (e *snapshotEar) Progress() snapshot.Progress {
	closed := 0
	for _, c := range e.channels {
		if c.Closed {
			closed++
		}
	}
	return snapshot.Progress{Recorded: e.recorded, Closed: closed, Complete: e.recorded && closed == len(e.channels)}
}

// Part implements [snapshot.Recorder].
func (e *snapshotEar) Part() snapshot.Part {
	return snapshot.Part{Progress: e.Progress(), Value: e.value, Channels: slices.Clone(e.channels)}
}

// Carried implements [trial.Carrier]: it counts a message that leaves before the process records.
func (e *snapshotEar) Carried(to protocols.ID, kind string) any {
	if c := e.channel(to); kind == transfer && !e.recorded {
		c.Sent++
	}
	return nil
}

// Takes implements [trial.Carrier]: it counts a message that comes before the process records.
func (e *snapshotEar) Takes(from protocols.ID, kind string, _ any) {
	if c := e.channel(from); kind == transfer && !e.recorded && c != nil {
		c.Received++
	}
}

// Hear implements [trial.Ear]: record, with the value of the state of the process; then, for each neighbour,
// channel, with how many messages it recorded in the channel from that one, and their value.
func (e *snapshotEar) Hear(word string, field func(string, any) error) (known bool, err error) {
	switch word {
	case "record":
		if e.recorded {
			return true, errors.New("the word record, but it has recorded its state before")
		}
		e.recorded = true
		return true, fieldsOf(word, field, "value", &e.value)
	case "channel":
		return true, e.close(field)
	}
	return false, nil
}

// close hears what was in a channel.
func (e *snapshotEar) close(field func(string, any) error) error {
	var from protocols.ID
	var messages int
	var value int64
	if err := fieldsOf("channel", field, "from", &from, "messages", &messages, "value", &value); err != nil {
		return err
	}
	c := e.channel(from)
	switch {
	case !e.recorded:
		return errors.New("the word channel, but it has not recorded its state")
	case c == nil:
		return fmt.Errorf("the word channel, but it has no link to process %d", from)
	case c.Closed:
		return fmt.Errorf("the word channel, but it has told that from process %d before", from)
	}
	c.Closed, c.Recorded, c.Value = true, messages, value
	return nil
}

// clockEar hears how a process corrects its clock. It is a [clocksync.Clock]. A process that comes back has
// not corrected its clock.
type clockEar struct {
	correction time.Duration
	adjusted   int
}

var _ clocksync.Clock = (*clockEar)(nil)

func newClockEar(*trial.Instance, protocols.ID, trial.Ear) trial.Ear { return &clockEar{} }

// Correction implements [clocksync.Clock].
func (e *clockEar) Correction() time.Duration { return e.correction }

// Adjusted implements [clocksync.Clock].
func (e *clockEar) Adjusted() int { return e.adjusted }

// Hear implements [trial.Ear]: adjust, with what the process adds to its clock, in nanoseconds.
func (e *clockEar) Hear(word string, field func(string, any) error) (known bool, err error) {
	if word != "adjust" {
		return false, nil
	}
	var by int64
	if err := fieldsOf(word, field, "by", &by); err != nil {
		return true, err
	}
	e.correction += time.Duration(by)
	e.adjusted++
	return true, nil
}

// following is what a process says of who coordinates. In the beginning it is the first coordinator.
type following struct {
	who    protocols.ID
	epoch  int
	before int `explore:"-"` // how often the process was served by former coordinators
}

// Coordinator implements coordinated.
func (f *following) Coordinator() (who protocols.ID, epoch int, ok bool) { return f.who, f.epoch, true }

// Before implements replaceable.
func (f *following) Before() int { return f.before }

// follow hears that another process coordinates, in a later epoch. served is how often the process was served.
func (f *following) follow(field func(string, any) error, served int) error {
	var who protocols.ID
	var epoch int
	if err := fieldsOf("coordinator", field, "who", &who, "epoch", &epoch); err != nil {
		return err
	}
	if epoch <= f.epoch {
		return fmt.Errorf("the word coordinator, but epoch %d does not come after %d", epoch, f.epoch)
	}
	f.who, f.epoch, f.before = who, epoch, served
	return nil
}

// userEar hears the client of a lock whose coordinator is replaced. It is a coordinatedUser.
type userEar struct {
	mutexEar
	following
}

func newUserEar(in *trial.Instance, _ protocols.ID, _ trial.Ear) trial.Ear {
	return &userEar{following: following{who: in.Address("coordinator")}}
}

// Hear implements [trial.Ear]: the words of mutual exclusion, and coordinator.
func (e *userEar) Hear(word string, field func(string, any) error) (known bool, err error) {
	if word == "coordinator" {
		return true, e.follow(field, e.usage.Entered)
	}
	return e.mutexEar.Hear(word, field)
}

// memberEar hears a member of a multicast whose coordinator is replaced. It is a coordinatedMember.
type memberEar struct {
	multicastEar
	following
}

func newMemberEar(in *trial.Instance, _ protocols.ID, _ trial.Ear) trial.Ear {
	return &memberEar{following: following{who: in.Address("coordinator")}}
}

// Hear implements [trial.Ear]: the words of a multicast, and coordinator.
func (e *memberEar) Hear(word string, field func(string, any) error) (known bool, err error) {
	if word == "coordinator" {
		return true, e.follow(field, len(e.delivered))
	}
	return e.multicastEar.Hear(word, field)
}
