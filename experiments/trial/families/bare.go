package families

import (
	"math"
	"slices"
	"time"

	"bullring/experiments/trial"
	"bullring/protocols"
	"bullring/protocols/broadcast"
	"bullring/protocols/clocksync"
	"bullring/protocols/election"
	"bullring/protocols/multicast"
	"bullring/protocols/mutex"
	"bullring/protocols/termination"
)

// Bare returns the families by their names, as declarations without processes: a program with messages of
// type M takes their place, and the judge of the family is all that judges it. A variant is what a program
// may assume, the first one by default.
func Bare[M protocols.Message]() []trial.Algorithm {
	return []trial.Algorithm{
		bare("election", "a program that elects a leader", []model{everyStart, anyStart, fallible, moving},
			func(a trial.Algorithm, word string) trial.Algorithm {
				a.Params = []trial.Param{
					trial.WordParam("decide", "who decides: all, or the leader alone", "all", "leader"),
					trial.WordParam("winner", "who may be elected: the best process that lives, the best initiator, any process, or any process of those that have no identities", "best", "initiator", "any", "anonymous"),
					trial.CountParam("rest", "10", "crash: for how many bounds on delay an election may go on that a crash has disturbed", 0, 1_000_000),
				}
				a.Assumes.FIFO = true
				if word == moving.word {
					a.Metrics = Agreement()
					return Election[M](a, func(*trial.Instance) election.Promise {
						return election.Promise{Winner: election.Local, Rest: math.MaxInt64}
					}, nil)
				}
				return Election[M](a, electionPromise, nil)
			}),
		bare("consensus", "a program that agrees on a value", []model{
			{"synchronous", trial.Assumptions{AllInitiate: true, NoRestart: true, BoundedDelay: true, PerfectDetector: true, Resilience: &anyFail}},
			{"asynchronous", trial.Assumptions{AllInitiate: true, NoRestart: true, PerfectDetector: true, Resilience: &minority}},
		}, func(a trial.Algorithm, _ string) trial.Algorithm {
			a.Inputs = &trial.Inputs{Least: 0, Most: 1_000_000, Default: "one 1"}
			a.Metrics = []trial.Metric{RoundOfDecision}
			return Consensus[M](a, OfAll, nil)
		}),
		bare("broadcast", "a program that broadcasts items", []model{
			failStop,
			{"majority", trial.Assumptions{NoRestart: true, StaysConnected: true, PerfectDetector: true, Resilience: &minority}},
			noCrash,
		}, func(a trial.Algorithm, _ string) trial.Algorithm {
			a.Params = []trial.Param{trial.WordsParam("promise", "what is promised: that of best-effort broadcast, and what each word adds", promiseWords...)}
			return heldTo[M](a, func(in *trial.Instance) broadcast.Promise {
				var all broadcast.Promise
				for _, word := range in.Words("promise") {
					all = all.And(promiseOf(word))
				}
				return all
			}, nil)
		}),
		bare("multicast", "a program that multicasts items in total order", []model{noCrash, failStop},
			func(a trial.Algorithm, word string) trial.Algorithm {
				a.Params = []trial.Param{trial.WordParam("order", "in which order items are delivered: one for all, or one that is that of each sender, too", "total", "fifo")}
				return Multicast[M](a, func(in *trial.Instance) multicast.Promise {
					return multicast.Promise{FIFO: in.Param("order") == "fifo", Tolerant: word == failStop.word}
				}, nil)
			}),
		bare("mutex", "a program that enters a critical section", []model{noCrash, failStop, {"endless", noCrash.assumes}},
			func(a trial.Algorithm, word string) trial.Algorithm {
				a.Params = []trial.Param{trial.WordParam("order", "in which order requests are granted: any, or that in which they happened before each other, which is ME3", "any", "happened")}
				a.Assumes.FIFO = true
				return Mutex[M](a, MutexPromise{
					Promise: mutex.Promise{Tolerant: word == failStop.word}, Endless: word == "endless",
					Orders: func(in *trial.Instance) bool { return in.Param("order") == "happened" },
				}, nil)
			}),
		bare("commit", "a program that commits or aborts", []model{
			{"restart", trial.Assumptions{AllInitiate: true, AllRestart: true, BoundedDelay: true, PerfectDetector: true}},
			{"crash", trial.Assumptions{AllInitiate: true, NoRestart: true, BoundedDelay: true, PerfectDetector: true}},
		}, func(a trial.Algorithm, _ string) trial.Algorithm { return Commit[M](a, nil) }),
		bare("wave", "a program that runs a wave", []model{everyStart, anyStart, {"traversal", oneStart}, {"search", oneStart}},
			func(a trial.Algorithm, word string) trial.Algorithm {
				return Wave[M](a, map[string]Sort{"traversal": Traversal, "search": Search}[word], nil)
			}),
		bare("termination", "a program that detects termination", []model{anyStart, {"one", oneStart}},
			func(a trial.Algorithm, _ string) trial.Algorithm {
				a.Params = computationParams()
				a = trial.Ruled[M](a, terminationFamily, func(*trial.Instance) trial.Rules[termination.Status] { return terminationRules{late: true} }, nil)
				a.Kinds = []string{termination.Work}
				return a
			}),
		bare("snapshot", "accounts that record a global state", []model{noCrash}, func(a trial.Algorithm, _ string) trial.Algorithm {
			a.Assumes.FIFO = true
			a.Params = slices.Concat([]trial.Param{trial.DurationParam("after", "2ms", "when the initiators begin the snapshot")}, AccountParams(),
				[]trial.Param{trial.DurationParam("pause", "1ms", "time before each payment")})
			a = Snapshot[M](a, func(in *trial.Instance) int64 { return int64(in.N * in.Count("balance")) }, nil)
			a.Kinds = []string{transfer}
			return a
		}),
		bare("clocksync", "a program that corrects its clock", []model{noCrash}, func(a trial.Algorithm, _ string) trial.Algorithm {
			a.Clock = true
			a.Params = []trial.Param{trial.CountParam("rounds", "1", "how often each clock is corrected", 1, 1_000_000), spreadParam()}
			return ClockSync[M](a, func(in *trial.Instance) clocksync.Promise {
				return clocksync.Promise{Rounds: in.Count("rounds"), Spread: closeness(in)}
			}, nil)
		}),
	}
}

