package motion

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// slowWithin is within in numbers of any size.
func (g gap) slowWithin(t, reach int64) bool {
	x := new(big.Int).Add(big.NewInt(g.x), new(big.Int).Mul(big.NewInt(g.vx), big.NewInt(t)))
	y := new(big.Int).Add(big.NewInt(g.y), new(big.Int).Mul(big.NewInt(g.vy), big.NewInt(t)))
	square := new(big.Int).Add(x.Mul(x, x), y.Mul(y, y))
	return square.Cmp(new(big.Int).Mul(big.NewInt(reach), big.NewInt(reach))) <= 0
}

// slowCrossings looks at each microsecond.
func (g gap) slowCrossings(end, reach int64) (in, out int64) {
	was := g.slowWithin(0, reach)
	for t := int64(1); t <= end; t++ {
		is := g.slowWithin(t, reach)
		switch {
		case is && !was:
			in = t
		case was && !is:
			out = t
		}
		was = is
	}
	return in, out
}

// Crossings are compared with every microsecond in numbers of any size: processes anywhere, and those
// that pass each other at the edge of the range.
func TestCrossings(t *testing.T) {
	cases := 20_000
	if testing.Short() {
		cases = 4_000
	}
	r := rand.New(rand.NewPCG(1, 2))
	ins, outs, both := 0, 0, 0
	for range cases {
		end := r.Int64N(200) + 1
		scale := int64(1) << r.IntN(50)
		speed := min(scale, fastestSpeed)
		g := gap{r.Int64N(2*scale) - scale, r.Int64N(2*scale) - scale, r.Int64N(speed/8+3) - speed/16, r.Int64N(speed/8+3) - speed/16}
		reach := r.Int64N(scale) + 1
		if r.IntN(2) == 0 {
			v := max(1, speed/16)
			g = gap{-50 * v, reach + r.Int64N(2*v) - v, v, r.Int64N(5) - 2}
		}
		in, out := g.crossings(end, reach)
		if wantIn, wantOut := g.slowCrossings(end, reach); in != wantIn || out != wantOut {
			t.Fatalf("%+v, %d microseconds, range %d: in at %d and out at %d; want %d and %d", g, end, reach, in, out, wantIn, wantOut)
		}
		if in > 0 {
			ins++
		}
		if out > 0 {
			outs++
		}
		if in > 0 && out > 0 {
			both++
		}
	}
	if least := cases / 10; ins < least || outs < least || both < cases/100 {
		t.Errorf("of %d cases, %d come into range, %d go out of it, %d do both; that is no test", cases, ins, outs, both)
	}
}

// The limits of lengths and speeds are those of 64 bits: at them, nothing overflows.
func TestCrossingsAtTheLimits(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2_000 {
		end := r.Int64N(mostLength/fastestSpeed) + 1
		v := func() int64 { return r.Int64N(4*fastestSpeed) - 2*fastestSpeed }
		x := func() int64 { return r.Int64N(2*mostLength) - mostLength }
		g, reach := gap{x(), x(), v(), v()}, mostLength-r.Int64N(mostLength/2)
		in, out := g.crossings(end, reach)
		for _, at := range []int64{in, out} {
			if at > 0 && g.slowWithin(at, reach) != (at == in) {
				t.Fatalf("%+v, range %d: wrong at %d", g, reach, at)
			}
			if at > 0 && g.slowWithin(at-1, reach) == (at == in) {
				t.Fatalf("%+v, range %d: too late at %d", g, reach, at)
			}
		}
		if g.slowWithin(end, reach) != (g.slowWithin(0, reach) && out == 0 || in > 0 && out == 0) {
			t.Fatalf("%+v, range %d, end %d: in %d, out %d", g, reach, end, in, out)
		}
	}
}
