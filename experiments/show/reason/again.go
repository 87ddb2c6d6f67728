package reason

import (
	"slices"

	"bullring/experiments/trial"
	"bullring/faults"
)

// again returns the run with changes as a plan says them: faults that never happen, and messages
// that are carried. All else is drawn as in the setting. It returns nil if no plan can say the
// changes, or if their effect in that run is another.
func (r *replays) again(registry *trial.Registry, changes []Change, effect Effect) *trial.Instance {
	plan, ok := r.plan(changes)
	if !ok {
		return nil
	}
	s := r.in.Setting
	s.Fault, s.OutsideModel = plan.String(), true
	in, err := registry.Instance(s)
	if err != nil || r.judge(in).Effect != effect {
		return nil
	}
	return in
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
