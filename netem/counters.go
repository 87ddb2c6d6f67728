package netem

import "bullring/des"

// Counters is what a run counts. A message counts when it is sent; what became
// of it is counted beside it: in a run that has come to rest, Sent + Duplicated is
// Delivered + ToDead + Lost + Cut + Corrupted, but for messages that a fault holds
// back for ever.
type Counters struct {
	Sent        []uint64 // messages sent, by kind
	SentBy      []uint64 // messages sent, by process
	Delivered   uint64   // messages handled by a live process
	Service     uint64   // of these, messages of a transformer: see protocols.Overhead
	ToDead      uint64   // messages that reached a crashed process
	Lost        uint64   // messages that a link lost, or that found its queue full
	Cut         uint64   // messages that a fault had lost
	Corrupted   uint64   // messages that arrived damaged, and were recognised and dropped
	Altered     uint64   // messages that arrived damaged, and were handled as if they were not
	Duplicated  uint64   // copies of messages that nobody sent
	Reordered   uint64   // messages that overtook one sent earlier on the same link
	Bits        uint64   // size of the messages sent
	CausalDepth uint32   // longest chain of handled messages, each sent after the one before was handled
	LastMessage des.Time // when the last message arrived, at a live process or not, but for a transformer's
	Events      uint64   // events that happened, those planned included that changed nothing
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

// fingerprint is a rolling hash of the events of a run.
type fingerprint uint64

// Epoch numbers the trajectories: it goes up when the same seed no longer
// means the same run, so that fingerprints of different epochs are not
// compared.
const Epoch = 1

const (
	fingerprintStart fingerprint = 0x6a09e667f3bcc908 // the fraction of the square root of 2
	fingerprintPrime fingerprint = 0x9fb21c651e98df25
)

// add hashes an event: the instant, what, who and which kind of message. The
// depth and the place of a message are left out; they follow from the rest or
// do not matter. label is that of a timer.
func (f *fingerprint) add(at des.Time, it item, label uint64) {
	x := uint64(at)*0x9e3779b97f4a7c15 ^ it.who ^ label<<32
	h := (*f ^ fingerprint(x)) * fingerprintPrime
	*f = h ^ h>>32
}

// MaxSent is the largest number of messages that one process sent.
func (c Counters) MaxSent() uint64 {
	most := uint64(0)
	for _, k := range c.SentBy {
		most = max(most, k)
	}
	return most
}
