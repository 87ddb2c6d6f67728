// Package snapshot is the family of algorithms that record a global state of a
// running application: what such an application has to offer, and the checks that
// every recorded state is held to.
package snapshot

import "bullring/protocols"

// Application is a process whose state, of type S, can be recorded.
type Application[M protocols.Message, S any] interface {
	protocols.Process[M]
	// State is what a snapshot records of the process. It shares nothing with the
	// process that changes later.
	State() S
}

// Valued is implemented by states and messages of an application that conserves
// something: the sum over all processes and all messages under way is always the
// same. What has left the system counts for the process that let it go.
type Valued interface{ Value() int64 }

// ValueOf is the value of a state or a message, 0 if it has none.
func ValueOf(v any) int64 {
	if valued, ok := v.(Valued); ok {
		return valued.Value()
	}
	return 0
}

// Recorder is a process that takes part in a snapshot: checkers ask after every
// handler.
type Recorder interface {
	// Progress is how far the process is.
	Progress() Progress
	// Part is what it has recorded so far.
	Part() Part
}

// Progress is how far a process is with its part of a snapshot.
type Progress struct {
	Recorded bool // its state
	Closed   int  // channels whose content is known
	Complete bool // all of them are
}

// Part is what one process has recorded, and what it has counted until then.
type Part struct {
	Progress
	Value    int64     // of its state
	Channels []Channel // to and from each neighbour
}

// Channel is what a process knows of its two channels, to a neighbour and from it.
type Channel struct {
	Peer protocols.ID
	// Sent and Received count the messages of the application to the neighbour and
	// from it before the process recorded its state.
	Sent, Received int
	Closed         bool  // the content of the channel from the neighbour is known
	Recorded       int   // messages in it
	Value          int64 // of these messages together
}
