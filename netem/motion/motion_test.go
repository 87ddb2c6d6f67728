package motion

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"testing"

	"bullring/des"
	"bullring/netem"
	"bullring/protocols"
)

// noFile opens no file.
func noFile(string) ([]byte, string, error) { return nil, "", errors.New("there is no file") }

// opened opens a text as a file.
func opened(text string) opener {
	return func(name string) ([]byte, string, error) { return []byte(text), name, nil }
}

func mustParse(t testing.TB, text string) *Motion {
	t.Helper()
	m, err := Parse(text, noFile)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// moving are texts of all kinds of processes with places.
var moving = []string{
	"waypoint(500mx400m, 120m, 1..20m/s, 5s)",
	"waypoint(500mx400m, 120m, 1..20m/s, 5s), steady",
	"waypoint(3kmx50m, 40m, 2m/s, 0s)",
	"walk(500mx500m, 120m, 5m/s, 10s)",
	"walk(2kmx2km, 60m, 30m/s, 100s)",
	"gauss-markov(500mx500m, 100m, 10m/s, 0.75, 1s)",
}

// Whatever the cells, the links are those of the places: at each change, and just before it, all pairs
// are compared with their distance in numbers of any size.
func TestLinksAreThoseOfThePlaces(t *testing.T) {
	for _, text := range moving {
		m, n := mustParse(t, text), 12
		changes := 1500
		if testing.Short() {
			changes = 300
		}
		up := map[netem.Link]bool{}
		compare := func(at des.Time, paths []path, legs []leg) {
			now := int64(at / microsecond)
			for i := range legs {
				for legs[i].to < now {
					legs[i] = paths[i].next()
				}
			}
			for b := range n {
				for a := range b {
					ax, ay := legs[a].at(now)
					bx, by := legs[b].at(now)
					p := netem.LinkBetween(protocols.ID(a), protocols.ID(b))
					if want := (gap{x: bx - ax, y: by - ay}).slowWithin(0, m.model.(placed).bounds().reach); up[p] != want {
						t.Fatalf("%s: at %v the link %v is up %v; want %v", text, at, p, up[p], want)
					}
				}
			}
		}
		paths, legs := m.model.(placed).paths(n, 7), make([]leg, n)
		for i := range paths {
			legs[i] = paths[i].next()
		}
		s := m.Source(netem.Complete(n), 7)
		s.Begin(func(a, b protocols.ID) { up[netem.LinkBetween(a, b)] = true })
		compare(0, paths, legs)
		c, _ := s.Next()
		for range changes {
			compare(c.At-microsecond, paths, legs)
			at := c.At
			for c.At == at {
				up[netem.LinkBetween(c.A, c.B)] = c.Up
				c, _ = s.Next()
			}
			if c.At < at {
				t.Fatalf("%s: %v after %v", text, c.At, at)
			}
			compare(at, paths, legs)
		}
	}
}

// Between its corners a process is where its legs have it, whenever the run begins.
func TestPlaces(t *testing.T) {
	for _, text := range append(slices.Clone(moving), "walk(500mx500m, 120m, 5m/s, 10s), from 25s") {
		m, n, until := mustParse(t, text), 4, des.Time(90e9)
		p, ok := m.Places(n, 7, until, 10_000)
		if !ok || len(p.Paths) != n {
			t.Fatalf("%s: %d paths of %d", text, len(p.Paths), n)
		}
		for i, path := range m.model.(placed).paths(n, 7) {
			corners, l := p.Paths[i], path.next()
			if corners[0].At != 0 || corners[len(corners)-1].At != until {
				t.Fatalf("%s: the corners are from %v to %v", text, corners[0].At, corners[len(corners)-1].At)
			}
			for at := des.Time(0); at <= until; at += des.Time(1e9) / 3 * 2 {
				for now := int64((at + m.from) / microsecond); l.to < now; {
					l = path.next()
				}
				for len(corners) > 2 && corners[1].At <= at {
					corners = corners[1:]
				}
				a, b := corners[0], corners[1]
				part := float64(at-a.At) / float64(b.At-a.At)
				x, y := l.at(int64((at + m.from) / microsecond))
				if off := math.Hypot(a.X+(b.X-a.X)*part-metres(x), a.Y+(b.Y-a.Y)*part-metres(y)); off > 0.001 {
					t.Fatalf("%s: process %d is %g m away at %v, between %v and %v", text, i, off, at, a, b)
				}
			}
		}
		if few, ok := m.Places(n, 7, until, 7); ok {
			t.Errorf("%s: %v are 7 corners", text, few.Paths)
		}
	}
	for _, text := range []string{"edges(10%, 20%, 1s)", "interval(1, 2ms, worst)"} {
		if _, ok := mustParse(t, text).Places(4, 7, 1, 100); ok {
			t.Errorf("%s has places", text)
		}
	}
}

// A leg begins where and when the one before it ends, and no process leaves its rectangle by more than
// the way of two microseconds.
func TestNoJumps(t *testing.T) {
	for _, text := range moving {
		m := mustParse(t, text).model.(placed)
		s := m.bounds()
		for i, p := range m.paths(5, 3) {
			before := p.next()
			if before.from != 0 {
				t.Fatalf("%s: process %d begins at %d", text, i, before.from)
			}
			for range 2000 {
				l := p.next()
				x, y := before.at(before.to)
				if l.from != before.to || l.x != x || l.y != y || l.to <= l.from {
					t.Fatalf("%s: process %d: %+v after %+v", text, i, l, before)
				}
				const over = 2 * fastestSpeed
				if x < -over || y < -over || x > s.width+over || y > s.height+over {
					t.Fatalf("%s: process %d is at %d, %d", text, i, x, y)
				}
				before = l
			}
		}
	}
}

// One more process changes the path of no other one, nor the links between them.
func TestOneMoreProcess(t *testing.T) {
	for _, text := range []string{moving[0], moving[3], moving[5], "edges(10%, 20%, 1s)"} {
		m := mustParse(t, text)
		few, more := m.Source(netem.Complete(6), 5), m.Source(netem.Complete(7), 5)
		few.Begin(func(a, b protocols.ID) {})
		more.Begin(func(a, b protocols.ID) {})
		for range 200 {
			want, _ := few.Next()
			got, _ := more.Next()
			for got.B == 6 {
				got, _ = more.Next()
			}
			if got != want {
				t.Fatalf("%s: %+v; want %+v", text, got, want)
			}
		}
	}
}

// The changes of a seed are frozen, on every processor: published results name a seed. If one of these
// changes, netem.Epoch must go up.
func TestMotionIsFrozen(t *testing.T) {
	for text, want := range map[string]uint64{
		"waypoint(1kmx1km, 250m, 1..20m/s, 10s)":           0x2bcedc59614f85da,
		"waypoint(1kmx1km, 250m, 1..20m/s, 10s), steady":   0x85bf8e6a5f516308,
		"walk(1kmx1km, 250m, 10m/s, 20s)":                  0xa0a3689a4258bd9f,
		"gauss-markov(1kmx1km, 250m, 10m/s, 0.75, 1s)":     0xe048979bc02f323e,
		"edges(1%, 2%, 1s)":                                0xc328649eaa3539e5,
		"churn(up exp(60s), down uniform(1s,9s)), from 1m": 0x9ac7cebfca40d099,
	} {
		s, h := mustParse(t, text).Source(netem.Complete(20), 1), fnv.New64a()
		s.Begin(func(a, b protocols.ID) { fmt.Fprintln(h, a, b) })
		for range 2000 {
			c, _ := s.Next()
			fmt.Fprintln(h, int64(c.At), c.A, c.B, c.Up)
		}
		if got := h.Sum64(); got != want {
			t.Errorf("%q: %#x; want %#x", text, got, want)
		}
	}
}

// rate is the number of changes a second of some runs, each as one number.
func rate(t *testing.T, text string, n int, runs uint64, seconds float64) (each []float64) {
	m := mustParse(t, text)
	for seed := range runs {
		s, count := m.Source(netem.Complete(n), seed+1), 0
		s.Begin(func(a, b protocols.ID) {})
		for {
			c, _ := s.Next()
			if float64(c.At)/1e9 > seconds {
				break
			}
			count++
		}
		each = append(each, float64(count)/seconds)
	}
	return each
}

// interval is the mean of independent numbers, and four times its standard error.
func interval(of []float64) (mean, width float64) {
	for _, x := range of {
		mean += x / float64(len(of))
	}
	sum := 0.0
	for _, x := range of {
		sum += (x - mean) * (x - mean)
	}
	return mean, 4 * math.Sqrt(sum/float64(len(of)-1)/float64(len(of)))
}

// With reflection, places are uniform and directions isotropic at all times (Nain, Towsley, Liu & Liu,
// INFOCOM 2005). Two places in a square of side L are at distance r with density
// f(r) = (2 pi r - 8 r^2/L + 2 r^3/L^2)/L^2, and two processes of speed v part or approach with mean
// speed 4v/pi^2 along the line between them, each way half of that. So n processes have
// n(n-1) f(r) 4v/pi^2 changes a second, one half of pairs and twice for both directions.
func TestRateOfAWalk(t *testing.T) {
	for _, c := range []struct {
		text       string
		n          int
		r, v, side float64
		seconds    float64 // of each run
	}{
		{"walk(1kmx1km, 200m, 10m/s, 20s)", 30, 200, 10, 1000, 1000},
		{"walk(1kmx1km, 100m, 10m/s, 5s)", 30, 100, 10, 1000, 1000},
		{"walk(1kmx1km, 300m, 3m/s, 60s)", 20, 300, 3, 1000, 4000},
		{"walk(1kmx1km, 150m, 20m/s, 1000s)", 40, 150, 20, 1000, 500},
		{"walk(500mx500m, 400m, 1m/s, 30s)", 20, 400, 1, 500, 10_000},
	} {
		runs := uint64(60)
		if testing.Short() {
			runs = 20
		}
		got, width := interval(rate(t, c.text, c.n, runs, c.seconds))
		f := (2*math.Pi*c.r - 8*c.r*c.r/c.side + 2*c.r*c.r*c.r/c.side/c.side) / c.side / c.side
		want := float64(c.n*(c.n-1)) * f * 4 * c.v / math.Pi / math.Pi
		t.Logf("%s, n %d: %.4f changes a second, +- %.4f; theory %.4f, ratio %.4f", c.text, c.n, got, width, want, got/want)
		if math.Abs(got-want) > width || width > want/10 {
			t.Errorf("%s, n %d: %.4f changes a second, +- %.4f; want %.4f", c.text, c.n, got, width, want)
		}
	}
}
