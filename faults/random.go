package faults

import (
	"time"

	"bullring/des"
	"bullring/protocols/links"
)

// Random is a line of a plan that stands for faults drawn from the seed; see
// Plan.Expand. Which fields mean something depends on the kind of the fault.
type Random struct {
	Number      int              // of crashes
	From, Until des.Time         // between which the faults begin
	Up, Down    des.Distribution // of the time until a failure, and until its repair
	Least       time.Duration    // how long a partition lasts at least
	Of          []string         // classes of a swarm or shapes of partitions; nil is the usual ones
	Most        int              // processes that are down at the same time; 0 is all but one
	Sparing     *links.Addresses // processes that do not fail themselves; nil is none
	Heal        bool             // everything is whole again when the swarm ends
}

// The classes of faults that a swarm may be of, as a plan words them.
const (
	crashes          = "crashes"
	restarts         = "restarts"
	partialBroadcast = "partial-broadcasts"
	leaderCrashes    = "leader-crashes"
	churn            = "churn"
	pauses           = "pauses"
	slowness         = "slowness"
	partitions       = "partitions"
	cuts             = "cuts"
	clogs            = "clogs"
	omissions        = "omissions"
	loss             = "loss"
	delays           = "delays"
	duplicates       = "duplicates"
	clocks           = "clocks"
	changedLinks     = "links"
	lies             = "lies"
)

// classes are the classes, those first that a swarm is of if the plan does not
// say: the last two are not for every run.
var classes = []string{
	crashes, restarts, partialBroadcast, leaderCrashes, churn, pauses, slowness, partitions, cuts, clogs,
	omissions, loss, delays, duplicates, clocks, changedLinks, lies,
}

var usualClasses = classes[:len(classes)-2]

// The shapes of partitions, as a plan words them.
const (
	halves     = "halves"
	isolations = "isolations"
	oneWays    = "one-ways"
	bridges    = "bridges"
	rings      = "rings"
)

var shapes = []string{halves, isolations, oneWays, bridges, rings}

// classes are those of a swarm.
func (r *Random) classes() []string {
	if r.Of == nil {
		return usualClasses
	}
	return r.Of
}
