package families

import (
	"fmt"
	"slices"

	"bullring/experiments/trial"
	"bullring/netem"
	"bullring/netem/explore"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/wave"
)

// The outcomes of a wave.
const (
	WaveDecided trial.Outcome = "decided"   // a process has decided, after an event of every other one
	Premature   trial.Outcome = "premature" // one has decided before that, or before its tree was there
	Lost        trial.Outcome = "lost"      // the wave has come to rest, and no process has decided
)

// The checks of a wave, and what a traversal and a search add.
var (
	waveChecks = []explore.Property{
		{Name: "dependence", Kind: explore.Always, Says: "before a process decides, each process has had an event on which the decision depends"},
		{Name: "decision", Kind: explore.Eventually, Says: "at least one process decides"},
	}
	tourChecks = []explore.Property{
		{Name: "traversal", Kind: explore.Always, Says: "the initiator alone decides, after the token has visited each process and come back"},
		{Name: "tree", Kind: explore.Always, Says: "when the initiator decides, the fathers are a spanning tree with it as the root"},
	}
	tourBand = trial.Band{
		Name: "visited", Says: "has had the token", Look: looks.Fill{Colour: looks.Orange, Texture: looks.Zigzag},
		In: trial.InBand(func(m wave.Member) bool { return m.State().Visited }),
	}
	searchChecks = []explore.Property{
		{Name: "depthfirst", Kind: explore.Always, Says: "each link joins a process with one of its ancestors in that tree"},
	}
)

var waveFamily = trial.Family{
	Name: "wave",
	Bands: []trial.Band{
		{Name: "decided", Says: "has decided", Look: looks.Fill{Colour: looks.Green, Texture: looks.Full},
			In: trial.InBand(func(m wave.Member) bool { return m.State().Decided })},
	},
	Ear:   newWaveEar,
	Right: []trial.Outcome{WaveDecided},
	Wrong: []trial.Outcome{Premature, Lost},
	Metrics: []trial.Metric{
		{Name: "decided_time", Unit: trial.Units, Meaning: "when the last process decided", Axis: "time to decide", Summary: true,
			Measure: trial.LastChange[wave.State]()},
		{Name: "deciders", Unit: "processes", Meaning: "processes that decided", Axis: "processes that decided",
			Measure: trial.SeenBy(func(seen trial.Seen[wave.State]) (float64, bool) {
				decided := 0
				for _, s := range seen.States {
					if s.Decided {
						decided++
					}
				}
				return float64(decided), true
			})},
	},
}

// Sort is what an algorithm promises besides a wave.
type Sort int

// The sorts of waves. Each promises what the one before does.
const (
	Plain     Sort = iota // a wave
	Traversal             // a token visits every process, and the fathers are a spanning tree
	Search                // that tree is a depth-first search tree
)

// Wave completes the declaration of a wave algorithm.
func Wave[M protocols.Message](a trial.Algorithm, sort Sort, build func(*trial.Instance) func(protocols.ID) wave.Process[M]) trial.Algorithm {
	family := waveFamily
	family.Checks = waveChecks
	if sort >= Traversal {
		family.Checks, family.Bands = slices.Concat(family.Checks, tourChecks), append(slices.Clone(family.Bands), tourBand)
	}
	if sort >= Search {
		family.Checks = slices.Concat(family.Checks, searchChecks)
	}
	rules := func(in *trial.Instance) trial.Rules[wave.State] {
		return &waveRules{sort, in.Initiators.At(0), func() netem.Topology { return in.Topology }}
	}
	return trial.Ruled(a, family, rules, func(in *trial.Instance) func(protocols.ID) protocols.Process[wave.Dated[M]] {
		made := build(in)
		return func(p protocols.ID) protocols.Process[wave.Dated[M]] { return wave.NewWitness(made(p), in.N) }
	})
}

// waveRules are the rules of a wave. They look at all processes when one decides.
type waveRules struct {
	sort      Sort
	initiator protocols.ID
	links     func() netem.Topology `explore:"-"` // the explorer does not copy a function
}

