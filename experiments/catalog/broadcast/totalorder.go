package broadcast

import (
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols"
	"bullring/protocols/broadcast"
	"bullring/protocols/broadcast/besteffort"
	"bullring/protocols/broadcast/totalorder"
	"bullring/protocols/consensus/chandratoueg"
)

// sequenced names the messages of a broadcast in total order: those of the broadcast below, and those of
// the consensus.
type sequenced struct{}

// Names implements [protocols.Namer].
func (sequenced) Names() []string { return sequencedNames }

var sequencedNames = []string{"RB.DATA", "CONS.ESTIMATE", "CONS.PROPOSE", "CONS.ACK", "CONS.NACK", "CONS.DECIDE"}

// estimates are the messages of a consensus on batches.
type estimates = chandratoueg.Message[totalorder.Batch]

// instance is a consensus on a batch at a process.
type instance struct {
	*chandratoueg.Process[totalorder.Batch]
}

// Decided implements [totalorder.Consensus].
func (i instance) Decided() (b totalorder.Batch, ok bool) {
	d := i.Decision()
	return d.Value, d.Made
}

func totalOrderAlgorithm() trial.Algorithm {
	a := trial.Algorithm{
		Name:       "totalorder",
		Title:      "broadcast in total order: a consensus on each batch of items, which all deliver in the same order",
		Look:       looks.Look{Colour: looks.Purple, Marker: looks.Cross},
		LabelLooks: map[string]looks.Look{"totalorder, at once": {Colour: looks.Orange, Marker: looks.Cross}},
		Source:     "Chandra, Toueg, JACM 43(2), 1996, section 7; " + textbook + "section 6.1",
		Papers:     []string{"chandratoueg1996", "cachin2011"},
		Cost:       "that of the broadcast below an item, and of a consensus a batch",
		Variants:   [][]string{{"eager", "lazy", "uniform"}, {"detector", "timeout", "atonce"}},
		Params:     []trial.Param{trial.PauseParam("wait", "5ms", "the pause between two looks at the failure detector; timeout: how long a process waits for the coordinator of round 1 of a batch, and r times as long in round r")},
	}
	patient := inTotalOrder(a, eagerly)
	patient.Assumes.Detector = false
	return inTotalOrder(a, eagerly).Or("lazy", inTotalOrder(a, lazily)).Or("uniform", inTotalOrder(a, byMajority)).Or("timeout", patient)
}

// inTotalOrder declares total order over a broadcast, with the consensus of Chandra and Toueg.
func inTotalOrder(a trial.Algorithm, l lower) trial.Algorithm {
	a.Assumes = halved
	a.Assumes.PerfectDetector = l.model.PerfectDetector
	a.Assumes.Detector = !a.Assumes.PerfectDetector
	a.Assumes.Params = waits
	a.Bounds = []trial.Bound{batches(l), single(l), singleTime(l)}
	promise := broadcast.Promise{Agreement: true, Uniform: true, Total: true}
	return families.Broadcast(a, promise, func(in *trial.Instance) func(protocols.ID) broadcast.Service[totalorder.Message[sequenced, estimates]] {
		cfg := totalorder.Config[estimates]{AtOnce: in.Variant.Has("atonce"), Consensus: func(p protocols.ID) totalorder.Consensus[estimates] {
			return instance{chandratoueg.New[totalorder.Batch](p, nil, chandratoueg.Config{Processes: in.N, Wait: in.Duration("wait"), Timeout: in.Variant.Has("timeout")})}
		}}
		return func(p protocols.ID) broadcast.Service[totalorder.Message[sequenced, estimates]] {
			return totalorder.New[sequenced](p, cfg, l.layer(in), besteffort.New())
		}
	})
}

// undisturbed: no process crashes or is suspected, and each message takes one delay.
func undisturbed(in *trial.Instance) bool {
	return calm(in) && in.ConstantDelay() && in.Detector == nil && in.Transport == nil && !in.Variant.Has("timeout")
}

// batches is the bound on the messages of a run.
func batches(l lower) trial.Bound {
	return trial.Bound{
		Name: "batches", Metric: "messages", Relation: trial.Exactly, Convention: "every message takes the same time; no process crashes or is suspected",
		Formula: l.formula + " for each item, and for each batch 3(n-1) + n(n-1), which are the DECIDE, and 2n-3 if n > 2",
		Of: func(r *trial.Result) (float64, bool) {
			in := r.Instance
			decisions, ok := r.Metric(trial.SentPrefix + "CONS.DECIDE")
			messages := families.Items(in) * l.cost(in.N)
			if in.N > 1 {
				messages += int(decisions) / again(in.N) * ofBatch(in.N)
			}
			return float64(messages), ok && undisturbed(in)
		},
	}
}

// ofBatch is the number of messages of a consensus.
func ofBatch(n int) int {
	if n > 2 {
		return (n-1)*(n+3) + 2*n - 3
	}
	return (n - 1) * (n + 3)
}

const oneByOne = "a process broadcasts one item after another; every message takes the same time; no process crashes or is suspected"

// oneAfterAnother: each item has a batch of its own.
func oneAfterAnother(in *trial.Instance) bool {
	return undisturbed(in) && in.Initiators.Len() == 1 && in.Count("reactions") == 0 && in.Param("loop") == "closed"
}

// single is the bound on the messages of a run in which each item is alone.
func single(l lower) trial.Bound {
	return trial.Bound{
		Name: "exact", Metric: "messages", Relation: trial.Exactly, Convention: oneByOne,
		Formula: l.formula + " + 3(n-1) + n(n-1) for each item, and 2n-3 if n > 2",
		Value: func(in *trial.Instance) (float64, bool) {
			return float64(families.Items(in) * (l.cost(in.N) + ofBatch(in.N))), oneAfterAnother(in)
		},
	}
}

// singleTime is the bound on the time from a broadcast to the last delivery.
func singleTime(l lower) trial.Bound {
	return trial.Bound{
		Name: "longest", Metric: "delivery_time_max", Relation: trial.Exactly, Convention: oneByOne + "; below, an item takes one delay",
		Formula: "5; 4 if n < 4 and process 0, the coordinator, is not the origin",
		Value: func(in *trial.Instance) (float64, bool) {
			if in.N < 4 && !in.Initiators.Has(0) {
				return 4, oneAfterAnother(in) && l.delays == 1
			}
			return 5, oneAfterAnother(in) && l.delays == 1 && in.N > 1
		},
	}
}
