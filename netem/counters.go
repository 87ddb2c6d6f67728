package netem

import "bullring/des"

// Counters are the counters of a run. Sent counts a message when it is sent, other counters
// count what happened to it: when a run has come to rest, Sent + Duplicated + Fanned = Delivered +
// ToDead + Lost + Cut + Corrupted + Unheard + Collided, except for messages that a fault holds for ever.
type Counters struct {
	Sent        []uint64 // messages sent, by kind; a broadcast is one
	MaxSent     uint64   // messages sent by the process that sent most
	Delivered   uint64   // messages handled by a live process
	Service     uint64   // delivered messages of a transformer: see protocols.Overhead
	ToDead      uint64   // messages that reached a crashed process
	Lost        uint64   // messages that a link lost, by chance or in a full queue
	Cut         uint64   // messages that a fault lost, or that a link took with it when it went down
	Corrupted   uint64   // messages that arrived damaged, were recognised and dropped
	Altered     uint64   // messages that arrived damaged and were handled all the same
	Duplicated  uint64   // copies made by links and faults
	Fanned      uint64   // receivers of broadcasts beyond the first of each
	Unheard     uint64   // broadcasts of processes without a neighbour
	Collided    uint64   // messages that met another signal of a medium at their receiver
	Reordered   uint64   // messages that overtook one sent earlier on the same link
	Bits        uint64   // size of the messages sent
	BitsAired   uint64   // of those, what was transmitted over a medium: all but what processes sent to themselves
	BitsHeard   uint64   // the same at each neighbour of its sender that was alive at the sending
	CausalDepth uint32   // longest chain of handled messages, each sent after the one before was handled
	LastMessage des.Time // the arrival of the last message, at a live process or not, except a transformer's
	Events      uint64   // events, including planned ones without effect
	Draws       uint64   // random numbers that processes drew
}

// Messages is the number of messages sent.
func (c Counters) Messages() uint64 {
	sum := uint64(0)
	for _, k := range c.Sent {
		sum += k
	}
	return sum
}

// Spread counts a broadcast that goes to so many neighbours, besides Sent.
func (c *Counters) Spread(receivers int) {
	if receivers == 0 {
		c.Unheard++
		return
	}
	c.Fanned += uint64(receivers - 1)
}

// fingerprint is a rolling hash of the events of a run.
type fingerprint uint64

// Epoch goes up when the same seed no longer gives the same run. Fingerprints of different
// epochs cannot be compared.
const Epoch = 1

const (
	fingerprintStart fingerprint = 0x6a09e667f3bcc908 // the fraction of the square root of 2
	fingerprintPrime fingerprint = 0x9fb21c651e98df25
)

// add hashes an event: instant, event type, processes, kind of message and label of the timer.
// The depth of a message follows from these, and its place does not matter.
func (f *fingerprint) add(at des.Time, it item, label uint64) {
	*f = hashed(*f, at, it.who^label<<32)
}

// hashed is the fingerprint after one more event. It has a type parameter because the compiler
// inlines only such functions into those of a Network[M].
func hashed[F ~uint64](f F, at des.Time, who uint64) F {
	h := (f ^ F(uint64(at)*0x9e3779b97f4a7c15^who)) * F(fingerprintPrime)
	return h ^ h>>32
}
