package rare

import (
	"fmt"
	"math"
	"slices"

	"bullring/des"
	"bullring/experiments/trial"
	"bullring/netem"
)

// particle is a run: a seed, and where other random numbers begin.
type particle struct {
	seed  uint64
	forks []netem.Fork
}

// path is what a run of a particle has shown.
type path struct {
	passages []trial.Passage // rising
	happened bool            // the event
	events   uint64
}

// reached is after how many events the run came to a level. A run in which the event happens has come to
// every level, at its end if not before.
func (p *path) reached(level int64) (after uint64, ok bool) {
	for _, passage := range p.passages {
		if passage.Level >= level {
			return passage.After, true
		}
	}
	return p.events, p.happened
}

// highest is the level of the run, the largest of all if the event happened.
func (p *path) highest() int64 {
	switch {
	case p.happened:
		return math.MaxInt64
	case len(p.passages) == 0:
		return 0
	}
	return p.passages[len(p.passages)-1].Level
}

// splitter splits runs at levels.
type splitter struct {
	seed   uint64
	effort int
	levels []int64
	goal   int64 // the level of the event; 0 if it is none
	// factors are the numbers of parts into which a run is split at each level. nil splits those that come
	// to a level into as many as began.
	factors []int

	// walk runs the particles, each until its level is as large as stop; 0 is to its end.
	walk func(all []particle, stop int64) ([]path, error)
}

// Of a pilot.
const (
	kept       = 0.2 // the share of runs that is to come from one level to the next
	mostLevels = 256
)

// mostParts is how many times --effort the runs of a level may be, if each is split by a factor.
const mostParts = 100

// pilot chooses the levels.
func (s *splitter) pilot() error {
	stream := des.NewStream(s.seed, "rare pilot")
	all := s.first(&stream)
	s.levels = []int64{}
	for len(s.levels) < mostLevels {
		paths, err := s.walk(all, s.goal)
		if err != nil {
			return err
		}
		level, more := s.next(paths)
		if !more {
			break
		}
		s.levels = append(s.levels, level)
		all = split(&stream, survivorsOf(all, paths, level), s.effort)
	}
	return nil
}

// chooseFactors chooses the factors for the levels, so that about as many runs begin at each. They follow
// from a repetition with fixed effort, which is not counted.
func (s *splitter) chooseFactors() error {
	one, _, err := s.repeat(0)
	if err != nil {
		return err
	}
	factors := make([]int, len(s.levels))
	for k := range factors {
		share := kept
		if k < len(one.Survivors) && one.Survivors[k] > 0 {
			share = float64(one.Survivors[k]) / float64(one.Runs[k])
		}
		factors[k] = int(math.Round(1 / share))
	}
	s.factors = factors
	return nil
}

// next is the level to which the share of runs is nearest to the wanted one. more is false if that is
// the event, or if no run is above the last level.
func (s *splitter) next(paths []path) (level int64, more bool) {
	heights := make([]int64, len(paths))
	for i := range paths {
		heights[i] = paths[i].highest()
	}
	slices.Sort(heights)
	nearest := math.Inf(1)
	for i, h := range heights {
		if i > 0 && h == heights[i-1] || len(s.levels) > 0 && h <= s.levels[len(s.levels)-1] || h == 0 {
			continue
		}
		share := float64(len(heights)-i) / float64(len(heights))
		if far := math.Abs(math.Log(share / kept)); far < nearest {
			level, nearest = h, far
		}
	}
	return level, level > 0 && level < math.MaxInt64
}

// repeat estimates the probability once. rare is a particle with the event, nil if there is none.
func (s *splitter) repeat(number uint64) (r Repetition, rare *particle, err error) {
	stream := des.NewStream(s.seed, "rare", number)
	all := s.first(&stream)
	r.Estimate = 1
	for k := range len(s.levels) + 1 {
		stop := s.goal
		if k < len(s.levels) {
			stop = s.levels[k]
		}
		paths, err := s.walk(all, stop)
		if err != nil {
			return r, nil, err
		}
		level := stop
		if stop == 0 {
			level = math.MaxInt64
		}
		survivors := survivorsOf(all, paths, level)
		r.Runs, r.Survivors = append(r.Runs, len(all)), append(r.Survivors, len(survivors))
		r.Estimate *= float64(len(survivors)) / float64(len(all))
		if len(survivors) == 0 {
			return r, nil, nil
		}
		if k == len(s.levels) {
			return r, &all[survivors[0].index], nil
		}
		parts := s.effort
		if s.factors != nil {
			if parts = s.factors[k] * len(survivors); parts > mostParts*s.effort {
				return r, nil, fmt.Errorf("%d runs are to go on from level %d, more than %d times as many as began: runs that come there come on more often than the pilot saw; give other levels, or a larger effort", parts, level, mostParts)
			}
		}
		all = split(&stream, survivors, parts)
	}
	return r, nil, nil
}

// first are particles with seeds of their own.
func (s *splitter) first(stream *des.Stream) []particle {
	all := make([]particle, s.effort)
	for i := range all {
		all[i].seed = stream.Uint64() >> 32 // short, for commands that name it
	}
	return all
}

// survivor is a particle that has come to a level, after so many events.
type survivor struct {
	particle
	index int
	after uint64
}

func survivorsOf(all []particle, paths []path, level int64) (survivors []survivor) {
	for i := range paths {
		if after, ok := paths[i].reached(level); ok {
			survivors = append(survivors, survivor{all[i], i, after})
		}
	}
	return survivors
}

// split makes so many new particles of those that survive, each of as many as the others or of one more.
// All have the same expected number.
func split(stream *des.Stream, survivors []survivor, into int) []particle {
	parts := make([]particle, into)
	offset := stream.Intn(len(survivors))
	for i := range parts {
		from := survivors[(i*len(survivors)+offset)/len(parts)]
		fork := netem.Fork{After: from.after, Salt: stream.Uint64() >> 32}
		forks := slices.Clone(from.forks)
		if k := len(forks); k > 0 && forks[k-1].After == fork.After { // it passed two levels at once
			forks = forks[:k-1]
		}
		parts[i] = particle{from.seed, append(forks, fork)}
	}
	return parts
}
