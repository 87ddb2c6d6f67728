package hunt

import "bullring/experiments/trial"

// subject says what of a drawn setting makes no sense for the processes that are hunted.
type subject struct {
	programs bool     // processes are programs
	nothing  bool     // the algorithm assumes nothing
	numbered bool     // identities are 1 to n, in the order of addresses
	classes  []string // of faults
}

// subject returns that of a hunt.
func (h *Hunt) subject() subject {
	var s trial.Setting
	if h.Fix != nil {
		h.Fix(&s)
	}
	assumes := &h.Algorithm.Assumes
	u := subject{programs: s.Node != "" && s.Node != trial.NoNode, nothing: assumes.Nothing, classes: h.Classes}
	u.numbered = u.programs && assumes.KnowsIdentities
	if u.nothing && u.classes == nil {
		u.classes = []string{}
	}
	return u
}

// plain takes away what makes no sense. A program is of one variant, and its author need not know the
// parameters; nobody tells it attributes, nor how long it processes a message. Where nothing is assumed, nothing
// that may break a right algorithm is drawn but the classes of faults that were asked for.
func (u *subject) plain(s *trial.Setting) {
	if u.programs {
		s.Variant, s.Param, s.Attr, s.Processing = "", "", "", ""
	}
	if u.numbered {
		s.IDs, s.Placement = "", "increasing"
	}
	if u.nothing {
		*s = trial.Setting{
			Algorithm: s.Algorithm, Variant: s.Variant, Param: s.Param, N: s.N, IDs: s.IDs, Placement: s.Placement, Attr: s.Attr,
			Initiators: s.Initiators, Delay: s.Delay, Fault: s.Fault, Schedule: s.Schedule,
			Seed: s.Seed, MaxEvents: s.MaxEvents, OutsideModel: s.OutsideModel,
		}
	}
}
