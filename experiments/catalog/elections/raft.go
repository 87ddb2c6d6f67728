package elections

import (
	"errors"
	"fmt"
	"math"
	"time"

	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/election"
	"bullring/protocols/election/raft"
)

func raftAlgorithm() trial.Algorithm {
	const convention = "s of n processes alive, a majority; answers count; the leader announces itself once"
	const first = convention + "; all initiate, delay of l widths, split votes in at most a fifth of terms"
	// In each term but the first, candidates have waited up to l longer than voters.
	const independent = first + "; terms are taken for independent of each other, which is "
	return families.Election(trial.Algorithm{
		Name:     "raft",
		Title:    "the leader election of Raft: terms, random timeouts, the votes of a majority",
		Look:     looks.Look{Colour: looks.Black, Marker: looks.Diamond},
		Source:   "Ongaro & Ousterhout, USENIX ATC 2014, section 5.2; Ongaro, Consensus: bridging theory and practice, 2014, chapters 3 and 9",
		Papers:   []string{"ongaro2014", "ongaro2014thesis"},
		Cost:     "2(n-1)+2(s-1) with s alive; more if votes are split",
		Variants: [][]string{{"once", "heartbeats"}},
		Params: []trial.Param{
			timeoutParam("base", "the least election timeout"),
			timeoutParam("width", "how far the largest election timeout is above the least"),
			trial.CountParam("terms", "0", "how many terms there are, after which candidates give up; 0 is no limit", 0, 1_000_000),
		},
		Metrics: families.Terms,
		Bands:   []trial.Band{families.Candidates[*raft.Process]("has begun a term, and asks for votes")},
		Assumes: trial.Assumptions{
			Topologies: []string{"complete"}, Lossy: true,
		},
		Bounds: []trial.Bound{
			{
				Name: "clean", Metric: "messages", Relation: trial.Exactly,
				Formula:    "(n-1) REQUESTVOTE + (s-1) VOTE + (n-1) APPENDENTRIES + (s-1) APPENDREPLY; 4n-6 if the old leader is down",
				Convention: convention + "; one initiator, no delay above a quarter of the least timeout",
				Value: func(in *trial.Instance) (float64, bool) {
					return raftClean(in), raftPrompt(in) && in.Initiators.Len() == 1
				},
			},
			{
				Name: "best", Metric: "messages", Relation: trial.AtLeast, Formula: "2(n-1) + 2(s-1)", Convention: convention,
				Value: func(in *trial.Instance) (float64, bool) {
					return raftClean(in), in.Calm() && len(in.Lines) == 0 && in.Count("terms") == 0
				},
			},
			{
				Name: "mean", Metric: "messages", Relation: trial.Mean, Convention: independent + "up to 1 % too many",
				Formula: "(n+s-2)(K/(1-P) + 1), with K = 1+sl-l^s candidates a term and P = sum of C(s,j) l^j (1-l)^(s-j) for j = s-floor(n/2)..s",
				Value: func(in *trial.Instance) (float64, bool) {
					split, l, ok := raftSplit(in)
					s := float64(in.N - len(in.Dead))
					return raftClean(in) / 2 * ((1+float64(s*l)-power(l, in.N-len(in.Dead)))/(1-split) + 1), ok
				},
			},
			{
				Name: "split", Metric: "split_vote", Relation: trial.Mean, Convention: first,
				Formula: "P = sum of C(s,j) l^j (1-l)^(s-j) for j = s-floor(n/2)..s",
				Value: func(in *trial.Instance) (float64, bool) {
					split, _, ok := raftSplit(in)
					return split, ok
				},
				Curve: func(in *trial.Instance) (float64, bool) {
					split, _, ok := raftFirstTerm(in)
					return split, ok
				},
			},
			{
				Name: "terms", Metric: "term", Relation: trial.Mean, Convention: independent + "up to 1 % too many", Formula: "1/(1-P)",
				Value: func(in *trial.Instance) (float64, bool) {
					split, _, ok := raftSplit(in)
					return 1 / (1 - split), ok
				},
			},
			{
				Name: "elected", Metric: "elected_time", Relation: trial.Mean, Convention: independent + "up to 2.5 % too long",
				Formula: "((b+1/(s+1)+l)/(1-P) + l)/l, with the least timeout b in widths",
				Value: func(in *trial.Instance) (float64, bool) {
					split, l, ok := raftSplit(in)
					cfg := raftConfig(in)
					first := float64(cfg.Base)/float64(cfg.Width) + 1/float64(in.N-len(in.Dead)+1)
					return ((first+l)/(1-split) + l) / l, ok
				},
			},
		},
	}, func(in *trial.Instance) election.Promise {
		return election.Promise{Winner: election.Anyone, Notices: true, Rest: raftRest(in), Terms: raftConfig(in).Terms}
	}, func(in *trial.Instance) func(protocols.ID) election.Process[raft.Message] {
		cfg := raftConfig(in)
		return func(p protocols.ID) election.Process[raft.Message] { return raft.New(in.Ranks.At(p).ID, cfg) }
	})
}

