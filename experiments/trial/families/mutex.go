package families

import (
	"fmt"
	"slices"
	"time"

	"bullring/des"
	"bullring/experiments/trial"
	"bullring/netem"
	"bullring/netem/explore"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/mutex"
)

// The outcomes of mutual exclusion.
const (
	Served    trial.Outcome = "served"     // every request was granted, and every client left
	Deadlock  trial.Outcome = "deadlock"   // a request was never granted
	TwoInside trial.Outcome = "two inside" // at some time two or more were in the critical section
)

// MutexPromise is what an algorithm for mutual exclusion promises.
type MutexPromise struct {
	mutex.Promise
	// Endless: the algorithm never rests. A run ends when every client has left for the
	// last time.
	Endless bool
	// Orders, if not nil, adds the check ME3. It reports whether an instance promises ME3,
	// and sets mutex.Promise.Ordered.
	Orders func(*trial.Instance) bool
	// Holder, if not nil, is who has the token at the beginning, of an algorithm for graphs that change.
	// Its locks are mutex.Carriers. ME2 is not decided of a process that is cut off from the token, or
	// if that may have been lost with a link.
	Holder func(*trial.Instance) protocols.ID
}

var mutexFamily = trial.Family{
	Name: "mutex",
	Checks: []explore.Property{
		{Name: "ME1", Kind: explore.Always, Says: "at most one process at a time is inside"},
		{Name: "ME2", Kind: explore.Eventually, Says: "every request of a process that lives is granted"},
	},
	Bands: []trial.Band{
		{Name: "in the critical section", Says: "has entered the critical section, and not left it", Look: looks.Fill{Colour: looks.Blue, Texture: looks.Full}, Alone: true,
			In: trial.InBand(func(u mutex.User) bool { return u.Usage().Inside() })},
		{Name: "waiting", Says: "has asked for the critical section, and not entered it", Look: looks.Fill{Colour: looks.Orange, Texture: looks.Zigzag},
			In: trial.InBand(func(u mutex.User) bool { return u.Usage().Waits() })},
	},
	Ear:   newMutexEar,
	Right: []trial.Outcome{Served},
	Wrong: []trial.Outcome{Deadlock, TwoInside},
	Metrics: []trial.Metric{
		{Name: "entries", Unit: "entries", Meaning: "entries into the critical section", Axis: "entries", Summary: true,
			Measure: ofService(func(s mutex.Service) (float64, bool) { return float64(s.Count), true })},
		{Name: "messages_per_entry", Unit: "messages", Meaning: "messages sent, divided by the entries", Axis: "messages per entry", Summary: true,
			Of: "messages", Per: func(in *trial.Instance) float64 { return float64(in.Initiators.Len() * in.Count("requests")) },
			Measure: trial.JudgedBy((*mutexJudge).messagesPerEntry)},
		{Name: "client_delay", Unit: trial.Units, Meaning: "mean time from a request to its entry", Axis: "client delay", Summary: true,
			Measure: delayOf(func(s mutex.Service) (time.Duration, bool) { return s.Delay, s.Count > 0 })},
		{Name: "client_delay_max", Unit: trial.Units, Meaning: "longest time from a request to its entry", Axis: "longest client delay",
			Measure: delayOf(func(s mutex.Service) (time.Duration, bool) { return s.Longest, s.Count > 0 })},
		{Name: "sync_delay", Unit: trial.Units, Meaning: "synchronization delay: mean time from an exit to the next entry, where somebody waited", Axis: "synchronization delay", Summary: true,
			Measure: delayOf(func(s mutex.Service) (time.Duration, bool) { return s.Handover, s.Handovers > 0 })},
		{Name: "throughput", Unit: "1/s", Meaning: "entries a second, until the last client left", Axis: "entries per second",
			Measure: ofService(func(s mutex.Service) (float64, bool) { return float64(s.Count) / s.Last.Seconds(), s.Last > 0 })},
		{Name: "fairness", Meaning: "Jain's index of the mean delays of the clients: 1 if all wait the same, 1/k if one of k waits for all", Axis: "Jain's fairness index", Summary: true,
			Measure: ofService(func(s mutex.Service) (float64, bool) { return s.Fairness, s.Count > 0 })},
		{Name: "inside", Unit: "processes", Meaning: "largest number of processes that were inside at the same time", Axis: "processes inside at the same time",
			Measure: trial.JudgedBy(func(j *mutexJudge) (float64, bool) { return float64(j.checker.MostInside()), true })},
	},
}

// mostFollowed is the largest number of processes with which ME3 is checked: the judge keeps
// a vector for each message under way.
const mostFollowed = 64

// workloadParams returns the parameters of every client.
func workloadParams() []trial.Param {
	return append([]trial.Param{trial.DurationParam("cs", "0s", "time inside the critical section")},
		loopParams("how often a client asks", "leaving", "the client leaves")...)
}

