package trial

import (
	"fmt"

	"bullring/protocols/detector"
	"bullring/protocols/reliable"
)

// Services are the part of an instance that stands between the algorithm and the network.
type Services struct {
	Transport *reliable.Config // nil is none
	Detector  *detector.Config // nil is the perfect one, or none if Blind
	Blind     bool             // no process is ever suspected
}

// linksBack reports whether a transformer needs links in both directions.
func (sv *Services) linksBack() bool { return sv.Transport != nil || sv.Detector != nil }

// readServices reads what stands between the algorithm and the network.
func (sv *Services) readServices(s *Setting) (err error) {
	if sv.Transport, err = parseTransport(s.Transport); err != nil {
		return err
	}
	s.Transport = "plain"
	if sv.Transport != nil {
		s.Transport = sv.Transport.String()
	}
	if sv.Detector, err = parseDetector(s.Detector); err != nil {
		return err
	}
	sv.Blind = s.Detector == "none"
	switch {
	case sv.Detector != nil:
		s.Detector = sv.Detector.String()
	case !sv.Blind:
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
