package impair

import (
	"math/big"
	"time"

	"bullring/des"
)

// lossProcess decides which messages are lost. Under Exact its chains start from their
// stationary distributions, under Compat in the good state.
type lossProcess struct {
	loss     *loss
	model    lossModel
	exact    bool
	twoWords bool    // a message takes two random words
	random   lottery // of randomLoss

	// Of the chains: the thresholds of the probabilities. A random word, shifted, is below its
	// threshold with that probability.
	shift uint8
	p     [5]uint64

	// Of timedLoss. The correlation of the states falls as e^(-t/scale).
	bad   des.Probability // the share of the bad state
	scale time.Duration
}

// losses is the state of a loss process on a channel.
type losses struct {
	seen          des.Time // of timedLoss: the last message
	luck          luck     // of randomLoss
	state, before uint8    // of the chains: the state, and that of the message before
}

// The states of gilbert and timedLoss. Those of stateLoss are 1 good in a gap, 2 good in a
// burst, 3 lost in a burst, 4 an isolated loss.
const (
	inGood = iota
	inBad
)

func newLossProcess(s *loss, mode Mode) lossProcess {
	l := lossProcess{loss: s, model: s.model, exact: mode == Exact}
	l.thresholds(s, mode == Compat && s.model != timedLoss) // Linux has no timedLoss
	switch s.model {
	case randomLoss:
		l.random = newLottery(chance{true, s.p[0], s.correlation}, mode)
	case gilbert, burstLoss:
		l.twoWords = true
	case timedLoss:
		l.twoWords = true
		l.bad = des.Ratio(uint64(s.bad), uint64(s.good)+uint64(s.bad))
		l.scale = harmonic(s.good, s.bad)
	}
	return l
}

// begin returns the state before the first message.
func (l *lossProcess) begin(start uint64, now des.Time) losses {
	s := losses{seen: now}
	switch l.model {
	case randomLoss:
		s.luck = l.random.begin(start)
	case gilbert, burstLoss:
		if l.exact && share(l.loss.p[toBad], l.loss.p[toGood]).Hit(start) {
			s.state = inBad
		}
	case timedLoss:
		if l.bad.Hit(start) {
			s.state = inBad
		}
	case stateLoss:
		s.state = 1
		if l.exact {
			s.state = l.loss.stationary(start)
		}
	}
	return s
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
func (l *lossProcess) next(s *losses, now des.Time, r, second uint64) bool {
	s.before = s.state
	switch l.model {
	case randomLoss:
		return l.random.next(&s.luck, r)
	case stateLoss:
		s.state = l.step(s.state, r)
		return s.state >= 3
	case timedLoss:
		l.move(s, now, r)
		return l.lost(s.state, second)
	default:
		if x := r >> l.shift; s.state == inGood && x < l.p[toBad] {
			s.state = inBad
		} else if s.state == inBad && x < l.p[toGood] {
			s.state = inGood
		}
		return l.lost(s.before, second)
	}
}

// sibling decides for the second copy of the last message.
func (l *lossProcess) sibling(s *losses, r, second uint64) bool {
	switch l.model {
	case randomLoss:
		return l.random.sibling(s.luck, r)
	case stateLoss:
		return l.step(s.before, r) >= 3
	case timedLoss:
		return l.lost(s.state, second)
	default:
		return l.lost(s.before, second)
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
func (l *lossProcess) move(s *losses, now des.Time, r uint64) {
	left := des.Decay(now.Sub(s.seen), l.scale)
	s.seen = now
	bad := l.bad.Times(left.Not())
	if s.state == inBad {
		bad += left
	}
	s.state = inGood
	if bad.Hit(r) {
		s.state = inBad
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
