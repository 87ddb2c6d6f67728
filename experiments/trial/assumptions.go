package trial

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"bullring/faults"
	"bullring/netem/impair"
	"bullring/protocols/election"
)

// Assumptions are the model of an algorithm. A run outside the model is refused, or
// labelled.
type Assumptions struct {
	Topologies      []string    // accepted families, the default first, and classes such as Connected
	AllInitiate     bool        // every process is an initiator
	OneInitiates    bool        // one process is the initiator: process 0, or the first that lives, if none is named
	FIFO            bool        // links keep the order of messages
	Lossy           bool        // links may lose and duplicate messages if every process initiates
	NoCrash         bool        // no process crashes
	DeadAtStart     bool        // processes may be dead from the start, but none crashes later
	NoRestart       bool        // no crashed process comes back
	AllRestart      bool        // each crashed process comes back
	MustSurvive     string      // who may not crash if the living are to make progress; "" is anybody
	StaysConnected  bool        // the live processes can reach each other
	BoundedDelay    bool        // messages arrive within a known time, and clocks are right
	RightClocks     bool        // clocks are right; delays may be unbounded
	Detector        bool        // there is a failure detector, which may be mistaken
	PerfectDetector bool        // the failure detector makes no mistakes
	Anonymous       bool        // processes have no identities
	Numbers         bool        // identities are numbers from 1 on, and there are no attributes
	NoContent       bool        // messages have no content: what is altered, or a lie, changes nothing
	KnowsIdentities bool        // each process knows the identities of all. A program is told its own, and takes 1 to n in the order of addresses for those of others
	Nothing         bool        // it assumes nothing but the topology, whatever the other fields say
	Resilience      *Resilience // how many processes may fail; nil if the algorithm does not count them
	Liars           bool        // those that fail may be Byzantine
	Moving          bool        // links may come and go, and processes are told; else the graph does not change
	Graceful        bool        // links that come and go lose no message and keep the graph connected
	ConnectedRounds bool        // the graph may change from round to round, but that of each round is connected
	// Params, if not nil, names an assumption about parameters that does not hold, or
	// returns "".
	Params func(*Instance) string
}

// Words lists the assumptions for people.
func (a Assumptions) Words() []string {
	if a.Nothing {
		return topologyWords(a.Topologies)
	}
	links := "reliable links"
	if a.Lossy {
		links = "reliable links unless every process initiates"
	}
	words := []string{"unique identities", links, strings.Join(topologyWords(a.Topologies), " or ")}
	if a.Anonymous {
		words[0] = "no identities"
	}
	for _, w := range []struct {
		holds bool
		word  string
	}{
		{a.Numbers, "identities from 1 on"},
		{a.NoContent, "messages without content"},
		{a.AllInitiate, "every process initiates"},
		{a.OneInitiates, "one process initiates"},
		{a.FIFO, "FIFO links"},
		{a.NoCrash, "no crash"},
		{!a.NoCrash && a.DeadAtStart, "no crash after the start"},
		{!a.NoCrash && !a.DeadAtStart && a.NoRestart, a.crashStop()},
		{!a.NoCrash && !a.DeadAtStart && !a.NoRestart, "crash and restart"},
		{a.AllRestart, "each crashed process comes back"},
		{a.StaysConnected, "the living stay connected"},
		{a.Moving && !a.Graceful, "links come and go"},
		{a.Graceful, "links come and go gracefully"},
		{a.ConnectedRounds, "a connected graph in each round"},
		{a.BoundedDelay, "a known bound on delay"},
		{a.RightClocks, "right clocks"},
		{a.Detector, "a failure detector"},
		{a.PerfectDetector, "a perfect failure detector"},
	} {
		if w.holds {
			words = append(words, w.word)
		}
	}
	if a.Resilience != nil {
		fail := " processes fail"
		if a.Liars {
			fail = " processes are Byzantine"
		}
		words = append(words, "at most f of "+a.Resilience.Words+fail)
	}
	return words
}

// Topology names the topologies on which the algorithm runs.
func (a Assumptions) Topology() string { return strings.Join(topologyWords(a.Topologies), ", ") }