// The default timeouts are 10 to 20 delays, as the dissertation recommends (section 9.3),
// drawn from this many values.
const (
	raftTimeout = 10
	raftValues  = 1_000_000
)

// timeoutParam is a part of the election timeouts.
func timeoutParam(name, meaning string) trial.Param {
	p := trial.DurationParam(name, trial.Auto, fmt.Sprintf("%s; %s is %d times the assumed bound on delay", meaning, trial.Auto, raftTimeout))
	plain := p.Check
	p.Form = "duration|" + trial.Auto
	p.Check = func(in *trial.Instance, value string) error {
		if value == trial.Auto {
			return nil
		}
		if err := plain(in, value); err != nil {
			return fmt.Errorf("%w, or %s", err, trial.Auto)
		}
		if d, _ := time.ParseDuration(value); d < 2 && name == "base" {
			return errors.New("it takes 2ns or more, with room for a heartbeat")
		}
		return nil
	}
	return p
}

// timeoutOf is a timeout or an interval of an instance: so many of the bounds that it assumes, unless it is given.
func timeoutOf(in *trial.Instance, name string) time.Duration {
	if in.Param(name) == trial.Auto {
		return raftTimeout * in.Assumed
	}
	return in.Duration(name)
}

func raftConfig(in *trial.Instance) raft.Config {
	cfg := raft.Config{Base: timeoutOf(in, "base"), Width: timeoutOf(in, "width"), Terms: in.Count("terms")}
	if in.Variant.Has("heartbeats") {
		cfg.Heartbeat = cfg.Base / 2
	}
	switch in.Tick {
	case 0:
		cfg.Width = 0 // timers expire at any time, so the draw makes no difference
	case 1:
		cfg.Grain = max(cfg.Width/raftValues, 1)
	default:
		cfg.Grain = in.Tick
	}
	return cfg
}

// raftClean is the number of messages of an election with one candidate.
func raftClean(in *trial.Instance) float64 {
	return float64(2*(in.N-1) + 2*(in.N-len(in.Dead)-1))
}

// raftPrompt: there are no faults but processes dead from the start, and a process that has
// heard of a candidate hears of the leader before its timeout and before the next heartbeat.
// A reliable link may still wait for acknowledgements then, so that the run goes on.
func raftPrompt(in *trial.Instance) bool {
	_, longest, bounded := in.Delay.Bounds()
	return in.Calm() && (in.Transport == nil || !in.Variant.Has("heartbeats")) && len(in.Lines) == 0 && in.Count("terms") == 0 && in.Delta == 0 && in.Tick == 1 && !in.Timeless() && in.Until == 0 && bounded &&
		4*longest < raftConfig(in).Base && 2*(in.N-len(in.Dead)) > in.N
}

// raftSplit is raftFirstTerm, if later terms are about as likely to be split.
func raftSplit(in *trial.Instance) (split, l float64, ok bool) {
	split, l, ok = raftFirstTerm(in)
	return split, l, ok && split <= 0.2
}

// raftFirstTerm is the probability of a split vote in the first term, and the delay in
// widths. ok is false if the delay is not constant, or the probability is not known.
func raftFirstTerm(in *trial.Instance) (split, l float64, ok bool) {
	unit, constant := in.Unit()
	l = float64(unit) / float64(raftConfig(in).Width) // infinite if nothing is drawn
	if !constant || !raftPrompt(in) || !in.AllInitiate() || l >= 1 {
		return 0, 0, false
	}
	s := in.N - len(in.Dead)
	term := power(1-l, s) // of the sum, for j = 0
	if term == 0 {
		return 0, 0, false // too small to begin with
	}
	for j := range s + 1 {
		if j >= s-in.N/2 {
			split += term
		}
		term = float64(term * float64(s-j) / float64(j+1) * l / (1 - l))
	}
	return split, l, true
}

// power is x to the k.
func power(x float64, k int) float64 {
	y := 1.0
	for range k {
		y = float64(y * x)
	}
	return y
}

// raftRest is the longest time, after the last fault of a process, of an election that does
// not start anew. If messages are lost, or delays have no bound, a process may follow an
// earlier leader until a lost message is repeated.
func raftRest(in *trial.Instance) time.Duration {
	_, _, bounded := in.Delay.Bounds()
	does := in.Drawn.Effects()
	if !bounded || len(in.Lines) > 0 || does.Loses || does.Duplicates || does.Delays || does.Carries || does.Pauses || does.Clocks || does.Links {
		return math.MaxInt64
	}
	cfg := raftConfig(in)
	return cfg.Base + cfg.Width + raftTimeout*in.Assumed
}
