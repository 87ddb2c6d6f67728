package hunt

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bullring/des"
	"bullring/experiments/trial"
)

// draw draws the setting of one run from a stream.
type draw struct {
	des.Stream
	algorithm *trial.Algorithm
	n         int      // processes; 0 before they are drawn
	least     int      // fewest processes
	classes   []string // of faults; nil for those that the model may allow
}

// Draw returns a random setting of an algorithm. It looks for the edges: few processes, ties, no
// delay, timeouts near the delays. Whether it is inside the model is for the declaration of the
// algorithm to decide, when the setting becomes an instance.
func Draw(seed uint64, a *trial.Algorithm) trial.Setting {
	d := draw{Stream: des.NewStream(seed, "promises "+a.Name), algorithm: a}
	return d.setting()
}

func (d *draw) setting() trial.Setting {
	a := d.algorithm
	n := []int{1, 2, 2, 3, 3, 3, 4, 4, 5, 6, 7, 8, 9, 12, 13, 16}[d.Intn(16)]
	if d.n == 0 {
		d.n = max(n, d.least)
	}
	s := trial.Setting{
		Algorithm: a.Name, Variant: d.variant(), N: d.n, Placement: d.pick("random", "random", "random", "increasing", "increasing", "decreasing", "alternating"),
		Initiators: d.pick("all", "all", fmt.Sprintf("random:%d", 1+d.Intn(d.n)), "random:1", "random:1"),
		Delay:      d.pick("1ms", "1ms", "1ms", "0s", "1ns", "uniform(0,2ms)", "uniform(0,10ms)", "uniform(500us,1ms)", "uniform(0,3ns)", "exp(1ms)", "pareto(2ms,1ms)"),
		Unordered:  d.oneIn(3), Seed: d.Uint64(), MaxEvents: 20_000,
	}
	if d.oneIn(2) {
		s.Topology = d.pick(a.Topologies()...)
	}
	if d.oneIn(4) && d.n > 1 {
		s.Dead = d.pick(fmt.Sprintf("random:%d", 1+d.Intn(d.n-1)), "last")
	}
	if d.oneIn(5) {
		s.IDs, s.Placement = d.identities(), ""
	}
	if d.oneIn(6) {
		s.Attr = fmt.Sprintf("random:%d", 1+d.Intn(3))
	}
	if d.oneIn(2) {
		d.network(&s)
	}
	if d.oneIn(3) || d.classes != nil {
		s.Fault = d.plan()
	}
	s.Param = d.params()
	d.motion(&s)
	return s
}

func (d *draw) oneIn(k int) bool { return d.Intn(k) == 0 }

func (d *draw) pick(words ...string) string { return words[d.Intn(len(words))] }

// some are the words that remain when each is struck with probability 1/2, one at least.
func (d *draw) some(words ...string) string {
	left := []string{d.pick(words...)}
	for _, w := range words {
		if d.oneIn(2) && !slices.Contains(left, w) {
			left = append(left, w)
		}
	}
	return strings.Join(left, ", ")
}

func (d *draw) variant() string {
	words := make([]string, len(d.algorithm.Variants))
	for i, group := range d.algorithm.Variants {
		words[i] = d.pick(group[0], d.pick(group...))
	}
	return strings.Join(words, ",")
}

// identities are distinct, with gaps, and sometimes below 1.
func (d *draw) identities() string {
	words, first := make([]string, d.n), []int{1, -20}[d.Intn(2)]
	for i, k := range d.Perm(2 * d.n)[:d.n] {
		words[i] = strconv.Itoa(first + int(k))
	}
	return strings.Join(words, ",")
}

// network draws what else there is to say of links, and what stands above them.
func (d *draw) network(s *trial.Setting) {
	if d.oneIn(6) {
		s.Link = d.pick("delay 1ms 1ms", "delay 2ms 2ms reorder 25% gap 2", "rate 1mbit", "0->1: delay 3ms", "slot 2ms 5ms", "loss 20%", "duplicate 20%", "corrupt 10%", "loss 10% duplicate 10% corrupt 5%")
		s.LinkMode = d.pick("", "compat")
	}
	if d.oneIn(10) {
		s.Delta, s.GST = d.pick("500us", "2ms"), d.pick("", "", "5ms")
	}
	if d.oneIn(8) {
		s.Transport = d.pick("reliable(5ms,0)", "reliable(500us,0,4ms)", "reliable(3ms,0,6ms,patient)", "reliable(5ms,4)")
	}
	if d.oneIn(8) {
		s.Detector = d.pick("none", "heartbeat(2ms,5ms)", "phi(2ms,3)")
	}
	if d.oneIn(3) {
		s.Assume = d.pick("1ns", "1ms", "2ms", "10ms", "25ms")
	}
	if d.oneIn(5) {
		s.Processing = d.pick("1ns", "300us", "1ms", "5ms")
	}
}

// motion draws how links come and go, for algorithms that allow it. A few processes meet and part many
// times while a message is under way, or a few times in the run.
func (d *draw) motion(s *trial.Setting) {
	switch a := d.algorithm.Assumes; {
	case d.classes != nil && !slices.Contains(d.classes, "link-changes"):
	case a.ConnectedRounds && d.oneIn(2):
		s.Motion, s.Topology = fmt.Sprintf("interval(%d, %s, %s)", 1+d.Intn(3), d.pick("2ms", "8ms", "30ms"), d.pick("random", "worst")), "complete"
	case a.Moving && d.oneIn(3):
		s.Motion = d.pick("walk(100mx100m, 45m, 1500m/s, 20ms)", "walk(100mx50m, 40m, 200m/s, 1s)", "waypoint(100mx100m, 40m, 500..1500m/s, 5ms)", "waypoint(200mx20m, 30m, 50..500m/s, 0s), steady",
			"gauss-markov(10mx10m, 5m, 190m/s, 0.5, 5ms)", "edges(20%, 20%, 3ms)", "edges(1%, 5%, 1ms)", "churn(up exp(30ms), down exp(10ms))")
		s.Until = d.pick("60ms", "400ms", "2s")
	}
}