// workloadOf returns the workload of the clients of an instance.
func workloadOf(in *trial.Instance) mutex.Workload {
	work := loop(in)
	return mutex.Workload{Requests: work.Requests, Hold: in.Duration("cs"), Think: work.Think, Open: work.Open}
}

// Mutex completes the declaration of an algorithm for mutual exclusion. Initiators are the
// clients that request the critical section. build makes the locks of an instance.
func Mutex[M protocols.Message](a trial.Algorithm, promise MutexPromise, build func(*trial.Instance) func(protocols.ID) mutex.Lock[M]) trial.Algorithm {
	a.Params = slices.Concat(workloadParams(), a.Params)
	f := mutexFamily
	f.Endless = promise.Endless
	a = trial.Judged(a, f, func(in *trial.Instance, measured bool) trial.Judge {
		return newMutexJudge(in, promise, measured)
	},
		func(in *trial.Instance) func(protocols.ID) protocols.Process[M] {
			locks, work := build(in), workloadOf(in)
			return func(p protocols.ID) protocols.Process[M] { return mutex.NewClient(locks(p), work) }
		})
	if promise.Orders != nil {
		a.Checks = append(a.Checks, "ME3")
	}
	return a
}

// mutexJudge judges a run of mutual exclusion.
type mutexJudge struct {
	checker  *mutex.Checker
	requests int         // of each client
	token    *tokenWatch // nil unless the algorithm says where its token is at the beginning

	// Not part of the state: it follows from the processes.
	clients  []client `explore:"-"`
	open     int      `explore:"-"` // clients that are not done
	messages uint64   `explore:"-"` // sent by the algorithm
}

// client is the progress of the client of a process.
type client uint8

const (
	idle client = iota // it never requests
	busy
	done
)

// newMutexJudge returns the judge of an instance. It checks ME3 if Orders is set, there are
// not too many processes, and all messages are those of the algorithm.
func newMutexJudge(in *trial.Instance, promise MutexPromise, measured bool) trial.Judge {
	promise.Ordered = promise.Orders != nil && promise.Orders(in)
	j := &mutexJudge{checker: mutex.NewChecker(in.N, promise.Promise), requests: in.Count("requests"), clients: make([]client, in.N)}
	for p := range in.Initiators.All() {
		j.begins(p)
	}
	if promise.Holder != nil {
		j.token = newTokenWatch(in, promise.Holder(in))
	}
	if !measured {
		return j
	}
	j.checker.Measure()
	if promise.Orders == nil || in.N > mostFollowed || in.Transport != nil || in.Detector != nil {
		return j
	}
	j.checker.Follow()
	return &orderJudge{j, make([]mutex.Vector, in.N), map[uint64]mutex.Vector{}}
}

func (j *mutexJudge) begins(p protocols.ID) {
	if j.clients[p] == idle {
		j.clients[p] = busy
		j.open++
	}
}

func (j *mutexJudge) ends(p protocols.ID) {
	if j.clients[p] == busy {
		j.clients[p] = done
		j.open--
	}
}

// Started implements explore.Watch.
func (j *mutexJudge) Started(p protocols.ID, process any, now time.Duration) {
	j.begins(p)
	j.Received(p, process, now)
}

// Received implements explore.Watch.
func (j *mutexJudge) Received(p protocols.ID, process any, now time.Duration) {
	u := trial.As[mutex.User](process).Usage()
	j.checker.Stepped(p, u, now)
	if j.token != nil {
		j.token.stepped(p, trial.As[mutex.Carrier](process).HasToken())
	}
	if u.Left == j.requests {
		j.ends(p)
	}
}

// Expired implements explore.Watch.
func (j *mutexJudge) Expired(p protocols.ID, process any, now time.Duration) {
	j.Received(p, process, now)
}

// Crashed implements explore.Watch.
func (j *mutexJudge) Crashed(p protocols.ID, now time.Duration) {
	j.checker.Crashed(p, now)
	j.ends(p)
}

// Restarted implements explore.Watch.
func (j *mutexJudge) Restarted(p protocols.ID, process any, _ time.Duration) {
	j.checker.Restarted(p, trial.As[mutex.User](process).Usage())
}

// served implements servingJudge: the process entered under the present coordinator.
func (j *mutexJudge) served(p protocols.ID, process any) bool {
	u := trial.As[coordinatedUser](process)
	return max(j.checker.Usage(p).Entered, u.Before()) < u.Usage().Entered
}

// Relinked implements explore.LinkWatch.
func (j *mutexJudge) Relinked(near func(protocols.ID) []protocols.ID, _ time.Duration, ends ...protocols.ID) {
	if j.token != nil {
		j.token.relinked(near, ends)
	}
}

