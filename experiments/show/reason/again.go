package reason

import (
	"slices"

	"bullring/experiments/show/history"
	"bullring/experiments/trial"
	"bullring/faults"
	"bullring/netem"
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
	planned, held, saved := r.historyOf(in), r.historyOf(r.held(in)), r.historyOf(one.Saved)
	found := compare(r.real.Result, planned.Result, r.v)
	same := slices.Equal(texts(planned, r.v), texts(saved, r.v)) // a message that is new may be lost in the one
	one.Whole = same && planned.Result.Fingerprint == held.Result.Fingerprint
	if one.Whole || found.Effect == one.Effect && found.then == one.Then && same {
		one.Again = in
	}
}

// held is an instance of which links do to each message what they did in the real run.
func (r *replays) held(of *trial.Instance) *trial.Instance {
	in := *of
	in.Altered = &netem.Alteration{Real: r.fates, Calm: allowedBy(r.in).bound}
	return &in
}

// historyOf runs an instance.
func (r *replays) historyOf(in *trial.Instance) *history.History {
	r.runs++
	return history.Of(r.ctx, in)
}

// texts are the events of a run up to the violation.
func texts(h *history.History, v *Violation) (list []string) {
	for _, e := range upTo(h, v.At) {
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
