package impair

import (
	"math/big"
	"time"

	"bullring/des"
)

// lossProcess decides which messages are lost. Under Exact its chains start from their
// stationary distributions, under Compat in the good state.
type lossProcess struct {
	model    lossModel
	twoWords bool    // a message takes two random words
	luck     lottery // of randomLoss

	// Of the chains: the state, that of the message before, and the thresholds of the
	// probabilities. A random word, shifted, is below its threshold with that probability.
	state, before uint8
	shift         uint8
	p             [5]uint64

	// Of timedLoss. The correlation of the states falls as e^(-t/scale).
	seen  des.Time        // the last message
	bad   des.Probability // the share of the bad state
	scale time.Duration
}

// The states of gilbert and timedLoss. Those of stateLoss are 1 good in a gap, 2 good in a
// burst, 3 lost in a burst, 4 an isolated loss.
const (
	inGood = iota
	inBad
)

func newLossProcess(s *loss, mode Mode, start uint64, now des.Time) lossProcess {
	l := lossProcess{model: s.model, seen: now}
	l.thresholds(s, mode == Compat && s.model != timedLoss) // Linux has no timedLoss
	switch s.model {
	case randomLoss:
		l.luck = newLottery(chance{true, s.p[0], s.correlation}, mode, start)
	case gilbert, burstLoss:
		l.twoWords = true
		if mode == Exact && share(s.p[toBad], s.p[toGood]).Hit(start) {
			l.state = inBad
		}
	case timedLoss:
		l.twoWords = true
		l.bad = des.Ratio(uint64(s.bad), uint64(s.good)+uint64(s.bad))
		l.scale = harmonic(s.good, s.bad)
		if l.bad.Hit(start) {
			l.state = inBad
		}
	case stateLoss:
		l.state = 1
		if mode == Exact {
			l.state = s.stationary(start)
		}
	}
	return l
}

// thresholds computes p and shift. In stateLoss a state has up to two ways out. The threshold
// of the second is the sum, which Linux adds in 32 bits.
func (l *lossProcess) thresholds(s *loss, linux bool) {
	l.shift = 1
	for i, p := range s.p {
		l.p[i] = uint64(p)
	}
	if linux {
		l.shift = 32
		for i, p := range s.p {
			l.p[i] = uint64(linuxProbability(p))
		}
	}
	if s.model == stateLoss {
		l.p[p13] += l.p[p14]
		l.p[p31] += l.p[p32]
		if linux {
			l.p[p13], l.p[p31] = uint64(uint32(l.p[p13])), uint64(uint32(l.p[p31]))
		}
	}
}

// share is a/(a+b), and 0 if a is.
func share(a, b des.Probability) des.Probability {
	if a == 0 {
		return 0
	}
	return des.Ratio(uint64(a)/2, uint64(a)/2+uint64(b)/2) // the sum can have 65 bits
}

// harmonic is ab/(a+b).
func harmonic(a, b time.Duration) time.Duration {
	x := new(big.Int).Mul(big.NewInt(int64(a)), big.NewInt(int64(b)))
	return time.Duration(max(1, x.Quo(x, big.NewInt(int64(a+b))).Int64()))
}

// next decides for a message that is sent now.
func (l *lossProcess) next(now des.Time, r, second uint64) bool {
	l.before = l.state
	switch l.model {
	case randomLoss:
		return l.luck.next(r)
	case stateLoss:
		l.state = l.step(l.state, r)
		return l.state >= 3
	case timedLoss:
		l.move(now, r)
		return l.lost(l.state, second)
	default:
		if x := r >> l.shift; l.state == inGood && x < l.p[toBad] {
			l.state = inBad
		} else if l.state == inBad && x < l.p[toGood] {
			l.state = inGood
		}
		return l.lost(l.before, second)
	}
}

// sibling decides for the second copy of the last message.
func (l *lossProcess) sibling(r, second uint64) bool {
	switch l.model {
	case randomLoss:
		return l.luck.sibling(r)
	case stateLoss:
		return l.step(l.before, r) >= 3
	case timedLoss:
		return l.lost(l.state, second)
	default:
		return l.lost(l.before, second)
	}
}

// lost decides in a state of gilbert or timedLoss.
func (l *lossProcess) lost(state uint8, r uint64) bool {
	if state == inBad {
		return r>>l.shift < l.p[lossBad]
	}
	return r>>l.shift < l.p[lossGood]
}

// move goes on to the state at now. With B the share of the bad state and e =
// e^(-gap/scale), the bad state follows the bad one with probability B + (1-B)e, and the
// good one with probability B(1-e).
func (l *lossProcess) move(now des.Time, r uint64) {
	left := des.Decay(now.Sub(l.seen), l.scale)
	l.seen = now
	bad := l.bad.Times(left.Not())
	if l.state == inBad {
		bad += left
	}
	l.state = inGood
	if bad.Hit(r) {
		l.state = inBad
	}
}

// step is the state of stateLoss after this one.
func (l *lossProcess) step(state uint8, r uint64) uint8 {
	x := r >> l.shift
	switch {
	case state == 1 && x < l.p[p14]:
		return 4
	case state == 1 && x < l.p[p13], state == 2 && x < l.p[p23]:
		return 3
	case state == 3 && x < l.p[p32]:
		return 2
	case state == 3 && x < l.p[p31], state == 4:
		return 1
	}
	return state
}

// weights are proportional to the shares of the states 1 to 4 in the long run; total is their
// sum. If two states are never left, the one of the burst counts.
func (s *loss) weights() (w [4]*big.Int, total *big.Int) {
	p := func(i int) *big.Int { return new(big.Int).SetUint64(uint64(s.p[i])) }
	product := func(a, b *big.Int) *big.Int { return new(big.Int).Mul(a, b) }
	one, zero := new(big.Int).SetUint64(uint64(des.Always)), new(big.Int)
	switch {
	case s.p[p32] > 0 && s.p[p23] == 0 && s.p[p13] > 0:
		w = [4]*big.Int{zero, one, zero, zero} // state 2 has no way out
	case s.p[p13] == 0:
		w = [4]*big.Int{one, zero, zero, p(p14)}
	default:
		// Relative to state 3, state 1 has P31/P13 and state 2 has P32/P23. State 4 has
		// P14 times the share of state 1.
		p23Now := p(p23)
		if s.p[p32] == 0 {
			p23Now = one
		}
		good := product(p(p31), p23Now)
		w = [4]*big.Int{product(good, one), product(product(p(p32), p(p13)), one), product(product(p(p13), p23Now), one), product(good, p(p14))}
	}
	total = new(big.Int)
	for _, x := range w {
		total.Add(total, x)
	}
	return w, total
}

// stationary draws a state.
func (s *loss) stationary(r uint64) uint8 {
	weights, total := s.weights()
	x := new(big.Int).Mul(total, new(big.Int).SetUint64(r))
	x.Rsh(x, 64)
	for i, w := range weights {
		if x.Cmp(w) < 0 {
			return uint8(i + 1)
		}
		x.Sub(x, w)
	}
	panic("impair: a random word above its range")
}
