package families

import (
	"bullring/experiments/trial"
	"bullring/protocols"
	"bullring/protocols/adversary"
	"bullring/protocols/broadcast"
)

// Lies are what a Byzantine process of a broadcast says in place of a message.
type Lies[M any] struct {
	Versions func(m M) []M           // all that the receiver would take for a message like it
	Told     func(m M, first bool) M // what one half of the processes hears, and what the other
	Opposite func(m M) M
}

// BroadcastAmongLiars is [Broadcast] with processes that may be Byzantine.
func BroadcastAmongLiars[M protocols.Message](a trial.Algorithm, promise broadcast.Promise, lies Lies[M], build func(*trial.Instance) func(protocols.ID) broadcast.Service[M]) trial.Algorithm {
	for _, s := range adversary.Asynchronously {
		a.Liars = append(a.Liars, trial.Liar(s))
	}
	return broadcasting(a, promise, func(in *trial.Instance) func(protocols.ID) protocols.Process[M] {
		honest, liars := clients(in, build), in.Strategies()
		return func(p protocols.ID) protocols.Process[M] {
			strategy, lying := liars[p]
			if !lying {
				return honest(p)
			}
			return lyingMember[M]{adversary.Asynchronous[M]{
				Honest:   func() protocols.Process[M] { return honest(p) },
				Second:   func() protocols.Process[M] { return adversary.Opposed(honest(p), lies.Opposite) },
				First:    func(q protocols.ID) bool { return int(q) < in.N/2 },
				Versions: lies.Versions, Told: lies.Told,
			}.Lying(strategy)}
		}
	})
}

// lyingMember is a Byzantine process. What it broadcasts and delivers does not count.
type lyingMember[M protocols.Message] struct{ protocols.Process[M] }

var _ broadcast.Member = lyingMember[protocols.Message]{}

// Broadcasts implements [broadcast.Member].
func (lyingMember[M]) Broadcasts() []int { return nil }

// Delivered implements [broadcast.Member].
func (lyingMember[M]) Delivered() []broadcast.Item { return nil }
