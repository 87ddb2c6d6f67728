package families

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"bullring/experiments/trial"
	"bullring/netem/explore"
	"bullring/protocols"
	"bullring/protocols/broadcast"
)

var broadcastFamily = trial.Family{
	Name:   "broadcast",
	Checks: promised(broadcast.Promise{Agreement: true, Uniform: true, FIFO: true, Causal: true, Total: true}),
	Ear:    newBroadcastEar,
	Right:  []trial.Outcome{Delivered},
	Wrong:  []trial.Outcome{Disordered, Undelivered},
	Metrics: []trial.Metric{
		{Name: "deliveries", Unit: "items", Meaning: "items delivered, at all processes together", Axis: "deliveries", Summary: true,
			Measure: trial.JudgedBy(func(j *broadcastJudge) (float64, bool) { return float64(j.checker.Deliveries()), true })},
		{Name: "messages_per_item", Unit: "messages", Meaning: "messages sent, divided by the items that clients broadcast if none crashes", Axis: "messages per item", Summary: true,
			Of: "messages", Per: func(in *trial.Instance) float64 { return float64(Items(in)) },
			Measure: func(r *trial.Result) (float64, bool) {
				items := Items(r.Instance)
				messages, ok := r.Metric("messages")
				return messages / float64(items), ok && items > 0
			}},
		{Name: "delivery_time", Unit: trial.Units, Meaning: "mean time from when an item is broadcast to when a process delivers it", Axis: "time to deliver", Summary: true,
			Measure: trial.TimedBy(func(j *broadcastJudge) (time.Duration, bool) {
				mean, _, ok := j.checker.Delay()
				return mean, ok
			})},
		{Name: "delivery_time_max", Unit: trial.Units, Meaning: "longest time from when an item is broadcast to when a process delivers it", Axis: "longest time to deliver",
			Measure: trial.TimedBy(func(j *broadcastJudge) (time.Duration, bool) {
				_, longest, ok := j.checker.Delay()
				return longest, ok
			})},
	},
}

// Early is a metric of broadcasts in causal order.
var Early = trial.Metric{
	Name: "early", Unit: "items", Meaning: "items delivered before one that may have caused them, at all processes together", Axis: "items delivered too early", Summary: true,
	Measure: trial.JudgedBy(func(j *broadcastJudge) (float64, bool) { return float64(j.checker.Early()), true }),
}

// Residue is a metric of broadcasts that reach all processes by chance only.
var Residue = trial.Metric{
	Name: "residue", Unit: "", Meaning: "share of the processes that an item has not reached, over all items", Axis: "residue", Summary: true,
	Measure: func(r *trial.Result) (float64, bool) {
		all := copies(r.Instance)
		deliveries, ok := r.Metric("deliveries")
		return (all - deliveries) / all, ok && all > 0
	},
}

// Traffic is a metric of such broadcasts: how many messages that carry an item there are for each
// process. carried is the metric of these messages.
func Traffic(carried string) trial.Metric {
	return trial.Metric{
		Name: "traffic", Unit: "messages", Meaning: "messages that carry an item, divided by the number of processes and of items", Axis: "traffic", Summary: true,
		Of: carried, Per: copies,
		Measure: func(r *trial.Result) (float64, bool) {
			all := copies(r.Instance)
			messages, ok := r.Metric(carried)
			return messages / all, ok && all > 0
		},
	}
}

// copies is how many deliveries there are if each item reaches all processes.
func copies(in *trial.Instance) float64 { return float64(in.N * Items(in)) }

// requirements are what a broadcast can be held to beyond what it promises.
var requirements = map[string]broadcast.Promise{
	"own": {}, "agreement": {Agreement: true}, "uniform": {Agreement: true, Uniform: true}, "fifo": {FIFO: true}, "causal": {FIFO: true, Causal: true}, "total": {Total: true},
}

// requireParam is the parameter that asks for more.
func requireParam() trial.Param {
	return trial.WordParam("require", "what is asked beyond what the algorithm promises; outside its model", "own", "agreement", "uniform", "fifo", "causal", "total")
}

// broadcastParams returns the parameters of every client.
func broadcastParams() []trial.Param {
	return append(loopParams("how many items a client broadcasts", "delivering the last", "the client delivers its item"),
		trial.CountParam("reactions", "0", "to how many items of others a process reacts, with an item of its own", 0, 1_000_000))
}

// Items is the number of items that the processes of an instance broadcast if none crashes: those of the
// initiators, and all the reactions.
func Items(in *trial.Instance) int {
	items := in.Initiators.Len() * in.Count("requests")
	if items > 0 && in.N > 1 {
		items += in.N * in.Count("reactions")
	}
	return items
}

