package motion

import "bullring/des"

// Places tells where the processes of a run are.
type Places struct {
	Left, Bottom, Width, Height, Range float64 // metres

	paths []path
	legs  []leg
	from  des.Time
}

// Place is a place in metres.
type Place struct{ X, Y float64 }

// Places returns where the processes of a run are. ok is false if the motion has no places.
func (m *Motion) Places(n int, seed uint64) (p *Places, ok bool) {
	model, ok := m.model.(placed)
	if !ok {
		return nil, false
	}
	s := model.bounds()
	p = &Places{metres(s.left), metres(s.bottom), metres(s.width), metres(s.height), metres(s.reach), model.paths(n, seed), make([]leg, n), m.from}
	for i := range p.legs {
		p.legs[i] = p.paths[i].next()
	}
	return p, true
}

// At is where the processes are at an instant of the run, by address. Instants do not decrease.
func (p *Places) At(t des.Time) []Place {
	now := int64((t + p.from) / microsecond)
	places := make([]Place, len(p.legs))
	for i := range p.legs {
		for p.legs[i].to < now {
			p.legs[i] = p.paths[i].next()
		}
		x, y := p.legs[i].at(now)
		places[i] = Place{metres(x), metres(y)}
	}
	return places
}

func metres(length int64) float64 { return float64(length) / float64(metre) }
