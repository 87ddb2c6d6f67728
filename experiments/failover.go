package experiments

import (
	"errors"
	"slices"
	"time"

	"bullring/protocols"
	"bullring/protocols/failover"
	"bullring/protocols/mutex"
)

// lookPeriods is how often a process that waits looks whether others live, in bounds
// on delay: a message there and back.
const lookPeriods = 2

// failoverParams are the parameters of a service whose coordinator is replaced by any
// election of the registry.
func failoverParams(r *Registry) []Param {
	const auto = "auto"
	period := DurationParam("period", auto, "how often a process that waits looks whether others live; auto is twice the assumed bound on delay")
	plain := period.Check
	period.Form = "duration|" + auto
	period.Check = func(in *Instance, value string) error {
		if value == auto {
			return nil
		}
		if err := plain(in, value); err != nil {
			return errors.New(err.Error() + ", or " + auto)
		}
		if d, _ := time.ParseDuration(value); d == 0 {
			return errors.New("it takes 1ns or more")
		}
		return nil
	}
	return []Param{
		AddressParam("coordinator", "last", "the first coordinator"),
		WordParam("election", "the algorithm by which those who live elect another", r.Electors("bully")...),
		period,
	}
}

// failover is how a service of an instance goes on when its coordinator has crashed.
func (in *Instance) failover(r *Registry) failover.Config {
	e := &elector{registry: r, in: in, word: in.Param("election")}
	cfg := failover.Config{Coordinator: in.Address("coordinator"), Period: lookPeriods * in.Assumed, Elect: e.contest}
	if in.Param("period") != "auto" {
		cfg.Period = in.Duration("period")
	}
	return cfg
}

// failoverMetrics are what such services measure.
var failoverMetrics = []Metric{
	{Name: "gap", Unit: Units, Meaning: "longest time from a crash of the coordinator until a successor served somebody", Axis: "gap in the service", Summary: true},
	{Name: "successors", Unit: "processes", Meaning: "coordinators that were elected", Axis: "coordinators elected"},
}

// failoverAssumptions are those of such services, beyond what links and processes do
// for their elections.
func failoverAssumptions() Assumptions {
	return Assumptions{Topologies: []string{"complete"}, FIFO: true, NoRestart: true, BoundedDelay: true, PerfectDetector: true}
}

// MutexFailover completes the declaration of an algorithm for mutual exclusion whose
// coordinator is replaced, when it has crashed, by any election that is in the registry
// by now.
func MutexFailover[M protocols.Message](a Algorithm, r *Registry, build func(*Instance) func(protocols.ID) mutex.Coordinated[M]) Algorithm {
	a.Params = slices.Concat(workloadParams(), failoverParams(r), a.Params)
	a.Assumes = failoverAssumptions()
	f := mutexFamily
	f.Metrics = slices.Concat(f.Metrics, failoverMetrics)
	return Judged(a, f, func(in *Instance, measured bool) Judge {
		j := &exclusiveSuccession{mutexJudge: newMutexJudge(in, MutexPromise{Promise: mutex.Promise{Tolerant: true}}, measured).(*mutexJudge)}
		if measured {
			j.gaps = newSuccession(in)
		}
		return j
	}, func(in *Instance) func(protocols.ID) protocols.Process[failover.Message[M]] {
		locks, work, cfg := build(in), in.workload(), in.failover(r)
		return func(p protocols.ID) protocols.Process[failover.Message[M]] {
			client := mutex.NewCoordinatedClient(locks(p), work)
			return replaceable[failover.Message[M]]{failover.New(client, cfg), client}
		}
	})
}

// coordinated is a process that knows who coordinates, as failover.Process does.
type coordinated interface {
	Coordinator() (who protocols.ID, epoch int, ok bool)
}

// replaceable is a client of mutual exclusion whose coordinator is replaced.
type replaceable[W protocols.Message] struct {
	process[W]
	mutex.User
}

type process[W protocols.Message] interface {
	protocols.Process[W]
	coordinated
}

// succession measures how long a service stands still.
type succession struct {
	who   protocols.ID // the latest coordinator
	epoch int
	count int // coordinators that were elected

	down    bool // one has crashed, and none of its successors has served anybody
	of      int  // its epoch
	since   time.Duration
	longest time.Duration
	gaps    int
}

func newSuccession(in *Instance) *succession { return &succession{who: in.Address("coordinator")} }

// news says whether a process has become the coordinator.
func (s *succession) news(p protocols.ID, process any) string {
	if who, epoch, ok := process.(coordinated).Coordinator(); ok && who == p && epoch > s.epoch {
		return "coordinates"
	}
	return ""
}

// stepped looks whom a process follows, and whether somebody was served there.
func (s *succession) stepped(process any, served bool, now time.Duration) {
	if s == nil {
		return
	}
	who, epoch, ok := process.(coordinated).Coordinator()
	if ok && epoch > s.epoch {
		s.who, s.epoch = who, epoch
		s.count++
	}
	if s.down && served && ok && epoch > s.of {
		s.down = false
		s.gaps++
		s.longest = max(s.longest, now-s.since)
	}
}

// crashed tells that a process crashed.
func (s *succession) crashed(p protocols.ID, now time.Duration) {
	if s != nil && p == s.who && !s.down {
		s.down, s.of, s.since = true, s.epoch, now
	}
}

func (s *succession) measure(metric string) (v float64, ok bool) {
	switch metric {
	case "gap":
		return float64(s.longest), s.gaps > 0
	case "successors":
		return float64(s.count), true
	}
	return 0, false
}

// exclusiveSuccession judges mutual exclusion whose coordinator is replaced.
type exclusiveSuccession struct {
	*mutexJudge
	gaps *succession `explore:"-"` // nil if nobody measures
}

// Started implements explore.Watch.
func (j *exclusiveSuccession) Started(p protocols.ID, process any, now time.Duration) {
	j.begins(p)
	j.Received(p, process, now)
}

// Received implements explore.Watch.
func (j *exclusiveSuccession) Received(p protocols.ID, process any, now time.Duration) {
	entered := j.checker.Usage(p).Entered < process.(mutex.User).Usage().Entered
	j.mutexJudge.Received(p, process, now)
	j.gaps.stepped(process, entered, now)
}

// Expired implements explore.Watch.
func (j *exclusiveSuccession) Expired(p protocols.ID, process any, now time.Duration) {
	j.Received(p, process, now)
}

// Crashed implements explore.Watch.
func (j *exclusiveSuccession) Crashed(p protocols.ID, now time.Duration) {
	j.mutexJudge.Crashed(p, now)
	j.gaps.crashed(p, now)
}

// News implements Judge.
func (j *exclusiveSuccession) News(p protocols.ID, process any) string {
	return joined(j.gaps.news(p, process), j.mutexJudge.News(p, process))
}

// joined joins what is not empty.
func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + ", " + b
}

// Measure implements Judge.
func (j *exclusiveSuccession) Measure(metric string) (v float64, ok bool) {
	if v, ok := j.gaps.measure(metric); ok {
		return v, ok
	}
	return j.mutexJudge.Measure(metric)
}
