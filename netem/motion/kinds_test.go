package motion

import (
	"math"
	"strings"
	"testing"

	"bullring/des"
	"bullring/netem"
	"bullring/protocols"
)

// A text prints in one form, from which it is read again.
func TestTexts(t *testing.T) {
	for text, want := range map[string]string{
		"waypoint(1kmx0.5km,250m,1..20m/s,10s)":         "waypoint(1000mx500m, 250m, 1..20m/s, 10s)",
		"waypoint( 1000mx500m , 250m , 0.5m/s, 0s )":    "waypoint(1000mx500m, 250m, 0.5m/s, 0s)",
		"waypoint(10mx10m, 1m, 1..2m/s, 1m),steady":     "waypoint(10mx10m, 1m, 1..2m/s, 1m0s), steady",
		"walk(100cmx2000mm, 10mm, 0.000001m/s, 5000ms)": "walk(1mx2m, 0.01m, 0.000001m/s, 5s)",
		"walk(1kmx1km, 350m, 10m/s, 20s), from 5m":      "walk(1000mx1000m, 350m, 10m/s, 20s), from 5m0s",
		"gauss-markov(1kmx1km, 10m, 10m/s, 0.75, 1s)":   "gauss-markov(1000mx1000m, 10m, 10m/s, 75%, 1s)",
		"edges(0.1,1/3,1ms)":                            "edges(10%, 1/3, 1ms)",
		"churn(up exp(60s), down 10s)":                  "churn(up exp(1m0s), down 10s)",
		"churn(up uniform(1s,2s), down 10s), from 1h":   "churn(up uniform(1s,2s), down 10s), from 1h0m0s",
	} {
		m := mustParse(t, text)
		if m.String() != want || mustParse(t, want).String() != want {
			t.Errorf("%q prints as %q; want %q", text, m, want)
		}
		if !m.Endless() {
			t.Errorf("%q ends", text)
		}
	}
}

// Errors name what is given, its column, and what is allowed.
func TestMistakes(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", `"" (column 1) is no kind of motion; allowed are waypoint(AREA, RANGE, MIN..MAXm/s, PAUSE), walk(`},
		{"wlak(1mx1m, 1m, 1m/s, 1s)", `"wlak" (column 1) is no kind of motion`},
		{"wlak(1mx1m, 1m, 1m/s, 1s)", `(did you mean "walk"?)`},
		{"walk", `"walk" (column 1) is not of the form walk(AREA, RANGE, SPEED, LEG)`},
		{"walk(1000m, 250m, 1m/s, 1s)", `"1000m" (column 6) is not a valid area: it lacks a second side; write two lengths with an x between them, such as 1000mx1000m`},
		{"walk(1000mx1000, 250m, 1m/s, 1s)", `"1000mx1000" (column 6) is not a valid area: it takes a length from 0.01m to 4000km, in mm, cm, m or km, such as 350m`},
		{"walk(1mx1m, 4001km, 1m/s, 1s)", `"4001km" (column 13) is not a valid range`},
		{"walk(1mx1m, 1m, 2000m/s, 1s)", `"2000m/s" (column 17) is not a valid speed: it takes a speed from 0.000001m/s and below 2000m/s, such as 10m/s`},
		{"walk(1mx1m, 1m, 10km/h, 1s)", `"10km/h" (column 17) is not a valid speed`},
		{"walk(1mx1m, 1m, 1m/s, 1)", `"1" (column 23) is not a valid time of a leg: it is no duration from 0s to 12h0m0s, such as 20s`},
		{"walk(1mx1m, 1m, 1m/s, 1500ns)", `"1500ns" (column 23) is not a valid time of a leg: it is no whole number of microseconds`},
		{"walk(1mx1m, 1m, 1m/s)", `the time of a leg is missing (column 21); the form is walk(AREA, RANGE, SPEED, LEG)`},
		{"walk(1mx1m, 1m, 1m/s, 1s, 1s)", `"1s" (column 27) is one argument too many; the form is walk(AREA, RANGE, SPEED, LEG)`},
		{"walk(1mx1m, 1m, 1m/s, 1s), steady", `"steady" (column 28) is for waypoint: it begins in its stationary law anyway`},
		{"walk(1mx1m, 1m, 1m/s, 1s), form 3s", `"form 3s" (column 28) is no option; allowed are from D, such as from 300s, and for waypoint steady`},
		{"walk(1mx1m, 1m, 1m/s, 1s), from 3s, from 4s", `"from 4s" (column 37) stands there twice`},
		{"interval(1, 2ms, worst), from 4ms", `"from 4ms" (column 26) is not for interval: it begins with the first round`},
		{"waypoint(1mx1m, 1m, 0..20m/s, 1s)", `"0..20m/s" (column 21) is not a valid range of speeds`},
		{"waypoint(1mx1m, 1m, 0..20m/s, 1s)", `with a slowest speed of 0 a process would stand still in the end`},
		{"waypoint(1mx1m, 1m, 0.01..20m/s, 1s), steady", `"steady" (column 39) takes a slowest speed of 1000 times less than the fastest at most`},
		{"gauss-markov(1mx1m, 1m, 1m/s, 2, 1s)", `"2" (column 31) is not a valid memory alpha: it is above 1`},
		{"edges(0, 1, 1s)", `"0" (column 7) is not a valid probability that a link comes up in a step: it is below 0.0000001%`},
		{"churn(60s, down 1s)", `"60s" (column 7) is not a valid distribution of the time up: it takes the word up and a duration or a distribution, such as up exp(60s)`},
		{"churn(up 60, down 1s)", `"up 60" (column 7) is not a valid distribution of the time up: it takes another distribution`},
		{"positions:", `the file is missing (column 11); the form is positions:FILE[, RANGE]`},
		{"positions(x)", `"positions(x)" (column 1) is not of the form positions:FILE[, RANGE]`},
		{"contacts:x", `motion "contacts:x": there is no file`},
	} {
		if _, err := Parse(c.text, noFile); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v; want %s", c.text, err, c.want)
		}
	}
}

