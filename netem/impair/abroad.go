package impair

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"bullring/des"
)

// Notes tell what became of a line, or of a plan, in the words of another program.
type Notes struct {
	Missing []string // what the program cannot say, with the reason
	Rounded []string // values that the program rounds
	Differs []string // what the program means by the same words
}

func (n *Notes) missing(what, format string, args ...any) {
	n.Missing = append(n.Missing, what+": "+fmt.Sprintf(format, args...))
}

func (n *Notes) rounded(what, format string, args ...any) {
	n.Rounded = append(n.Rounded, what+": "+fmt.Sprintf(format, args...))
}

func (n *Notes) differs(what, format string, args ...any) {
	n.Differs = append(n.Differs, what+": "+fmt.Sprintf(format, args...))
}

// tcLongest is the longest delay that tc takes: below 2^32 ticks of 64 ns. It does not notice
// all that are longer.
const tcLongest = 274 * time.Second

// netemQueue is the limit of a line without one. Linux's own is 1000 packets.
const netemQueue = math.MaxInt32

// tc collects the words of tc for a line, and the notes.
type tc struct {
	*Line
	Notes
	exact bool
	words []string
}

// TC returns the words of tc for the line, which follow "netem" in a command, as Linux 6.18 and
// iproute2 6.1 take them. The words are "" if tc can say nothing of the line. The notes compare
// with the line in that mode.
func (l *Line) TC(mode Mode) (words string, notes Notes) {
	t := &tc{Line: l, exact: mode == Exact}
	t.sayDelay()
	t.sayLoss()
	t.sayChance("duplicate", l.duplicate)
	t.sayReorder()
	t.sayCorrupt()
	t.sayRate()
	t.saySlot()
	if len(t.words) == 0 && l.limit == 0 {
		return "", t.Notes
	}
	limit := l.limit
	if limit == 0 {
		limit = netemQueue
	}
	t.say("limit", strconv.Itoa(limit))
	t.compare()
	return strings.Join(t.words, " "), t.Notes
}

func (t *tc) say(words ...string) { t.words = append(t.words, words...) }

func (t *tc) sayDelay() {
	d, text := &t.delay, printDelay(t.Line)
	switch d.kind {
	case noDelay:
		return
	case traceDelay:
		t.missing(text, "tc does not replay measured delays")
		return
	case spreadDelay:
		t.saySpread(text)
		return
	}
	lo, hi, bounded := d.law.Bounds()
	_, mixed := d.law.(*des.Mixture)
	switch {
	case mixed:
		t.missing(text, "tc has no mixture of delays: it takes one time, one jitter and one distribution")
	case !bounded || lo != hi:
		t.missing(text, "tc takes a time and a jitter, as in delay 20ms 5ms distribution normal, and no expression")
	case lo > tcLongest:
		t.missing(text, "tc takes at most %v", tcLongest)
	default:
		t.say("delay", t.microseconds(text, lo))
	}
}

// saySpread says a delay with a jitter.
func (t *tc) saySpread(text string) {
	s := t.delay.spread
	mean, jitter := s.mean.Round(time.Microsecond), s.jitter.Round(time.Microsecond)
	switch {
	case s.mean > tcLongest || s.jitter > tcLongest:
		t.missing(text, "tc takes at most %v", tcLongest)
		return
	case !t.hasTable(text, s.shape):
		return
	case s.shape != "uniform" && (mean == 0 || jitter == 0):
		t.missing(text, "tc takes a distribution only with a time and a jitter of 1us and more")
		return
	}
	t.say("delay", t.microseconds(text, s.mean), t.microseconds(text, s.jitter))
	if t.delay.correlation > 0 {
		t.say(t.share(text, t.delay.correlation))
	}
	if s.shape != "uniform" {
		t.say("distribution", s.shape)
	}
}

// hasTable reports whether tc brings a table of the shape, or needs none.
func (t *tc) hasTable(text, shape string) bool {
	if kind, file, ok := strings.Cut(shape, " "); ok && kind == "table" {
		name, _, _ := strings.Cut(file, "@")
		t.missing(text, "tc reads tables from its own folder; copy %s there as NAME.dist and write distribution NAME", name)
		return false
	}
	if k := findShape(shape); shape != "uniform" && k.table == nil {
		t.missing(text, "tc has no table of this distribution, only of normal, pareto and paretonormal")
		return false
	}
	return true
}

// microseconds is a time of a delay in tc's words. tc keeps whole microseconds.
func (t *tc) microseconds(text string, d time.Duration) string {
	whole := d.Round(time.Microsecond)
	if whole != d {
		t.rounded(text, "tc keeps whole microseconds, so that %v becomes %v", d, whole)
	}
	return tcTime(whole)
}

// tcTime writes a time in the largest unit in which it is a whole number. tc knows no µs, m
// and h.
func tcTime(d time.Duration) string {
	for _, unit := range []struct {
		name string
		size time.Duration
	}{{"s", time.Second}, {"ms", time.Millisecond}, {"us", time.Microsecond}} {
		if d%unit.size == 0 {
			return fmt.Sprintf("%d%s", d/unit.size, unit.name)
		}
	}
	return fmt.Sprintf("%dns", d)
}

