package services

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"bullring/des"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
	"bullring/protocols"
	"bullring/protocols/snapshot/bank"
	"bullring/protocols/snapshot/chandylamport"
)

func chandyLamportAlgorithm() trial.Algorithm {
	return families.Snapshot(trial.Algorithm{
		Name:   "chandylamport",
		Title:  "Chandy and Lamport: a snapshot of accounts that pay each other, by markers",
		Source: "Chandy & Lamport, ACM TOCS 3(1) 1985",
		Papers: []string{"chandy1985"},
		Cost:   "a marker on every directed channel: 2E, n(n-1) if complete",
		Params: slices.Concat([]trial.Param{
			trial.DurationParam("after", "2ms", "when the initiators begin the snapshot"),
			bankParam("what accounts pay: random amounts to random neighbours, or the example of the lecture with three accounts of 100, of which 0 pays 10 to the outside, 1 pays 20 to 0, and 2 pays 30 to 1"),
		}, families.AccountParams(), []trial.Param{
			{Name: "pause", Form: "D|random(D)", Default: "1ms", Meaning: "time before each payment, always the same or drawn with that mean",
				Check: func(_ *trial.Instance, value string) error { _, _, err := parseRandom(value); return err }},
			trial.WordParam("leaks", "whether payments may go to the outside", "no", "yes"),
		}),
		Assumes: trial.Assumptions{
			Topologies: []string{"complete", "biring", trial.Connected}, FIFO: true, NoCrash: true, NoRestart: true,
		},
		Bounds: []trial.Bound{
			{
				Name: "exact", Metric: "messages", Relation: trial.Exactly,
				Formula:    "one for each directed channel: 2E, n(n-1) if complete",
				Convention: "MARKER counted; what the application sends is overhead",
				Value:      func(in *trial.Instance) (float64, bool) { return float64(channels(in)), in.Calm() },
			},
			{
				Name: "complete", Metric: "snapshot_time", Relation: trial.Exactly,
				Formula:    "when the initiators begin + the largest distance to the nearest of them + 1",
				Convention: "initiators begin at once; constant delay",
				Value: func(in *trial.Instance) (float64, bool) {
					if _, ok := in.Unit(); !ok || !in.Calm() || in.N == 1 {
						return 0, false
					}
					return in.Units(des.Time(in.Duration("after"))) + float64(slices.Max(distances(in))+1), true
				},
			},
			{
				Name: "recording", Metric: "recording", Relation: trial.Exactly,
				Formula:    "the largest distance to the nearest initiator",
				Convention: "initiators begin at once; constant delay",
				Value: func(in *trial.Instance) (float64, bool) {
					_, ok := in.Unit()
					return float64(slices.Max(distances(in))), ok && in.Calm()
				},
			},
		},
	}, func(in *trial.Instance) int64 {
		total := int64(0)
		for p := range in.N {
			total += accountOf(in, protocols.ID(p)).Balance
		}
		return total
	}, func(in *trial.Instance) func(protocols.ID) protocols.Process[chandylamport.Message[bank.Message]] {
		cfg := chandylamport.Config{After: in.Duration("after")}
		return func(p protocols.ID) protocols.Process[chandylamport.Message[bank.Message]] {
			return chandylamport.Wrap(bank.New(accountOf(in, p)), cfg)
		}
	})
}

// lecture is the worked example: the payments of each account.
var lecture = []bank.Order{{To: bank.Outside, Amount: 10}, {To: 0, Amount: 20}, {To: 1, Amount: 30}}

// bankParam is the parameter for what accounts pay. The example needs the links of its
// payments.
func bankParam(meaning string) trial.Param {
	p := trial.WordParam("bank", meaning, "random", "example")
	words := p.Check
	p.Check = func(in *trial.Instance, value string) error {
		if err := words(in, value); err != nil || value != "example" || in.N < len(lecture) {
			return err
		}
		for p, order := range lecture {
			if _, linked := in.Topology.Port(protocols.ID(p), order.To); order.To != bank.Outside && !linked {
				return fmt.Errorf("account %d pays account %d, and there is no link between them; complete and biring have one", p, order.To)
			}
		}
		return nil
	}
	return p
}

// accountOf is the account of a process. In the example, a process without an order pays
// nothing.
func accountOf(in *trial.Instance, p protocols.ID) bank.Config {
	cfg := bank.Config{Balance: int64(in.Count("balance"))}
	if in.Param("bank") == "example" {
		if int(p) < len(lecture) && in.N >= len(lecture) {
			cfg.Orders = lecture[p : p+1]
		}
		return cfg
	}
	cfg.Transfers, cfg.Most, cfg.Leaks = in.Count("transfers"), in.Count("most"), in.Param("leaks") == "yes"
	var err error
	if cfg.Pause, cfg.Random, err = parseRandom(in.Param("pause")); err != nil {
		panic(err) // it was checked
	}
	return cfg
}

// parseRandom reads D or random(D).
func parseRandom(text string) (mean time.Duration, random bool, err error) {
	inner, random := strings.CutPrefix(text, "random(")
	if random {
		inner, random = strings.CutSuffix(inner, ")")
	}
	mean, err = time.ParseDuration(inner)
	if err != nil || mean < 0 || mean > des.MaxDuration {
		return 0, false, fmt.Errorf("it takes a duration from 0s to %v, or random(D)", des.MaxDuration)
	}
	return mean, random, nil
}

// channels is the number of pairs of processes with a link. In small rings two links are one pair.
func channels(in *trial.Instance) int {
	pairs := 0
	for p := range protocols.ID(in.N) {
		for port := range in.Topology.Degree(p) {
			if first, _ := in.Topology.Port(p, in.Topology.Neighbor(p, port)); first == port {
				pairs++
			}
		}
	}
	return pairs
}

// distances are the hops to each process from the nearest initiator, by address.
func distances(in *trial.Instance) []int {
	d := make([]int, in.N)
	for p := range d {
		d[p] = -1
	}
	for p := range in.Initiators.All() {
		d[p] = 0
	}
	for queue := in.Initiators.List(); len(queue) > 0; queue = queue[1:] {
		for port := range in.Topology.Degree(queue[0]) {
			if q := in.Topology.Neighbor(queue[0], port); d[q] < 0 {
				d[q] = d[queue[0]] + 1
				queue = append(queue, q)
			}
		}
	}
	return d
}
