package trial

import (
	"fmt"
	"slices"

	"bullring/plots/looks"
)

// Band is a condition of a process, such as being in the critical section. Diagrams and pages show
// it on the lane of the process, from the step after which the process is in it to the step after
// which it is not. Only a run that is to be shown asks for it.
type Band struct {
	Name string // what the process is: leader, in the critical section
	Says string // what that means
	Look looks.Fill
	// In reports whether a process of the algorithm is in the condition: see [InBand].
	In func(process any) bool
	// Alone: at most one process should be in the condition at a time. Where two are, it stands out.
	Alone bool
}

// Down is the band of a process that has crashed and has not come back. Every algorithm has it.
var Down = Band{Name: "down", Says: "has crashed, and has not come back", Look: looks.Fill{Colour: looks.Black, Texture: looks.Pale}}

// InBand is [Band.In] for processes of type P, and for programs whose [Ear] is one. Others are not in
// the band.
func InBand[P any](in func(P) bool) func(process any) bool {
	return func(process any) bool {
		p, ok := asked(process).(P)
		return ok && in(p)
	}
}

// checkBands returns an error unless the bands of an algorithm can be told apart, in grey, too.
func checkBands(bands []Band) error {
	for i, b := range bands {
		same := func(is func(Band) bool) bool { return is(Down) || slices.ContainsFunc(bands[:i], is) }
		switch {
		case b.Name == "" || b.Says == "" || b.In == nil:
			return fmt.Errorf("band %q lacks a name, a meaning or a function In", b.Name)
		case b.Look.Colour < 1 || int(b.Look.Colour) > looks.Colours || b.Look.Texture < 0 || b.Look.Texture >= looks.Textures:
			return fmt.Errorf("band %q is to look like %+v; there are the colours 1 to %d and the textures 0 to %d", b.Name, b.Look, looks.Colours, looks.Textures-1)
		case same(func(other Band) bool { return other.Name == b.Name }):
			return fmt.Errorf("two bands are called %q; %q is a band of every algorithm", b.Name, Down.Name)
		case same(func(other Band) bool { return other.Look.Texture == b.Look.Texture }):
			return fmt.Errorf("band %q has the texture %v of another one; %v is that of the band %q", b.Name, b.Look.Texture, Down.Look.Texture, Down.Name)
		}
	}
	return nil
}
