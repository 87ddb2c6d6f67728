package impair

import (
	"math"
	"math/big"
	"time"
)

// chain is a stationary Markov chain with one step a message and a probability of loss in
// each state. Each model of loss is such a chain.
type chain struct {
	share []float64   // of the states
	step  [][]float64 // from state to state
	lost  []float64   // by state
}

// chain is the chain of a model. The steps of timedLoss depend on the interval between
// messages. If that is 0, which means unknown, moves is false and only the shares hold.
func (s *loss) chain(interval time.Duration) (c chain, moves bool) {
	p := func(i int) float64 { return s.p[i].Float() }
	switch s.model {
	case randomLoss:
		rate, rho := p(0), s.correlation.Float()
		hit, miss := rate+rho*(1-rate), rate*(1-rho)
		return chain{[]float64{1 - rate, rate}, [][]float64{{1 - miss, miss}, {1 - hit, hit}}, []float64{0, 1}}, true
	case stateLoss:
		return s.stateChain(), true
	case timedLoss:
		bad := float64(s.bad) / float64(s.good+s.bad)
		left := math.Exp(-float64(interval) / float64(s.good) * float64(s.good+s.bad) / float64(s.bad))
		return chain{
			[]float64{1 - bad, bad},
			[][]float64{{1 - bad*(1-left), bad * (1 - left)}, {(1 - bad) * (1 - left), bad + (1-bad)*left}},
			[]float64{p(lossGood), p(lossBad)},
		}, interval > 0
	}
	bad := 0.0
	if p(toBad) > 0 {
		bad = p(toBad) / (p(toBad) + p(toGood))
	}
	return chain{
		[]float64{1 - bad, bad},
		[][]float64{{1 - p(toBad), p(toBad)}, {p(toGood), 1 - p(toGood)}},
		[]float64{p(lossGood), p(lossBad)},
	}, true
}

func (s *loss) stateChain() chain {
	p := func(i int) float64 { return s.p[i].Float() }
	c := chain{
		step: [][]float64{
			{1 - p(p13) - p(p14), 0, p(p13), p(p14)},
			{0, 1 - p(p23), p(p23), 0},
			{p(p31), p(p32), 1 - p(p31) - p(p32), 0},
			{1, 0, 0, 0},
		},
		lost: []float64{0, 0, 1, 1},
	}
	weights, total := s.weights()
	for _, w := range weights {
		share, _ := new(big.Rat).SetFrac(w, total).Float64()
		c.share = append(c.share, share)
	}
	return c
}

// rate is the share of lost messages.
func (c *chain) rate() float64 {
	sum := 0.0
	for s, share := range c.share {
		sum += share * c.lost[s]
	}
	return sum
}

// meanBurst is the mean length of a burst of losses: the share of losses divided by the
// share of losses that begin a burst.
func (c *chain) meanBurst() float64 {
	rate, begin := c.rate(), 0.0
	for _, x := range c.begin() {
		begin += x
	}
	return rate / begin
}

// begin is the probability, by state, that a message is lost and the one before is not.
func (c *chain) begin() []float64 {
	begin := make([]float64, len(c.share))
	for s, share := range c.share {
		for t, p := range c.step[s] {
			begin[t] += share * (1 - c.lost[s]) * p * c.lost[t]
		}
	}
	return begin
}

// bursts are the probabilities of bursts of length 1, 2, ..., until the rest is below 1e-12.
func (c *chain) bursts() []float64 {
	const longest = 10_000
	at, total := c.begin(), 0.0
	for _, x := range at {
		total += x
	}
	var lengths []float64
	for left := 1.0; left > 1e-12 && len(lengths) < longest; {
		next, longer := make([]float64, len(at)), 0.0
		for s, x := range at {
			for t, p := range c.step[s] {
				next[t] += x * p * c.lost[t]
				longer += x * p * c.lost[t] / total
			}
		}
		lengths = append(lengths, left-longer)
		at, left = next, longer
	}
	return lengths
}

// variance is n times the variance of the loss rate among n messages, for large n: the sum of
// the covariances of one message's loss with each other's. It is 0 if the sum does not
// converge.
func (c *chain) variance() float64 {
	const longest = 1_000_000
	rate := c.rate()
	sum := rate * (1 - rate)
	future := c.lost
	for range longest {
		next := make([]float64, len(future))
		covariance := -rate * rate
		for s := range next {
			for t, p := range c.step[s] {
				next[s] += p * future[t]
			}
			covariance += c.share[s] * c.lost[s] * next[s]
		}
		sum += 2 * covariance
		if math.Abs(covariance) < 1e-9*rate*(1-rate) {
			return sum
		}
		future = next
	}
	return 0
}
