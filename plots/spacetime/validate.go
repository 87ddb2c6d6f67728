package spacetime

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/plot/vg"

	"bullring/plots/internal/page"
	"bullring/plots/looks"
)

// validate returns all mistakes but those in the texts.
func (d *Diagram) validate() error {
	var errs []error
	check := func(err error) {
		if err != nil {
			errs = append(errs, d.errorf("%w", err))
		}
	}
	check(page.ValidSize("width", d.Width, 6))
	check(d.validateCounts())
	if !finite(d.Begin) || !finite(d.End) {
		check(fmt.Errorf("the axis runs from %v to %v", d.Begin, d.End))
	}
	for i, t := range d.Ticks {
		check(page.ErrorIn(page.NameOf("tick", i, t.Label), acceptPlace(t.At)))
	}
	for i, l := range d.Lanes {
		for _, s := range l.Down {
			check(page.ErrorIn(page.NameOf("lane", i, l.Label), s.validate()))
		}
		for _, s := range l.Stays {
			check(page.ErrorIn(page.NameOf("lane", i, l.Label), d.validateStay(s)))
		}
	}
	for i, b := range d.Bands {
		if c, t := b.Fill.Colour, b.Fill.Texture; c < 1 || int(c) > looks.Colours || t < 0 || t >= looks.Textures {
			check(page.ErrorIn(page.NameOf("band", i, b.Label), fmt.Errorf("colour %d and texture %d; allowed are 1 to %d and 0 to %d", c, t, looks.Colours, looks.Textures-1)))
		}
	}
	for i, a := range d.Arrows {
		check(page.ErrorIn(page.NameOf("arrow", i, a.Label), d.validateArrow(a)))
	}
	for i, s := range d.Signs {
		check(page.ErrorIn(page.NameOf("sign", i, s.News), d.validateSign(s)))
	}
	for i, c := range d.Changes {
		check(page.ErrorIn(page.NameOf("change", i, ""), d.validateChange(c)))
	}
	for i, p := range d.Periods {
		check(page.ErrorIn(page.NameOf("period", i, p.Label), p.validate()))
	}
	page.ValidateMeta(page.Marked(d.Title, d.Meta), check)
	return errors.Join(errs...)
}

func (d *Diagram) validateCounts() error {
	switch {
	case len(d.Lanes) == 0:
		return errors.New("no lanes")
	case len(d.Lanes) > MaxLanes:
		return fmt.Errorf("%d lanes; at most %d can be read", len(d.Lanes), MaxLanes)
	case len(d.Arrows) > MaxArrows:
		return fmt.Errorf("%d arrows; at most %d can be read", len(d.Arrows), MaxArrows)
	case len(d.Changes) > MaxChanges:
		return fmt.Errorf("%d changes of links; at most %d can be read", len(d.Changes), MaxChanges)
	}
	return nil
}

func finite(v float64) bool { return math.Abs(v) <= page.Largest }

// acceptPlace checks a place along the lanes.
func acceptPlace(at float64) error {
	if !(at >= 0 && at <= 1) {
		return fmt.Errorf("place %v outside [0, 1]", at)
	}
	return nil
}

func (s Stretch) validate() error {
	if err := errors.Join(acceptPlace(s.From), acceptPlace(s.To)); err != nil {
		return err
	}
	if s.To < s.From {
		return fmt.Errorf("it runs from %v back to %v", s.From, s.To)
	}
	return nil
}

func (d *Diagram) validateStay(s Stay) error {
	if s.Band < 0 || s.Band >= len(d.Bands) {
		return fmt.Errorf("band %d of %d", s.Band, len(d.Bands))
	}
	return s.Stretch.validate()
}

func (d *Diagram) validateSpot(s Spot) error {
	if s.Lane < 0 || s.Lane >= len(d.Lanes) {
		return fmt.Errorf("lane %d of %d", s.Lane, len(d.Lanes))
	}
	return acceptPlace(s.At)
}

func (d *Diagram) validateArrow(a Arrow) error {
	if err := errors.Join(d.validateSpot(a.From), d.validateSpot(a.To)); err != nil {
		return err
	}
	switch {
	case a.To.At < a.From.At:
		return fmt.Errorf("it arrives at %v, before it was sent at %v", a.To.At, a.From.At)
	case a.Kind < 0 || a.Kind >= len(d.Kinds):
		return fmt.Errorf("kind %d of %d", a.Kind, len(d.Kinds))
	case a.Fate < Arrived || a.Fate > Entering:
		return fmt.Errorf("fate %d; allowed are %d to %d", a.Fate, Arrived, Entering)
	}
	return nil
}

func (d *Diagram) validateSign(s Sign) error {
	if s.Shape < 0 || int(s.Shape) >= shapes {
		return fmt.Errorf("shape %d; allowed are 0 to %d", s.Shape, shapes-1)
	}
	return d.validateSpot(s.Spot)
}

// A textChecker typesets the texts of a diagram and collects the mistakes in them.
type textChecker struct {
	types *page.Typesetter
	errs  []error
}

// set typesets a text that has to fit into the room; 0 is any room.
func (c *textChecker) set(what, markup string, size, room vg.Length) page.TextLine {
	line, err := c.types.Set(markup, size)
	if err == nil && room > 0 && line.Width > room {
		err = fmt.Errorf("%q is %.0f pt wide, there is room for %.0f", markup, line.Width, room)
	}
	if err != nil {
		c.errs = append(c.errs, fmt.Errorf("plots: diagram: %s: %w", what, err))
	}
	return line
}
