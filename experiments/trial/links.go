package trial

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"bullring/des"
	"bullring/netem"
	"bullring/netem/impair"
	"bullring/netem/medium"
	"bullring/protocols/links"
)

// Links are the part of an instance that says what links do to messages, and how long they
// take.
type Links struct {
	Delay      des.Distribution
	Late       des.Distribution // of timers: see netem.Config
	Lines      []netem.Line     // of the setting; the command that repeats the run prints them
	DrawnLines []netem.Line     // Lines with every share of links drawn
	LinkMode   impair.Mode
	Delta      time.Duration // 0 is none
	GST        des.Time
	FIFO       bool
	Medium     *medium.Radio // that processes share; nil for none

	files readFile // those that lines name
}

// readFile reads a file that a setting names.
type readFile = func(name string) ([]byte, error)

// parseLinks reads what links do to messages: lines of package impair, separated by
// semicolons or line ends. A line is for all links, or begins with a set of links and a
// colon. The last line for a link counts.
//
//	loss 5%; 0->1: delay 20ms loss 50%; 10% of *: delay exp(50ms)
//
// read reads the files that lines name.
func parseLinks(text string, read readFile) ([]netem.Line, error) {
	var lines []netem.Line
	for one := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ';' || r == '\n' }) {
		if one = strings.TrimSpace(one); one == "" {
			continue
		}
		var rule netem.Line
		var err error
		does := one
		if set, line, scoped := strings.Cut(one, ":"); scoped && strings.Trim(set, "0123456789{}<>-* \t.%of") == "" {
			if rule.Links, err = links.Parse(set); err != nil {
				return nil, fmt.Errorf("link %q: %w", one, err)
			}
			does = strings.TrimSpace(line)
		}
		if rule.Line, err = impair.Parse(does, read); err != nil {
			return nil, fmt.Errorf("link %q: %w", one, err)
		}
		lines = append(lines, rule)
	}
	return lines, nil
}

// LinksText prints lines. parseLinks can read them.
func LinksText(lines []netem.Line) string {
	texts := make([]string, len(lines))
	for i, l := range lines {
		texts[i] = LinkText(l)
	}
	return strings.Join(texts, "; ")
}

// LinkText prints one line. parseLinks can read it.
func LinkText(l netem.Line) string {
	if set := l.Links.String(); set != "*" {
		return set + ": " + l.Line.String()
	}
	return l.Line.String()
}

// readLinks reads what links do, between n processes.
func (l *Links) readLinks(s *Setting, n int) (err error) {
	if s.Delay == "" {
		s.Delay = DefaultDelay
	}
	if l.Delay, err = des.ParseDistribution(s.Delay); err != nil {
		return err
	}
	s.Delay = l.Delay.String()
	if l.Lines, err = parseLinks(s.Link, l.files); err != nil {
		return err
	}
	for _, line := range l.Lines {
		if int(line.Links.Max()) >= n {
			return fmt.Errorf("link %q: there is no process %d; addresses are 0..%d", line.Links, line.Links.Max(), n-1)
		}
	}
	s.Link = LinksText(l.Lines)
	if s.LinkMode == "" {
		s.LinkMode = impair.Exact.String()
	}
	if l.LinkMode, err = impair.ParseMode(s.LinkMode); err != nil {
		return err
	}
	if err := ReadDuration("bound on delay (delta)", s.Delta, &l.Delta); err != nil {
		return err
	}
	if s.Delta != "" && l.Delta == 0 {
		return fmt.Errorf("bound on delay (delta) %q: it has to be above 0s", s.Delta)
	}
	if s.GST != "" && s.Delta == "" {
		return fmt.Errorf("global stabilisation time %q: without a bound on delay (delta) there is nothing that holds from then on", s.GST)
	}
	l.FIFO = !s.Unordered
	return ReadDuration("global stabilisation time", s.GST, (*time.Duration)(&l.GST))
}

// drawLines draws the links of lines that are about a share of them. Each line draws from a stream
// of its own.
func drawLines(in *Instance, s *Setting) error {
	in.DrawnLines = in.Lines
	if !in.sharesLinks() {
		return nil
	}
	in.DrawnLines = slices.Clone(in.Lines)
	for i := range in.DrawnLines {
		stream, ok := des.NewStream(s.Seed, "links of a line", uint64(i)), false
		if in.DrawnLines[i].Links, ok = in.Lines[i].Links.Draw(in.Topology, stream.Intn); !ok {
			return fmt.Errorf("link %q: the network has none of these links", LinkText(in.Lines[i]))
		}
	}
	return nil
}

// sharesLinks reports whether a line is about a share of links, which the seed decides.
func (l *Links) sharesLinks() bool {
	return slices.ContainsFunc(l.Lines, func(one netem.Line) bool { return one.Links.Share() > 0 })
}

func (l *Links) parseLine(text string) (*impair.Line, error) {
	return impair.Parse(text, l.files)
}

// bounded returns the longest delay. ok is false if there is none from the beginning. On a medium, a message may
// have to wait for those before it.
func (l *Links) bounded() (time.Duration, bool) {
	if l.synchronous() {
		return l.Delta, l.GST == 0
	}
	_, longest, ok := l.Delay.Bounds()
	for _, one := range l.Lines {
		_, most, bounded := l.whole(one.Line).Bounds()
		longest, ok = max(longest, most), ok && bounded
	}
	return longest, ok && l.Medium == nil
}

// synchronous reports whether Delta bounds all delays from GST on. It does not bound slotted
// links.
func (l *Links) synchronous() bool {
	return l.Delta > 0 && !l.linksDo((*impair.Line).Slotted)
}

// whole returns a line with its delay: its own, or that of the network.
func (l *Links) whole(line *impair.Line) *impair.Line {
	if line.HasDelay() {
		return line
	}
	return line.WithDelay(l.Delay)
}

// constant returns the delay of every message, if it is the same.
func (l *Links) constant() (delay time.Duration, ok bool) {
	delay, longest, bounded := l.Delay.Bounds()
	ok = bounded && delay == longest && delay > 0 && l.Delta == 0 && l.Medium == nil
	for _, one := range l.Lines {
		least, most, bounded := l.whole(one.Line).Bounds()
		ok = ok && bounded && least == delay && most == delay
	}
	return delay, ok
}

// linksDo reports whether what holds for any line.
func (l *Links) linksDo(what func(*impair.Line) bool) bool {
	for _, one := range l.Lines {
		if what(one.Line) {
			return true
		}
	}
	return false
}

// unboundedAssumed is the assumed bound if delays have none, in means. An exponential delay
// exceeds it once in 150 messages.
const unboundedAssumed = 5

// longestDelay is the bound on the delay of a message. Without a bound it is
// unboundedAssumed times the mean.
func (l *Links) longestDelay() time.Duration {
	if l.synchronous() {
		return l.Delta
	}
	_, longest, bounded := l.Delay.Bounds()
	if !bounded {
		longest = unboundedAssumed * l.Delay.Mean()
	}
	for _, one := range l.Lines {
		line := l.whole(one.Line)
		_, most, bounded := line.Bounds()
		if !bounded {
			most = unboundedAssumed * line.Mean()
		}
		longest = max(longest, most)
	}
	return longest
}
