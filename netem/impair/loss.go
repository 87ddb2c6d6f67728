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
	p           [5]des.Probability // the constants below name them
	correlation des.Probability    // of randomLoss
	good, bad   time.Duration      // mean sojourns, of timedLoss
	burst       millionths         // mean length of a burst, of burstLoss
}

type lossModel uint8

const (
	noLoss     lossModel = iota
	randomLoss           // each message with a probability
	stateLoss            // netem's chain of four states
	gilbert              // Gilbert and Elliott's chain of two states, one step a message
	timedLoss            // the same chain in continuous time
	burstLoss            // gilbert, given by its rate and the length of its bursts
)

// The places of the probabilities in loss.p. gilbert and timedLoss share theirs. burstLoss
// has its rate, and those of gilbert that follow from it.
const (
	p13, p31, p32, p23, p14          = 0, 1, 2, 3, 4
	toBad, toGood, lossBad, lossGood = 0, 1, 2, 3
	burstRate                        = 4
)

// chainForm is how a chain is written: its word, the durations of timedLoss, and
// probabilities. All of these but the one in place 0 can be left out.
type chainForm struct {
	word    string
	model   lossModel
	names   []string // of the probabilities
	first   int      // the place of the first
	certain int      // the place of the one that is then 1
}

var chainForms = []chainForm{
	{"state", stateLoss, []string{"P13", "P31", "P32", "P23", "P14"}, p13, p23},
	{"gemodel", gilbert, []string{"P", "R", "1-H", "1-K"}, toBad, lossBad},
	{"time", timedLoss, []string{"1-H", "1-K"}, lossBad, lossBad},
}

func parseLoss(l *Line, w *words) error {
	s := &l.loss
	*s = loss{model: randomLoss}
	if w.take("random") || w.number() {
		c, err := w.chance()
		s.p[0], s.correlation = c.p, c.correlation
		return err
	}
	if w.take("burst") {
		return s.parseBurst(w)
	}
	at, err := w.next("a probability or a model")
	if err != nil {
		return err
	}
	models := []string{"random", "burst"}
	for _, form := range chainForms {
		if form.word == at.text {
			return s.parseChain(w, form)
		}
		models = append(models, form.word)
	}
	return w.fail(at, "is neither a probability nor a model of loss%s; the clause is %s", suggest.DidYouMean(at.text, models), w.clause.usage)
}

func (s *loss) parseChain(w *words, form chainForm) (err error) {
	s.model = form.model
	if s.model == timedLoss {
		for _, d := range []*time.Duration{&s.good, &s.bad} {
			if *d, err = value(w, "mean sojourn", positiveTime); err != nil {
				return err
			}
		}
	}
	s.p[form.certain] = des.Always
	for i, name := range form.names {
		place := form.first + i
		if place > 0 && !w.number() {
			break
		}
		if s.p[place], err = w.probability(name); err != nil {
			return err
		}
		if place == 0 { // the way into a burst; P31 and R, the way out of it, are in place 1
			s.p[1] = s.p[0].Not()
		}
	}
	if s.model != stateLoss {
		return nil
	}
	for _, sum := range []struct {
		a, b  int
		names string
	}{{p13, p14, "P13 and P14 leave state 1"}, {p31, p32, "P31 and P32 leave state 3"}} {
		if s.p[sum.a] > s.p[sum.b].Not() {
			return fmt.Errorf("loss: %s, and their sum, %v and %v, is above 100%%", sum.names, s.p[sum.a], s.p[sum.b])
		}
	}
	return nil
}

func positiveTime(text string) (d time.Duration, reason string) {
	if d, reason = parseTime(text); reason == "" && d == 0 {
		reason = "it has to be above 0s"
	}
	return d, reason
}

// parseBurst reads a loss rate and a mean length of bursts, and computes the chain of two
// states that has them: a burst ends with probability R = 1/LENGTH a message, and begins
// with P = RATE R/(1-RATE).
func (s *loss) parseBurst(w *words) (err error) {
	s.model = burstLoss
	if s.p[burstRate], err = w.probability("loss rate"); err != nil {
		return err
	}
	at, err := w.next("the mean length of a burst")
	if err != nil {
		return err
	}
	length, reason := parseMillionths(at.text)
	switch {
	case reason != "":
		return w.invalid(at, "mean length of a burst", reason)
	case length < oneMillion:
		return w.invalid(at, "mean length of a burst", "a burst is 1 message or longer")
	}
	rate := s.p[burstRate]
	s.burst, s.p[toGood], s.p[lossBad] = length, des.Ratio(oneMillion, uint64(length)), des.Always
	if rate < des.Always {
		p := new(big.Int).Mul(new(big.Int).SetUint64(uint64(rate)), new(big.Int).SetUint64(uint64(s.p[toGood])))
		p.Quo(p, new(big.Int).SetUint64(uint64(rate.Not())))
		if p.IsUint64() && p.Uint64() <= uint64(des.Always) {
			s.p[toBad] = des.Probability(p.Uint64())
			return nil
		}
	}
	return w.fail(at, "is too short for a loss rate of %v: between two bursts there is at least one message, so the rate is at most LENGTH/(LENGTH+1)", rate)
}

// possible reports whether the model can lose a message, in some state that it can reach.
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
	switch s.model {
	case randomLoss:
		return chance{true, s.p[0], s.correlation}.text("loss")
	case burstLoss:
		return fmt.Sprintf("loss burst %v %v", s.p[burstRate], s.burst)
	}
	text := ""
	for _, form := range chainForms {
		if form.model != s.model {
			continue
		}
		text = "loss " + form.word
		if s.model == timedLoss {
			text += fmt.Sprintf(" %v %v", s.good, s.bad)
		}
		for i := range form.names {
			text += " " + s.p[form.first+i].String()
		}
	}
	return text
}

// millionths is a number in units of 10^-6.
type millionths uint64

const oneMillion = 1_000_000

func parseMillionths(text string) (m millionths, reason string) {
	whole, decimals, _ := strings.Cut(text, ".")
	if text == "" || text == "." || strings.Trim(whole+decimals, "0123456789") != "" || len(whole) > 9 || len(decimals) > 6 {
		return 0, "allowed are numbers such as 4 or 2.5, with up to nine digits before the point and six after it"
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
