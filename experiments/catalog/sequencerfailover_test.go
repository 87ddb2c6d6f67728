package catalog_test

import (
	"fmt"
	"strings"
	"testing"

	"bullring/des"
	"bullring/experiments/catalog/internal/catalogtest"
	"bullring/experiments/trial"
	"bullring/experiments/trial/families"
)

const sequencerFailover = "sequencer-failover"

// As long as the sequencer lives it is the sequencer's algorithm.
func TestSequencerFailoverBounds(t *testing.T) {
	c := newChecker(t)
	for n := 1; n <= 4; n++ {
		for set := 1; set < 1<<n; set++ {
			for _, param := range []string{"", "items=3", "items=3,pause=500us,coordinator=0"} {
				for _, delay := range []string{"1ms", "uniform(0,3ms)"} {
					for _, variant := range []string{"total", "fifo"} {
						c.Run(trial.Setting{
							Algorithm: sequencerFailover, N: n, Initiators: catalogtest.Addresses(set, n), Param: param, Delay: delay, Variant: variant, Seed: uint64(set),
						}, families.Delivered)
					}
				}
			}
		}
	}
	c.NeedsAny("exact", "elections")
}

// With every election the sequencer crashes before it has ordered anything, between any
// two sends of its first items, after the last, and from the start; with one who waits;
// and so does its successor. Whoever lives delivers the same.
func TestSequencerFailoverOfEveryElection(t *testing.T) {
	c := newChecker(t)
	for _, elector := range electors() {
		for n := 2; n <= 5; n++ {
			last := n - 1
			type row struct {
				param, initiators, fault, dead string
				successors                     int
			}
			rows := []row{
				{"items=3,pause=3ms", "", fmt.Sprintf("at 500us crash %d", last), "", 1},
				{"items=3,pause=3ms", "", fmt.Sprintf("at 3500us crash %d", last), "", 1},
				{"items=3,pause=3ms", "", fmt.Sprintf("at 200ms crash %d", last), "", 0},
				{"items=2,pause=200ms", "", fmt.Sprintf("at 100ms crash %d", last), "", 1},
				{"items=2", "first", "", fmt.Sprint(last), 1},
				{"items=3,pause=3ms", "", fmt.Sprintf("at 3500us crash %d; at 3500us crash 0", last), "", -1},
				{"items=4,pause=3ms", "", fmt.Sprintf("at 500us crash %d; at 9500us crash %d", last, last-1), "", -1},
			}
			for sends := range 2*last + 1 {
				rows = append(rows, row{"items=2,pause=3ms", "", fmt.Sprintf("at 0s crash %d after %d sends", last, sends), "", -1})
			}
			for _, row := range rows {
				if n == 2 && strings.Count(row.fault, "crash") > 1 {
					continue
				}
				for _, variant := range []string{"total", "fifo"} {
					r := happens(t, c, trial.Setting{
						Algorithm: sequencerFailover, N: n, Variant: variant, Initiators: row.initiators, Dead: row.dead, Fault: row.fault,
						Param: row.param + ",election=" + elector,
					})
					if got, _ := r.Metric("successors"); row.successors >= 0 && int(got) != row.successors {
						t.Errorf("%s, n=%d, %s, %s: %v successors, want %d", elector, n, row.param, row.fault, got, row.successors)
					}
				}
			}
		}
	}
}

// Random plans inside the model: any processes crash at any time, also between two
// sends, with every election.
func TestSequencerFailoverRandomPlans(t *testing.T) {
	const plans = 100 // of each election
	c := newChecker(t)
	gaps := 0
	for _, elector := range electors() {
		for k := range plans {
			draw := des.NewStream(uint64(k), "sequencer "+elector)
			pick := func(words ...string) string { return words[draw.Intn(len(words))] }
			s := trial.Setting{
				Algorithm: sequencerFailover, N: 2 + draw.Intn(8), Placement: "random", Seed: draw.Uint64(), Variant: pick("total", "fifo"),
				Delay: pick("1ms", "uniform(0,1ms)", "uniform(500us,1ms)"), Assume: "1ms", MaxEvents: 1_000_000,
				Initiators: pick("", "last", "random:1"),
				Param:      fmt.Sprintf("election=%s,items=%d,pause=%s,coordinator=%s", elector, 1+draw.Intn(4), pick("0s", "1ms", "5ms"), pick("last", "first")),
				Fault:      fmt.Sprintf("random swarm of %s until %s", pick("crashes", "partial-broadcasts", "crashes, partial-broadcasts"), pick("3ms", "8ms", "20ms", "60ms")),
			}
			r := happens(t, c, s)
			if _, some := r.Metric("gap"); some {
				gaps++
			}
		}
	}
	if gaps < len(electors())*plans/10 {
		t.Errorf("%d gaps in all plans", gaps)
	}
}
