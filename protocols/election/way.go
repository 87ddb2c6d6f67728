package election

// Way is a direction on a bidirectional ring. It is the port by which a message leaves
// every process on its way.
type Way uint8

// The two ways.
const (
	With    Way = iota // to the successors
	Against            // to the predecessors
)

// Back is the other way.
func (w Way) Back() Way { return 1 - w }

// String is + or -.
func (w Way) String() string { return [...]string{With: "+", Against: "-"}[w] }
