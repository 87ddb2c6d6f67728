package reason

import (
	"cmp"
	"context"
	"slices"

	"bullring/experiments/show/history"
	"bullring/experiments/trial"
)

// Repairs are what comes of a violated run if its abnormal messages are repaired, one at a time.
type Repairs struct {
	Real      *history.History
	Violation *Violation // nil if every check holds
	Cases     []Repair   // in the order of their sending
}

// Repair is the run with one abnormal message repaired, by the mildest change that helps or, if none
// does, by the strongest.
type Repair struct {
	*Reason
	Number uint64 // of the message
}

// FindRepairs runs an instance, and then again for each message that was lost, cut, late, doubled
// or out of order. The changes are those of [Explain]. progress, if not nil, is called with the
// number of messages that are done.
func FindRepairs(ctx context.Context, registry *trial.Registry, in *trial.Instance, progress func(done, all int)) (*Repairs, error) {
	if err := trial.CanAlter(in); err != nil {
		return nil, err
	}
	r := newReplays(ctx, in)
	found := &Repairs{Real: r.real, Violation: r.v}
	if r.v == nil {
		return found, nil
	}
	elements := repairable(elementsOf(in, r.real, r.v, r.fates))
	r.most = mostRepairs * len(elements)
	for i, e := range elements {
		if progress != nil {
			progress(i, len(elements))
		}
		found.Cases = append(found.Cases, Repair{r.repaired(registry, e), e.number})
	}
	if progress != nil {
		progress(len(elements), len(elements))
	}
	return found, context.Cause(ctx)
}

// mostRepairs is more than the runs that are made for a message.
const mostRepairs = 10

// repairable are the messages among elements that the model forbids, in the order of their sending.
func repairable(elements []*Element) []*Element {
	var messages []*Element
	for _, e := range elements {
		if e.Class != Fault && !e.Class.Normal() {
			messages = append(messages, e)
		}
	}
	slices.SortFunc(messages, func(a, b *Element) int { return cmp.Compare(a.number, b.number) })
	return messages
}

// repaired is the run with one element repaired.
func (r *replays) repaired(registry *trial.Registry, e *Element) *Reason {
	one := &Reason{}
	for _, c := range e.repairs() {
		one.Changes, one.Saved = []Change{c}, r.changed([]Change{c})
		found := r.judge(one.Saved)
		one.Effect, one.Then = found.Effect, found.then
		if found.Gone() {
			break
		}
	}
	r.again(registry, one)
	return one
}