// Broadcast completes the declaration of an algorithm for broadcast. Initiators are the clients that
// broadcast. promise returns what an instance promises, build makes its services.
func Broadcast[M protocols.Message](a trial.Algorithm, promise broadcast.Promise, build func(*trial.Instance) func(protocols.ID) broadcast.Service[M]) trial.Algorithm {
	return broadcasting(a, promise, func(in *trial.Instance) func(protocols.ID) protocols.Process[M] { return clients(in, build) })
}

// clients returns what makes the clients of an instance.
func clients[M protocols.Message](in *trial.Instance, build func(*trial.Instance) func(protocols.ID) broadcast.Service[M]) func(protocols.ID) protocols.Process[M] {
	services, work := build(in), loop(in)
	work.Reactions = in.Count("reactions")
	return func(p protocols.ID) protocols.Process[M] { return broadcast.NewClient(services(p), work) }
}

// broadcasting completes the declaration of a broadcast with its processes.
func broadcasting[M protocols.Message](a trial.Algorithm, promise broadcast.Promise, processes trial.Build[M]) trial.Algorithm {
	a.Params = slices.Concat([]trial.Param{requireParam()}, a.Params)
	a.Assumes.Params = requiring(a.Assumes.Params, promise)
	return heldTo(a, func(in *trial.Instance) broadcast.Promise { return promise.And(requirements[in.Param("require")]) }, processes)
}

// heldTo completes the declaration of a broadcast that is judged by a promise of its instances.
func heldTo[M protocols.Message](a trial.Algorithm, held func(*trial.Instance) broadcast.Promise, processes trial.Build[M]) trial.Algorithm {
	a.Params = slices.Concat(broadcastParams(), a.Params)
	f := broadcastFamily
	f.Promised = func(in *trial.Instance) []explore.Property { return promised(held(in)) }
	return trial.Judged(a, f, func(in *trial.Instance, _ bool) trial.Judge {
		lies := make([]bool, in.N)
		for _, p := range in.LyingProcesses() {
			lies[p] = true
		}
		checker := broadcast.NewChecker(lies, held(in))
		return &broadcastJudge{checked[broadcast.Member, *broadcast.Checker]{checker}, in.Count("requests"), in.Initiators.List()}
	}, processes)
}

// requiring adds to what is assumed that no more is required than is promised.
func requiring(params func(*trial.Instance) string, promise broadcast.Promise) func(*trial.Instance) string {
	return func(in *trial.Instance) string {
		word := in.Param("require")
		if promise.And(requirements[word]) != promise {
			return fmt.Sprintf("more is required than is promised: %s", word)
		}
		if params != nil {
			return params(in)
		}
		return ""
	}
}

// promised are the checks of a promise.
func promised(p broadcast.Promise) (checks []explore.Property) {
	for i, c := range broadcast.Properties {
		if p.Held(i) {
			kind := explore.Always
			if c.AtRest {
				kind = explore.Eventually
			}
			checks = append(checks, explore.Property{Name: c.Name, Kind: kind, Says: c.Says})
		}
	}
	return checks
}

// broadcastJudge judges a run of a broadcast.
type broadcastJudge struct {
	checked[broadcast.Member, *broadcast.Checker]
	requests int            `explore:"-"` // of each client
	clients  []protocols.ID `explore:"-"`
}

// Verdicts implements explore.Watch.
func (j *broadcastJudge) Verdicts(rest bool) []protocols.Verdict {
	return trial.VerdictsOf(j.checker.Checks(rest), j.checker.Begun() && j.checker.Safe() && j.checker.Complete())
}

// Checks implements Judge.
func (j *broadcastJudge) Checks(rest bool) []protocols.Check {
	checks := j.checker.Checks(rest)
	lacks(checks, "validity", j.idles())
	return checks
}

// idles says which correct client has broadcast less than it is to; "" if none has. At rest that of a process
// in Go has broadcast all, unless it waits for an item.
func (j *broadcastJudge) idles() string {
	for _, p := range j.clients {
		if did := j.checker.Broadcasts(p); did < j.requests && !j.checker.Ignores(p) {
			return fmt.Sprintf("process %d has broadcast %d of %d items", p, did, j.requests)
		}
	}
	return ""
}

// Outcome implements Judge.
func (j *broadcastJudge) Outcome() trial.Outcome {
	switch {
	case !j.checker.Safe():
		return Disordered
	case !j.checker.Complete() || j.idles() != "":
		return Undelivered
	}
	return Delivered
}

// News implements Judge.
func (j *broadcastJudge) News(p protocols.ID, process any) string {
	if j.checker.Ignores(p) {
		return ""
	}
	var news []string
	broadcasts, delivered := j.checker.News(p, trial.As[broadcast.Member](process))
	for _, said := range []struct {
		word  string
		items []broadcast.Item
	}{{"broadcasts", broadcasts}, {"delivers", delivered}} {
		if len(said.items) > 0 {
			list := fmt.Sprint(said.items)
			news = append(news, said.word+" "+strings.ReplaceAll(list[1:len(list)-1], " ", ", "))
		}
	}
	return strings.Join(news, ", ")
}