// edge-Markovian links are up for their share of the time, P/(P+Q), and live for 1/Q steps in the mean,
// whether there are many changes or few.
func TestEdges(t *testing.T) {
	for _, c := range []struct {
		text string
		p, q float64
	}{{"edges(10%, 20%, 1s)", 0.1, 0.2}, {"edges(0.5%, 1/3, 1s)", 0.005, 1.0 / 3}, {"edges(100%, 50%, 1s)", 1, 0.5}} {
		var shares, lives []float64
		for seed := range uint64(30) {
			const n, seconds = 16, 800
			s := mustParse(t, c.text).Source(netem.Complete(n), seed)
			upSince, up, ended, life := map[netem.Link]des.Time{}, 0.0, 0.0, 0.0
			s.Begin(func(a, b protocols.ID) { upSince[netem.LinkBetween(a, b)] = 0 })
			for {
				e, _ := s.Next()
				if e.At > seconds*1e9 {
					break
				}
				p := netem.LinkBetween(e.A, e.B)
				if e.At%1e9 != 0 {
					t.Fatalf("%s: a change at %v", c.text, e.At)
				}
				if e.Up {
					upSince[p] = e.At
					continue
				}
				lasted := float64(e.At-upSince[p]) / 1e9
				up += lasted
				if upSince[p] > 0 { // of those of the beginning, the beginning is not known
					ended, life = ended+1, life+lasted
				}
				delete(upSince, p)
			}
			for _, since := range upSince {
				up += seconds - float64(since)/1e9
			}
			shares = append(shares, up/seconds/(n*(n-1)/2))
			lives = append(lives, life/ended)
		}
		share, width := interval(shares)
		if want := c.p / (c.p + c.q); math.Abs(share-want) > width || width > c.p/c.q {
			t.Errorf("%s: links are up %.4f of the time, +- %.4f; want %.4f", c.text, share, width, want)
		}
		// Lives that do not end in the run are longer than others, by little if runs are long.
		life, width := interval(lives)
		if want := 1 / c.q; math.Abs(life-want) > width+want/100 || width > want/10 {
			t.Errorf("%s: a link lives %.4f steps, +- %.4f; want %.4f", c.text, life, width, want)
		}
	}
}

// The digits of a geometric number are those of its law: each number is as often as it should be.
func TestGeometric(t *testing.T) {
	p := des.Ratio(3, 10)
	g, s := newGeometric(p), des.NewStream(1, "test")
	const draws = 200_000
	var counts [12]float64
	for range draws {
		counts[min(g.draw(&s), 11)]++
	}
	chi, left := 0.0, 1.0
	for k, count := range counts {
		want := left * 0.3
		if k == 11 {
			want = left
		}
		left -= want
		chi += (count - draws*want) * (count - draws*want) / (draws * want)
	}
	if chi > 35 { // 11 degrees of freedom: 1 in 4,000
		t.Errorf("chi-squared is %.1f", chi)
	}
}

