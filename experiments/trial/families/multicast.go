package families

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"bullring/experiments/trial"
	"bullring/netem/explore"
	"bullring/protocols"
	"bullring/protocols/multicast"
)

// The outcomes of multicast and broadcast.
const (
	Delivered   trial.Outcome = "delivered"   // all processes delivered what they should, in the right order
	Disordered  trial.Outcome = "disordered"  // the order is wrong, or an item was delivered that should not be
	Undelivered trial.Outcome = "undelivered" // a process lacks an item
)

var multicastFamily = trial.Family{
	Name: "multicast",
	Checks: []explore.Property{
		{Name: "integrity", Kind: explore.Always, Says: "an item is delivered at most once, and only if it was multicast"},
		{Name: "total order", Kind: explore.Always, Says: "all deliver the same items in the same order"},
		{Name: "validity", Kind: explore.Eventually, Says: "a live process delivers its own items"},
		{Name: "agreement", Kind: explore.Eventually, Says: "what one process that lives delivers all of them do"},
	},
	Ear:   newMulticastEar,
	Right: []trial.Outcome{Delivered},
	Wrong: []trial.Outcome{Disordered, Undelivered},
	Metrics: []trial.Metric{
		{Name: "deliveries", Unit: "items", Meaning: "items delivered, at all processes together", Axis: "deliveries", Summary: true,
			Measure: trial.JudgedBy(func(j *multicastJudge) (float64, bool) { return float64(j.checker.Deliveries()), true })},
		{Name: "delivery_time", Unit: trial.Units, Meaning: "mean time from when an item is multicast to when a process delivers it", Axis: "time to deliver", Summary: true,
			Measure: trial.TimedBy(func(j *multicastJudge) (time.Duration, bool) {
				mean, _ := j.checker.Delay()
				return mean, j.checker.Deliveries() > 0
			})},
		{Name: "delivery_time_max", Unit: trial.Units, Meaning: "longest time from when an item is multicast to when a process delivers it", Axis: "longest time to deliver",
			Measure: trial.TimedBy(func(j *multicastJudge) (time.Duration, bool) {
				_, longest := j.checker.Delay()
				return longest, j.checker.Deliveries() > 0
			})},
	},
}

// fifoOrder is one more check of runs. The explorer does not check it.
const fifoOrder = "FIFO order"

// multicastParams returns the parameters of every client.
func multicastParams() []trial.Param {
	return []trial.Param{
		trial.CountParam("items", "1", "how many items each client multicasts", 1, 1_000_000),
		trial.DurationParam("pause", "0s", "time between two items of a client"),
	}
}

// multicasts returns the workload of the clients of an instance.
func multicasts(in *trial.Instance) multicast.Workload {
	return multicast.Workload{Items: in.Count("items"), Pause: in.Duration("pause")}
}

// Multicast completes the declaration of an algorithm for totally ordered multicast.
// Initiators are the clients that multicast. build makes the services of an instance.
func Multicast[M protocols.Message](a trial.Algorithm, promise func(*trial.Instance) multicast.Promise, build func(*trial.Instance) func(protocols.ID) multicast.Service[M]) trial.Algorithm {
	a.Params = slices.Concat(multicastParams(), a.Params)
	a = trial.Judged(a, multicastFamily, func(in *trial.Instance, _ bool) trial.Judge {
		return newMulticastJudge(in, promise(in))
	}, func(in *trial.Instance) func(protocols.ID) protocols.Process[M] {
		services, work := build(in), multicasts(in)
		return func(p protocols.ID) protocols.Process[M] { return multicast.NewClient(services(p), work) }
	})
	a.Checks = append(a.Checks, fifoOrder)
	return a
}

// multicastJudge judges a run of multicast.
type multicastJudge struct {
	checked[multicast.Member, *multicast.Checker]
	items   int            `explore:"-"` // of each client
	clients []protocols.ID `explore:"-"`
}

func newMulticastJudge(in *trial.Instance, promise multicast.Promise) *multicastJudge {
	checker := multicast.NewChecker(in.N, promise)
	return &multicastJudge{checked[multicast.Member, *multicast.Checker]{checker}, in.Count("items"), in.Initiators.List()}
}

// served implements servingJudge: the process delivered an item under the present
// coordinator.
func (j *multicastJudge) served(p protocols.ID, process any) bool {
	m := trial.As[coordinatedMember](process)
	return max(j.checker.Delivered(p), m.Before()) < len(m.Delivered())
}

// Verdicts implements explore.Watch.
func (j *multicastJudge) Verdicts(rest bool) []protocols.Verdict {
	return trial.VerdictsOf(j.checker.Checks(rest)[:len(multicastFamily.Checks)], j.checker.Safe() && j.checker.Complete() && j.checker.Delivered(0) > 0)
}

// Checks implements Judge.
func (j *multicastJudge) Checks(rest bool) []protocols.Check {
	checks := j.checker.Checks(rest)
	lacks(checks, "validity", j.idles())
	return checks
}

// idles says which client has multicast less than it is to; "" if none has. At rest that of a process in Go
// has multicast all, unless it crashed.
func (j *multicastJudge) idles() string {
	for _, p := range j.clients {
		if did, alive := j.checker.Multicasts(p); did < j.items && alive {
			return fmt.Sprintf("process %d has multicast %d of %d items", p, did, j.items)
		}
	}
	return ""
}

// Outcome implements Judge.
func (j *multicastJudge) Outcome() trial.Outcome {
	switch {
	case !j.checker.Safe():
		return Disordered
	case !j.checker.Complete() || j.idles() != "":
		return Undelivered
	}
	return Delivered
}

// News implements Judge.
func (j *multicastJudge) News(p protocols.ID, process any) string {
	all := trial.As[multicast.Member](process).Delivered()
	var words []string
	for _, item := range all[min(j.checker.Delivered(p), len(all)):] {
		words = append(words, fmt.Sprint(item))
	}
	if words == nil {
		return ""
	}
	return "delivers " + strings.Join(words, ", ")
}
