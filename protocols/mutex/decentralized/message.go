package decentralized

import "bullring/protocols"

// Message is one of the four messages; it carries nothing.
type Message uint8

// The four messages.
const (
	Request Message = iota // asks a coordinator for its vote
	Grant                  // the vote
	Deny                   // somebody else has it
	Release                // gives the vote back
)

var _ protocols.Message = Message(0)

var kinds = []string{"REQUEST", "GRANT", "DENY", "RELEASE"}

// Kind implements [protocols.Message].
func (m Message) Kind() int { return int(m) }

// Kinds implements [protocols.Message].
func (Message) Kinds() []string { return kinds }

// Bits implements [protocols.Message]: 8 for the kind.
func (Message) Bits() int { return 8 }

// String prints the message as a trace shows it.
func (m Message) String() string { return kinds[m] }
