package faults

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"bullring/des"
	"bullring/protocols"
	"bullring/protocols/links"
)

// Expand draws the random lines of the plan and returns a plan of explicit faults. The
// result depends on the arguments only, on every machine. There are n processes, and
// kinds are the kinds of messages. One of the initiators starts again when a swarm has
// healed. Each line draws from streams of its own: another line does not change it. Shares of
// links stay; see Plan.DrawLinks.
func (p Plan) Expand(n int, kinds []string, initiators []protocols.ID, seed uint64) Plan {
	var out Plan
	for index, f := range p {
		if f.Random == nil {
			out = append(out, f)
			continue
		}
		d := draw{Random: f.Random, n: n, kinds: kinds, initiators: initiators, stream: des.NewStream(seed, "plan", uint64(index))}
		switch f.Kind {
		case RandomCrashes:
			d.crashes()
		case RandomFailures:
			d.failures()
		case RandomPartitions:
			d.partitions()
		case RandomSwarm:
			d.swarm()
		}
		out = append(out, d.plan...)
	}
	return out
}

// DrawLinks draws the links of faults that are about a share of them, such as `cut 10% of *`. Each
// fault draws from a stream of its own. It fails if the network has no such link, nor any of the links
// that are to go down or to come up.
func (p Plan) DrawLinks(net links.Network, seed uint64) (Plan, error) {
	for _, f := range p {
		if (f.Kind == Down || f.Kind == Up) && !f.Links.In(net) {
			return nil, fmt.Errorf("fault %q: the network has none of these links", f)
		}
	}
	if !slices.ContainsFunc(p, func(f Fault) bool { return f.Links.Share() > 0 }) {
		return p, nil
	}
	out := slices.Clone(p)
	for i := range out {
		stream := des.NewStream(seed, "links of a fault", uint64(i))
		drawn, ok := out[i].Links.Draw(net, stream.Intn)
		if !ok {
			return nil, fmt.Errorf("fault %q: the network has none of these links", p[i])
		}
		out[i].Links = drawn
	}
	return out, nil
}

// draw is a line that is being drawn.
type draw struct {
	*Random
	n          int
	kinds      []string
	initiators []protocols.ID
	stream     des.Stream
	plan       Plan

	// What follows is for swarms.
	able    []protocols.ID // processes that may fail
	tick    time.Duration  // instants and durations are multiples of it
	down    []interval
	repairs time.Duration // the longest downtime of a crash that has no known instant
}

// faultAt is an explicit fault at an instant.
func faultAt(t des.Time, k Kind) Fault {
	return Fault{When: Trigger{On: Instant, At: t}, Kind: k, From: Anyone, To: Anyone}
}

func (d *draw) add(f Fault) { d.plan = append(d.plan, f) }

// inOrder sorts the faults by instant.
func (d *draw) inOrder() {
	slices.SortStableFunc(d.plan, func(a, b Fault) int { return cmp.Compare(a.When.At, b.When.At) })
}

// able are the processes, of n, that are not spared.
func (r *Random) able(n int) []protocols.ID {
	var able []protocols.ID
	for p := range protocols.ID(n) {
		if r.Sparing == nil || !r.Sparing.Has(p) {
			able = append(able, p)
		}
	}
	return able
}

// crashes draws distinct processes and for each an instant of the window, both
// ends included.
func (d *draw) crashes() {
	able := d.Random.able(d.n)
	for k := range min(d.Number, len(able)) {
		j := k + d.stream.Intn(len(able)-k)
		able[k], able[j] = able[j], able[k]
		f := faultAt(d.From.Add(time.Duration(d.stream.Intn(int(d.Until-d.From)+1))), Crash)
		f.Process = able[k]
		d.add(f)
	}
	d.inOrder()
}

// failures draws an alternating renewal process of crashes and repairs for each process.
// It leaves out a crash with which too many processes would be down.
func (d *draw) failures() {
	for _, p := range d.Random.able(d.n) {
		stream := d.stream.Sub(uint64(p))
		for t := d.sample(d.Up, &stream); des.Time(t) < d.Until && len(d.plan) < 2*mostDrawn; t += d.sample(d.Up, &stream) {
			f := faultAt(des.Time(t), Crash)
			f.Process, f.For = p, d.sample(d.Down, &stream)
			d.add(f)
			t += f.For
		}
	}
	d.inOrder()
	var ends []des.Time // of the processes that are down, in order
	most := d.mostDown()
	d.plan = slices.DeleteFunc(d.plan, func(f Fault) bool {
		for len(ends) > 0 && ends[0] <= f.When.At {
			ends = ends[1:]
		}
		if len(ends) >= most {
			return true
		}
		end := f.When.At.Add(f.For)
		i, _ := slices.BinarySearch(ends, end)
		ends = slices.Insert(ends, i, end)
		return false
	})
}

// mostDown is the number of processes that may be down at the same time.
func (d *draw) mostDown() int {
	if d.Most > 0 {
		return d.Most
	}
	return d.n - 1
}

// sample draws a duration that a plan can have.
func (d *draw) sample(of des.Distribution, from *des.Stream) time.Duration {
	return min(max(of.Sample(from.Uint64()), 1), des.MaxDuration)
}

// partitions draws partitions one after another.
func (d *draw) partitions() {
	possible := possibleShapes(d.Of, d.n)
	if len(possible) == 0 {
		return
	}
	for t := d.sample(d.Up, &d.stream); des.Time(t) < d.Until && len(d.plan) < 2*mostDrawn; t += d.sample(d.Up, &d.stream) {
		f := faultAt(des.Time(t), Partition)
		f.For = max(d.sample(d.Down, &d.stream), d.Least)
		d.divide(&f, possible[d.stream.Intn(len(possible))])
		d.add(f)
		t += f.For
	}
}

// possibleShapes are the shapes that divide n processes.
func possibleShapes(of []string, n int) []string {
	if of == nil {
		of = shapes
	}
	var possible []string
	for _, shape := range of {
		least, most := 2, n
		switch shape {
		case bridges:
			least = 3
		case rings: // of three, each sees the two others
			least, most = 4, mostGroups
		}
		if n >= least && n <= most {
			possible = append(possible, shape)
		}
	}
	return possible
}

// divide draws the groups of a partition.
func (d *draw) divide(f *Fault, shape string) {
	order := make([]protocols.ID, d.n)
	for i, p := range d.stream.Perm(d.n) {
		order[i] = protocols.ID(p)
	}
	switch shape {
	case halves:
		f.Groups = split(order, d.n/2)
	case isolations:
		f.Groups = split(order, 1)
	case oneWays:
		f.Groups, f.OneWay = split(order, 1+d.stream.Intn(d.n-1)), true
	case bridges:
		half := (d.n - 1) / 2
		f.Groups = []links.Addresses{links.Of(order[:half+1]...), links.Of(order[half:]...)}
	case rings:
		f.Groups = majorities(order)
	}
}

func split(order []protocols.ID, k int) []links.Addresses {
	return []links.Addresses{links.Of(order[:k]...), links.Of(order[k:]...)}
}

// majorities arranges the processes on a ring. Each belongs to groups that together make
// a majority: itself and its nearest neighbours on both sides. No two processes see the
// same majority.
func majorities(order []protocols.ID) []links.Addresses {
	n := len(order)
	reach := (n/2 + 1) / 2
	groups := make([]links.Addresses, n)
	for i := range groups {
		group := make([]protocols.ID, reach+1)
		for k := range group {
			group[k] = order[(i+k)%n]
		}
		groups[i] = links.Of(group...)
	}
	return groups
}
