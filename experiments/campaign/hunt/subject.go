package hunt

import (
	"strings"

	"bullring/experiments/trial"
)

// subject is what is hunted, and what of a drawn setting makes no sense for it.
type subject struct {
	algorithm *trial.Algorithm // the declaration of the variant, if that does not vary
	programs  bool             // processes are programs
}

// mostTried is the largest number of processes with which a declaration is looked for.
const mostTried = 16

// subject returns that of a hunt.
func (h *Hunt) subject() subject {
	var fixed trial.Setting
	if h.Fix != nil {
		h.Fix(&fixed)
	}
	u := subject{algorithm: h.Algorithm, programs: fixed.Node != "" && fixed.Node != trial.NoNode}
	for n := 1; fixed.Variant != "" && n <= mostTried; n++ {
		in, err := h.Registry.Instance(trial.Setting{Algorithm: h.Algorithm.Name, Variant: fixed.Variant, Node: fixed.Node, N: n, OutsideModel: true})
		if err == nil {
			u.algorithm = in.Algorithm
			break
		}
	}
	return u
}

// plain takes away what makes no sense. A program is of one variant, and its author need not know the
// parameters; nobody tells it attributes, nor how long it processes a message, nor the identities of others. It is told
// start once, if it is an initiator. One that is judged by its family alone is for complete graphs, unless the hunt says
// otherwise.
func (u *subject) plain(s *trial.Setting) {
	if !u.programs {
		return
	}
	s.Variant, s.Param, s.Attr, s.Processing = "", "", "", ""
	s.Fault = withoutStarts(s.Fault)
	if u.algorithm.Assumes.KnowsIdentities {
		s.IDs, s.Placement = "", "increasing"
	}
	if u.algorithm.Bare {
		s.Topology = ""
	}
}

// withoutStarts is a drawn plan without the processes that start again.
func withoutStarts(plan string) string {
	var kept []string
	for clause := range strings.SplitSeq(plan, "; ") {
		if !strings.Contains(clause, " start ") {
			kept = append(kept, clause)
		}
	}
	return strings.Join(kept, "; ")
}
