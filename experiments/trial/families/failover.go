package families

import (
	"errors"
	"slices"
	"time"

	"bullring/experiments/trial"
	"bullring/protocols"
	"bullring/protocols/failover"
	"bullring/protocols/multicast"
	"bullring/protocols/mutex"
)

// lookPeriods is the default period, in bounds on delay, at which a waiting process looks
// whether others live: a message there and back.
const lookPeriods = 2

// failoverParams returns the parameters of a service that replaces its coordinator by any
// election of the registry.
func failoverParams(r *trial.Registry) []trial.Param {
	period := trial.DurationParam("period", trial.Auto, "how often a process that waits looks whether others live; auto is twice the assumed bound on delay")
	plain := period.Check
	period.Form = "duration|" + trial.Auto
	period.Check = func(in *trial.Instance, value string) error {
		if value == trial.Auto {
			return nil
		}
		if err := plain(in, value); err != nil {
			return errors.New(err.Error() + ", or " + trial.Auto)
		}
		if d, _ := time.ParseDuration(value); d == 0 {
			return errors.New("it takes 1ns or more")
		}
		return nil
	}
	return []trial.Param{
		trial.AddressParam("coordinator", "last", "the first coordinator"),
		trial.WordParam("election", "the algorithm by which those who live elect another", Electors(r, "bully")...),
		period,
	}
}

// successor returns how a service of an instance replaces its coordinator.
func successor(r *trial.Registry, in *trial.Instance) failover.Config {
	e := &elector{registry: r, in: in, word: in.Param("election")}
	cfg := failover.Config{Coordinator: in.Address("coordinator"), Period: lookPeriods * in.Assumed, Elect: e.contest}
	if in.Param("period") != trial.Auto {
		cfg.Period = in.Duration("period")
	}
	return cfg
}

// failoverMetrics are the metrics of such services.
var failoverMetrics = []trial.Metric{
	{Name: "gap", Unit: trial.Units, Meaning: "longest time from a crash of the coordinator until a successor served somebody", Axis: "gap in the service", Summary: true,
		Measure: trial.TimedBy((*successionJudge).longestGap)},
	{Name: "successors", Unit: "processes", Meaning: "coordinators that were elected", Axis: "coordinators elected",
		Measure: trial.JudgedBy((*successionJudge).successors)},
}

// failoverAssumptions returns the assumptions of such services.
func failoverAssumptions() trial.Assumptions {
	return trial.Assumptions{Topologies: []string{"complete"}, FIFO: true, NoRestart: true, BoundedDelay: true, PerfectDetector: true}
}

// MutexFailover completes the declaration of an algorithm for mutual exclusion with a
// coordinator. When it has crashed, an election replaces it: any that is already in the
// registry.
func MutexFailover[M protocols.Message](a trial.Algorithm, r *trial.Registry, build func(*trial.Instance) func(protocols.ID) mutex.Coordinated[M]) trial.Algorithm {
	type message = failover.Message[M]
	a.Params = slices.Concat(workloadParams(), failoverParams(r), a.Params)
	family := mutexFamily
	family.Ear = newUserEar
	return replaced(a, r, family, func(in *trial.Instance, measured bool) servingJudge {
		return newMutexJudge(in, MutexPromise{Promise: mutex.Promise{Tolerant: true}}, measured).(*mutexJudge)
	}, func(in *trial.Instance) func(protocols.ID, failover.Config) protocols.Process[message] {
		locks, work := build(in), workloadOf(in)
		return func(p protocols.ID, cfg failover.Config) protocols.Process[message] {
			client := mutex.NewCoordinatedClient(locks(p), work)
			return replaceableUser[message]{failover.New(client, cfg), client}
		}
	})
}

// MulticastFailover is MutexFailover for totally ordered multicast. The promise also holds
// when processes crash.
func MulticastFailover[M protocols.Message](a trial.Algorithm, r *trial.Registry, promise func(*trial.Instance) multicast.Promise, build func(*trial.Instance) func(protocols.ID) multicast.Coordinated[M]) trial.Algorithm {
	type message = failover.Message[M]
	a.Params = slices.Concat(multicastParams(), failoverParams(r), a.Params)
	family := multicastFamily
	family.Ear = newMemberEar
	a = replaced(a, r, family, func(in *trial.Instance, _ bool) servingJudge {
		kept := promise(in)
		kept.Tolerant = true
		return newMulticastJudge(in, kept)
	}, func(in *trial.Instance) func(protocols.ID, failover.Config) protocols.Process[message] {
		services, work := build(in), multicasts(in)
		return func(p protocols.ID, cfg failover.Config) protocols.Process[message] {
			client := multicast.NewCoordinatedClient(services(p), work)
			return replaceableMember[message]{failover.New(client, cfg), client}
		}
	})
	a.Checks = append(a.Checks, fifoOrder)
	return a
}