// share is a probability in tc's words.
func (t *tc) share(text string, p des.Probability) string {
	if stored := float64(kept(p)) / math.MaxUint32; math.Abs(stored-p.Float()) > 1e-6*p.Float() {
		t.rounded(text, "Linux keeps multiples of 1/(2^32-1), so that %v becomes %.9g%%", p, 100*stored)
	}
	if words := p.String(); strings.HasSuffix(words, "%") {
		return words
	}
	return strconv.FormatFloat(100*p.Float(), 'f', -1, 64) + "%"
}

// kept is the number that Linux keeps of a probability.
func kept(p des.Probability) uint32 { return uint32(math.Round(p.Float() * math.MaxUint32)) }

func (t *tc) sayLoss() {
	s, text := &t.loss, printLoss(t.Line)
	p := s.p[:]
	switch s.model {
	case noLoss:
		return
	case randomLoss:
		t.sayChance("loss", chance{true, p[0], s.correlation})
		return
	case timedLoss:
		t.missing(text, "netem's chains take a step a packet and none in time; loss gemodel and loss burst can be exported")
		return
	case stateLoss:
		t.say("loss", "state")
	default:
		t.say("loss", "gemodel")
		p = p[:lossGood+1]
	}
	for _, q := range p {
		t.say(t.share(text, q))
	}
}

func (t *tc) sayChance(clause string, c chance) {
	if !c.given {
		return
	}
	text := c.text(clause)
	t.say(clause, t.share(text, c.p))
	if c.correlation == 0 {
		return
	}
	t.say(t.share(text, c.correlation))
	if linux, _ := c.expected(Compat); t.exact && !linux.Known {
		t.differs(text, "Linux's correlation changes the share of the packets; without --as, --link-mode compat measures it")
	}
}

func (t *tc) sayReorder() {
	text := printReorder(t.Line)
	switch {
	case t.reorder.p == 0:
		return
	case kept(t.reorder.p) == 0:
		t.missing(text, "Linux rounds the probability to 0")
		return
	case len(t.words) < 2 || t.words[0] != "delay" || strings.TrimRight(t.words[1], "unms") == "0":
		t.missing(text, "tc takes it only with a delay above 0, and no such delay is exported")
		return
	}
	t.sayChance("reorder", t.reorder)
	if t.gap > 1 {
		t.say("gap", strconv.Itoa(t.gap))
	}
}

func (t *tc) sayCorrupt() {
	if t.altered {
		t.missing(printCorrupt(t.Line), "netem flips one bit, and the checksum of UDP or TCP then drops the packet; corrupt without altered can be exported")
		return
	}
	t.sayChance("corrupt", t.corrupt)
}

func (t *tc) sayRate() {
	if t.rate.bits > 0 {
		t.say(strings.Fields(printRate(t.Line))...)
	}
}

func (t *tc) saySlot() {
	s, text := &t.slot, printSlot(t.Line)
	switch {
	case !s.given:
		return
	case s.spread == nil:
		t.say("slot", tcTime(s.least), tcTime(s.most))
	case s.spread.shape == "uniform":
		t.missing(text, "tc has no table of this distribution; slot MIN MAX can be exported")
		return
	case !t.hasTable(text, s.spread.shape):
		return
	case s.spread.jitter == 0:
		t.missing(text, "tc takes a distribution of slots only with a jitter above 0")
		return
	default:
		t.say("slot", "distribution", s.spread.shape, tcTime(s.spread.mean), tcTime(s.spread.jitter))
	}
	if s.packets > 0 {
		t.say("packets", strconv.FormatInt(s.packets, 10))
	}
	if s.bytes > 0 {
		t.say("bytes", strconv.FormatInt(s.bytes, 10))
	}
}

// compare notes what Linux means by the words. Mode compat means the same, except for the order.
func (t *tc) compare() {
	said := func(clause string) bool { return slices.Contains(t.words, clause) }
	random := said("delay") && t.delay.kind == spreadDelay
	if random {
		t.differs("delay", "packets overtake each other; links of a run keep the order unless --fifo=false")
	}
	if !t.exact {
		return
	}
	if random {
		t.compareSpread()
	}
	if t.loss.model == stateLoss || t.loss.model == gilbert || t.loss.model == burstLoss {
		t.differs("loss", "Linux starts in the good state")
	}
	if said("duplicate") && said("loss") {
		t.differs("duplicate", "Linux draws loss once for both copies, and a message that is duplicated and lost is one message")
	}
	if said("rate") && said("delay") {
		t.differs("rate", "the delay of a packet passes while it waits for the packets before it")
	}
}

func (t *tc) compareSpread() {
	s := t.delay.spread
	if t.delay.correlation > 0 {
		t.differs("delay", "of the correlation %v Linux leaves next to nothing", t.delay.correlation)
	}
	if s.shape != "uniform" {
		t.differs("delay", "Linux's table of %s ends at 4 jitters", s.shape)
	}
	if s.jitter > math.MaxInt32 {
		t.differs("delay", "Linux cuts the jitter to %v", time.Duration(math.MaxInt32))
	}
}
