package impair

import (
	"fmt"
	"math/big"
	"strings"
	"time"

	"bullring/des"
	"bullring/internal/suggest"
)

// loss is the loss clause.
type loss struct {
	model       lossModel
	p           [5]des.Probability // what the model's constants name
	correlation des.Probability    // of randomLoss
	good, bad   time.Duration      // mean sojourns, of timedLoss
	burst       millionths         // mean length of a burst, of burstLoss
}

type lossModel uint8

const (
	noLoss     lossModel = iota
	randomLoss           // each message with a probability
	stateLoss            // netem's chain of four states
	gilbert              // Gilbert and Elliott's chain of two, a step a message
	timedLoss            // the same in continuous time
	burstLoss            // gilbert, by its rate and the length of its bursts
)

// The places of the parameters in loss.p. Those of gilbert and timedLoss are
// shared; burstLoss has those of gilbert that follow from its own, and its rate.
const (
	p13, p31, p32, p23, p14          = 0, 1, 2, 3, 4
	toBad, toGood, lossBad, lossGood = 0, 1, 2, 3
	burstRate                        = 4
)

func parseLoss(l *Line, w *words, _ func(string) ([]byte, error)) (err error) {
	l.loss = loss{}
	s := &l.loss
	if len(w.list) == 0 {
		_, err := w.next("a probability or a model")
		return err
	}
	at := w.list[0]
	switch {
	case w.take("state"):
		err = s.parseState(w, at)
	case w.take("gemodel"):
		s.model = gilbert
		err = s.parseGilbert(w)
	case w.take("time"):
		s.model = timedLoss
		err = s.parseTimed(w)
	case w.take("burst"):
		s.model = burstLoss
		err = s.parseBurst(w)
	case w.take("random") || w.number():
		s.model = randomLoss
		var c chance
		err = w.chance(&c)
		s.p[0], s.correlation = c.p, c.correlation
	default:
		models := []string{"random", "state", "gemodel", "time", "burst"}
		return w.fail(at, "is neither a probability nor a model of loss%s; it is written %s", suggest.DidYouMean(at.text, models), usage("loss"))
	}
	if err == nil && len(w.list) > 0 && w.list[0].text == "ecn" {
		return w.fail(w.list[0], "%s", misplaced["ecn"])
	}
	return err
}

// optional reads probabilities as long as there are numbers, into the places.
func (s *loss) optional(w *words, names []string, places ...int) (err error) {
	for i, place := range places {
		if !w.number() {
			return nil
		}
		if s.p[place], err = w.probability(names[i]); err != nil {
			return err
		}
	}
	return nil
}

func (s *loss) parseState(w *words, at word) (err error) {
	s.model = stateLoss
	if s.p[p13], err = w.probability("P13"); err != nil {
		return err
	}
	s.p[p31], s.p[p23] = s.p[p13].Not(), des.Always
	if err = s.optional(w, []string{"P31", "P32", "P23", "P14"}, p31, p32, p23, p14); err != nil {
		return err
	}
	for _, sum := range []struct {
		a, b  int
		names string
	}{{p13, p14, "P13 and P14 leave state 1"}, {p31, p32, "P31 and P32 leave state 3"}} {
		if s.p[sum.a] > s.p[sum.b].Not() {
			return w.fail(at, "has probabilities that do not fit: %s, and their sum, %v and %v, is above 100%%", sum.names, s.p[sum.a], s.p[sum.b])
		}
	}
	return nil
}

func (s *loss) parseGilbert(w *words) (err error) {
	if s.p[toBad], err = w.probability("P"); err != nil {
		return err
	}
	s.p[toGood], s.p[lossBad] = s.p[toBad].Not(), des.Always
	return s.optional(w, []string{"R", "1-H", "1-K"}, toGood, lossBad, lossGood)
}