// plan draws faults: a swarm of those that the model may allow, or one or two.
func (d *draw) plan() string {
	switch {
	case d.classes != nil && len(d.classes) == 0:
		return ""
	case d.classes != nil:
		return d.swarm(d.classes)
	}
	a := d.algorithm.Assumes
	classes := []string{"pauses", "slowness", "delays", "clogs", "clocks"}
	if a.BoundedDelay {
		classes = nil
	}
	if !a.NoCrash && !a.DeadAtStart {
		classes = append(classes, "crashes", "partial-broadcasts", "leader-crashes")
		if !a.NoRestart {
			classes = append(classes, "restarts")
		}
	}
	if a.Moving {
		classes = append(classes, "link-changes", "link-changes")
	}
	if a.Lossy || d.oneIn(4) { // a reliable link may stand below
		classes = append(classes, "loss", "duplicates", "cuts", "partitions", "omissions")
	}
	if len(classes) > 0 && d.oneIn(2) {
		return d.swarm(classes)
	}
	plan := d.fault()
	if d.oneIn(2) {
		plan += "; " + d.fault()
	}
	return plan
}

// swarm draws a swarm of some classes of faults.
func (d *draw) swarm(classes []string) string {
	plan := fmt.Sprintf("random swarm of %s until %s", d.some(classes...), d.pick("3ms", "20ms", "60ms"))
	return plan + d.pick("", " then heal", fmt.Sprintf("; at 200ms start %d", d.Intn(d.n)))
}

func (d *draw) fault() string {
	a, p, at := d.algorithm.Assumes, d.Intn(d.n), d.pick("0s", "1ns", "1ms", "2500us", "4500us", "7ms", "9500us", "13500us", "200ms")
	if d.oneIn(3) {
		p = d.n - 1 // the best, if identities increase
	}
	faults := []string{fmt.Sprintf("at %s start %d", at, p)}
	if !a.NoCrash {
		faults = append(faults, fmt.Sprintf("at 0s crash %d", p), fmt.Sprintf("at %s crash %d", at, p), fmt.Sprintf("at %s crash %d", at, p),
			fmt.Sprintf("crash %d after %d sends", p, d.Intn(4)), fmt.Sprintf("at %s crash %d for 5ms", at, p))
	}
	if !a.BoundedDelay {
		faults = append(faults, fmt.Sprintf("clock %d offset %s", p, d.pick("5ms", "-1ms", "1s", "1ns")), fmt.Sprintf("at %s clock %d drift %s", at, p, d.pick("100ppm", "-500000ppm", "500000ppm")),
			fmt.Sprintf("at %s pause %d for 5ms", at, p), fmt.Sprintf("slow %d by 2ms", p), fmt.Sprintf("delay 1st message from %d by 3ms", p), "clog * for 5ms")
	}
	if a.Moving {
		q := d.Intn(d.n)
		faults = append(faults, fmt.Sprintf("at %s down %d<->*", at, p), fmt.Sprintf("at %s down %d<->%d", at, p, q), fmt.Sprintf("at %s up %d<->%d", at, p, q), fmt.Sprintf("at %s up %d<->*", at, p))
	}
	return d.pick(faults...)
}

// params draws parameters by the form of their values.
func (d *draw) params() string {
	var given []string
	for _, p := range d.algorithm.Params {
		if d.oneIn(2) {
			given = append(given, p.Name+"="+d.value(p.Form))
		}
	}
	return strings.Join(given, ",")
}

func (d *draw) value(form string) string {
	duration := d.pick("0s", "1ns", "100us", "500us", "1ms", "2ms", "3ms", "5ms", "20ms", "100s")
	switch word := d.pick(strings.Split(form, "|")...); word {
	case "K", "M":
		return d.pick("0", "1", "2", "3", "4", "6")
	case "ADDRESS":
		return strconv.Itoa(d.Intn(d.n))
	case "D", "duration":
		return duration
	default: // exp(D), or one of a few words
		return strings.Replace(word, "(D)", "("+duration+")", 1)
	}
}

// vary draws a setting that differs in one thing, and in its seed, from one that showed something
// new.
func (d *draw) vary(s trial.Setting) trial.Setting {
	other := d.setting()
	d.n = s.N
	s.Seed, s.Schedule = other.Seed, "" // the steps of a schedule fit nothing else
	switch d.Intn(6) {
	case 0:
		s.Fault = d.plan()
	case 1:
		if s.Fault == "" {
			s.Fault = d.plan()
		} else if d.classes == nil {
			s.Fault += "; " + d.fault()
		}
	case 2:
		s.Delay = other.Delay
	case 3:
		s.Link, s.LinkMode = other.Link, other.LinkMode
	case 4:
		s.Initiators, s.Placement, s.IDs, s.N = other.Initiators, other.Placement, other.IDs, other.N
	case 5:
		if other.Motion != "" {
			s.Motion, s.Until, s.Topology = other.Motion, other.Until, other.Topology
		}
	}
	return s
}