// Tolerance says which processes may fail, when, and whether links may fail.
func (a Assumptions) Tolerance() string {
	if a.Lossy {
		a.Lossy = false
		return a.Tolerance() + ", messages lost or twice"
	}
	if a.Moving {
		a.Moving = false
		return a.Tolerance() + ", links come and go"
	}
	switch {
	case a.NoCrash:
		return "no crash"
	case a.DeadAtStart:
		return "dead from the start"
	case a.NoRestart && a.StaysConnected:
		return "crash-stop, the living stay connected"
	case a.NoRestart:
		return a.crashStop()
	}
	return "crash and restart"
}

// crashStop names the crashes without restart that the algorithm tolerates.
func (a Assumptions) crashStop() string {
	if a.MustSurvive != "" {
		return "crash-stop that spares " + a.MustSurvive
	}
	return "crash-stop"
}

// violatedAssumptions names the assumptions of the algorithm that do not hold.
func (in *Instance) violatedAssumptions() []string {
	if in.Algorithm.Assumes.Nothing {
		return nil
	}
	a, does := in.Algorithm.Assumes, in.Drawn.Effects()
	direct := in.Transport == nil         // no reliable link hides losses from the algorithm
	stable := in.Delta > 0 && in.GST == 0 // delays are bounded from the beginning
	loses := in.linksDo((*impair.Line).Loses) && !stable || in.linksDo(spoils)
	some := in.Initiators.Len() < in.N-len(in.Dead) // not every live process initiates
	tolerated := a.Lossy && !some                   // losses and duplicates are allowed
	var broken []string
	for _, c := range []struct {
		broken bool
		what   string
	}{
		{a.AllInitiate && some, "not every process initiates"},
		{a.OneInitiates && (in.Initiators.Len() > 1 || in.StartsAnother()), "more than one process initiates"},
		{direct && loses && !tolerated, "links lose messages"},
		{direct && in.Medium != nil && !tolerated, "messages collide"},
		{direct && in.linksDo((*impair.Line).Duplicates) && !tolerated, "links duplicate messages"},
		{in.linksDo((*impair.Line).Alters) && !a.NoContent, "links alter messages"},
		{a.FIFO && !in.Ordered(), "links are not FIFO"},
		{a.NoCrash && (len(in.Dead) > 0 || does.DeadFromStart || does.Crashes), "a process crashes"},
		{!a.NoCrash && a.DeadAtStart && does.Crashes, "a process crashes after the start"},
		{(a.NoCrash || a.DeadAtStart || a.NoRestart) && does.Restarts, "a process restarts"},
		{a.AllRestart && (len(in.Dead) > 0 || does.Gone), stayDown},
		{a.StaysConnected && !in.complete() && (does.DeadFromStart || does.Crashes), "a crash may cut the graph in two"},
		{a.StaysConnected && in.divided(), "the dead cut the graph in two"},
		{direct && does.Loses && !tolerated, "a fault has messages lost"},
		{!direct && in.Transport.Tries > 0 && (loses || does.Loses || in.Medium != nil) && !tolerated, "the reliable link gives messages up that were lost too often"},
		{!direct && in.Detector != nil && !in.Transport.Patient && !tolerated, "the reliable link gives up whom the failure detector suspects, by mistake too"},
		{direct && does.Duplicates && !tolerated, "a fault duplicates messages"},
		{does.Stalls, "a process stands still for ever"},
		{does.Lies && !a.NoContent, "a process lies"},
		{!a.Liars && does.Byzantine, "a process is Byzantine"},
		{does.Links, "a fault changes what links do"},
		{!a.Moving && !a.ConnectedRounds && in.moves(), "the graph changes"},
		{a.Moving && in.moves() && does.Carries, "a fault carries messages that outlive their links"},
		{a.ConnectedRounds && in.moves() && !in.roundly(), "the graph of a round may not be connected"},
		{a.BoundedDelay && (does.Delays || does.Pauses), "a fault delays messages or processes"},
		{a.BoundedDelay && does.Carried > in.Assumed, "a fault carries a message for longer than the bound"},
		{(a.BoundedDelay || a.RightClocks) && does.Clocks, "clocks are wrong"},
		{a.KnowsIdentities && in.InPrograms() && !in.numbered(), "a program does not know the identities of others"},
		{a.Numbers && in.identityBelow(1), "an identity is below 1"},
		{a.Numbers && in.Setting.Attr != "", "there are attributes"},
		{(a.Detector || a.PerfectDetector) && in.Blind, "there is no failure detector"},
		{a.PerfectDetector && in.Detector != nil, "the failure detector can be mistaken"},
	} {
		if c.broken {
			broken = append(broken, c.what)
		}
	}
	broken = append(broken, unresilient(in)...)
	if a.Params != nil {
		if what := a.Params(in); what != "" {
			broken = append(broken, what)
		}
	}
	if in.Script != nil {
		return append(broken, in.OutsideExplored(in.Script.timers, in.Script.budget, in.Script.down)...)
	}
	if a.BoundedDelay {
		broken = append(broken, in.brokenBound()...)
	}
	return broken
}