// replaced completes the declaration of an algorithm whose coordinator is replaced.
func replaced[W protocols.Message](a trial.Algorithm, r *trial.Registry, f trial.Family, judgeOf func(*trial.Instance, bool) servingJudge,
	build func(*trial.Instance) func(protocols.ID, failover.Config) protocols.Process[W],
) trial.Algorithm {
	a.Assumes = failoverAssumptions()
	f.Metrics = slices.Concat(f.Metrics, failoverMetrics)
	return trial.Judged(a, f, func(in *trial.Instance, measured bool) trial.Judge {
		j := &successionJudge{servingJudge: judgeOf(in, measured)}
		if measured {
			j.gaps = newSuccession(in)
		}
		return j
	}, func(in *trial.Instance) func(protocols.ID) protocols.Process[W] {
		processes, cfg := build(in), successor(r, in)
		return func(p protocols.ID) protocols.Process[W] { return processes(p, cfg) }
	})
}

// coordinated is a process that knows who coordinates, as failover.Process does.
type coordinated interface {
	Coordinator() (who protocols.ID, epoch int, ok bool)
}

// replaceableUser is a client of mutual exclusion whose coordinator is replaced.
type replaceableUser[W protocols.Message] struct {
	process[W]
	coordinatedUser
}

// replaceableMember is a client of multicast whose coordinator is replaced.
type replaceableMember[W protocols.Message] struct {
	process[W]
	coordinatedMember
}

// replaceable tells how often a client was served by former coordinators.
type replaceable interface{ Before() int }

type coordinatedUser interface {
	mutex.User
	replaceable
}

type coordinatedMember interface {
	multicast.Member
	replaceable
}

type process[W protocols.Message] interface {
	protocols.Process[W]
	protocols.TimerNamer
	protocols.Decoder[W]
	coordinated
}

// succession measures the gaps in a service: from a crash of the coordinator until a
// successor serves a client.
type succession struct {
	who   protocols.ID // the latest coordinator
	epoch int
	count int // elected coordinators

	down    bool          // in a gap
	of      int           // the epoch of the coordinator that crashed
	since   time.Duration // when it crashed
	longest time.Duration
	gaps    int
}

func newSuccession(in *trial.Instance) *succession {
	return &succession{who: in.Address("coordinator")}
}

// news reports that a process has become the coordinator.
func (s *succession) news(p protocols.ID, process any) string {
	if who, epoch, ok := trial.As[coordinated](process).Coordinator(); ok && who == p && epoch > s.epoch {
		return "coordinates"
	}
	return ""
}

// stepped notes whom a process follows, and whether it was served.
func (s *succession) stepped(process any, served bool, now time.Duration) {
	if s == nil {
		return
	}
	who, epoch, ok := trial.As[coordinated](process).Coordinator()
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

// crashed notes that a process crashed.
func (s *succession) crashed(p protocols.ID, now time.Duration) {
	if s != nil && p == s.who && !s.down {
		s.down, s.of, s.since = true, s.epoch, now
	}
}

// servingJudge is the Judge of a service. served reports whether a process was served since
// the last step of it that the judge was told.
type servingJudge interface {
	trial.Judge
	served(p protocols.ID, process any) bool
}

// successionJudge judges a service whose coordinator is replaced.
type successionJudge struct {
	servingJudge
	gaps *succession `explore:"-"` // nil if nothing is measured
}

// Started implements explore.Watch.
func (j *successionJudge) Started(p protocols.ID, process any, now time.Duration) {
	served := j.served(p, process)
	j.servingJudge.Started(p, process, now)
	j.gaps.stepped(process, served, now)
}

// Received implements explore.Watch.
func (j *successionJudge) Received(p protocols.ID, process any, now time.Duration) {
	served := j.served(p, process)
	j.servingJudge.Received(p, process, now)
	j.gaps.stepped(process, served, now)
}

// Expired implements explore.Watch.
func (j *successionJudge) Expired(p protocols.ID, process any, now time.Duration) {
	j.Received(p, process, now)
}

// Crashed implements explore.Watch.
func (j *successionJudge) Crashed(p protocols.ID, now time.Duration) {
	j.servingJudge.Crashed(p, now)
	j.gaps.crashed(p, now)
}

// News implements Judge.
func (j *successionJudge) News(p protocols.ID, process any) string {
	return joined(j.gaps.news(p, process), j.servingJudge.News(p, process))
}

// joined joins two texts. Either may be empty.
func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + ", " + b
}

// Within implements Wrapper.
func (j *successionJudge) Within() trial.Judge { return j.servingJudge }

func (j *successionJudge) longestGap() (longest time.Duration, ok bool) {
	return j.gaps.longest, j.gaps.gaps > 0
}

func (j *successionJudge) successors() (count float64, ok bool) { return float64(j.gaps.count), true }

// Conclude implements Concluder.
func (j *successionJudge) Conclude(r *trial.Result) {
	if c, ok := j.servingJudge.(trial.Concluder); ok {
		c.Conclude(r)
	}
}

// Moments implements Lister.
func (j *successionJudge) Moments() (title string, moments []trial.Moment) {
	if l, ok := j.servingJudge.(trial.Lister); ok {
		return l.Moments()
	}
	return "", nil
}
