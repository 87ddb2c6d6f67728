// Package snapshot is the family of algorithms that record a global state of a running
// application. It says what such an application offers, and has the checks of every
// recorded state.
package snapshot

import "bullring/protocols"

// Application is a process whose state, of type S, can be recorded.
type Application[M protocols.Message, S any] interface {
	protocols.Process[M]
	// State is the state that a snapshot records. It shares nothing with the process
	// that changes later.
	State() S
}

// Valued is a state or a message of an application that conserves a quantity: the sum
// over all processes and all messages under way does not change. A quantity that has
// left the system counts for the process that let it go.
type Valued interface{ Value() int64 }

// ValueOf is the value of a state or a message, 0 if it has none.
func ValueOf(v any) int64 {
	if valued, ok := v.(Valued); ok {
		return valued.Value()
	}
	return 0
}

// Recorder is a process that takes part in a snapshot. Checkers ask after every handler.
type Recorder interface {
	// Progress is the progress of the process with its part.
	Progress() Progress
	// Part is the part that it has recorded so far.
	Part() Part
}

// Progress is the progress of a process with its part of a snapshot.
type Progress struct {
	Recorded bool // it has recorded its state
	Closed   int  // the number of channels whose content is known
	Complete bool // state and all channels are recorded
}

// Part is the part of one process in a snapshot, and its counts of messages.
type Part struct {
	Progress
	Value    int64     // of its state
	Channels []Channel // to and from each neighbour
}

// Channel is the knowledge of a process about its two channels, to a neighbour and from
// it.
type Channel struct {
	Peer protocols.ID
	// Sent and Received count the messages of the application to the neighbour and
	// from it before the process recorded its state.
	Sent, Received int
	Closed         bool  // the content of the channel from the neighbour is known
	Recorded       int   // the number of messages in it
	Value          int64 // of these messages together
}
