package experiments

import (
	"fmt"
	"strings"
	"time"

	"bullring/des"
	"bullring/netem"
	"bullring/netem/impair"
	"bullring/protocols/detector"
	"bullring/protocols/links"
	"bullring/protocols/reliable"
)

// parseLinks reads what links do to messages: lines of package impair, separated by
// semicolons or line ends. A line is for all links, or begins with a set of links and a
// colon. The last line for a link counts.
//
//	loss 5%; 0->1: delay 20ms loss 50%
//
// read reads the files that lines name.
func parseLinks(text string, read func(name string) ([]byte, error)) ([]netem.Line, error) {
	var lines []netem.Line
	for one := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ';' || r == '\n' }) {
		if one = strings.TrimSpace(one); one == "" {
			continue
		}
		var rule netem.Line
		var err error
		does := one
		if set, line, scoped := strings.Cut(one, ":"); scoped && strings.Trim(set, "0123456789{}<>-* \t") == "" {
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

func (in *Instance) parseLine(text string) (*impair.Line, error) {
	return impair.Parse(text, in.read)
}

func (in *Instance) readLinks(s *Setting) (err error) {
	if s.Delay == "" {
		s.Delay = DefaultDelay
	}
	if in.Delay, err = des.ParseDistribution(s.Delay); err != nil {
		return err
	}
	s.Delay = in.Delay.String()
	if in.Lines, err = parseLinks(s.Link, in.read); err != nil {
		return err
	}
	for _, l := range in.Lines {
		if int(l.Links.Max()) >= in.N {
			return fmt.Errorf("link %q: there is no process %d; addresses are 0..%d", l.Links, l.Links.Max(), in.N-1)
		}
	}
	s.Link = LinksText(in.Lines)
	if s.LinkMode == "" {
		s.LinkMode = impair.Exact.String()
	}
	if in.LinkMode, err = impair.ParseMode(s.LinkMode); err != nil {
		return err
	}
	if err := ReadDuration("bound on delay (delta)", s.Delta, &in.Delta); err != nil {
		return err
	}
	if s.Delta != "" && in.Delta == 0 {
		return fmt.Errorf("bound on delay (delta) %q: it has to be above 0s", s.Delta)
	}
	if s.GST != "" && s.Delta == "" {
		return fmt.Errorf("global stabilisation time %q: without a bound on delay (delta) there is nothing that holds from then on", s.GST)
	}
	return ReadDuration("global stabilisation time", s.GST, (*time.Duration)(&in.GST))
}

// readServices reads what stands between the algorithm and the network.
func (in *Instance) readServices(s *Setting) (err error) {
	if in.Transport, err = parseTransport(s.Transport); err != nil {
		return err
	}
	s.Transport = "plain"
	if in.Transport != nil {
		s.Transport = in.Transport.String()
	}
	if in.Detector, err = parseDetector(s.Detector); err != nil {
		return err
	}
	in.Blind = s.Detector == "none"
	switch {
	case in.Detector != nil:
		s.Detector = in.Detector.String()
	case !in.Blind:
		s.Detector = "perfect"
	}
	return nil
}

// parseTransport reads what carries messages; nil is the network as it is.
func parseTransport(text string) (*reliable.Config, error) {
	if text == "" || text == "plain" {
		return nil, nil
	}
	c, err := reliable.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("transport %q: %w; plain is the network as it is", text, err)
	}
	return &c, nil
}

// parseDetector reads a failure detector; nil is the perfect one, or none at all.
func parseDetector(text string) (*detector.Config, error) {
	if text == "" || text == "perfect" || text == "none" {
		return nil, nil
	}
	c, err := detector.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%w; perfect and none are allowed too", err)
	}
	return &c, nil
}

// bounded returns the longest delay. ok is false if there is none from the beginning.
func (in *Instance) bounded() (time.Duration, bool) {
	if in.synchronous() {
		return in.Delta, in.GST == 0
	}
	_, longest, ok := in.Delay.Bounds()
	for _, l := range in.Lines {
		_, most, bounded := in.whole(l.Line).Bounds()
		longest, ok = max(longest, most), ok && bounded
	}
	return longest, ok
}

// synchronous reports whether Delta bounds all delays from GST on. It does not bound slotted
// links.
func (in *Instance) synchronous() bool {
	return in.Delta > 0 && !in.linksDo((*impair.Line).Slotted)
}

// whole returns a line with its delay: its own, or that of the network.
func (in *Instance) whole(line *impair.Line) *impair.Line {
	if line.HasDelay() {
		return line
	}
	return line.WithDelay(in.Delay)
}

// linksDo reports whether what holds for any line.
func (in *Instance) linksDo(what func(*impair.Line) bool) bool {
	for _, l := range in.Lines {
		if what(l.Line) {
			return true
		}
	}
	return false
}
