package electiontest

import (
	"math/big"
	"time"

	"bullring/protocols"
)

// EveryDraw calls run once for each outcome of the draws that it makes, and then seen
// with the probability of that outcome.
func EveryDraw(run func(draw func(of int) int), seen func(probability *big.Rat)) {
	var made, of []int // the draws of the last run, and among how many
	for {
		k := 0
		p := big.NewRat(1, 1)
		run(func(among int) int {
			if k == len(made) {
				made, of = append(made, 0), append(of, among)
			}
			p.Mul(p, big.NewRat(1, int64(among)))
			k++
			return made[k-1]
		})
		seen(p)
		for k = len(made) - 1; k >= 0 && made[k] == of[k]-1; k-- {
		}
		if k < 0 {
			return
		}
		made, of = made[:k+1], of[:k+1]
		made[k]++
	}
}

// Ring is the node of a process of a unidirectional ring without a network. It keeps the
// messages that are sent, and draws by Draw.
type Ring[M any] struct {
	Address protocols.ID
	N       int
	Draw    func(of int) int
	Sent    []M
}

var _ protocols.Node[int] = (*Ring[int])(nil)

// ID implements [protocols.Node].
func (r *Ring[M]) ID() protocols.ID { return r.Address }

// Degree implements [protocols.Node].
func (r *Ring[M]) Degree() int { return 1 }

// Neighbor implements [protocols.Node].
func (r *Ring[M]) Neighbor(int) protocols.ID { return (r.Address + 1) % protocols.ID(r.N) }

// Send implements [protocols.Node].
func (r *Ring[M]) Send(_ protocols.ID, m M) { r.Sent = append(r.Sent, m) }

// SetTimer panics: there are no timers.
func (r *Ring[M]) SetTimer(protocols.Timer, time.Duration) { panic("electiontest: a timer") }

// StopTimer panics: there are no timers.
func (r *Ring[M]) StopTimer(protocols.Timer) { panic("electiontest: a timer") }

// Intn implements [protocols.Node].
func (r *Ring[M]) Intn(n int) int { return r.Draw(n) }

// Suspects is false: there is no failure detector.
func (r *Ring[M]) Suspects(protocols.ID) bool { return false }

// Now panics: elections read no clock.
func (r *Ring[M]) Now() time.Duration { panic("electiontest: a clock") }

// Take returns the messages sent since the last call.
func (r *Ring[M]) Take() []M {
	sent := r.Sent
	r.Sent = nil
	return sent
}