func (s *loss) parseTimed(w *words) (err error) {
	for _, d := range []*time.Duration{&s.good, &s.bad} {
		var at word
		if len(w.list) > 0 {
			at = w.list[0]
		}
		if *d, err = w.duration("mean sojourn"); err != nil {
			return err
		}
		if *d == 0 {
			return w.fail(at, "is no mean sojourn: it has to be above 0s")
		}
	}
	s.p[lossBad] = des.Always
	return s.optional(w, []string{"1-H", "1-K"}, lossBad, lossGood)
}

// parseBurst reads a loss rate and a mean length of bursts, and computes the
// chain of two states that has them: bursts end with probability R = 1/LENGTH a
// message, and begin with P = RATE R/(1-RATE).
func (s *loss) parseBurst(w *words) (err error) {
	if s.p[burstRate], err = w.probability("loss rate"); err != nil {
		return err
	}
	at, err := w.next("the mean length of a burst")
	if err != nil {
		return err
	}
	var reason string
	if s.burst, reason = parseMillionths(at.text); reason != "" {
		return w.fail(at, "is no mean length of a burst: %s", reason)
	}
	rate := s.p[burstRate]
	if s.burst < oneMillion {
		return w.fail(at, "is no mean length of a burst: a burst is 1 message or longer")
	}
	s.p[toGood] = des.Ratio(oneMillion, uint64(s.burst))
	if rate < des.Always {
		p := new(big.Int).Mul(new(big.Int).SetUint64(uint64(rate)), new(big.Int).SetUint64(uint64(s.p[toGood])))
		p.Quo(p, new(big.Int).SetUint64(uint64(rate.Not())))
		if p.IsUint64() && p.Uint64() <= uint64(des.Always) {
			s.p[toBad], s.p[lossBad] = des.Probability(p.Uint64()), des.Always
			return nil
		}
	}
	return w.fail(at, "is too short for a loss rate of %v: between two bursts there is one message at least, so that the rate is at most LENGTH/(LENGTH+1)", rate)
}

// possible reports whether the model can lose a message, in some state that it
// can reach.
func (s *loss) possible() bool {
	p := &s.p
	switch s.model {
	case noLoss:
		return false
	case randomLoss:
		return p[0] > 0
	case stateLoss:
		return p[p13] > 0 || p[p14] > 0
	case timedLoss:
		return p[lossBad] > 0 || p[lossGood] > 0
	}
	return p[toBad] > 0 && p[lossBad] > 0 || p[lossGood] > 0
}

func printLoss(l *Line) string {
	s := &l.loss
	list := func(head string, ps ...des.Probability) string {
		for _, p := range ps {
			head += " " + p.String()
		}
		return head
	}
	switch s.model {
	case randomLoss:
		return chance{true, s.p[0], s.correlation}.text("loss")
	case stateLoss:
		return list("loss state", s.p[:]...)
	case gilbert:
		return list("loss gemodel", s.p[:4]...)
	case timedLoss:
		return list(fmt.Sprintf("loss time %v %v", s.good, s.bad), s.p[lossBad], s.p[lossGood])
	case burstLoss:
		return list("loss burst", s.p[burstRate]) + " " + s.burst.String()
	}
	return ""
}

// millionths is a number in units of 10^-6.
type millionths uint64

const oneMillion = 1_000_000

func parseMillionths(text string) (m millionths, reason string) {
	whole, decimals, _ := strings.Cut(text, ".")
	if text == "" || text == "." || strings.Trim(whole+decimals, "0123456789") != "" || len(whole) > 9 || len(decimals) > 6 {
		return 0, "allowed are numbers such as 4 or 2.5, with up to nine digits before the point and six behind it"
	}
	for _, digit := range whole + decimals + strings.Repeat("0", 6-len(decimals)) {
		m = 10*m + millionths(digit-'0')
	}
	return m, ""
}

func (m millionths) String() string {
	text := fmt.Sprintf("%d.%06d", m/oneMillion, m%oneMillion)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}
