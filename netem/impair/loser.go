package impair

import (
	"math/big"
	"time"

	"bullring/des"
)

// loser decides which messages are lost. Under Exact its chains start from their
// stationary distributions, under Compat in the good state.
type loser struct {
	loss     *loss
	twoWords bool // a message takes
	luck     lottery

	state, before uint8    // of a chain
	seen          des.Time // the last message of timedLoss
	bad           des.Probability
	scale         time.Duration // of timedLoss: the correlation falls as e^(-t/scale)
	linuxP        [5]uint32
}

// The states of gilbert and timedLoss. Those of stateLoss are 1 to 4.
const (
	inGood = iota
	inBad
)

func newLoser(s *loss, mode Mode, start uint64, now des.Time) loser {
	l := loser{loss: s, seen: now}
	switch s.model {
	case randomLoss:
		l.luck = newLottery(chance{true, s.p[0], s.correlation}, mode, start)
	case gilbert, burstLoss:
		l.twoWords = true
		l.bad = share(s.p[toBad], s.p[toGood])
	case timedLoss:
		l.twoWords = true
		l.bad = des.Ratio(uint64(s.bad), uint64(s.good)+uint64(s.bad))
		l.scale = harmonic(s.good, s.bad)
	case stateLoss:
		l.state = 1
	}
	if mode == Compat && s.model != timedLoss { // which Linux has not
		for i, p := range s.p {
			l.linuxP[i] = linuxProbability(p)
		}
		return l
	}
	switch {
	case s.model == stateLoss:
		l.state = s.stationary(start)
	case l.bad.Hit(start):
		l.state = inBad
	}
	return l
}

// share is a/(a+b), and 0 if both are.
func share(a, b des.Probability) des.Probability {
	if a == 0 {
		return 0
	}
	return des.Ratio(uint64(a)/2, uint64(a)/2+uint64(b)/2) // the sum may take 65 bits
}

// harmonic is ab/(a+b).
func harmonic(a, b time.Duration) time.Duration {
	x := new(big.Int).Mul(big.NewInt(int64(a)), big.NewInt(int64(b)))
	return time.Duration(max(1, x.Quo(x, big.NewInt(int64(a+b))).Int64()))
}

// next decides on a message that is sent now.
func (l *loser) next(now des.Time, r, more uint64) bool {
	l.before = l.state
	switch l.loss.model {
	case randomLoss:
		return l.luck.next(r)
	case stateLoss:
		l.state = l.loss.step(l.state, r)
		return l.state >= 3
	case timedLoss:
		l.move(now, r)
		return l.lost(l.state, more)
	default:
		if l.state == inGood && l.loss.p[toBad].Hit(r) {
			l.state = inBad
		} else if l.state == inBad && l.loss.p[toGood].Hit(r) {
			l.state = inGood
		}
		return l.lost(l.before, more)
	}
}

// sibling decides on the second copy of the message that next has decided on.
func (l *loser) sibling(r, more uint64) bool {
	switch l.loss.model {
	case randomLoss:
		return l.luck.sibling(r)
	case stateLoss:
		return l.loss.step(l.before, r) >= 3
	case timedLoss:
		return l.lost(l.state, more)
	default:
		return l.lost(l.before, more)
	}
}

// lost decides in a state of a chain of two.
func (l *loser) lost(state uint8, r uint64) bool {
	if state == inBad {
		return l.loss.p[lossBad].Hit(r)
	}
	return l.loss.p[lossGood].Hit(r)
}

// move goes on to the state at now. Of the chain in continuous time, the
// probability of the bad state at the end of a gap is B + (1-B)e if it begins in
// the bad state, B(1-e) if it begins in the good one; B is the share of the bad
// state, and e = e^(-gap/scale).
func (l *loser) move(now des.Time, r uint64) {
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

// step is the state after this one: 1 good in a gap, 2 good in a burst, 3 lost in
// a burst, 4 an isolated loss.
func (s *loss) step(state uint8, r uint64) uint8 {
	x := des.Probability(r >> 1)
	switch state {
	case 1:
		if x < s.p[p14] {
			return 4
		} else if x < s.p[p14]+s.p[p13] {
			return 3
		}
		return 1
	case 2:
		if x < s.p[p23] {
			return 3
		}
		return 2
	case 3:
		if x < s.p[p32] {
			return 2
		} else if x < s.p[p32]+s.p[p31] {
			return 1
		}
		return 3
	default:
		return 1
	}
}

// weights are proportional to the shares of the states 1 to 4 in the long run,
// which balance the ways between them. Of two states that are never left, the
// burst's counts.
func (s *loss) weights() [4]*big.Int {
	p := func(i int) *big.Int { return new(big.Int).SetUint64(uint64(s.p[i])) }
	product := func(a, b *big.Int) *big.Int { return new(big.Int).Mul(a, b) }
	one, zero := new(big.Int).SetUint64(uint64(des.Always)), new(big.Int)
	if s.p[p32] > 0 && s.p[p23] == 0 && s.p[p13] > 0 {
		return [4]*big.Int{zero, one, zero, zero} // state 2 has no way out
	}
	if s.p[p13] == 0 {
		return [4]*big.Int{one, zero, zero, p(p14)}
	}
	// In units of state 3's: 1 has P31/P13, 2 has P32/P23, 4 has P14 of 1's.
	p23Now := p(p23)
	if s.p[p32] == 0 {
		p23Now = one
	}
	first := product(product(p(p31), p23Now), one)
	return [4]*big.Int{
		first,
		product(product(p(p32), p(p13)), one),
		product(product(p(p13), p23Now), one),
		product(product(p(p31), p23Now), p(p14)),
	}
}

// stationary draws a state.
func (s *loss) stationary(r uint64) uint8 {
	weights := s.weights()
	total := new(big.Int)
	for _, w := range weights {
		total.Add(total, w)
	}
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

// linux decides as Linux does, from 32 bits of each word.
func (l *loser) linux(now des.Time, r, more uint64) bool {
	x, y := uint32(r>>32), uint32(more>>32)
	p := &l.linuxP
	switch l.loss.model {
	case randomLoss:
		return l.luck.linux(r)
	case timedLoss:
		return l.next(now, r, more)
	case stateLoss:
		l.state = l.stepLinux(x)
		return l.state >= 3
	}
	if l.state == inGood {
		if x < p[toBad] {
			l.state = inBad
		}
		return y < p[lossGood]
	}
	if x < p[toGood] {
		l.state = inGood
	}
	return y < p[lossBad]
}

func (l *loser) stepLinux(x uint32) uint8 {
	p := &l.linuxP
	switch l.state {
	case 1:
		if x < p[p14] {
			return 4
		} else if x < p[p13]+p[p14] {
			return 3
		}
		return 1
	case 2:
		if x < p[p23] {
			return 3
		}
		return 2
	case 3:
		if x < p[p32] {
			return 2
		} else if x < p[p31]+p[p32] {
			return 1
		}
		return 3
	default:
		return 1
	}
}
