// Package broadcast declares the built-in algorithms for broadcast.
package broadcast

import (
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/plots/looks"
	"bullring/protocols/broadcast"
	"bullring/protocols/broadcast/causal"
	"bullring/protocols/broadcast/fifo"
)

// All returns the algorithms.
func All() []trial.Algorithm {
	return []trial.Algorithm{
		bestEffortAlgorithm(),
		eagerAlgorithm(),
		lazyAlgorithm(),
		uniformAlgorithm(),
		fifoAlgorithm(),
		causalAlgorithm(),
		totalOrderAlgorithm(),
		brachaAlgorithm(),
		gossipAlgorithm(),
		disseminationAlgorithm(),
	}
}

// textbook is the source of all.
const textbook = "Cachin, Guerraoui & Rodrigues, Reliable and Secure Distributed Programming, 2nd ed., "

// data names the messages of a broadcast that is one layer above the lowest.
type data struct{}

// Names implements [protocols.Namer].
func (data) Names() []string { return dataNames }

var dataNames = []string{"DATA"}

func bestEffortAlgorithm() trial.Algorithm {
	return declared[data](trial.Algorithm{
		Name:   "besteffort",
		Title:  "best-effort broadcast: a process sends its item to each process",
		Look:   looks.Look{Colour: looks.Sky, Marker: looks.Circle},
		Source: textbook + "section 3.2",
		Papers: []string{"cachin2011"},
		Cost:   "n-1 an item",
	}, bestEffort, alone)
}

func eagerAlgorithm() trial.Algorithm {
	return declared[data](trial.Algorithm{
		Name:   "eager",
		Title:  "eager reliable broadcast: a process that gets an item for the first time passes it on to all",
		Look:   looks.Look{Colour: looks.Blue, Marker: looks.Square},
		Source: textbook + "section 3.3",
		Papers: []string{"cachin2011"},
		Cost:   "n(n-1) an item",
	}, eagerly, alone)
}

func lazyAlgorithm() trial.Algorithm {
	return declared[data](trial.Algorithm{
		Name:   "lazy",
		Title:  "lazy reliable broadcast: a process passes an item on if its origin has crashed",
		Look:   looks.Look{Colour: looks.Green, Marker: looks.Triangle},
		Source: textbook + "section 3.3",
		Papers: []string{"cachin2011"},
		Cost:   "n-1 an item if nobody crashes",
	}, lazily, alone)
}

func uniformAlgorithm() trial.Algorithm {
	a := trial.Algorithm{
		Name:       "uniform",
		Title:      "uniform reliable broadcast: a process delivers an item when a majority, or all that live, have sent it on",
		Look:       looks.Look{Colour: looks.Red, Marker: looks.Diamond},
		LabelLooks: map[string]looks.Look{"uniform, all-ack": {Colour: looks.Orange, Marker: looks.Diamond}},
		Source:     textbook + "section 3.4",
		Papers:     []string{"cachin2011"},
		Cost:       "n(n-1) an item",
		Variants:   [][]string{{"majority", "allack"}},
		Params:     []trial.Param{period},
	}
	return declared[data](a, byMajority, alone).Or("allack", declared[data](a, byAll, alone))
}

// ordered names the messages of a broadcast in FIFO order above another one.
type ordered struct{}

// Names implements [protocols.Namer].
func (ordered) Names() []string { return orderedNames }

var orderedNames = []string{"FIFO.DATA", "RB.DATA"}

func fifoAlgorithm() trial.Algorithm {
	return overAny[ordered](trial.Algorithm{
		Name:     "fifo",
		Title:    "broadcast in FIFO order: a process keeps an item until those that its origin broadcast before are there",
		Look:     looks.Look{Colour: looks.Purple, Marker: looks.Ring},
		Source:   textbook + "section 3.9",
		Papers:   []string{"cachin2011"},
		Cost:     "that of the broadcast below",
		Variants: [][]string{words()},
	}, broadcast.Promise{FIFO: true}, func(in *trial.Instance) broadcast.Layer { return fifo.New(in.N) })
}

// caused names the messages of a broadcast in causal order above another one.
type caused struct{}

// Names implements [protocols.Namer].
func (caused) Names() []string { return causedNames }

var causedNames = []string{"CAUSAL.DATA", "RB.DATA"}

func causalAlgorithm() trial.Algorithm {
	a := overAny[caused](trial.Algorithm{
		Name:       "causal",
		Title:      "broadcast in causal order with vector clocks: a process keeps an item until all that may have caused it is there",
		Look:       looks.Look{Colour: looks.Black, Marker: looks.Square},
		LabelLooks: map[string]looks.Look{"causal, at once": {Colour: looks.Orange, Marker: looks.Triangle}},
		Source:     "Birman, Schiper & Stephenson, ACM TOCS 9(3), 1991; " + textbook + "section 3.9",
		Papers:     []string{"birman1991", "cachin2011"},
		Cost:       "that of the broadcast below, a vector of n in each message",
		Variants:   [][]string{words(), {"waiting", "atonce"}},
		Metrics:    []trial.Metric{families.Early},
		Assumes:    trial.Assumptions{Params: waits},
	}, broadcast.Promise{FIFO: true, Causal: true}, func(in *trial.Instance) broadcast.Layer {
		return causal.New(causal.Config{Processes: in.N, AtOnce: in.Variant.Has("atonce")})
	})
	a.Assumes.NoCrash = true // over best effort: an item that reached some processes only is waited for by all
	return a
}

// waits: the wrong variant is outside the model.
func waits(in *trial.Instance) string {
	if in.Variant.Has("atonce") {
		return "items are delivered when they arrive, in whatever order"
	}
	return ""
}