// A process that leaves loses all its links at once, and gets those back whose other end is there when it
// joins.
func TestChurn(t *testing.T) {
	const n = 6
	s := mustParse(t, "churn(up uniform(1s,3s), down 500ms)").Source(netem.BiRing(n), 3)
	up := map[netem.Link]bool{}
	s.Begin(func(a, b protocols.ID) { up[netem.LinkBetween(a, b)] = true })
	if len(up) != n {
		t.Fatalf("%d links at the beginning; want %d", len(up), n)
	}
	c, _ := s.Next()
	for range 2000 {
		at := c.At
		var before netem.Link
		for first := true; c.At == at; first = false {
			p := netem.LinkBetween(c.A, c.B)
			if up[p] == c.Up || !first && p.Compare(before) <= 0 {
				t.Fatalf("at %v: %v after %v, up %v", at, p, before, c.Up)
			}
			up[p], before = c.Up, p
			c, _ = s.Next()
		}
		// The links that are down are all those of some processes.
		away := 0
		for i := range protocols.ID(n) {
			if !up[netem.LinkBetween(i, (i+1)%n)] && !up[netem.LinkBetween(i, (i+n-1)%n)] {
				away++
			}
		}
		for i := range protocols.ID(n) {
			if j := (i + 1) % n; !up[netem.LinkBetween(i, j)] && up[netem.LinkBetween(i, (i+n-1)%n)] && up[netem.LinkBetween(j, (j+1)%n)] {
				t.Fatalf("at %v the link %d-%d alone is down", at, i, j)
			}
		}
	}
}

// In the steady law of waypoints, places, speeds and pauses at the beginning are those after a long time.
func TestSteadyWaypoints(t *testing.T) {
	n := 40_000
	if testing.Short() {
		n = 10_000
	}
	observe := func(text string, at des.Time) (middle, fast, rests float64) {
		m := mustParse(t, text).model.(*waypoint)
		for _, p := range m.paths(n, 11) {
			l := p.next()
			for l.to < int64(at/microsecond) {
				l = p.next()
			}
			x, y := l.at(int64(at / microsecond))
			if min(x, y) > 250*metre && max(x, y) < 750*metre {
				middle++
			}
			switch speed := distance(l.vx, l.vy); {
			case speed == 0:
				rests++
			case speed > 5*second:
				fast++
			}
		}
		return middle / float64(n), fast / float64(n), rests / float64(n)
	}
	const text = "waypoint(1kmx1km, 100m, 1..10m/s, 50s)"
	var late, begin [3]float64
	late[0], late[1], late[2] = observe(text, 20_000*1e9)
	begin[0], begin[1], begin[2] = observe(text+", steady", 0)
	for i, what := range []string{"in the middle", "faster than 5 m/s", "at rest"} {
		p := (late[i] + begin[i]) / 2
		if width := 4 * math.Sqrt(2*p*(1-p)/float64(n)); math.Abs(late[i]-begin[i]) > width {
			t.Errorf("%s are %.4f at the beginning and %.4f late; they may differ by %.4f", what, begin[i], late[i], width)
		}
	}
	if usual, _, _ := observe(text, 0); math.Abs(usual-0.25) > 0.02 || late[0] < 0.3 {
		t.Errorf("without steady, %.4f begin in the middle and %.4f are there late: that is no test", usual, late[0])
	}
}

// The velocities of the Gauss-Markov model have the mean square and the memory that they should have.
func TestGaussMarkov(t *testing.T) {
	m := mustParse(t, "gauss-markov(1000kmx1000km, 100m, 10m/s, 0.75, 1s)").model.(placed)
	var square, product, count float64
	for _, p := range m.paths(200, 5) {
		before := p.next()
		for range 200 {
			l := p.next()
			vx, vy := float64(l.vx)/1e6, float64(l.vy)/1e6
			square += vx*vx + vy*vy
			product += vx*float64(before.vx)/1e6 + vy*float64(before.vy)/1e6
			before, count = l, count+1
		}
	}
	if s, r := square/count, product/square; math.Abs(s-100) > 3 || math.Abs(r-0.75) > 0.01 {
		t.Errorf("the mean square of the speed is %.2f, want 100; the memory is %.3f, want 0.75", s, r)
	}
}

// A source whose next change never comes hands the run back now and then.
func TestNothingChanges(t *testing.T) {
	for _, text := range []string{"walk(100mx100m, 200m, 1m/s, 1s)", "walk(100kmx100km, 1cm, 1m/s, 1s), from 10s", "churn(up 1s, down 1s)"} {
		for _, n := range []int{1, 2} {
			s := mustParse(t, text).Source(netem.Complete(n), 1)
			up := map[netem.Link]bool{}
			s.Begin(func(a, b protocols.ID) { up[netem.LinkBetween(a, b)] = true })
			before := des.Time(1)
			for range 3 {
				c, more := s.Next()
				if more != (n > 1) {
					t.Fatalf("%s with %d processes: more is %v", text, n, more)
				}
				if more && c.At < before {
					t.Fatalf("%s: %v after %v", text, c.At, before)
				}
				if p := netem.LinkBetween(c.A, c.B); more && !strings.HasPrefix(text, "churn") && up[p] != c.Up {
					t.Fatalf("%s: %v changes", text, p)
				}
				before = max(before, c.At)
			}
		}
	}
}