// model is what a program may assume, by the word of a variant. Its topologies are those of every program.
type model struct {
	word    string
	assumes trial.Assumptions
}

// Models of several families. Where processes crash, a perfect failure detector tells.
var (
	everyStart = model{"all", trial.Assumptions{AllInitiate: true, NoCrash: true, NoRestart: true}}
	anyStart   = model{"some", trial.Assumptions{NoCrash: true, NoRestart: true}}
	noCrash    = model{"nocrash", anyStart.assumes}
	failStop   = model{"crash", trial.Assumptions{NoRestart: true, StaysConnected: true, PerfectDetector: true}}
	fallible   = model{"crash", trial.Assumptions{NoRestart: true, StaysConnected: true, BoundedDelay: true, PerfectDetector: true}}
	moving     = model{"moving", trial.Assumptions{NoCrash: true, NoRestart: true, Moving: true}}
	oneStart   = trial.Assumptions{OneInitiates: true, NoCrash: true, NoRestart: true}
)

// How many processes fail.
var (
	anyFail  = trial.Resilience{Words: "n > f", Most: func(n int) int { return n - 1 }}
	minority = trial.Resilience{Words: "n > 2f", Most: func(n int) int { return (n - 1) / 2 }}
)

// bare declares a family in its models, each with a word of the only group of variants.
func bare(family, title string, models []model, declare func(a trial.Algorithm, word string) trial.Algorithm) trial.Algorithm {
	var whole trial.Algorithm
	words := make([]string, len(models))
	for i, m := range models {
		words[i] = m.word
	}
	for i, m := range models {
		m.assumes.Topologies = []string{"complete", trial.Connected, trial.StronglyConnected}
		a := declare(trial.Algorithm{Name: family, Title: title, Bare: true, Variants: [][]string{words}, Assumes: m.assumes}, m.word)
		if i == 0 {
			whole = a
		} else {
			whole = whole.Or(m.word, a)
		}
	}
	return whole
}

// spreadParam says how close clocks are in the end.
func spreadParam() trial.Param {
	p := trial.DurationParam("spread", trial.Auto, "how far clocks may be apart in the end; auto is the longest delay, if there is one and no clock drifts or is set")
	given := p.Check
	p.Form += "|" + trial.Auto
	p.Check = func(in *trial.Instance, value string) error {
		if value == trial.Auto {
			return nil
		}
		return given(in, value)
	}
	return p
}

// closeness is the largest promised difference of two corrected clocks; negative is none.
func closeness(in *trial.Instance) time.Duration {
	if in.Param("spread") != trial.Auto {
		return in.Duration("spread")
	}
	if longest, bounded := in.Bound(); bounded && SteadyClocks(in) && !in.ReadsClocks() {
		return longest
	}
	return -1
}

func electionPromise(in *trial.Instance) election.Promise {
	return election.Promise{
		Winner:     map[string]election.Winner{"initiator": election.BestInitiator, "any": election.Anyone, "anonymous": election.Anyone}[in.Param("winner")],
		Anonymous:  in.Param("winner") == "anonymous",
		LeaderOnly: in.Param("decide") == "leader",
		Rest:       in.Assumed * time.Duration(in.Count("rest")),
	}
}

// promiseWords are the words for what a broadcast promises.
var promiseWords = []string{"besteffort", "reliable", "uniform", "fifo", "causal", "total"}

// promiseOf is what a word adds to the promise of best-effort broadcast.
func promiseOf(word string) broadcast.Promise {
	if word == "reliable" {
		word = "agreement"
	}
	return requirements[word]
}
