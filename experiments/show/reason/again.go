package reason

import (
	"math"
	"slices"

	"bullring/des"
	"bullring/experiments/show/history"
	"bullring/experiments/trial"
	"bullring/faults"
)

// again finds the run of a reason as a plan says its changes: faults that never happen, and
// messages that are carried. All else is drawn as in the setting. There is none if no plan says
// the changes, or if that run differs from the saved one up to the violation, or in its effect.
func (r *replays) again(registry *trial.Registry, one *Reason) {
	plan, ok := r.plan(one.Changes)
	if !ok || r.spent() {
		return
	}
	s := r.in.Setting
	s.Fault, s.OutsideModel = plan.String(), true
	in, err := registry.Instance(s)
	if err != nil {
		return
	}
	planned, saved := r.historyOf(in), r.historyOf(one.Saved)
	found := compare(r.real.Result, planned.Result, r.v)
	same := slices.Equal(texts(planned, r.v.At), texts(saved, r.v.At)) // a message that is new may be lost in the one
	one.Whole = same && slices.Equal(texts(planned, math.MaxInt64), texts(saved, math.MaxInt64))
	if one.Whole || found.Effect == one.Effect && found.then == one.Then && same {
		one.Again = in
	}
}

// historyOf runs an instance.
func (r *replays) historyOf(in *trial.Instance) *history.History {
	r.runs++
	return history.Of(r.ctx, in)
}

// texts are the events of a run up to an instant.
func texts(h *history.History, at des.Time) (list []string) {
	for _, e := range upTo(h, at) {
		list = append(list, e.Text(e.News))
	}
	return list
}

// plan is the plan of the real run with changes. A fault that is left out keeps its place, so
// that the others draw the same. ok is false if no plan can say the changes.
func (r *replays) plan(changes []Change) (plan faults.Plan, ok bool) {
	plan = slices.Clone(r.in.Plan)
	if slices.ContainsFunc(changes, func(c Change) bool { return c.Class == Fault }) {
		plan = slices.Clone(r.in.Drawn)
	}
	for _, c := range changes {
		switch {
		case c.Class == Fault:
			plan[c.Fault] = faults.Fault{Kind: faults.Never, Spared: &r.in.Drawn[c.Fault]}
		case c.Class >= Coin || c.Key.Kind >= len(r.in.Algorithm.Kinds): // of a transport
			return nil, false
		default:
			plan = append(plan, faults.Fault{
				Kind: faults.Carry, Message: r.in.Algorithm.Kinds[c.Key.Kind], Count: uint64(c.Key.Nth), From: c.Key.From, To: c.Key.To, By: c.Delay,
			})
		}
	}
	return plan, true
}