// numbered reports whether the ranks are the identities 1 to n, in the order of addresses.
func (in *Instance) numbered() bool {
	for p, r := range in.Ranks.All() {
		if r != (election.Rank{ID: election.Identity(p + 1)}) {
			return false
		}
	}
	return true
}

// moves reports whether the graph changes in the run.
func (in *Instance) moves() bool { return in.Motion != nil || in.Drawn.Effects().Moves }

// roundly reports whether the graph changes by the motion alone, between the rounds of the processes.
func (in *Instance) roundly() bool {
	if in.Motion == nil || in.Drawn.Effects().Moves {
		return false
	}
	round, ok := in.Motion.Rounds()
	longest, bounded := in.Bound()
	return ok && bounded && round == in.Assumed && longest < round*3/4 // at that instant links come first
}

// StartsAnother reports whether a fault starts a process that is no initiator.
func (in *Instance) StartsAnother() bool {
	if in.Script != nil {
		return in.Script.more
	}
	return slices.ContainsFunc(in.Drawn, func(f faults.Fault) bool { return f.Kind == faults.Start && !in.Initiators.Has(f.Process) })
}

// stayDown says that a crashed process does not come back, or need not.
const stayDown = "a process crashes and may not come back"

// Ordered reports whether messages from one process to another arrive in the order in which
// they were sent.
func (in *Instance) Ordered() bool {
	return in.Transport != nil || in.FIFO && !in.linksDo((*impair.Line).Reorders)
}

// spoils reports whether the line damages messages so that the receiver drops them.
func spoils(l *impair.Line) bool { return l.Corrupts() && !l.Alters() }

// Bound is the longest time that a message of the algorithm can take. ok is false if there
// is no bound.
func (in *Instance) Bound() (longest time.Duration, ok bool) {
	longest, ok = in.bounded()
	does := in.Drawn.Effects()
	return max(longest, does.Carried), ok && !in.Timeless() && !does.Delays && !does.Pauses && !in.repeats()
}

// repeats reports whether a reliable link may have to send messages again: they are lost,
// their receiver is down and comes back, or their link does.
func (in *Instance) repeats() bool {
	does := in.Drawn.Effects()
	return in.Transport != nil && (in.linksDo((*impair.Line).Loses) || in.linksDo(spoils) || in.Medium != nil || does.Loses || does.Moves || in.Motion != nil || does.Restarts)
}

// brokenBound says why delays have no bound, or a larger one than the algorithm assumes.
func (in *Instance) brokenBound() []string {
	longest, bounded := in.bounded()
	delay := fmt.Sprintf("delay %v", in.Delay)
	if len(in.Lines) > 0 {
		delay = fmt.Sprintf("the delay of link %q", in.Setting.Link)
	}
	switch {
	case in.synchronous() && !bounded:
		return []string{fmt.Sprintf("delays are bounded from %v on only", in.GST)}
	case in.Medium != nil:
		return []string{"a message that waits for those before it in the air arrives at any time"}
	case !bounded:
		return []string{delay + " has no bound"}
	case longest > in.Assumed:
		return []string{fmt.Sprintf("%s exceeds the assumed bound %v", delay, in.Assumed)}
	case in.repeats():
		return []string{"a message that is sent again and again arrives at any time"}
	}
	return nil
}
