package reason

import (
	"context"
	"maps"
	"slices"
	"time"

	"bullring/experiments/show/history"
	"bullring/experiments/trial"
	"bullring/netem"
	"bullring/protocols"
)

// replays runs an instance again with changes.
type replays struct {
	ctx    context.Context
	in     *trial.Instance
	real   *history.History
	v      *Violation
	fates  map[netem.MessageKey]netem.Fate // of the real run
	coins  map[netem.CoinKey]int           // of the real run, if it forks; else coins follow from the seed
	worker trial.Worker
	runs   int
	most   int             // runs that may be made
	time   context.Context // is cancelled when the search has taken too long
}

// newReplays runs an instance and keeps the fates of its messages. The violation is nil if
// every check holds.
func newReplays(ctx context.Context, in *trial.Instance) *replays {
	r := &replays{ctx: ctx, time: ctx, in: in, fates: map[netem.MessageKey]netem.Fate{}}
	if trial.CanAlter(in) != nil {
		r.real = history.Of(ctx, in)
		r.v = violationOf(r.real)
		return r
	}
	logged, altered := *in, netem.Alteration{}
	if in.Altered != nil {
		altered = *in.Altered
	}
	altered.Log = r.fates
	logged.Altered = &altered
	r.real = history.Of(ctx, &logged)
	r.real.Result.Instance = in
	r.v = violationOf(r.real)
	r.keepCoins()
	return r
}

// keepCoins keeps the coins of a run that forks. A changed run has other numbers of events, and forks at
// another point of it.
func (r *replays) keepCoins() {
	if r.in.Forks == nil {
		return
	}
	r.coins = map[netem.CoinKey]int{}
	drawn := map[protocols.ID]int{}
	for i := range r.real.Events {
		for _, face := range r.real.Events[i].Choices {
			who := r.real.Events[i].Who
			drawn[who]++
			r.coins[netem.CoinKey{Who: who, Nth: drawn[who]}] = face
		}
	}
}

// spent reports whether no run is left, or no time.
func (r *replays) spent() bool { return r.runs >= r.most || r.time.Err() != nil }

// try runs with changes. Without a run left, changes have no effect.
func (r *replays) try(changes ...Change) outcome { return r.judge(r.changed(changes)) }

// judge runs an instance and compares it with the real run.
func (r *replays) judge(in *trial.Instance) outcome {
	if r.spent() {
		return outcome{}
	}
	r.runs++
	return compare(r.real.Result, r.worker.Run(r.ctx, in, nil), r.v)
}

// history is the history of the run with changes.
func (r *replays) history(changes []Change) *history.History {
	return history.Of(r.ctx, r.changed(changes))
}

// changed is the instance with changes, everything else as in the real run.
func (r *replays) changed(changes []Change) *trial.Instance {
	in := r.otherwise(func(*trial.Instance) {})
	in.Off = make([]bool, len(in.Drawn))
	for _, c := range changes {
		switch c.Class {
		case Fault:
			in.Off[c.Fault] = true
		case Coin:
			in.Altered.Coins[c.Coin] = c.Face
		default:
			in.Altered.Carry[c.Key] = c.Delay
		}
	}
	return in
}

// otherwise is the instance with something of its own changed, and all messages as in the real
// run.
func (r *replays) otherwise(change func(*trial.Instance)) *trial.Instance {
	in := *r.in
	in.Drawn = slices.Clone(in.Drawn)
	in.Altered = &netem.Alteration{
		Carry: map[netem.MessageKey]time.Duration{}, Coins: map[netem.CoinKey]int{},
		Real: r.fates, Calm: allowedBy(r.in).bound,
	}
	maps.Copy(in.Altered.Coins, r.coins)
	in.Setting.MaxEvents = min(in.Setting.MaxEvents, r.patience())
	change(&in)
	return &in
}

// patience is the number of events after which a changed run counts as undecided.
func (r *replays) patience() uint64 { return 20*r.real.Result.Counters.Events + 10_000 }