// State implements trial.Rules.
func (*waveRules) State(process any) wave.State { return trial.As[wave.Member](process).State() }

// BrokenBy implements trial.Local.
func (r *waveRules) BrokenBy(seen trial.Seen[wave.State], p protocols.ID, before wave.State) map[string]string {
	now := seen.States[p]
	if !now.Decided || before.Decided {
		return nil
	}
	broken := map[string]string{}
	if now.Misses != wave.Nobody {
		broken["dependence"] = fmt.Sprintf("process %v decides, and that depends on no event of process %v", p, now.Misses)
	}
	if r.sort == Plain {
		return broken
	}
	broken["traversal"] = r.unvisited(seen.States, p)
	fathers := forest(seen.States)
	if broken["tree"] = fathers.lacks(p); r.sort == Search && broken["tree"] == "" {
		broken["depthfirst"] = fathers.crossed(p, r.links())
	}
	return broken
}

// unvisited says why a process that decides may not, or nothing.
func (r *waveRules) unvisited(states []wave.State, p protocols.ID) string {
	if p != r.initiator {
		return fmt.Sprintf("process %v decides, and process %v is the initiator", p, r.initiator)
	}
	for q, s := range states {
		if !s.Visited {
			return fmt.Sprintf("process %v decides, and the token has not visited process %v", p, q)
		}
	}
	return ""
}

// forest is the processes with their fathers.
type forest []wave.State

// lacks says why the fathers are no tree with that root that spans all processes, or nothing.
func (f forest) lacks(root protocols.ID) string {
	below := make([]bool, len(f)) // known to be in the tree of the root
	below[root] = true
	for p := range f {
		q := protocols.ID(p)
		for range f {
			if q == wave.Nobody || below[q] {
				break
			}
			q = f[q].Father
		}
		if q == wave.Nobody || !below[q] {
			return fmt.Sprintf("the fathers of process %v do not lead to process %v", p, root)
		}
		for q = protocols.ID(p); !below[q]; q = f[q].Father {
			below[q] = true
		}
	}
	return ""
}

// crossed names a link whose ends are in different branches of the tree, or nothing.
func (f forest) crossed(root protocols.ID, links netem.Topology) string {
	enter, leave := f.intervals(root)
	above := func(p, q protocols.ID) bool { return enter[p] <= enter[q] && leave[q] <= leave[p] }
	for p := range protocols.ID(len(f)) {
		for port := range links.Degree(p) {
			if q := links.Neighbor(p, port); !above(p, q) && !above(q, p) {
				return fmt.Sprintf("processes %v and %v share a link, and neither is an ancestor of the other", p, q)
			}
		}
	}
	return ""
}

// intervals numbers the processes of a tree: the descendants of a process are those from enter to leave.
func (f forest) intervals(root protocols.ID) (enter, leave []int) {
	children := make([][]protocols.ID, len(f))
	for p, s := range f {
		if protocols.ID(p) != root {
			children[s.Father] = append(children[s.Father], protocols.ID(p))
		}
	}
	enter, leave = make([]int, len(f)), make([]int, len(f))
	for path, next := []protocols.ID{root}, 0; len(path) > 0; {
		p := path[len(path)-1]
		if enter[p] == 0 {
			next++
			enter[p] = next
		}
		if len(children[p]) == 0 {
			leave[p] = next
			path = path[:len(path)-1]
			continue
		}
		path = append(path, children[p][0])
		children[p] = children[p][1:]
	}
	return enter, leave
}

// Broken implements trial.Rules: at rest, all that is left is that no process has decided.
func (*waveRules) Broken(seen trial.Seen[wave.State]) map[string]string {
	for _, s := range seen.States {
		if s.Decided {
			return nil
		}
	}
	return map[string]string{"decision": "no process has decided"}
}

// Outcome implements trial.Rules.
func (*waveRules) Outcome(trial.Seen[wave.State]) trial.Outcome { return WaveDecided }
