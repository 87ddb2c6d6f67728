package motion

import "bullring/des"

// Places says where the processes of a run are.
type Places struct {
	Left, Bottom, Width, Height, Range float64 // metres

	Paths [][]Corner // by address
}

// Corner is a place in metres, and when a process is there. From there it moves straight and with
// constant speed to its next corner.
type Corner struct {
	At   des.Time
	X, Y float64
}

// Places returns where the processes of a run are from its beginning to an instant, which is the time
// of the last corner of each. ok is false if the motion has no places, or if they have more than most
// corners.
func (m *Motion) Places(n int, seed uint64, until des.Time, most int) (p Places, ok bool) {
	model, ok := m.model.(placed)
	if !ok {
		return p, false
	}
	s := model.bounds()
	p = Places{Left: metres(s.left), Bottom: metres(s.bottom), Width: metres(s.width), Height: metres(s.height), Range: metres(s.reach)}
	for _, path := range model.paths(n, seed) {
		corners := cornersOf(path, m.from, until, most)
		if most -= len(corners); most < 0 {
			return Places{}, false
		}
		p.Paths = append(p.Paths, corners)
	}
	return p, true
}

// cornersOf are the corners of a path in a run that begins at an instant of it. They are more than
// most if they are not all.
func cornersOf(p path, from, until des.Time, most int) (corners []Corner) {
	first, last := int64(from/microsecond), int64((from+until)/microsecond)
	l := p.next()
	for l.to <= first {
		l = p.next()
	}
	corner := func(now int64) {
		x, y := l.at(now)
		corners = append(corners, Corner{At: des.Time(now)*microsecond - from, X: metres(x), Y: metres(y)})
	}
	for corner(first); l.to < last && len(corners) <= most; corner(l.from) {
		l = p.next()
	}
	corner(last)
	return corners
}

func metres(length int64) float64 { return float64(length) / float64(metre) }
