package trial_test

import (
	"fmt"
	"strings"
	"testing"

	"bullring/experiments/trial"
	"bullring/plots/looks"
	"bullring/protocols"
)

// Bands that could not be told apart, or say nothing, are refused.
func TestBandsThatAreRefused(t *testing.T) {
	in := trial.InBand(func(*listener) bool { return true })
	one := trial.Band{Name: "one", Says: "means it", Look: looks.Fill{Colour: looks.Blue, Texture: looks.Full}, In: in}
	with := func(change func(*trial.Band)) trial.Band {
		b := one
		change(&b)
		return b
	}
	for _, c := range []struct {
		bands []trial.Band
		want  string
	}{
		{[]trial.Band{one, with(func(b *trial.Band) { b.Name, b.Look.Texture = "other", looks.Dotted })}, ""},
		{[]trial.Band{with(func(b *trial.Band) { b.Says = "" })}, `band "one" lacks a name, a meaning or a function In`},
		{[]trial.Band{with(func(b *trial.Band) { b.In = nil })}, "lacks a name"},
		{[]trial.Band{with(func(b *trial.Band) { b.Look.Colour = 0 })}, "there are the colours 1 to 7 and the textures 0 to 5"},
		{[]trial.Band{with(func(b *trial.Band) { b.Look.Texture = 6 })}, "there are the colours"},
		{[]trial.Band{with(func(b *trial.Band) { b.Name = "down" })}, `two bands are called "down"`},
		{[]trial.Band{one, one}, `two bands are called "one"`},
		{[]trial.Band{one, with(func(b *trial.Band) { b.Name = "two" })}, `band "two" has the texture full of another one; pale is that of the band "down"`},
		{[]trial.Band{with(func(b *trial.Band) { b.Look.Texture = looks.Pale })}, "has the texture pale"},
	} {
		family := trial.Family{Name: "banded", Right: []trial.Outcome{"right"}, Wrong: []trial.Outcome{"wrong", "worse"}, Bands: c.bands}
		func() {
			defer func() {
				if said := fmt.Sprint(recover()); c.want == "" && said != "<nil>" || !strings.Contains(said, c.want) {
					t.Errorf("%s; want %q", said, c.want)
				}
			}()
			new(trial.Registry).Register(trial.Ruled(trial.Algorithm{Name: "x", Assumes: trial.Assumptions{Topologies: []string{"ring"}}}, family,
				func(*trial.Instance) trial.Rules[word] { return spreading{} }, func(*trial.Instance) func(protocols.ID) protocols.Process[word] { return nil }))
		}()
	}
}

// A band of an algorithm comes before those of its family, and other processes are in none.
func TestInBand(t *testing.T) {
	confused := trial.InBand(func(l *listener) bool { return l.confuse })
	if !confused(&listener{confuse: true}) || confused(&listener{}) || confused("a program") || confused(nil) {
		t.Error("who is in the band")
	}
	own, families := trial.Band{Name: "own"}, trial.Band{Name: "of the family"}
	a := trial.Ruled(trial.Algorithm{Name: "x", Bands: []trial.Band{own}}, trial.Family{Bands: []trial.Band{families}},
		func(*trial.Instance) trial.Rules[word] { return spreading{} }, func(*trial.Instance) func(protocols.ID) protocols.Process[word] { return nil })
	if len(a.Bands) != 2 || a.Bands[0].Name != "own" {
		t.Errorf("the bands are %+v", a.Bands)
	}
}