// judged are the checks, without what the token excuses.
func (j *mutexJudge) judged(rest bool) []protocols.Check {
	checks := j.checker.Checks(rest)
	if me2 := &checks[1]; me2.Verdict == protocols.Violated && j.token != nil {
		if why := j.token.excuse(j.checker.Waiting()); why != "" {
			me2.Verdict, me2.Detail = protocols.Undecided, me2.Detail+"; "+why
		}
	}
	return checks
}

// Verdicts implements explore.Watch.
func (j *mutexJudge) Verdicts(rest bool) []protocols.Verdict {
	checks := j.judged(rest)
	all := protocols.Undecided
	if j.open == 0 && checks[0].Verdict != protocols.Violated {
		all = protocols.Holds
	}
	return []protocols.Verdict{checks[0].Verdict, checks[1].Verdict, all}
}

// Checks implements Judge.
func (j *mutexJudge) Checks(rest bool) []protocols.Check {
	checks := j.judged(rest)
	lacks(checks, "ME2", j.idles())
	return checks
}

// idles says which client has done less than its work; "" if none has. At rest that of a process in Go has
// done it all, unless it waits.
func (j *mutexJudge) idles() string {
	p := slices.Index(j.clients, busy)
	if p < 0 {
		return ""
	}
	return fmt.Sprintf("process %d has left %d of %d times", p, j.checker.Usage(protocols.ID(p)).Left, j.requests)
}

// Outcome implements Judge.
func (j *mutexJudge) Outcome() trial.Outcome {
	switch {
	case j.checker.MostInside() > 1:
		return TwoInside
	case !j.checker.Served() || j.idles() != "":
		return Deadlock
	}
	return Served
}

// Over implements Ender. A run ends when the last client has left.
func (j *mutexJudge) Over() bool { return j.open == 0 }

// News implements Judge.
func (j *mutexJudge) News(p protocols.ID, process any) string {
	return mutex.News(j.checker.Usage(p), trial.As[mutex.User](process).Usage())
}

// ofService is the measure of how clients were served.
func ofService(measure func(mutex.Service) (v float64, ok bool)) trial.Measure {
	return trial.JudgedBy(func(j *mutexJudge) (float64, bool) { return measure(j.checker.Service()) })
}

// delayOf is ofService for a time.
func delayOf(measure func(mutex.Service) (t time.Duration, ok bool)) trial.Measure {
	return trial.TimedBy(func(j *mutexJudge) (time.Duration, bool) { return measure(j.checker.Service()) })
}

func (j *mutexJudge) messagesPerEntry() (messages float64, ok bool) {
	entries := j.checker.Service().Count
	return float64(j.messages) / float64(entries), entries > 0
}

// Conclude implements Concluder.
func (j *mutexJudge) Conclude(r *trial.Result) {
	j.messages = r.Counters.Messages() - r.Overhead
	r.Time = max(r.Time, des.Time(j.checker.Service().Last))
}

// Moments implements Lister.
func (j *mutexJudge) Moments() (title string, moments []trial.Moment) {
	for _, e := range j.checker.Service().Entries {
		moments = append(moments, trial.Moment(e))
	}
	return "order of entry", moments
}

// orderJudge tells the checker which requests happened before which (Lamport, CACM 21(7)
// 1978). Its vector clocks count only requests.
type orderJudge struct {
	*mutexJudge
	knows []mutex.Vector          // the requests that each process knows of, by address
	under map[uint64]mutex.Vector // those that the sender of a message under way knew of, by number
}

// Within implements Wrapper.
func (j *orderJudge) Within() trial.Judge { return j.mutexJudge }

// Follow implements Follower.
func (j *orderJudge) Follow(r netem.Record, process any) {
	before := j.under[r.Number]
	delete(j.under, r.Number)
	switch r.What {
	case "start", "boot", "timeout", "restart":
	case "deliver":
		j.learn(r.Who, before)
	default: // nothing was handled
		return
	}
	was, is := j.checker.Usage(r.Who), trial.As[mutex.User](process).Usage()
	carried := j.knows[r.Who]
	if is.Asked > was.Asked && is.Asked > 0 && r.What != "restart" {
		j.learn(r.Who, nil)
		j.knows[r.Who][r.Who] = is.Asked
		j.checker.Asked(r.Who, is.Asked, slices.Clone(j.knows[r.Who]))
		// In a step that leaves and requests again, a message may have been sent before
		// the request. So it carries no knowledge of it.
		if is.Left == was.Left {
			carried = j.knows[r.Who]
		}
	}
	for _, s := range r.Sent {
		j.under[s.Number] = carried
	}
}

// learn adds requests to the knowledge of a process. It copies the vector, because others
// may hold it.
func (j *orderJudge) learn(p protocols.ID, more mutex.Vector) {
	known := make(mutex.Vector, len(j.knows))
	copy(known, j.knows[p])
	for q, k := range more {
		known[q] = max(known[q], k)
	}
	j.knows[p] = known
}
